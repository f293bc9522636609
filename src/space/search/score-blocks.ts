/** Scores the best blocks of documents by their texts, as people read them. */
import { blocksByNumbers, firstBlocks } from '../../../storage/blocks.ts'
import { relatedTexts } from '../../../storage/related-texts.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import { visiblePlainText } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import { readableTexts } from './indexed-text.ts'
import { type BlockScores, type Ranking, RERANKED_DOCUMENTS, rerank } from './rank-documents.ts'
import { RANKING_WEIGHTS } from './ranking-weights.ts'
import { createTermFinder, MAX_SEARCHED_LENGTH, scoreText, type TermMatch } from './snippet.ts'

/** A block that contains terms, with its text. */
export interface ScoredBlock {
  row: BlockRow
  text: string
  matches: readonly TermMatch[]
  weight: number
}

/** How many blocks of a document are scored by their texts. More if there are more terms. */
const BLOCKS_SCORED = 4

/** How many blocks of a document are its beginning, which says what it is about. */
const BEGINNING_BLOCKS = 2

/** Reads the best blocks of the first documents, and sorts these documents by them. */
export async function scoreTopDocuments(space: Space, ranking: Ranking): Promise<Map<number, ScoredBlock[]>> {
  const first = ranking.ranked.slice(0, RERANKED_DOCUMENTS).map(({ n }) => n)
  const scored = await scoreBlocks(space, ranking, first)
  // For a single word the beginning is a block like any other.
  const beginnings = ranking.weights.size > 1 ? await firstBlocks(space.tx, first, BEGINNING_BLOCKS) : new Set<number>()
  rerank(ranking, (n) => {
    const [best, ...others] = scored.get(n) ?? []
    if (best === undefined) return undefined
    const beginning = [best, ...others].find(({ row }) => beginnings.has(row.n))
    return best.weight + RANKING_WEIGHTS.beginning * (beginning?.weight ?? 0)
  })
  return scored
}

export async function scoreBlocks(
  space: Space,
  { weights, usesPrefixes, blockScoresOf }: Ranking,
  documents: readonly number[],
): Promise<Map<number, ScoredBlock[]>> {
  const wanted: number[] = []
  for (const n of documents) {
    wanted.push(...topBlocks(blockScoresOf(n), Math.min(BLOCKS_SCORED, 1 + weights.size)))
    await yieldToEventLoop()
  }
  const rows = await blocksByNumbers(space.tx, wanted)
  const extras = await relatedTexts(space.tx, rows)
  const find = createTermFinder([...weights.keys()], usesPrefixes)
  const blocks: ScoredBlock[] = []
  for (const row of rows) {
    const block: ScoredBlock = { row, text: '', matches: [], weight: 0 }
    let searchedLength = 0
    for (const stored of readableTexts(row, extras.get(row.n) ?? [])) {
      const text = (await visiblePlainText(space, [stored])).text(stored)
      const found = find(text)
      const weight = scoreText(found, weights)
      if (weight > block.weight) Object.assign(block, { text, matches: found.matches, weight })
      searchedLength += text.length
      if (searchedLength > MAX_SEARCHED_LENGTH && block.weight > 0) break
      await yieldToEventLoop()
    }
    blocks.push(block)
  }
  const byDocument = Map.groupBy(blocks, ({ row }) => row.document)
  for (const scored of byDocument.values())
    scored.sort((one, other) => other.weight - one.weight || one.row.n - other.row.n)
  return byDocument
}

/** Returns the few highest-scored of possibly thousands of blocks. Of equal ones, the first come first. */
export function topBlocks(scores: BlockScores, most: number): number[] {
  const best: [n: number, worth: number][] = []
  for (const [n, score] of scores) {
    const isBetter = ([other, otherScore]: [number, number]) =>
      score > otherScore || (score === otherScore && n < other)
    const last = best.at(-1)
    if (best.length === most && last !== undefined && !isBetter(last)) continue
    const at = best.findIndex(isBetter)
    best.splice(at < 0 ? best.length : at, 0, [n, score])
    if (best.length > most) best.pop()
  }
  return best.map(([n]) => n)
}
