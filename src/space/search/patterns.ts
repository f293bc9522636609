/** Patterns over the Markdown of blocks, as the connection sees it. */

import type { BlockRow } from '../../../storage/schema.ts'
import { breathe, isOver, measureWork } from '../../breathe.ts'
import { blockMarkdown } from '../../markdown/write.ts'
import type { Pattern, Span } from '../../pattern/pattern.ts'
import { scanTexts } from '../../pattern/scan.ts'
import { readRows } from '../blocks/rows.ts'
import type { Space } from '../space.ts'
import { visibleFields } from '../visible.ts'
import { allBlocks, type BlocksToTry, blocksToTry } from './pattern-blocks.ts'

/** The Markdown of these blocks, addresses out of reach hidden. */
export async function markdownsOf(space: Space, rows: readonly BlockRow[]): Promise<string[]> {
  const visible = await visibleFields(space, rows)
  const texts: string[] = []
  for (const row of rows) {
    texts.push(blockMarkdown(visible(row)))
    if (isOver()) await breathe()
  }
  return texts
}

/** A block that a pattern matches. */
export interface PatternHit {
  row: BlockRow
  markdown: string
  spans: readonly Span[]
}

/** Documents that are read at once: fewer at first, since the best often do, and where it takes long. */
const FIRST_DOCUMENTS = 20
const DOCUMENTS_AT_ONCE = 500
/** Milliseconds from which on a part of the documents has taken long. */
const LONG = 1_000
/** Documents that are read before all blocks of the space are looked at for the letters that every match has. */
const READ_FIRST = FIRST_DOCUMENTS + DOCUMENTS_AT_ONCE

/** What patterns match, as far as was searched. */
export interface PatternMatches {
  /** By document, each with what matches in it. */
  found: Map<number, PatternHit[]>
  /** How many of the documents were searched: fewer than there are where it took too long, or enough were found. */
  searched: number
  /** Whether it took too long. */
  isCutShort: boolean
}

/**
 * The first of these documents in which every pattern matches some block, at most `most`.
 *
 * @param seconds  of work after which no more of them are searched
 */
export function matchDocuments(
  space: Space,
  documents: readonly number[],
  patterns: readonly Pattern[],
  most: number,
  seconds: number,
): Promise<PatternMatches> {
  return measureWork(async (time) => {
    const found = new Map<number, PatternHit[]>()
    let blocks: BlocksToTry | undefined
    let searched = 0
    for (let count = FIRST_DOCUMENTS; searched < documents.length && found.size < most; ) {
      const before = time.spent
      if (searched >= READ_FIRST)
        blocks ??= (await blocksToTry(space, patterns, documents.length - searched)) ?? allBlocks(space)
      const part = documents.slice(searched, searched + count)
      const hits = await matchAll(space, part, patterns, blocks ?? allBlocks(space))
      for (const document of part) {
        const of = hits.get(document)
        if (of !== undefined && found.size < most) found.set(document, of)
      }
      searched += part.length
      count = time.spent - before > LONG ? FIRST_DOCUMENTS : DOCUMENTS_AT_ONCE
      if (time.spent > seconds * 1000) break
    }
    return { found, searched, isCutShort: searched < documents.length && found.size < most }
  })
}

async function matchAll(
  space: Space,
  documents: readonly number[],
  patterns: readonly Pattern[],
  blocks: BlocksToTry,
): Promise<Map<number, PatternHit[]>> {
  const hits = new Map<number, PatternHit[]>()
  const numbers: number[] = []
  for (const document of documents) {
    for (const n of await blocks(document)) numbers.push(n)
    await breathe()
  }
  let rows = await readRows(
    space,
    numbers.sort((one, other) => one - other),
  )
  let texts = await markdownsOf(space, rows)
  for (const [index, pattern] of patterns.entries()) {
    const matched = new Set<number>()
    for (const hit of await scanTexts(pattern, texts, 20)) {
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
  return hits
}
