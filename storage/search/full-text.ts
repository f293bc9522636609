/** What the index of words finds, and what a search says of it. */
import type { Transaction } from '../sqlite/connection.ts'

/** Bits of the number of a block in a rowid; those above are its document's. Both fit into the 63 of a rowid. */
const BITS = 31
const LOW = 2 ** BITS - 1
/**
 * The highest number that a block, and so a document, can have: one above it would stand for another in the index.
 * Numbers are never used twice, so that this bounds the blocks that are made in the life of a space: 1,000 a second for
 * 24 days.
 */
export const LAST_NUMBER = LOW
/** The rowid of a document and a block. */
export const ROWID = `(CAST(? AS INTEGER) << ${BITS} | CAST(? AS INTEGER))`

/** Where a block stands that has a word: its document's number, and its own. */
export type HitPlace = [document: number, n: number]

/**
 * Blocks that a query of FTS5 finds, the newest documents first, at most `limit`, after a place if one is given (by
 * document, then number, both falling). The query is never a caller's text: words in quotes, and operators between them.
 */
export async function findHits(
  tx: Transaction,
  query: string,
  before: HitPlace | undefined,
  limit: number,
): Promise<HitPlace[]> {
  const [document, n] = before ?? [LOW + 1, 0]
  const find = tx.sql<HitPlace>(
    `SELECT rowid >> ${BITS}, rowid & ${LOW} FROM search
     WHERE search MATCH ? AND rowid < ${ROWID} ORDER BY rowid DESC LIMIT CAST(? AS INTEGER)`,
  )
  return find.raw().all(query, document, n, limit)
}

/**
 * The blocks of one document that a query finds, by their numbers, rising, at most `limit`. In this order FTS5 goes to
 * the document at once; in the other it goes through all of a page of the index, which takes ten times as long.
 */
export async function documentHits(tx: Transaction, query: string, document: number, limit: number): Promise<number[]> {
  const find = tx.sql<number>(
    `SELECT rowid & ${LOW} FROM search WHERE search MATCH ? AND rowid >= CAST(? AS INTEGER) << ${BITS}
       AND rowid < CAST(? AS INTEGER) << ${BITS} ORDER BY rowid LIMIT CAST(? AS INTEGER)`,
  )
  return find.pluck().all(query, document, document + 1, limit)
}

const IN_DOCUMENTS = `FROM search WHERE search MATCH ? AND rowid >= CAST(? AS INTEGER) << ${BITS}
  AND rowid < CAST(? AS INTEGER) << ${BITS}`
const AMONG = `AND rowid >> ${BITS} IN (SELECT value FROM json_each(?))`

/**
 * The documents in which a query finds blocks, once for each block, rising: those with numbers from one on and below
 * another. FTS5 goes through hits several times faster than they are handed over.
 *
 * @param among  numbers of documents, the only ones that matter
 */
export async function documentsWithHits(
  tx: Transaction,
  query: string,
  from: number,
  to: number,
  among?: readonly number[],
): Promise<number[]> {
  const chosen = among === undefined ? [] : [JSON.stringify(among)]
  const find = tx.sql<number>(
    `SELECT rowid >> ${BITS} ${IN_DOCUMENTS} ${among === undefined ? '' : AMONG} ORDER BY rowid`,
  )
  return find.pluck().all(query, from, to, ...chosen)
}

/** The same for all their blocks. */
export async function hitsAmong(
  tx: Transaction,
  query: string,
  from: number,
  to: number,
  among: readonly number[],
): Promise<HitPlace[]> {
  const find = tx.sql<HitPlace>(`SELECT rowid >> ${BITS}, rowid & ${LOW} ${IN_DOCUMENTS} ${AMONG} ORDER BY rowid`)
  return find.raw().all(query, from, to, JSON.stringify(among))
}

/** A document as answers of a search name it. `title` is inline Markdown. */
export interface FoundDocument {
  n: number
  id: string
  title: string
  location: string
  dailyNoteDate: string | null
  modifiedAt: number
}

/** The documents of these numbers, in no order. */
export async function foundDocuments(tx: Transaction, ns: readonly number[]): Promise<FoundDocument[]> {
  const find = tx.sql<FoundDocument>(
    `SELECT document.n, block.id, block.text AS title, location, daily_note_date AS dailyNoteDate,
       document.modified_at AS modifiedAt
     FROM json_each(?) AS one CROSS JOIN document ON document.n = one.value CROSS JOIN block ON block.n = document.n`,
  )
  return find.all(JSON.stringify(ns))
}

/** When these documents were last changed, by number. */
export async function changeTimes(tx: Transaction, ns: readonly number[]): Promise<Map<number, number>> {
  const find = tx.sql<[number, number]>(
    'SELECT n, modified_at FROM document WHERE n IN (SELECT value FROM json_each(?))',
  )
  return new Map(find.raw().all(JSON.stringify(ns)))
}

/** The numbers of the documents in a location. In plain SQL: to build the statement took longer than the reading. */
export async function documentsIn(tx: Transaction, location: string): Promise<number[]> {
  return tx.sql<number>('SELECT n FROM document WHERE location = ?').pluck().all(location)
}

/** How many documents there are outside of a location, inbox and logbook among them. */
export async function countDocumentsOutside(tx: Transaction, location: string): Promise<number> {
  const count = tx.sql<number>('SELECT sum(documents) FROM location_count WHERE location <> ?')
  return count.pluck().get(location) ?? 0
}
