/** The client of the AI SDK, which hosts use: it subscribes, and its own handler receives and verifies. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createMCPClient,
  type Experimental_MCPEvent,
  type Experimental_MCPEventStore,
  type Experimental_MCPEventSubscription,
  experimental_createMCPEventWebhook,
} from '@ai-sdk/mcp'
import { expect, onTestFinished, test } from 'vitest'
import { revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { documentOf, idsOf } from '../document.ts'
import { serveSubscriptions } from './subscriber.ts'

function memoryStore(): Experimental_MCPEventStore {
  const all = new Map<string, Experimental_MCPEventSubscription>()
  return {
    get: async (key) => all.get(key),
    getById: async (id) => [...all.values()].find((one) => one.id === id),
    set: async (one) => void all.set(one.key, one),
    update: async (key, patch) =>
      void all.set(key, { ...(all.get(key) as Experimental_MCPEventSubscription), ...patch }),
    delete: async (key) => void all.delete(key),
  }
}

/** Serves the SDK's handler. @returns its address, and what it accepted */
async function startHandler(store: Experimental_MCPEventStore) {
  const events: Experimental_MCPEvent[] = []
  const ends: unknown[] = []
  const arrived = new Set<() => void>()
  const handle = experimental_createMCPEventWebhook({
    store,
    onEvent: async ({ event }) => void events.push(event),
    onTerminated: async ({ termination }) => void ends.push(termination.error),
    onError: (error) => {
      throw error
    },
  })
  const statuses: number[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answer = await handle(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: 'POST',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks),
      }),
    )
    statuses.push(answer.status)
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    for (const check of arrived) check()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const until = (isThere: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => isThere() && resolve()
      arrived.add(check)
      check()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, events, ends, statuses, until }
}

test('the AI SDK subscribes to comments, receives one, refreshes, and unsubscribes', async () => {
  const served = await serveSubscriptions()
  const plan = await documentOf(served.writer, 'x', 'Plan')
  const { x: blockId } = await idsOf(served.writer, plan)
  const store = memoryStore()
  const handler = await startHandler(store)
  const link = await served.link()
  const client = await createMCPClient({
    transport: { type: 'http', url: link.mcp },
    experimental_events: { store },
  })
  onTestFinished(() => client.close())
  const { experimental_events: events } = client
  const answer = await events.subscribe({
    name: 'comment.created',
    arguments: { documentId: plan, mine: false },
    delivery: { mode: 'webhook', url: handler.url, allowInsecureLocalhost: true },
  })
  expect(handler.statuses).toEqual([200])
  served.deliver()
  const { commentId } = await served.writer.call('comments_add', { comments: [{ blockId, content: 'Why?' }] })
  await handler.until(() => handler.events.length === 1)
  expect(handler.events).toMatchObject([
    { name: 'comment.created', data: { commentId, documentId: plan, title: 'Plan', author: 'tester' } },
  ])
  expect(handler.statuses).toEqual([200, 204])
  const refreshed = await events.refresh({ id: answer.id })
  expect(refreshed.id).toBe(answer.id)
  await events.unsubscribe({ id: answer.id })
  await expect(events.refresh({ id: answer.id })).rejects.toThrow('Unknown MCP event subscription')
})

test('the AI SDK is sent the end of a subscription whose link is revoked', async () => {
  const served = await serveSubscriptions()
  const store = memoryStore()
  const handler = await startHandler(store)
  const link = await served.link()
  const client = await createMCPClient({ transport: { type: 'http', url: link.mcp }, experimental_events: { store } })
  onTestFinished(() => client.close())
  const { id } = await client.experimental_events.subscribe({
    name: 'document.added',
    delivery: { mode: 'webhook', url: handler.url, allowInsecureLocalhost: true },
  })
  await served.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, link.info.id))
  served.deliver()
  await handler.until(() => handler.ends.length === 1)
  expect(handler.ends).toMatchObject([{ code: -32012 }])
  await expect.poll(() => store.getById(id)).toBeUndefined()
})
