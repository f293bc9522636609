/** The size of the list of tools as a model sees it. The goals are those for the full set of 45 tools. */
import { CONNECTION_KINDS, type ConnectionKind } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import type { Figure, Measure } from './figure.ts'
import { toolListTokens, toolTokens } from './tokens.ts'

/** The maximum number of tokens of all 45 tools. */
export const TOKEN_GOALS: Record<ConnectionKind, number> = { full: 6_000, selected: 4_500, daily: 4_500 }

export const measure: Measure = async () => {
  const figures = CONNECTION_KINDS.map((kind): Figure => {
    const ours = toolListTokens(kind)
    const most = TOKEN_GOALS[kind]
    const what = `tools/list, ${kind}, ${toolTokens(kind).size} tools`
    return {
      what,
      floor: 'the goal for 45',
      ours,
      bare: most,
      unit: 'tokens',
      ratio: ours / most,
      goal: { of: 'ours', most },
    }
  })
  const byTool = endpoints.map(({ name }) => {
    const [full, selected, daily] = CONNECTION_KINDS.map((kind) => toolTokens(kind).get(name) ?? '-')
    return `  ${name.padEnd(22)} ${full} / ${selected} / ${daily}`
  })
  return { figures, notes: ['Tokens by tool, full / selected / daily:', ...byTool] }
}
