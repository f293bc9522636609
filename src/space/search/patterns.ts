/** Patterns over the Markdown of blocks, as the connection sees it. */

import { documentBlockNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { breathe, isOver } from '../../breathe.ts'
import { invalid } from '../../errors.ts'
import { SEARCH_SECONDS } from '../../limits.ts'
import { blockMarkdown } from '../../markdown/write.ts'
import type { Pattern, Span } from '../../pattern/pattern.ts'
import { scanTexts } from '../../pattern/scan.ts'
import { readRows } from '../blocks/rows.ts'
import type { Space } from '../space.ts'
import { visibleFields } from '../visible.ts'

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

/** Documents that are read at once: fewer at first, since the best often do. */
const FIRST_DOCUMENTS = 20
const DOCUMENTS_AT_ONCE = 500

/**
 * The first of these documents in which every pattern matches some block, at most `most`, each with what matches in it.
 *
 * @throws VALIDATION_ERROR when it takes too long
 */
export async function matchDocuments(
  space: Space,
  documents: readonly number[],
  patterns: readonly Pattern[],
  most: number,
): Promise<Map<number, PatternHit[]>> {
  const found = new Map<number, PatternHit[]>()
  const end = performance.now() + SEARCH_SECONDS * 1000
  let count = FIRST_DOCUMENTS
  for (let from = 0; from < documents.length && found.size < most; from += count, count = DOCUMENTS_AT_ONCE) {
    const part = documents.slice(from, from + count)
    const hits = await matchAll(space, part, patterns)
    for (const document of part) {
      const of = hits.get(document)
      if (of !== undefined && found.size < most) found.set(document, of)
    }
    if (performance.now() > end && from + count < documents.length && found.size < most) {
      throw tooSlow(from + count, documents.length)
    }
  }
  return found
}

async function matchAll(
  space: Space,
  documents: readonly number[],
  patterns: readonly Pattern[],
): Promise<Map<number, PatternHit[]>> {
  const hits = new Map<number, PatternHit[]>()
  const numbers: number[] = []
  for (const document of documents) {
    for (const n of await documentBlockNumbers(space.tx, document)) numbers.push(n)
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

const tooSlow = (searched: number, all: number) =>
  invalid(
    `Expected a search that takes at most ${SEARCH_SECONDS} seconds, found that ${searched.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} documents were searched in that time; add terms to include, or search fewer documents.`,
  )
