/** Queries on folders, a forest by `parent`. */

import { type SQL, sql } from 'drizzle-orm'
import { type FolderRow, folder } from './schema.ts'
import {
  columnsOf,
  type Dialect,
  insertInto,
  integer,
  integerValue,
  jsonList,
  listOf,
  param,
  rowsOf,
  selectFrom,
  statement,
  updateWhere,
} from './statement.ts'
import type { Transaction } from './transaction.ts'

const BY_IDS = statement<FolderRow>(
  (dialect) => sql`${selectFrom(folder)} WHERE id IN ${listOf(dialect, 'ids', 'integer')} ORDER BY n`,
)

/** The folders that exist of those with these IDs, oldest first. */
export function foldersByIds(tx: Transaction, ids: readonly number[]): Promise<FolderRow[]> {
  return tx.all(BY_IDS, { ids: jsonList(ids) })
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

const DEEPEST = statement<{ depth: number }>(
  (dialect) => sql`WITH RECURSIVE tree (n, depth) AS (
      SELECT value, 0 FROM ${rowsOf(dialect, 'ns', 'integer')} AS root
      UNION ALL
      SELECT child.n, tree.depth + 1 FROM tree ${dialect.thenJoin} folder AS child ON child.parent = tree.n
        WHERE child.n NOT IN ${listOf(dialect, 'ns', 'integer')}
    ) SELECT max(depth) AS depth FROM tree`,
)

/** The depth of the deepest folder below any of these, which is 0. One of them that stands in another counts by itself. */
export async function depthBelow(tx: Transaction, ns: readonly number[]): Promise<number> {
  return (await tx.get(DEEPEST, { ns: jsonList(ns) }))?.depth ?? 0
}

const PATHS = statement<{ root: number; n: number }>(
  (dialect) => sql`WITH RECURSIVE around (root, n, depth) AS (
      SELECT value, value, 0 FROM ${rowsOf(dialect, 'ns', 'integer')} AS root
      UNION ALL
      SELECT around.root, folder.parent, around.depth + 1 FROM around
        ${dialect.thenJoin} folder ON folder.n = around.n WHERE folder.parent IS NOT NULL
    ) SELECT root, n FROM around ORDER BY root, depth`,
)

/** For each of these folders: itself and the folders around it, up to the top. Their number is its level. */
export async function folderPaths(tx: Transaction, ns: readonly number[]): Promise<Map<number, number[]>> {
  const paths = new Map<number, number[]>(ns.map((n) => [n, []]))
  for (const { root, n } of await tx.all(PATHS, { ns: jsonList(ns) })) paths.get(root)?.push(n)
  return paths
}

type NewFolderRow = Omit<FolderRow, 'n' | 'documentCount'>
const NEW_COLUMNS = ['id', 'parent', 'name', 'createdAt']
const INSERT = insertInto(folder, NEW_COLUMNS, () => sql`RETURNING ${columnsOf(folder)}`)
const INSERT_MANY = insertInto(folder, NEW_COLUMNS)

export async function insertFolder(tx: Transaction, row: NewFolderRow): Promise<FolderRow> {
  return (await tx.get(INSERT, row)) as FolderRow
}

export async function insertFolders(tx: Transaction, rows: readonly NewFolderRow[]): Promise<void> {
  await tx.batch(INSERT_MANY, rows)
}

const SET_PARENT = statement(
  (dialect) => sql`UPDATE folder SET parent = ${param('parent')} WHERE n IN ${listOf(dialect, 'ns', 'integer')}`,
)

export async function setFolderParent(tx: Transaction, ns: readonly number[], parent: number | null): Promise<void> {
  await tx.run(SET_PARENT, { ns: jsonList(ns), parent })
}

const SET_NAME = updateWhere(folder, ['name'])

export async function setFolderNames(tx: Transaction, folders: readonly { n: number; name: string }[]): Promise<void> {
  await tx.batch(SET_NAME, folders)
}

/** A folder that is dissolved, and the folder that its content moves to; null for none. */
export interface DissolvedFolder {
  n: number
  to: number | null
}

/** In place of null in a list of numbers. */
const NO_FOLDER = -1

/** The folder that the content of another moves to. @param source  a column with the number of the other folder */
const targetOf = (dialect: Dialect, source: SQL): SQL =>
  sql`(SELECT NULLIF(target.value, ${integerValue(NO_FOLDER)}) FROM ${rowsOf(dialect, 'sources', 'integer')} AS source
      JOIN ${rowsOf(dialect, 'targets', 'integer')} AS target ON target.id = source.id WHERE source.value = ${source})`

const MOVE_SUBFOLDERS = statement(
  (dialect) => sql`UPDATE folder SET parent = ${targetOf(dialect, sql`folder.parent`)}
    WHERE parent IN ${listOf(dialect, 'sources', 'integer')}`,
)

const MOVE_DOCUMENTS = statement(
  (dialect) => sql`UPDATE document SET folder = ${targetOf(dialect, sql`document.folder`)},
      location = CASE WHEN ${targetOf(dialect, sql`document.folder`)} IS NULL THEN 'unsorted' ELSE 'folder' END
    WHERE n IN (SELECT n FROM document WHERE folder IN ${listOf(dialect, 'sources', 'integer')}
      ORDER BY n LIMIT ${integer('limit')})`,
)

const listsOf = (folders: readonly DissolvedFolder[]) => ({
  sources: jsonList(folders.map(({ n }) => n)),
  targets: jsonList(folders.map(({ to }) => to ?? NO_FOLDER)),
})

/**
 * Moves at most `limit` documents out of folders that are dissolved.
 *
 * @returns the number of moved documents
 */
export function moveFolderDocuments(
  tx: Transaction,
  folders: readonly DissolvedFolder[],
  limit: number,
): Promise<number> {
  return tx.run(MOVE_DOCUMENTS, { ...listsOf(folders), limit })
}

/** Moves the subfolders of folders that are dissolved. */
export async function moveSubfolders(tx: Transaction, folders: readonly DissolvedFolder[]): Promise<void> {
  await tx.run(MOVE_SUBFOLDERS, listsOf(folders))
}

const DELETE = statement((dialect) => sql`DELETE FROM folder WHERE n IN ${listOf(dialect, 'ns', 'integer')}`)

/** Deletes empty folders. */
export async function deleteFolders(tx: Transaction, ns: readonly number[]): Promise<void> {
  await tx.run(DELETE, { ns: jsonList(ns) })
}
