/** Lists documents. Source: the interface, "Documents", and its shapes, 2. */

import {
  countDocuments,
  type DocumentFilter,
  type DocumentListPlace,
  type DocumentOrder,
  listDocuments as listRecords,
  placeInList,
} from '../../../storage/document-lists.ts'
import type { DocumentRecord } from '../../../storage/documents.ts'
import { folderSubtree } from '../../../storage/folders.ts'
import { DOCUMENT_COUNT_CAP } from '../../base/limits.ts'
import { iterateCooperatively, yieldToEventLoop } from '../../base/scheduling.ts'
import { findFolder } from '../folders/folders.ts'
import { visibleTitles } from '../model/block-links.ts'
import { createPagination, decodeCursor, type Pagination } from '../model/cursors.ts'
import { dayBounds, formatTimestamp, resolveDate } from '../model/dates.ts'
import { deepLinks } from '../model/deep-links.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'

export { DOCUMENT_ORDERS } from '../../../storage/document-lists.ts'

/** Dates, or words such as `today`. Bounds are inclusive. */
export interface DocumentDateFilter {
  createdDateGte?: string | undefined
  createdDateLte?: string | undefined
  lastModifiedDateGte?: string | undefined
  lastModifiedDateLte?: string | undefined
  dailyNoteDateGte?: string | undefined
  dailyNoteDateLte?: string | undefined
}

export interface DocumentListInput extends DocumentDateFilter {
  /** Tags, as they are compared: only documents that have all of them. */
  tags?: readonly string[] | undefined
  location?: 'unsorted' | 'trash' | 'templates' | 'daily_notes' | undefined
  folderId?: AnyId | undefined
  documentIds?: AnyId[] | undefined
  orderBy: DocumentOrder
  fetchMetadata: boolean
  limit: number
  cursor?: string | undefined
}

export interface DocumentAnswer {
  id: string
  rootBlockId: string
  title: string
  isDeleted: boolean
  location?: 'unsorted' | 'templates' | 'trash' | 'daily_notes'
  folderId?: string
  dailyNoteDate?: string
  /** The person who has locked it against changes by agents. */
  lockedBy?: string
  lastModifiedAt?: string
  createdAt?: string
  clickableLink?: string
  webLink?: string
}

export interface DocumentList {
  items: DocumentAnswer[]
  pagination?: Pagination
}

/** @throws CURSOR_INVALID; NOT_FOUND_ERROR if a folder or document does not exist */
export async function listDocuments(space: Space, input: DocumentListInput): Promise<DocumentList> {
  const { fetchMetadata, limit, cursor, ...asked } = input
  const { orderBy, ...others } = asked
  // Cursors for the default order do not include it, so that cursors issued before orders existed stay valid.
  const query = orderBy === 'created' ? others : asked
  const filter = await resolveDocumentFilter(space, input)
  const position = cursor === undefined ? undefined : decodeCursor(space.info.secret, ['documents_list', query], cursor)
  const after = position === undefined ? undefined : parsePlace(orderBy, position)
  const records = await readRecords(space, filter, orderBy, after, limit)
  const items: DocumentAnswer[] = []
  const titleOf = await visibleTitles(
    space,
    records.map(({ title }) => title),
  )
  for await (const record of iterateCooperatively(records))
    items.push(documentAnswer(space, record, titleOf, fetchMetadata))
  const last = records.at(-1)
  const remaining =
    last === undefined || records.length < limit
      ? 0
      : await countDocuments(space.tx, filter, orderBy, placeInList(orderBy, last), DOCUMENT_COUNT_CAP)
  if (last === undefined || remaining === 0) return { items }
  return {
    items,
    pagination: createPagination(
      ...([
        space.info.secret,
        'documents_list',
        query,
        'document',
        formatPlace(placeInList(orderBy, last)),
        remaining,
      ] as const),
      DOCUMENT_COUNT_CAP,
    ),
  }
}

/** How many documents are read before yielding to other calls. */
const DOCUMENTS_PER_BATCH = 1_000

const formatPlace = ({ n, key }: DocumentListPlace): string => (key === n ? String(n) : `${n} ${key}`)

function parsePlace(order: DocumentOrder, text: string): DocumentListPlace {
  const [n, key = n] = text.split(' ')
  return { n: Number(n), key: order === 'day' ? String(key) : Number(key) }
}

async function readRecords(
  space: Space,
  filter: DocumentFilter,
  order: DocumentOrder,
  start: DocumentListPlace | undefined,
  limit: number,
) {
  const records: DocumentRecord[] = []
  while (records.length < limit) {
    const wanted = Math.min(limit - records.length, DOCUMENTS_PER_BATCH)
    const last = records.at(-1)
    const after = last === undefined ? start : placeInList(order, last)
    const batch = await listRecords(space.tx, filter, order, after, wanted)
    for (const record of batch) records.push(record)
    if (batch.length < wanted) break
    await yieldToEventLoop()
  }
  return records
}

async function resolveDocumentFilter(space: Space, input: DocumentListInput): Promise<DocumentFilter> {
  const { tags } = input
  if (space.kind === 'selected') {
    const filter = { documents: [...space.link.documents] }
    // A selected connection sees nothing of what a document in the trash holds.
    return tags === undefined ? filter : { ...filter, tags, exceptLocation: 'trash' }
  }
  const filter: DocumentFilter = tags === undefined ? {} : { tags }
  if (input.location !== undefined) filter.location = input.location
  if (input.folderId !== undefined) {
    const { n } = await findFolder(space, input.folderId)
    filter.folders = (await folderSubtree(space.tx, n)).map((folder) => folder.n)
  }
  if (input.documentIds !== undefined)
    filter.documents = (await space.getDocuments(input.documentIds)).map(({ n }) => n)
  return Object.assign(filter, resolveDateFilter(space, input))
}

/** Resolves the bounds that are given; others are left out. */
export function resolveDateFilter(space: Space, input: DocumentDateFilter): DocumentFilter {
  const from = (date: string | undefined) => date && dayBounds(resolveDate(date, space), space).from
  const to = (date: string | undefined) => date && dayBounds(resolveDate(date, space), space).to
  const day = (date: string | undefined) => date && resolveDate(date, space)
  return withoutUndefined({
    createdFrom: from(input.createdDateGte),
    createdTo: to(input.createdDateLte),
    modifiedFrom: from(input.lastModifiedDateGte),
    modifiedTo: to(input.lastModifiedDateLte),
    dailyNoteFrom: day(input.dailyNoteDateGte),
    dailyNoteTo: day(input.dailyNoteDateLte),
  })
}

const withoutUndefined = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

function documentAnswer(
  space: Space,
  record: DocumentRecord,
  titleOf: (title: string) => string,
  fetchMetadata: boolean,
): DocumentAnswer {
  const isDeleted = record.location === 'trash'
  const selected = space.kind === 'selected'
  // A selected connection keeps the ID of an exposed document that is in the trash, but sees none of its content.
  const title = selected && isDeleted ? '[Deleted Document]' : titleOf(record.title)
  const id = space.spellId(record.id)
  space.seenRows.show([record.id])
  const answer: DocumentAnswer = { id, rootBlockId: id, title, isDeleted }
  const location = publishedLocation(record)
  if (!selected && location !== undefined) answer.location = location
  if (!selected && record.folderId !== null) answer.folderId = space.spellId(record.folderId)
  // For a document in the trash, this is the day that it was the note of. Selected connections may not read that.
  if (record.dailyNoteDate !== null && !(selected && isDeleted)) answer.dailyNoteDate = record.dailyNoteDate
  if (record.lockedBy !== null) answer.lockedBy = record.lockedBy
  if (!fetchMetadata) return answer
  answer.lastModifiedAt = formatTimestamp(record.modifiedAt)
  answer.createdAt = formatTimestamp(record.createdAt)
  return Object.assign(answer, deepLinks(space, { documentId: id }))
}

/** Returns the built-in location of a document. A document in a folder has none. */
function publishedLocation({ location }: DocumentRecord): DocumentAnswer['location'] {
  return location === 'folder' || location === 'inbox' || location === 'logbook' ? undefined : location
}
