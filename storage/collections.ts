/** Queries on collections: the rows that extend the blocks of type `collection`. */

import { type SQL, sql } from 'drizzle-orm'
import { type CollectionRow, collection } from './schema.ts'
import {
  type Dialect,
  insertInto,
  integer,
  integerValue,
  jsonList,
  listOf,
  listOfValues,
  param,
  selectFrom,
  statement,
} from './statement.ts'
import type { Transaction } from './transaction.ts'

const BY_NUMBER = statement<CollectionRow>(() => sql`${selectFrom(collection)} WHERE n = ${integer('n')}`)

/** The collection whose block has this number. */
export function collectionByNumber(tx: Transaction, n: number): Promise<CollectionRow | undefined> {
  return tx.get(BY_NUMBER, { n })
}

const BY_NUMBERS = statement<CollectionRow>(
  (dialect) => sql`${selectFrom(collection)} WHERE n IN ${listOf(dialect, 'ns', 'integer')} ORDER BY n`,
)

/** The collections whose blocks have these numbers, oldest first. */
export function collectionsByNumbers(tx: Transaction, ns: readonly number[]): Promise<CollectionRow[]> {
  return tx.all(BY_NUMBERS, { ns: jsonList(ns) })
}

const INSERT = insertInto(collection)

export async function insertCollection(tx: Transaction, row: CollectionRow): Promise<void> {
  await tx.run(INSERT, row)
}

const SET_TITLE_NAME = statement(
  () => sql`UPDATE collection SET title_name = ${param('titleName')} WHERE n = ${integer('n')}`,
)

/** Sets the name of the title column. */
export async function setTitleName(tx: Transaction, n: number, titleName: string): Promise<void> {
  await tx.run(SET_TITLE_NAME, { n, titleName })
}

/** Filters of a listing. A collection must match all of them. Bounds are inclusive. */
export interface CollectionFilter {
  /** Documents by number. Those in the trash are listed only if they are named here. */
  documents?: readonly number[]
  /** Documents by number whose collections are excluded. */
  except?: readonly number[]
  dailyNoteFrom?: string
  dailyNoteTo?: string
  /** True for daily notes only. */
  inDailyNotes?: boolean
}

/** The block of a collection, with the ID and date of its document. */
export interface CollectionPlace {
  n: number
  documentId: number
  dailyNoteDate: string | null
}

/** The FROM and WHERE clauses, with the join order that fits the filter: for a few documents, start from those. */
function listSource(
  dialect: Dialect,
  { documents, except, inDailyNotes, dailyNoteFrom, dailyNoteTo }: CollectionFilter,
  after: number,
): SQL {
  // With dates or documents, the index of that condition leaves fewer documents than the location index does. Appending
  // an empty string to the location keeps the engine from using the location index.
  const isBounded = documents !== undefined || dailyNoteFrom !== undefined || dailyNoteTo !== undefined
  const location = sql.raw(isBounded ? "(document.location || '')" : 'document.location')
  const conditions = [
    sql`block.n > ${integerValue(after)}`,
    documents && sql`document.n IN ${listOfValues(dialect, documents, 'integer')}`,
    except && sql`document.n NOT IN ${listOfValues(dialect, except, 'integer')}`,
    inDailyNotes ? sql`${location} = 'daily_notes'` : undefined,
    documents === undefined && !inDailyNotes ? sql`document.location <> 'trash'` : undefined,
    dailyNoteFrom ? sql`document.daily_note_date >= ${dailyNoteFrom}` : undefined,
    dailyNoteTo ? sql`document.daily_note_date <= ${dailyNoteTo}` : undefined,
  ]
  const { thenJoin } = dialect
  const from =
    documents !== undefined || inDailyNotes
      ? sql`document ${thenJoin} block ${dialect.indexedBy('block_collection')}
          ON block.document = document.n AND block.type = 'collection'`
      : sql`collection ${thenJoin} block ON block.n = collection.n ${thenJoin} document ON document.n = block.document`
  return sql`FROM ${from} WHERE ${sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` AND `,
  )}`
}

/** At most `limit` collections after the number `after`, oldest first. */
export function listCollections(
  tx: Transaction,
  filter: CollectionFilter,
  after: number,
  limit: number,
): Promise<CollectionPlace[]> {
  const list = statement<CollectionPlace>(
    (dialect) => sql`SELECT chosen.n, root.id AS "documentId", document.daily_note_date AS "dailyNoteDate"
      FROM (SELECT block.n, document.n AS document ${listSource(dialect, filter, after)}
        ORDER BY block.n LIMIT ${integerValue(limit)}) AS chosen
      ${dialect.thenJoin} document ON document.n = chosen.document
      ${dialect.thenJoin} block AS root ON root.n = chosen.document
      ORDER BY chosen.n`,
  )
  return tx.all(list)
}

/** Counts the collections of a filter after the number `after`, up to `max`. */
export async function countCollections(
  tx: Transaction,
  filter: CollectionFilter,
  after: number,
  max: number,
): Promise<number> {
  const count = statement<{ count: number }>(
    (dialect) => sql`SELECT count(*) AS count
      FROM (SELECT 1 ${listSource(dialect, filter, after)} LIMIT ${integerValue(max)}) AS counted`,
  )
  return (await tx.get(count))?.count ?? 0
}
