/** Folders: a forest by `parent`. */

import type { Transaction } from './connection.ts'
import { asc, eq } from './drizzle.ts'
import { type FolderRow, folder } from './schema.ts'

export async function folderById(tx: Transaction, id: string): Promise<FolderRow | undefined> {
  return tx.orm.select().from(folder).where(eq(folder.id, id)).get()
}

/** All folders, in the order they were made. */
export async function allFolders(tx: Transaction): Promise<FolderRow[]> {
  return tx.orm.select().from(folder).orderBy(asc(folder.n)).all()
}

/** The numbers of a folder and of all folders below it. */
export async function folderSubtree(tx: Transaction, n: number): Promise<number[]> {
  const walk = tx.sql<{ n: number }>(
    `WITH RECURSIVE tree (n) AS (
       SELECT CAST(? AS INTEGER)
       UNION ALL
       SELECT child.n FROM tree CROSS JOIN folder AS child WHERE child.parent = tree.n
     ) SELECT n FROM tree`,
  )
  return walk.all(n).map((row) => row.n)
}

export async function insertFolder(tx: Transaction, row: Omit<FolderRow, 'n'>): Promise<FolderRow> {
  return tx.orm.insert(folder).values(row).returning().get()
}

export async function setFolderParent(tx: Transaction, n: number, parent: number | null): Promise<void> {
  tx.orm.update(folder).set({ parent }).where(eq(folder.n, n)).run()
}

/** Put the folders in a folder somewhere else. */
export async function moveSubfolders(tx: Transaction, from: number, to: number | null): Promise<void> {
  tx.orm.update(folder).set({ parent: to }).where(eq(folder.parent, from)).run()
}

/** Delete a folder that holds nothing. */
export async function deleteFolder(tx: Transaction, n: number): Promise<void> {
  tx.orm.delete(folder).where(eq(folder.n, n)).run()
}
