/** Hits: the blocks of a scope that have a term, the newest documents first, read as far as they are needed. */
import { findHits, type HitPlace } from '../../../storage/search.ts'
import { breathe } from '../breathe.ts'
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
  readonly #query: string
  #before: HitPlace | undefined

  constructor(query: string) {
    this.#query = query
  }

  /** Read on until there are `most` hits, or no more. */
  async read(space: Space, scope: Scope, most: number): Promise<void> {
    if (this.isComplete) return
    if (scope.only !== undefined && scope.only.length <= FEW) {
      for (const document of scope.only) await this.readDocument(space, document)
      this.isComplete = true
      return
    }
    while (!this.isComplete && this.count < most) {
      const places = await findHits(space.tx, this.#query, { before: this.#before }, AT_ONCE)
      this.#before = places.at(-1)
      this.isComplete = places.length < AT_ONCE
      let [document, ns]: [number, number[] | undefined] = [-1, undefined]
      for (const place of places) {
        if (place[0] !== document) {
          document = place[0]
          ns = scope.has(document) ? this.#of(document) : undefined
        }
        if (ns === undefined) continue
        ns.push(place[1])
        this.count++
      }
      await breathe()
    }
  }

  /** Read the hits of one document, of which none were read before. */
  async readDocument(space: Space, document: number): Promise<void> {
    const places = await findHits(space.tx, this.#query, { from: document, to: document }, OF_DOCUMENT)
    if (places.length === 0) return
    const ns = this.#of(document)
    for (const [, n] of places) ns.push(n)
    this.count += places.length
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
