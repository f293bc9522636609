/**
 * Restores the places of blocks among their siblings: each goes after the block that preceded it, whatever positions
 * the siblings have now.
 */
import { childPlaces } from '../../../storage/blocks.ts'
import { setPositions } from '../../../storage/history.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { MAX_BLOCK_NUMBER } from '../../../storage/word-index.ts'
import { POSITION_GAP } from '../model/positions.ts'

/** A block that returns to its former place. */
export interface ReturningBlock {
  n: number
  document: number
  parent: number
  /** Its position before. */
  position: number
  /** The block before it and the position of that block at the time. Null for the first child. */
  previous: number | null
  previousPosition: number | null
}

/**
 * Sets the positions of the blocks. They already have their parents, at any place among the siblings.
 *
 * @param blocks  in the order in which to restore them: the last one removed comes first
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

/** A block and its position among its siblings. */
interface Place {
  n: number
  position: number
}

/** True if the blocks can have their old positions: the siblings were not renumbered, and no old position is taken. */
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

/** If the block before it no longer exists, its old position decides the place. */
function insertAfterPrevious(order: Place[], { n, position, previous }: ReturningBlock): void {
  const before = previous === null ? -1 : order.findIndex((place) => place.n === previous)
  const isUnknown = previous !== null && before < 0
  const next = isUnknown ? order.findIndex((place) => place.position > position) : before + 1
  order.splice(next < 0 ? order.length : next, 0, { n, position })
}
