/**
 * Ranks documents by terms: bm25, in a form that only looks at what the connection reaches.
 *
 * FTS5's own bm25() weighs a term by how many rows of the whole file have it, and a row by the mean length of all:
 * what is hidden would move scores, and so order. Here a term weighs by the documents of the scope that have it,
 * idf = ln(1 + (N - df + ½) / (df + ½)); lengths are compared with a constant. A document scores by
 *
 * - its best block: the terms that stand together in one block, each by its frequency there, saturated;
 * - how many of its blocks have each term, saturated too;
 * - the terms in its title: if these are all, more than any number of them in text, and less the fewer they are;
 *
 * and up to a twentieth more where it was changed lately.
 *
 * Common words have hits by the hundred thousand, and what they add is little. So the newest hits are read first, and
 * more only while too few documents have been found: whether a document meets the terms is always exact, and its
 * place is reckoned from the hits that were read.
 */
import { changeTimes } from '../../../storage/hits.ts'
import { breathe } from '../../breathe.ts'
import type { Space } from '../space.ts'
import { HIT_LIMITS, readHits, type TermHits } from './read-hits.ts'
import type { Scope } from './scope.ts'
import type { Entry, Term } from './terms.ts'

/** Documents that are scored before a look at the clock, which takes as long as to score one. */
const SCORED_AT_ONCE = 64
/** Documents whose place is reckoned to the end: by their texts, and when they were changed. */
export const LOOKED_AT = 30
const RECENT_AMONG = 200

/** Weights: of the spread over blocks; of the title, and more where it has all terms; of words that only begin as they should. */
const SPREAD = 0.5
const TITLE = 1
const TITLE_OF_ALL = 3
const BEGUN = 0.6
/** How soon further occurrences add little (bm25's k1). */
const SATURATION = 1.2
/** The boost of a document that was changed now, and milliseconds after which half of it is left. */
const RECENT = 0.05
const HALF_LIFE = 30 * 86_400_000

/** A document that meets all entries. */
export interface Ranked {
  n: number
  score: number
}

/** What the blocks of a document weigh that have any of the terms, by number. */
export type Worths = ReadonlyMap<number, number>

export interface Ranking {
  /** All that were found, the best first; the first of them are reckoned to the end. */
  ranked: Ranked[]
  blocksOf(document: number): Worths
  /** Weight of each term, in the order of the entries and their terms. */
  weights: ReadonlyMap<Term, number>
  /** Entries, or of entries that are met the terms, that no document of the scope has. */
  unmet: readonly string[]
  missing: readonly string[]
  /** Whether words that only begin so were looked for. */
  isBegun: boolean
}

interface Asked extends TermHits {
  weight: number
}

/** @param limits  how much is read at once, which changes no answer of a small space */
export async function rankDocuments(
  space: Space,
  scope: Scope,
  entries: readonly Entry[],
  limits = HIT_LIMITS,
): Promise<Ranking> {
  const { terms, met } = await readHits(space, scope, entries, limits)
  const asked = terms.map((one): Asked => ({ ...one, weight: idf(scope.size, one.hits.documentCount(scope.size)) }))
  const all = asked.reduce((sum, { weight }) => sum + weight, 0)
  const ranked: Ranked[] = []
  for (const n of met.keys()) {
    ranked.push({ n, score: scoreOf(n, asked, all) })
    if (ranked.length % SCORED_AT_ONCE === 0) await breathe()
  }
  ranked.sort(byScore)
  await boostRecent(space, ranked)
  const unmet = entries.filter((_, index) => asked.every(({ entry, hits }) => entry !== index || hits.count === 0))
  const missing = asked.filter(({ hits, entry }) => hits.count === 0 && !unmet.includes(entries[entry] as Entry))
  return {
    ranked,
    blocksOf: (document) => worthsIn(document, asked),
    weights: new Map(asked.map(({ term, weight }) => [term, weight])),
    isBegun: asked.some(({ whole }) => whole !== undefined),
    unmet: unmet.map(({ asked }) => asked),
    missing: missing.map(({ term }) => term.asked),
  }
}

const idf = (size: number, having: number): number => Math.log(1 + Math.max(0, size - having + 0.5) / (having + 0.5))

/** What a number of occurrences counts: 1 for one, never more than 2.2. */
export const saturated = (count: number, length = 1): number =>
  (count * (SATURATION + 1)) / (count + SATURATION * length)

/** @param all  what all terms weigh together */
function scoreOf(n: number, asked: readonly Asked[], all: number): number {
  let best = 0
  let spread = 0
  let title = 0
  for (const one of asked) {
    const ns = one.hits.byDocument.get(n)
    if (ns === undefined) continue
    let most = 0
    for (const block of ns) {
      const worth = worthOf(block, one)
      most = Math.max(most, worth)
      // The root of a document has its number, and its title.
      if (block === n) title += worth
    }
    best = Math.max(best, most)
    spread += saturated(ns.length) * most
  }
  // Of several terms some may stand together.
  if (asked.length > 1) best = heaviest(worthsIn(n, asked))
  const titled = all > 0 ? title * (TITLE + (TITLE_OF_ALL * title) / all) : 0
  return best + SPREAD * spread + titled
}

const worthOf = (block: number, { whole, weight }: Asked): number =>
  weight * (whole === undefined || whole.has(block) ? 1 : BEGUN)

function worthsIn(document: number, asked: readonly Asked[]): Worths {
  const worths = new Map<number, number>()
  for (const one of asked) {
    for (const block of one.hits.byDocument.get(document) ?? []) {
      worths.set(block, (worths.get(block) ?? 0) + worthOf(block, one))
    }
  }
  return worths
}

/** What the heaviest of the blocks weighs. */
export function heaviest(worths: Worths): number {
  let most = 0
  for (const worth of worths.values()) most = Math.max(most, worth)
  return most
}

/** Of equals the younger first: nothing of it depends on what is hidden. */
const byScore = (one: Ranked, other: Ranked): number => other.score - one.score || other.n - one.n

async function boostRecent(space: Space, ranked: Ranked[]): Promise<void> {
  const first = ranked.slice(0, RECENT_AMONG)
  const times = await changeTimes(
    space.tx,
    first.map(({ n }) => n),
  )
  for (const one of first) {
    const age = Math.max(0, space.now - (times.get(one.n) ?? 0))
    one.score *= 1 + RECENT * 2 ** (-age / HALF_LIFE)
  }
  ranked.splice(0, first.length, ...first.sort(byScore))
}

/**
 * Put the first documents in their order by what their best blocks really say.
 *
 * @param said  what is known of a document, if it is
 */
export function reorder({ ranked, blocksOf }: Ranking, said: (document: number) => number | undefined): void {
  const first = ranked.slice(0, LOOKED_AT)
  for (const one of first) {
    const now = said(one.n)
    if (now !== undefined) one.score += now - heaviest(blocksOf(one.n))
  }
  ranked.splice(0, first.length, ...first.sort(byScore))
}
