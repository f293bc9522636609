/** Queries on documents: each has a root block and a location. */
import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, gt, gte, inArray, isNull, lte, ne, notInArray, sql } from 'drizzle-orm'
import { selectColumns } from './columns.ts'
import { block, type DocumentRow, document, folder, type Location } from './schema.ts'
import { CHANGE_NUMBER, markListingChanged } from './sqlite/change-counter.ts'
import { query, type Transaction } from './sqlite/connection.ts'

/**
 * Locations of which a space has at most one document, not shown in listings. They hold the tasks that belong to no
 * other document.
 */
export const SYSTEM_DOCUMENTS = ['inbox', 'logbook'] as const
export type SystemDocument = (typeof SYSTEM_DOCUMENTS)[number]

/** Locations that a daily connection reaches. */
export const DAILY_LOCATIONS = ['daily_notes', ...SYSTEM_DOCUMENTS] as const

/** A document with fields of its root block. `title` is inline Markdown. */
export interface DocumentRecord extends DocumentRow {
  id: string
  title: string
  folderId: string | null
}

const RECORD_COLUMNS = {
  n: document.n,
  location: document.location,
  folder: document.folder,
  dailyNoteDate: document.dailyNoteDate,
  createdAt: document.createdAt,
  modifiedAt: document.modifiedAt,
  revision: document.revision,
  trashedAt: document.trashedAt,
  id: block.id,
  title: block.text,
  folderId: folder.id,
}
const param = sql.placeholder

const BY_NUMBER = `${selectColumns(document)} WHERE n = CAST(? AS INTEGER)`
const selectRecords = (orm: Transaction['orm']) =>
  orm
    .select(RECORD_COLUMNS)
    .from(document)
    .innerJoin(block, eq(block.n, document.n))
    .leftJoin(folder, eq(folder.n, document.folder))

const documentByIdQuery = query((orm) =>
  selectRecords(orm)
    .where(eq(block.id, param('id')))
    .prepare(),
)
const latestDailyNoteQuery = query((orm) =>
  selectRecords(orm)
    .where(and(eq(document.dailyNoteDate, param('date')), eq(document.location, 'daily_notes')))
    .orderBy(desc(document.modifiedAt), desc(document.n))
    .limit(1)
    .prepare(),
)
const systemDocumentQuery = query((orm) =>
  selectRecords(orm)
    .where(eq(document.location, param('location')))
    .limit(1)
    .prepare(),
)

/** The inbox or the logbook; undefined until something was stored there. */
export async function systemDocument(tx: Transaction, location: SystemDocument): Promise<DocumentRecord | undefined> {
  return systemDocumentQuery(tx).get({ location })
}

export async function documentByNumber(tx: Transaction, n: number): Promise<DocumentRow | undefined> {
  return tx.sql<DocumentRow>(BY_NUMBER).get(n)
}

/** A document by the ID of its root block; undefined for the ID of any other block. */
export async function documentById(tx: Transaction, id: string): Promise<DocumentRecord | undefined> {
  return documentByIdQuery(tx).get({ id })
}

/** The daily note of a date; if there are several, the one changed last. */
export async function latestDailyNote(tx: Transaction, date: string): Promise<DocumentRecord | undefined> {
  return latestDailyNoteQuery(tx).get({ date })
}

/** Filters of a listing. A document must match all of them. Times are milliseconds, bounds are inclusive. */
export interface DocumentFilter {
  location?: Location
  /** Any of these. */
  locations?: readonly Location[]
  exceptLocation?: Location
  /** Folders by number. */
  folders?: readonly number[]
  /** Documents by number. */
  documents?: readonly number[]
  /** Documents by number to exclude. */
  exceptDocuments?: readonly number[]
  createdFrom?: number
  createdTo?: number
  modifiedFrom?: number
  modifiedTo?: number
  dailyNoteFrom?: string
  dailyNoteTo?: string
}

/** At most `limit` documents after the number `after`, oldest first. */
export async function listDocuments(
  tx: Transaction,
  filter: DocumentFilter,
  after: number,
  limit: number,
): Promise<DocumentRecord[]> {
  // Titles and folders are read only for the documents on this page.
  const chosen = tx.orm
    .select({ n: document.n })
    .from(document)
    .where(and(...filterConditions(narrowFilter(tx, filter)), gt(document.n, after)))
    .orderBy(asc(document.n))
    .limit(limit)
    .all()
  const numbers = numberList(chosen.map(({ n }) => n))
  return selectRecords(tx.orm).where(inArray(document.n, numbers)).orderBy(asc(document.n)).all()
}

/** A document in a selection list. */
export interface DocumentChoice {
  id: string
  title: string
}

const CHOOSABLE = `d.location IN ('folder', 'unsorted', 'templates')`

/**
 * Documents to select from: the selected ones first, then those whose titles contain all of the words, last changed
 * first.
 *
 * @param limit  number of documents besides the selected ones
 * @returns the documents, and how many more there are
 */
export async function listDocumentChoices(
  tx: Transaction,
  { words, chosen, limit }: { words: string; chosen: readonly string[]; limit: number },
): Promise<{ documents: DocumentChoice[]; more: number }> {
  const terms = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const ids = JSON.stringify(chosen)
  // SQLite's lower() handles only ASCII.
  const titleConditions = terms.map(() => `(lower(b.text) LIKE ? ESCAPE '\\' OR b.text LIKE ? ESCAPE '\\')`)
  const patterns = terms.flatMap((word) => Array(2).fill(`%${word.replace(/[\\%_]/g, '\\$&')}%`))
  const from = `FROM document d JOIN block b ON b.n = d.n WHERE ${CHOOSABLE}`
  const others = [`${from} AND b.id NOT IN (SELECT value FROM json_each(?))`, ...titleConditions].join(' AND ')
  const first = tx
    .sql<DocumentChoice>(
      `SELECT b.id, b.text AS title ${from} AND b.id IN (SELECT value FROM json_each(?)) ORDER BY b.n`,
    )
    .all(ids)
  const rest = tx
    .sql<DocumentChoice>(`SELECT b.id, b.text AS title ${others} ORDER BY d.modified_at DESC, d.n DESC LIMIT ?`)
    .all(ids, ...patterns, limit)
  const count = tx
    .sql<number>(`SELECT count(*) ${others}`)
    .pluck()
    .get(ids, ...patterns) as number
  return { documents: [...first, ...rest], more: count - rest.length }
}

/**
 * The numbers of the documents of a filter, including the inbox and the logbook.
 *
 * @param inOrder  true to sort by last change, newest first. This reads the change time of each document; without it,
 * an index often suffices.
 */
export async function documentNumbers(tx: Transaction, filter: DocumentFilter, inOrder: boolean): Promise<number[]> {
  const all = tx.orm
    .select({ n: document.n })
    .from(document)
    .where(and(...filterConditions(narrowFilter(tx, filter), true)))
  const order = inOrder ? [desc(document.modifiedAt), desc(document.n)] : [asc(document.n)]
  return all
    .orderBy(...order)
    .all()
    .map(({ n }) => n)
}

/** Counts the documents of a filter after the number `after`, up to `most`. */
export async function countDocuments(
  tx: Transaction,
  filter: DocumentFilter,
  after: number,
  max: number,
): Promise<number> {
  const counted = tx.orm
    .select({ n: document.n })
    .from(document)
    .where(and(...filterConditions(narrowFilter(tx, filter)), gt(document.n, after)))
    .orderBy(asc(document.n))
    .limit(max)
    .as('counted')
  return tx.orm.select({ count: sql<number>`count(*)` }).from(counted).get()?.count ?? 0
}

/** Maximum number of documents to look up by the index of one bound. If there are more, a scan finds matches soon. */
const MAX_NARROWED = 2_000

/** The index of each column with bounds. All names are constants, never user input. */
const BOUNDS = [
  { column: 'created_at', index: 'document_created', from: 'createdFrom', to: 'createdTo' },
  { column: 'modified_at', index: 'document_modified', from: 'modifiedFrom', to: 'modifiedTo' },
  { column: 'daily_note_date', index: 'document_daily_note', from: 'dailyNoteFrom', to: 'dailyNoteTo' },
] as const

/**
 * Narrows a filter to a list of documents if one of its bounds matches only a few. A listing scans documents in order
 * of creation, and would read every document of the space if dates match none or only the last.
 */
function narrowFilter(tx: Transaction, filter: DocumentFilter): DocumentFilter {
  // Already narrow.
  if (filter.documents !== undefined) return filter
  for (const { column, index, from, to } of BOUNDS) {
    const [min, max] = [filter[from], filter[to]]
    if (min === undefined && max === undefined) continue
    const bounds = [min === undefined ? '' : `AND ${column} >= ?`, max === undefined ? '' : `AND ${column} <= ?`]
    const find = tx.sql<number>(
      `SELECT n FROM document INDEXED BY ${index} WHERE ${column} IS NOT NULL ${bounds.join(' ')} LIMIT ${MAX_NARROWED + 1}`,
    )
    const documents = find.pluck().all(...[min, max].filter((bound) => bound !== undefined))
    if (documents.length <= MAX_NARROWED) return { ...filter, documents }
  }
  return filter
}

function filterConditions(filter: DocumentFilter, withSystemDocuments = false): SQL[] {
  const conditions: (SQL | undefined)[] = [
    withSystemDocuments ? undefined : notInArray(document.location, [...SYSTEM_DOCUMENTS]),
    filter.location && eq(document.location, filter.location),
    // Redundant, but with it the location index yields the documents of a location in order of creation.
    filter.location && filter.location !== 'folder' ? isNull(document.folder) : undefined,
    filter.locations && inArray(document.location, [...filter.locations]),
    filter.exceptLocation && ne(document.location, filter.exceptLocation),
    filter.exceptDocuments && notInArray(document.n, numberList(filter.exceptDocuments)),
    // Also redundant, but the location index covers both columns, so the document rows are not read.
    filter.folders && eq(document.location, 'folder'),
    filter.folders && inArray(document.folder, numberList(filter.folders)),
    filter.documents && inArray(document.n, numberList(filter.documents)),
    ...rangeConditions(document.createdAt, filter.createdFrom, filter.createdTo),
    ...rangeConditions(document.modifiedAt, filter.modifiedFrom, filter.modifiedTo),
    ...rangeConditions(document.dailyNoteDate, filter.dailyNoteFrom, filter.dailyNoteTo),
    // A daily note in the trash keeps its date, but does not count as a daily note until it is restored.
    filter.dailyNoteFrom || filter.dailyNoteTo ? ne(document.location, 'trash') : undefined,
  ]
  return conditions.filter((condition) => condition !== undefined)
}

const numberList = (ns: readonly number[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(ns)}))`

function rangeConditions<T extends string | number>(
  column: typeof document.createdAt | typeof document.modifiedAt | typeof document.dailyNoteDate,
  from: T | undefined,
  to: T | undefined,
): (SQL | undefined)[] {
  return [from === undefined ? undefined : gte(column, from), to === undefined ? undefined : lte(column, to)]
}

/** The number of documents in each location. Counts per folder are in the folder's row. */
export async function documentsByLocation(tx: Transaction): Promise<Map<Location, number>> {
  const counts = tx.sql<[Location, number]>('SELECT location, documents FROM location_count')
  return new Map(counts.raw().all())
}

const insertQuery = query((orm) =>
  orm
    .insert(document)
    .values({
      n: param('n'),
      location: param('location'),
      folder: param('folder'),
      dailyNoteDate: param('dailyNoteDate'),
      createdAt: param('createdAt'),
      modifiedAt: param('modifiedAt'),
      revision: param('revision'),
      changeNumber: sql.raw(CHANGE_NUMBER),
    })
    .prepare(),
)

export async function insertDocument(tx: Transaction, row: Omit<DocumentRow, 'trashedAt'>): Promise<void> {
  insertQuery(tx).run(row)
  await markListingChanged(tx)
}

/** The location of a document. */
export type DocumentPlace = Pick<DocumentRow, 'location' | 'folder' | 'dailyNoteDate'>

export async function setDocumentPlace(tx: Transaction, n: number, place: DocumentPlace): Promise<void> {
  tx.orm
    .update(document)
    .set({ ...place, trashedAt: null })
    .where(eq(document.n, n))
    .run()
  // The document may have moved into the trash or out of it.
  await markListingChanged(tx)
}

/** Moves a document to the trash. No effect if it is already there. */
export async function trashDocument(tx: Transaction, n: number, now: number): Promise<void> {
  tx.sql(
    "UPDATE document SET location = 'trash', folder = NULL, trashed_at = ? WHERE n = CAST(? AS INTEGER) AND location <> 'trash'",
  ).run(now, n)
  await markListingChanged(tx)
}

/** The numbers of documents moved to the trash before a time, in milliseconds since 1970, in ascending order. */
export async function documentsTrashedBefore(tx: Transaction, time: number): Promise<number[]> {
  return tx
    .sql<number>("SELECT n FROM document WHERE location = 'trash' AND trashed_at < ? ORDER BY n")
    .pluck()
    .all(time)
}

/** Deletes the row that makes a block a document. The block itself remains. */
export async function deleteDocumentRow(tx: Transaction, n: number): Promise<void> {
  tx.sql('DELETE FROM document WHERE n = CAST(? AS INTEGER)').run(n)
  await markListingChanged(tx)
}

/**
 * Records that something in a document changed.
 *
 * @returns true if the document exists
 */
export async function touchDocument(tx: Transaction, n: number, now: number): Promise<boolean> {
  const touch = tx.sql(
    `UPDATE document SET modified_at = max(modified_at, ?), revision = revision + 1, change_number = ${CHANGE_NUMBER}
     WHERE n = ?`,
  )
  return touch.run(now, n).changes > 0
}

/**
 * Moves at most `most` documents out of a folder.
 *
 * @returns the number of moved documents
 */
export async function moveFolderDocuments(
  tx: Transaction,
  from: number,
  to: number | null,
  max: number,
): Promise<number> {
  const move = tx.sql(
    `UPDATE document SET location = ?, folder = ?
     WHERE n IN (SELECT n FROM document WHERE folder = CAST(? AS INTEGER) LIMIT CAST(? AS INTEGER))`,
  )
  return move.run(to === null ? 'unsorted' : 'folder', to, from, max).changes
}
