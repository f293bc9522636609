/**
 * How a search goes on that found more than an answer shows, or whose patterns took too long. Documents found by patterns alone are searched from the last
 * changed to the first, and the cursor says where in that order; those found by terms go by their rank, and it says how
 * many of them were searched.
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

/** The document that was searched last. */
interface SearchPosition {
  /** How many were searched, where they go by their rank. */
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

/** The candidates of a search that are left after a place; those that were changed meanwhile are not searched again. */
export async function candidatesAfter(
  { tx }: Space,
  candidates: readonly number[],
  { searched = 0, changed }: SearchPosition,
): Promise<readonly number[]> {
  if (changed === undefined) return candidates.slice(searched)
  const times = await documentModifiedTimes(tx, candidates)
  const isLeft = (n: number) => {
    const at = times.get(n) ?? 0
    return at < changed.at || (at === changed.at && n < changed.n)
  }
  return candidates.filter(isLeft)
}

/**
 * @param searched  how many of the candidates were searched, with those of earlier calls
 * @param isComplete  whether there are no candidates besides
 */
export async function createSearchPagination(
  space: Space,
  search: PreparedSearch,
  candidates: readonly number[],
  searched: number,
  isComplete = true,
): Promise<Pagination> {
  const n = candidates[searched - 1] ?? 0
  const position: SearchPosition =
    search.entries.length > 0
      ? { searched }
      : { changed: { at: (await documentModifiedTimes(space.tx, [n])).get(n) ?? 0, n } }
  const query = cursorQuery(search)
  const left = candidates.length - searched
  return createPagination(
    space.info.secret,
    toolName(space),
    query,
    search.patterns.length > 0 ? 'documents to search' : 'matching documents',
    JSON.stringify(position),
    left,
    isComplete ? Infinity : left,
  )
}
