/** A space's rate limiter compared with simple accounts of the same calls. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ScriptoriumError } from '../../src/base/errors.ts'
import { type QuotaRequest, RateLimiter, type RateLimits, type Remaining } from '../../src/call/rate-limiter.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { runs } from '../support/runs.ts'
import { START, second, usageFile } from './usage-file.ts'

describe('any calls at any times', () => {
  type Step = { wait: number; handle: number } & (
    | { kind: 'admit'; asks: QuotaRequest }
    | { kind: 'charge'; blocks: number; of: number }
  )
  const wait = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 9000 }) },
    fc.constantFrom(59_999, 60_000, 60_001, -1, -5000, -90_000),
  )
  const handle = fc.integer({ min: 0, max: 1 })
  const blocks = fc.oneof(fc.constant('read' as const), fc.integer({ min: 0, max: 12 }))
  const asks = fc.oneof(
    fc.constant<QuotaRequest>({}),
    blocks.map((blocks): QuotaRequest => ({ blocks })),
  )
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('admit' as const), wait, handle, asks }) },
    fc.record({
      kind: fc.constant('charge' as const),
      wait,
      handle,
      blocks: fc.integer({ min: -6, max: 8 }),
      of: fc.nat(),
    }),
  )

  // Like an accountant, it keeps every entry of each window.
  class Accounts {
    windows = {
      requests: { begun: -Infinity, entries: [] as number[] },
      blocks: { begun: -Infinity, entries: [] as number[] },
    }
    sum(what: 'requests' | 'blocks', now: number): number {
      const { begun, entries } = this.windows[what]
      return begun <= now && now - begun < 60_000 ? entries.reduce((sum, entry) => sum + entry, 0) : 0
    }
    enter(what: 'requests' | 'blocks', entry: number, now: number): void {
      if (this.sum(what, now) === 0) this.windows[what] = { begun: now, entries: [] }
      this.windows[what].entries.push(entry)
      if (this.sum(what, now) < 0) this.windows[what].entries = []
    }
    end = (what: 'requests' | 'blocks') => second(this.windows[what].begun + 60_000)
  }

  async function agree(steps: readonly Step[], limits: RateLimits, file: string): Promise<void> {
    const time = { now: START }
    const usages = [openUsage(file), openUsage(file)]
    const budgets = usages.map((usage) => new RateLimiter(usage, limits, () => time.now))
    const accounts = new Accounts()
    const admitted: Remaining[] = []
    const allowance = (what: 'requests' | 'blocks') => {
      const sum = accounts.sum(what, time.now)
      if (sum <= 0) return undefined
      return { limit: limits[what], remaining: Math.max(0, limits[what] - sum), reset: accounts.end(what) }
    }
    for (const step of steps) {
      time.now += step.wait
      const budget = budgets[file === ':memory:' ? 0 : step.handle] as RateLimiter
      if (step.kind === 'admit') {
        const { blocks } = step.asks
        const free = limits.blocks - accounts.sum('blocks', time.now)
        const passes =
          accounts.sum('requests', time.now) < limits.requests &&
          (blocks === undefined || (blocks === 'read' ? free > 0 : blocks <= Math.max(0, free)))
        const answer = await budget.acquire(step.asks).catch((error: ScriptoriumError) => error.code)
        if (blocks !== undefined && blocks !== 'read' && blocks > limits.blocks) {
          expect(answer).toBe('VALIDATION_ERROR')
          continue
        }
        if (!passes || typeof answer === 'string') {
          expect([passes, answer]).toEqual([false, 'RATE_LIMITED'])
          continue
        }
        accounts.enter('requests', 1, time.now)
        if (typeof blocks === 'number' && blocks > 0) accounts.enter('blocks', blocks, time.now)
        const left = { requests: allowance('requests'), blocks: blocks === undefined ? undefined : allowance('blocks') }
        expect({ requests: undefined, blocks: undefined, ...answer }).toEqual(left)
        admitted.push(answer)
      } else {
        const of = admitted[step.of % Math.max(1, admitted.length)]
        if (of === undefined || step.blocks === 0) continue
        const runs = accounts.sum('blocks', time.now) > 0
        const given = step.blocks > 0 || (runs && of.blocks?.reset === accounts.end('blocks'))
        if (given) accounts.enter('blocks', step.blocks, time.now)
        const { blocks } = await budget.charge(step.blocks, of)
        expect(blocks).toEqual(allowance('blocks'))
      }
    }
    for (const usage of usages) usage.close()
  }

  const limits = fc.record({ requests: fc.integer({ min: 1, max: 6 }), blocks: fc.integer({ min: 1, max: 10 }) })
  const steps = fc.array(step, { maxLength: 40 })

  test('are admitted and rejected as by a simple reference, in memory', () =>
    fc.assert(
      fc.asyncProperty(steps, limits, (steps, limits) => agree(steps, limits, ':memory:')),
      { numRuns: runs(50, 500) },
    ))

  test('and over two handles on one file', async () => {
    const file = usageFile()
    let run = 0
    await fc.assert(
      fc.asyncProperty(steps, limits, (steps, limits) => agree(steps, limits, `${file}-${run++}`)),
      { numRuns: runs(5, 50) },
    )
  })
})
