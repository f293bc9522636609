/**
 * Where blocks come back among their siblings: after the one that stood before them, whatever positions the siblings
 * have by now.
 */
import { childPlaces } from '../../../storage/blocks.ts'
import { setPositions } from '../../../storage/history.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { MAX_BLOCK_NUMBER } from '../../../storage/word-index.ts'
import { POSITION_GAP } from '../model/positions.ts'

/** A block that comes back to a place. */
export interface ReturningBlock {
  n: number
  document: number
  parent: number
  /** As it was. */
  position: number
  /** The block before it, and its position then; null for the first of all. */
  previous: number | null
  previousPosition: number | null
}

/**
 * Gives the blocks their positions. They are in their parents already, wherever among the siblings.
 *
 * @param blocks  in the order in which they come back: the last that went first
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

/** A place in an order. */
interface Place {
  n: number
  position: number
}

/** Whether the blocks can have the positions that they had: the siblings were not renumbered, and none has taken one. */
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

/** Without the block before it, its old position tells where it was. */
function insertAfterPrevious(order: Place[], { n, position, previous }: ReturningBlock): void {
  const before = previous === null ? -1 : order.findIndex((place) => place.n === previous)
  const isUnknown = previous !== null && before < 0
  const next = isUnknown ? order.findIndex((place) => place.position > position) : before + 1
  order.splice(next < 0 ? order.length : next, 0, { n, position })
}
