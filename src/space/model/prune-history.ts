/** Keeps history within its limits. */
import { expiryTime } from '../../../storage/expiry.ts'
import { forgetChangesBefore, forgetLargestHistory, historySize } from '../../../storage/history-retention.ts'
import { HISTORY_BYTES } from '../../base/limits.ts'
import type { Space } from './space.ts'

/** How many calls are forgotten per batch, and how many batches run at most. Later calls prune the rest. */
const CALLS_PER_BATCH = 200
const BATCHES = 20

/**
 * Forgets history that is too old, as far as {@link expiryTime} confirms it. Then, while the history is too large, forgets the oldest calls of the link that uses
 * most: a link that fills the history loses its own entries.
 */
export async function pruneHistory({ tx, now, info }: Pick<Space, 'tx' | 'now' | 'info'>): Promise<void> {
  if (info.historyRetention !== undefined) {
    const before = await expiryTime(tx, now, info.historyRetention)
    for (let step = 0; step < BATCHES && (await forgetChangesBefore(tx, before, CALLS_PER_BATCH)); step++);
  }
  for (let step = 0; step < BATCHES; step++) {
    const { bytes } = await historySize(tx)
    if (bytes <= HISTORY_BYTES) return
    await forgetLargestHistory(tx, bytes - HISTORY_BYTES, CALLS_PER_BATCH)
  }
}
