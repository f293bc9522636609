/** Queries on collections, the rows that accompany their blocks. */

import { eq, sql } from 'drizzle-orm'
import { type CollectionRow, collection } from './schema.ts'
import { query, type Transaction } from './sqlite/connection.ts'

const collectionByNumberQuery = query((orm) =>
  orm
    .select()
    .from(collection)
    .where(eq(collection.n, sql.placeholder('n')))
    .prepare(),
)

/** The collection whose block has this number. */
export async function collectionByNumber(tx: Transaction, n: number): Promise<CollectionRow | undefined> {
  return collectionByNumberQuery(tx).get({ n })
}

export async function insertCollection(tx: Transaction, row: CollectionRow): Promise<void> {
  tx.orm.insert(collection).values(row).run()
}

/** Sets the name of the title column. */
export async function setTitleName(tx: Transaction, n: number, titleName: string): Promise<void> {
  tx.orm.update(collection).set({ titleName }).where(eq(collection.n, n)).run()
}

/** Filters of a listing. An item must match all of them. Bounds are inclusive. */
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
  documentId: string
  dailyNoteDate: string | null
}

const FROM_ALL =
  'collection CROSS JOIN block ON block.n = collection.n CROSS JOIN document ON document.n = block.document'
const FROM_DOCUMENTS = `document CROSS JOIN block INDEXED BY block_collection
  ON block.document = document.n AND block.type = 'collection'`

/** The FROM and WHERE clauses, with the join order that fits the filter: for a few documents, start from those. */
function listSource({ documents, except, inDailyNotes, dailyNoteFrom, dailyNoteTo }: CollectionFilter): string {
  // The unary plus makes SQLite use the index of another condition, which leaves fewer documents.
  const isBounded = documents !== undefined || dailyNoteFrom !== undefined || dailyNoteTo !== undefined
  const conditions = [
    'block.n > $after',
    documents && 'document.n IN (SELECT value FROM json_each($documents))',
    except && 'document.n NOT IN (SELECT value FROM json_each($except))',
    inDailyNotes && `${isBounded ? '+' : ''}document.location = 'daily_notes'`,
    documents === undefined && !inDailyNotes && "document.location <> 'trash'",
    dailyNoteFrom && 'document.daily_note_date >= $firstDay',
    dailyNoteTo && 'document.daily_note_date <= $lastDay',
  ]
  return `FROM ${documents !== undefined || inDailyNotes ? FROM_DOCUMENTS : FROM_ALL}
    WHERE ${conditions.filter(Boolean).join(' AND ')}`
}

const filterParameters = ({ documents, except, dailyNoteFrom, dailyNoteTo }: CollectionFilter, after: number) => ({
  after,
  documents: JSON.stringify(documents ?? []),
  except: JSON.stringify(except ?? []),
  firstDay: dailyNoteFrom,
  lastDay: dailyNoteTo,
})

/** At most `limit` collections after the number `after`, oldest first. */
export async function listCollections(
  tx: Transaction,
  filter: CollectionFilter,
  after: number,
  limit: number,
): Promise<CollectionPlace[]> {
  const list = tx.sql<CollectionPlace>(
    `SELECT chosen.n, root.id AS documentId, document.daily_note_date AS dailyNoteDate
     FROM (SELECT block.n, document.n AS document ${listSource(filter)} ORDER BY block.n LIMIT $limit) AS chosen
     CROSS JOIN document ON document.n = chosen.document CROSS JOIN block AS root ON root.n = chosen.document
     ORDER BY chosen.n`,
  )
  return list.all({ ...filterParameters(filter, after), limit })
}

/** Counts the collections of a filter after the number `after`, up to `most`. */
export async function countCollections(
  tx: Transaction,
  filter: CollectionFilter,
  after: number,
  max: number,
): Promise<number> {
  const count = tx.sql<number>(`SELECT count(*) FROM (SELECT 1 ${listSource(filter)} LIMIT $most)`)
  return count.pluck().get({ ...filterParameters(filter, after), most: max }) ?? 0
}
