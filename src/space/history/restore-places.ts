/**
 * Restores the places of blocks among their siblings: each goes after the block that preceded it, whatever positions
 * the siblings have now.
 */

import { childPlaces } from '../../../storage/blocks.ts'
import { setPositions } from '../../../storage/history.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { MAX_BLOCK_NUMBER } from '../../../storage/word-index.ts'
import { addToGroup } from '../../base/grouping.ts'
import { chunks, iterateCooperatively } from '../../base/scheduling.ts'
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
  for (const block of blocks) addToGroup(byParent, block.parent, block)
  for (const [parent, returning] of byParent) {
    const document = returning[0]?.document ?? 0
    const siblings = await childPlaces(tx, document, parent, undefined, MAX_BLOCK_NUMBER)
    const away = new Set(returning.map(({ n }) => n))
    const staying = siblings.filter(({ n }) => !away.has(n))
    if (keepPositions(staying, returning)) {
      await setAll(tx, returning)
      continue
    }
    const order = new SiblingOrder(staying)
    for await (const block of iterateCooperatively(returning)) order.insert(block)
    await setAll(
      tx,
      [...order.numbers()].map((n, index) => ({ n, position: index * POSITION_GAP })),
    )
  }
}

/** Positions that are written in one step, which takes some milliseconds. */
const POSITIONS_PER_STEP = 200

async function setAll(tx: Transaction, places: readonly Place[]): Promise<void> {
  for await (const some of chunks(places, POSITIONS_PER_STEP)) await setPositions(tx, some)
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

/** Siblings as a linked list, since in an array each of thousands of blocks would move all that follow. */
export class SiblingOrder {
  readonly #positions: Map<number, number>
  /** The next sibling of each, and the first one after `null`. */
  readonly #next = new Map<number | null, number>()

  constructor(siblings: readonly Place[]) {
    this.#positions = new Map(siblings.map(({ n, position }) => [n, position]))
    let previous: number | null = null
    for (const { n } of siblings) {
      this.#next.set(previous, n)
      previous = n
    }
  }

  /** Inserts a block after the one before it. If that no longer exists, its old position decides the place. */
  insert({ n, position, previous }: Pick<ReturningBlock, 'n' | 'position' | 'previous'>): void {
    const isKnown = previous === null || this.#positions.has(previous)
    const before = isKnown ? previous : this.#lastUpTo(position)
    const next = this.#next.get(before)
    this.#next.set(before, n)
    if (next !== undefined) this.#next.set(n, next)
    this.#positions.set(n, position)
  }

  /** The block before the first one with a later position. */
  #lastUpTo(position: number): number | null {
    let last: number | null = null
    for (const n of this.numbers()) {
      if ((this.#positions.get(n) ?? 0) > position) break
      last = n
    }
    return last
  }

  *numbers(): Generator<number, void> {
    for (let n = this.#next.get(null); n !== undefined; n = this.#next.get(n)) yield n
  }
}
