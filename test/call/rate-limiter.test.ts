/** What a space's rate limiter allows, charges and reports, for one connection and for many. */
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import {
  DEFAULT_RATE_LIMITS,
  type QuotaRequest,
  RateLimiter,
  type RateLimits,
  remainingAfterFailure,
} from '../../src/call/rate-limiter.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { StorageFault } from '../../storage/storage-fault.ts'
import type { Usage, UsageWindows } from '../../storage/usage.ts'
import { START, second, usageFile } from './usage-file.ts'

/** Opens several connections to the same usage file, all with the same clock. */
function share(limits: Partial<RateLimits> = {}, file = ':memory:', handles = 1) {
  const time = { now: START }
  const usages = Array.from({ length: handles }, () => openUsage(file))
  onTestFinished(() => {
    for (const usage of usages) usage.close()
  })
  const budgets = usages.map((usage) => new RateLimiter(usage, { ...DEFAULT_RATE_LIMITS, ...limits }, () => time.now))
  const [budget = new RateLimiter(openUsage(':memory:'), DEFAULT_RATE_LIMITS, () => 0)] = budgets
  return { budget, budgets, time }
}

async function refusedBy(client: Promise<unknown>): Promise<ScriptoriumError> {
  const error = await client.then(
    (answer) => new Error(`Expected a refusal, found ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  )
  if (!(error instanceof ScriptoriumError)) throw error
  return error
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < count; time++) await work()
}

describe('requests to a space', () => {
  test('the hundredth within a minute passes, and the next one is told how long to wait', async () => {
    const { budget, time } = share()
    const reset = second(START + 60_000)
    expect(await budget.acquire({})).toEqual({ requests: { limit: 100, remaining: 99, reset } })
    time.now += 47_600
    await times(98, () => budget.acquire({}))
    expect(await budget.acquire({})).toEqual({ requests: { limit: 100, remaining: 0, reset } })
    const error = await refusedBy(budget.acquire({}))
    expect(error.message).toBe(
      'Expected at most 100 requests a minute in this space, found them used up by all its connections together. Retry after 13 seconds.',
    )
    expect([error.code, error.status, error.retryAfter]).toEqual(['RATE_LIMITED', 429, 13])
    expect(error.body).toEqual({ error: error.message, code: 'RATE_LIMITED' })
  })

  test('a window ends a minute after its first request, to the millisecond; the next one begins with its own', async () => {
    const { budget, time } = share({ requests: 1 })
    await budget.acquire({})
    time.now = START + 59_999
    expect((await refusedBy(budget.acquire({}))).message).toBe(
      'Expected at most 1 request a minute in this space, found them used up by all its connections together. Retry after 1 second.',
    )
    time.now = START + 90_000
    expect(await budget.acquire({})).toEqual({ requests: { limit: 1, remaining: 0, reset: second(START + 150_000) } })
    time.now = START + 149_999
    await refusedBy(budget.acquire({}))
    time.now = START + 150_000
    await budget.acquire({})
  })

  test('a client that waits as long as it was told passes', async () => {
    const { budget, time } = share({ requests: 1 })
    await budget.acquire({})
    for (const later of [0, 1, 499, 500, 501, 30_123, 59_000, 59_999]) {
      time.now = START + later
      time.now += 1000 * ((await refusedBy(budget.acquire({}))).retryAfter ?? 0)
      expect(time.now).toBeGreaterThanOrEqual(START + 60_000)
      expect(time.now).toBeLessThan(START + 61_000)
    }
    await budget.acquire({})
  })

  test('a rejected request uses nothing up and extends nothing', async () => {
    const { budget, time } = share({ requests: 2, blocks: 10 })
    await budget.acquire({ blocks: 10 })
    await times(50, () => refusedBy(budget.acquire({ blocks: 1 })))
    await times(50, () => refusedBy(budget.acquire({ blocks: 'read' })))
    expect((await budget.acquire({})).requests?.remaining).toBe(0)
    time.now += 30_000
    await times(50, () => refusedBy(budget.acquire({})))
    time.now += 30_000
    expect((await budget.acquire({})).requests?.remaining).toBe(1)
  })

  test('two handles on one file share them', async () => {
    const { budgets } = share({ requests: 10 }, usageFile(), 2)
    const remaining: unknown[] = []
    for (let time = 0; time < 10; time++) remaining.push((await budgets[time % 2]?.acquire({}))?.requests?.remaining)
    expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    for (const budget of budgets) await refusedBy(budget.acquire({}))
  })
})

describe('blocks read or written in a space', () => {
  const reset = second(START + 60_000)

  test('a write is charged at once, and is rejected if it needs more than is left', async () => {
    const { budget, time } = share()
    expect((await budget.acquire({ blocks: 18_766 })).blocks).toEqual({ limit: 20_000, remaining: 1234, reset })
    time.now += 18_000
    const error = await refusedBy(budget.acquire({ blocks: 1235 }))
    expect(error.message).toBe(
      'Expected at most 20,000 blocks a minute read or written in this space, found 1,234 left by all its connections together and 1,235 to write; nothing was written. Retry after 42 seconds.',
    )
    expect([error.code, error.retryAfter]).toEqual(['RATE_LIMITED', 42])
    expect((await budget.acquire({ blocks: 1234 })).blocks).toEqual({ limit: 20_000, remaining: 0, reset })
    expect((await budget.acquire({ blocks: 0 })).blocks).toEqual({ limit: 20_000, remaining: 0, reset })
  })

  test('a write of more than the whole limit can never pass, and the error says so', async () => {
    const { budget } = share()
    await budget.acquire({ blocks: 20_000 })
    const error = await refusedBy(budget.acquire({ blocks: 20_001 }))
    expect(error.message).toBe(
      'Expected at most 20,000 blocks in one call, which is all that this space may read and write in a minute, found 20,001; nothing was written, give them in several calls.',
    )
    expect([error.code, error.retryAfter]).toEqual(['VALIDATION_ERROR', undefined])
    expect((await budget.acquire({})).requests?.remaining).toBe(98)
  })

  test('a read is admitted while any are left, and charged with what it returned', async () => {
    const { budget, time } = share()
    const admitted = await budget.acquire({ blocks: 'read' })
    expect(admitted.blocks).toBeUndefined()
    expect(await budget.charge(19_999, admitted)).toEqual({
      ...admitted,
      blocks: { limit: 20_000, remaining: 1, reset },
    })
    const last = await budget.acquire({ blocks: 'read' })
    expect(last.blocks).toEqual({ limit: 20_000, remaining: 1, reset })
    expect((await budget.charge(700, last)).blocks).toEqual({ limit: 20_000, remaining: 0, reset })
    time.now += 59_000
    expect((await refusedBy(budget.acquire({ blocks: 'read' }))).message).toBe(
      'Expected at most 20,000 blocks a minute read or written in this space, found them used up by all its connections together. Retry after 1 second.',
    )
    expect((await refusedBy(budget.acquire({ blocks: 1 }))).message).toContain('found 0 left by all its connections')
  })

  test('the window begins with the first blocks, not with the first request', async () => {
    const { budget, time } = share()
    await budget.acquire({ blocks: 'read' })
    time.now += 40_000
    const admitted = await budget.acquire({ blocks: 'read' })
    expect((await budget.charge(5, admitted)).blocks?.reset).toBe(second(START + 100_000))
  })

  test('a write that turns out smaller gets blocks back, and a failed one all of them', async () => {
    const { budget } = share()
    const first = await budget.acquire({ blocks: 100 })
    expect((await budget.charge(-60, first)).blocks?.remaining).toBe(19_960)
    const second = await budget.acquire({ blocks: 5000 })
    expect((await budget.charge(-5000, second)).blocks?.remaining).toBe(19_960)
    expect((await budget.charge(-40, first)).blocks).toBeUndefined()
    expect((await budget.acquire({ blocks: 'read' })).blocks).toBeUndefined()
  })

  test('blocks are refunded only in the window that they were charged to', async () => {
    const { budget, time } = share()
    const admitted = await budget.acquire({ blocks: 15_000 })
    time.now += 60_000
    await budget.acquire({ blocks: 12_000 })
    expect((await budget.charge(-15_000, admitted)).blocks?.remaining).toBe(8000)
  })

  test('a call without blocks passes when none are left, and reports no block limit', async () => {
    const { budget } = share({ blocks: 10 })
    await budget.acquire({ blocks: 10 })
    expect(await budget.acquire({})).toEqual({ requests: { limit: 100, remaining: 98, reset } })
  })

  test('if two limits are exceeded, the longer one is named', async () => {
    const { budget, time } = share({ requests: 2, blocks: 10 })
    await budget.acquire({})
    time.now += 10_000
    await budget.acquire({ blocks: 10 })
    const error = await refusedBy(budget.acquire({ blocks: 'read' }))
    expect([error.message.includes('10 blocks'), error.retryAfter]).toEqual([true, 60])
    expect((await refusedBy(budget.acquire({}))).retryAfter).toBe(50)
  })

  test('if both last equally long, the request limit is named', async () => {
    const { budget } = share({ requests: 1, blocks: 1 })
    await budget.acquire({ blocks: 1 })
    expect((await refusedBy(budget.acquire({ blocks: 'read' }))).message).toContain('at most 1 request a minute')
  })
})

describe('what remained when a call was rejected', () => {
  const reset = second(START + 60_000)
  const leftBy = async (budget: RateLimiter, asks: QuotaRequest) =>
    remainingAfterFailure.get(await refusedBy(budget.acquire(asks)))

  test('is reported for each limit that counts the call', async () => {
    const { budget } = share({ requests: 2, blocks: 10 })
    await budget.acquire({ blocks: 7 })
    const blocks = { limit: 10, remaining: 3, reset }
    expect(await leftBy(budget, { blocks: 4 })).toEqual({ requests: { limit: 2, remaining: 1, reset }, blocks })
    await budget.acquire({})
    const requests = { limit: 2, remaining: 0, reset }
    expect(await leftBy(budget, { blocks: 'read' })).toEqual({ requests, blocks })
    expect(await leftBy(budget, {})).toEqual({ requests })
  })

  test('is not reported for a limit that is off, even if others count by it', async () => {
    const usage = openUsage(':memory:')
    const by = (limits: RateLimits) => new RateLimiter(usage, limits, () => START)
    await by({ requests: 5, blocks: 2 }).acquire({ blocks: 2 })
    const unlimited = by({ requests: 0, blocks: 2 })
    const blocks = { limit: 2, remaining: 0, reset }
    expect(await leftBy(unlimited, { blocks: 'read' })).toEqual({ blocks })
    expect(await unlimited.acquire({ blocks: 0 })).toEqual({ blocks })
  })

  test('omits a window that has counted nothing', async () => {
    const { budget } = share({ requests: 1 })
    await budget.acquire({})
    expect(await leftBy(budget, { blocks: 'read' })).toEqual({ requests: { limit: 1, remaining: 0, reset } })
  })
})

describe('the last use of links', () => {
  test('is recorded once a minute, by every connection', async () => {
    const { budgets, time } = share({}, usageFile(), 2)
    const [one, other] = budgets
    one?.noteUse('a')
    time.now += 30_000
    one?.noteUse('a')
    other?.noteUse('b')
    expect(await other?.linkUses()).toEqual(
      new Map([
        ['a', START],
        ['b', START + 30_000],
      ]),
    )
    time.now += 30_000
    one?.noteUse('a')
    expect((await other?.linkUses())?.get('a')).toBe(START + 60_000)
  })
})

describe('what remains', () => {
  test('is the whole limit while no window runs, and nothing for a limit that is off', async () => {
    const { budget, time } = share({ blocks: 0 })
    const left = async () => (await budget.remaining()).requests?.remaining
    expect(await left()).toBe(100)
    await times(3, () => budget.acquire({}))
    expect(await left()).toBe(97)
    time.now += 60_000
    expect(await budget.remaining()).toEqual({
      requests: { limit: 100, remaining: 100, reset: second(time.now + 60_000) },
    })
  })
})

describe('the usage file', () => {
  /** Returns what a rate limiter stores, starting from the given windows. */
  async function recorded(
    there: UsageWindows,
    limits: RateLimits,
    work: (budget: RateLimiter) => Promise<unknown>,
  ): Promise<UsageWindows> {
    let now = there
    await work(
      new RateLimiter(
        { ...openUsage(':memory:'), record: async (decide) => (now = decide(now)) } as Usage,
        limits,
        () => START + 0.9,
      ),
    )
    return now
  }
  const ended = { requests: { start: START - 90_000, used: 3 }, blocks: { start: START - 90_000, used: 3 } }

  test('is not written by what counts nothing', async () => {
    const limits = { requests: 0, blocks: 10 }
    expect(await recorded(ended, limits, (budget) => budget.acquire({ blocks: 'read' }))).toBe(ended)
    expect(await recorded(ended, limits, (budget) => budget.acquire({ blocks: 0 }))).toBe(ended)
    expect(await recorded(ended, limits, (budget) => budget.acquire({}))).toBe(ended)
    expect(await recorded(ended, limits, (budget) => budget.charge(-3, {}))).toBe(ended)
    const empty = { requests: undefined, blocks: undefined }
    expect(await recorded(empty, limits, (budget) => budget.charge(0, {}))).toBe(empty)
  })

  test('keeps what is not counted again, in whole milliseconds', async () => {
    const future = { requests: undefined, blocks: { start: START + 5000, used: 3 } }
    expect(await recorded(future, DEFAULT_RATE_LIMITS, (budget) => budget.acquire({}))).toEqual({
      requests: { start: START, used: 1 },
      blocks: future.blocks,
    })
  })
})

describe('limits that are off', () => {
  test('are neither counted nor reported', async () => {
    const { budget } = share({ requests: 0, blocks: 0 })
    await times(300, () => budget.acquire({ blocks: 'read' }))
    const admitted = await budget.acquire({ blocks: 1_000_000 })
    expect([admitted, await budget.charge(1_000_000, admitted)]).toEqual([{}, {}])
  })

  test('do not turn off each other', async () => {
    const requests = share({ blocks: 0, requests: 1 })
    expect(Object.keys(await requests.budget.acquire({ blocks: 50_000 }))).toEqual(['requests'])
    await refusedBy(requests.budget.acquire({ blocks: 1 }))
    const blocks = share({ requests: 0, blocks: 1 })
    expect(Object.keys(await blocks.budget.acquire({ blocks: 1 }))).toEqual(['blocks'])
    await refusedBy(blocks.budget.acquire({ blocks: 'read' }))
    expect(await blocks.budget.acquire({})).toEqual({})
  })
})

describe('a changed system clock', () => {
  test.each([
    ['back', -3_600_000],
    ['back by a moment', -1],
    ['forward', 3_600_000],
  ])('%s starts one new window early, and no more', async (_, by) => {
    const { budget, time } = share({ requests: 5 })
    await times(5, () => budget.acquire({}))
    time.now += by
    expect((await budget.acquire({})).requests).toEqual({ limit: 5, remaining: 4, reset: second(time.now + 60_000) })
    await times(4, () => budget.acquire({}))
    expect((await refusedBy(budget.acquire({}))).retryAfter).toBe(60)
  })
})

test('the clock is read while the lock is held: a process that waited finds no window in the future', async () => {
  const file = usageFile()
  const { budget, time } = share({ requests: 2 }, file)
  await budget.acquire({})
  const other = new Sqlite(file)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  const waiting = budget.acquire({})
  await new Promise((resolve) => setImmediate(resolve))
  // In the meantime, the other process begins a window.
  time.now += 70_000
  other.prepare('UPDATE usage SET requests_start = ?, requests = 1').run(time.now)
  other.exec('COMMIT')
  expect((await waiting).requests).toEqual({ limit: 2, remaining: 0, reset: second(time.now + 60_000) })
})

test('a finished call does not fail if nothing can be counted any more', async () => {
  const fault = new StorageFault('STORAGE_UNAVAILABLE', 'Expected an answer, found none.', new Error('gone'))
  const usage = openUsage(':memory:')
  onTestFinished(() => usage.close())
  const gone: Usage = Object.assign(Object.create(usage), { record: () => Promise.reject(fault) })
  const budget = new RateLimiter(gone, DEFAULT_RATE_LIMITS, () => START)
  expect(await budget.charge(5, {})).toEqual({})
  await expect(budget.acquire({})).rejects.toBe(fault)
})
