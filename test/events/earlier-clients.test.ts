/** Events for clients of MCP 2025: version 1 of the SDK, which knows nothing of them, over each transport. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { serveTransport } from '../../src/mcp/stdio.ts'
import { endpoints, prompts, resources, skills } from '../../tools/index.ts'
import { instructionsFor } from '../../tools/instructions.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { newSecret, serveSubscriptions, startSubscriber } from './subscriber.ts'

/** A way to a space, and a writer to it. */
interface Way {
  transport: Transport
  writer: Connected
  /** Sends events to addresses. Absent where nothing does. */
  deliver?(): unknown
}

async function overHttp(): Promise<Way> {
  const served = await serveSubscriptions()
  const { mcp } = await served.join()
  const { writer, deliver } = served
  return { writer, deliver, transport: new StreamableHTTPClientTransport(new URL(mcp)) as Transport }
}

async function overStdio(): Promise<Way> {
  const writer = await connect()
  const link = await writer.space.createAccessLink('full', [])
  const [transport, theirs] = InMemoryTransport.createLinkedPair()
  const load = async () => ({ endpoints, resources, prompts, skills })
  const caller = { space: writer.space, link }
  const log = (line: string) => expect(line).toBe('')
  const host = serveTransport({ load, version: '0.0.0', instructions: instructionsFor, caller, log }, theirs as never)
  onTestFinished(() => host.close())
  return { writer, transport: transport as Transport }
}

/** Connects with this version of the protocol. */
async function connectWith(version: string, transport: Transport): Promise<Client> {
  const send = transport.send.bind(transport)
  transport.send = (message, options) =>
    'method' in message && message.method === 'initialize'
      ? send({ ...message, params: { ...message.params, protocolVersion: version } }, options)
      : send(message, options)
  const client = new Client({ name: 'earlier', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

const anything = z.looseObject({})
const ask = (client: Client, method: string, params: object): Promise<Record<string, unknown>> =>
  client.request({ method, params } as never, anything as never)

describe.each([
  ['HTTP', overHttp],
  ['standard input and output', overStdio],
])('over %s', (_, open) => {
  test.each(['2025-11-25', '2025-06-18'])(
    'a client of %s polls for events and has a stream of them',
    async (version) => {
      const { transport, writer } = await open()
      const client = await connectWith(version, transport)
      expect(client.getServerCapabilities()?.extensions).toHaveProperty(['io.modelcontextprotocol/events'])
      const { events } = await ask(client, 'events/list', {})
      expect(JSON.stringify(events)).toContain('"name":"document.added"')
      const asked = { name: 'document.added' }
      const { cursor } = await ask(client, 'events/poll', asked)
      const first = Promise.withResolvers<object>()
      const active = Promise.withResolvers<void>()
      client.fallbackNotificationHandler = async ({ method, params }) => {
        if (method === 'notifications/events/active') active.resolve()
        if (method === 'notifications/events/event') first.resolve(params as object)
      }
      const ending = new AbortController()
      const streaming = client.request({ method: 'events/stream', params: asked } as never, anything as never, {
        signal: ending.signal,
      })
      await active.promise
      const documentId = await documentOf(writer)
      const event = expect.objectContaining({ data: expect.objectContaining({ documentId }) })
      expect(await first.promise).toEqual(event)
      expect((await ask(client, 'events/poll', { ...asked, cursor })).events).toEqual([event])
      ending.abort()
      await expect(streaming).rejects.toThrow('aborted')
      // The connection goes on.
      expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    },
  )

  test('a client of 2025 that does not know events is sent none', async () => {
    const { transport, writer } = await open()
    const client = await connectWith('2025-11-25', transport)
    const notified: string[] = []
    client.fallbackNotificationHandler = async ({ method }) => void notified.push(method)
    await documentOf(writer)
    expect((await client.callTool({ name: 'connection_get', arguments: {} })).isError).toBeFalsy()
    expect(notified.filter((method) => method.startsWith('notifications/events'))).toEqual([])
  })

  test('a client of 2025 subscribes where events are sent to addresses', async () => {
    const receiver = await startSubscriber()
    const { transport, writer, deliver } = await open()
    const client = await connectWith('2025-11-25', transport)
    const delivery = { mode: 'webhook', url: receiver.url, secret: newSecret() }
    const subscribing = ask(client, 'events/subscribe', { name: 'document.added', delivery })
    if (deliver === undefined) {
      return expect(subscribing).rejects.toMatchObject({ code: -32014, data: { feature: 'deliveryMode' } })
    }
    expect(await subscribing).toMatchObject({ truncated: false })
    deliver()
    const documentId = await documentOf(writer)
    expect((await receiver.events(1))[0]?.data).toMatchObject({ documentId })
  })
})
