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
 * place is computed from the hits that were read.
 */
import { documentModifiedTimes } from '../../../storage/documents.ts'
import { DOCUMENTS_PER_SEARCH } from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import { RANKING_WEIGHTS } from './ranking-weights.ts'
import { HIT_LIMITS, readTermHits, type TermHits } from './read-term-hits.ts'
import type { SearchScope } from './search-scope.ts'
import type { SearchEntry, Term } from './search-terms.ts'

/** Documents that are scored before a look at the clock, which takes as long as to score one. */
const DOCUMENTS_PER_STEP = 64
/** Documents whose place is computed to the end: by their texts, and when they were changed. */
export const RERANKED_DOCUMENTS = 30
const RECENCY_CANDIDATES = 200

/** A document that meets all entries. */
export interface RankedDocument {
  n: number
  score: number
}

/** What the blocks of a document weigh that have any of the terms, by number. */
export type BlockScores = ReadonlyMap<number, number>

export interface Ranking {
  /** Those that were found, the best first; the first of them are scored to the end. */
  ranked: RankedDocument[]
  /** Whether no others meet all entries. */
  isComplete: boolean
  blockScoresOf(document: number): BlockScores
  /** Weight of each term, in the order of the entries and their terms. */
  weights: ReadonlyMap<Term, number>
  /** Entries, or of entries that are met the terms, that no document of the scope has. */
  unmatchedEntries: readonly string[]
  /** Terms that were found in place of those that were asked. */
  corrections: readonly { asked: Term; found: Term }[]
  /** Where a document has the terms, those that it has. */
  termPlacesIn(document: number): TermPlace[]
  missingTerms: readonly string[]
  /** Whether words that only begin so were looked for. */
  usesPrefixes: boolean
}

/** Where a document has a term. */
export interface TermPlace {
  term: Term
  inTitle: boolean
  /** Blocks besides the title. */
  blocks: number
}

interface WeightedTerm extends TermHits {
  weight: number
}

/**
 * @param limits  how much is read at once, which changes no answer of a small space
 * @param wanted  documents that are enough; more are found as hits are read in lots
 */
export async function rankDocuments(
  space: Space,
  scope: SearchScope,
  entries: readonly SearchEntry[],
  limits = HIT_LIMITS,
  wanted = DOCUMENTS_PER_SEARCH + 1,
): Promise<Ranking> {
  const { terms, met: matching, isComplete } = await readTermHits(space, scope, entries, limits, wanted)
  const weightedTerms = terms.map(
    (one): WeightedTerm => ({
      ...one,
      weight: shareOf(one.term) * idf(scope.size, one.hits.documentCount(scope.size)),
    }),
  )
  const totalWeight = weightedTerms.reduce((sum, { weight, term }) => sum + (term.of === undefined ? weight : 0), 0)
  const ranked: RankedDocument[] = []
  for (const n of matching.keys()) {
    ranked.push({ n, score: scoreDocument(n, weightedTerms, totalWeight) })
    if (ranked.length % DOCUMENTS_PER_STEP === 0) await yieldToEventLoop()
  }
  ranked.sort(compareByScore)
  await boostRecent(space, ranked)
  const unmet = entries.filter((_, index) =>
    weightedTerms.every(({ entry, hits }) => entry !== index || hits.count === 0),
  )
  const found = new Set(weightedTerms.flatMap(({ hits, term }) => (hits.count > 0 ? [term.of ?? term] : [])))
  const missing = weightedTerms.filter(
    ({ term, entry }) => term.of === undefined && !found.has(term) && !unmet.includes(entries[entry] as SearchEntry),
  )
  return {
    ranked,
    isComplete,
    blockScoresOf: (document) => blockScoresIn(document, weightedTerms),
    weights: new Map(weightedTerms.map(({ term, weight }) => [term, weight])),
    usesPrefixes: weightedTerms.some(({ exactBlocks }) => exactBlocks !== undefined),
    corrections: weightedTerms.flatMap(({ term, correctedFrom }) =>
      correctedFrom === undefined ? [] : [{ asked: correctedFrom, found: term }],
    ),
    termPlacesIn: (document) => termPlacesIn(document, weightedTerms),
    unmatchedEntries: unmet.map(({ source: weightedTerms }) => weightedTerms),
    missingTerms: missing.map(({ term }) => term.source),
  }
}

/** What a question says several times is what it is about. */
const shareOf = ({ share, times }: Term): number => share * (1 + RANKING_WEIGHTS.repeat * (times - 1))

const idf = (size: number, documentFrequency: number): number =>
  Math.log(1 + Math.max(0, size - documentFrequency + 0.5) / (documentFrequency + 0.5))

/**
 * What a number of occurrences counts: 1 for one, and never more than 1 + {@link RANKING_WEIGHTS}.saturation.
 *
 * @param length  of the text, relative to the average
 */
export const saturate = (count: number, length = 1): number =>
  (count * (RANKING_WEIGHTS.saturation + 1)) / (count + RANKING_WEIGHTS.saturation * length)

/** @param totalWeight  what all terms weigh together */
function scoreDocument(n: number, terms: readonly WeightedTerm[], totalWeight: number): number {
  let best = 0
  let spread = 0
  let title = 0
  for (const term of terms) {
    const ns = term.hits.byDocument.get(n)
    if (ns === undefined) continue
    let highest = 0
    for (const block of ns) {
      const score = scoreBlock(block, term)
      highest = Math.max(highest, score)
      // The root of a document has its number, and its title.
      if (block === n) title += score
    }
    best = Math.max(best, highest)
    spread += saturate(ns.length) * highest
  }
  // Of several terms some may stand together.
  if (terms.length > 1) best = highestScore(blockScoresIn(n, terms))
  const titleScore =
    totalWeight > 0 ? title * (RANKING_WEIGHTS.title + (RANKING_WEIGHTS.fullTitle * title) / totalWeight) : 0
  return best + RANKING_WEIGHTS.spread * spread + titleScore
}

const scoreBlock = (block: number, { exactBlocks, weight }: WeightedTerm): number =>
  weight * (exactBlocks === undefined || exactBlocks.has(block) ? 1 : RANKING_WEIGHTS.prefix)

function blockScoresIn(document: number, terms: readonly WeightedTerm[]): BlockScores {
  const scores = new Map<number, number>()
  for (const term of terms) {
    for (const block of term.hits.byDocument.get(document) ?? []) {
      scores.set(block, (scores.get(block) ?? 0) + scoreBlock(block, term))
    }
  }
  return scores
}

function termPlacesIn(document: number, terms: readonly WeightedTerm[]): TermPlace[] {
  return terms.flatMap(({ term, hits }) => {
    const blocks = hits.byDocument.get(document)
    if (blocks === undefined) return []
    // The root of a document has its number, and its title.
    const inTitle = blocks.includes(document)
    return [{ term, inTitle, blocks: blocks.length - (inTitle ? 1 : 0) }]
  })
}

/** What the heaviest of the blocks weighs. */
export function highestScore(scores: BlockScores): number {
  let highest = 0
  for (const score of scores.values()) highest = Math.max(highest, score)
  return highest
}

/** Of equals the younger first: nothing of it depends on what is hidden. */
const compareByScore = (one: RankedDocument, other: RankedDocument): number =>
  other.score - one.score || other.n - one.n

async function boostRecent(space: Space, ranked: RankedDocument[]): Promise<void> {
  const first = ranked.slice(0, RECENCY_CANDIDATES)
  const times = await documentModifiedTimes(
    space.tx,
    first.map(({ n }) => n),
  )
  for (const one of first) {
    const age = Math.max(0, space.now - (times.get(one.n) ?? 0))
    one.score *= 1 + RANKING_WEIGHTS.recency * 2 ** (-age / RANKING_WEIGHTS.recencyHalfLife)
  }
  ranked.splice(0, first.length, ...first.sort(compareByScore))
}

/**
 * Put the first documents in their order by what their best blocks really say.
 *
 * @param bestScoreOf  what is known of a document, if it is
 */
export function rerank(
  { ranked, blockScoresOf }: Ranking,
  bestScoreOf: (document: number) => number | undefined,
): void {
  const first = ranked.slice(0, RERANKED_DOCUMENTS)
  for (const one of first) {
    const bestScore = bestScoreOf(one.n)
    if (bestScore !== undefined) one.score += bestScore - highestScore(blockScoresOf(one.n))
  }
  ranked.splice(0, first.length, ...first.sort(compareByScore))
}
