/** Spaces that cannot be opened when a request needs them. */
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULT_RATE_LIMITS, RateLimiter } from '../../src/call/rate-limiter.ts'
import { OnDemandRegistry, type SpacePlace } from '../../src/http/on-demand-registry.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { StorageFault } from '../../storage/storage-fault.ts'
import { buildSpace } from '../build.ts'

/** Has the same space for every key. */
class OneSpace extends OnDemandRegistry {
  readonly #open: SpacePlace['open']

  constructor(open: SpacePlace['open']) {
    super({ noticeSources: [] })
    this.#open = open
    onTestFinished(() => this.close())
  }

  protected find(): SpacePlace {
    return { shown: 'the space at /srv/spaces/team.sqlite', open: this.#open }
  }

  protected forget(): undefined {}
}

test('an unreachable database is reported to the caller, and the space is opened once it responds', async () => {
  const fault = new StorageFault(
    'STORAGE_UNAVAILABLE',
    'Expected an answer, found none; try again soon.',
    new Error('gone'),
  )
  const { space } = await buildSpace()
  const rateLimiter = new RateLimiter(openUsage(':memory:'), DEFAULT_RATE_LIMITS, Date.now)
  const served = { space, rateLimiter, close: () => space.close() }
  const attempts = [() => Promise.reject(fault), async () => served]
  const registry = new OneSpace(() => (attempts.shift() ?? expect.fail('It was opened a third time.'))())
  await expect(registry.acquire('key')).rejects.toBe(fault)
  const lease = await registry.acquire('key')
  expect(lease?.space).toBe(space)
  lease?.release()
})

test('the reason why a space cannot be opened is logged, with its place', async () => {
  const registry = new OneSpace(() => Promise.reject(new Error('no such table')))
  await expect(registry.acquire('key')).rejects.toThrow(
    'Expected to open the space at /srv/spaces/team.sqlite, found this: no such table',
  )
})
