/**
 * The index of words, kept in the transactions that change what blocks say.
 *
 * Whoever writes a row notes it here, and what was noted is indexed once, before COMMIT: an item that gets its values
 * after its block, or a block that is changed twice, is read only as it is in the end. There are no triggers, which
 * would take three times as long.
 */
import { setImmediate } from 'node:timers/promises'
import { selectColumns } from '../columns.ts'
import { type BlockRow, block } from '../schema.ts'
import type { Transaction } from '../sqlite/connection.ts'
import { type HitPlace, ROWID } from './full-text.ts'

/** What is indexed of a block, as words that SQLite can tell apart. */
export interface IndexedText {
  /** Of a page, item or collection. */
  title: string
  text: string
}

/** Makes the words of a block and of what is said beside it: values of an item, and comments. */
export type Words = (row: BlockRow, beside: readonly string[]) => IndexedText | Promise<IndexedText>

/** What a transaction has changed and is still to be indexed. */
interface Pending {
  words: () => Promise<Words>
  /** By number; the row itself where it is new and complete. */
  changed: Map<number, BlockRow | undefined>
  /** Where rows stood that are no longer there. */
  gone: HitPlace[]
}

const pendings = new WeakMap<Transaction, Pending>()

/**
 * Keep the index on this connection; without it what is written there is not found.
 *
 * @param load  called once, when there is something to index: an import takes longer than to index a block, even of a
 *   module that is loaded already, and the transaction would wait for it
 */
export function keepIndex(tx: Transaction, load: () => Promise<Words>): void {
  let loading: Promise<Words> | undefined
  const words = () => (loading ??= load())
  pendings.set(tx, { words, changed: new Map(), gone: [] })
}

/** Note new rows. */
export function noteInserted(tx: Transaction, rows: readonly BlockRow[]): void {
  const pending = pendings.get(tx)
  if (pending !== undefined) for (const row of rows) pending.changed.set(row.n, row)
}

/** Note blocks that say something else, or of which something else is said. */
export function noteChanged(tx: Transaction, ns: Iterable<number>): void {
  const pending = pendings.get(tx)
  if (pending !== undefined) for (const n of ns) pending.changed.set(n, undefined)
}

/** Note items whose values changed; of one that is new the row is still as it was. */
export function noteValues(tx: Transaction, items: Iterable<number>): void {
  const pending = pendings.get(tx)
  if (pending === undefined) return
  for (const n of items) if (pending.changed.get(n) === undefined) pending.changed.set(n, undefined)
}

/** Note, before it happens, that blocks go: altogether, or to another document. */
export function noteGone(tx: Transaction, ns: readonly number[]): void {
  const pending = pendings.get(tx)
  if (pending === undefined) return
  for (const place of placesOf(tx, ns)) {
    pending.gone.push(place)
    pending.changed.delete(place[1])
  }
}

/** Note the items that have a value of this property or option. */
export function noteItems(tx: Transaction, column: 'property' | 'option', n: number): void {
  if (!pendings.has(tx)) return
  const items = tx.sql<number>(`SELECT DISTINCT item FROM value WHERE ${column} = CAST(? AS INTEGER)`)
  noteChanged(tx, items.pluck().all(n))
}

/** Forget what was noted: it was rolled back. */
export function forgetPending(tx: Transaction): void {
  const pending = pendings.get(tx)
  if (pending !== undefined) Object.assign(pending, { changed: new Map(), gone: [] })
}

/** Blocks that are indexed before other calls get their turn: some milliseconds. */
const AT_ONCE = 500

/** Index what was noted since the last time. */
export async function indexPending(tx: Transaction): Promise<void> {
  const pending = pendings.get(tx)
  if (pending === undefined || (pending.changed.size === 0 && pending.gone.length === 0)) return
  const { changed, gone } = pending
  forgetPending(tx)
  const words = await pending.words()
  const fresh: BlockRow[] = []
  const others: number[] = []
  for (const [n, row] of changed) {
    if (row === undefined) others.push(n)
    else fresh.push(row)
  }
  for (let from = 0; from < others.length; from += AT_ONCE) {
    for (const place of placesOf(tx, others.slice(from, from + AT_ONCE))) gone.push(place)
  }
  await remove(tx, gone)
  for (let from = 0; from < others.length; from += AT_ONCE) {
    const rows = readRows(tx, others.slice(from, from + AT_ONCE))
    await insert(tx, rows, beside(tx, rows, true), words)
    if (from + AT_ONCE < others.length || fresh.length > AT_ONCE) await setImmediate()
  }
  for (let from = 0; from < fresh.length; from += AT_ONCE) {
    const rows = fresh.length <= AT_ONCE ? fresh : fresh.slice(from, from + AT_ONCE)
    await insert(tx, rows, beside(tx, rows, false), words)
    if (from + AT_ONCE < fresh.length) await setImmediate()
  }
}

/** Take blocks out of the index, wherever they have words in it. */
async function remove(tx: Transaction, places: HitPlace[]): Promise<void> {
  if (places.length === 0) return
  // FTS5 writes out what it has gathered when a rowid comes after a higher one.
  places.sort(([oneDocument, one], [otherDocument, other]) => oneDocument - otherDocument || one - other)
  const areMany = places.length > AT_ONCE
  if (areMany) tx.sql(MERGE_LATER).run()
  const one = tx.sql(`DELETE FROM search WHERE rowid = ${ROWID}`)
  for (const [index, place] of places.entries()) {
    one.run(place)
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate()
  }
  if (areMany) await merge(tx, places.length)
}

/** FTS5 merges pages of the index for so many rows that went, and would do all of it in one go by itself. */
const ROWS_PER_MERGE = 64
const MERGE_LATER = `INSERT INTO search (search, rank) VALUES ('automerge', 0)`
const MERGE_AGAIN = `INSERT INTO search (search, rank) VALUES ('automerge', 8)`
/** Writes so many pages at most: some milliseconds. */
const MERGE_SOME = `INSERT INTO search (search, rank) VALUES ('merge', 16)`
/** A step that writes less has found nothing to merge: FTS5's documentation, "The 'merge' Command". */
const LEAST_CHANGES = 2

/** Merge what is left of the index part by part, where many rows went at once. */
async function merge(tx: Transaction, removed: number): Promise<void> {
  const changes = tx.sql<number>('SELECT total_changes()').pluck()
  let [before, after] = [-LEAST_CHANGES, changes.get() ?? 0]
  for (let step = 0; step * ROWS_PER_MERGE < removed && after - before >= LEAST_CHANGES; step++) {
    before = after
    tx.sql(MERGE_SOME).run()
    after = changes.get() ?? 0
    await setImmediate()
  }
  tx.sql(MERGE_AGAIN).run()
}

/** Index a space that was made before there was an index; nothing where there is one. */
export async function indexAll(tx: Transaction): Promise<void> {
  if (!needsIndex(tx)) return
  const next = tx.sql<number>('SELECT n FROM block WHERE n > CAST(? AS INTEGER) ORDER BY n LIMIT 10000').pluck()
  for (let numbers = next.all(0); numbers.length > 0; numbers = next.all(numbers.at(-1))) {
    noteChanged(tx, numbers)
    await indexPending(tx)
  }
}

/** Whether there are blocks and not one of them is indexed. */
export const needsIndex = (tx: Transaction): boolean =>
  tx.sql<number>('SELECT EXISTS (SELECT 1 FROM block) AND NOT EXISTS (SELECT 1 FROM search_docsize)').pluck().get() ===
  1

const ROWS = selectColumns(block)

const placesOf = (tx: Transaction, ns: readonly number[]): HitPlace[] =>
  tx
    .sql<HitPlace>('SELECT document, n FROM block WHERE n IN (SELECT value FROM json_each(?))')
    .raw()
    .all(JSON.stringify(ns))

const readRows = (tx: Transaction, ns: readonly number[]): BlockRow[] =>
  tx.sql<BlockRow>(`${ROWS} WHERE n IN (SELECT value FROM json_each(?)) ORDER BY document, n`).all(JSON.stringify(ns))

/**
 * What is said of these blocks beside their own text: of items the values (but those that lead to other blocks, whose
 * words are not theirs), and the comments on any.
 */
export function besideBlocks(tx: Transaction, rows: readonly BlockRow[]): ReadonlyMap<number, string[]> {
  return beside(tx, rows, true)
}

function beside(tx: Transaction, rows: readonly BlockRow[], commented: boolean): Map<number, string[]> {
  const found = new Map<number, string[]>()
  const add = ([n, said]: [number, string | number]) => {
    const texts = found.get(n)
    if (texts === undefined) found.set(n, [String(said)])
    else texts.push(String(said))
  }
  const items = rows.filter(({ type }) => type === 'collectionItem')
  if (items.length > 0) tx.sql<[number, string | number]>(VALUES).raw().all(numbersOf(items)).forEach(add)
  if (commented) tx.sql<[number, string]>(COMMENTS).raw().all(numbersOf(rows)).forEach(add)
  return found
}

const numbersOf = (rows: readonly BlockRow[]): string => JSON.stringify(rows.map(({ n }) => n))

const VALUES = `SELECT value.item, coalesce(value.text, option.name, value.number)
  FROM json_each(?) AS one CROSS JOIN value ON value.item = one.value
    CROSS JOIN property ON property.n = value.property LEFT JOIN option ON option.n = value.option
  WHERE value.target IS NULL AND property.type <> 'boolean' ORDER BY value.item, property.position, value.ordinal`
const COMMENTS = `SELECT comment.block, comment.content FROM json_each(?) AS one
  CROSS JOIN comment ON comment.block = one.value ORDER BY comment.n`

const insertOf = (rows: number): string =>
  `INSERT INTO search (rowid, text, title) VALUES ${Array(rows).fill(`(${ROWID}, ?, ?)`).join(', ')}`
/** Rows that one statement inserts where there are many. */
const ROWS_AT_ONCE = 50
const INSERT_MANY = insertOf(ROWS_AT_ONCE)
const INSERT_ONE = insertOf(1)

/** Rows that say nothing have no row in the index. */
async function insert(
  tx: Transaction,
  rows: readonly BlockRow[],
  said: ReadonlyMap<number, readonly string[]>,
  words: Words,
): Promise<void> {
  let values: unknown[] = []
  for (const row of rows) {
    const made = words(row, said.get(row.n) ?? NOTHING)
    // To wait for what is there already would take a while of thousands of rows.
    const { title, text } = made instanceof Promise ? await made : made
    if (title === '' && text === '') continue
    values.push(row.document, row.n, text, title)
    if (values.length < ROWS_AT_ONCE * 4) continue
    tx.sql(INSERT_MANY).run(values)
    values = []
  }
  for (let at = 0; at < values.length; at += 4) tx.sql(INSERT_ONE).run(values.slice(at, at + 4))
}

const NOTHING: readonly string[] = []
