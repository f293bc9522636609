/** Subscriptions that are refused: each with its code and data, and without a word about this server's network. */

import { describe, expect, test } from 'vitest'
import { CHALLENGES_PER_MINUTE } from '../../src/base/limits.ts'
import { documentOf } from '../document.ts'
import { clientAt } from '../http/serving.ts'
import { type Answering, isLoopback, startReceiver } from '../webhooks/receiver.ts'
import {
  newSecret,
  refusal,
  type Subscribing,
  serveSubscriptions,
  startSubscriber,
  subscribe,
  unsubscribe,
} from './subscriber.ts'

const SECRET = newSecret()
const URL_REFUSED =
  'Expected an https address of at most 2000 characters, without a user name or #, as delivery.url, found another.'
const HTTP_REFUSED =
  'Expected an address with https as delivery.url, found http; the person who runs the server can allow it with serve --webhook-allow.'
const asked = (url: string, more: Partial<Subscribing> = {}): Subscribing => ({
  delivery: { mode: 'webhook', url, secret: SECRET },
  ...more,
})

test.each([
  ['no prefix', Buffer.alloc(32).toString('base64')],
  ['too few bytes', newSecret(23)],
  ['too many bytes', newSecret(65)],
  ['a digit that stands for no byte', `${newSecret(24)}A`],
  ['padding that is not needed', `${newSecret(24)}=`],
  ['another alphabet', `whsec_${'_'.repeat(43)}=`],
])('a secret with %s', async (_, secret) => {
  const { mcpClient } = await (await serveSubscriptions()).join()
  const found = await refusal(subscribe(mcpClient, { delivery: { url: 'https://example.org/', secret } }))
  expect(found).toMatchObject({
    code: -32602,
    message: 'Expected whsec_ and base64 of 24 to 64 random bytes as delivery.secret, found something else.',
  })
  expect(JSON.stringify(found)).not.toContain(secret)
})

describe('an address', () => {
  test.each([
    ['http://example.org/hook', HTTP_REFUSED],
    ['ftp://example.org/', URL_REFUSED],
    ['hook', URL_REFUSED],
    ['https://anna:x@example.org/', URL_REFUSED],
    ['https://example.org/#a', URL_REFUSED],
    [`https://example.org/${'a'.repeat(2_000)}`, URL_REFUSED],
    ['https://10.0.0.1/', 'Expected an address of the public network with https as delivery.url, found 10.0.0.1.'],
    ['https://[::1]/', 'Expected an address of the public network with https as delivery.url, found [::1].'],
    ['https://127.1/', 'Expected an address of the public network with https as delivery.url, found 127.0.0.1.'],
    [
      'https://169.254.169.254/latest',
      'Expected an address of the public network with https as delivery.url, found 169.254.169.254.',
    ],
  ])('such as %s', async (url, message) => {
    const { mcpClient } = await (await serveSubscriptions({ isAllowed: undefined as never })).join()
    expect(await refusal(subscribe(mcpClient, asked(url)))).toMatchObject({ code: -32602, message })
  })

  test('with a name that leads into a private network, as one that is not known', async () => {
    const { mcpClient } = await (await serveSubscriptions({ isAllowed: undefined as never })).join()
    const [inside, unknown] = await Promise.all(
      ['https://localhost:1/', 'https://hooks.invalid/'].map((url) => refusal(subscribe(mcpClient, asked(url)))),
    )
    expect(inside).toEqual({
      code: -32015,
      message:
        'Expected the address in delivery.url to be reached, and to answer with the challenge that it was sent, found this: connection_refused.',
      data: { reason: 'connection_refused' },
    })
    expect(unknown).toEqual(inside)
  })

  test('at a host that the operator did not list', async () => {
    const receiver = await startSubscriber()
    const served = await serveSubscriptions({ eventHosts: ['127.0.0.1', '*.example.org'] })
    const { mcpClient } = await served.join()
    expect((await subscribe(mcpClient, asked(receiver.url))).truncated).toBe(false)
    for (const host of ['example.org', 'badexample.org', 'hooks.example.net']) {
      expect(await refusal(subscribe(mcpClient, asked(`https://${host}/`)))).toMatchObject({
        code: -32012,
        message: `Expected one of the hosts to which this server sends events (127.0.0.1, *.example.org) in delivery.url, found ${host}; ask the person who runs the server to allow it.`,
      })
    }
  })

  test.each<[string, Answering, string]>([
    ['accepts without an echo', (_, response) => response.writeHead(204).end(), 'challenge_failed'],
    ['answers with something else', (_, response) => response.end('{"challenge":"a"}'), 'challenge_failed'],
    ['answers with no JSON', (_, response) => response.end('hello'), 'challenge_failed'],
    ['answers with null', (_, response) => response.end('null'), 'challenge_failed'],
    [
      'echoes after more than is read',
      ({ body }, response) =>
        response.end(JSON.stringify({ padding: 'x'.repeat(5_000), challenge: JSON.parse(body).challenge })),
      'challenge_failed',
    ],
    ['refuses', (_, response) => response.writeHead(403).end(), 'http_4xx'],
    ['fails', (_, response) => response.writeHead(500).end(), 'http_5xx'],
    ['does not answer', () => {}, 'timeout'],
    ['closes the connection', (_, response) => response.socket?.destroy(), 'connection_refused'],
  ])('whose receiver %s', async (_, answer, reason) => {
    const receiver = await startReceiver(answer as Answering)
    const served = await serveSubscriptions({ timeout: 100 })
    const { mcpClient } = await served.join()
    const found = await refusal(subscribe(mcpClient, asked(receiver.url)))
    expect([found.code, found.data]).toEqual([-32015, { reason }])
    served.deliver()
    await documentOf(served.writer, 'x')
    expect(receiver.received.map(({ type }) => type)).toEqual(['verification'])
  })

  test('that redirects, which is not followed', async () => {
    const elsewhere = await startSubscriber()
    const receiver = await startReceiver((_, response) => response.writeHead(307, { location: elsewhere.url }).end())
    const { mcpClient } = await (await serveSubscriptions()).join()
    expect((await refusal(subscribe(mcpClient, asked(receiver.url)))).data).toEqual({ reason: 'http_4xx' })
    expect(elsewhere.received).toEqual([])
  })

  test('with another certificate', async () => {
    const receiver = await startReceiver()
    const { mcpClient } = await (await serveSubscriptions()).join()
    const url = receiver.url.replace('http:', 'https:')
    expect((await refusal(subscribe(mcpClient, asked(url)))).data).toEqual({ reason: 'tls_error' })
  })

  test('in a network of which only an address before was allowed', async () => {
    let isMoved = false
    const receiver = await startSubscriber()
    const isAllowed = (address: string) => !isMoved && isLoopback(address)
    const served = await serveSubscriptions({ isAllowed })
    const { mcpClient } = await served.join()
    await subscribe(mcpClient, asked(receiver.url.replace('127.0.0.1', 'localhost'), { name: 'document.added' }))
    isMoved = true
    const failing = Promise.withResolvers<string>()
    served.deliver({ isAllowed, pauses: [], report: failing.resolve })
    await documentOf(served.writer, 'x')
    expect(await failing.promise).toContain(
      'Expected an address with https, or in a network that --webhook-allow names',
    )
    expect(receiver.received.map(({ type }) => type)).toEqual(['verification'])
  })
})

describe('a request', () => {
  test('for an event that there is not, or for a document that is out of reach', async () => {
    const served = await serveSubscriptions()
    const [shown, hidden] = [await documentOf(served.writer, ''), await documentOf(served.writer, '', 'Hidden')]
    const { mcpClient } = await served.join({ kind: 'selected', documents: [shown] })
    const of = (more: Partial<Subscribing>) => refusal(subscribe(mcpClient, asked('http://127.0.0.1:1/', more)))
    expect(await of({ name: 'document.read' })).toMatchObject({ code: -32011, data: { kind: 'event' } })
    const found = await of({ arguments: { documentId: hidden } })
    expect(found).toMatchObject({ code: -32011, data: { kind: 'argument' } })
    expect(found.message).not.toContain('Hidden')
    expect(await of({ arguments: { documentId: '999999999999' } })).toMatchObject({
      code: -32011,
      message: found.message.replace(hidden, '999999999999'),
    })
    expect(await of({ arguments: { colour: 'red' } })).toMatchObject({ code: -32602 })
    expect(await of({ cursor: 'made-up' })).toMatchObject({ code: -32602, data: { code: 'CURSOR_INVALID' } })
    expect(await of({ arguments: { author: 'x'.repeat(5_000) } })).toMatchObject({ code: -32602 })
  })

  test('for another way to deliver', async () => {
    const { mcpClient } = await (await serveSubscriptions()).join()
    const delivery = { mode: 'push', url: 'https://example.org/', secret: SECRET }
    expect(await refusal(subscribe(mcpClient, { delivery }))).toMatchObject({
      code: -32014,
      data: { feature: 'deliveryMode', value: 'push' },
    })
  })

  test('of a link that may not subscribe', async () => {
    const { mcpClient } = await (await serveSubscriptions()).join({ noEvents: true })
    expect(await refusal(subscribe(mcpClient, asked('http://127.0.0.1:1/')))).toMatchObject({
      code: -32012,
      message:
        'Expected a link that may subscribe to events, found one that may not; poll with events/poll, or ask the person who made the link.',
    })
  })

  test('for too many new addresses in a minute', async () => {
    const receiver = await startSubscriber((_, response) => response.writeHead(500).end())
    const served = await serveSubscriptions()
    const [{ mcpClient, mcp }, other] = [await served.join(), await served.join()]
    const { server } = await serveSubscriptions({}, served)
    const ofOtherServer = await clientAt(mcp.replace(served.server.origin, server.origin))
    const refused = await startReceiver((_, response) => response.writeHead(500).end())
    for (let index = 0; index < CHALLENGES_PER_MINUTE; index++) {
      const client = index % 2 === 0 ? mcpClient : ofOtherServer
      expect((await refusal(subscribe(client, asked(`${refused.url}/${index}`)))).code).toBe(-32015)
    }
    expect(refused.received).toHaveLength(CHALLENGES_PER_MINUTE)
    expect(await refusal(subscribe(mcpClient, asked(receiver.url)))).toMatchObject({
      code: -32013,
      data: { limit: 'challenges', max: CHALLENGES_PER_MINUTE, retryAfter: expect.any(Number) },
    })
    expect(receiver.received).toEqual([])
    expect((await subscribe(other.mcpClient, asked(receiver.url))).truncated).toBe(false)
  })

  test('to end what another link has, or what has ended already', async () => {
    const receiver = await startSubscriber()
    const served = await serveSubscriptions()
    const [{ mcpClient }, other] = [await served.join(), await served.join()]
    await subscribe(mcpClient, asked(receiver.url))
    const none = { code: -32011, data: { kind: 'subscription' } }
    expect(await refusal(unsubscribe(other.mcpClient, asked(receiver.url)))).toMatchObject(none)
    expect(await refusal(unsubscribe(mcpClient, asked(receiver.url, { arguments: { mine: false } })))).toMatchObject(
      none,
    )
    await unsubscribe(mcpClient, asked(receiver.url, { arguments: null }))
    expect(await refusal(unsubscribe(mcpClient, asked(receiver.url)))).toMatchObject(none)
  })
})
