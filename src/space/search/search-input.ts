/** What a search of documents asks for. */
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Pattern } from '../../regex/pattern.ts'
import { compilePattern } from './compile-pattern.ts'
import type { SearchScopeInput } from './search-scope.ts'
import { parseEntry, type SearchEntry } from './search-terms.ts'

export interface SearchInput extends SearchScopeInput {
  include: readonly string[]
  regexps: readonly string[]
  fetchBlocks: boolean
  /** True if matches include when their documents were created and changed. */
  fetchMetadata?: boolean | undefined
  /** The maximum number of documents in one answer. */
  limit: number
  cursor?: string | undefined
}

/** A search whose terms and patterns were parsed before the transaction begins. */
export interface PreparedSearch {
  scope: SearchScopeInput
  entries: readonly SearchEntry[]
  patterns: readonly Pattern[]
  fetchBlocks: boolean
  fetchMetadata: boolean
  limit: number
  cursor: string | undefined
}

/** @throws VALIDATION_ERROR for entries without words; INVALID_REGEX_ERROR */
export async function prepareSearch({
  include,
  regexps,
  fetchBlocks,
  fetchMetadata = false,
  limit,
  cursor,
  ...scope
}: SearchInput): Promise<PreparedSearch> {
  const patterns: Pattern[] = []
  for (const source of regexps) {
    await yieldToEventLoop()
    patterns.push(compilePattern(source, { caseSensitive: false }))
  }
  // Tags alone are found as phrases, so that the answer shows where they are.
  const isTagsAlone = include.length === 0 && patterns.length === 0 && scope.tags !== undefined
  const terms = isTagsAlone ? (scope.tags ?? []).map((tag) => `"${tag}"`) : include
  return { scope, entries: terms.map(parseEntry), patterns, fetchBlocks, fetchMetadata, limit, cursor }
}
