/**
 * Endpoints for webhooks on the pages: who listens to what, and a pause. Only the person who runs the program may use
 * them. Clients subscribe over MCP, and the operator adds webhooks on the command line.
 */
import { z } from 'zod'
import { assertOperator } from '../auth/access-links/link-managers.ts'
import { byKind, endpoint } from '../endpoint.ts'
import { holdWebhook, listWebhookStates, releaseWebhook } from './webhooks.ts'

const operatorOnly = ['full'] as const
const webhookId = z.string().min(1).max(100)

const webhookState = z.strictObject({
  id: z.string(),
  url: z.string(),
  linkId: z.string(),
  linkName: z.string(),
  events: z.array(z.string()).optional(),
  subscription: z
    .strictObject({
      event: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      client: z.string().optional(),
      connection: z.string().optional(),
      expiresAt: z.string(),
    })
    .optional(),
  state: z.enum(['sending', 'retrying', 'paused', 'ended']),
  deliveredAt: z.string().optional(),
  failures: z.int().optional(),
  retryAt: z.string().optional(),
  lastError: z.string().optional(),
  pausedAt: z.string().optional(),
  heldAt: z.string().optional(),
  endedAt: z.string().optional(),
  endReason: z.string().optional(),
})

const list = endpoint({
  name: 'webhooks_list',
  title: 'List webhooks',
  description: 'List the webhooks and subscriptions of the space, without their secrets.',
  route: 'GET /webhooks',
  effect: 'read',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({}), operatorOnly),
  output: z.strictObject({ items: z.array(webhookState) }),
  async handle({ space }) {
    assertOperator(space)
    return { items: await listWebhookStates(space) }
  },
})

const pause = endpoint({
  name: 'webhooks_pause',
  title: 'Pause a webhook',
  description: 'Pause a webhook or a subscription, or let it go on. What happens waits for it.',
  route: 'PUT /webhooks',
  effect: 'change',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({ webhookId, isPaused: z.boolean() }), operatorOnly),
  output: z.strictObject({ id: z.string() }),
  async handle({ space }, { webhookId, isPaused }) {
    assertOperator(space)
    await (isPaused ? holdWebhook : releaseWebhook)(space, webhookId)
    return { id: webhookId }
  },
})

export const webhookEndpoints = [list, pause] as const
