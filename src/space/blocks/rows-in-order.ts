/** Reads rows in sets, so that long lists do not hold up other calls. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'

/** Rows that are read or described at once. */
const ROWS_PER_PART = 1_000

/** The parts of a long list. Other calls run before each. */
export async function* partsOf<Entry>(entries: readonly Entry[]): AsyncGenerator<readonly Entry[]> {
  for (let start = 0; start < entries.length; start += ROWS_PER_PART) {
    if (start > 0) await yieldToEventLoop()
    yield entries.slice(start, start + ROWS_PER_PART)
  }
}

/** The rows with these numbers, in this order. Those that do not exist are left out. */
export async function rowsInOrder(space: Space, numbers: readonly number[]): Promise<BlockRow[]> {
  const rows = new Map<number, BlockRow>()
  for await (const part of partsOf(numbers)) {
    for (const row of await blocksByNumbers(space.tx, part)) rows.set(row.n, row)
  }
  return numbers.flatMap((n) => rows.get(n) ?? [])
}
