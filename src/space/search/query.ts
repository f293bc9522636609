/** What a search of documents asks for. */
import { breathe } from '../../breathe.ts'
import { compilePattern, type Pattern } from '../../pattern/pattern.ts'
import type { ScopeAsked } from './scope.ts'
import { type Entry, readEntry } from './terms.ts'

export interface SearchAsked extends ScopeAsked {
  include: readonly string[]
  regexps: readonly string[]
  fetchBlocks: boolean
  cursor?: string | undefined
}

/** A search, its terms and patterns read before the transaction begins. */
export interface Search {
  scope: ScopeAsked
  entries: readonly Entry[]
  patterns: readonly Pattern[]
  fetchBlocks: boolean
  cursor: string | undefined
}

/** @throws VALIDATION_ERROR for entries without words; INVALID_REGEX_ERROR */
export async function prepareSearch({ include, regexps, fetchBlocks, cursor, ...scope }: SearchAsked): Promise<Search> {
  const patterns: Pattern[] = []
  for (const source of regexps) {
    await breathe()
    patterns.push(compilePattern(source, { caseSensitive: false }))
  }
  return { scope, entries: include.map(readEntry), patterns, fetchBlocks, cursor }
}
