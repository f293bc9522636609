/** The scope of a search: the documents within reach that pass the filters of the call. */

import { type DocumentFilter, documentNumbers } from '../../../storage/document-lists.ts'
import { countDocumentsOutside, documentsInLocation } from '../../../storage/documents.ts'
import { folderSubtree } from '../../../storage/folders.ts'
import { DAILY_LOCATIONS } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { type DocumentDateFilter, resolveDateFilter } from '../documents/document-list.ts'
import { findFolder } from '../folders/folders.ts'
import { resolveDate } from '../model/dates.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'

/** Filters for documents. Each kind of connection has some of them. */
export interface SearchScopeInput extends DocumentDateFilter {
  documentIds?: readonly AnyId[] | undefined
  /** Tags, as they are compared: only documents that have all of them. */
  tags?: readonly string[] | undefined
  documentFilterMode?: 'include' | 'exclude' | undefined
  location?: 'unsorted' | 'trash' | 'templates' | 'daily_notes' | undefined
  folderIds?: readonly AnyId[] | undefined
  startDate?: string | undefined
  endDate?: string | undefined
}

export interface SearchScope {
  has(document: number): boolean
  /** The number of documents in the scope. */
  size: number
  /** The documents, if they had to be listed. */
  documents?: readonly number[]
}

/**
 * Excludes the trash unless it is requested. Includes the inbox and the logbook for connections that reach them, unless
 * a filter is set that only documents can meet: a place, or a day.
 *
 * @param inOrder  true to sort the most recently changed documents first
 * @throws NOT_FOUND_ERROR for a folder or document that does not exist; VALIDATION_ERROR for an end before its start
 */
export async function resolveScope(space: Space, input: SearchScopeInput, inOrder = false): Promise<SearchScope> {
  validateRanges(space, input)
  if (space.kind === 'full' && Object.values(input).every((value) => value === undefined)) {
    const trash = new Set(await documentsInLocation(space.tx, 'trash'))
    return { has: (document) => !trash.has(document), size: await countDocumentsOutside(space.tx, 'trash') }
  }
  const documents = await documentNumbers(space.tx, await resolveScopeFilter(space, input), inOrder)
  const numbers = new Set(documents)
  return { has: (document) => numbers.has(document), size: documents.length, documents }
}

/** The documents of a scope, the most recently changed first. */
export const scopeDocuments = async (space: Space, { documents }: SearchScope): Promise<readonly number[]> =>
  documents ?? documentNumbers(space.tx, { exceptLocation: 'trash' }, true)

async function resolveScopeFilter(space: Space, input: SearchScopeInput): Promise<DocumentFilter> {
  const filter = await resolvePlaces(space, input)
  return input.tags === undefined ? filter : { ...filter, tags: input.tags }
}

async function resolvePlaces(space: Space, input: SearchScopeInput): Promise<DocumentFilter> {
  const { documentIds, documentFilterMode, location, folderIds, startDate, endDate } = input
  const named = documentIds && (await space.getDocuments(documentIds)).map(({ n }) => n)
  switch (space.kind) {
    case 'selected': {
      const filter: DocumentFilter = { documents: [...space.link.documents], exceptLocation: 'trash' }
      if (named === undefined) return filter
      return documentFilterMode === 'exclude' ? { ...filter, exceptDocuments: named } : { ...filter, documents: named }
    }
    case 'daily': {
      const dates = resolveDateFilter(space, { dailyNoteDateGte: startDate, dailyNoteDateLte: endDate })
      const isDated = Object.keys(dates).length > 0
      return { locations: isDated ? ['daily_notes'] : DAILY_LOCATIONS, ...dates }
    }
    case 'full': {
      const filter: DocumentFilter = {
        ...resolveDateFilter(space, input),
        ...(location === 'trash' ? {} : { exceptLocation: 'trash' }),
      }
      if (location !== undefined) filter.location = location
      if (named !== undefined) filter.documents = named
      if (folderIds !== undefined) filter.folders = await resolveFolders(space, folderIds)
      return filter
    }
  }
}

async function resolveFolders(space: Space, ids: readonly AnyId[]): Promise<number[]> {
  const folders = new Set<number>()
  for (const id of ids)
    for (const { n } of await folderSubtree(space.tx, (await findFolder(space, id)).n)) folders.add(n)
  return [...folders]
}

const DATE_RANGES = [
  ['createdDateGte', 'createdDateLte'],
  ['lastModifiedDateGte', 'lastModifiedDateLte'],
  ['dailyNoteDateGte', 'dailyNoteDateLte'],
  ['startDate', 'endDate'],
] as const

function validateRanges(space: Space, input: SearchScopeInput): void {
  for (const [start, end] of DATE_RANGES) {
    const [from, to] = [input[start], input[end]]
    if (from === undefined || to === undefined || resolveDate(from, space) <= resolveDate(to, space)) continue
    throw invalid(`Expected ${end} on or after ${start}, found ${to} before ${from}; give the earlier day as ${start}.`)
  }
}
