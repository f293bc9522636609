/** Queries on the pages that documents, and pages within them, contain. */
import { sql } from 'drizzle-orm'
import type { BlockRow } from './schema.ts'
import { integer, jsonList, rowsOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A document or page, and how many pages are directly within it. */
export type PageRow = Pick<BlockRow, 'n' | 'id' | 'document' | 'parent' | 'text'> & { pages: number }

/** The condition of their index. */
const isNested = (page: string) => sql.raw(`${page}.type = 'page' AND ${page}.parent IS NOT NULL`)
const COLUMNS = sql`page.n, page.id, page.document, page.parent, page.text,
  (SELECT count(*) FROM block AS inside WHERE inside.parent = page.n AND ${isNested('inside')}) AS pages`

const PAGES = statement<PageRow>(
  (dialect) => sql`SELECT ${COLUMNS} FROM ${rowsOf(dialect, 'ids', 'integer')} AS one
    ${dialect.thenLookUp('block', 'page', sql`page.id = one.value AND page.type = 'page'`)} ORDER BY page.n`,
)

/** The documents and pages with these IDs. They may be out of reach. */
export const pagesByIds = (tx: Transaction, ids: readonly number[]): Promise<PageRow[]> =>
  tx.all(PAGES, { ids: jsonList(ids) })

const PAGES_IN = statement<PageRow>(
  // Texts are read, and pages counted, only of those that are listed.
  (dialect) => sql`SELECT ${COLUMNS} FROM (
      SELECT nested.n, row_number() OVER (PARTITION BY nested.parent ORDER BY nested.position, nested.n) AS place
      FROM ${rowsOf(dialect, 'parents', 'integer')} AS one
        ${dialect.thenLookUp('block', 'nested', sql`nested.parent = one.value AND ${isNested('nested')}`)}
    ) AS ranked ${dialect.thenLookUp('block', 'page', sql`page.n = ranked.n`)}
    WHERE ranked.place <= ${integer('limit')} ORDER BY page.parent, page.position, page.n`,
)

/**
 * The first `limit` pages directly within each of these documents and pages, siblings in order.
 *
 * @param parents  numbers
 */
export const pagesIn = (tx: Transaction, parents: readonly number[], limit: number): Promise<PageRow[]> =>
  tx.all(PAGES_IN, { parents: jsonList(parents), limit })

const PAGES_AROUND = statement<PageRow>(
  (dialect) => sql`WITH RECURSIVE up (n, parent, distance) AS (
      SELECT n, parent, 0 FROM block WHERE id = ${integer('id')}
      UNION ALL
      SELECT above.n, above.parent, up.distance + 1
      FROM up ${dialect.thenLookUp('block', 'above', sql`above.n = up.parent AND up.distance < ${integer('levels')}`)}
    ) SELECT ${COLUMNS} FROM up ${dialect.thenLookUp('block', 'page', sql`page.n = up.n AND page.type = 'page'`)}
      ORDER BY up.distance`,
)

/**
 * A page, and the pages and the document that contain it, the page itself first. It may be out of reach.
 *
 * @param levels  how many levels of blocks above it are looked at
 */
export const pagesAround = (tx: Transaction, id: number, levels: number): Promise<PageRow[]> =>
  tx.all(PAGES_AROUND, { id, levels })
