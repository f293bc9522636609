/**
 * Determines where restored blocks are placed among their siblings: after the block that preceded them, regardless of
 * the current positions of the siblings.
 */
import { childPlaces } from '../../../storage/blocks.ts'
import { setPositions } from '../../../storage/history.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { MAX_BLOCK_NUMBER } from '../../../storage/word-index.ts'
import { POSITION_GAP } from '../model/positions.ts'

/** A block that is restored to its place. */
export interface ReturningBlock {
  n: number
  document: number
  parent: number
  /** Its previous position. */
  position: number
  /** The block before it and that block's position at the time; null for the first sibling. */
  previous: number | null
  previousPosition: number | null
}

/**
 * Assigns positions to the blocks, which already have their parents.
 *
 * @param blocks  in the order of restoring: the last one deleted comes first
 */
export async function restorePlaces(tx: Transaction, blocks: readonly ReturningBlock[]): Promise<void> {
  const byParent = new Map<number, ReturningBlock[]>()
  for (const block of blocks) byParent.set(block.parent, [...(byParent.get(block.parent) ?? []), block])
  for (const [parent, returning] of byParent) {
    const document = returning[0]?.document ?? 0
    const siblings = await childPlaces(tx, document, parent, undefined, MAX_BLOCK_NUMBER)
    const away = new Set(returning.map(({ n }) => n))
    const order = siblings.filter(({ n }) => !away.has(n)).map(({ n, position }) => ({ n, position }))
    if (keepPositions(order, returning)) {
      await setPositions(tx, returning)
      continue
    }
    for (const block of returning) insertAfterPrevious(order, block)
    await setPositions(
      tx,
      order.map(({ n }, index) => ({ n, position: index * POSITION_GAP })),
    )
  }
}

/** An entry of an ordered list. */
interface Place {
  n: number
  position: number
}

/** True if the blocks can keep their previous positions: the siblings were not renumbered, and no position is taken. */
function keepPositions(order: readonly Place[], returning: readonly ReturningBlock[]): boolean {
  const positions = new Map(order.map(({ n, position }) => [n, position]))
  const taken = new Set(positions.values())
  return returning.every(({ n, position, previous, previousPosition }) => {
    const now = previous === null ? undefined : positions.get(previous)
    if (taken.has(position) || (now !== undefined && now !== previousPosition)) return false
    taken.add(position)
    positions.set(n, position)
    return true
  })
}

/** If the preceding block no longer exists, uses the previous position instead. */
function insertAfterPrevious(order: Place[], { n, position, previous }: ReturningBlock): void {
  const before = previous === null ? -1 : order.findIndex((place) => place.n === previous)
  const isUnknown = previous !== null && before < 0
  const next = isUnknown ? order.findIndex((place) => place.position > position) : before + 1
  order.splice(next < 0 ? order.length : next, 0, { n, position })
}
