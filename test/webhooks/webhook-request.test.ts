/** Where messages to webhooks may go, and how responses are handled. */

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMessage } from '../../src/webhooks/webhook-message.ts'
import {
  askReceiver,
  sendMessage,
  type WebhookRequestOptions,
  type WebhookResult,
} from '../../src/webhooks/webhook-request.ts'
import { type Answering, isLoopback, startReceiver } from './receiver.ts'

const MESSAGE = createMessage('msg_1', 'webhook.test', 0, {})
const send = (url: string, options: Partial<WebhookRequestOptions> = {}): Promise<WebhookResult> =>
  sendMessage({ url, secret: 'whsec_AAAA' }, MESSAGE, 0, { version: '1.2.3', ...options })

describe('a message', () => {
  test('is posted as JSON, by this program, to an allowed network', async () => {
    const receiver = await startReceiver()
    expect(await send(receiver.url, { isAllowed: isLoopback })).toEqual({ isAccepted: true })
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Scriptorium/1.2.3',
      'webhook-id': 'msg_1',
      'webhook-timestamp': '0',
    })
    expect(body).toBe(MESSAGE.body)
  })

  test.each([
    ['http://127.0.0.1:9/', '127.0.0.1'],
    ['http://127.1:9/', '127.0.0.1'],
    ['http://[::1]:9/', '::1'],
    ['https://10.1.2.3/', '10.1.2.3'],
    ['https://169.254.169.254/latest/meta-data', '169.254.169.254'],
    ['https://[fd00::1]/', 'fd00::1'],
    ['https://[::ffff:10.1.2.3]/', '::ffff:a01:203'],
    ['https://localhost:9/', 'localhost'],
    // Never unencrypted to the public network.
    ['http://192.0.43.8/', '192.0.43.8'],
  ])('is not sent to %s unless its network is allowed', async (url, host) => {
    expect(await send(url)).toEqual({
      isAccepted: false,
      kind: 'connection_refused',
      reason: url.startsWith('https:')
        ? `Expected an address of the public network, or of one that --webhook-allow names, found ${host}`
        : `Expected an address with https, or in a network that --webhook-allow names, found ${host}`,
    })
  })

  test('is sent to a name whose addresses are all in an allowed network', async () => {
    const receiver = await startReceiver()
    const url = receiver.url.replace('127.0.0.1', 'localhost')
    expect(await send(url, { isAllowed: isLoopback })).toEqual({ isAccepted: true })
    expect(await send(url, { isAllowed: (address) => address === '10.0.0.1' })).toMatchObject({ isAccepted: false })
  })
})

describe('a response', () => {
  const answeredBy = async (answer: Answering) => send((await startReceiver(answer)).url, { isAllowed: isLoopback })

  test('with another status than 2xx is a failure', async () => {
    expect(await answeredBy((_, response) => response.writeHead(500).end())).toEqual({
      isAccepted: false,
      reason: 'status 500',
      kind: 'http_5xx',
      status: 500,
    })
    expect(await answeredBy((_, response) => response.writeHead(410).end())).toEqual({
      isAccepted: false,
      reason: 'status 410',
      kind: 'http_4xx',
      status: 410,
    })
    expect(await answeredBy((_, response) => response.writeHead(429, { 'retry-after': '7' }).end())).toEqual({
      isAccepted: false,
      reason: 'status 429',
      kind: 'http_4xx',
      status: 429,
      retryAfter: 7,
    })
  })

  test('that redirects is not followed', async () => {
    const elsewhere = await startReceiver()
    expect(await answeredBy((_, response) => response.writeHead(307, { location: elsewhere.url }).end())).toEqual({
      isAccepted: false,
      reason: 'status 307, a redirect, which is not followed',
      kind: 'http_4xx',
      status: 307,
    })
    expect(elsewhere.received).toEqual([])
  })

  test('whose body is endless is finished once its status is there', async () => {
    let writes: NodeJS.Timeout | undefined
    onTestFinished(() => clearInterval(writes))
    const result = await answeredBy((_, response) => {
      response.writeHead(200)
      writes = setInterval(() => response.write('more'.repeat(1_000)), 1)
    })
    expect(result).toEqual({ isAccepted: true })
  })

  test('that never arrives times out', async () => {
    const receiver = await startReceiver(() => {})
    const result = await send(receiver.url, { isAllowed: isLoopback, timeout: 20 })
    expect(result).toEqual({ isAccepted: false, reason: 'no answer in time', kind: 'timeout' })
  })

  test('that begins and never ends times out where it is read', async () => {
    const receiver = await startReceiver((_, response) => response.writeHead(200).write('{'))
    const target = { url: receiver.url, secret: 'whsec_AAAA' }
    const options = { version: '1.2.3', isAllowed: isLoopback, timeout: 50, bytes: 100 }
    const { result } = await askReceiver(target, MESSAGE, 0, options)
    expect(result).toEqual({ isAccepted: false, reason: 'no answer in time', kind: 'timeout' })
  })

  test('that changes the protocol is a failure, and is not waited for', async () => {
    const result = await answeredBy((_, response) => {
      response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end()
    })
    const reason = 'Expected a response, found the connection closed'
    expect(result).toEqual({ isAccepted: false, reason, kind: 'connection_refused' })
  })

  test('that is not HTTP, or a connection that fails, is a failure with its cause', async () => {
    const liar = createServer((socket) => void socket.resume().end('220 mail.example.org ESMTP\r\n'))
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
    const { port } = liar.address() as AddressInfo
    const options = { isAllowed: isLoopback }
    expect(await send(`http://127.0.0.1:${port}/`, options)).toMatchObject({
      isAccepted: false,
      reason: expect.stringContaining('Parse Error'),
    })
    await new Promise((resolve) => liar.close(resolve))
    expect(await send(`http://127.0.0.1:${port}/`, options)).toEqual({
      isAccepted: false,
      reason: `connect ECONNREFUSED 127.0.0.1:${port}`,
      kind: 'connection_refused',
    })
  })
})
