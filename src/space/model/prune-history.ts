/** Keeps history within its bounds. */
import { forgetChangesBefore, forgetLargestHistory, historySize } from '../../../storage/history-retention.ts'
import { HISTORY_BYTES } from '../../base/limits.ts'
import type { Space } from './space.ts'

/** Calls whose changes are forgotten in one go, and goes at most: the rest follows with later calls. */
const CALLS_PER_BATCH = 200
const BATCHES = 20

/**
 * Forgets what is too old, and then, while there is too much, the oldest calls of the link that has most: a link
 * that fills the history loses its own.
 */
export async function pruneHistory({ tx, now, info }: Pick<Space, 'tx' | 'now' | 'info'>): Promise<void> {
  if (info.historyRetention !== undefined) {
    const before = now - info.historyRetention
    for (let step = 0; step < BATCHES && (await forgetChangesBefore(tx, before, CALLS_PER_BATCH)); step++);
  }
  for (let step = 0; step < BATCHES; step++) {
    const { bytes } = await historySize(tx)
    if (bytes <= HISTORY_BYTES) return
    await forgetLargestHistory(tx, bytes - HISTORY_BYTES, CALLS_PER_BATCH)
  }
}
