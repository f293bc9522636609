/** Searches the blocks of one document or page by a pattern. Source: the interface, "Search in a document". */

import type { BlockRow } from '../../../storage/schema.ts'
import { PATTERN_SECONDS } from '../../base/limits.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import type { Pattern } from '../../regex/pattern.ts'
import { type BlockNode, readBlockTree, rowOfNode } from '../blocks/block-tree.ts'
import { visibleTexts } from '../model/block-links.ts'
import { createPagination, decodeCursor, invalidCursor, type Pagination } from '../model/cursors.ts'
import { getDailyNote } from '../model/daily-notes.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { type BlockAnswer, blockTreeAnswers } from '../reading/block-answer.ts'
import { type PathEntry, readAncestors } from '../reading/page-path.ts'
import { compilePattern } from './compile-pattern.ts'
import { scanTooSlow } from './pattern-scan.ts'
import { readSearchedBlocks, scanBlocks } from './pattern-search.ts'

export interface BlockSearchInput {
  /** Where to search: a block with all its content, a document, or a daily note. */
  place: { blockId: AnyId } | { documentId: AnyId } | { date: string }
  pattern: string
  caseSensitive: boolean
  beforeBlockCount: number
  afterBlockCount: number
  fetchBlocks: boolean
  limit: number
  cursor?: string | undefined
}

/** A search whose pattern was compiled before the transaction begins. */
export interface PreparedBlockSearch {
  input: BlockSearchInput
  pattern: Pattern
}

interface NeighborBlock {
  blockId: string
  markdown: string
}

export interface BlockMatch extends NeighborBlock {
  /** The pages around it, the document first. */
  pageBlockPath: PathEntry[]
  beforeBlocks: NeighborBlock[]
  afterBlocks: NeighborBlock[]
  block?: BlockAnswer
}

export interface BlockSearchResult {
  items: BlockMatch[]
  pagination?: Pagination
}

/** @throws INVALID_REGEX_ERROR */
export function prepareBlockSearch(input: BlockSearchInput): PreparedBlockSearch {
  return { input, pattern: compilePattern(input.pattern, { caseSensitive: input.caseSensitive }) }
}

/**
 * Returns matching blocks in reading order, each with the blocks before and after it in that order. The searched page
 * itself is not among these, since pageBlockPath names it. If the search takes too long, returns what was found with a
 * cursor.
 *
 * @throws NOT_FOUND_ERROR; CURSOR_INVALID; VALIDATION_ERROR for a single block that takes too long
 */
export async function searchBlocks(
  space: Space,
  { input, pattern }: PreparedBlockSearch,
  seconds = PATTERN_SECONDS,
): Promise<BlockSearchResult> {
  const { limit, cursor, beforeBlockCount, afterBlockCount, fetchBlocks, ...query } = input
  const root = await getSearchRoot(space, input.place)
  const { order, rows } = await readBlockTree(space, root)
  const inOrder = order.map((node) => rowOfNode(rows, node))
  const searchedBlocks = await readSearchedBlocks(space, inOrder)
  const start = cursor === undefined ? 0 : resolveStart(space, inOrder, query, cursor)
  const left = searchedBlocks.slice(start)
  const { hits, searched } = await scanBlocks(pattern, left, 1, seconds)
  // A cursor would only lead back to the same block.
  if (searched === 0 && left.length > 0) throw scanTooSlow(start, searchedBlocks.length)
  const part = hits.slice(0, limit).map(({ index }) => ({ index: start + index }))
  const pathOf = await readPagePaths(space, root, order, rows)
  const matched = part.flatMap(({ index }) => inOrder[index] ?? [])
  const blocks = fetchBlocks ? await blockTreeAnswers(space, withoutContent(matched), 'full') : undefined
  const neighbors = (from: number, to: number): NeighborBlock[] =>
    inOrder.slice(Math.max(from, 1), Math.max(from, 1, to)).map(({ id }, index) => {
      return { blockId: space.spellId(id), markdown: searchedBlocks[Math.max(from, 1) + index]?.markdown ?? '' }
    })
  const items: BlockMatch[] = []
  // Over REST each match has its whole context, as the interface requires. For models each block is shown only once.
  let shown = 0
  for await (const [matchIndex, { index }] of iterateCooperatively(part.entries())) {
    const next = space.link.overRest ? undefined : part[matchIndex + 1]?.index
    const end = Math.min(index + 1 + afterBlockCount, next ?? inOrder.length)
    items.push({
      blockId: space.spellId((inOrder[index] ?? root).id),
      markdown: searchedBlocks[index]?.markdown ?? '',
      pageBlockPath: pathOf(order[index]),
      beforeBlocks: neighbors(Math.max(index - beforeBlockCount, shown), index),
      afterBlocks: neighbors(index + 1, end),
      ...(blocks && { block: blocks[matchIndex] as BlockAnswer }),
    })
    if (!space.link.overRest) shown = end
  }
  const restAfter = (index: number, noun: string, remaining: number): Pagination =>
    createPagination(space.info.secret, 'blocks_search', query, noun, String(inOrder[index]?.id ?? ''), remaining)
  const last = part.at(-1)
  if (last !== undefined && hits.length > part.length) {
    return { items, pagination: restAfter(last.index, 'match', hits.length - part.length) }
  }
  if (searched === left.length) return { items }
  return { items, pagination: restAfter(start + searched - 1, 'block to search', left.length - searched) }
}

/** Blocks without their content. */
export const withoutContent = (rows: readonly BlockRow[]) => rows.map((row) => ({ row, content: [] }))

async function getSearchRoot(space: Space, place: BlockSearchInput['place']): Promise<BlockRow> {
  if ('date' in place) return getDailyNote(space, place.date)
  return space.getBlock('blockId' in place ? place.blockId : (await space.getDocument(place.documentId)).id)
}

/** The index after the block at which the last answer ended. */
function resolveStart(space: Space, rows: readonly BlockRow[], query: unknown, cursor: string): number {
  const id = decodeCursor(space.info.secret, ['blocks_search', query], cursor)
  const place = rows.findIndex((row) => row.id === Number(id))
  if (place < 0) throw invalidCursor()
  return place + 1
}

/** Returns the pages around each node: those above the searched block, and those within it. */
async function readPagePaths(
  space: Space,
  root: BlockRow,
  order: readonly BlockNode[],
  rows: ReadonlyMap<number, BlockRow>,
): Promise<(node: BlockNode | undefined) => PathEntry[]> {
  const ancestors = await readAncestors(space, root)
  const pages = order.filter(({ children }) => children.length > 0).map((node) => rowOfNode(rows, node))
  const visible = await visibleTexts(space, [...ancestors, ...pages])
  const names = new Map<BlockRow, PathEntry>()
  const named = (row: BlockRow) => {
    const name = names.get(row) ?? { id: space.spellId(row.id), content: plainTitle(visible(row)) }
    names.set(row, name)
    return name
  }
  const outer = ancestors.map(named)
  return (node) => {
    const inner: PathEntry[] = []
    for (let up = node?.parent; up !== undefined; up = up.parent) inner.push(named(rowOfNode(rows, up)))
    return [...outer, ...inner.reverse()]
  }
}
