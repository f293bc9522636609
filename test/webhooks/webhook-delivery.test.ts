/** Webhook deliveries: in order, at least once, whatever the receiver does, and by one process at a time. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { addAccessLink, exposeDocuments, revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { WebhookDelivery, type WebhookDeliveryOptions } from '../../src/webhooks/webhook-delivery.ts'
import { addWebhook, listWebhooks, removeWebhook, testWebhook, type WebhookInfo } from '../../src/webhooks/webhooks.ts'
import { forgetChangesBefore } from '../../storage/history-retention.ts'
import { endpoints } from '../../tools/index.ts'
import { type BuiltSpace, buildSpace } from '../build.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { type Answering, isLoopback, isSigned, type Receiver, startReceiver } from './receiver.ts'

/** A space whose clock advances, since it determines the retries. */
const openTimed = async (): Promise<Connected> =>
  connect('full', { to: await buildSpace(':memory:', { clock: Date.now }) })

interface Hook {
  id: string
  secret: string
  linkId: string
}

async function hookOf(
  { space }: BuiltSpace,
  url: string,
  { documents = [], events }: { documents?: string[]; events?: string[] } = {},
): Promise<Hook> {
  return space.write(OPERATOR_LINK, async (view) => {
    const kind = documents.length > 0 ? 'selected' : 'full'
    const { info } = await addAccessLink(view, { kind, access: 'read', documents, isBearer: false })
    return { ...(await addWebhook(view, info.id, url, events)), linkId: info.id }
  })
}

const PATIENT = { version: '1.2.3', isAllowed: isLoopback, endpoints, report: () => {} }

function deliver({ space }: BuiltSpace, options: Partial<WebhookDeliveryOptions> = {}): WebhookDelivery {
  const delivery = new WebhookDelivery(space, { ...PATIENT, lease: 60, ...options })
  onTestFinished(() => delivery.close())
  return delivery
}

const stateOf = async ({ space }: BuiltSpace): Promise<WebhookInfo | undefined> =>
  (await space.read(OPERATOR_LINK, (view) => listWebhooks(view, endpoints))).webhooks[0]

const titlesIn = (received: Receiver['received']) => received.map(({ data }) => data.summary)
const add = async (full: Connected, ...titles: string[]) => {
  for (const title of titles) await documentOf(full, '', title)
}

describe('an event', () => {
  test('is sent in order and signed, from when the webhook was added on', async () => {
    const full = await openTimed()
    await add(full, 'before')
    const receiver = await startReceiver()
    const { secret } = await hookOf(full, receiver.url)
    await add(full, 'a', 'b')
    deliver(full)
    await receiver.until(2)
    await add(full, 'c')
    const received = await receiver.until(3)
    expect(titlesIn(received)).toEqual(['"a": added', '"b": added', '"c": added'])
    expect(received.every((message) => isSigned(message, secret))).toBe(true)
    expect(new Set(received.map(({ id }) => id)).size).toBe(3)
    const [{ data, ...first } = { data: undefined }] = received
    expect(first).toMatchObject({ type: 'call.committed', timestamp: expect.stringMatching(/Z$/) })
    expect(data).toMatchObject({ tool: 'documents_add', author: 'tester', made: [expect.stringMatching(/-\d{12}$/)] })
  })

  test('that the link itself causes is left out for a webhook of what others do', async () => {
    const full = await openTimed()
    const receiver = await startReceiver()
    const link = await full.space.write(OPERATOR_LINK, async (view) => {
      const { info } = await addAccessLink(view, { kind: 'full', access: 'full', documents: [], isBearer: false })
      await addWebhook(view, info.id, receiver.url, undefined, true)
      return info.id
    })
    const agent = await connect('full', { to: full, caller: { link: { ...OPERATOR_LINK, id: link, author: 'agent' } } })
    await add(agent, 'of the agent')
    await add(full, 'of another')
    expect(await stateOf(full)).toMatchObject({ mine: false, waiting: 1 })
    deliver(full)
    expect(titlesIn(await receiver.until(1))).toEqual(['"of another": added'])
  })

  test('is sent within the current reach of the link', async () => {
    const full = await openTimed()
    const [shown, hidden] = [await documentOf(full, '', 'Shown'), await documentOf(full, '', 'Hidden')]
    const receiver = await startReceiver()
    const { linkId } = await hookOf(full, receiver.url, { documents: [shown] })
    deliver(full)
    const write = (pageId: string) => full.call('blocks_add', { markdown: 'x', position: { position: 'end', pageId } })
    await write(hidden)
    await write(shown)
    await receiver.until(1)
    await full.space.write(OPERATOR_LINK, (view) => exposeDocuments(view, linkId, [shown, hidden]))
    await write(hidden)
    const received = await receiver.until(3)
    expect(received.map(({ type, data }) => [type, data.summary])).toEqual([
      ['call.committed', '"Shown": 1 block added'],
      ['reach.changed', undefined],
      ['call.committed', '"Hidden": 1 block added'],
    ])
    expect(JSON.stringify(received)).not.toContain('"number"')
  })

  test('is sent only if the webhook selects it', async () => {
    const clock = { now: Date.now() }
    const full = await connect('full', { to: await buildSpace(':memory:', { clock: () => clock.now }) })
    const receiver = await startReceiver()
    await hookOf(full, receiver.url, { events: ['reminder.due', 'documents_delete'] })
    const document = await documentOf(full, 'call Ben')
    const { 'call Ben': blockId } = await idsOf(full, document)
    const remindAt = new Date(clock.now + 1).toISOString()
    await full.call('reminders_add', { reminders: [{ blockId, remindAt }] })
    clock.now++
    deliver(full)
    await receiver.until(1)
    await full.call('documents_delete', { documentIds: [document] })
    expect((await receiver.until(2)).map(({ type, data }) => data.tool ?? type)).toEqual([
      'reminder.due',
      'documents_delete',
    ])
  })

  test('that cannot be sent any more, since the history was pruned, is reported as missed', async () => {
    const full = await openTimed()
    const receiver = await startReceiver()
    await hookOf(full, receiver.url)
    await add(full, 'forgotten')
    await full.space.write(OPERATOR_LINK, ({ tx, now }) => forgetChangesBefore(tx, now + 1, 100))
    await add(full, 'kept')
    deliver(full)
    const received = await receiver.until(2)
    expect(received.map(({ type }) => type)).toEqual(['changes.missed', 'call.committed'])
    expect(received[1]?.data.summary).toBe('"kept": added')
  })

  test('is not sent once the webhook is removed, or its link revoked', async () => {
    const full = await openTimed()
    const [ended, removed, other] = [await startReceiver(), await startReceiver(), await startReceiver()]
    const { linkId } = await hookOf(full, ended.url)
    const { id } = await hookOf(full, removed.url)
    await hookOf(full, other.url)
    deliver(full)
    await full.space.write(OPERATOR_LINK, async (view) => {
      await revokeAccessLink(view, linkId)
      await removeWebhook(view, id, endpoints)
    })
    await add(full, 'a')
    await other.until(1)
    expect([ended.received, removed.received]).toEqual([[], []])
    expect((await stateOf(full))?.state).toBe('ended')
  })
})

describe('a receiver', () => {
  test('that fails gets the same message again until it accepts it, and then the next ones, in order', async () => {
    const full = await openTimed()
    let failures = 3
    const receiver = await startReceiver((_, response) => void response.writeHead(failures-- > 0 ? 500 : 204).end())
    await hookOf(full, receiver.url)
    await add(full, 'a', 'b', 'c')
    deliver(full, { pauses: [1, 1, 1, 1] })
    const received = await receiver.until(6)
    expect(titlesIn(received)).toEqual([
      '"a": added',
      '"a": added',
      '"a": added',
      '"a": added',
      '"b": added',
      '"c": added',
    ])
    expect(new Set(received.slice(0, 4).map(({ id }) => id)).size).toBe(1)
  })

  test('that failed while the clock was ahead is not kept waiting until the time that it showed', async () => {
    const clock = { ahead: 60 * 24 * 3600_000 }
    const full = await connect('full', { to: await buildSpace(':memory:', { clock: () => Date.now() + clock.ahead }) })
    let isDown = true
    const receiver = await startReceiver((_, response) => void response.writeHead(isDown ? 500 : 204).end())
    await hookOf(full, receiver.url)
    await add(full, 'a')
    const failing = deliver(full, { pauses: [50, 50, 50] })
    await receiver.until(1)
    await failing.close()
    isDown = false
    clock.ahead = 0
    deliver(full, { pauses: [50, 50, 50] })
    expect(titlesIn(await receiver.until(2))).toEqual(['"a": added', '"a": added'])
  })

  test('that fails for too long is paused and reported; events wait until a test is accepted', async () => {
    const full = await openTimed()
    let isDown = true
    const receiver = await startReceiver((_, response) => void response.writeHead(isDown ? 503 : 200).end())
    const { id } = await hookOf(full, receiver.url)
    await add(full, 'a')
    const reported = Promise.withResolvers<string>()
    deliver(full, { pauses: [1, 1], report: reported.resolve })
    expect(await reported.promise).toBe(
      `The webhook ${id} to ${new URL(receiver.url).origin} is paused after 3 tries: status 503. What happens waits for it; webhooks test ${id} lets it go on.`,
    )
    await add(full, 'b')
    expect(await stateOf(full)).toMatchObject({ state: 'paused', failures: 3, lastError: 'status 503', waiting: 2 })
    expect(await testWebhook(full.space, id, PATIENT)).toMatchObject({ isAccepted: false, isResumed: false })
    isDown = false
    expect(await testWebhook(full.space, id, PATIENT)).toMatchObject({ isAccepted: true, isResumed: true })
    const received = (await receiver.until(7)).slice(3)
    expect(received.map(({ type, data }) => data.summary ?? type)).toEqual([
      'webhook.test',
      'webhook.test',
      '"a": added',
      '"b": added',
    ])
    expect(await stateOf(full)).toMatchObject({ state: 'sending' })
  })

  test('that responds with 410 Gone is paused at once', async () => {
    const full = await openTimed()
    const receiver = await startReceiver((_, response) => void response.writeHead(410).end())
    await hookOf(full, receiver.url)
    await add(full, 'a')
    const reported = Promise.withResolvers<string>()
    deliver(full, { report: reported.resolve })
    expect(await reported.promise).toContain('is paused after 1 try: status 410.')
    expect(receiver.received).toHaveLength(1)
  })

  test('that hangs, redirects, responds endlessly or with nonsense loses nothing, and blocks no other', async () => {
    const full = await openTimed()
    const elsewhere = await startReceiver()
    const good = await startReceiver()
    /** What each hostile receiver does at its first attempts; then it works. */
    const misdeeds: Answering[] = [
      () => {},
      (_, response) => void response.writeHead(301, { location: elsewhere.url }).end(),
      (_, response) => void response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'),
      (_, response) => void response.socket?.destroy(),
      (_, response) => void response.writeHead(200, { 'content-length': '1000000' }).write('lies'),
    ]
    const hostile = await Promise.all(
      misdeeds.map(async (misdeed) => {
        let tries = 0
        return startReceiver((message, response) =>
          tries++ < 2 ? misdeed(message, response) : void response.writeHead(204).end(),
        )
      }),
    )
    for (const { url } of [...hostile, good]) await hookOf(full, url)
    deliver(full, { pauses: Array(20).fill(1), timeout: 50 })
    await add(full, 'a', 'b')
    for (const receiver of [good, ...hostile]) {
      expect(titlesIn(await receiver.untilDistinct(2))).toEqual(['"a": added', '"b": added'])
    }
    expect(elsewhere.received).toEqual([])
  })
})

describe('of two processes', () => {
  test('one delivers, and the other continues once that has ended', async () => {
    const full = await openTimed()
    const receiver = await startReceiver()
    await hookOf(full, receiver.url)
    await add(full, 'a')
    const first = deliver(full)
    await receiver.until(1)
    deliver(full)
    await add(full, 'b')
    await receiver.until(2)
    await first.close()
    await add(full, 'c')
    expect(titlesIn(await receiver.until(3))).toEqual(['"a": added', '"b": added', '"c": added'])
  })

  test('the other takes over when the lease of a killed one has expired', async () => {
    const full = await openTimed()
    const receiver = await startReceiver()
    await hookOf(full, receiver.url)
    // As left by a killed process.
    await full.space.write(OPERATOR_LINK, async ({ tx, now }) => {
      const { acquireWebhookLease } = await import('../../storage/webhooks.ts')
      expect(await acquireWebhookLease(tx, { holder: 'killed', expiresAt: now + 60, now })).toBe(true)
    })
    await add(full, 'a')
    deliver(full)
    expect(titlesIn(await receiver.until(1))).toEqual(['"a": added'])
  })
})

test('the position of each webhook is stored in the space, so that the next process sends the rest', async () => {
  const full = await openTimed()
  const receiver = await startReceiver()
  await hookOf(full, receiver.url)
  await add(full, 'a')
  const first = deliver(full)
  await receiver.until(1)
  await first.close()
  expect(await stateOf(full)).toMatchObject({ waiting: 0, deliveredAt: expect.any(String) })
  await add(full, 'b')
  expect(await stateOf(full)).toMatchObject({ waiting: 1 })
  deliver(full)
  expect(titlesIn(await receiver.until(2))).toEqual(['"a": added', '"b": added'])
})

test('the addresses of webhooks are checked, and their number is limited', async () => {
  const full = await connect()
  const add = (url: string) => hookOf(full, url)
  for (const url of ['ftp://example.org', 'not an address', 'https://user:secret@example.org/']) {
    await expect(add(url)).rejects.toThrow(
      `Expected an address with https, without a user name and of at most 2000 characters as --webhook, found ${url}.`,
    )
  }
  for (let count = 0; count < 100; count++) await add('https://example.org/')
  await expect(add('https://example.org/')).rejects.toThrow(
    'Expected at most 100 webhooks in a space, found that many; remove one with webhooks remove.',
  )
})
