/** Queries on blocks, the rows of a document's tree. */

import { type SQL, sql } from 'drizzle-orm'
import { ScriptoriumError } from '../src/base/errors.ts'
import { markListingChanged, markListingChangedByBlocks } from './changes.ts'
import { type BlockRow, block } from './schema.ts'
import {
  type Dialect,
  insertInto,
  integer,
  jsonList,
  listOf,
  param,
  rowsOf,
  selectFrom,
  statement,
  updateWhere,
} from './statement.ts'
import type { Transaction } from './transaction.ts'
import { MAX_BLOCK_NUMBER } from './word-index.ts'

const SELECT_BLOCKS = selectFrom(block)
const OF_DOCUMENT = sql`document = ${integer('document')}`

const BY_ID = statement<BlockRow>(() => sql`${SELECT_BLOCKS} WHERE id = ${integer('id')}`)
const BY_IDS = statement<BlockRow>(
  (dialect) => sql`${SELECT_BLOCKS} WHERE id IN ${listOf(dialect, 'ids', 'integer')} ORDER BY n`,
)
const BY_NUMBER = statement<BlockRow>(() => sql`${SELECT_BLOCKS} WHERE n = ${integer('n')}`)
const BY_NUMBERS = statement<BlockRow>(
  (dialect) => sql`${SELECT_BLOCKS} WHERE n IN ${listOf(dialect, 'ns', 'integer')} ORDER BY n`,
)

export function blockById(tx: Transaction, id: number): Promise<BlockRow | undefined> {
  return tx.get(BY_ID, { id })
}

/** The parent of a block; undefined for the root of a document. */
export async function parentBlock(tx: Transaction, { parent }: BlockRow): Promise<BlockRow | undefined> {
  return parent === null ? undefined : tx.get(BY_NUMBER, { n: parent })
}

/** The existing blocks among these IDs, by number. */
export function blocksByIds(tx: Transaction, ids: readonly number[]): Promise<BlockRow[]> {
  return tx.all(BY_IDS, { ids: jsonList(ids) })
}

/** The blocks with these numbers, by number. */
export function blocksByNumbers(tx: Transaction, ns: readonly number[]): Promise<BlockRow[]> {
  return tx.all(BY_NUMBERS, { ns: jsonList(ns) })
}

const FIRST_BLOCKS = statement<{ n: number }>(
  (dialect) => sql`SELECT one.n FROM ${rowsOf(dialect, 'documents', 'integer')} AS root CROSS JOIN block AS one
    WHERE one.n IN (SELECT n FROM block WHERE document = root.value AND parent = root.value ORDER BY position LIMIT ${integer('limit')})`,
)

/** The numbers of the first `limit` blocks at the top level of each of these documents. */
export async function firstBlocks(tx: Transaction, documents: readonly number[], limit: number): Promise<Set<number>> {
  const rows = await tx.all(FIRST_BLOCKS, { documents: jsonList(documents), limit })
  return new Set(rows.map(({ n }) => n))
}

const COLLECTIONS_AND_ITEMS = statement<BlockRow>(
  () => sql`${SELECT_BLOCKS} WHERE n > ${integer('after')} AND type IN ('collection', 'collectionItem')
    ORDER BY n LIMIT ${integer('limit')}`,
)

const WAITING_TASKS = statement<BlockRow>(
  () => sql`${SELECT_BLOCKS} WHERE n > ${integer('after')} AND task_open IS NOT NULL AND attributes LIKE '%"blockedBy":%'
    ORDER BY n LIMIT ${integer('limit')}`,
)

/** The tasks that wait for others, in batches: at most `limit` after the number `after`. */
export function waitingTasks(tx: Transaction, after: number, limit: number): Promise<BlockRow[]> {
  return tx.all(WAITING_TASKS, { after, limit })
}

const HEADINGS = statement<BlockRow>(
  (dialect) => sql`${SELECT_BLOCKS} WHERE document IN ${listOf(dialect, 'documents', 'integer')}
    AND attributes LIKE '%"textStyle":"h%' ORDER BY n`,
)

/** The headings of these documents, by number. */
export function headingsOf(tx: Transaction, documents: readonly number[]): Promise<BlockRow[]> {
  return tx.all(HEADINGS, { documents: jsonList(documents) })
}

const TEXT_LENGTHS = statement<{ n: number; length: number }>(
  () => sql`SELECT n, length(text) AS length FROM block WHERE document = ${integer('document')}`,
)

/** The characters of the text of each block of a document, by number. */
export async function textLengths(tx: Transaction, document: number): Promise<Map<number, number>> {
  return new Map((await tx.all(TEXT_LENGTHS, { document })).map(({ n, length }) => [n, length]))
}

const ALIASES = statement<Pick<BlockRow, 'n' | 'document' | 'text'>>(
  () => sql`SELECT n, document, text FROM block WHERE n > ${integer('after')} AND type = 'code'
    AND parent = document AND text LIKE '%alias%' AND attributes LIKE '%"language":"yaml"%'
    AND NOT EXISTS (SELECT 1 FROM block AS other WHERE other.parent = block.parent AND other.position < block.position)
    ORDER BY n LIMIT ${integer('limit')}`,
)

/** The YAML at the beginning of documents that may have aliases, in batches: at most `limit` after the block `after`. */
export const aliasBlocks = (
  tx: Transaction,
  after: number,
  limit: number,
): Promise<Pick<BlockRow, 'n' | 'document' | 'text'>[]> => tx.all(ALIASES, { after, limit })

/** The blocks of all collections and items, in batches: at most `limit` after the number `after`. */
export function collectionBlocks(tx: Transaction, after: number, limit: number): Promise<BlockRow[]> {
  return tx.all(COLLECTIONS_AND_ITEMS, { after, limit })
}

const NUMBERS_OF_DOCUMENT = statement<{ n: number }>(
  (dialect) => sql`SELECT n FROM block ${dialect.indexedBy('block_place')} WHERE ${OF_DOCUMENT}`,
)

/** The numbers of all blocks of a document, in no particular order. Reads only the index. */
export async function documentBlockNumbers(tx: Transaction, document: number): Promise<number[]> {
  return (await tx.all(NUMBERS_OF_DOCUMENT, { document })).map(({ n }) => n)
}

const LAST_NUMBER = statement<{ n: number }>(() => sql`SELECT coalesce(max(n), 0) AS n FROM block`)

/** The highest number of a block. */
export async function lastBlockNumber(tx: Transaction): Promise<number> {
  return (await tx.get(LAST_NUMBER))?.n ?? 0
}

/** The position of a block in its parent: enough to build a tree. */
export interface BlockPlace {
  n: number
  parent: number
  position: number
}

const SELECT_PLACES = sql`SELECT n, parent, position FROM block WHERE ${OF_DOCUMENT}`
const LIMITED = sql`LIMIT ${integer('limit')}`
/** Blocks of a document after a given one, without the root: siblings together and in order. */
const CONTINUE_AFTER = sql`AND (parent, position, n) > (${param('parent')}, ${param('position')}, ${param('n')})
  ORDER BY parent, position, n ${LIMITED}`

const NEXT_BLOCK = statement(
  () => sql`${SELECT_PLACES} ORDER BY parent, position, n LIMIT 1 OFFSET ${integer('count')}`,
)

/** True if a document has more than `count` blocks. Reads only the index, and no more of it than needed. */
export async function hasMoreBlocks(tx: Transaction, document: number, count: number): Promise<boolean> {
  return (await tx.get(NEXT_BLOCK, { document, count })) !== undefined
}

const PLACES = statement<BlockPlace>(() => sql`${SELECT_PLACES} ${CONTINUE_AFTER}`)

/**
 * At most `max` places of blocks of a document after a given one, without the root: siblings together and in order.
 * Reads only the index.
 */
export function documentPlaces(
  tx: Transaction,
  document: number,
  after: BlockPlace | undefined,
  max: number,
): Promise<BlockPlace[]> {
  return tx.all(PLACES, { ...(after ?? BEFORE_ALL), document, limit: max })
}

const BLOCKS_OF_DOCUMENT = statement<BlockRow & BlockPlace>(
  () => sql`${SELECT_BLOCKS} WHERE ${OF_DOCUMENT} ${CONTINUE_AFTER}`,
)

/** Like {@link documentPlaces}, but returns the blocks. Faster than reading places first and then blocks by number. */
export function documentBlocks(
  tx: Transaction,
  document: number,
  after: BlockPlace | undefined,
  max: number,
): Promise<(BlockRow & BlockPlace)[]> {
  return tx.all(BLOCKS_OF_DOCUMENT, { ...(after ?? BEFORE_ALL), document, limit: max })
}

const PLACES_OF_CHILDREN = statement<BlockPlace>(
  () => sql`${SELECT_PLACES} AND parent = ${param('parent')} AND (position, n) > (${param('position')}, ${param('n')})
    ORDER BY position, n ${LIMITED}`,
)

/** At most `max` places of the children of a block after a given one, in order. */
export function childPlaces(
  tx: Transaction,
  document: number,
  parent: number,
  after: BlockPlace | undefined,
  max: number,
): Promise<BlockPlace[]> {
  return tx.all(PLACES_OF_CHILDREN, { ...(after ?? BEFORE_ALL), document, parent, limit: max })
}

/** Sorts before every place: real numbers and positions are larger. */
const BEFORE_ALL: BlockPlace = { n: 0, parent: 0, position: Number.MIN_SAFE_INTEGER }

const CHILDREN = statement<BlockRow>(
  () => sql`${SELECT_BLOCKS} WHERE ${OF_DOCUMENT} AND parent = ${integer('parent')} ORDER BY position, n ${LIMITED}`,
)

/** The first `limit` children of a block, in order; all of them by default. */
export function childBlocks(tx: Transaction, of: BlockRow, limit = MAX_BLOCK_NUMBER): Promise<BlockRow[]> {
  return tx.all(CHILDREN, { document: of.document, parent: of.n, limit })
}

/** Joins the children of the blocks at the current level of a recursive tree query. */
const childOfTree = (dialect: Dialect, document: SQL): SQL =>
  dialect.thenLookUp(
    'block',
    'child',
    sql`child.document = ${document} AND child.parent = tree.n AND tree.depth < ${integer('depth')}`,
  )

const SUBTREE = statement<BlockPlace & { depth: number }>(
  // The tree is the outer loop; the other order reads the whole table at every level.
  (dialect) => sql`WITH RECURSIVE tree (n, parent, position, depth) AS (
      SELECT ${integer('n')}, CAST(NULL AS bigint), CAST(0 AS bigint), 0
      UNION ALL
      SELECT child.n, child.parent, child.position, tree.depth + 1 FROM tree ${childOfTree(dialect, integer('document'))}
    ) SELECT n, parent, position, depth FROM (SELECT n, parent, position, depth FROM tree ${LIMITED}) AS first
      WHERE parent IS NOT NULL ORDER BY position, n`,
)

/**
 * The places of all descendants of a block down to `depth` levels (1: its children), siblings in order. Returns at most
 * `max` of them; if there are more, these are not necessarily the first ones. The engine walks the tree with its own
 * queue, without recursion.
 */
export function subtreePlaces(
  tx: Transaction,
  document: number,
  n: number,
  depth: number,
  max: number,
): Promise<(BlockPlace & { depth: number })[]> {
  return tx.all(SUBTREE, { n, document, depth: Math.min(depth, MAX_BLOCK_NUMBER), limit: max + 1 })
}

/** The place of a block below one of several given blocks, its `root`. The root itself is included at depth 0. */
export interface SubtreePlace extends BlockPlace {
  root: number
  depth: number
}

const SUBTREES = statement<SubtreePlace>(
  (dialect) => sql`WITH RECURSIVE tree (n, parent, position, depth, root, document) AS (
      SELECT block.n, block.parent, block.position, 0, block.n, block.document
      FROM ${rowsOf(dialect, 'ns', 'integer')} AS one ${dialect.thenJoin} block ON block.n = one.value
      UNION ALL
      SELECT child.n, child.parent, child.position, tree.depth + 1, tree.root, tree.document
      FROM tree ${childOfTree(dialect, sql`tree.document`)}
    ) SELECT n, parent, position, depth, root FROM (
      SELECT n, parent, position, depth, root FROM tree ${LIMITED}) AS first
    ORDER BY depth, position, n`,
)

/**
 * These blocks and all their descendants down to `depth` levels: parents before their children, siblings in order.
 * Returns at most `max` places, so the result is incomplete if there are more.
 */
export function subtreesOf(
  tx: Transaction,
  ns: readonly number[],
  depth: number,
  max: number,
): Promise<SubtreePlace[]> {
  return tx.all(SUBTREES, { ns: jsonList(ns), depth, limit: max })
}

const ANCESTORS = statement<{ n: number }>(
  (dialect) => sql`WITH RECURSIVE up (n, parent, distance) AS (
      SELECT n, parent, 0 FROM block WHERE n = ${integer('n')}
      UNION ALL
      SELECT above.n, above.parent, up.distance + 1
      FROM up ${dialect.thenLookUp('block', 'above', sql`above.n = up.parent`)}
    ) SELECT n FROM up ORDER BY distance`,
)

/** The numbers of a block and its ancestors, from the block itself to the root of its document. */
export async function ancestorNumbers(tx: Transaction, of: BlockRow): Promise<number[]> {
  return (await tx.all(ANCESTORS, { n: of.n })).map(({ n }) => n)
}

const WITH_CHILDREN = statement<{ n: number }>(
  (dialect) => sql`SELECT one.value AS n FROM ${rowsOf(dialect, 'ns', 'integer')} AS one
    WHERE EXISTS (SELECT 1 FROM block WHERE parent = one.value)`,
)

/** Returns those of the given blocks that have children. Blocks are given by number. */
export async function parentNumbers(tx: Transaction, ns: readonly number[]): Promise<Set<number>> {
  return new Set((await tx.all(WITH_CHILDREN, { ns: jsonList(ns) })).map(({ n }) => n))
}

const INSERT = insertInto(block)

/** Inserts rows, parents before their children, with numbers from `nextBlockNumber` on. */
export async function insertBlocks(tx: Transaction, rows: readonly BlockRow[]): Promise<void> {
  if (rows.some(({ n }) => n > MAX_BLOCK_NUMBER)) throw blockNumbersExhausted()
  await tx.batch(INSERT, rows)
  tx.words.noteInserted(rows)
  if (rows.some(({ type }) => type === 'whiteboard')) await markListingChanged(tx)
}

const blockNumbersExhausted = (): ScriptoriumError =>
  new ScriptoriumError(
    'STORAGE_FULL',
    `Expected fewer than ${MAX_BLOCK_NUMBER} blocks in the life of a space, deleted ones among them, found that this call goes beyond them; nothing was written. Ask the person who runs the server to make another space, and add new content there.`,
  )

const UPDATE = updateWhere(block, [
  ...(['type', 'text', 'indentation', 'listStyle', 'number', 'attributes', 'modifiedAt', 'modifiedBy'] as const),
])

/** Writes the content and style of blocks. Their places do not change. */
export async function updateBlocks(tx: Transaction, rows: readonly BlockRow[]): Promise<void> {
  await tx.batch(UPDATE, rows)
  tx.words.noteChanged(rows.map(({ n }) => n))
}

const SET_PLACE = updateWhere(block, ['parent', 'position'])

/**
 * Moves blocks to positions among the children of their new parents. Use {@link setBlockDocument} to move their
 * descendants to another document.
 */
export async function setBlockPlaces(tx: Transaction, places: readonly BlockPlace[]): Promise<void> {
  await tx.batch(SET_PLACE, places)
}

const SET_DOCUMENT = statement(
  (dialect) => sql`UPDATE block SET document = ${integer('document')} WHERE n IN ${listOf(dialect, 'ns', 'integer')}`,
)

/** Sets the document of these blocks. The list must include their descendants. */
export async function setBlockDocument(tx: Transaction, ns: readonly number[], document: number): Promise<void> {
  await tx.words.noteRemoved(ns)
  tx.words.noteChanged(ns)
  // This changes which connections can reach them.
  await markListingChangedByBlocks(tx, ns)
  await tx.run(SET_DOCUMENT, { document, ns: jsonList(ns) })
}

const DELETE = statement((dialect) => sql`DELETE FROM block WHERE n IN ${listOf(dialect, 'ns', 'integer')}`)

/** Deletes exactly these blocks. The list must include all their descendants. */
export async function deleteBlocks(tx: Transaction, ns: readonly number[]): Promise<void> {
  await tx.words.noteRemoved(ns)
  await markListingChangedByBlocks(tx, ns)
  await tx.run(DELETE, { ns: jsonList(ns) })
}
