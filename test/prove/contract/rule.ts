/** The rules of the contract, each with its check or with the reason why nothing can check it. */
import type { ConnectionKind } from '../../../src/space/model/space.ts'
import type { RuleContext } from './rule-context.ts'

export const TRANSPORTS = ['REST', 'MCP 2025', 'MCP 2026'] as const
export type Transport = (typeof TRANSPORTS)[number]

export interface CheckedRule {
  /** One sentence of the contract, in our words. */
  statement: string
  /** The kinds of connections for which it holds; all three if absent. */
  kinds?: readonly ConnectionKind[]
  /** The transports for which it holds; all three if absent. */
  over?: readonly Transport[]
  /** @throws Error that says what was expected and found, if the rule is broken */
  check(at: RuleContext): Promise<void>
}

export interface UncheckableRule {
  statement: string
  /** Why nothing can check it. */
  cannot: string
}

export type Rule = CheckedRule | UncheckableRule

/** The rules of one part of the contract. Rule 3 of the part "tasks" is called "tasks 3". */
export interface RuleGroup {
  title: string
  rules: readonly Rule[]
}

export const FULL: readonly ConnectionKind[] = ['full']
export const SELECTED: readonly ConnectionKind[] = ['selected']
export const DAILY: readonly ConnectionKind[] = ['daily']
export const FULL_AND_SELECTED: readonly ConnectionKind[] = ['full', 'selected']
export const FULL_AND_DAILY: readonly ConnectionKind[] = ['full', 'daily']
export const REST: readonly Transport[] = ['REST']
export const MCP: readonly Transport[] = ['MCP 2025', 'MCP 2026']
