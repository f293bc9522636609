/** What a tool list costs a model that is shown it. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { tableOf } from '../../src/server/mcp.ts'
import type { Kind } from '../../src/space/space.ts'
import { endpoints } from '../../tools/index.ts'

/** The tokens of each tool, as models see it: name, description and input schema as JSON. */
export function toolTokens(kind: Kind): Map<string, number> {
  return new Map(
    tableOf(endpoints, kind).listing.map(({ name, description, inputSchema }) => {
      return [name, countTokens(JSON.stringify({ name, description, inputSchema }))]
    }),
  )
}

/** The tokens (o200k) of all tools that a kind of connection has. */
export const toolListTokens = (kind: Kind): number =>
  toolTokens(kind)
    .values()
    .reduce((sum, tokens) => sum + tokens, 0)
