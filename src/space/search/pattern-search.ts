/** Patterns over the Markdown of blocks, as the connection sees it. */

import type { BlockRow } from '../../../storage/schema.ts'
import { measureWorkTime, timeSliceExpired, yieldToEventLoop } from '../../base/scheduling.ts'
import { blockMarkdown } from '../../markdown/write-markdown.ts'
import type { Pattern, Span } from '../../regex/pattern.ts'
import { readBlockRows } from '../blocks/block-rows.ts'
import { visibleFields } from '../content/visible-fields.ts'
import type { Space } from '../model/space.ts'
import { blocksInDocuments, blocksOfSpace, type CandidateBlocks } from './pattern-candidates.ts'
import { scanForTime } from './pattern-scan.ts'

/** The Markdown of these blocks, addresses out of reach hidden. */
export async function readMarkdowns(space: Space, rows: readonly BlockRow[]): Promise<string[]> {
  const visible = await visibleFields(space, rows)
  const texts: string[] = []
  for (const row of rows) {
    texts.push(blockMarkdown(visible(row)))
    if (timeSliceExpired()) await yieldToEventLoop()
  }
  return texts
}

/** A block that a pattern matches. */
export interface PatternMatch {
  row: BlockRow
  markdown: string
  spans: readonly Span[]
}

/** Documents that are read at once: fewer at first, since the best often do, and where it takes long. */
const FIRST_BATCH = 20
const DOCUMENTS_PER_BATCH = 500
/** Milliseconds from which on a part of the documents has taken long. */
const SLOW_BATCH = 1_000
/** Documents that are read before all blocks of the space are looked at for the letters that every match has. */
const DOCUMENTS_BEFORE_PREFILTER = FIRST_BATCH + DOCUMENTS_PER_BATCH

/** What patterns match, as far as was searched. */
export interface PatternSearchResult {
  /** By document, each with what matches in it. */
  found: Map<number, PatternMatch[]>
  /** Up to where the documents were searched: fewer than there are where it took too long, or enough were found. */
  searched: number
  /** How many after that place are known to match as well. */
  more: number
  /** Whether no others do: all documents were searched. */
  isExact: boolean
  /** Whether it took too long. */
  isIncomplete: boolean
  /** Documents that took too long by themselves, and were not searched to their end. */
  unfinished: number
}

/** Seconds of work. */
export interface PatternTimes {
  /** After which no more documents are searched. */
  all: number
  /** After which one pattern is not searched for in further documents of those that are searched at once. */
  pattern: number
}

/** The first of these documents in which every pattern matches some block, at most `most`. */
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
      // A document that takes too long alone is skipped, so that the next call gets further.
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

/** What matches in documents, and how many of them were searched to their end, from the first. */
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
  // Document by document, so that those before the place where the time ends are searched to their end.
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
    // The next pattern need only be looked for where the ones before it are.
    const left = rows.map(({ document }) => matched.has(document))
    texts = texts.filter((_, index) => left[index])
    rows = rows.filter((_, index) => left[index])
  }
  // What is found in a document before it is searched to its end comes with the rest of it; of the first there is no rest.
  for (const document of hits.keys()) {
    const at = placeOf.get(document) ?? 0
    if (at >= searched && at > 0) hits.delete(document)
  }
  return { hits, searched }
}
