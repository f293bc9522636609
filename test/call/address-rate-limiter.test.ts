import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { MAX_TRACKED_ADDRESSES } from '../../src/base/limits.ts'
import { AddressRateLimiter } from '../../src/call/rate-limiter.ts'

const START = Date.parse('2026-11-20T09:00:00.500Z')

function refusal(work: () => void): ScriptoriumError {
  try {
    work()
  } catch (error) {
    if (error instanceof ScriptoriumError) return error
    throw error
  }
  throw new Error('Expected a refusal, found none')
}

describe('requests from an address', () => {
  const at = (limit = 50) => {
    const time = { now: START }
    return { time, budget: new AddressRateLimiter(limit, () => time.now) }
  }

  test('the fiftieth within ten seconds passes, and the next one is told how long to wait', () => {
    const { budget, time } = at()
    for (let request = 0; request < 50; request++) budget.acquire('192.0.2.1')
    time.now += 7001
    const error = refusal(() => budget.acquire('192.0.2.1'))
    expect(error.message).toBe(
      'Expected at most 50 requests in 10 seconds from one address, found them used up by all its connections together. Retry after 3 seconds.',
    )
    expect([error.code, error.retryAfter]).toEqual(['RATE_LIMITED', 3])
    budget.acquire('192.0.2.2')
    time.now = START + 9999
    expect(refusal(() => budget.acquire('192.0.2.1')).message).toContain('Retry after 1 second.')
    time.now = START + 10_000
    for (let request = 0; request < 50; request++) budget.acquire('192.0.2.1')
    expect(refusal(() => budget.acquire('192.0.2.1')).retryAfter).toBe(10)
  })

  test.each([
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:DB8:0:0::9', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::2'],
    ['::1', '::2'],
    ['socket', 'socket'],
  ])('%s counts as %s', (one, other) => {
    const { budget } = at(1)
    budget.acquire(one)
    refusal(() => budget.acquire(other))
  })

  test.each([
    ['192.0.2.1', '192.0.2.2'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['1:11::1', '11:1::1'],
    ['::ffff:0:1', '::1'],
    ['1::ffff:192.0.2.1', '192.0.2.1'],
    ['', 'socket'],
  ])('%s does not count as %s', (one, other) => {
    const { budget } = at(1)
    budget.acquire(one)
    budget.acquire(other)
  })

  test('IPv6 addresses count as one exactly if their first 64 bits match, in any notation', () => {
    const half = fc.array(fc.constantFrom('0', '0', '1', 'a', '2001'), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(half, half, half, half, (network, host, otherNetwork, otherHost) => {
        const { budget } = at(1)
        budget.acquire([...network, ...host].join(':'))
        // Parsing it as the host of a URL returns the shortened, canonical form.
        const { hostname } = new URL(`http://[${[...network, ...otherHost].join(':')}]`)
        refusal(() => budget.acquire(hostname.slice(1, -1)))
        fc.pre(otherNetwork.join() !== network.join())
        budget.acquire([...otherNetwork, ...host].join(':'))
      }),
    )
  })

  test('a request is refunded if another limit rejects it', () => {
    const { budget } = at(1)
    const refund = budget.acquire('192.0.2.1')
    refusal(() => budget.acquire('192.0.2.1'))
    refund()
    budget.acquire('192.0.2.1')
    refusal(() => budget.acquire('192.0.2.1'))
  })

  test('expired windows are removed, and up to a hundred thousand others are kept', () => {
    const { budget, time } = at(1)
    const name = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`
    for (let index = 0; index < 1000; index++) budget.acquire(name(index))
    expect(budget.size).toBe(1000)
    time.now += 10_000
    for (let index = 0; index < MAX_TRACKED_ADDRESSES; index++) budget.acquire(name(index))
    expect(budget.size).toBe(100_000)
    refusal(() => budget.acquire(name(0)))
    budget.acquire(name(MAX_TRACKED_ADDRESSES))
    expect(budget.size).toBe(100_000)
    budget.acquire(name(0))
    refusal(() => budget.acquire(name(MAX_TRACKED_ADDRESSES)))
    time.now += 10_000
    budget.acquire(name(5))
    expect(budget.size).toBe(1)
  })

  test('a clock that is set back starts new windows', () => {
    const { budget, time } = at(1)
    budget.acquire('192.0.2.1')
    time.now -= 3_600_000
    budget.acquire('192.0.2.1')
    refusal(() => budget.acquire('192.0.2.1'))
    expect(budget.size).toBe(1)
  })

  test('a clock that is set back by a moment restarts only windows that are now in the future', () => {
    const { budget, time } = at(1)
    budget.acquire('192.0.2.1')
    time.now += 5000
    budget.acquire('192.0.2.2')
    time.now -= 4000
    refusal(() => budget.acquire('192.0.2.1'))
    budget.acquire('192.0.2.2')
    expect(refusal(() => budget.acquire('192.0.2.2')).retryAfter).toBe(10)
  })

  test('0 is no limit', () => {
    const { budget } = at(0)
    for (let request = 0; request < 1000; request++) budget.acquire('192.0.2.1')()
    expect(budget.size).toBe(0)
  })
})
