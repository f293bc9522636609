/** An import leaves others at least half of a limit, and spreads what it takes. */
import { expect, test } from 'vitest'
import { RateLimiter } from '../../../src/call/rate-limiter.ts'
import { BlockPacer } from '../../../src/http/archives/pace-blocks.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { openUsage } from '../../../storage/sqlite/usage.ts'

const MINUTE = 60_000

/** A pacer whose waits advance the clock, and run what others do meanwhile. */
function pacer(blocks: number, others: (limiter: RateLimiter, now: number) => Promise<unknown> = async () => {}) {
  let now = 1_000_000 * MINUTE
  const rateLimiter = new RateLimiter(openUsage(':memory:'), { requests: 0, blocks }, () => now)
  const waits: number[] = []
  const wait = async (seconds: number) => {
    waits.push(seconds)
    now += Math.ceil(seconds * 1000)
    await others(rateLimiter, now)
  }
  const { signal } = new AbortController()
  const made = new BlockPacer({ rateLimiter }, { signal, wait, clock: () => now })
  return { pacer: made, rateLimiter, waits, minutes: () => waits.reduce((sum, one) => sum + one, 0) / 60 }
}

test('it takes half of the limit in each minute, spread over it', async () => {
  const { pacer: pace, rateLimiter, waits, minutes } = pacer(10_000)
  await pace.pace(20_000)
  expect(pace.hasWaited).toBe(true)
  expect(minutes()).toBeGreaterThan(3)
  expect(minutes()).toBeLessThan(4.2)
  expect((await rateLimiter.remaining()).blocks?.remaining).toBeGreaterThanOrEqual(5_000)
  // No wait is much longer than that for one charge, so that the rest is never used up at once.
  expect(Math.max(...waits)).toBeLessThan(3)
})

test('reads of others are not refused, however long it runs, and it takes less where they need more', async () => {
  let refused = 0
  const { pacer: pace, minutes } = pacer(1_000, async (limiter) => {
    await limiter.acquire({ blocks: 'read', requests: 0 }).then(
      (acquired) => limiter.charge(20, acquired),
      () => refused++,
    )
  })
  await pace.pace(1_500)
  expect(refused).toBe(0)
  expect(minutes()).toBeGreaterThan(3)
})

test('before it begins, it knows how long so many blocks take at least', async () => {
  expect(await pacer(10_000).pacer.secondsFor(20_000)).toBe(240)
  expect(await pacer(0).pacer.secondsFor(20_000)).toBe(0)
})

test('documents of several at once share its part', async () => {
  const { pacer: pace, rateLimiter } = pacer(1_000)
  await Promise.all(Array.from({ length: 10 }, () => pace.pace(40)))
  expect((await rateLimiter.remaining()).blocks?.remaining).toBeGreaterThanOrEqual(500)
})

test('it goes on with a limit of one block, and waits for nothing without a limit', async () => {
  const { pacer: pace, minutes } = pacer(1)
  await pace.pace(3)
  expect(minutes()).toBeGreaterThan(1.9)
  const unlimited = pacer(0)
  await unlimited.pacer.pace(100_000)
  expect(unlimited.waits).toEqual([])
})

test.each([{ kind: 'selected' }, { access: 'read' }, { access: 'no-delete' }] as const)(
  'a link that has become %j meanwhile stops it',
  async (change) => {
    const currentLink = async () => ({ ...OPERATOR_LINK, ...change })
    const pace = new BlockPacer({ currentLink }, { signal: new AbortController().signal })
    await expect(pace.pace(1)).rejects.toThrow(
      'Expected a link that reaches all of the space with access full, found that it was changed meanwhile; ask the person who made the link for another.',
    )
  },
)

test('the end of the link stops it, and so does the end of the server', async () => {
  const rateLimiter = new RateLimiter(openUsage(':memory:'), { requests: 0, blocks: 1 }, () => 0)
  const ended = { rateLimiter, currentLink: async () => undefined }
  await expect(new BlockPacer(ended, { signal: new AbortController().signal }).pace(1)).rejects.toMatchObject({
    code: 'INVALID_AUTH_HEADER',
  })
  const ending = new AbortController()
  const wait = async () => ending.abort()
  await new BlockPacer({ rateLimiter }, { signal: ending.signal, wait, clock: () => 0 }).pace(2)
  expect(ending.signal.aborted).toBe(true)
})
