/** Lists documents. Source: the interface, "Documents", and its shapes, 2. */
import {
  countDocuments,
  type DocumentFilter,
  type DocumentRecord,
  listDocuments as listRecords,
} from '../../storage/documents.ts'
import { folderSubtree } from '../../storage/folders.ts'
import { eachInTurn } from '../breathe.ts'
import { DOCUMENTS_COUNTED } from '../limits.ts'
import { openCursor, type Rest, restOfList } from './cursors.ts'
import { dayBounds, moment, resolveDate } from './dates.ts'
import { appLink } from './deep-links.ts'
import { findFolder } from './folders.ts'
import { visibleTitles } from './links.ts'
import type { Space } from './space.ts'

/** Days, or words relative to today; bounds are inclusive. */
export interface DocumentDates {
  createdDateGte?: string | undefined
  createdDateLte?: string | undefined
  lastModifiedDateGte?: string | undefined
  lastModifiedDateLte?: string | undefined
  dailyNoteDateGte?: string | undefined
  dailyNoteDateLte?: string | undefined
}

export interface DocumentListing extends DocumentDates {
  location?: 'unsorted' | 'trash' | 'templates' | 'daily_notes' | undefined
  folderId?: string | undefined
  documentIds?: string[] | undefined
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
  lastModifiedAt?: string
  createdAt?: string
  clickableLink?: string
}

export interface DocumentList {
  items: DocumentAnswer[]
  pagination?: Rest
}

/** @throws CURSOR_INVALID; NOT_FOUND_ERROR for a folder or a document that there is not */
export async function listDocuments(space: Space, listing: DocumentListing): Promise<DocumentList> {
  const { fetchMetadata, limit, cursor, ...asked } = listing
  const filter = await filterOf(space, listing)
  const after = cursor === undefined ? 0 : Number(openCursor(space.info.secret, ['documents_list', asked], cursor))
  const records = await listRecords(space.tx, filter, after, limit)
  const items: DocumentAnswer[] = []
  const titleOf = await visibleTitles(
    space,
    records.map(({ title }) => title),
  )
  for await (const record of eachInTurn(records)) items.push(describe(space, record, titleOf, fetchMetadata))
  const last = records.at(-1)
  const remaining =
    last === undefined || records.length < limit ? 0 : await countDocuments(space.tx, filter, last.n, DOCUMENTS_COUNTED)
  if (last === undefined || remaining === 0) return { items }
  return {
    items,
    pagination: restOfList(
      ...([space.info.secret, 'documents_list', asked, 'documents', String(last.n), remaining] as const),
      DOCUMENTS_COUNTED,
    ),
  }
}

async function filterOf(space: Space, listing: DocumentListing): Promise<DocumentFilter> {
  if (space.kind === 'selected') return { documents: [...space.link.documents] }
  const filter: DocumentFilter = {}
  if (listing.location !== undefined) filter.location = listing.location
  if (listing.folderId !== undefined) {
    const { n } = await findFolder(space, listing.folderId)
    filter.folders = (await folderSubtree(space.tx, n)).map((folder) => folder.n)
  }
  if (listing.documentIds !== undefined)
    filter.documents = (await space.documents(listing.documentIds)).map(({ n }) => n)
  return Object.assign(filter, datesOf(space, listing))
}

/** Only the bounds that are given. */
export function datesOf(space: Space, asked: DocumentDates): DocumentFilter {
  const from = (date: string | undefined) => date && dayBounds(resolveDate(date, space), space).from
  const to = (date: string | undefined) => date && dayBounds(resolveDate(date, space), space).to
  const day = (date: string | undefined) => date && resolveDate(date, space)
  return given({
    createdFrom: from(asked.createdDateGte),
    createdTo: to(asked.createdDateLte),
    modifiedFrom: from(asked.lastModifiedDateGte),
    modifiedTo: to(asked.lastModifiedDateLte),
    dailyNoteFrom: day(asked.dailyNoteDateGte),
    dailyNoteTo: day(asked.dailyNoteDateLte),
  })
}

const given = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

function describe(
  space: Space,
  record: DocumentRecord,
  titleOf: (title: string) => string,
  fetchMetadata: boolean,
): DocumentAnswer {
  const isDeleted = record.location === 'trash'
  const selected = space.kind === 'selected'
  // A selected connection keeps an exposed document's ID after it was thrown away, and nothing of what it said.
  const title = selected && isDeleted ? '[Deleted Document]' : titleOf(record.title)
  const answer: DocumentAnswer = { id: record.id, rootBlockId: record.id, title, isDeleted }
  const location = listedLocation(record)
  if (!selected && location !== undefined) answer.location = location
  if (!selected && record.folderId !== null) answer.folderId = record.folderId
  if (record.dailyNoteDate !== null && !isDeleted) answer.dailyNoteDate = record.dailyNoteDate
  if (!fetchMetadata) return answer
  answer.lastModifiedAt = moment(record.modifiedAt)
  answer.createdAt = moment(record.createdAt)
  answer.clickableLink = appLink(space.info, { documentId: record.id })
  return answer
}

/** The built-in location of a document, which one in a folder has not. */
function listedLocation({ location }: DocumentRecord): DocumentAnswer['location'] {
  return location === 'folder' || location === 'inbox' || location === 'logbook' ? undefined : location
}
