/**
 * Continues searches that found more than fits into one answer, or took too long. Documents that are found by patterns
 * alone are searched from the most recently changed to the oldest, and the cursor holds the last one's place in that
 * order. Documents that are found by terms are ordered by rank, and the cursor holds how many were processed.
 */
import { documentModifiedTimes } from '../../../storage/documents.ts'
import { createPagination, decodeCursor, type Pagination } from '../model/cursors.ts'
import type { Space } from '../model/space.ts'
import type { PreparedSearch } from './search-input.ts'

const toolName = ({ kind }: Space): string => (kind === 'daily' ? 'daily_notes_search' : 'documents_search')

const cursorQuery = ({ scope, entries, patterns }: PreparedSearch) => ({
  scope,
  include: entries.map(({ source }) => source),
  regexps: patterns.map(({ source }) => source),
})

/** The position after the last processed document. */
interface SearchPosition {
  /** For documents ordered by rank: how many were processed. */
  searched?: number
  /** For documents ordered by time of change: when the last one was changed, and its number. */
  changed?: { at: number; n: number }
}

/** @throws CURSOR_INVALID */
export function decodeSearchCursor(space: Space, search: PreparedSearch): SearchPosition | undefined {
  if (search.cursor === undefined) return undefined
  return JSON.parse(
    decodeCursor(space.info.secret, [toolName(space), cursorQuery(search)], search.cursor),
  ) as SearchPosition
}

/**
 * Returns the documents that were changed before a position. Documents that were changed in between are not searched
 * again.
 */
export async function documentsAfter(
  { tx }: Space,
  documents: readonly number[],
  { changed }: SearchPosition,
): Promise<readonly number[]> {
  if (changed === undefined) return documents
  const times = await documentModifiedTimes(tx, documents)
  const isLeft = (n: number) => {
    const at = times.get(n) ?? 0
    return at < changed.at || (at === changed.at && n < changed.n)
  }
  return documents.filter(isLeft)
}

/** The point where a search stopped, and what is left. */
interface SearchEnd {
  /** The number of processed documents, including those of earlier calls, and the last of them. */
  searched: number
  last: number
  /** What is left, as a plural noun. */
  noun: 'matching document' | 'document to search'
  remaining: number
  /** True if `remaining` is the exact number rather than a minimum. */
  isExact: boolean
}

export async function createSearchPagination(
  space: Space,
  search: PreparedSearch,
  { searched, last, noun, remaining, isExact }: SearchEnd,
): Promise<Pagination> {
  const position: SearchPosition =
    search.entries.length > 0
      ? { searched }
      : { changed: { at: (await documentModifiedTimes(space.tx, [last])).get(last) ?? 0, n: last } }
  const query = cursorQuery(search)
  const at = JSON.stringify(position)
  const countLimit = isExact ? Infinity : remaining
  return createPagination(space.info.secret, toolName(space), query, noun, at, remaining, countLimit)
}
