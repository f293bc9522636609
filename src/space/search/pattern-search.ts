/** Searches the Markdown of blocks, as the connection may see it, for patterns. */

import type { BlockRow } from '../../../storage/schema.ts'
import { measureWorkTime, timeSliceExpired, yieldToEventLoop } from '../../base/scheduling.ts'
import { blockMarkdown } from '../../markdown/write-markdown.ts'
import type { Pattern, Span } from '../../regex/pattern.ts'
import { readBlockRows } from '../blocks/block-rows.ts'
import { visibleFields } from '../content/visible-fields.ts'
import type { Space } from '../model/space.ts'
import { blocksInDocuments, blocksOfSpace, type CandidateBlocks } from './pattern-candidates.ts'
import { scanForTime } from './pattern-scan.ts'

/** Writes the Markdown of these blocks, with addresses out of reach hidden. */
export async function readMarkdowns(space: Space, rows: readonly BlockRow[]): Promise<string[]> {
  const visible = await visibleFields(space, rows)
  const texts: string[] = []
  for (const row of rows) {
    texts.push(blockMarkdown(visible(row)))
    if (timeSliceExpired()) await yieldToEventLoop()
  }
  return texts
}

/** A block that matches a pattern. */
export interface PatternMatch {
  row: BlockRow
  markdown: string
  spans: readonly Span[]
}

/**
 * Documents per batch. The first batch is smaller because its documents often suffice, and so are batches after a slow
 * one.
 */
const FIRST_BATCH = 20
const DOCUMENTS_PER_BATCH = 500
/** A batch that takes more than this many milliseconds is slow. */
const SLOW_BATCH = 1_000
/**
 * Documents that are searched before all blocks of the space are prefiltered by the letters that every match contains.
 */
const DOCUMENTS_BEFORE_PREFILTER = FIRST_BATCH + DOCUMENTS_PER_BATCH

/** The matches in the documents that were searched. */
export interface PatternSearchResult {
  /** The matches in each document. */
  found: Map<number, PatternMatch[]>
  /**
   * How many documents were searched, from the first. Fewer than all of them if it took too long, or enough were found.
   */
  searched: number
  /** How many documents after these are known to match as well. */
  more: number
  /** True if no other documents match: all of them were searched. */
  isExact: boolean
  /** True if it took too long. */
  isIncomplete: boolean
  /** How many single documents took too long and were not searched completely. */
  unfinished: number
}

/** Time limits, in seconds of work. */
export interface PatternTimes {
  /** After this time no more batches are searched. */
  all: number
  /** The limit for one pattern in one batch. The remaining documents of the batch are left for later. */
  pattern: number
}

/** Returns the first documents, at most `limit`, in which every pattern matches some block. */
export function searchByPatterns(
  space: Space,
  documents: readonly number[],
  patterns: readonly Pattern[],
  limit: number,
  times: PatternTimes,
): Promise<PatternSearchResult> {
  return measureWorkTime(async (time) => {
    const found = new Map<number, PatternMatch[]>()
    let blocks = blocksInDocuments(space, patterns)
    let [searched, more, unfinished, isIncomplete, isWhole, read] = [0, 0, 0, false, false, 0]
    for (let count = FIRST_BATCH; searched < documents.length && found.size < limit && !isIncomplete; ) {
      const before = time.elapsed
      if (searched >= DOCUMENTS_BEFORE_PREFILTER && !isWhole) {
        blocks = (await blocksOfSpace(space, patterns, documents.length - searched)) ?? blocks
        isWhole = true
      }
      const batch = documents.slice(searched, searched + count)
      const matched = await searchBatch(space, batch, patterns, blocks, times.pattern)
      // A document that takes too long on its own is skipped, so that the next call makes progress.
      if (matched.searched === 0) unfinished++
      read = searched + matched.searched
      let batchEnd = Math.max(1, matched.searched)
      for (const [place, document] of batch.entries()) {
        const documentMatches = matched.hits.get(document)
        if (documentMatches === undefined) continue
        if (found.size === limit) more++
        else if (found.set(document, documentMatches).size === limit) batchEnd = place + 1
      }
      searched += batchEnd
      count = time.elapsed - before > SLOW_BATCH ? FIRST_BATCH : DOCUMENTS_PER_BATCH
      isIncomplete = matched.searched < batch.length || time.elapsed > times.all * 1000
    }
    return {
      found,
      searched,
      more,
      isExact: read === documents.length && unfinished === 0,
      unfinished,
      isIncomplete: isIncomplete && searched < documents.length && found.size < limit,
    }
  })
}

/** The matches in a batch of documents, and how many of the documents, from the first, were searched completely. */
interface PartMatches {
  hits: Map<number, PatternMatch[]>
  searched: number
}

async function searchBatch(
  space: Space,
  documents: readonly number[],
  patterns: readonly Pattern[],
  blocks: CandidateBlocks,
  seconds: number,
): Promise<PartMatches> {
  const hits = new Map<number, PatternMatch[]>()
  const numbers = await blocks(documents)
  const placeOf = new Map(documents.map((document, place) => [document, place]))
  const place = ({ document }: BlockRow) => placeOf.get(document) ?? 0
  // Sorted by document, so that the documents before the one where time runs out are searched completely.
  let rows = (await readBlockRows(space, numbers)).sort((one, other) => place(one) - place(other) || one.n - other.n)
  let texts = await readMarkdowns(space, rows)
  let searched = documents.length
  for (const [index, pattern] of patterns.entries()) {
    const matched = new Set<number>()
    const scanned = await scanForTime(pattern, texts, 20, seconds)
    const next = rows[scanned.searched]
    if (next !== undefined) searched = Math.min(searched, place(next))
    for (const hit of scanned.hits) {
      const [row, markdown] = [rows[hit.index], texts[hit.index]]
      if (row === undefined || markdown === undefined) continue
      matched.add(row.document)
      const before = hits.get(row.document)
      if (before === undefined) hits.set(row.document, [{ row, markdown, spans: hit.spans }])
      else before.push({ row, markdown, spans: hit.spans })
    }
    for (const document of hits.keys()) if (!matched.has(document)) hits.delete(document)
    if (index === patterns.length - 1) break
    // The next pattern is only searched for in documents that match the patterns before it.
    const left = rows.map(({ document }) => matched.has(document))
    texts = texts.filter((_, index) => left[index])
    rows = rows.filter((_, index) => left[index])
  }
  // Matches in documents that were not searched completely are dropped, because the next call finds them again. The
  // first document keeps them, because it is skipped by the next call.
  for (const document of hits.keys()) {
    const at = placeOf.get(document) ?? 0
    if (at >= searched && at > 0) hits.delete(document)
  }
  return { hits, searched }
}
