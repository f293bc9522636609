/** As many subscriptions as there may be: how many that is, and what it costs to read for all of them. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { SUBSCRIPTIONS_PER_LINK, SUBSCRIPTIONS_PER_SPACE } from '../../src/base/limits.ts'
import { readFeed } from '../../src/space/feed/read-feed.ts'
import { sharedFeed } from '../../src/space/feed/shared-feed.ts'
import { OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import { ReadsTogether } from '../../src/webhooks/reads-together.ts'
import { SubscriptionReader } from '../../src/webhooks/subscription-messages.ts'
import { insertSubscription, listWebhookRecords } from '../../storage/webhooks.ts'
import { endpoints } from '../../tools/index.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { runs } from '../support/runs.ts'
import {
  newSecret,
  refusal,
  type Subscribable,
  serveSubscriptions,
  startSubscriber,
  subscribe,
  unsubscribe,
} from './subscriber.ts'

const secret = newSecret()

/** Stores subscriptions of the first link, as clients had made them. */
function store({ space }: Subscribable, count: number): Promise<void> {
  return space.write(OPERATOR_LINK, async ({ tx, now }) => {
    const times = { createdAt: now, call: 0, event: 0, reachChanges: 0, notBefore: null, expiresAt: now + 60_000 }
    const named = { link: 1, url: 'https://example.org/', secret, events: null, eventName: 'comment.created' }
    const rest = { arguments: '{}', cursor: null, client: null, connection: null, ...times }
    for (let index = 0; index < count; index++) await insertSubscription(tx, { id: `sub_${index}`, ...named, ...rest })
  })
}

/** The number of statements of some work in a transaction. */
async function statementsOf({ tx }: Space, work: () => Promise<unknown>): Promise<number> {
  const spies = (['all', 'get', 'run', 'batch'] as const).map((method) => vi.spyOn(tx, method))
  await work()
  const count = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  for (const spy of spies) spy.mockRestore()
  return count
}

test('a link has at most so many subscriptions, also if they are made at once, and room again after one has ended', async () => {
  const receiver = await startSubscriber()
  const served = await serveSubscriptions()
  const [{ mcpClient }, other] = [await served.join(), await served.join()]
  const of = (author: number) => ({ arguments: { author: `${author}` }, delivery: { url: receiver.url, secret } })
  await subscribe(mcpClient, of(0))
  const more = Array.from({ length: SUBSCRIPTIONS_PER_LINK + 2 }, (_, index) => subscribe(mcpClient, of(index + 1)))
  const results = await Promise.allSettled(more)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(SUBSCRIPTIONS_PER_LINK - 1)
  // One that is there already is refreshed.
  expect((await subscribe(mcpClient, of(0))).deliveryStatus).toBeDefined()
  expect(await refusal(subscribe(mcpClient, of(-1)))).toEqual({
    code: -32013,
    message: 'Expected at most 100 subscriptions of one link, found that many; end one with events/unsubscribe.',
    data: { limit: 'subscriptions', max: SUBSCRIPTIONS_PER_LINK },
  })
  expect((await subscribe(other.mcpClient, of(-1))).truncated).toBe(false)
  await unsubscribe(mcpClient, of(0))
  expect((await subscribe(mcpClient, of(-1))).truncated).toBe(false)
})

test('a space has at most so many subscriptions', async () => {
  const receiver = await startSubscriber()
  const served = await serveSubscriptions()
  const [, { mcpClient }] = [await served.join(), await served.join()]
  await store(served, SUBSCRIPTIONS_PER_SPACE - 1)
  const of = (author: string) => ({ arguments: { author }, delivery: { url: receiver.url, secret } })
  await subscribe(mcpClient, of('last'))
  expect(await refusal(subscribe(mcpClient, of('one too many')))).toEqual({
    code: -32013,
    message: 'Expected at most 1000 subscriptions of one space, found that many; end one with events/unsubscribe.',
    data: { limit: 'subscriptions', max: SUBSCRIPTIONS_PER_SPACE },
  })
})

test('subscriptions of one link share what is read of the feed', async () => {
  const receiver = await startSubscriber()
  const served = await serveSubscriptions()
  const { mcpClient } = await served.join()
  const documents = [await documentOf(served.writer, ''), await documentOf(served.writer, '')]
  const MANY = 40
  for (let index = 0; index < MANY; index++) {
    const given = { author: `author ${index}`, documentId: documents[index % 2] }
    await subscribe(mcpClient, { arguments: given, delivery: { url: receiver.url, secret } })
    await documentOf(served.writer, '')
  }
  const { few, all } = await served.space.read(OPERATOR_LINK, async (view) => {
    const records = await listWebhookRecords(view.tx)
    const read = (count: number) =>
      statementsOf(view, async () => {
        const reader = new SubscriptionReader(view, endpoints)
        for (const record of records.slice(-count))
          expect(await reader.next(record, 20)).toMatchObject({ messages: [] })
      })
    return { few: await read(1), all: await read(MANY) }
  })
  expect((all - few) / (MANY - 1)).toBeLessThan(3)
})

test('what is asked for at the same time is read at once for each link', async () => {
  const groups: number[][] = []
  const reads = new ReadsTogether<number>(async (numbers, give) => {
    groups.push([...numbers])
    for (const n of numbers) if (n !== 2) give(n, 10 * n)
  })
  const asked = [1, 2, 3].map((n) => reads.read('one', n))
  expect(await Promise.all([...asked, reads.read('other', 4)])).toEqual([10, undefined, 30, 40])
  expect(groups).toEqual([[1, 2, 3], [4]])
  const failing = new ReadsTogether<number>(async () => {
    throw new Error('Expected a database.')
  })
  await expect(failing.read('one', 1)).rejects.toThrow('Expected a database.')
  await expect(failing.read('one', 1)).rejects.toThrow('Expected a database.')
})

test('readers that share pages of the feed get what each would get alone', async () => {
  const { space, clock, call } = await connect()
  const due: number[] = []
  for (let index = 0; index < 12; index++) {
    const document = await documentOf({ call } as never, 'x')
    clock.now += 60_000
    if (index % 3 !== 0) continue
    due.push(index)
    const remindAt = new Date(clock.now + 1).toISOString()
    await call('reminders_add', { reminders: [{ blockId: document, remindAt }] })
  }
  const listening = space.watch(() => {}, { includesFeed: true })
  await listening.ready
  await listening.stop()
  const full = await space.createAccessLink('full', [])
  await space.read(full, async (view) => {
    const { position } = await readFeed(view, { call: 0, event: 0 }, 1_000)
    const place = fc.record({ call: fc.nat(position.call), event: fc.nat(position.event) })
    await fc.assert(
      fc.asyncProperty(fc.array(place, { maxLength: 5 }), fc.integer({ min: 1, max: 7 }), async (places, size) => {
        const read = sharedFeed(size)
        for (const after of places) {
          const [page, alone] = [await read(view, after, size), await readFeed(view, after, 1_000)]
          const keys = (entries: typeof page.entries) => entries.map(({ item, position }) => [item, position])
          expect(keys(page.entries)).toEqual(keys(alone.entries).slice(0, page.entries.length))
          expect(page.hasMore || page.entries.length === alone.entries.length).toBe(true)
          if (page.hasMore) expect(page.position).not.toEqual(after)
          else expect(page.position).toEqual(alone.position)
        }
      }),
      { numRuns: runs(30, 500) },
    )
  })
})
