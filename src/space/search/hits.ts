/** Hits: the blocks of a scope that have a term, the newest documents first, read as far as they are needed. */
import { documentHits, documentsWithHits, findHits, type HitPlace } from '../../../storage/hits.ts'
import { breathe } from '../../breathe.ts'
import type { Space } from '../space.ts'
import type { Scope } from './scope.ts'

/** Hits that are read before other calls get their turn: some milliseconds. */
const AT_ONCE = 5_000
/** Documents of a scope that are asked one by one; with more of them all hits are read, and those of others dropped. */
const FEW = 64
/** Hits of a document that is asked for itself. */
const OF_DOCUMENT = 1_000

/**
 * What a query of the index finds in a scope. It counts and shows hits of the scope alone, so that what lies outside
 * of it changes nothing but the time.
 */
export class Hits {
  /** By document, each with the numbers of its blocks. */
  readonly byDocument = new Map<number, number[]>()
  /** Whether all hits were read. */
  isComplete = false
  count = 0
  /** The highest number of a document with a hit. */
  #newest = 0
  readonly #query: string
  readonly #atOnce: number
  #before: HitPlace | undefined

  /** @param isBegun  whether it asks for beginnings of words: SQLite gathers all hits of these, however few are read */
  constructor(query: string, isBegun: boolean) {
    this.#query = query
    this.#atOnce = isBegun ? AT_ONCE * 20 : AT_ONCE
  }

  /**
   * Read on until there are `most` hits, or no more. That there are more is known from the next hit of the scope, so
   * that it does not depend on any other.
   */
  async read(space: Space, scope: Scope, most: number): Promise<void> {
    if (this.isComplete) return
    if (scope.only !== undefined && scope.only.length <= FEW) {
      for (const document of scope.only) {
        await this.readDocument(space, document)
        await breathe()
      }
      this.isComplete = true
      return
    }
    for (;;) {
      const places = await findHits(space.tx, this.#query, this.#before, this.#atOnce)
      if (this.#take(places, scope, most)) return
      this.#before = places.at(-1)
      if (places.length < this.#atOnce) {
        this.isComplete = true
        return
      }
      await breathe()
    }
  }

  /** Whether there are more than `most` hits: then the others are left for the next time. */
  #take(places: readonly HitPlace[], scope: Scope, most: number): boolean {
    let [document, ns]: [number, number[] | undefined] = [-1, undefined]
    for (const [index, place] of places.entries()) {
      if (place[0] !== document) {
        document = place[0]
        ns = scope.has(document) ? this.#of(document) : undefined
      }
      if (ns === undefined) continue
      this.#newest = Math.max(this.#newest, document)
      if (this.count === most) {
        this.#before = places[index - 1] ?? this.#before
        if (ns.length === 0) this.byDocument.delete(document)
        return true
      }
      ns.push(place[1])
      this.count++
    }
    return false
  }

  /** Read the hits of one document, of which none were read before. */
  async readDocument(space: Space, document: number): Promise<void> {
    const found = await documentHits(space.tx, this.#query, document, OF_DOCUMENT)
    if (found.length === 0) return
    const ns = this.#of(document)
    for (const n of found) ns.push(n)
    this.count += found.length
  }

  /** From this number on every document of the scope with a hit is known; 0 when all are. */
  get reached(): number {
    return this.isComplete ? 0 : (this.#before?.[0] ?? Infinity)
  }

  /** About how many hits there are for each number that a document may have, by those that were read. */
  get density(): number {
    return this.count / Math.max(1, this.#newest - this.reached + 1)
  }

  /** Whether a document of the scope has a hit. */
  async has(space: Space, document: number): Promise<boolean> {
    if (document >= this.reached) return this.byDocument.has(document)
    return (await documentHits(space.tx, this.#query, document, 1)).length > 0
  }

  /** The documents of the scope with a hit, those with numbers from one on and below another; in no order. */
  async documentsBetween(space: Space, scope: Scope, from: number, to: number): Promise<number[]> {
    const documents: number[] = []
    if (from >= this.reached) {
      for (const document of this.byDocument.keys()) if (document >= from && document < to) documents.push(document)
      return documents
    }
    let after: HitPlace = [from, 0]
    for (;;) {
      const found = await documentsWithHits(space.tx, this.#query, after, to, this.#atOnce)
      for (const { document } of found) if (scope.has(document)) documents.push(document)
      const last = found.at(-1)
      if (last === undefined || found.reduce((sum, { hits }) => sum + hits, 0) < this.#atOnce) return documents
      after = [last.document, last.last]
      await breathe()
    }
  }

  #of(document: number): number[] {
    let ns = this.byDocument.get(document)
    if (ns === undefined) {
      ns = []
      this.byDocument.set(document, ns)
    }
    return ns
  }
}
