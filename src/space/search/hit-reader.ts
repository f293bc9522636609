/**
 * Reads hits, the blocks of a scope that contain a term, from the newest documents to the oldest and only as far as
 * needed.
 */
import type { HitPlace, WordQuery } from '../../../storage/word-index.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import type { SearchScope } from './search-scope.ts'

/** Hits that are read before other calls get their turn. Takes some milliseconds. */
const HITS_PER_BATCH = 5_000
const LEAST_AT_ONCE = 500
/** Document numbers whose hits are scanned before other calls get their turn. Takes some milliseconds. */
export const NUMBERS_AT_ONCE = 100_000
/**
 * Scopes with at most this many documents are looked up one by one. For larger ones all hits are read, and those
 * outside of the scope are dropped.
 */
const MAX_SINGLE_DOCUMENTS = 64
/** The maximum number of hits that are read when a document is looked up. */
const HITS_PER_DOCUMENT = 1_000
/**
 * Looking up one document takes as long as scanning this many hits, because FTS5 starts over in each segment of the
 * index.
 */
const HITS_PER_LOOK_UP = 500

/**
 * The results of an index query within a scope. Only hits within the scope are counted and shown, so that content
 * outside of it affects nothing but the time.
 */
export class HitReader {
  /** The numbers of the blocks with hits, by document. */
  readonly byDocument = new Map<number, number[]>()
  /** True if all hits were read. */
  isComplete = false
  count = 0
  /** The highest and the lowest number of a document in the scope whose hits were read in order. */
  #newest = 0
  #oldest = 0
  /** The number of documents that were looked up individually, ahead of the sequential reading. */
  #lookedUp = 0
  readonly #query: WordQuery
  readonly #batchSize: number
  #position: HitPlace | undefined

  /** @param isPrefix  true for queries for prefixes: SQLite collects all of their hits, however few are read */
  constructor(query: WordQuery, isPrefix: boolean) {
    this.#query = query
    this.#batchSize = isPrefix ? HITS_PER_BATCH * 20 : HITS_PER_BATCH
  }

  /**
   * Reads until there are `limit` hits, or no more. Whether there are more is decided by the next hit within the scope,
   * so that it does not depend on anything outside.
   */
  async read(space: Space, scope: SearchScope, limit: number): Promise<void> {
    if (this.isComplete) return
    if (scope.documents !== undefined && scope.documents.length <= MAX_SINGLE_DOCUMENTS) {
      await this.#lookUp(space, scope.documents)
      this.isComplete = true
      return
    }
    for (;;) {
      // Some of them may be outside of the scope.
      const wanted = Math.min(this.#batchSize, Math.max(LEAST_AT_ONCE, Math.ceil((limit - this.count + 1) * 1.25)))
      const places = await space.tx.words.findHits(this.#query, this.#position, wanted)
      if (this.#collect(places, scope, limit)) return
      this.#position = places.at(-1)
      if (places.length < wanted) {
        this.isComplete = true
        return
      }
      await yieldToEventLoop()
    }
  }

  /** Adds hits. Returns true if there are more than `limit`; the rest is left for the next reading. */
  #collect(places: readonly HitPlace[], scope: SearchScope, limit: number): boolean {
    let [document, ns]: [number, number[] | undefined] = [-1, undefined]
    for (const [index, place] of places.entries()) {
      if (place[0] !== document) {
        document = place[0]
        ns = scope.has(document) ? this.#blocksOf(document) : undefined
      }
      if (ns === undefined) continue
      this.#newest = Math.max(this.#newest, document)
      if (this.count === limit) {
        this.#position = places[index - 1] ?? this.#position
        if (ns.length === 0) this.byDocument.delete(document)
        return true
      }
      ns.push(place[1])
      this.#oldest = document
      this.count++
    }
    return false
  }

  /** Reads the hits of documents in the scope for which none were read before. */
  async readDocuments(space: Space, documents: readonly number[]): Promise<void> {
    if (documents.length === 0) return
    const before = this.byDocument.size
    const [from, to] = [Math.min(...documents), Math.max(...documents) + 1]
    if (this.isQuickerToLookUp(documents.length, from, to)) await this.#lookUp(space, documents)
    else {
      for (const [least, end] of partsOf(from, to)) {
        for (const [document, n] of await space.tx.words.hitsInDocuments(this.#query, least, end, documents))
          this.#add(document, n)
        await yieldToEventLoop()
      }
    }
    this.#lookedUp += this.byDocument.size - before
  }

  async #lookUp(space: Space, documents: readonly number[]): Promise<void> {
    for (const document of documents) {
      const found = await space.tx.words.documentHits(this.#query, document, HITS_PER_DOCUMENT)
      for (const n of found) this.#add(document, n)
      await yieldToEventLoop()
    }
  }

  #add(document: number, n: number): void {
    this.#blocksOf(document).push(n)
    this.count++
  }

  /** True if looking up this many documents is faster than scanning all hits between two document numbers. */
  isQuickerToLookUp(documents: number, from: number, to: number): boolean {
    return documents * HITS_PER_LOOK_UP < this.density * (to - from)
  }

  /** The document number from which on all documents in the scope with a hit are known; 0 if all of them are. */
  get knownFrom(): number {
    return this.isComplete ? 0 : (this.#position?.[0] ?? Infinity)
  }

  /**
   * The number of documents in the scope with a hit. If not all hits were read, it is extrapolated from those that
   * were.
   *
   * @param size  the number of documents in the scope
   */
  documentCount(size: number): number {
    const read = this.byDocument.size - this.#lookedUp
    if (this.isComplete || read === 0) return read
    const part = (this.#newest - this.#oldest + 1) / this.#newest
    return Math.max(read, Math.min(size, Math.round(read / part)))
  }

  /** The estimated number of hits per document number, based on the hits that were read. */
  get density(): number {
    return this.count / (this.#newest - this.#oldest + 1)
  }

  /** True if a document of the scope has a hit. */
  async has(space: Space, document: number): Promise<boolean> {
    if (document >= this.knownFrom) return this.byDocument.has(document)
    return (await space.tx.words.documentHits(this.#query, document, 1)).length > 0
  }

  /**
   * Returns the documents of the scope with a hit and a number from `from` up to but not including `to`, in no
   * particular order.
   *
   * @param among  the only documents that matter, if given
   */
  async documentsBetween(
    space: Space,
    scope: SearchScope,
    from: number,
    to: number,
    among?: ReadonlySet<number>,
  ): Promise<ReadonlySet<number>> {
    const documents = new Set<number>()
    if (from >= this.knownFrom) {
      for (const document of this.byDocument.keys()) if (document >= from && document < to) documents.add(document)
      return documents
    }
    for (const [least, end] of partsOf(from, to)) {
      const found = await space.tx.words.documentsWithHits(this.#query, least, end, among && [...among])
      for (const document of found) if (scope.has(document)) documents.add(document)
      await yieldToEventLoop()
    }
    return documents
  }

  #blocksOf(document: number): number[] {
    let ns = this.byDocument.get(document)
    if (ns === undefined) {
      ns = []
      this.byDocument.set(document, ns)
    }
    return ns
  }
}

/** Splits a range of numbers, without its end, into smaller ranges. */
function* partsOf(from: number, to: number): Generator<[from: number, to: number]> {
  for (let least = from; least < to; least += NUMBERS_AT_ONCE) yield [least, Math.min(to, least + NUMBERS_AT_ONCE)]
}
