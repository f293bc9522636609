/**
 * All documents that a search by terms finds, page by page. Ranking reads only as many hits as it needs, and with more
 * of them weights move: so documents are ranked in stages, each of several times as many as the one before, and each
 * follows those before it as a whole. Whatever page is asked for, no document comes twice, and none is left out.
 */
import { DOCUMENTS_PER_SEARCH } from '../../base/limits.ts'
import type { Space } from '../model/space.ts'
import { type Ranking, rankDocuments } from './rank-documents.ts'
import { HIT_LIMITS } from './read-term-hits.ts'
import type { SearchScope } from './search-scope.ts'
import type { SearchEntry } from './search-terms.ts'

/** A stage: its ranking, how many documents come before it, and how many are known with it. */
export interface RankedStage {
  ranking: Ranking
  earlier: number
  known: number
  /** Whether no others match. */
  isComplete: boolean
}

/** How many times as many documents a stage is to have as all before it. */
const STAGE_GROWTH = 4

/**
 * The stage in which a page begins, or the last.
 *
 * @param start  how many documents come before the page
 */
export async function rankStage(
  space: Space,
  scope: SearchScope,
  entries: readonly SearchEntry[],
  start: number,
  limits = HIT_LIMITS,
): Promise<RankedStage> {
  const seen = new Set<number>()
  for (let wanted = DOCUMENTS_PER_SEARCH + 1; ; wanted = Math.max(wanted, seen.size) * STAGE_GROWTH) {
    const ranking = await rankDocuments(space, scope, entries, limits, wanted)
    const known = ranking.ranked.length
    if (known > start || ranking.isComplete) {
      ranking.ranked = ranking.ranked.filter(({ n }) => !seen.has(n))
      return { ranking, earlier: seen.size, known, isComplete: ranking.isComplete }
    }
    for (const { n } of ranking.ranked) seen.add(n)
  }
}
