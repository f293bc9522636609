/** Events that are sent to an address: what a client and its receiver see. */
import { describe, expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { listWebhooks } from '../../src/webhooks/webhooks.ts'
import { endpoints } from '../../tools/index.ts'
import { connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { isSigned } from '../webhooks/receiver.ts'
import { newSecret, refusal, serveSubscriptions, startSubscriber, subscribe, unsubscribe } from './subscriber.ts'
import { listEventTypes, pollEvents } from './wire.ts'

/** A server with a document that has one block. */
async function serveDocument(...options: Parameters<typeof serveSubscriptions>) {
  const served = await serveSubscriptions(...options)
  const plan = await documentOf(served.writer, 'x', 'Plan')
  const { x: blockId } = await idsOf(served.writer, plan)
  const comment = (content = 'Why?') => served.writer.call('comments_add', { comments: [{ blockId, content }] })
  return { ...served, plan, comment }
}

test('over standard input and output, events are not sent to addresses', async () => {
  const { client } = await connect()
  expect(await refusal(subscribe(client, { delivery: { url: 'https://example.org/', secret: newSecret() } }))).toEqual({
    code: -32014,
    message: 'Expected poll or push as the way to receive events here, found webhook; events/list shows them.',
    data: { feature: 'deliveryMode', value: 'webhook' },
  })
})

describe('a subscription', () => {
  test('is sent what happens from now on, signed, with the ID that polls have', async () => {
    const served = await serveDocument()
    const { plan } = served
    const receiver = await startSubscriber()
    const { mcpClient, info } = await served.join({ access: 'read' })
    await served.comment('before')
    const types = await listEventTypes(mcpClient)
    expect(types.every(({ delivery }) => delivery.includes('webhook'))).toBe(true)
    const secret = newSecret()
    const asked = { arguments: { documentId: plan }, delivery: { mode: 'webhook', url: receiver.url, secret } }
    const answer = await subscribe(mcpClient, asked)
    expect(answer.truncated).toBe(false)
    const [challenge] = receiver.received
    expect(challenge?.headers['x-mcp-subscription-id']).toBe(answer.id)
    expect(challenge?.id).toMatch(/^msg_verification_/)
    expect(challenge !== undefined && isSigned(challenge, secret)).toBe(true)
    served.deliver()
    const { commentId } = await served.comment()
    const [event] = await receiver.events(1)
    expect(event).toMatchObject({ name: 'comment.created', data: { commentId, documentId: plan, title: 'Plan' } })
    expect(event?.id).toBe(event?.eventId)
    expect(event?.headers['x-mcp-subscription-id']).toBe(answer.id)
    expect(event !== undefined && isSigned(event, secret)).toBe(true)
    const polled = await pollEvents(mcpClient, {
      name: 'comment.created',
      arguments: asked.arguments,
      cursor: answer.cursor,
    })
    expect(polled.events.map(({ eventId }) => eventId)).toEqual([event?.eventId])
    const after = await pollEvents(mcpClient, {
      name: 'comment.created',
      arguments: asked.arguments,
      cursor: event?.cursor ?? '',
    })
    expect(after.events).toEqual([])
    await unsubscribe(mcpClient, asked)
    await served.comment('later')
    const { webhooks } = await served.space.read(OPERATOR_LINK, (view) => listWebhooks(view, endpoints))
    expect(webhooks).toEqual([])
    const { output } = { output: await served.writer.call('history_list', { limit: 1 }) }
    expect(JSON.stringify(output)).not.toContain(secret)
    expect(info.id).not.toBe('')
  })
})
