/**
 * The word index in PostgreSQL: our own postings, written in the same transactions that change blocks. Matching and
 * ranking use the same code as for SQLite.
 *
 * `indexed_block` has the stems of each block, in their order in the text. `posting` says which blocks contain a stem.
 * A row covers 32 block numbers of one document, one bit each, since the blocks of a document mostly have consecutive
 * numbers.
 */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { relatedTexts } from '../related-texts.ts'
import { type BlockRow, block } from '../schema.ts'
import { jsonList, listOf, selectFrom, statement } from '../statement.ts'
import type { BlockRange, HitPlace, IndexedTag, WordIndex, WordQuery, WordTools } from '../word-index.ts'
import type { DatabaseTransaction } from './database-transaction.ts'
import { PostingChanges } from './posting-changes.ts'
import * as search from './word-search.ts'

/** Blocks to index before yielding: a few milliseconds of work. */
const CHUNK_SIZE = 500

/** Loads the functions that split texts into words. Called only when there is something to index or to search for. */
export type WordToolsLoader = () => Promise<WordTools>

const IN_INDEX_ORDER = statement<BlockRow>(
  (dialect) => sql`${selectFrom(block)} WHERE n IN ${listOf(dialect, 'ns', 'integer')} ORDER BY document, n`,
)

/** A row of `indexed_block`. */
interface IndexedBlock {
  block: number
  document: number
  words: string
}

export class PostgresWordIndex implements WordIndex {
  readonly #tx: DatabaseTransaction
  readonly #loadTools: WordToolsLoader | undefined
  /** Blocks to index by number, with the row itself if it is new and complete. */
  #changed = new Map<number, BlockRow | undefined>()
  #gone = new Set<number>()

  /** @param loadTools  if absent, nothing is indexed, so blocks that are written cannot be found */
  constructor(tx: DatabaseTransaction, loadTools: WordToolsLoader | undefined) {
    this.#tx = tx
    this.#loadTools = loadTools
  }

  noteInserted(rows: readonly BlockRow[]): void {
    for (const row of rows) this.#changed.set(row.n, row)
  }

  noteChanged(ns: Iterable<number>): void {
    for (const n of ns) this.#changed.set(n, undefined)
  }

  noteValues(items: Iterable<number>): void {
    for (const n of items) if (this.#changed.get(n) === undefined) this.#changed.set(n, undefined)
  }

  async noteRemoved(ns: readonly number[]): Promise<void> {
    for (const n of ns) {
      this.#gone.add(n)
      this.#changed.delete(n)
    }
  }

  async noteItemsWithValues(column: 'property' | 'option', ns: readonly number[]): Promise<void> {
    const { rows } = await this.#tx.query<{ item: number }>(
      `SELECT DISTINCT item FROM value WHERE ${column} = ANY($1::bigint[])`,
      [ns],
    )
    this.noteChanged(rows.map(({ item }) => item))
  }

  /** Saves the current marks. @returns a function that restores them after a partial rollback */
  savePending(): () => void {
    const [changed, gone] = [new Map(this.#changed), new Set(this.#gone)]
    return () => {
      this.#changed = changed
      this.#gone = gone
    }
  }

  async findHits(query: WordQuery, before: HitPlace | undefined, limit: number): Promise<HitPlace[]> {
    return search.findHits(this.#tx, await this.#stemmed(query), before, limit)
  }

  async documentHits(query: WordQuery, document: number, limit: number): Promise<number[]> {
    return search.documentHits(this.#tx, await this.#stemmed(query), document, limit)
  }

  async documentsWithHits(
    query: WordQuery,
    from: number,
    to: number,
    documents?: readonly number[],
  ): Promise<number[]> {
    const hits = await search.hitsBetween(this.#tx, await this.#stemmed(query), from, to, documents)
    return hits.map(([document]) => document)
  }

  async hitsInDocuments(query: WordQuery, from: number, to: number, documents: readonly number[]): Promise<HitPlace[]> {
    return search.hitsBetween(this.#tx, await this.#stemmed(query), from, to, documents)
  }

  knownWords(stems: readonly string[]): Promise<string[]> {
    return search.knownWords(this.#tx, stems)
  }

  wordsWithBeginning(beginning: string, limit: number): Promise<string[]> {
    return search.wordsWithBeginning(this.#tx, beginning, limit)
  }

  blocksThatMayContain(letters: readonly string[], range: BlockRange): Promise<HitPlace[]> {
    return search.blocksThatMayContain(this.#tx, letters, range)
  }

  /** Drops all marks after a rollback. */
  discardPending(): void {
    this.#changed = new Map()
    this.#gone = new Set()
  }

  /**
   * Marks blocks that a migration left unindexed, at most `limit`.
   *
   * @returns their number: 0 if none are left
   */
  async noteUnindexed(limit: number): Promise<number> {
    const { rows } = await this.#tx.query<{ block: number }>(
      `DELETE FROM unindexed_block WHERE block IN (SELECT block FROM unindexed_block ORDER BY block LIMIT $1)
       RETURNING block`,
      [limit],
    )
    this.noteChanged(rows.map(({ block }) => block))
    return rows.length
  }

  /** Indexes everything marked since the last call. */
  async indexPending(): Promise<void> {
    const [changed, gone] = [this.#changed, this.#gone]
    if (this.#loadTools === undefined || (changed.size === 0 && gone.size === 0)) return
    this.discardPending()
    const tools = await this.#loadTools()
    const goneForGood = [...gone].filter((n) => !changed.has(n))
    for (let from = 0; from < goneForGood.length; from += CHUNK_SIZE) {
      await this.#replace(goneForGood.slice(from, from + CHUNK_SIZE), [])
      if (from + CHUNK_SIZE < goneForGood.length) await setImmediate()
    }
    const numbers = [...changed.keys()]
    for (let from = 0; from < numbers.length; from += CHUNK_SIZE) {
      await this.#indexChunk(numbers.slice(from, from + CHUNK_SIZE), changed, gone, tools)
      if (from + CHUNK_SIZE < numbers.length) await setImmediate()
    }
  }

  async #indexChunk(
    numbers: readonly number[],
    changed: ReadonlyMap<number, BlockRow | undefined>,
    gone: ReadonlySet<number>,
    tools: WordTools,
  ): Promise<void> {
    const newRows = numbers.flatMap((n) => changed.get(n) ?? [])
    const unread = numbers.filter((n) => changed.get(n) === undefined)
    const known = numbers.filter((n) => changed.get(n) === undefined || gone.has(n))
    const rows = unread.length === 0 ? [] : await this.#tx.all(IN_INDEX_ORDER, { ns: jsonList(unread) })
    const related = [
      ...(await relatedTexts(this.#tx, newRows, false)),
      ...(rows.length === 0 ? [] : await relatedTexts(this.#tx, rows)),
    ]
    const texts = new Map(related)
    const indexed: IndexedBlock[] = []
    const links: [block: number, target: string][] = []
    const tagged: (IndexedTag & { block: number })[] = []
    for (const row of [...newRows, ...rows]) {
      const extracted = tools.extract(row, texts.get(row.n) ?? [])
      // Awaiting values that are already available would be slow for thousands of rows.
      const { title, text, targets = [], tags = [] } = extracted instanceof Promise ? await extracted : extracted
      for (const target of targets) links.push([row.n, target])
      for (const tag of tags) tagged.push({ ...tag, block: row.n })
      const words = search.indexedStems(tools, title, text)
      if (words !== '') indexed.push({ block: row.n, document: row.document, words })
    }
    await Promise.all([this.#replace(known, indexed), this.#replaceLinks(known, links, tagged)])
  }

  /**
   * Updates the index entries of blocks.
   *
   * @param known  blocks that may already be indexed
   * @param indexed  the new entries; blocks of `known` without one have no words any more
   */
  async #replace(known: readonly number[], indexed: readonly IndexedBlock[]): Promise<void> {
    const before = known.length === 0 ? [] : (await this.#tx.query<IndexedBlock>(BLOCKS, [known])).rows
    const now = new Map(indexed.map((one) => [one.block, one]))
    const changes = new PostingChanges()
    const removed: number[] = []
    for (const { block: n, document, words } of before) {
      const after = now.get(n)
      if (after === undefined) removed.push(n)
      if (after?.document === document && after.words === words) now.delete(n)
      else changes.remove(words, document, n)
    }
    for (const { block: n, document, words } of now.values()) changes.add(words, document, n)
    const written = [...now.values()]
    const blocks: [number[], number[], string[]] = [
      written.map(({ block: n }) => n),
      written.map(({ document }) => document),
      written.map(({ words }) => words),
    ]
    await Promise.all([
      ...changes
        .statements(written.length === 0 ? undefined : blocks)
        .map(({ text, values }) => this.#tx.query(text, values)),
      removed.length > 0 && this.#tx.query('DELETE FROM indexed_block WHERE block = ANY($1::bigint[])', [removed]),
    ])
  }

  /**
   * Records the links and tags of blocks. Former UUIDs become IDs; UUIDs that are unknown in this space are left out.
   *
   * @param known  blocks that may already have some
   */
  async #replaceLinks(
    known: readonly number[],
    links: readonly [number, string][],
    tags: readonly (IndexedTag & { block: number })[],
  ): Promise<void> {
    await Promise.all([
      known.length > 0 && this.#tx.query(DELETE_LINKS, [known]),
      links.length > 0 && this.#tx.query(INSERT_LINKS, [links.map(([n]) => n), links.map(([, target]) => target)]),
      tags.length > 0 &&
        this.#tx.query(INSERT_TAGS, [
          tags.map(({ block }) => block),
          tags.map(({ tag }) => tag),
          tags.map(({ name }) => name),
          tags.map(({ isProperty }) => Number(isProperty)),
        ]),
    ])
  }

  async #stemmed(query: WordQuery): Promise<search.StemmedQuery> {
    const tools = await this.#loadTools?.()
    if (tools === undefined) throw new Error('Expected a space with an index of words.')
    return query.map(({ words, isPrefix = false }) => ({ stems: words.map(tools.stem), isPrefix }))
  }
}

/** One statement for both tables. */
const DELETE_LINKS = `WITH links AS (DELETE FROM block_link WHERE block = ANY($1::bigint[]))
  DELETE FROM block_tag WHERE block = ANY($1::bigint[])`
const BLOCKS = 'SELECT block, document, words FROM indexed_block WHERE block = ANY($1::bigint[])'
/** A target with dashes is a UUID, and is looked up. */
const INSERT_LINKS = `INSERT INTO block_link (block, target)
  SELECT DISTINCT given.block, coalesce(former_id.id, CASE WHEN given.target NOT LIKE '%-%' THEN given.target::bigint END)
  FROM unnest($1::bigint[], $2::text[]) AS given (block, target)
    LEFT JOIN former_id ON former_id.former = given.target
  WHERE former_id.id IS NOT NULL OR given.target NOT LIKE '%-%'
  ON CONFLICT DO NOTHING`
const INSERT_TAGS = `INSERT INTO block_tag (block, tag, name, is_property)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[]) ON CONFLICT DO NOTHING`
