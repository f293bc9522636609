/** Queries on views of collections. */

import { asc, eq, sql } from 'drizzle-orm'
import { type ViewRow, view } from './schema.ts'
import { query, type Transaction } from './sqlite/connection.ts'

const viewsQuery = query((orm) =>
  orm
    .select()
    .from(view)
    .where(eq(view.collection, sql.placeholder('collection')))
    .orderBy(asc(view.position), asc(view.n))
    .prepare(),
)

/** The views of a collection, in order. */
export async function collectionViews(tx: Transaction, collection: number): Promise<ViewRow[]> {
  return viewsQuery(tx).all({ collection })
}

export async function insertView(tx: Transaction, row: Omit<ViewRow, 'n'>): Promise<ViewRow> {
  return tx.orm.insert(view).values(row).returning().get()
}

/** Updates a view's name, type and settings. Its position does not change. */
export async function updateView(tx: Transaction, { n, name, type, settings }: ViewRow): Promise<void> {
  tx.orm.update(view).set({ name, type, settings }).where(eq(view.n, n)).run()
}

export async function deleteView(tx: Transaction, n: number): Promise<void> {
  tx.orm.delete(view).where(eq(view.n, n)).run()
}

/** Sets the active view of a collection. */
export async function setActiveView(tx: Transaction, collection: number, view: number): Promise<void> {
  tx.sql('UPDATE collection SET active_view = ? WHERE n = ?').run(view, collection)
}
