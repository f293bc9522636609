/** Searches the texts of blocks, as the connection may see them, for patterns. */

import type { BlockRow } from '../../../storage/schema.ts'
import { measureWorkTime, timeSliceExpired, yieldNow } from '../../base/scheduling.ts'
import { blockMarkdown } from '../../markdown/write-markdown.ts'
import type { Pattern, Span } from '../../regex/pattern.ts'
import { readBlockRows } from '../blocks/block-rows.ts'
import { visibleFields } from '../content/visible-fields.ts'
import type { Space } from '../model/space.ts'
import { attributeTextsOf, hasAttributeTexts } from './indexed-text.ts'
import { blocksInDocuments, blocksOfSpace, type CandidateBlocks } from './pattern-candidates.ts'
import { scanForTime } from './pattern-scan.ts'

/** The texts of a block, with addresses out of reach hidden. A pattern is searched for in each of them by itself. */
export interface SearchedBlock {
  markdown: string
  /** What pages show of the block, but not its Markdown: titles of callouts, descriptions. */
  others: readonly string[]
}

const NO_TEXTS: readonly string[] = []

export async function readSearchedBlocks(space: Space, rows: readonly BlockRow[]): Promise<SearchedBlock[]> {
  const visible = await visibleFields(space, rows)
  const blocks: SearchedBlock[] = []
  for (const row of rows) {
    const fields = visible(row)
    const markdown = blockMarkdown(fields)
    const others = hasAttributeTexts(row)
      ? attributeTextsOf(fields).filter((text) => !markdown.includes(text))
      : NO_TEXTS
    blocks.push({ markdown, others })
    if (timeSliceExpired()) await yieldNow()
  }
  return blocks
}

/** A match in a block, by its index, in the first of its texts that matches. */
interface BlockHit {
  index: number
  text: string
  spans: readonly Span[]
}

/**
 * Scans all texts of the blocks within a time limit.
 *
 * @param most  spans per text
 * @returns the matching blocks, in order, and how many blocks were searched completely, from the first
 */
export async function scanBlocks(
  pattern: Pattern,
  blocks: readonly SearchedBlock[],
  most: number,
  seconds?: number,
): Promise<{ hits: BlockHit[]; searched: number }> {
  const texts: string[] = []
  const owners: number[] = []
  for (const [index, { markdown, others }] of blocks.entries()) {
    for (const text of [markdown, ...others]) owners[texts.push(text) - 1] = index
  }
  const scanned = await scanForTime(pattern, texts, most, seconds)
  const searched = owners[scanned.searched] ?? blocks.length
  const hits: BlockHit[] = []
  for (const { index: place, spans } of scanned.hits) {
    const [index, text] = [owners[place], texts[place]]
    if (index === undefined || text === undefined || index >= searched || hits.at(-1)?.index === index) continue
    hits.push({ index, text, spans })
  }
  return { hits, searched }
}

/** A block that matches a pattern. */
export interface PatternMatch {
  row: BlockRow
  /** The text of the block that matches. */
  text: string
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
  let texts = await readSearchedBlocks(space, rows)
  let searched = documents.length
  for (const [index, pattern] of patterns.entries()) {
    const matched = new Set<number>()
    const scanned = await scanBlocks(pattern, texts, 20, seconds)
    const next = rows[scanned.searched]
    if (next !== undefined) searched = Math.min(searched, place(next))
    for (const { index: place, text, spans } of scanned.hits) {
      const row = rows[place]
      if (row === undefined) continue
      matched.add(row.document)
      const before = hits.get(row.document)
      if (before === undefined) hits.set(row.document, [{ row, text, spans }])
      else before.push({ row, text, spans })
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
