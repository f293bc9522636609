/** The client of the AI SDK, which hosts use: it subscribes, and its own handler receives and verifies. */
import { createMCPClient } from '@ai-sdk/mcp'
import { expect, onTestFinished, test } from 'vitest'
import { revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { documentOf, idsOf } from '../document.ts'
import { memoryStore, startHandler } from './ai-sdk-receiver.ts'
import { serveSubscriptions } from './subscriber.ts'

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
