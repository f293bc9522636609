/** Queries on documents: each has a root block and a location. */
import { sql } from 'drizzle-orm'
import { CHANGE_NUMBER, markListingChanged } from './changes.ts'
import { type DocumentRow, document, type Location, type SystemDocument } from './schema.ts'
import { columnsOf, insertInto, integer, jsonList, listOf, param, rowsOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A document with fields of its root block. `title` is inline Markdown. */
export interface DocumentRecord extends DocumentRow {
  id: number
  title: string
  folderId: number | null
  /** The name of the person who has locked it against changes by agents. */
  lockedBy: string | null
}

const SELECT_RECORDS = sql`SELECT ${columnsOf(document)}, block.id, block.text AS title, folder.id AS "folderId",
    (SELECT locked_by FROM document_lock WHERE document_lock.document = document.n) AS "lockedBy"
  FROM document INNER JOIN block ON block.n = document.n LEFT JOIN folder ON folder.n = document.folder`

const SYSTEM_DOCUMENT = statement<DocumentRecord>(
  () => sql`${SELECT_RECORDS} WHERE document.location = ${param('location')} ORDER BY document.n LIMIT 1`,
)

/** The inbox or the logbook; undefined until something was stored there. */
export function systemDocument(tx: Transaction, location: SystemDocument): Promise<DocumentRecord | undefined> {
  return tx.get(SYSTEM_DOCUMENT, { location })
}

const BY_NUMBER = statement<DocumentRow>(
  () => sql`SELECT ${columnsOf(document)} FROM document WHERE n = ${integer('n')}`,
)

export function documentByNumber(tx: Transaction, n: number): Promise<DocumentRow | undefined> {
  return tx.get(BY_NUMBER, { n })
}

const BY_NUMBERS = statement<DocumentRow>(
  (dialect) =>
    sql`SELECT ${columnsOf(document)} FROM document WHERE n IN ${listOf(dialect, 'ns', 'integer')} ORDER BY n`,
)

/** The documents with these numbers, oldest first. */
export function documentsByNumbers(tx: Transaction, ns: readonly number[]): Promise<DocumentRow[]> {
  return tx.all(BY_NUMBERS, { ns: jsonList(ns) })
}

const RECORDS = statement<DocumentRecord>(
  (dialect) => sql`${SELECT_RECORDS} WHERE document.n IN ${listOf(dialect, 'ns', 'integer')} ORDER BY document.n`,
)

/** Like {@link documentsByNumbers}, with fields of the root blocks and folders. */
export function documentRecords(tx: Transaction, ns: readonly number[]): Promise<DocumentRecord[]> {
  return tx.all(RECORDS, { ns: jsonList(ns) })
}

const BY_ID = statement<DocumentRecord>(() => sql`${SELECT_RECORDS} WHERE block.id = ${integer('id')}`)

/** A document by the ID of its root block; undefined for the ID of any other block. */
export function documentById(tx: Transaction, id: number): Promise<DocumentRecord | undefined> {
  return tx.get(BY_ID, { id })
}

const BY_IDS = statement<DocumentRecord>(
  (dialect) => sql`${SELECT_RECORDS} WHERE block.id IN ${listOf(dialect, 'ids', 'integer')} ORDER BY document.n`,
)

/** The existing documents among these IDs, oldest first. */
export function documentsByIds(tx: Transaction, ids: readonly number[]): Promise<DocumentRecord[]> {
  return tx.all(BY_IDS, { ids: jsonList(ids) })
}

const LATEST_DAILY_NOTE = statement<DocumentRecord>(
  () => sql`${SELECT_RECORDS} WHERE document.daily_note_date = ${param('date')} AND document.location = 'daily_notes'
    ORDER BY document.modified_at DESC, document.n DESC LIMIT 1`,
)

/** The daily note of a date; if there are several, the one changed last. */
export function latestDailyNote(tx: Transaction, date: string): Promise<DocumentRecord | undefined> {
  return tx.get(LATEST_DAILY_NOTE, { date })
}

const COUNTS = statement<{ location: Location; documents: number }>(
  () => sql`SELECT location, documents FROM location_count`,
)

/** The number of documents in each location. Counts per folder are in the folder's row. */
export async function documentsByLocation(tx: Transaction): Promise<Map<Location, number>> {
  return new Map((await tx.all(COUNTS)).map(({ location, documents }) => [location, documents]))
}

const COUNT_OUTSIDE = statement<{ count: number }>(
  () => sql`SELECT coalesce(sum(documents), 0) AS count FROM location_count WHERE location <> ${param('location')}`,
)

/** The number of documents outside a location, including the inbox and the logbook. */
export async function countDocumentsOutside(tx: Transaction, location: string): Promise<number> {
  return (await tx.get(COUNT_OUTSIDE, { location }))?.count ?? 0
}

const IN_LOCATION = statement<{ n: number }>(
  () => sql`SELECT n FROM document WHERE location = ${param('location')} ORDER BY n`,
)

/** The numbers of the documents in a location. */
export async function documentsInLocation(tx: Transaction, location: string): Promise<number[]> {
  return (await tx.all(IN_LOCATION, { location })).map(({ n }) => n)
}

/** A document as shown in search results. `title` is inline Markdown. */
export interface DocumentSummary {
  n: number
  id: number
  title: string
  location: string
  dailyNoteDate: string | null
  createdAt: number
  modifiedAt: number
}

const SUMMARIES = statement<DocumentSummary>(
  (dialect) => sql`SELECT document.n, block.id, block.text AS title, document.location,
      document.daily_note_date AS "dailyNoteDate", document.created_at AS "createdAt",
      document.modified_at AS "modifiedAt"
    FROM ${rowsOf(dialect, 'ns', 'integer')} AS one
      ${dialect.thenJoin} document ON document.n = one.value ${dialect.thenJoin} block ON block.n = document.n
    ORDER BY one.id`,
)

/** The documents with these numbers, in this order. */
export function documentSummaries(tx: Transaction, ns: readonly number[]): Promise<DocumentSummary[]> {
  return tx.all(SUMMARIES, { ns: jsonList(ns) })
}

const ALL_KEPT = statement<DocumentRecord>(
  () => sql`${SELECT_RECORDS} WHERE document.location <> 'trash' ORDER BY document.n`,
)

/** All documents outside of the trash, including the inbox and the logbook, oldest first. */
export function allDocuments(tx: Transaction): Promise<DocumentRecord[]> {
  return tx.all(ALL_KEPT)
}

const MODIFIED_TIMES = statement<{ n: number; modifiedAt: number }>(
  (dialect) =>
    sql`SELECT n, modified_at AS "modifiedAt" FROM document WHERE n IN ${listOf(dialect, 'ns', 'integer')} ORDER BY n`,
)

/** Times of the last change of these documents, by number. */
export async function documentModifiedTimes(tx: Transaction, ns: readonly number[]): Promise<Map<number, number>> {
  const times = await tx.all(MODIFIED_TIMES, { ns: jsonList(ns) })
  return new Map(times.map(({ n, modifiedAt }) => [n, modifiedAt]))
}

const INSERT = insertInto(
  document,
  ['n', 'location', 'folder', 'dailyNoteDate', 'createdAt', 'modifiedAt', 'revision', 'trashedAt'],
  undefined,
  [{ name: 'change_number', value: CHANGE_NUMBER }],
)

/** Inserts documents. Their root blocks have the same numbers. */
export async function insertDocuments(tx: Transaction, rows: readonly DocumentRow[]): Promise<void> {
  await tx.batch(INSERT, rows)
  await markListingChanged(tx)
}

const SET_TIMES = statement(
  () => sql`UPDATE document SET created_at = ${param('createdAt')}, modified_at = ${param('modifiedAt')}
    WHERE n = ${integer('n')}`,
)

/** Sets when an imported document was created and last changed at its source, in milliseconds since 1970. */
export async function setDocumentTimes(
  tx: Transaction,
  n: number,
  times: Pick<DocumentRow, 'createdAt' | 'modifiedAt'>,
): Promise<void> {
  await tx.run(SET_TIMES, { n, ...times })
}

/** The location of a document. */
export type DocumentPlace = Pick<DocumentRow, 'location' | 'folder' | 'dailyNoteDate'>

const SET_PLACE = statement(
  (dialect) => sql`UPDATE document SET location = ${param('location')}, folder = ${param('folder')},
      daily_note_date = ${param('dailyNoteDate')}, trashed_at = NULL WHERE n IN ${listOf(dialect, 'ns', 'integer')}`,
)

/** Sets the location of these documents. */
export async function setDocumentPlaces(tx: Transaction, ns: readonly number[], place: DocumentPlace): Promise<void> {
  await tx.run(SET_PLACE, { ...place, ns: jsonList(ns) })
  // The documents may have moved into the trash or out of it.
  await markListingChanged(tx)
}

const TRASH = statement(
  (dialect) => sql`UPDATE document SET location = 'trash', folder = NULL, trashed_at = ${param('now')}
    WHERE n IN ${listOf(dialect, 'ns', 'integer')} AND location <> 'trash'`,
)

/** Moves documents to the trash. No effect on those that are already there. */
export async function trashDocuments(tx: Transaction, ns: readonly number[], now: number): Promise<void> {
  await tx.run(TRASH, { ns: jsonList(ns), now })
  await markListingChanged(tx)
}

const TRASHED_BEFORE = statement<{ n: number }>(
  () => sql`SELECT n FROM document WHERE location = 'trash' AND trashed_at < ${param('time')} ORDER BY n`,
)

/** The numbers of documents moved to the trash before a time, in milliseconds since 1970, in ascending order. */
export async function documentsTrashedBefore(tx: Transaction, time: number): Promise<number[]> {
  return (await tx.all(TRASHED_BEFORE, { time })).map(({ n }) => n)
}

const DELETE = statement((dialect) => sql`DELETE FROM document WHERE n IN ${listOf(dialect, 'ns', 'integer')}`)

/** Deletes the rows that make blocks documents. The blocks themselves remain. */
export async function deleteDocumentRows(tx: Transaction, ns: readonly number[]): Promise<void> {
  await tx.run(DELETE, { ns: jsonList(ns) })
  await markListingChanged(tx)
}

/** A document that was changed, and the person who locked it against changes by agents, if one did. */
export interface TouchedDocument {
  n: number
  lockedBy: string | null
}

const TOUCH = statement<TouchedDocument>(
  (dialect) => sql`UPDATE document SET
      modified_at = CASE WHEN modified_at > ${integer('now')} THEN modified_at ELSE ${integer('now')} END,
      revision = revision + 1, change_number = ${CHANGE_NUMBER} WHERE n IN ${listOf(dialect, 'ns', 'integer')}
    RETURNING n, (SELECT locked_by FROM document_lock WHERE document_lock.document = document.n) AS "lockedBy"`,
)

/**
 * Records that something in these documents changed.
 *
 * @returns those documents that exist
 */
export function touchDocuments(tx: Transaction, ns: readonly number[], now: number): Promise<TouchedDocument[]> {
  return tx.all(TOUCH, { ns: jsonList(ns), now })
}
