/** What the agents behind a link listen to: their subscriptions, and the webhooks of the operator, with a pause. */
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import type { WebhookEntry } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'
import { text } from '../texts/text.ts'

/** Entries that are shown at once. */
const SHOWN = 10

/** @param linkPausedAt  of a link that is paused: what it listens to waits for it, and is not paused by itself */
export function listensHtml(
  call: PageCall,
  webhooks: readonly WebhookEntry[],
  linkPausedAt?: string | undefined,
): Html | false {
  if (webhooks.length === 0) return false
  const entries = webhooks.map((webhook) => listenerHtml(call, webhook, linkPausedAt !== undefined))
  const rest = entries.slice(SHOWN)
  return html`<ul class="listens">${entries.slice(0, SHOWN)}</ul>${
    rest.length > 0 &&
    html`<details class="over"><summary>${call.formats.number(rest.length)} more</summary><ul class="listens">${rest}</ul></details>`
  }`
}

function listenerHtml(call: PageCall, webhook: WebhookEntry, isLinkPaused: boolean): Html {
  const { id, url, events, subscription, state } = webhook
  const what = subscription?.event ?? events?.join(', ') ?? text('all that happens')
  const who = subscription?.client
  return html`<li><span>Listens to <b>${what}</b>${subscription !== undefined && argumentsHtml(subscription.arguments)}<br><small>${[
    // The path of an address may hold a secret.
    html`${who !== undefined && html`${shownText(who)}, `}at ${new URL(url).host}`,
    stateHtml(call, webhook),
    ...(subscription !== undefined && state !== 'ended'
      ? [html`until ${call.formats.time(subscription.expiresAt)}`]
      : []),
  ].map(
    (part, index) => html`${index > 0 && ' · '}${part}`,
  )}</small></span>${state !== 'ended' && !isLinkPaused && pauseHtml(call, webhook, id)}</li>
`
}

/** What narrows a subscription, as its client sent it. */
function argumentsHtml(given: Record<string, unknown>): Html | false {
  const parts = Object.entries(given).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return parts.length > 0 && html` <code>${shownText(parts.join(', '))}</code>`
}

function stateHtml(
  { formats }: PageCall,
  { state, heldAt, pausedAt, deliveredAt, failures = 0, lastError, endReason }: WebhookEntry,
): Html {
  const last = deliveredAt === undefined ? html`not called yet` : html`last called ${formats.time(deliveredAt)}`
  if (state === 'ended') return html`${last}, ended: ${endReason}`
  if (heldAt !== undefined) return html`${last}, paused by you ${formats.time(heldAt)}`
  if (pausedAt !== undefined) return html`${last}, paused after failures ${formats.time(pausedAt)}: ${lastError}`
  if (failures > 0) return html`${last}, failed ${formats.number(failures)} times since: ${lastError}`
  return last
}

const pauseHtml = (call: PageCall, { heldAt }: WebhookEntry, id: string): Html =>
  html`<form method="post" action="${call.href(`/webhooks/${id}/${heldAt === undefined ? 'pause' : 'resume'}`)}">${call.tokenField()}<button>${heldAt === undefined ? text('Pause') : text('Resume')}</button></form>`

export const pauseWebhook: Page = {
  route: 'POST /webhooks/:id/pause',
  isOperatorOnly: true,
  async handle(call) {
    await call.run('webhooks_pause', { webhookId: call.params.id ?? '', isPaused: true })
    return { redirect: '/links?notice=webhook-paused' }
  },
}

export const resumeWebhook: Page = {
  route: 'POST /webhooks/:id/resume',
  isOperatorOnly: true,
  async handle(call) {
    await call.run('webhooks_pause', { webhookId: call.params.id ?? '', isPaused: false })
    return { redirect: '/links?notice=webhook-resumed' }
  },
}
