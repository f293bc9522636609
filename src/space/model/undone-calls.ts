/** Finds out which calls were undone. */
import { undoingCalls } from '../../../storage/audit-log.ts'
import type { Space } from './space.ts'

/**
 * Maps undone calls after the number `from` to the calls that undid them. Leaves out calls whose undo was itself
 * undone.
 */
export async function undoneBy({ tx }: Pick<Space, 'tx'>, from: number): Promise<Map<number, number>> {
  const undoing = await undoingCalls(tx, from)
  const found = new Map<number, number>()
  // Last to first, because an undo that was undone itself does not count.
  for (const { n, undoes } of undoing.toReversed()) {
    if (!found.has(n)) for (const call of undoes) if (!found.has(call)) found.set(call, n)
  }
  return found
}
