/** Queries on views of collections. */

import { sql } from 'drizzle-orm'
import { type ViewRow, view } from './schema.ts'
import { columnsOf, insertInto, integer, jsonList, listOf, param, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const OF_COLLECTIONS = statement<ViewRow>(
  (dialect) => sql`${selectFrom(view)} WHERE collection IN ${listOf(dialect, 'collections', 'integer')}
    ORDER BY collection, position, n`,
)

/** The views of these collections, in the order of each. */
export function collectionViews(tx: Transaction, ...collections: readonly number[]): Promise<ViewRow[]> {
  return tx.all(OF_COLLECTIONS, { collections: jsonList(collections) })
}

const BY_IDS = statement<ViewRow>(
  (dialect) => sql`${selectFrom(view)} WHERE id IN ${listOf(dialect, 'ids', 'integer')} ORDER BY n`,
)

export function viewsByIds(tx: Transaction, ids: readonly number[]): Promise<ViewRow[]> {
  return tx.all(BY_IDS, { ids: jsonList(ids) })
}

const INSERT = insertInto(
  view,
  ['id', 'collection', 'position', 'name', 'type', 'settings'],
  () => sql`RETURNING ${columnsOf(view)}`,
)

export async function insertView(tx: Transaction, row: Omit<ViewRow, 'n'>): Promise<ViewRow> {
  return (await tx.get(INSERT, row)) as ViewRow
}

const UPDATE = statement(
  () => sql`UPDATE view SET name = ${param('name')}, type = ${param('type')}, settings = ${param('settings')}
    WHERE n = ${integer('n')}`,
)

/** Updates a view's name, type and settings. Its position does not change. */
export async function updateView(tx: Transaction, row: ViewRow): Promise<void> {
  await tx.run(UPDATE, row)
}

const DELETE = statement(() => sql`DELETE FROM view WHERE n = ${integer('n')}`)

export async function deleteView(tx: Transaction, n: number): Promise<void> {
  await tx.run(DELETE, { n })
}

const SET_ACTIVE = statement(
  () => sql`UPDATE collection SET active_view = ${param('view')} WHERE n = ${integer('collection')}`,
)

/** Sets the active view of a collection. */
export async function setActiveView(tx: Transaction, collection: number, view: number): Promise<void> {
  await tx.run(SET_ACTIVE, { collection, view })
}
