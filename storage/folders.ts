/** Queries on folders, a forest by `parent`. */

import { sql } from 'drizzle-orm'
import { type FolderRow, folder } from './schema.ts'
import { columnsOf, insertInto, integer, param, selectFrom, statement, updateWhere } from './statement.ts'
import type { Transaction } from './transaction.ts'

const BY_ID = statement<FolderRow>(() => sql`${selectFrom(folder)} WHERE id = ${integer('id')}`)

export function folderById(tx: Transaction, id: number): Promise<FolderRow | undefined> {
  return tx.get(BY_ID, { id })
}

const ALL = statement<FolderRow>(() => sql`${selectFrom(folder)} ORDER BY n`)

/** All folders, oldest first. */
export function listFolderRows(tx: Transaction): Promise<FolderRow[]> {
  return tx.all(ALL)
}

/** A folder and its depth below another. */
export interface FolderDescendant {
  n: number
  depth: number
}

const SUBTREE = statement<FolderDescendant>(
  (dialect) => sql`WITH RECURSIVE tree (n, depth) AS (
      SELECT ${integer('n')}, 0
      UNION ALL
      SELECT child.n, tree.depth + 1 FROM tree ${dialect.thenJoin} folder AS child ON child.parent = tree.n
    ) SELECT n, depth FROM tree ORDER BY depth, n`,
)

/** A folder, at depth 0, and all its descendants, by depth. */
export function folderSubtree(tx: Transaction, n: number): Promise<FolderDescendant[]> {
  return tx.all(SUBTREE, { n })
}

const LEVEL = statement<{ level: number }>(
  (dialect) => sql`WITH RECURSIVE around (n) AS (
      SELECT ${integer('n')}
      UNION ALL
      SELECT folder.parent FROM around ${dialect.thenJoin} folder ON folder.n = around.n WHERE folder.parent IS NOT NULL
    ) SELECT count(*) AS level FROM around`,
)

/** The level of a folder: 1 at the top. */
export async function folderLevel(tx: Transaction, n: number): Promise<number> {
  return (await tx.get(LEVEL, { n }))?.level ?? 0
}

const INSERT = insertInto(folder, ['id', 'parent', 'name', 'createdAt'], () => sql`RETURNING ${columnsOf(folder)}`)

export async function insertFolder(tx: Transaction, row: Omit<FolderRow, 'n' | 'documentCount'>): Promise<FolderRow> {
  return (await tx.get(INSERT, row)) as FolderRow
}

const SET_PARENT = statement(() => sql`UPDATE folder SET parent = ${param('parent')} WHERE n = ${integer('n')}`)

export async function setFolderParent(tx: Transaction, n: number, parent: number | null): Promise<void> {
  await tx.run(SET_PARENT, { n, parent })
}

const SET_NAME = updateWhere(folder, ['name'])

export async function setFolderNames(tx: Transaction, folders: readonly { n: number; name: string }[]): Promise<void> {
  await tx.batch(SET_NAME, folders)
}

const MOVE_SUBFOLDERS = statement(
  () => sql`UPDATE folder SET parent = ${param('to')} WHERE parent = ${integer('source')}`,
)

/** Moves the subfolders of a folder to another parent. */
export async function moveSubfolders(tx: Transaction, from: number, to: number | null): Promise<void> {
  await tx.run(MOVE_SUBFOLDERS, { source: from, to })
}

const DELETE = statement(() => sql`DELETE FROM folder WHERE n = ${integer('n')}`)

/** Deletes an empty folder. */
export async function deleteFolder(tx: Transaction, n: number): Promise<void> {
  await tx.run(DELETE, { n })
}
