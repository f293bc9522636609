/**
 * Returns all documents that match terms, page by page. Ranking reads only as many hits as it needs, and weights change
 * with more hits. So documents are ranked in stages. Each stage has several times as many documents as those before it,
 * and follows them as a whole. Whichever page is requested, no document appears twice and none is left out.
 */
import { DOCUMENTS_PER_SEARCH } from '../../base/limits.ts'
import type { Space } from '../model/space.ts'
import { type Ranking, rankDocuments } from './rank-documents.ts'
import { HIT_LIMITS } from './read-term-hits.ts'
import type { SearchScope } from './search-scope.ts'
import type { SearchEntry } from './search-terms.ts'

/** A stage: its ranking, how many documents come before it, and how many are known including it. */
export interface RankedStage {
  ranking: Ranking
  earlier: number
  known: number
  /** True if no other documents match. */
  isComplete: boolean
}

/** The ratio between the size of a stage and that of all stages before it. */
const STAGE_GROWTH = 4

/**
 * Returns the stage in which a page begins, or the last stage.
 *
 * @param start  the number of documents before the page
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
