import { expect, test } from 'vitest'
import { RateLimiter } from '../../../src/call/rate-limiter.ts'
import { waitForBlocks } from '../../../src/http/archives/pace-blocks.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { openUsage } from '../../../storage/sqlite/usage.ts'

test('blocks are charged in chunks, and what exceeds the limit waits for the next window', async () => {
  let now = 1_000_000
  const rateLimiter = new RateLimiter(openUsage(':memory:'), { requests: 1, blocks: 250 }, () => now)
  const waits: number[] = []
  const wait = async (seconds: number) => {
    waits.push(seconds)
    now += seconds * 1000
  }
  await waitForBlocks({ rateLimiter }, 600, new AbortController().signal, wait)
  expect(waits).toEqual([60, 60])
  expect((await rateLimiter.remaining()).blocks?.remaining).toBe(50)
})

test.each([{ kind: 'selected' }, { access: 'read' }, { access: 'no-delete' }] as const)(
  'a link that has become %j meanwhile stops it',
  async (change) => {
    const currentLink = async () => ({ ...OPERATOR_LINK, ...change })
    await expect(waitForBlocks({ currentLink }, 1, new AbortController().signal)).rejects.toThrow(
      'Expected a link that reaches all of the space with access full, found that it was changed meanwhile; ask the person who made the link for another.',
    )
  },
)

test('the end of the link stops it, and so does the end of the server', async () => {
  const rateLimiter = new RateLimiter(openUsage(':memory:'), { requests: 0, blocks: 1 }, () => 0)
  const ended = { rateLimiter, currentLink: async () => undefined }
  await expect(waitForBlocks(ended, 1, new AbortController().signal)).rejects.toMatchObject({
    code: 'INVALID_AUTH_HEADER',
  })
  const ending = new AbortController()
  const wait = async () => ending.abort()
  await waitForBlocks({ rateLimiter }, 2, ending.signal, wait)
  expect(ending.signal.aborted).toBe(true)
})
