/** Searches the blocks of one document or page by a pattern. Source: the interface, "Search in a document". */

import { ancestorNumbers, blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { eachInTurn } from '../../breathe.ts'
import { PATTERN_SECONDS } from '../../limits.ts'
import { plainTitle } from '../../markdown/title.ts'
import { compilePattern, type Pattern } from '../../pattern/pattern.ts'
import { scanSome, tooSlow } from '../../pattern/scan.ts'
import { answerTrees, type BlockAnswer } from '../blocks/answer.ts'
import { type Node, rowAt, wholeTree } from '../blocks/tree.ts'
import { invalidCursor, openCursor, type Rest, restOfList } from '../cursors.ts'
import { dailyNote } from '../daily-notes.ts'
import { visibleTexts } from '../links.ts'
import type { Space } from '../space.ts'
import { markdownsOf } from './patterns.ts'

export interface BlockSearchAsked {
  /** What to search: a block with all it holds, a document, or the note of a day. */
  place: { blockId: string } | { documentId: string } | { date: string }
  pattern: string
  caseSensitive: boolean
  beforeBlockCount: number
  afterBlockCount: number
  fetchBlocks: boolean
  limit: number
  cursor?: string | undefined
}

/** A search, its pattern compiled before the transaction begins. */
export interface BlockSearch {
  asked: BlockSearchAsked
  pattern: Pattern
}

interface Neighbour {
  blockId: string
  markdown: string
}

export interface BlockMatch extends Neighbour {
  /** The pages around it, the document first. */
  pageBlockPath: { id: string; content: string }[]
  beforeBlocks: Neighbour[]
  afterBlocks: Neighbour[]
  block?: BlockAnswer
}

export interface FoundBlocks {
  items: BlockMatch[]
  pagination?: Rest
}

/** @throws INVALID_REGEX_ERROR */
export function prepareBlockSearch(asked: BlockSearchAsked): BlockSearch {
  return { asked, pattern: compilePattern(asked.pattern, { caseSensitive: asked.caseSensitive }) }
}

/**
 * Blocks that match, in reading order. Around each stand those before and after it in that order, but for the page
 * that is searched itself: pageBlockPath names it. Where it takes too long, what was found comes with a cursor.
 *
 * @throws NOT_FOUND_ERROR; CURSOR_INVALID; VALIDATION_ERROR for a block that takes too long alone
 */
export async function searchBlocks(
  space: Space,
  { asked, pattern }: BlockSearch,
  seconds = PATTERN_SECONDS,
): Promise<FoundBlocks> {
  const { limit, cursor, beforeBlockCount, afterBlockCount, fetchBlocks, ...question } = asked
  const root = await rootOf(space, asked.place)
  const { order, rows } = await wholeTree(space, root)
  const inOrder = order.map((node) => rowAt(rows, node))
  const texts = await markdownsOf(space, inOrder)
  const start = cursor === undefined ? 0 : startOf(space, inOrder, question, cursor)
  const left = texts.slice(start)
  const { hits, searched } = await scanSome(pattern, left, 1, seconds)
  // Nothing would come of a cursor that leads to the same block.
  if (searched === 0 && left.length > 0) throw tooSlow(start, texts.length)
  const part = hits.slice(0, limit).map(({ index }) => ({ index: start + index }))
  const pathOf = await pathsOf(space, root, order, rows)
  const matched = part.flatMap(({ index }) => inOrder[index] ?? [])
  const blocks = fetchBlocks ? await answerTrees(space, alone(matched), 'blocks') : undefined
  const neighbours = (from: number, to: number): Neighbour[] =>
    inOrder.slice(Math.max(from, 1), to).map(({ id }, index) => {
      return { blockId: id, markdown: texts[Math.max(from, 1) + index] ?? '' }
    })
  const items: BlockMatch[] = []
  for await (const [place, { index }] of eachInTurn(part.entries())) {
    items.push({
      blockId: (inOrder[index] ?? root).id,
      markdown: texts[index] ?? '',
      pageBlockPath: pathOf(order[index]),
      beforeBlocks: neighbours(index - beforeBlockCount, index),
      afterBlocks: neighbours(index + 1, index + 1 + afterBlockCount),
      ...(blocks && { block: blocks[place] as BlockAnswer }),
    })
  }
  const restAfter = (index: number, noun: string, remaining: number): Rest =>
    restOfList(space.info.secret, 'blocks_search', question, noun, inOrder[index]?.id ?? '', remaining)
  const last = part.at(-1)
  if (last !== undefined && hits.length > part.length) {
    return { items, pagination: restAfter(last.index, 'matches', hits.length - part.length) }
  }
  if (searched === left.length) return { items }
  return { items, pagination: restAfter(start + searched - 1, 'blocks to search', left.length - searched) }
}

/** Blocks without what they hold. */
export const alone = (rows: readonly BlockRow[]) => rows.map((row) => ({ row, content: [] }))

async function rootOf(space: Space, place: BlockSearchAsked['place']): Promise<BlockRow> {
  if ('date' in place) return dailyNote(space, place.date)
  return space.block('blockId' in place ? place.blockId : (await space.document(place.documentId)).id)
}

/** The place after the block at which the last answer ended. */
function startOf(space: Space, rows: readonly BlockRow[], question: unknown, cursor: string): number {
  const id = openCursor(space.info.secret, ['blocks_search', question], cursor)
  const place = rows.findIndex((row) => row.id === id)
  if (place < 0) throw invalidCursor()
  return place + 1
}

/** What stands around each node: the pages above what is searched, and those in it. */
async function pathsOf(
  space: Space,
  root: BlockRow,
  order: readonly Node[],
  rows: ReadonlyMap<number, BlockRow>,
): Promise<(node: Node | undefined) => BlockMatch['pageBlockPath']> {
  const above = await blocksByNumbers(space.tx, (await ancestorNumbers(space.tx, root)).slice(1))
  const pages = order.filter(({ children }) => children.length > 0).map((node) => rowAt(rows, node))
  const visible = await visibleTexts(space, [...above, ...pages])
  const names = new Map<BlockRow, { id: string; content: string }>()
  const named = (row: BlockRow) => {
    const name = names.get(row) ?? { id: row.id, content: plainTitle(visible(row)) }
    names.set(row, name)
    return name
  }
  // Ancestors are numbered in no order: each is the parent of the next.
  const byNumber = new Map(above.map((row) => [row.n, row]))
  const outer: BlockMatch['pageBlockPath'] = []
  for (let n = root.parent; n !== null; ) {
    const row = byNumber.get(n)
    if (row === undefined) break
    outer.unshift(named(row))
    n = row.parent
  }
  return (node) => {
    const inner: BlockMatch['pageBlockPath'] = []
    for (let up = node?.parent; up !== undefined; up = up.parent) inner.push(named(rowAt(rows, up)))
    return [...outer, ...inner.reverse()]
  }
}
