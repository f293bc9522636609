/** Queries on folders, a forest by `parent`. */

import { asc, eq } from 'drizzle-orm'
import { type FolderRow, folder } from './schema.ts'
import type { Transaction } from './sqlite/connection.ts'

export async function folderById(tx: Transaction, id: string): Promise<FolderRow | undefined> {
  return tx.orm.select().from(folder).where(eq(folder.id, id)).get()
}

/** All folders, oldest first. */
export async function listFolderRows(tx: Transaction): Promise<FolderRow[]> {
  return tx.orm.select().from(folder).orderBy(asc(folder.n)).all()
}

/** A folder and its depth below another. */
export interface FolderDescendant {
  n: number
  depth: number
}

/** A folder, at depth 0, and all its descendants, in no particular order. */
export async function folderSubtree(tx: Transaction, n: number): Promise<FolderDescendant[]> {
  const walk = tx.sql<FolderDescendant>(
    `WITH RECURSIVE tree (n, depth) AS (
       SELECT CAST(? AS INTEGER), 0
       UNION ALL
       SELECT child.n, tree.depth + 1 FROM tree CROSS JOIN folder AS child WHERE child.parent = tree.n
     ) SELECT n, depth FROM tree`,
  )
  return walk.all(n)
}

/** The level of a folder: 1 at the top. */
export async function folderLevel(tx: Transaction, n: number): Promise<number> {
  const walk = tx.sql<{ level: number }>(
    `WITH RECURSIVE around (n) AS (
       SELECT CAST(? AS INTEGER)
       UNION ALL
       SELECT folder.parent FROM around CROSS JOIN folder ON folder.n = around.n WHERE folder.parent IS NOT NULL
     ) SELECT count(*) AS level FROM around`,
  )
  return walk.get(n)?.level ?? 0
}

export async function insertFolder(tx: Transaction, row: Omit<FolderRow, 'n' | 'documentCount'>): Promise<FolderRow> {
  return tx.orm.insert(folder).values(row).returning().get()
}

export async function setFolderParent(tx: Transaction, n: number, parent: number | null): Promise<void> {
  tx.orm.update(folder).set({ parent }).where(eq(folder.n, n)).run()
}

/** Moves the subfolders of a folder to another parent. */
export async function moveSubfolders(tx: Transaction, from: number, to: number | null): Promise<void> {
  tx.orm.update(folder).set({ parent: to }).where(eq(folder.parent, from)).run()
}

/** Deletes an empty folder. */
export async function deleteFolder(tx: Transaction, n: number): Promise<void> {
  tx.orm.delete(folder).where(eq(folder.n, n)).run()
}
