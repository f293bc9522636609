/** Hits: the blocks of a scope that have a term, the newest documents first, read as far as they are needed. */
import type { HitPlace, WordQuery } from '../../../storage/word-index.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import type { SearchScope } from './search-scope.ts'

/** Hits that are read before other calls get their turn: some milliseconds. */
const HITS_PER_BATCH = 5_000
const LEAST_AT_ONCE = 500
/** Numbers of documents whose hits are gone through before other calls get their turn: some milliseconds. */
export const NUMBERS_AT_ONCE = 100_000
/** Documents of a scope that are asked one by one; with more of them all hits are read, and those of others dropped. */
const MAX_SINGLE_DOCUMENTS = 64
/** Hits of a document that is asked for itself. */
const HITS_PER_DOCUMENT = 1_000
/** To look up one document takes as long as to go through so many hits: FTS5 begins with each part of the index. */
const HITS_PER_LOOK_UP = 500

/**
 * What a query of the index finds in a scope. It counts and shows hits of the scope alone, so that what lies outside
 * of it changes nothing but the time.
 */
export class HitReader {
  /** By document, each with the numbers of its blocks. */
  readonly byDocument = new Map<number, number[]>()
  /** Whether all hits were read. */
  isComplete = false
  count = 0
  /** The highest and the lowest number of a document of the scope of which hits were read. */
  #newest = 0
  #oldest = 0
  /** Documents that were looked up though their hits had not been read to there. */
  #lookedUp = 0
  readonly #query: WordQuery
  readonly #batchSize: number
  #position: HitPlace | undefined

  /** @param isPrefix  whether it asks for beginnings of words: SQLite gathers all hits of these, however few are read */
  constructor(query: WordQuery, isPrefix: boolean) {
    this.#query = query
    this.#batchSize = isPrefix ? HITS_PER_BATCH * 20 : HITS_PER_BATCH
  }

  /**
   * Read on until there are `most` hits, or no more. That there are more is known from the next hit of the scope, so
   * that it does not depend on any other.
   */
  async read(space: Space, scope: SearchScope, limit: number): Promise<void> {
    if (this.isComplete) return
    if (scope.documents !== undefined && scope.documents.length <= MAX_SINGLE_DOCUMENTS) {
      await this.#lookUp(space, scope.documents)
      this.isComplete = true
      return
    }
    for (;;) {
      // Some of them may lie outside of the scope.
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

  /** Whether there are more than `most` hits: then the others are left for the next time. */
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

  /** Read the hits of documents of the scope, of which none were read before. */
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

  /** Whether so many documents are sooner looked up than all hits between two numbers of documents gone through. */
  isQuickerToLookUp(documents: number, from: number, to: number): boolean {
    return documents * HITS_PER_LOOK_UP < this.density * (to - from)
  }

  /** From this number on every document of the scope with a hit is known; 0 when all are. */
  get knownFrom(): number {
    return this.isComplete ? 0 : (this.#position?.[0] ?? Infinity)
  }

  /**
   * How many documents of the scope have a hit: where not all were read, as many as if those that were not read were like
   * those that were.
   *
   * @param size  of the scope
   */
  documentCount(size: number): number {
    const read = this.byDocument.size - this.#lookedUp
    if (this.isComplete || read === 0) return read
    const part = (this.#newest - this.#oldest + 1) / this.#newest
    return Math.max(read, Math.min(size, Math.round(read / part)))
  }

  /** About how many hits there are for each number that a document may have, by those that were read. */
  get density(): number {
    return this.count / (this.#newest - this.#oldest + 1)
  }

  /** Whether a document of the scope has a hit. */
  async has(space: Space, document: number): Promise<boolean> {
    if (document >= this.knownFrom) return this.byDocument.has(document)
    return (await space.tx.words.documentHits(this.#query, document, 1)).length > 0
  }

  /**
   * The documents of the scope with a hit, those with numbers from one on and below another; in no order.
   *
   * @param among  the only ones that matter
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

/** The numbers from one on and below another, in parts. */
function* partsOf(from: number, to: number): Generator<[from: number, to: number]> {
  for (let least = from; least < to; least += NUMBERS_AT_ONCE) yield [least, Math.min(to, least + NUMBERS_AT_ONCE)]
}
