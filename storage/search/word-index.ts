/**
 * Maintains the full-text index, in the same transactions that change blocks.
 *
 * Code that writes a row marks it here. Marked rows are indexed once, before COMMIT: an item that gets its values after
 * its block, or a block that changes twice, is read only in its final state. There are no triggers, since they would
 * take three times as long.
 */
import { setImmediate } from 'node:timers/promises'
import { selectColumns } from '../columns.ts'
import { type BlockRow, block } from '../schema.ts'
import type { Transaction } from '../sqlite/connection.ts'
import { type HitPlace, ROWID_SQL } from './full-text.ts'

/** The indexed text of a block, split into words that SQLite can separate. */
export interface IndexedText {
  /** For a page, item or collection. */
  title: string
  text: string
}

/** Extracts the indexed text from a block and its related texts: values of an item, and comments. */
export type TextExtractor = (row: BlockRow, beside: readonly string[]) => IndexedText | Promise<IndexedText>

/** Changes of a transaction that are not yet indexed. */
interface PendingChanges {
  loadExtractor: () => Promise<TextExtractor>
  /** Blocks by number, with the row itself if it is new and complete. */
  changed: Map<number, BlockRow | undefined>
  /** Places of deleted rows. */
  gone: HitPlace[]
}

const pendingByConnection = new WeakMap<Transaction, PendingChanges>()

/**
 * Enables indexing on this database connection. Without it, blocks written on the connection cannot be found.
 *
 * @param load  called once, when there is something to index. An import takes longer than indexing a block, even of a
 * module that is already loaded, and the transaction would wait for it.
 */
export function enableIndexing(tx: Transaction, load: () => Promise<TextExtractor>): void {
  let loading: Promise<TextExtractor> | undefined
  const loadOnce = () => (loading ??= load())
  pendingByConnection.set(tx, { loadExtractor: loadOnce, changed: new Map(), gone: [] })
}

/** Marks new rows. */
export function noteInserted(tx: Transaction, rows: readonly BlockRow[]): void {
  const pending = pendingByConnection.get(tx)
  if (pending !== undefined) for (const row of rows) pending.changed.set(row.n, row)
}

/** Marks blocks whose own or related text changed. */
export function noteChanged(tx: Transaction, ns: Iterable<number>): void {
  const pending = pendingByConnection.get(tx)
  if (pending !== undefined) for (const n of ns) pending.changed.set(n, undefined)
}

/** Marks items whose values changed. The row of a new item stays valid, since only its values changed. */
export function noteValues(tx: Transaction, items: Iterable<number>): void {
  const pending = pendingByConnection.get(tx)
  if (pending === undefined) return
  for (const n of items) if (pending.changed.get(n) === undefined) pending.changed.set(n, undefined)
}

/** Marks blocks before they are deleted or moved to another document. */
export function noteRemoved(tx: Transaction, ns: readonly number[]): void {
  const pending = pendingByConnection.get(tx)
  if (pending === undefined) return
  for (const place of hitPlaces(tx, ns)) {
    pending.gone.push(place)
    pending.changed.delete(place[1])
  }
}

/** Marks the items that have a value of this property or option. */
export function noteItemsWithValue(tx: Transaction, column: 'property' | 'option', n: number): void {
  if (!pendingByConnection.has(tx)) return
  const items = tx.sql<number>(`SELECT DISTINCT item FROM value WHERE ${column} = CAST(? AS INTEGER)`)
  noteChanged(tx, items.pluck().all(n))
}

/** Drops all marks after a rollback. */
export function discardPending(tx: Transaction): void {
  const pending = pendingByConnection.get(tx)
  if (pending !== undefined) Object.assign(pending, { changed: new Map(), gone: [] })
}

/** Blocks to index before yielding: a few milliseconds of work. */
const CHUNK_SIZE = 500

/** Indexes everything marked since the last call. */
export async function indexPending(tx: Transaction): Promise<void> {
  const pending = pendingByConnection.get(tx)
  if (pending === undefined || (pending.changed.size === 0 && pending.gone.length === 0)) return
  const { changed, gone } = pending
  discardPending(tx)
  const words = await pending.loadExtractor()
  const newRows: BlockRow[] = []
  const changedNumbers: number[] = []
  for (const [n, row] of changed) {
    if (row === undefined) changedNumbers.push(n)
    else newRows.push(row)
  }
  for (let from = 0; from < changedNumbers.length; from += CHUNK_SIZE) {
    for (const place of hitPlaces(tx, changedNumbers.slice(from, from + CHUNK_SIZE))) gone.push(place)
  }
  await removeFromIndex(tx, gone)
  for (let from = 0; from < changedNumbers.length; from += CHUNK_SIZE) {
    const rows = readRows(tx, changedNumbers.slice(from, from + CHUNK_SIZE))
    await insertIntoIndex(tx, rows, readRelatedTexts(tx, rows, true), words)
    if (from + CHUNK_SIZE < changedNumbers.length || newRows.length > CHUNK_SIZE) await setImmediate()
  }
  for (let from = 0; from < newRows.length; from += CHUNK_SIZE) {
    const rows = newRows.length <= CHUNK_SIZE ? newRows : newRows.slice(from, from + CHUNK_SIZE)
    await insertIntoIndex(tx, rows, readRelatedTexts(tx, rows, false), words)
    if (from + CHUNK_SIZE < newRows.length) await setImmediate()
  }
}

/** Removes blocks from the index, whichever of them are in it. */
async function removeFromIndex(tx: Transaction, places: HitPlace[]): Promise<void> {
  if (places.length === 0) return
  // FTS5 flushes its buffer when a rowid follows a higher one.
  places.sort(([oneDocument, one], [otherDocument, other]) => oneDocument - otherDocument || one - other)
  const isLarge = places.length > CHUNK_SIZE
  if (isLarge) tx.sql(DISABLE_AUTOMERGE).run()
  const deleteRow = tx.sql(`DELETE FROM search WHERE rowid = ${ROWID_SQL}`)
  for (const [index, place] of places.entries()) {
    deleteRow.run(place)
    if (index % CHUNK_SIZE === CHUNK_SIZE - 1) await setImmediate()
  }
  if (isLarge) await mergeIndex(tx, places.length)
}

/** FTS5 merges pages of the index after this many deleted rows, and by default does all of it in one go. */
const ROWS_PER_MERGE = 64
const DISABLE_AUTOMERGE = `INSERT INTO search (search, rank) VALUES ('automerge', 0)`
const ENABLE_AUTOMERGE = `INSERT INTO search (search, rank) VALUES ('automerge', 8)`
/** Writes at most this many pages: a few milliseconds of work. */
const MERGE_STEP = `INSERT INTO search (search, rank) VALUES ('merge', 16)`
/** A step with fewer changes has found nothing to merge. Source: FTS5's documentation, "The 'merge' Command". */
const MIN_CHANGES = 2

/** Merges the rest of the index in steps after a large deletion. */
async function mergeIndex(tx: Transaction, removed: number): Promise<void> {
  const changes = tx.sql<number>('SELECT total_changes()').pluck()
  let [before, after] = [-MIN_CHANGES, changes.get() ?? 0]
  for (let step = 0; step * ROWS_PER_MERGE < removed && after - before >= MIN_CHANGES; step++) {
    before = after
    tx.sql(MERGE_STEP).run()
    after = changes.get() ?? 0
    await setImmediate()
  }
  tx.sql(ENABLE_AUTOMERGE).run()
}

/** Indexes a space created before the index existed. Does nothing if it is already indexed. */
export async function indexAll(tx: Transaction): Promise<void> {
  if (!needsIndex(tx)) return
  const next = tx.sql<number>('SELECT n FROM block WHERE n > CAST(? AS INTEGER) ORDER BY n LIMIT 10000').pluck()
  for (let numbers = next.all(0); numbers.length > 0; numbers = next.all(numbers.at(-1))) {
    noteChanged(tx, numbers)
    await indexPending(tx)
  }
}

/** True if there are blocks and none of them is indexed. */
export const needsIndex = (tx: Transaction): boolean =>
  tx.sql<number>('SELECT EXISTS (SELECT 1 FROM block) AND NOT EXISTS (SELECT 1 FROM search_docsize)').pluck().get() ===
  1

const SELECT_BLOCKS = selectColumns(block)

const hitPlaces = (tx: Transaction, ns: readonly number[]): HitPlace[] =>
  tx
    .sql<HitPlace>('SELECT document, n FROM block WHERE n IN (SELECT value FROM json_each(?))')
    .raw()
    .all(JSON.stringify(ns))

const readRows = (tx: Transaction, ns: readonly number[]): BlockRow[] =>
  tx
    .sql<BlockRow>(`${SELECT_BLOCKS} WHERE n IN (SELECT value FROM json_each(?)) ORDER BY document, n`)
    .all(JSON.stringify(ns))

/**
 * Related texts of these blocks: for items their values, except those that refer to other blocks, and for all blocks
 * their comments.
 */
export function besideBlocks(tx: Transaction, rows: readonly BlockRow[]): ReadonlyMap<number, string[]> {
  return readRelatedTexts(tx, rows, true)
}

function readRelatedTexts(tx: Transaction, rows: readonly BlockRow[], withComments: boolean): Map<number, string[]> {
  const textsByBlock = new Map<number, string[]>()
  const add = ([n, text]: [number, string | number]) => {
    const texts = textsByBlock.get(n)
    if (texts === undefined) textsByBlock.set(n, [String(text)])
    else texts.push(String(text))
  }
  const items = rows.filter(({ type }) => type === 'collectionItem')
  if (items.length > 0) tx.sql<[number, string | number]>(VALUE_TEXTS).raw().all(blockNumbersJson(items)).forEach(add)
  if (withComments) tx.sql<[number, string]>(COMMENT_TEXTS).raw().all(blockNumbersJson(rows)).forEach(add)
  return textsByBlock
}

const blockNumbersJson = (rows: readonly BlockRow[]): string => JSON.stringify(rows.map(({ n }) => n))

const VALUE_TEXTS = `SELECT value.item, coalesce(value.text, option.name, value.number)
  FROM json_each(?) AS one CROSS JOIN value ON value.item = one.value
    CROSS JOIN property ON property.n = value.property LEFT JOIN option ON option.n = value.option
  WHERE value.target IS NULL AND property.type <> 'boolean' ORDER BY value.item, property.position, value.ordinal`
const COMMENT_TEXTS = `SELECT comment.block, comment.content FROM json_each(?) AS one
  CROSS JOIN comment ON comment.block = one.value ORDER BY comment.n`

const insertStatement = (rows: number): string =>
  `INSERT INTO search (rowid, text, title) VALUES ${Array(rows).fill(`(${ROWID_SQL}, ?, ?)`).join(', ')}`
/** Rows per statement in large inserts. */
const ROWS_PER_INSERT = 50
const INSERT_MANY = insertStatement(ROWS_PER_INSERT)
const INSERT_ONE = insertStatement(1)

/** Blocks without text get no row in the index. */
async function insertIntoIndex(
  tx: Transaction,
  rows: readonly BlockRow[],
  relatedTexts: ReadonlyMap<number, readonly string[]>,
  words: TextExtractor,
): Promise<void> {
  let values: unknown[] = []
  for (const row of rows) {
    const indexed = words(row, relatedTexts.get(row.n) ?? NO_TEXTS)
    // Awaiting values that are already available would be slow for thousands of rows.
    const { title, text } = indexed instanceof Promise ? await indexed : indexed
    if (title === '' && text === '') continue
    values.push(row.document, row.n, text, title)
    if (values.length < ROWS_PER_INSERT * 4) continue
    tx.sql(INSERT_MANY).run(values)
    values = []
  }
  for (let at = 0; at < values.length; at += 4) tx.sql(INSERT_ONE).run(values.slice(at, at + 4))
}

const NO_TEXTS: readonly string[] = []
