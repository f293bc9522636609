/** Queries on the names of what calls changed. */
import { sql } from 'drizzle-orm'
import type { BlockRow } from './schema.ts'
import { jsonList, listOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** What a block is, and where. `title` is its text if it is known by that: a page, row, collection or task. */
export type NamedBlock = Pick<BlockRow, 'n' | 'id' | 'document' | 'parent' | 'type' | 'listStyle'> & {
  title: string | null
}

const NAMED_BLOCKS = statement<NamedBlock>(
  (dialect) => sql`SELECT n, id, document, parent, type, list_style AS "listStyle",
      CASE WHEN type IN ('page', 'collectionItem', 'collection') OR list_style = 'task' THEN text END AS title
    FROM block WHERE n IN ${listOf(dialect, 'ns', 'integer')} ORDER BY n`,
)

/** The existing blocks among these numbers. */
export const namedBlocks = (tx: Transaction, ns: readonly number[]): Promise<NamedBlock[]> =>
  tx.all(NAMED_BLOCKS, { ns: jsonList(ns) })
