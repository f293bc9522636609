/** Queries on blocks, the rows of a document's tree. */

import { eq, getTableColumns, sql } from 'drizzle-orm'
import { ScriptoriumError } from '../src/base/errors.ts'
import { selectColumns } from './columns.ts'
import { type BlockRow, block } from './schema.ts'
import { MAX_BLOCK_NUMBER } from './search/full-text.ts'
import { noteChanged, noteInserted, noteRemoved } from './search/word-index.ts'
import { markListingChanged, markListingChangedByBlocks } from './sqlite/change-counter.ts'
import { query, type Transaction } from './sqlite/connection.ts'

const param = sql.placeholder

const SELECT_BLOCKS = selectColumns(block)
const BY_ID = `${SELECT_BLOCKS} WHERE id = ?`
const BY_IDS = `${SELECT_BLOCKS} WHERE id IN (SELECT value FROM json_each(?))`
const BY_NUMBER = `${SELECT_BLOCKS} WHERE n = CAST(? AS INTEGER)`
const BY_NUMBERS = `${SELECT_BLOCKS} WHERE n IN (SELECT value FROM json_each(?))`
const BY_DOCUMENT = `${SELECT_BLOCKS} WHERE document = CAST(? AS INTEGER)`
const CHILDREN = `${BY_DOCUMENT} AND parent = CAST(? AS INTEGER) ORDER BY position LIMIT CAST(? AS INTEGER)`

export async function blockById(tx: Transaction, id: string): Promise<BlockRow | undefined> {
  return tx.sql<BlockRow>(BY_ID).get(id)
}

/** The parent of a block; undefined for the root of a document. */
export async function parentBlock(tx: Transaction, { parent }: BlockRow): Promise<BlockRow | undefined> {
  return parent === null ? undefined : tx.sql<BlockRow>(BY_NUMBER).get(parent)
}

/** The existing blocks among these IDs, in no particular order. */
export async function blocksByIds(tx: Transaction, ids: readonly string[]): Promise<BlockRow[]> {
  return tx.sql<BlockRow>(BY_IDS).all(JSON.stringify(ids))
}

/** The blocks with these numbers, in no particular order. */
export async function blocksByNumbers(tx: Transaction, ns: readonly number[]): Promise<BlockRow[]> {
  return tx.sql<BlockRow>(BY_NUMBERS).all(JSON.stringify(ns))
}

/** The numbers of all blocks of a document, in no particular order. Reads only the index. */
export async function documentBlockNumbers(tx: Transaction, document: number): Promise<number[]> {
  return tx
    .sql<number>(`SELECT n FROM block INDEXED BY block_place WHERE document = CAST(? AS INTEGER)`)
    .pluck()
    .all(document)
}

/** The highest number of a block. */
export async function lastBlockNumber(tx: Transaction): Promise<number> {
  return tx.sql<number>('SELECT coalesce(max(n), 0) FROM block').pluck().get() ?? 0
}

/** ASCII letters that have a non-ASCII case variant: the long s and the Kelvin sign. */
const FOLDING_LETTERS = [
  ['s', '\u017f'],
  ['k', '\u212a'],
] as const

/**
 * SQL condition for blocks whose Markdown may contain letters that their text does not: fields of other block types,
 * references for a tag, and the replacement of an unsafe URL.
 */
const MAY_CONTAIN = `CASE
  WHEN type = 'text' AND attributes IS NULL
    THEN has OR text = '' OR instr(text, '<') OR instr(text, ':') OR instr(text, '&') OR instr(text, '[')
  WHEN type IN ('page', 'collection', 'collectionItem') THEN has OR text GLOB '*[^-a-zA-Z0-9 .,]*'
  ELSE 1 END`

/** Blocks with numbers in a half-open range, or the blocks of some documents. */
export type BlockRange = { from: number; to: number } | { documents: readonly number[] }

/**
 * Blocks whose Markdown, as shown to any connection, may contain any of these strings in upper or lower case. A block
 * is included if that cannot be ruled out quickly.
 *
 * @param letters  strings of two or more lower-case ASCII letters
 */
export async function blocksThatMayContain(
  tx: Transaction,
  letters: readonly string[],
  range: BlockRange,
): Promise<[document: number, n: number][]> {
  const has = letters.map(() => 'instr(lower(text), ?)').join(' OR ')
  const otherCases = FOLDING_LETTERS.filter(([letter]) => letters.some((text) => text.includes(letter)))
  const mayHave = [MAY_CONTAIN, ...otherCases.map(([, other]) => `instr(text, '${other}')`)].join(' OR ')
  const [where, values] =
    'documents' in range
      ? ['document IN (SELECT value FROM json_each(?))', [JSON.stringify(range.documents)]]
      : ['n >= CAST(? AS INTEGER) AND n < CAST(? AS INTEGER)', [range.from, range.to]]
  const find = tx.sql<[number, number]>(
    `SELECT document, n FROM (SELECT document, n, type, text, attributes, ${has} AS has FROM block WHERE ${where})
     WHERE ${mayHave} ORDER BY n`,
  )
  return find.raw().all(...letters, ...values)
}

/** The position of a block in its parent: enough to build a tree. */
export interface BlockPlace {
  n: number
  parent: number
  position: number
}

/** True if a document has more than `blocks` blocks. Reads only the index, and no more of it than needed. */
export async function hasMoreBlocks(tx: Transaction, document: number, count: number): Promise<boolean> {
  const find = tx.sql(`${PLACES} LIMIT 1 OFFSET CAST(? AS INTEGER)`)
  return find.get(document, count) !== undefined
}

const PLACES = 'SELECT n, parent, position FROM block WHERE document = CAST(? AS INTEGER)'
/** Blocks of a document after a given one, without the root: siblings together and in order. */
const CONTINUE_AFTER = 'AND (parent, position, n) > (?, ?, ?) ORDER BY parent, position, n LIMIT CAST(? AS INTEGER)'

/**
 * At most `most` places of blocks of a document after a given one, without the root: siblings together and in order.
 * Reads only the index.
 */
export async function documentPlaces(
  tx: Transaction,
  document: number,
  after: BlockPlace | undefined,
  max: number,
): Promise<BlockPlace[]> {
  const { parent, position, n } = after ?? BEFORE_ALL
  return tx.sql<BlockPlace>(`${PLACES} ${CONTINUE_AFTER}`).all(document, parent, position, n, max)
}

/** Like {@link documentPlaces}, but returns the blocks. Faster than reading places first and then blocks by number. */
export async function documentBlocks(
  tx: Transaction,
  document: number,
  after: BlockPlace | undefined,
  max: number,
): Promise<(BlockRow & BlockPlace)[]> {
  const { parent, position, n } = after ?? BEFORE_ALL
  return tx.sql<BlockRow & BlockPlace>(`${BY_DOCUMENT} ${CONTINUE_AFTER}`).all(document, parent, position, n, max)
}

/** At most `most` places of the children of a block after a given one, in order. */
export async function childPlaces(
  tx: Transaction,
  document: number,
  parent: number,
  after: BlockPlace | undefined,
  max: number,
): Promise<BlockPlace[]> {
  const { position, n } = after ?? BEFORE_ALL
  const find = tx.sql<BlockPlace>(
    `${PLACES} AND parent = ? AND (position, n) > (?, ?) ORDER BY position, n LIMIT CAST(? AS INTEGER)`,
  )
  return find.all(document, parent, position, n, max)
}

/** Sorts before every place: real numbers and positions are larger. */
const BEFORE_ALL: BlockPlace = { n: 0, parent: 0, position: Number.MIN_SAFE_INTEGER }

/** The first `limit` children of a block, in order; all of them by default. */
export async function childBlocks(tx: Transaction, of: BlockRow, limit = -1): Promise<BlockRow[]> {
  return tx.sql<BlockRow>(CHILDREN).all(of.document, of.n, limit)
}

/**
 * The places of all descendants of a block down to `depth` levels (1: its children), siblings in order. At most `most`,
 * and then not always the first ones. SQLite walks the tree with its own queue, without recursion.
 */
export async function subtreePlaces(
  tx: Transaction,
  document: number,
  n: number,
  depth: number,
  max: number,
): Promise<(BlockPlace & { depth: number })[]> {
  // CROSS JOIN keeps the tree as the outer loop; the other order reads the whole table at every level.
  const walk = tx.sql<BlockPlace & { depth: number }>(
    `WITH RECURSIVE tree (n, parent, position, depth) AS (
       SELECT CAST(? AS INTEGER), NULL, 0, 0
       UNION ALL
       SELECT child.n, child.parent, child.position, tree.depth + 1 FROM tree CROSS JOIN block AS child
       WHERE child.document = CAST(? AS INTEGER) AND child.parent = tree.n AND tree.depth < ?
       LIMIT CAST(? AS INTEGER)
     ) SELECT n, parent, position, depth FROM tree WHERE parent IS NOT NULL ORDER BY position, n`,
  )
  return walk.all(n, document, depth, max + 1)
}

/** The numbers of a block and its ancestors, from the block itself to the root of its document. */
export async function ancestorNumbers(tx: Transaction, of: BlockRow): Promise<number[]> {
  const walk = tx.sql<{ n: number }>(
    `WITH RECURSIVE up (n, parent) AS (
       SELECT n, parent FROM block WHERE n = CAST(? AS INTEGER)
       UNION ALL
       SELECT above.n, above.parent FROM up CROSS JOIN block AS above WHERE above.n = up.parent
     ) SELECT n FROM up`,
  )
  return walk.all(of.n).map((row) => row.n)
}

/** The numbers of those of these blocks that have children. */
export async function parentNumbers(tx: Transaction, ns: readonly number[]): Promise<Set<number>> {
  const find = tx.sql<{ n: number }>(
    `SELECT value AS n FROM json_each(?) AS one WHERE EXISTS (SELECT 1 FROM block WHERE parent = one.value)`,
  )
  return new Set(find.all(JSON.stringify(ns)).map((row) => row.n))
}

const KEYS = Object.keys(getTableColumns(block)) as (keyof BlockRow)[]
const NAMES = Object.values(getTableColumns(block)).map(({ name }) => name)
const insertStatement = (rows: number): string => {
  const row = `(${NAMES.map(() => '?').join(', ')})`
  return `INSERT INTO block (${NAMES.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`
}
/**
 * Batch sizes and their statements. Batches of more or fewer than 50 rows were slower for large inserts; a note has
 * about twenty blocks.
 */
const INSERTS = [50, 16, 4, 1].map((size) => ({ size, statement: insertStatement(size) }))

/** Inserts rows, parents before their children, with numbers from {@link nextBlockNumber} on. */
export async function insertBlocks(tx: Transaction, rows: readonly BlockRow[]): Promise<void> {
  if (rows.some(({ n }) => n > MAX_BLOCK_NUMBER)) throw blockNumbersExhausted()
  let start = 0
  for (const { size, statement } of INSERTS) {
    for (; rows.length - start >= size; start += size)
      tx.sql(statement).run(insertParameters(rows, start, start + size))
  }
  noteInserted(tx, rows)
  if (rows.some(({ type }) => type === 'whiteboard')) await markListingChanged(tx)
}

const blockNumbersExhausted = (): ScriptoriumError =>
  new ScriptoriumError(
    'STORAGE_FULL',
    `Expected fewer than ${MAX_BLOCK_NUMBER} blocks in the life of a space, deleted ones among them, found that this call goes beyond them; nothing was written. Ask the person who runs the server to make another space, and add new content there.`,
  )

function insertParameters(rows: readonly BlockRow[], start: number, end: number): unknown[] {
  const values: unknown[] = []
  for (let index = start; index < end; index++) {
    const row = rows[index]
    if (row !== undefined) for (const key of KEYS) values.push(row[key])
  }
  return values
}

/**
 * The first number that was never used. All numbers above it stay free until this transaction ends. Documents and
 * collections share the number of their block.
 */
export async function nextBlockNumber(tx: Transaction): Promise<number> {
  return tx.sql<number>("SELECT seq + 1 FROM sqlite_sequence WHERE name = 'block'").pluck().get() ?? 1
}

const updateQuery = query((orm) =>
  orm
    .update(block)
    .set({
      type: sql`${param('type')}`,
      text: sql`${param('text')}`,
      indentation: sql`${param('indentation')}`,
      listStyle: sql`${param('listStyle')}`,
      attributes: sql`${param('attributes')}`,
      modifiedAt: sql`${param('modifiedAt')}`,
      modifiedBy: sql`${param('modifiedBy')}`,
    })
    .where(eq(block.n, param('n')))
    .prepare(),
)

/** Writes the content and style of a block. Its place does not change. */
export async function updateBlock(tx: Transaction, row: BlockRow): Promise<void> {
  updateQuery(tx).run(row)
  noteChanged(tx, [row.n])
}

/**
 * Moves a block to a position among the children of `parent`. Use {@link setBlockDocument} to move its descendants to
 * another document.
 */
export async function setBlockPlace(tx: Transaction, n: number, parent: number, position: number): Promise<void> {
  tx.sql('UPDATE block SET parent = ?, position = ? WHERE n = ?').run(parent, position, n)
}

/** Sets the document of these blocks. The list must include their descendants. */
export async function setBlockDocument(tx: Transaction, ns: readonly number[], document: number): Promise<void> {
  noteRemoved(tx, ns)
  noteChanged(tx, ns)
  // This changes which connections can reach them.
  await markListingChangedByBlocks(tx, ns)
  tx.sql('UPDATE block SET document = ? WHERE n IN (SELECT value FROM json_each(?))').run(document, JSON.stringify(ns))
}

/** Deletes exactly these blocks. The list must include all their descendants. */
export async function deleteBlocks(tx: Transaction, ns: readonly number[]): Promise<void> {
  noteRemoved(tx, ns)
  await markListingChangedByBlocks(tx, ns)
  tx.sql('DELETE FROM block WHERE n IN (SELECT value FROM json_each(?))').run(JSON.stringify(ns))
}
