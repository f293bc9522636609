/**
 * The word index in SQLite: an FTS5 table, updated in the same transactions that change blocks. There are no triggers,
 * since they would take three times as long.
 */
import { setImmediate } from 'node:timers/promises'
import { relatedTexts } from '../related-texts.ts'
import { type BlockRow, block } from '../schema.ts'
import { selectFrom } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import type { BlockRange, HitPlace, IndexedTag, TextExtractor, WordIndex, WordQuery } from '../word-index.ts'
import { SQLITE } from './dialect.ts'
import type { PreparedStatements } from './prepared-statements.ts'
import * as search from './word-search.ts'

/** Changes of a transaction that are not yet indexed. */
interface PendingChanges {
  /** Blocks by number, with the row itself if it is new and complete. */
  changed: Map<number, BlockRow | undefined>
  /** Places of deleted rows. */
  gone: HitPlace[]
}

export class SqliteWordIndex implements WordIndex {
  readonly #connection: PreparedStatements & Pick<Transaction, 'all'>
  #loadExtractor: (() => Promise<TextExtractor>) | undefined
  #pending: PendingChanges = { changed: new Map(), gone: [] }

  constructor(connection: PreparedStatements & Pick<Transaction, 'all'>) {
    this.#connection = connection
  }

  /**
   * Enables indexing on this connection. Without it, blocks written on the connection cannot be found.
   *
   * @param load  called once, when there is something to index. Importing a module takes longer than indexing a block,
   * even if it is already loaded, and would make each transaction wait.
   */
  enable(load: () => Promise<TextExtractor>): void {
    let loading: Promise<TextExtractor> | undefined
    this.#loadExtractor = () => (loading ??= load())
  }

  noteInserted(rows: readonly BlockRow[]): void {
    if (this.#loadExtractor !== undefined) for (const row of rows) this.#pending.changed.set(row.n, row)
  }

  noteChanged(ns: Iterable<number>): void {
    if (this.#loadExtractor !== undefined) for (const n of ns) this.#pending.changed.set(n, undefined)
  }

  noteValues(items: Iterable<number>): void {
    if (this.#loadExtractor === undefined) return
    const { changed } = this.#pending
    for (const n of items) if (changed.get(n) === undefined) changed.set(n, undefined)
  }

  async noteRemoved(ns: readonly number[]): Promise<void> {
    if (this.#loadExtractor === undefined) return
    for (const place of this.#places(ns)) {
      this.#pending.gone.push(place)
      this.#pending.changed.delete(place[1])
    }
  }

  async noteItemsWithValues(column: 'property' | 'option', ns: readonly number[]): Promise<void> {
    if (this.#loadExtractor === undefined) return
    const items = this.#connection.sql<number>(
      `SELECT DISTINCT item FROM value WHERE ${column} IN (SELECT value FROM json_each(?))`,
    )
    this.noteChanged(items.pluck().all(JSON.stringify(ns)))
  }

  async findHits(query: WordQuery, before: HitPlace | undefined, limit: number): Promise<HitPlace[]> {
    return search.findHits(this.#connection, query, before, limit)
  }

  async documentHits(query: WordQuery, document: number, limit: number): Promise<number[]> {
    return search.documentHits(this.#connection, query, document, limit)
  }

  async documentsWithHits(
    query: WordQuery,
    from: number,
    to: number,
    documents?: readonly number[],
  ): Promise<number[]> {
    return search.documentsWithHits(this.#connection, query, from, to, documents)
  }

  async knownWords(stems: readonly string[]): Promise<string[]> {
    return search.knownWords(this.#connection, stems)
  }

  async wordsWithBeginning(beginning: string, limit: number): Promise<string[]> {
    return search.wordsWithBeginning(this.#connection, beginning, limit)
  }

  async hitsInDocuments(query: WordQuery, from: number, to: number, documents: readonly number[]): Promise<HitPlace[]> {
    return search.hitsInDocuments(this.#connection, query, from, to, documents)
  }

  async blocksThatMayContain(letters: readonly string[], range: BlockRange): Promise<HitPlace[]> {
    return search.blocksThatMayContain(this.#connection, letters, range)
  }

  /** Saves the current marks. @returns a function that restores them after a partial rollback */
  savePending(): () => void {
    const { changed, gone } = this.#pending
    const saved = { changed: new Map(changed), gone: [...gone] }
    return () => {
      this.#pending = saved
    }
  }

  /** Drops all marks after a rollback. */
  discardPending(): void {
    if (this.#pending.changed.size > 0 || this.#pending.gone.length > 0) {
      this.#pending = { changed: new Map(), gone: [] }
    }
  }

  /** Indexes everything marked since the last call. */
  async indexPending(): Promise<void> {
    const { changed, gone } = this.#pending
    if (this.#loadExtractor === undefined || (changed.size === 0 && gone.length === 0)) return
    this.discardPending()
    const words = await this.#loadExtractor()
    const newRows: BlockRow[] = []
    const changedNumbers: number[] = []
    for (const [n, row] of changed) {
      if (row === undefined) changedNumbers.push(n)
      else newRows.push(row)
    }
    for (let from = 0; from < changedNumbers.length; from += CHUNK_SIZE) {
      for (const place of this.#places(changedNumbers.slice(from, from + CHUNK_SIZE))) gone.push(place)
    }
    await this.#remove(gone)
    if (changedNumbers.length > 0) {
      for (const remove of [REMOVE_LINKS, REMOVE_TAGS]) this.#connection.sql(remove).run(JSON.stringify(changedNumbers))
    }
    for (let from = 0; from < changedNumbers.length; from += CHUNK_SIZE) {
      const rows = this.#rows(changedNumbers.slice(from, from + CHUNK_SIZE))
      await this.#insert(rows, await relatedTexts(this.#connection, rows), words)
      if (from + CHUNK_SIZE < changedNumbers.length || newRows.length > CHUNK_SIZE) await setImmediate()
    }
    for (let from = 0; from < newRows.length; from += CHUNK_SIZE) {
      const rows = newRows.length <= CHUNK_SIZE ? newRows : newRows.slice(from, from + CHUNK_SIZE)
      await this.#insert(rows, await relatedTexts(this.#connection, rows, false), words)
      if (from + CHUNK_SIZE < newRows.length) await setImmediate()
    }
  }

  /** Indexes the blocks that a migration left unindexed. */
  async indexUnindexed(onIndexed: OnIndexed = () => {}): Promise<void> {
    const total = this.#count('unindexed_block')
    const next = this.#connection.sql<number>('SELECT block FROM unindexed_block ORDER BY block LIMIT 10000').pluck()
    const done = this.#connection.sql('DELETE FROM unindexed_block WHERE block IN (SELECT value FROM json_each(?))')
    for (let numbers = next.all(); numbers.length > 0; numbers = next.all()) {
      this.noteChanged(numbers)
      onIndexed(total - this.#count('unindexed_block'), total)
      await this.indexPending()
      done.run(JSON.stringify(numbers))
    }
  }

  /** True if a migration left blocks to index. */
  hasUnindexed(): boolean {
    return this.#connection.sql<number>('SELECT EXISTS (SELECT 1 FROM unindexed_block)').pluck().get() === 1
  }

  /** Indexes a space created before the index existed. Does nothing if it is already indexed. */
  async indexAll(onIndexed: OnIndexed = () => {}): Promise<void> {
    if (!this.needsIndex()) return
    const total = this.#count('block')
    let done = 0
    const next = this.#connection
      .sql<number>('SELECT n FROM block WHERE n > CAST(? AS INTEGER) ORDER BY n LIMIT 10000')
      .pluck()
    for (let numbers = next.all(0); numbers.length > 0; numbers = next.all(numbers.at(-1))) {
      onIndexed(done, total)
      this.noteChanged(numbers)
      await this.indexPending()
      done += numbers.length
    }
  }

  /** True if there are blocks and none of them is indexed. */
  needsIndex(): boolean {
    const isMissing = 'SELECT EXISTS (SELECT 1 FROM block) AND NOT EXISTS (SELECT 1 FROM search_docsize)'
    return this.#connection.sql<number>(isMissing).pluck().get() === 1
  }

  #count(table: 'block' | 'unindexed_block'): number {
    return this.#connection.sql<number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0
  }

  #places(ns: readonly number[]): HitPlace[] {
    return this.#connection
      .sql<HitPlace>('SELECT document, n FROM block WHERE n IN (SELECT value FROM json_each(?))')
      .raw()
      .all(JSON.stringify(ns))
  }

  #rows(ns: readonly number[]): BlockRow[] {
    return this.#connection.sql<BlockRow>(BLOCKS_IN_INDEX_ORDER).all(JSON.stringify(ns))
  }

  /** Removes blocks from the index. Blocks that are not in it are ignored. */
  async #remove(places: HitPlace[]): Promise<void> {
    if (places.length === 0) return
    // FTS5 flushes its buffer when a rowid follows a higher one.
    places.sort(([oneDocument, one], [otherDocument, other]) => oneDocument - otherDocument || one - other)
    const isLarge = places.length > CHUNK_SIZE
    if (isLarge) this.#connection.sql(DISABLE_AUTOMERGE).run()
    const deleteRow = this.#connection.sql(`DELETE FROM search WHERE rowid = ${search.ROWID_SQL}`)
    for (const [index, place] of places.entries()) {
      deleteRow.run(place)
      if (index % CHUNK_SIZE === CHUNK_SIZE - 1) await setImmediate()
    }
    if (isLarge) await this.#merge(places.length)
  }

  /** Merges the rest of the index in steps after a large deletion. */
  async #merge(removed: number): Promise<void> {
    const changes = this.#connection.sql<number>('SELECT total_changes()').pluck()
    let [before, after] = [-MIN_CHANGES, changes.get() ?? 0]
    for (let step = 0; step * ROWS_PER_MERGE < removed && after - before >= MIN_CHANGES; step++) {
      before = after
      this.#connection.sql(MERGE_STEP).run()
      after = changes.get() ?? 0
      await setImmediate()
    }
    this.#connection.sql(ENABLE_AUTOMERGE).run()
  }

  /** Records the links of a block. Former UUIDs become IDs; UUIDs that are unknown in this space are left out. */
  async #insertLinks(block: number, targets: readonly string[]): Promise<void> {
    for (let from = 0; from < targets.length; from += CHUNK_SIZE) {
      this.#connection.sql(INSERT_LINKS).run(block, JSON.stringify(targets.slice(from, from + CHUNK_SIZE)))
      if (from + CHUNK_SIZE < targets.length) await setImmediate()
    }
  }

  async #insertTags(block: number, tags: readonly IndexedTag[]): Promise<void> {
    for (let from = 0; from < tags.length; from += CHUNK_SIZE) {
      this.#connection.sql(INSERT_TAGS).run(block, JSON.stringify(tags.slice(from, from + CHUNK_SIZE)))
      if (from + CHUNK_SIZE < tags.length) await setImmediate()
    }
  }

  /** Adds blocks to the index. Blocks without text get no row. */
  async #insert(
    rows: readonly BlockRow[],
    related: ReadonlyMap<number, readonly string[]>,
    words: TextExtractor,
  ): Promise<void> {
    let values: unknown[] = []
    for (const row of rows) {
      const indexed = words(row, related.get(row.n) ?? NO_TEXTS)
      // Awaiting values that are already available would be slow for thousands of rows.
      const { title, text, targets, tags = NO_TAGS } = indexed instanceof Promise ? await indexed : indexed
      if (targets !== undefined) await this.#insertLinks(row.n, targets)
      if (tags.length > 0) await this.#insertTags(row.n, tags)
      if (title === '' && text === '') continue
      values.push(row.document, row.n, text, title)
      if (values.length < ROWS_PER_INSERT * 4) continue
      this.#connection.sql(INSERT_MANY).run(values)
      values = []
    }
    for (let at = 0; at < values.length; at += 4) this.#connection.sql(INSERT_ONE).run(values.slice(at, at + 4))
  }
}

/** Blocks to index before yielding: a few milliseconds of work. */
const CHUNK_SIZE = 500

/** FTS5 merges pages of the index after this many deleted rows. By default, it does all of it without a pause. */
const ROWS_PER_MERGE = 64
const DISABLE_AUTOMERGE = `INSERT INTO search (search, rank) VALUES ('automerge', 0)`
const ENABLE_AUTOMERGE = `INSERT INTO search (search, rank) VALUES ('automerge', 8)`
/** Writes at most this many pages: a few milliseconds of work. */
const MERGE_STEP = `INSERT INTO search (search, rank) VALUES ('merge', 16)`
/** A step with fewer changes has found nothing to merge. Source: FTS5's documentation, "The 'merge' Command". */
const MIN_CHANGES = 2

const BLOCKS_IN_INDEX_ORDER = `${SQLITE.compile(selectFrom(block)).sql} WHERE n IN (SELECT value FROM json_each(?)) ORDER BY document, n`

const insertStatement = (rows: number): string =>
  `INSERT INTO search (rowid, text, title) VALUES ${Array(rows).fill(`(${search.ROWID_SQL}, ?, ?)`).join(', ')}`
/** Rows per statement in large inserts. */
const ROWS_PER_INSERT = 50
const INSERT_MANY = insertStatement(ROWS_PER_INSERT)
const INSERT_ONE = insertStatement(1)

const REMOVE_LINKS = 'DELETE FROM block_link WHERE block IN (SELECT value FROM json_each(?))'
/**
 * SQL that resolves targets, given as texts by {@link IndexedText}, to IDs. A target with dashes is a UUID, and is
 * looked up.
 */
const resolveTargets = (texts: string): string => `SELECT coalesce(former_id.id, CAST(one.value AS INTEGER)) AS target
  FROM ${texts} AS one LEFT JOIN former_id ON former_id.former = one.value
  WHERE former_id.id IS NOT NULL OR one.value NOT LIKE '%-%'`
const INSERT_LINKS = `INSERT OR IGNORE INTO block_link (block, target)
  SELECT ?, target FROM (${resolveTargets('json_each(?)')})`
const REMOVE_TAGS = 'DELETE FROM block_tag WHERE block IN (SELECT value FROM json_each(?))'
/** Of tags, as JSON: see {@link IndexedTag}. */
export const INSERT_TAGS = `INSERT OR IGNORE INTO block_tag (block, tag, name, is_property)
  SELECT ?, value ->> 'tag', value ->> 'name', value ->> 'isProperty' FROM json_each(?)`
/** SQL that resolves one target to its ID. */
export const RESOLVE_TARGET = resolveTargets('(SELECT ? AS value)')

/** Receives how many of the blocks to index are indexed. */
type OnIndexed = (done: number, total: number) => void

const NO_TEXTS: readonly string[] = []
const NO_TAGS: readonly IndexedTag[] = []
