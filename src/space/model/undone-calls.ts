/** Which calls were taken back. */
import { undoingCalls } from '../../../storage/audit-log.ts'
import type { Space } from './space.ts'

/** By number, the call that took a call back, of those after the number `from` that were taken back and still are. */
export async function undoneBy({ tx }: Pick<Space, 'tx'>, from: number): Promise<Map<number, number>> {
  const undoing = await undoingCalls(tx, from)
  const found = new Map<number, number>()
  // From the last to the first: an undo that was taken back itself has taken nothing back.
  for (const { n, undoes } of undoing.toReversed()) {
    if (!found.has(n)) for (const call of undoes) if (!found.has(call)) found.set(call, n)
  }
  return found
}
