/** How subscriptions go on and end: refreshes, pauses, the reach of their links, and receivers that want no more. */
import { describe, expect, test } from 'vitest'
import { allowEvents, exposeDocuments, revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { ENDED_SUBSCRIPTION_SECONDS, FORMER_SECRET_SECONDS } from '../../src/base/limits.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import {
  addWebhook,
  holdWebhook,
  listWebhooks,
  releaseWebhook,
  removeWebhook,
  testWebhook,
  type WebhookInfo,
} from '../../src/webhooks/webhooks.ts'
import { auditRowsAfter } from '../../storage/audit-log.ts'
import { forgetChangesBefore } from '../../storage/history-retention.ts'
import { endpoints } from '../../tools/index.ts'
import { type BuiltSpace, buildSpace } from '../build.ts'
import { documentOf } from '../document.ts'
import { changeRows } from '../sqlite.ts'
import { isSigned, startReceiver } from '../webhooks/receiver.ts'
import {
  newSecret,
  OPTIONS,
  refusal,
  type Subscribable,
  type Subscribing,
  serveSubscriptions,
  startSubscriber,
  subscribe,
} from './subscriber.ts'

const listed = async ({ space }: BuiltSpace): Promise<WebhookInfo[]> =>
  (await space.read(OPERATOR_LINK, (view) => listWebhooks(view, endpoints))).webhooks
const onSpace = ({ space }: BuiltSpace, work: Parameters<typeof space.write>[1]) => space.write(OPERATOR_LINK, work)
const edit = ({ writer }: Subscribable, pageId: string, markdown = 'more') =>
  writer.call('blocks_add', { markdown, position: { position: 'end', pageId } })

const ADDED = { name: 'document.added' }
const asked = (url: string, more: Partial<Subscribing> = {}, secret = newSecret()): Subscribing => ({
  ...ADDED,
  delivery: { mode: 'webhook', url, secret },
  ...more,
})
const titles = (events: { data: { title?: string } }[]) => events.map(({ data }) => data.title)

/** A server whose clock a test can set ahead. */
async function serveWithClock() {
  const ahead = { ms: 0 }
  const built = await buildSpace(':memory:', { clock: () => Date.now() + ahead.ms })
  return { ahead, ...(await serveSubscriptions({}, built)) }
}

describe('a refresh', () => {
  test('is the same subscription, asks nothing, and neither skips nor repeats anything', async () => {
    const served = await serveSubscriptions()
    const receiver = await startSubscriber()
    const { mcpClient } = await served.join()
    const request = asked(receiver.url, { ttlMs: 3_600_000, arguments: { mine: false } })
    const first = await subscribe(mcpClient, request)
    expect(first.deliveryStatus).toBeUndefined()
    await documentOf(served.writer, '', 'a')
    const again = await subscribe(mcpClient, { ...request, cursor: null, ttlMs: 7_200_000 })
    expect([again.id, again.cursor]).toEqual([first.id, first.cursor])
    expect(Date.parse(again.refreshBefore)).toBeGreaterThan(Date.parse(first.refreshBefore) + 3_000_000)
    expect(again.deliveryStatus).toEqual({ active: true, lastDeliveryAt: null, lastError: null })
    served.deliver()
    const [event] = await receiver.events(1)
    await documentOf(served.writer, '', 'b')
    expect(titles(await receiver.events(2))).toEqual(['a', 'b'])
    const later = await subscribe(mcpClient, { ...request, cursor: event?.cursor ?? '' })
    expect(later.deliveryStatus).toMatchObject({ active: true, lastError: null })
    expect(receiver.received.filter(({ type }) => type === 'verification')).toHaveLength(1)
    const [info] = await listed(served)
    expect(info).toMatchObject({ id: first.id, subscription: { event: 'document.added', arguments: { mine: false } } })
  })

  test('of another link is another subscription, whose address is asked for itself', async () => {
    const served = await serveSubscriptions()
    const receiver = await startSubscriber()
    const request = asked(receiver.url)
    const [one, other] = [await served.join(), await served.join()]
    const ids = [await subscribe(one.mcpClient, request), await subscribe(other.mcpClient, request)]
    expect(ids[0]?.id).not.toBe(ids[1]?.id)
    await subscribe(one.mcpClient, { ...request, arguments: { mine: false } })
    expect(receiver.received.map(({ type }) => type)).toEqual(['verification', 'verification'])
  })

  test('with another secret has messages signed with both for a while', async () => {
    const served = await serveWithClock()
    const receiver = await startSubscriber()
    const { mcpClient } = await served.join()
    const [former, secret] = [newSecret(24), newSecret(64)]
    await subscribe(mcpClient, asked(receiver.url, {}, former))
    await subscribe(mcpClient, asked(receiver.url, {}, secret))
    served.deliver()
    await documentOf(served.writer, '', 'a')
    const [both] = await receiver.events(1)
    served.ahead.ms = FORMER_SECRET_SECONDS * 1_000
    await documentOf(served.writer, '', 'b')
    const [, one] = await receiver.events(2)
    expect([both, one].map((event) => [former, secret].map((key) => event && isSigned(event, key)))).toEqual([
      [true, true],
      [false, true],
    ])
  })

  test('grants a minute at least, a day if nothing is suggested, and 30 days at most', async () => {
    const served = await serveSubscriptions()
    const receiver = await startSubscriber()
    const { mcpClient } = await served.join()
    const granted = async (ttlMs?: number | null) => {
      const { refreshBefore } = await subscribe(mcpClient, asked(receiver.url, ttlMs === undefined ? {} : { ttlMs }))
      return Math.round((Date.parse(refreshBefore) - Date.now()) / 60_000)
    }
    expect(await granted(1)).toBe(1)
    expect(await granted()).toBe(24 * 60)
    expect(await granted(null)).toBe(30 * 24 * 60)
    expect(await granted(10 ** 12)).toBe(30 * 24 * 60)
  })
})

describe('a subscription', () => {
  test('that is not refreshed ends without a message, and can be begun again where it ended', async () => {
    const served = await serveWithClock()
    const receiver = await startSubscriber()
    const { mcpClient } = await served.join()
    const request = asked(receiver.url, { ttlMs: 60_000 })
    const { cursor } = await subscribe(mcpClient, request)
    served.ahead.ms = 60_000
    expect(await listed(served)).toMatchObject([{ state: 'ended', endReason: 'it was not refreshed in time' }])
    await documentOf(served.writer, '', 'a')
    const again = await subscribe(mcpClient, { ...request, cursor })
    expect([again.truncated, again.deliveryStatus]).toEqual([false, undefined])
    served.deliver()
    expect(titles(await receiver.events(1))).toEqual(['a'])
    expect(receiver.received.map(({ type }) => type)).toEqual(['verification', 'verification', undefined])
  })

  test('begins no earlier than its client wants, and says that it skips something', async () => {
    const served = await serveWithClock()
    const receiver = await startSubscriber()
    const { mcpClient } = await served.join()
    const { cursor } = await subscribe(mcpClient, asked(receiver.url))
    await documentOf(served.writer, '', 'old')
    served.ahead.ms = 600_000
    await documentOf(served.writer, '', 'young')
    const request = asked(receiver.url, { arguments: { mine: false }, maxAgeMs: 300_000 })
    const narrowed = await subscribe(mcpClient, request)
    expect(narrowed.truncated).toBe(false)
    served.deliver()
    expect(cursor).not.toBe(narrowed.cursor)
    expect(titles(await receiver.events(2))).toEqual(['old', 'young'])
  })

  test('gets a burst as one event when it ends, although nothing else happens', async () => {
    const served = await serveSubscriptions()
    const receiver = await startSubscriber()
    const { mcpClient } = await served.join()
    const plan = await documentOf(served.writer, 'x', 'Plan')
    const about = { name: 'document.changed', arguments: { documentId: plan, quietSeconds: 1 } }
    await subscribe(mcpClient, asked(receiver.url, about))
    served.deliver()
    for (const text of ['a', 'b', 'c']) await edit(served, plan, text)
    expect((await receiver.events(1)).map(({ data }) => data.changes)).toEqual([3])
  })

  test('is sent nothing that is out of reach, and ends when what it names is', async () => {
    const served = await serveSubscriptions()
    const receiver = await startSubscriber()
    const [shown, hidden] = [
      await documentOf(served.writer, '', 'Shown'),
      await documentOf(served.writer, '', 'Hidden'),
    ]
    const { mcpClient, info } = await served.join({ kind: 'selected', documents: [shown] })
    const changed = { name: 'document.changed', arguments: { quietSeconds: 0 } }
    await subscribe(mcpClient, asked(receiver.url, changed))
    const named = { ...changed, arguments: { quietSeconds: 0, documentId: shown } }
    await subscribe(mcpClient, asked(`${receiver.url}/named`, named))
    served.deliver()
    await edit(served, hidden)
    await edit(served, shown)
    const both = await receiver.events(2)
    expect(titles(both)).toEqual(['Shown', 'Shown'])
    await onSpace(served, (view) => exposeDocuments(view, info.id, [hidden]))
    await edit(served, shown)
    await edit(served, hidden)
    const after = (await receiver.events(5)).slice(2)
    expect(after.map(({ type, data }) => [type, data?.title]).sort()).toEqual([
      [undefined, 'Hidden'],
      ['gap', undefined],
      ['terminated', undefined],
    ])
    const end = after.find(({ type }) => type === 'terminated')
    expect(JSON.parse(end?.body ?? '')).toEqual({
      type: 'terminated',
      error: {
        code: -32011,
        message: 'What this subscription names was deleted, or is out of reach.',
        data: { kind: 'argument' },
      },
    })
    expect(end?.id).toMatch(/^msg_terminated_/)
    expect((await listed(served)).map(({ state, endReason }) => [state, endReason])).toEqual([
      ['sending', undefined],
      ['ended', 'what it names was deleted, or left the reach of its link'],
    ])
  })

  test.each([
    ['its link is revoked', 'its link was revoked or has expired'],
    ['its link may not subscribe any more', 'its link may not subscribe any more'],
    ['the operator removes it', 'it was removed here'],
  ])('ends when %s, and its receiver is sent the end once', async (how, endReason) => {
    const served = await serveWithClock()
    const receiver = await startSubscriber()
    const { mcpClient, info } = await served.join()
    const { id } = await subscribe(mcpClient, asked(receiver.url))
    await onSpace(served, async (view): Promise<unknown> => {
      if (how === 'the operator removes it') return removeWebhook(view, id, endpoints)
      return how === 'its link is revoked' ? revokeAccessLink(view, info.id) : allowEvents(view, info.id, false)
    })
    await documentOf(served.writer, '', 'after')
    served.deliver()
    const [end] = await receiver.events(1)
    expect(JSON.parse(end?.body ?? '')).toMatchObject({ type: 'terminated', error: { code: -32012 } })
    await documentOf(served.writer, '', 'later')
    await expect.poll(() => listed(served)).toMatchObject([{ state: 'ended', endReason, waiting: 0 }])
    served.ahead.ms = (ENDED_SUBSCRIPTION_SECONDS + 1) * 1_000
    await expect.poll(() => listed(served)).toEqual([])
    expect(receiver.received.map(({ type }) => type)).toEqual(['verification', 'terminated'])
  })

  test('goes on from now after a restore, and says that it left out something', async () => {
    const served = await serveSubscriptions()
    const receiver = await startSubscriber()
    const { mcpClient } = await served.join()
    const request = asked(receiver.url)
    await subscribe(mcpClient, request)
    await documentOf(served.writer, '', 'before')
    await onSpace(served, ({ tx }) => changeRows(tx, 'UPDATE webhook SET cursor = ?', 'of another secret'))
    served.deliver()
    const [gap] = await receiver.events(1)
    expect(JSON.parse(gap?.body ?? '')).toEqual({ type: 'gap', cursor: expect.any(String) })
    await documentOf(served.writer, '', 'after')
    expect(titles((await receiver.events(2)).slice(1))).toEqual(['after'])
  })

  test('is sent a gap if history was pruned, which a receiver may refuse without being held up', async () => {
    const served = await serveSubscriptions()
    const receiver = await startSubscriber(({ type }, response) => response.writeHead(type === 'gap' ? 400 : 204).end())
    const { mcpClient } = await served.join()
    await subscribe(mcpClient, asked(receiver.url))
    await documentOf(served.writer, '', 'forgotten')
    await onSpace(served, ({ tx, now }) => forgetChangesBefore(tx, now + 1, 100))
    await documentOf(served.writer, '', 'kept')
    served.deliver()
    const [gap, kept] = await receiver.events(2)
    expect([gap?.type, gap?.id.slice(0, 8), kept?.data.title]).toEqual(['gap', 'msg_gap_', 'kept'])
  })

  test('that a person pauses waits for that person, and loses nothing', async () => {
    const served = await serveSubscriptions()
    const [receiver, other] = [await startSubscriber(), await startSubscriber()]
    const { mcpClient } = await served.join()
    const request = asked(receiver.url)
    const { id } = await subscribe(mcpClient, request)
    await subscribe(mcpClient, asked(other.url))
    await onSpace(served, (view) => holdWebhook(view, id))
    served.deliver()
    await documentOf(served.writer, '', 'a')
    await other.events(1)
    expect((await subscribe(mcpClient, request)).deliveryStatus).toMatchObject({ active: false })
    expect((await listed(served))[0]).toMatchObject({ id, state: 'paused', heldAt: expect.any(String), waiting: 1 })
    expect(receiver.received.map(({ type }) => type)).toEqual(['verification'])
    await onSpace(served, (view) => releaseWebhook(view, id))
    expect(titles(await receiver.events(1))).toEqual(['a'])
  })
})

describe('a receiver', () => {
  test('that fails is paused after a while; a refresh lets it go on, and so does a test', async () => {
    const served = await serveSubscriptions()
    let isDown = true
    const receiver = await startSubscriber((_, response) => response.writeHead(isDown ? 503 : 204).end())
    const { mcpClient } = await served.join()
    const request = asked(receiver.url)
    const { id } = await subscribe(mcpClient, request)
    const reports: string[] = []
    const reported = Promise.withResolvers<void>()
    const report = (line: string) => {
      reports.push(line)
      reported.resolve()
    }
    served.deliver({ pauses: [1], report })
    await documentOf(served.writer, '', 'a')
    await reported.promise
    expect(reports[0]).toBe(
      `The webhook ${id} to ${new URL(receiver.url).origin} is paused after 2 tries: status 503. What happens waits for it; its client lets it go on when it refreshes it, and so does webhooks test ${id}.`,
    )
    isDown = false
    const { deliveryStatus } = await subscribe(mcpClient, request)
    expect(deliveryStatus).toEqual({ active: false, lastDeliveryAt: null, lastError: 'http_5xx' })
    const events = await receiver.events(3)
    expect(new Set(events.map((event) => event.id)).size).toBe(1)
    expect(await testWebhook(served.space, id, OPTIONS)).toMatchObject({ isAccepted: true, isResumed: false })
  })

  test('that answers 410 ends its subscription at once', async () => {
    const served = await serveSubscriptions()
    const receiver = await startSubscriber((_, response) => response.writeHead(410).end())
    const { mcpClient } = await served.join()
    await subscribe(mcpClient, asked(receiver.url))
    served.deliver()
    await documentOf(served.writer, '', 'a')
    await documentOf(served.writer, '', 'b')
    await receiver.events(1)
    await expect
      .poll(() => listed(served))
      .toMatchObject([{ state: 'ended', endReason: 'its receiver wants no more (status 410)' }])
    expect(receiver.received).toHaveLength(2)
  })

  test('for which an event is too large gets a gap in its place', async () => {
    const served = await serveSubscriptions()
    const receiver = await startSubscriber(({ data }, response) =>
      response.writeHead(data?.title === 'a' ? 413 : 204).end(),
    )
    const { mcpClient } = await served.join()
    await subscribe(mcpClient, asked(receiver.url))
    served.deliver()
    for (const title of ['a', 'b']) await documentOf(served.writer, '', title)
    const events = await receiver.events(3)
    expect(events.map(({ type, data }) => type ?? data.title)).toEqual(['a', 'gap', 'b'])
  })

  test('that hangs holds up neither others nor webhooks of the operator', async () => {
    const served = await serveSubscriptions()
    const [hanging, good, hook] = [await startSubscriber(() => {}), await startSubscriber(), await startReceiver()]
    const { mcpClient, info } = await served.join()
    for (const { url } of [hanging, good]) await subscribe(mcpClient, asked(url))
    await onSpace(served, (view) => addWebhook(view, info.id, hook.url, undefined))
    served.deliver({ timeout: 200 })
    for (const title of ['a', 'b']) await documentOf(served.writer, '', title)
    expect(titles(await good.events(2))).toEqual(['a', 'b'])
    const messages = await hook.until(2)
    expect(messages.map(({ type, id }) => [type, id.slice(0, 4)])).toEqual([
      ['call.committed', 'msg_'],
      ['call.committed', 'msg_'],
    ])
    expect(messages.every(({ headers }) => headers['x-mcp-subscription-id'] === undefined)).toBe(true)
  })
})

test('subscribing is in the audit log and in the feed of full links, with who did it', async () => {
  const served = await serveSubscriptions()
  const receiver = await startSubscriber()
  const link = await served.join()
  const { cursor } = (await link.ask('GET /changes')).json
  const { id } = await subscribe(link.mcpClient, asked(receiver.url))
  const call = (tool: string) => ({ tool, linkId: link.info.id, documents: [] })
  expect((await link.ask(`GET /changes?cursor=${cursor}`)).json.items).toMatchObject([
    call('events/challenge'),
    call('events/subscribe'),
  ])
  const rows = await served.space.read(OPERATOR_LINK, ({ tx }) => auditRowsAfter(tx, 0, 100))
  expect(rows.at(-1)).toMatchObject({ endpoint: 'events/subscribe', ids: JSON.stringify([id]), link: link.info.id })
  expect(await refusal(subscribe(link.mcpClient, { ...asked('http://127.0.0.1:1/'), name: 'x' }))).toMatchObject({
    code: -32011,
  })
})
