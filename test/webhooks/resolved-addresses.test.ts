/** Names of hosts that lead, or come to lead, into a network that nothing may be sent to. */
import { isIP } from 'node:net'
import { describe, expect, test } from 'vitest'
import { allowedLookup, isPublicAddress, type Resolver } from '../../src/base/public-addresses.ts'
import { challengeReceiver } from '../../src/webhooks/challenge.ts'
import { createMessage } from '../../src/webhooks/webhook-message.ts'
import { sendMessage } from '../../src/webhooks/webhook-request.ts'
import { documentOf } from '../document.ts'
import { consenting, newSecret, refusal, serveSubscriptions, startSubscriber, subscribe } from '../events/subscriber.ts'
import { startReceiver } from './receiver.ts'

/** Answers each question with the next of these lists of addresses, then with the last. */
function resolving(...answers: string[][]): Resolver & { asked: string[] } {
  const asked: string[] = []
  const resolve: Resolver = (hostname, _, callback) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? []
    asked.push(hostname)
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    )
  }
  return Object.assign(resolve, { asked })
}

const OURS = '127.0.0.1'
/** An address that stands for those of its network. */
const INSIDE = '127.0.0.2'
const isAllowed = (address: string): boolean => address === OURS

const named = (url: string): string => url.replace(OURS, 'hook.example')

describe('a name is refused if one of its addresses is', () => {
  test.each([
    ['of this machine', ['127.0.0.1']],
    ['of this machine, in IPv6', ['::1']],
    ['private', ['10.1.2.3']],
    ['private, beside a public one', ['192.0.43.8', '192.168.0.1']],
    ['unspecified', ['0.0.0.0']],
    ['unspecified, in IPv6', ['::']],
    ['link-local, as those of metadata', ['169.254.169.254']],
    ['link-local, in IPv6', ['fe80::1']],
    ['link-local with a zone', ['fe80::1%1']],
    ['unique local', ['fd00::1']],
    ['IPv4 in IPv6', ['::ffff:10.1.2.3']],
    ['IPv4 in IPv6, in hexadecimal', ['::ffff:7f00:1']],
    ['IPv4 in IPv6, as it was once written', ['::127.0.0.1']],
    ['IPv4 behind NAT64', ['64:ff9b::7f00:1']],
    ['IPv4 behind 6to4', ['2002:7f00:1::']],
    ['of a carrier', ['100.64.0.1']],
    ['multicast', ['224.0.0.1']],
    ['broadcast', ['255.255.255.255']],
  ])('%s', async (_, addresses) => {
    const resolve = resolving(addresses)
    const options = { version: '1.2.3', resolve }
    const target = { url: 'https://hook.example/', secret: newSecret() }
    const refused = {
      isAccepted: false,
      kind: 'connection_refused',
      reason: 'Expected an address of the public network, or of one that --webhook-allow names, found hook.example',
    }
    expect(await challengeReceiver(target, 0, options)).toEqual(refused)
    expect(await sendMessage(target, createMessage('msg_1', 'webhook.test', 0, {}), 0, options)).toEqual(refused)
    expect(resolve.asked).toEqual(['hook.example', 'hook.example'])
  })

  test('and not if all of them are public', () => {
    expect(['192.0.43.8', '2001:4860:4860::8888', '::ffff:192.0.43.8'].map(isPublicAddress)).toEqual([
      true,
      true,
      false,
    ])
  })
})

test.each([
  ['decimal', 'https://2130706433/'],
  ['hexadecimal', 'https://0x7f000001/'],
  ['hexadecimal in parts', 'https://0x7f.0.0.0x1/'],
  ['octal', 'https://0177.0.0.01/'],
  ['short', 'https://127.1/'],
  ['full-width digits', 'https://１２７.０.０.１/'],
  ['with a dot at the end', 'https://127.0.0.1./'],
])('an address that is written in another way is refused without being looked up: %s', async (_, url) => {
  expect(() => allowedLookup(new URL(url))).toThrow(
    'Expected an address of the public network, or of one that --webhook-allow names, found 127.0.0.1.',
  )
  const { mcpClient } = await (await serveSubscriptions({ isAllowed: undefined as never })).join()
  expect(await refusal(subscribe(mcpClient, { delivery: { url, secret: newSecret() } }))).toMatchObject({
    code: -32602,
    message: 'Expected an address of the public network with https as delivery.url, found 127.0.0.1.',
  })
})

test('a name is resolved once for each request, and the address that was checked is connected to', async () => {
  const receiver = await startReceiver(consenting())
  const resolve = resolving([OURS], [INSIDE])
  const target = { url: named(receiver.url), secret: newSecret() }
  expect(await challengeReceiver(target, 0, { version: '1.2.3', isAllowed, resolve })).toEqual({ isAccepted: true })
  expect(resolve.asked).toEqual(['hook.example'])
  expect(receiver.received).toHaveLength(1)
})

test('a name that leads elsewhere after the address consented gets nothing', async () => {
  const receiver = await startSubscriber()
  const resolve = resolving([OURS], [INSIDE])
  const served = await serveSubscriptions({ isAllowed, resolve })
  const { mcpClient } = await served.join()
  const delivery = { url: named(receiver.url), secret: newSecret() }
  await subscribe(mcpClient, { name: 'document.added', delivery })
  const failing = Promise.withResolvers<string>()
  served.deliver({ isAllowed, resolve, pauses: [], report: failing.resolve })
  await documentOf(served.writer, 'x')
  expect(await failing.promise).toContain('or in a network that --webhook-allow names, found hook.example.')
  expect(receiver.received.map(({ type }) => type)).toEqual(['verification'])
  expect(resolve.asked).toHaveLength(2)
})

test('a redirect to an address inside is not followed, whatever its status', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `http://${INSIDE}/`
    const receiver = await startReceiver((_, response) => response.writeHead(status, { location }).end())
    const resolve = resolving([OURS])
    const target = { url: named(receiver.url), secret: newSecret() }
    const found = await challengeReceiver(target, 0, { version: '1.2.3', isAllowed, resolve })
    expect(found).toMatchObject({ isAccepted: false, kind: 'http_4xx', status })
    expect(resolve.asked).toHaveLength(1)
  }
})
