/** Queries on the full-text index. */
import type { Transaction } from '../sqlite/connection.ts'

/** A rowid combines the number of a document (upper bits) and of a block (lower bits). Both fit into its 63 bits. */
const BLOCK_NUMBER_BITS = 31
const BLOCK_NUMBER_MASK = 2 ** BLOCK_NUMBER_BITS - 1
/**
 * The highest number of a block, and so of a document. A higher one would collide with another in the index. Numbers
 * are never reused, so this bounds the blocks created in the life of a space: 1,000 a second for 24 days.
 */
export const MAX_BLOCK_NUMBER = BLOCK_NUMBER_MASK
/** The rowid of a document and a block. */
export const ROWID_SQL = `(CAST(? AS INTEGER) << ${BLOCK_NUMBER_BITS} | CAST(? AS INTEGER))`

/** A match: the number of its document, and of its block. */
export type HitPlace = [document: number, n: number]

/**
 * Blocks that match an FTS5 query: at most `limit`, newest documents first, after a given place if any (by document,
 * then number, both descending). The query is never raw user input: it consists of quoted words and operators.
 */
export async function findHits(
  tx: Transaction,
  query: string,
  before: HitPlace | undefined,
  limit: number,
): Promise<HitPlace[]> {
  const [document, n] = before ?? [BLOCK_NUMBER_MASK + 1, 0]
  const find = tx.sql<HitPlace>(
    `SELECT rowid >> ${BLOCK_NUMBER_BITS}, rowid & ${BLOCK_NUMBER_MASK} FROM search
     WHERE search MATCH ? AND rowid < ${ROWID_SQL} ORDER BY rowid DESC LIMIT CAST(? AS INTEGER)`,
  )
  return find.raw().all(query, document, n, limit)
}

/**
 * The blocks of one document that match a query: at most `limit`, by ascending number. In this order FTS5 seeks
 * directly to the document. In the other it scans a whole page of the index, which takes ten times as long.
 */
export async function documentHits(tx: Transaction, query: string, document: number, limit: number): Promise<number[]> {
  const find = tx.sql<number>(
    `SELECT rowid & ${BLOCK_NUMBER_MASK} FROM search WHERE search MATCH ? AND rowid >= CAST(? AS INTEGER) << ${BLOCK_NUMBER_BITS}
       AND rowid < CAST(? AS INTEGER) << ${BLOCK_NUMBER_BITS} ORDER BY rowid LIMIT CAST(? AS INTEGER)`,
  )
  return find.pluck().all(query, document, document + 1, limit)
}

const FROM_DOCUMENT_RANGE = `FROM search WHERE search MATCH ? AND rowid >= CAST(? AS INTEGER) << ${BLOCK_NUMBER_BITS}
  AND rowid < CAST(? AS INTEGER) << ${BLOCK_NUMBER_BITS}`
const AND_IN_DOCUMENTS = `AND rowid >> ${BLOCK_NUMBER_BITS} IN (SELECT value FROM json_each(?))`

/**
 * The documents with matching blocks in a half-open range of document numbers, ascending, one entry per block. FTS5
 * scans matches several times faster than it returns them.
 *
 * @param documents  restricts the result to these documents
 */
export async function documentsWithHits(
  tx: Transaction,
  query: string,
  from: number,
  to: number,
  documents?: readonly number[],
): Promise<number[]> {
  const parameters = documents === undefined ? [] : [JSON.stringify(documents)]
  const find = tx.sql<number>(
    `SELECT rowid >> ${BLOCK_NUMBER_BITS} ${FROM_DOCUMENT_RANGE} ${documents === undefined ? '' : AND_IN_DOCUMENTS} ORDER BY rowid`,
  )
  return find.pluck().all(query, from, to, ...parameters)
}

/** Like {@link documentsWithHits}, with the number of each block. */
export async function hitsInDocuments(
  tx: Transaction,
  query: string,
  from: number,
  to: number,
  documents: readonly number[],
): Promise<HitPlace[]> {
  const find = tx.sql<HitPlace>(
    `SELECT rowid >> ${BLOCK_NUMBER_BITS}, rowid & ${BLOCK_NUMBER_MASK} ${FROM_DOCUMENT_RANGE} ${AND_IN_DOCUMENTS} ORDER BY rowid`,
  )
  return find.raw().all(query, from, to, JSON.stringify(documents))
}

/** A document as shown in search answers. `title` is inline Markdown. */
export interface DocumentSummary {
  n: number
  id: string
  title: string
  location: string
  dailyNoteDate: string | null
  modifiedAt: number
}

/** The documents with these numbers, in no particular order. */
export async function documentSummaries(tx: Transaction, ns: readonly number[]): Promise<DocumentSummary[]> {
  const find = tx.sql<DocumentSummary>(
    `SELECT document.n, block.id, block.text AS title, location, daily_note_date AS dailyNoteDate,
       document.modified_at AS modifiedAt
     FROM json_each(?) AS one CROSS JOIN document ON document.n = one.value CROSS JOIN block ON block.n = document.n`,
  )
  return find.all(JSON.stringify(ns))
}

/** Times of the last change of these documents, by number. */
export async function documentModifiedTimes(tx: Transaction, ns: readonly number[]): Promise<Map<number, number>> {
  const find = tx.sql<[number, number]>(
    'SELECT n, modified_at FROM document WHERE n IN (SELECT value FROM json_each(?))',
  )
  return new Map(find.raw().all(JSON.stringify(ns)))
}

/**
 * The numbers of the documents in a location. Plain SQL, since building the statement with drizzle took longer than
 * running it.
 */
export async function documentsInLocation(tx: Transaction, location: string): Promise<number[]> {
  return tx.sql<number>('SELECT n FROM document WHERE location = ?').pluck().all(location)
}

/** The number of documents outside a location, including the inbox and the logbook. */
export async function countDocumentsOutside(tx: Transaction, location: string): Promise<number> {
  const count = tx.sql<number>('SELECT sum(documents) FROM location_count WHERE location <> ?')
  return count.pluck().get(location) ?? 0
}
