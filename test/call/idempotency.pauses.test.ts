import { expect, test } from 'vitest'
import { createIdempotentCall } from '../../src/call/idempotency.ts'
import { LONGEST_PAUSE, longestPause } from '../support/pauses.ts'

test('a call of 20,000 blocks is recognized without blocking the event loop', async () => {
  const blocks = Array.from({ length: 20_000 }, () => ({ type: 'text', markdown: 'x' }))
  const known = () => createIdempotentCall('k', 'blocks_add', { blocks })
  expect(await longestPause(known)).toBeLessThan(LONGEST_PAUSE)
})
