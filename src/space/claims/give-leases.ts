/** Gives leases on free rows. */

import { lastCall } from '../../../storage/history.ts'
import { advanceLeaseClock, insertLeases } from '../../../storage/leases.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import type { RestoredDate } from '../leases/ending/restored-dates.ts'
import type { RestoredProperty } from '../leases/ending/restored-values.ts'
import { callerKey } from '../model/caller-key.ts'
import type { Space } from '../model/space.ts'

/** A free row to claim, and the values that the claim has written. */
export interface FreeRow {
  row: BlockRow
  restores?: readonly (RestoredProperty | RestoredDate)[]
}

/**
 * Gives the caller a lease on each of these rows, none of which has one.
 *
 * @param duration  milliseconds
 * @returns their fences, in the same order
 */
export async function giveLeases(space: Space, rows: readonly FreeRow[], duration: number): Promise<number[]> {
  const { tx, link, now } = space
  const { at, fence: last } = await advanceLeaseClock(tx, { now, count: rows.length, ...space.leaseTime })
  const call = (await lastCall(tx)) + 1
  const holder = {
    ...{ caller: callerKey(link), connection: link.connection ?? null },
    ...{ author: link.author, client: link.client ?? null },
  }
  const fences = rows.map((_, index) => last - rows.length + 1 + index)
  await insertLeases(
    tx,
    rows.map(({ row, restores = [] }, index) => ({
      ...{ block: row.n, fence: fences[index] ?? last, ...holder, since: now, endsAt: at + duration, duration, call },
      restores: restores.length > 0 ? JSON.stringify(restores) : null,
    })),
  )
  space.leaseEndsIn = Math.min(space.leaseEndsIn, duration)
  // Pages show who holds what.
  await space.markChanged(...rows.map(({ row }) => row.document))
  return fences
}
