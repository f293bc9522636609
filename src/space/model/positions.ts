/** Positions: where to put blocks. Source: the interface, "Position object". */

import { ancestorNumbers, parentBlock } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import {
  blockPosition,
  firstPosition,
  lastPosition,
  neighborPosition,
  renumberSiblings,
  type Siblings,
} from '../../../storage/siblings.ts'
import { invalid } from '../../base/errors.ts'
import { traitsOf } from '../../markdown/block-traits.ts'
import { assertTitle } from '../../markdown/inline-title.ts'
import { updateRow } from './block-writes.ts'
import { getOrCreateDailyNote } from './daily-notes.ts'
import type { GivenId } from './ids.ts'
import type { Space } from './space.ts'

/**
 * A position has one of three forms. `date` is a day or a word relative to today; `pageOfSibling` is a page that holds
 * the sibling.
 */
export type Position =
  | { at: 'start' | 'end'; pageId: GivenId }
  | { at: 'start' | 'end'; date: string }
  | { at: 'before' | 'after'; siblingId: GivenId; pageOfSibling?: GivenId }

/** A resolved position: the future parent block, and the place among its children. */
export interface InsertTarget {
  parent: BlockRow
  at: 'start' | 'end' | 'before' | 'after'
  /** The child before or after which to insert, for `before` and `after`. */
  sibling?: BlockRow
  /** Part of the answer if the caller gave a day instead of a block, so that it knows where the blocks went. */
  resolvedDailyNote?: { documentId: string; dailyNoteDate: string }
}

/** The distance between neighbors. It allows 16 insertions at one spot before the siblings must be renumbered. */
export const POSITION_GAP = 2 ** 16

/**
 * @param moved  the blocks that will be moved there, if any: items may be placed among other items of their collection
 * @throws NOT_FOUND_ERROR for IDs that do not exist; VALIDATION_ERROR for a page that cannot hold blocks, a sibling
 *   that is the root of a document, or a place among the items of a collection
 */
export async function resolvePosition(
  space: Space,
  position: Position,
  moved: readonly BlockRow[] = [],
): Promise<InsertTarget> {
  const areItems = moved.length > 0 && moved.every(({ type }) => type === 'collectionItem')
  if ('pageId' in position)
    return {
      parent: validateContainer(await space.getBlock(position.pageId), position.pageId, areItems),
      at: position.at,
    }
  if ('date' in position) {
    const { root, date } = await getOrCreateDailyNote(space, position.date)
    return {
      parent: root,
      at: position.at,
      resolvedDailyNote: { documentId: space.spellId(root.id), dailyNoteDate: date },
    }
  }
  const sibling = await space.getBlock(position.siblingId)
  const parent = await parentBlock(space.tx, sibling)
  if (position.pageOfSibling !== undefined)
    await assertHolds(space, position.pageOfSibling, position.siblingId, sibling)
  if (parent === undefined) {
    throw invalid(
      `Expected a block inside a document as siblingId, found ${position.siblingId}, which is a document; name it as pageId with position start or end.`,
    )
  }
  if (parent.type === 'collection' && !areItems) {
    throw invalid(
      `Expected a siblingId beside which blocks can stand, found ${position.siblingId}, an item of a collection; add items with items_add, or name the item as pageId to put blocks into it.`,
    )
  }
  return { parent, at: position.at, sibling }
}

/** If both a page and a sibling are named, the page must contain the sibling. Otherwise the meaning is unclear. */
async function assertHolds(space: Space, pageId: GivenId, siblingId: GivenId, sibling: BlockRow): Promise<void> {
  const page = await space.getBlock(pageId)
  const [, ...around] = await ancestorNumbers(space.tx, sibling)
  if (around.includes(page.n)) return
  throw invalid(
    `Expected a siblingId inside the page ${pageId}, found ${siblingId}, which stands elsewhere; leave out pageId, or siblingId with position start or end.`,
  )
}

function validateContainer(row: BlockRow, pageId: GivenId, allowsItems: boolean): BlockRow {
  const { holds } = traitsOf(row.type)
  if (holds === 'blocks' || (holds === 'items' && allowsItems)) return row
  if (holds === 'items') {
    throw invalid(
      `Expected a page, text, card or collection item that can hold blocks as pageId, found ${pageId}, a collection; add items to it with items_add.`,
    )
  }
  throw invalid(
    `Expected a page, text, card or collection item that can hold blocks as pageId, found ${pageId} of type ${row.type}; name it as siblingId with position before or after.`,
  )
}

/** Allocates positions for `count` blocks at the target, in order. If the parent is a text block, it becomes a page. */
export async function allocatePositions(space: Space, target: InsertTarget, count: number): Promise<number[]> {
  if (target.parent.type === 'text') await convertToPage(space, target.parent)
  const siblings = { document: target.parent.document, parent: target.parent.n }
  const { low, high } = await findPositionRange(space, siblings, target, count)
  const step = low !== undefined && high !== undefined ? Math.floor((high - low) / (count + 1)) : POSITION_GAP
  const first = low !== undefined ? low + step : (high ?? POSITION_GAP * (count + 1)) - step * count
  return Array.from({ length: count }, (_, index) => first + step * index)
}

/** The positions between which the blocks are inserted. Undefined at the ends of the list of siblings. */
interface PositionRange {
  low: number | undefined
  high: number | undefined
}

async function findPositionRange(
  space: Space,
  siblings: Siblings,
  target: InsertTarget,
  count: number,
): Promise<PositionRange> {
  const found = await neighborPositions(space, siblings, target)
  if (found.low === undefined || found.high === undefined || found.high - found.low > count) return found
  await renumberSiblings(space.tx, siblings, Math.max(POSITION_GAP, 2 * (count + 1)))
  return neighborPositions(space, siblings, target)
}

async function neighborPositions(
  { tx }: Space,
  siblings: Siblings,
  { at, sibling }: InsertTarget,
): Promise<PositionRange> {
  if (at === 'start') return { low: undefined, high: await firstPosition(tx, siblings) }
  if (at === 'end') return { low: await lastPosition(tx, siblings), high: undefined }
  if (sibling === undefined) throw new Error(`Expected a sibling to stand ${at}.`)
  const own = (await blockPosition(tx, sibling.n)) ?? sibling.position
  const next = await neighborPosition(tx, siblings, own, at)
  return at === 'before' ? { low: next, high: own } : { low: own, high: next }
}

/**
 * Converts a text block to a page. A title has one line, so line ends become spaces.
 *
 * @throws VALIDATION_ERROR for a text that is too long for a title
 */
async function convertToPage(space: Space, row: BlockRow): Promise<void> {
  row.type = 'page'
  row.text = assertTitle(row.text.replace(/(?<!\s)\s*\n\s*/g, ' '))
  row.modifiedAt = space.now
  row.modifiedBy = space.link.author
  await updateRow(space, row)
}
