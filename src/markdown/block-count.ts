/** Limits the number of blocks per call, including nested ones. */

import { invalid } from '../base/errors.ts'
import { formatNumber } from '../base/format-number.ts'
import { BLOCKS_PER_CALL } from '../base/limits.ts'
import type { Block } from './block.ts'

/** @throws VALIDATION_ERROR for more blocks than a call may write */
export function assertBlockCount(count: number): void {
  if (count <= BLOCKS_PER_CALL) return
  throw invalid(
    `Expected at most ${formatNumber(BLOCKS_PER_CALL)} blocks in one call, found more; add them in several calls.`,
  )
}

/** Counts all blocks of these trees. */
export function countBlocks(blocks: readonly Block[]): number {
  const waiting = [...blocks]
  for (let index = 0; index < waiting.length; index++) {
    for (const block of waiting[index]?.content ?? []) waiting.push(block)
  }
  return waiting.length
}
