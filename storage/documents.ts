/** Documents: where each root block is kept. */
import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, gt, gte, inArray, isNull, lte, ne, notInArray, sql } from 'drizzle-orm'
import { selectColumns } from './columns.ts'
import { block, type DocumentRow, document, folder, type Location } from './schema.ts'
import { CHANGE_NUMBER, markListingChanged } from './sqlite/change-counter.ts'
import { query, type Transaction } from './sqlite/connection.ts'

/** Documents that every space has at most one of and that no listing shows: they hold tasks that stand in no other. */
export const SYSTEM_DOCUMENTS = ['inbox', 'logbook'] as const
export type SystemDocument = (typeof SYSTEM_DOCUMENTS)[number]

/** Where the documents are that a daily connection reaches. */
export const DAILY_LOCATIONS = ['daily_notes', ...SYSTEM_DOCUMENTS] as const

/** A document with what its root block says of it. `title` is inline Markdown. */
export interface DocumentRecord extends DocumentRow {
  id: string
  title: string
  folderId: string | null
}

const record = {
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
const records = (orm: Transaction['orm']) =>
  orm
    .select(record)
    .from(document)
    .innerJoin(block, eq(block.n, document.n))
    .leftJoin(folder, eq(folder.n, document.folder))

const byId = query((orm) =>
  records(orm)
    .where(eq(block.id, param('id')))
    .prepare(),
)
const latestOfDate = query((orm) =>
  records(orm)
    .where(and(eq(document.dailyNoteDate, param('date')), eq(document.location, 'daily_notes')))
    .orderBy(desc(document.modifiedAt), desc(document.n))
    .limit(1)
    .prepare(),
)
const systemDocumentQuery = query((orm) =>
  records(orm)
    .where(eq(document.location, param('location')))
    .limit(1)
    .prepare(),
)

/** The inbox or the logbook; none before something was put there. */
export async function systemDocument(tx: Transaction, location: SystemDocument): Promise<DocumentRecord | undefined> {
  return systemDocumentQuery(tx).get({ location })
}

export async function documentByNumber(tx: Transaction, n: number): Promise<DocumentRow | undefined> {
  return tx.sql<DocumentRow>(BY_NUMBER).get(n)
}

/** A document by the ID of its root block; none for the ID of any other block. */
export async function documentById(tx: Transaction, id: string): Promise<DocumentRecord | undefined> {
  return byId(tx).get({ id })
}

/** The daily note of a date: of several, the one that was changed last. */
export async function latestDailyNote(tx: Transaction, date: string): Promise<DocumentRecord | undefined> {
  return latestOfDate(tx).get({ date })
}

/** What a listing may ask for; all that is given must hold. Times are milliseconds, bounds inclusive. */
export interface DocumentFilter {
  location?: Location
  /** Any of these. */
  locations?: readonly Location[]
  notIn?: Location
  /** Folders by number. */
  folders?: readonly number[]
  /** Documents by number. */
  documents?: readonly number[]
  /** Documents by number that are left out. */
  except?: readonly number[]
  createdFrom?: number
  createdTo?: number
  modifiedFrom?: number
  modifiedTo?: number
  dailyNoteFrom?: string
  dailyNoteTo?: string
}

/** Documents in the order they were made, those after the number `after`, at most `limit`. */
export async function listDocuments(
  tx: Transaction,
  filter: DocumentFilter,
  after: number,
  limit: number,
): Promise<DocumentRecord[]> {
  // Titles and folders are read only of the documents that are listed.
  const chosen = tx.orm
    .select({ n: document.n })
    .from(document)
    .where(and(...conditions(narrowFilter(tx, filter)), gt(document.n, after)))
    .orderBy(asc(document.n))
    .limit(limit)
    .all()
  const numbers = among(chosen.map(({ n }) => n))
  return records(tx.orm).where(inArray(document.n, numbers)).orderBy(asc(document.n)).all()
}

/** A document that may be picked from a list. */
export interface DocumentChoice {
  id: string
  title: string
}

const CHOOSABLE = `d.location IN ('folder', 'unsorted', 'templates')`

/**
 * Documents to choose from: those that are chosen first, then those last changed whose titles have all of the words.
 *
 * @param limit  besides those that are chosen
 * @returns and how many more there are
 */
export async function listDocumentChoices(
  tx: Transaction,
  { words, chosen, limit }: { words: string; chosen: readonly string[]; limit: number },
): Promise<{ documents: DocumentChoice[]; more: number }> {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const ids = JSON.stringify(chosen)
  // SQLite lowers the letters of ASCII alone.
  const has = wanted.map(() => `(lower(b.text) LIKE ? ESCAPE '\\' OR b.text LIKE ? ESCAPE '\\')`)
  const like = wanted.flatMap((word) => Array(2).fill(`%${word.replace(/[\\%_]/g, '\\$&')}%`))
  const from = `FROM document d JOIN block b ON b.n = d.n WHERE ${CHOOSABLE}`
  const others = [`${from} AND b.id NOT IN (SELECT value FROM json_each(?))`, ...has].join(' AND ')
  const first = tx
    .sql<DocumentChoice>(
      `SELECT b.id, b.text AS title ${from} AND b.id IN (SELECT value FROM json_each(?)) ORDER BY b.n`,
    )
    .all(ids)
  const rest = tx
    .sql<DocumentChoice>(`SELECT b.id, b.text AS title ${others} ORDER BY d.modified_at DESC, d.n DESC LIMIT ?`)
    .all(ids, ...like, limit)
  const count = tx
    .sql<number>(`SELECT count(*) ${others}`)
    .pluck()
    .get(ids, ...like) as number
  return { documents: [...first, ...rest], more: count - rest.length }
}

/**
 * The numbers of the documents of a filter, the inbox and the logbook among them.
 *
 * @param inOrder  whether those last changed come first: when they changed is read of each document then, and without it
 *   often an index alone
 */
export async function documentNumbers(tx: Transaction, filter: DocumentFilter, inOrder: boolean): Promise<number[]> {
  const all = tx.orm
    .select({ n: document.n })
    .from(document)
    .where(and(...conditions(narrowFilter(tx, filter), true)))
  const order = inOrder ? [desc(document.modifiedAt), desc(document.n)] : [asc(document.n)]
  return all
    .orderBy(...order)
    .all()
    .map(({ n }) => n)
}

/** How many documents of a filter come after the number `after`, counted up to `most`. */
export async function countDocuments(
  tx: Transaction,
  filter: DocumentFilter,
  after: number,
  most: number,
): Promise<number> {
  const counted = tx.orm
    .select({ n: document.n })
    .from(document)
    .where(and(...conditions(narrowFilter(tx, filter)), gt(document.n, after)))
    .orderBy(asc(document.n))
    .limit(most)
    .as('counted')
  return tx.orm.select({ count: sql<number>`count(*)` }).from(counted).get()?.count ?? 0
}

/** Documents within one bound of a filter that are looked up by an index; if there are more, they are met soon. */
const MAX_NARROWED = 2_000

/** The index of each column that a filter bounds. Names of ours, never a caller's. */
const BOUNDS = [
  { column: 'created_at', index: 'document_created', from: 'createdFrom', to: 'createdTo' },
  { column: 'modified_at', index: 'document_modified', from: 'modifiedFrom', to: 'modifiedTo' },
  { column: 'daily_note_date', index: 'document_daily_note', from: 'dailyNoteFrom', to: 'dailyNoteTo' },
] as const

/**
 * The same filter, naming its documents where one of its bounds leaves few of them. A listing goes through documents in
 * the order they were made, and would look at every document of the space when dates leave none or only the last.
 */
function narrowFilter(tx: Transaction, filter: DocumentFilter): DocumentFilter {
  // Few enough already.
  if (filter.documents !== undefined) return filter
  for (const { column, index, from, to } of BOUNDS) {
    const [least, most] = [filter[from], filter[to]]
    if (least === undefined && most === undefined) continue
    const bounds = [least === undefined ? '' : `AND ${column} >= ?`, most === undefined ? '' : `AND ${column} <= ?`]
    const find = tx.sql<number>(
      `SELECT n FROM document INDEXED BY ${index} WHERE ${column} IS NOT NULL ${bounds.join(' ')} LIMIT ${MAX_NARROWED + 1}`,
    )
    const documents = find.pluck().all(...[least, most].filter((bound) => bound !== undefined))
    if (documents.length <= MAX_NARROWED) return { ...filter, documents }
  }
  return filter
}

function conditions(filter: DocumentFilter, kept = false): SQL[] {
  const all: (SQL | undefined)[] = [
    kept ? undefined : notInArray(document.location, [...SYSTEM_DOCUMENTS]),
    filter.location && eq(document.location, filter.location),
    // Nothing new, but with it the index of places has the documents of a location in the order they were made.
    filter.location && filter.location !== 'folder' ? isNull(document.folder) : undefined,
    filter.locations && inArray(document.location, [...filter.locations]),
    filter.notIn && ne(document.location, filter.notIn),
    filter.except && notInArray(document.n, among(filter.except)),
    // Nothing new either, but the index of places has both, and so the documents themselves are not read.
    filter.folders && eq(document.location, 'folder'),
    filter.folders && inArray(document.folder, among(filter.folders)),
    filter.documents && inArray(document.n, among(filter.documents)),
    ...between(document.createdAt, filter.createdFrom, filter.createdTo),
    ...between(document.modifiedAt, filter.modifiedFrom, filter.modifiedTo),
    ...between(document.dailyNoteDate, filter.dailyNoteFrom, filter.dailyNoteTo),
    // A daily note in the trash keeps its date but is none until it is restored.
    filter.dailyNoteFrom || filter.dailyNoteTo ? ne(document.location, 'trash') : undefined,
  ]
  return all.filter((condition) => condition !== undefined)
}

const among = (ns: readonly number[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(ns)}))`

function between<T extends string | number>(
  column: typeof document.createdAt | typeof document.modifiedAt | typeof document.dailyNoteDate,
  from: T | undefined,
  to: T | undefined,
): (SQL | undefined)[] {
  return [from === undefined ? undefined : gte(column, from), to === undefined ? undefined : lte(column, to)]
}

/** How many documents there are in each location. Those of each folder stand in its row. */
export async function documentsByLocation(tx: Transaction): Promise<Map<Location, number>> {
  const counts = tx.sql<[Location, number]>('SELECT location, documents FROM location_count')
  return new Map(counts.raw().all())
}

const insertion = query((orm) =>
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
  insertion(tx).run(row)
  await markListingChanged(tx)
}

/** Where a document is kept. */
export type DocumentPlace = Pick<DocumentRow, 'location' | 'folder' | 'dailyNoteDate'>

export async function setDocumentPlace(tx: Transaction, n: number, place: DocumentPlace): Promise<void> {
  tx.orm
    .update(document)
    .set({ ...place, trashedAt: null })
    .where(eq(document.n, n))
    .run()
  // Into the trash and out of it, among other places.
  await markListingChanged(tx)
}

/** Put a document in the trash; one that is there stays as it is. */
export async function trashDocument(tx: Transaction, n: number, now: number): Promise<void> {
  tx.sql(
    "UPDATE document SET location = 'trash', folder = NULL, trashed_at = ? WHERE n = CAST(? AS INTEGER) AND location <> 'trash'",
  ).run(now, n)
  await markListingChanged(tx)
}

/** The numbers of the documents that were thrown away before a time, milliseconds since 1970, the first first. */
export async function trashedBefore(tx: Transaction, time: number): Promise<number[]> {
  return tx
    .sql<number>("SELECT n FROM document WHERE location = 'trash' AND trashed_at < ? ORDER BY n")
    .pluck()
    .all(time)
}

/** Delete the row that makes a block a document; the block itself stays. */
export async function deleteDocumentRow(tx: Transaction, n: number): Promise<void> {
  tx.sql('DELETE FROM document WHERE n = CAST(? AS INTEGER)').run(n)
  await markListingChanged(tx)
}

/** Records that something in a document changed. @returns whether there is such a document */
export async function touchDocument(tx: Transaction, n: number, now: number): Promise<boolean> {
  const touch = tx.sql(
    `UPDATE document SET modified_at = max(modified_at, ?), revision = revision + 1, change_number = ${CHANGE_NUMBER}
     WHERE n = ?`,
  )
  return touch.run(now, n).changes > 0
}

/**
 * Put documents of a folder somewhere else, at most so many.
 *
 * @returns how many there were
 */
export async function moveFolderDocuments(
  tx: Transaction,
  from: number,
  to: number | null,
  most: number,
): Promise<number> {
  const move = tx.sql(
    `UPDATE document SET location = ?, folder = ?
     WHERE n IN (SELECT n FROM document WHERE folder = CAST(? AS INTEGER) LIMIT CAST(? AS INTEGER))`,
  )
  return move.run(to === null ? 'unsorted' : 'folder', to, from, most).changes
}
