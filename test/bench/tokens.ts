/** What a list of tools costs a model. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import type { ConnectionKind } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'

/** Returns the tokens of each tool as models see it: name, description and input schema as JSON. */
export function toolTokens(kind: ConnectionKind, isListed = (_name: string) => true): Map<string, number> {
  return new Map(
    toolCatalogFor(endpoints, kind)
      .list.listed(isListed)
      .map(({ name, description, inputSchema }) => {
        return [name, countTokens(JSON.stringify({ name, description, inputSchema }))]
      }),
  )
}

/** Returns the tokens (o200k) of all tools of a kind of connection. */
export function toolListTokens(kind: ConnectionKind): number {
  let sum = 0
  for (const tokens of toolTokens(kind).values()) sum += tokens
  return sum
}
