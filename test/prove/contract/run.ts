/** Checks rules over each transport and for each kind of connection that they are about. */

import type { CheckedRule, RuleGroup } from './rule.ts'
import { RuleContext, type Spoiler } from './rule-context.ts'
import type { ContractWorld } from './world.ts'

/** A rule that has a check, with its number, such as "tasks 3". */
export interface NumberedRule {
  number: string
  rule: CheckedRule
}

export interface Counts {
  checks: number
  calls: number
}

const SHOWN = 600

export const checkedRules = (groups: readonly RuleGroup[]): NumberedRule[] =>
  groups.flatMap(({ title, rules }) =>
    rules.flatMap((rule, index) => ('cannot' in rule ? [] : [{ number: `${title} ${index + 1}`, rule }])),
  )

export const uncheckableRules = (groups: readonly RuleGroup[]): string[] =>
  groups.flatMap(({ title, rules }) =>
    rules.flatMap((rule, index) =>
      'cannot' in rule ? [`${title} ${index + 1}: ${rule.statement} ${rule.cannot}`] : [],
    ),
  )

/** @returns a sentence for each check that failed */
export async function brokenRules(
  world: ContractWorld,
  rules: readonly NumberedRule[],
  counts: Counts,
  spoiler: Spoiler = {},
): Promise<string[]> {
  const faults: string[] = []
  for (const { number, rule } of rules) {
    for (const connection of world.connections) {
      const { kind, transport } = connection
      if (rule.kinds?.includes(kind) === false || rule.over?.includes(transport) === false) continue
      const context = new RuleContext(world, connection, spoiler, counts)
      const { now } = world.clock
      const reason = await rule.check(context).then(
        () => undefined,
        (error: Error) => error,
      )
      world.clock.now = now
      counts.checks++
      if (reason === undefined) continue
      const message = reason.message.replace(/\s+/g, ' ').slice(0, SHOWN)
      faults.push(`${number} over ${transport}, ${kind}: "${rule.statement}" is broken: ${message}`)
    }
  }
  return faults
}
