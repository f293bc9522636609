/**
 * Ranks documents by terms: bm25, in a form that only looks at what the connection reaches.
 *
 * FTS5's own bm25() weighs a term by how many rows of the whole file have it, and a row by the mean length of all:
 * what is hidden would move scores, and so order. Here a term weighs by the documents of the scope that have it,
 * idf = ln(1 + (N - df + ½) / (df + ½)); lengths are compared with a constant. A document scores by
 *
 * - its best block: the terms that stand together in one block, each by its frequency there, saturated;
 * - how many of its blocks have each term, saturated too;
 * - the terms in its title, which weigh more than any number of them in text;
 *
 * and up to a twentieth more where it was changed lately.
 *
 * Common words have hits by the hundred thousand, and what they add is little. So the newest hits are read first, and
 * more only while too few documents have been found: whether a document meets the terms is always exact, and its
 * place is reckoned from the hits that were read.
 */
import { type FoundDocument, foundDocuments } from '../../../storage/search.ts'
import { DOCUMENTS_FOUND } from '../../limits.ts'
import type { Space } from '../space.ts'
import { Hits } from './hits.ts'
import type { Scope } from './scope.ts'
import { beginningQuery, type Entry, exactQuery, hasBeginning, type Term } from './terms.ts'

/** Hits that are read at first, of all terms together, and the least of one. */
const HITS_READ = 60_000
const HITS_OF_TERM = 5_000
/** Documents that one entry has and that the others are asked about one by one. */
const FEW = 256
/** Documents whose place is reckoned to the end: by their texts, and when they were changed. */
const LOOKED_AT = 40
const RECENT_AMONG = 400

/** Weights: of the spread over blocks, and of the title; of words that only begin as they should. */
const SPREAD = 0.5
const TITLE = 4
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
  /** What the blocks weigh that have any of the terms: by number. */
  blocks: Map<number, number>
}

export interface Ranking {
  /** All that were found, the best first; the first of them are reckoned to the end. */
  ranked: Ranked[]
  /** Weight of each term, in the order of the entries and their terms. */
  weights: ReadonlyMap<Term, number>
  /** Entries, or of entries that are met the terms, that no document of the scope has. */
  unmet: readonly string[]
  missing: readonly string[]
  documents: ReadonlyMap<number, FoundDocument>
}

interface Asked {
  term: Term
  entry: number
  hits: Hits
  /** Blocks that have the word itself, where words that begin so were looked for as well. */
  whole?: ReadonlySet<number>
  weight: number
}

export async function rankDocuments(space: Space, scope: Scope, entries: readonly Entry[]): Promise<Ranking> {
  let asked = askedFor(entries, exactQuery)
  let met = await readHits(space, scope, entries, asked)
  // Beginnings of words fill up what whole words leave short.
  if (met.size < DOCUMENTS_FOUND && asked.some(({ term }) => hasBeginning(term))) {
    const whole = asked
    asked = askedFor(entries, beginningQuery).map((one, index) => {
      const before = whole[index]
      return before === undefined ? one : { ...one, whole: new Set([...before.hits.byDocument.values()].flat()) }
    })
    met = await readHits(space, scope, entries, asked)
  }
  for (const one of asked) one.weight = idf(scope.size, one.hits.byDocument.size)
  const ranked = [...met].map((n) => weigh(n, asked)).sort(byScore)
  const documents = await boostRecent(space, ranked)
  const unmet = entries.filter((_, index) => asked.every(({ entry, hits }) => entry !== index || hits.count === 0))
  const missing = asked.filter(({ hits, entry }) => hits.count === 0 && !unmet.includes(entries[entry] as Entry))
  return {
    ranked,
    weights: new Map(asked.map(({ term, weight }) => [term, weight])),
    unmet: unmet.map(({ asked }) => asked),
    missing: missing.map(({ term }) => term.asked),
    documents,
  }
}

const askedFor = (entries: readonly Entry[], query: (term: Term) => string): Asked[] =>
  entries.flatMap(({ terms }, entry) => terms.map((term) => ({ term, entry, hits: new Hits(query(term)), weight: 0 })))

/** Reads hits until enough documents meet all entries or there are no more hits; the documents that do. */
async function readHits(
  space: Space,
  scope: Scope,
  entries: readonly Entry[],
  asked: readonly Asked[],
): Promise<Set<number>> {
  let most = Math.max(HITS_OF_TERM, Math.floor(HITS_READ / asked.length))
  for (;;) {
    for (const { hits } of asked) await hits.read(space, scope, most)
    await askOneByOne(space, entries, asked)
    const met = meeting(entries, asked)
    if (met.size >= DOCUMENTS_FOUND || asked.every(({ hits }) => hits.isComplete)) return met
    most *= 4
  }
}

const ofEntry = (asked: readonly Asked[], index: number) => asked.filter(({ entry }) => entry === index)

function documentsOfEntry(asked: readonly Asked[], index: number): Set<number> {
  const documents = new Set<number>()
  for (const { hits } of ofEntry(asked, index)) for (const document of hits.byDocument.keys()) documents.add(document)
  return documents
}

/** Where one entry is met by few documents, whether these meet the others need not be found among all hits. */
async function askOneByOne(space: Space, entries: readonly Entry[], asked: readonly Asked[]): Promise<void> {
  if (entries.length < 2) return
  const whole = [...entries.keys()].filter((index) => ofEntry(asked, index).every(({ hits }) => hits.isComplete))
  const [fewest] = whole.map((index) => documentsOfEntry(asked, index)).sort((one, other) => one.size - other.size)
  if (fewest === undefined || fewest.size > FEW) return
  for (const { hits } of asked) {
    if (hits.isComplete) continue
    for (const document of fewest) if (!hits.byDocument.has(document)) await hits.readDocument(space, document)
    hits.isComplete = true
  }
}

function meeting(entries: readonly Entry[], asked: readonly Asked[]): Set<number> {
  return entries
    .map((_, index) => documentsOfEntry(asked, index))
    .reduce((met, documents) => met.intersection(documents))
}

const idf = (size: number, having: number): number => Math.log(1 + Math.max(0, size - having + 0.5) / (having + 0.5))

/** What a number of occurrences counts: 1 for one, never more than 2.2. */
export const saturated = (count: number, length = 1): number =>
  (count * (SATURATION + 1)) / (count + SATURATION * length)

function weigh(n: number, asked: readonly Asked[]): Ranked {
  const blocks = new Map<number, number>()
  let spread = 0
  let title = 0
  for (const { hits, whole, weight } of asked) {
    const ns = hits.byDocument.get(n)
    if (ns === undefined) continue
    let most = 0
    for (const block of ns) {
      const worth = weight * (whole === undefined || whole.has(block) ? 1 : BEGUN)
      most = Math.max(most, worth)
      blocks.set(block, (blocks.get(block) ?? 0) + worth)
      // The root of a document has its number, and its title.
      if (block === n) title += worth
    }
    spread += saturated(ns.length) * most
  }
  let best = 0
  for (const worth of blocks.values()) best = Math.max(best, worth)
  return { n, score: best + SPREAD * spread + TITLE * title, blocks }
}

/** Of equals the younger first: nothing of it depends on what is hidden. */
const byScore = (one: Ranked, other: Ranked): number => other.score - one.score || other.n - one.n

async function boostRecent(space: Space, ranked: Ranked[]): Promise<Map<number, FoundDocument>> {
  const first = ranked.slice(0, RECENT_AMONG)
  const found = await foundDocuments(
    space.tx,
    first.map(({ n }) => n),
  )
  const documents = new Map(found.map((document) => [document.n, document]))
  for (const one of first) {
    const age = Math.max(0, space.now - (documents.get(one.n)?.modifiedAt ?? 0))
    one.score *= 1 + RECENT * 2 ** (-age / HALF_LIFE)
  }
  ranked.splice(0, first.length, ...first.sort(byScore))
  return documents
}

/** Put the first documents in their order by what their best blocks really say. */
export function reorder(ranked: Ranked[], said: (one: Ranked) => number): void {
  const first = ranked.slice(0, LOOKED_AT)
  for (const one of first) {
    const before = Math.max(...one.blocks.values())
    one.score += said(one) - before
  }
  ranked.splice(0, first.length, ...first.sort(byScore))
}
