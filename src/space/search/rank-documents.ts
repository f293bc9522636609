/**
 * Ranks documents by terms, with a form of bm25 that only uses what the connection reaches.
 *
 * FTS5's own bm25() weights a term by the number of rows in the whole file that contain it, and a row by the mean
 * length of all rows, so hidden content would change scores and order. Here the weight of a term depends on the
 * documents of the scope that contain it, idf = ln(1 + (N - df + ½) / (df + ½)), and lengths are compared with a
 * constant. The score of a document is the sum of
 *
 * - the score of its best block: the terms that occur in that block, each by its saturated frequency there;
 * - the number of its blocks that contain each term, saturated as well;
 * - the terms in its title: a title with all terms counts more than any number of them in text, and less with fewer
 *   terms;
 *
 * and is raised by up to a twentieth if the document was changed recently.
 *
 * Common words have hundreds of thousands of hits, which add little. So the newest hits are read first, and more only
 * while too few documents have been found. Whether a document meets the terms is always exact. Its rank is computed
 * from the hits that were read.
 */
import { documentModifiedTimes } from '../../../storage/documents.ts'
import { DOCUMENTS_PER_SEARCH } from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import { RANKING_WEIGHTS } from './ranking-weights.ts'
import { HIT_LIMITS, readTermHits, type TermHits } from './read-term-hits.ts'
import type { SearchScope } from './search-scope.ts'
import type { SearchEntry, Term } from './search-terms.ts'

/** Documents that are scored before the clock is checked, which takes as long as scoring one. */
const DOCUMENTS_PER_STEP = 64
/** Documents whose final order is computed from their texts and times of change. */
export const RERANKED_DOCUMENTS = 30
const RECENCY_CANDIDATES = 200

/** A document that meets all entries. */
export interface RankedDocument {
  n: number
  score: number
}

/** Scores of the blocks of a document that contain any of the terms, by block number. */
export type BlockScores = ReadonlyMap<number, number>

export interface Ranking {
  /** The matching documents, the best first. The final order is only computed for the first ones. */
  ranked: RankedDocument[]
  /** True if no other documents meet all entries. */
  isComplete: boolean
  blockScoresOf(document: number): BlockScores
  /** The weight of each term, in the order of the entries and their terms. */
  weights: ReadonlyMap<Term, number>
  /** Entries without a match in the scope, and terms without a match of entries that are met. */
  unmatchedEntries: readonly string[]
  /** Terms that were found instead of the ones asked for. */
  corrections: readonly { asked: Term; found: Term }[]
  /** Returns the places of the terms that a document contains. */
  termPlacesIn(document: number): TermPlace[]
  missingTerms: readonly string[]
  /** True if words that only start with a term were searched for. */
  usesPrefixes: boolean
}

/** Where a document contains a term. */
export interface TermPlace {
  term: Term
  inTitle: boolean
  /** The number of blocks in addition to the title. */
  blocks: number
}

interface WeightedTerm extends TermHits {
  weight: number
}

/**
 * @param limits  how much is read at once; does not change the results in a small space
 * @param wanted  the number of documents that is enough; more may be found, because hits are read in batches
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

/** Words that a question repeats are what it is about. */
const shareOf = ({ share, times }: Term): number => share * (1 + RANKING_WEIGHTS.repeat * (times - 1))

const idf = (size: number, documentFrequency: number): number =>
  Math.log(1 + Math.max(0, size - documentFrequency + 0.5) / (documentFrequency + 0.5))

/**
 * How much a number of occurrences counts: 1 for one, and never more than 1 + {@link RANKING_WEIGHTS}.saturation.
 *
 * @param length  of the text, relative to the average
 */
export const saturate = (count: number, length = 1): number =>
  (count * (RANKING_WEIGHTS.saturation + 1)) / (count + RANKING_WEIGHTS.saturation * length)

/** @param totalWeight  the sum of the weights of all terms */
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
      // The root block has the number of the document, and its text is the title.
      if (block === n) title += score
    }
    best = Math.max(best, highest)
    spread += saturate(ns.length) * highest
  }
  // If there are several terms, some may be in the same block.
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
    // The root block has the number of the document, and its text is the title.
    const inTitle = blocks.includes(document)
    return [{ term, inTitle, blocks: blocks.length - (inTitle ? 1 : 0) }]
  })
}

/** The score of the highest-scored block. */
export function highestScore(scores: BlockScores): number {
  let highest = 0
  for (const score of scores.values()) highest = Math.max(highest, score)
  return highest
}

/** Of equal documents the newer one comes first. This does not depend on anything hidden. */
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
 * Sorts the first documents by what their best blocks actually contain.
 *
 * @param bestScoreOf  returns the known score of a document, if there is one
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
