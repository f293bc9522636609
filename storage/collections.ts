/** Collections: the rows beside their blocks. */
import { query, type Transaction } from './connection.ts'
import { eq, sql } from './drizzle.ts'
import { type CollectionRow, collection } from './schema.ts'

const byNumber = query((orm) =>
  orm
    .select()
    .from(collection)
    .where(eq(collection.n, sql.placeholder('n')))
    .prepare(),
)

/** The collection that the block of this number is. */
export async function collectionByNumber(tx: Transaction, n: number): Promise<CollectionRow | undefined> {
  return byNumber(tx).get({ n })
}

export async function insertCollection(tx: Transaction, row: CollectionRow): Promise<void> {
  tx.orm.insert(collection).values(row).run()
}

/** Name the column of titles. */
export async function setTitleName(tx: Transaction, n: number, titleName: string): Promise<void> {
  tx.orm.update(collection).set({ titleName }).where(eq(collection.n, n)).run()
}

/** What a listing may ask for; all that is given must hold. Bounds are inclusive. */
export interface CollectionFilter {
  /** Documents by number; those in the trash only when they are named here. */
  documents?: readonly number[]
  /** Documents by number whose collections are left out. */
  except?: readonly number[]
  dailyNoteFrom?: string
  dailyNoteTo?: string
  /** Whether in daily notes alone. */
  inDailyNotes?: boolean
}

/** The block of a collection, with what the document says that it stands in. */
export interface CollectionPlace {
  n: number
  documentId: string
  dailyNoteDate: string | null
}

const LISTED = `FROM collection CROSS JOIN block ON block.n = collection.n CROSS JOIN document ON document.n = block.document
  CROSS JOIN block AS root ON root.n = document.n
  WHERE collection.n > $after
    AND CASE WHEN $documents IS NULL THEN document.location <> 'trash'
      ELSE document.n IN (SELECT value FROM json_each($documents)) END
    AND document.n NOT IN (SELECT value FROM json_each($except))
    AND (NOT $inDailyNotes OR document.location = 'daily_notes')
    AND ($from IS NULL OR document.daily_note_date >= $from)
    AND ($to IS NULL OR document.daily_note_date <= $to)`

const asked = (filter: CollectionFilter, after: number) => ({
  after,
  documents: filter.documents === undefined ? null : JSON.stringify(filter.documents),
  except: JSON.stringify(filter.except ?? []),
  inDailyNotes: filter.inDailyNotes ? 1 : 0,
  from: filter.dailyNoteFrom ?? null,
  to: filter.dailyNoteTo ?? null,
})

/** Collections in the order they were made, those after the number `after`, at most `limit`. */
export async function listCollections(
  tx: Transaction,
  filter: CollectionFilter,
  after: number,
  limit: number,
): Promise<CollectionPlace[]> {
  const list = tx.sql<CollectionPlace>(
    `SELECT collection.n, root.id AS documentId, document.daily_note_date AS dailyNoteDate ${LISTED}
     ORDER BY collection.n LIMIT $limit`,
  )
  return list.all({ ...asked(filter, after), limit })
}

export async function countCollections(tx: Transaction, filter: CollectionFilter, after: number): Promise<number> {
  return tx.sql<{ count: number }>(`SELECT count(*) AS count ${LISTED}`).get(asked(filter, after))?.count ?? 0
}
