/**
 * How a search goes on that found more than one answer shows, or took too long. Documents found by patterns alone are
 * searched from the last changed to the first, and the cursor says where in that order; those found by terms go by
 * their rank, and it says how many of them were gone through.
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

/** The document that was gone through last. */
interface SearchPosition {
  /** How many were gone through, where they go by their rank. */
  searched?: number
  /** When it was changed, and its number, where they go by that. */
  changed?: { at: number; n: number }
}

/** @throws CURSOR_INVALID */
export function decodeSearchCursor(space: Space, search: PreparedSearch): SearchPosition | undefined {
  if (search.cursor === undefined) return undefined
  return JSON.parse(
    decodeCursor(space.info.secret, [toolName(space), cursorQuery(search)], search.cursor),
  ) as SearchPosition
}

/** The documents that were changed before a place; those that were changed meanwhile are not searched again. */
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

/** Where a search ended, and what is left. */
interface SearchEnd {
  /** How many were gone through, with those of earlier calls, and the last of them. */
  searched: number
  last: number
  /** What is left, in the plural. */
  noun: 'matching documents' | 'documents to search'
  remaining: number
  /** Whether there are no more than these. */
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
