/** Subscriptions of clients: events of one type that are sent to an address until the client stops refreshing them. */
import { hash } from 'node:crypto'
import { accessLinkById } from '../../storage/access-links.ts'
import { feedBounds } from '../../storage/feed.ts'
import {
  countSubscriptions,
  deleteEndedSubscriptions,
  deleteWebhook,
  insertSubscription,
  refreshSubscription,
  type WebhookRecord,
  webhookById,
} from '../../storage/webhooks.ts'
import { invalid, ScriptoriumError } from '../base/errors.ts'
import {
  ENDED_SUBSCRIPTION_SECONDS,
  FORMER_SECRET_SECONDS,
  SUBSCRIPTION_ARGUMENTS_LENGTH,
  SUBSCRIPTION_SECONDS,
  SUBSCRIPTION_SECONDS_MAX,
  SUBSCRIPTION_SECONDS_MIN,
  SUBSCRIPTIONS_PER_LINK,
  SUBSCRIPTIONS_PER_SPACE,
  WEBHOOK_URL_LENGTH,
} from '../base/limits.ts'
import { AddressNotAllowed, allowedLookup } from '../base/public-addresses.ts'
import type { Caller } from '../call/caller.ts'
import {
  type EventSubscriptions,
  type SubscriptionAnswer,
  type SubscriptionKey,
  SubscriptionRefused,
  type SubscriptionRequest,
} from '../call/event-subscriptions.ts'
import { canonicalJson } from '../call/idempotency.ts'
import { addAuditEntry } from '../space/model/audit-log.ts'
import { reachOf, type Space } from '../space/model/space.ts'
import { challengeReceiver, logChallenge } from './challenge.ts'
import { isHostAmong } from './event-hosts.ts'
import { locateSubscription, readEventsInput } from './subscription-messages.ts'
import { isSigningSecret } from './webhook-message.ts'
import type { WebhookRequestOptions } from './webhook-request.ts'

const SECOND = 1_000

export interface SubscriptionsOptions extends WebhookRequestOptions {
  /** Is called after a new subscription, so that its space is delivered from. */
  onSubscribed?(): void
}

export class Subscriptions implements EventSubscriptions {
  readonly #options: SubscriptionsOptions

  constructor(options: SubscriptionsOptions) {
    this.#options = options
  }

  async subscribe(caller: Caller, request: SubscriptionRequest): Promise<SubscriptionAnswer> {
    const { space, link } = caller
    const { secret } = request
    if (!isSigningSecret(secret)) {
      throw invalid('Expected whsec_ and base64 of 24 to 64 random bytes as delivery.secret, found something else.')
    }
    const url = this.#checkedUrl(request.url)
    const found = await space.read(link, (view) => findOrLocate(view, url, request))
    if (!found.isVerified) {
      await space.write(link, (view) => logChallenge(view, found.id))
      const target = { id: found.id, eventName: request.name, url, secret }
      const result = await challengeReceiver(target, found.now, this.#options)
      if (!result.isAccepted) throw endpointRefused(result.kind)
    }
    const answer = await space.write(link, (view) => addOrRefresh(view, url, request))
    this.#options.onSubscribed?.()
    return answer
  }

  async unsubscribe({ space, link }: Caller, key: SubscriptionKey): Promise<void> {
    const url = this.#checkedUrl(key.url)
    await space.write(link, async (view) => {
      const { tx } = view
      const id = subscriptionId(view, url, key)
      const record = await webhookById(tx, id)
      if (record === undefined || isOver(record, view.now)) {
        const message =
          'Expected a subscription of this link with this name, these arguments and this address, found none; it may have ended.'
        throw new SubscriptionRefused('NotFound', message, { kind: 'subscription' })
      }
      await deleteWebhook(tx, record.n)
      await addAuditEntry(view, 'events/unsubscribe', [id])
    })
  }

  /**
   * Checks an address as far as can be done without a connection, and returns it in its normal form.
   *
   * @throws VALIDATION_ERROR; FORBIDDEN for a host that the operator did not list
   */
  #checkedUrl(text: string): string {
    const { isAllowed, eventHosts } = this.#options
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url?.protocol === 'http:' && isAllowed === undefined) {
      throw invalid(
        'Expected an address with https as delivery.url, found http; the person who runs the server can allow it with serve --webhook-allow.',
      )
    }
    const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
    const isPlain = url?.username === '' && url.password === '' && url.hash === ''
    if (url === undefined || !isHttp || !isPlain || url.href.length > WEBHOOK_URL_LENGTH) {
      throw invalid(
        `Expected an https address of at most ${WEBHOOK_URL_LENGTH} characters, without a user name or #, as delivery.url, found another.`,
      )
    }
    if (!isHostAmong(eventHosts, url.hostname)) {
      throw new ScriptoriumError(
        'FORBIDDEN',
        `Expected one of the hosts to which this server sends events (${eventHosts?.join(', ')}) in delivery.url, found ${url.hostname}; ask the person who runs the server to allow it.`,
      )
    }
    try {
      allowedLookup(url, isAllowed)
    } catch (error) {
      if (!(error instanceof AddressNotAllowed)) throw error
      throw invalid(`Expected an address of the public network with https as delivery.url, found ${url.hostname}.`)
    }
    return url.href
  }
}

/** The categories say enough to a client; more could reveal what is in the network of this server. */
function endpointRefused(reason: string): SubscriptionRefused {
  const message = `Expected the address in delivery.url to be reached, and to answer with the challenge that it was sent, found this: ${reason}.`
  return new SubscriptionRefused('CallbackEndpointError', message, { reason })
}

/** The same for the same request of the same link, also after a restore. It opens nothing. */
function subscriptionId({ info, link }: Space, url: string, { name, arguments: given }: SubscriptionKey): string {
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const text = [...canonicalJson(['subscription', info.id, link.id, url, name, known])].join('')
  return `sub_${hash('sha256', text, 'hex').slice(0, ID_DIGITS)}`
}

const ID_DIGITS = 32

const isOver = ({ endedAt, expiresAt }: WebhookRecord, now: number): boolean =>
  endedAt !== null || (expiresAt !== null && expiresAt <= now)

/** What is known of a subscription before its address is asked. @throws whatever refuses it */
async function findOrLocate(space: Space, url: string, request: SubscriptionRequest) {
  const link = await subscribingLink(space)
  const id = subscriptionId(space, url, request)
  const known = await webhookById(space.tx, id)
  const isKnown = known !== undefined && !isOver(known, space.now)
  if (!isKnown) await locate(space, request)
  const counts = await countSubscriptions(space.tx, { link: link.n, url, now: space.now })
  if (!isKnown) assertRoom(counts)
  return { id, now: space.now, isVerified: counts.toUrl > 0 }
}

async function addOrRefresh(space: Space, url: string, request: SubscriptionRequest): Promise<SubscriptionAnswer> {
  const { tx, now } = space
  const link = await subscribingLink(space)
  const id = subscriptionId(space, url, request)
  const known = await webhookById(tx, id)
  const expiresAt = now + lifetimeOf(request)
  const { client = null, connection = null } = space.link
  const refreshBefore = new Date(expiresAt).toISOString()
  if (known !== undefined && !isOver(known, now)) {
    await refreshSubscription(tx, { n: known.n, expiresAt, client, connection, ...secretsOf(known, request, now) })
    const deliveryStatus = statusOf(known)
    return { id, refreshBefore, cursor: known.cursor ?? '', truncated: false, deliveryStatus }
  }
  if (known !== undefined) await deleteWebhook(tx, known.n)
  await deleteEndedSubscriptions(tx, now - ENDED_SUBSCRIPTION_SECONDS * SECOND)
  assertRoom(await countSubscriptions(tx, { link: link.n, url, now }))
  const { cursor, isTruncated } = await locate(space, request)
  const { call, event } = await feedBounds(tx)
  await insertSubscription(tx, {
    ...{ id, link: link.n, url, secret: request.secret, events: null, createdAt: now, call, event },
    ...{ reachChanges: link.reachChanges, eventName: request.name, arguments: JSON.stringify(request.arguments) },
    // Elsewhere, the cursor begins late enough.
    notBefore: request.maxAge !== undefined && reachOf(space.link) !== 'all' ? now - request.maxAge : null,
    ...{ cursor, expiresAt, client, connection },
  })
  await addAuditEntry(space, 'events/subscribe', [id])
  return { id, refreshBefore, cursor, truncated: isTruncated }
}

/** @throws FORBIDDEN */
async function subscribingLink({ tx, link }: Space) {
  const row = link.id === undefined ? undefined : await accessLinkById(tx, link.id)
  if (row !== undefined && row.noEvents === 0) return row
  const found = row === undefined ? 'a connection without a link' : 'one that may not'
  throw new ScriptoriumError(
    'FORBIDDEN',
    `Expected a link that may subscribe to events, found ${found}; poll with events/poll, or ask the person who made the link.`,
  )
}

/** @throws VALIDATION_ERROR; NOT_FOUND_ERROR; CURSOR_INVALID */
async function locate(space: Space, { tool, name, arguments: given, cursor, maxAge }: SubscriptionRequest) {
  if (JSON.stringify(given).length > SUBSCRIPTION_ARGUMENTS_LENGTH) {
    throw invalid(
      `Expected at most ${SUBSCRIPTION_ARGUMENTS_LENGTH} characters of arguments, found more; leave some out.`,
    )
  }
  const input = await readEventsInput(tool, {
    ...{ ...given, name },
    ...(cursor !== undefined && { cursor }),
    ...(maxAge !== undefined && cursor !== undefined && { maxAgeSeconds: Math.ceil(maxAge / SECOND) }),
  })
  return locateSubscription(space, input)
}

function assertRoom({ ofLink, ofSpace }: { ofLink: number; ofSpace: number }): void {
  const [max, of] =
    ofLink >= SUBSCRIPTIONS_PER_LINK
      ? [SUBSCRIPTIONS_PER_LINK, 'link']
      : ofSpace >= SUBSCRIPTIONS_PER_SPACE
        ? [SUBSCRIPTIONS_PER_SPACE, 'space']
        : []
  if (max === undefined) return
  throw new SubscriptionRefused(
    'ResourceExhausted',
    `Expected at most ${max} subscriptions of one ${of}, found that many; end one with events/unsubscribe.`,
    { limit: 'subscriptions', max },
  )
}

/** Milliseconds. The client suggests them; nothing lasts for ever, since its client may be gone. */
function lifetimeOf({ lifetime = SUBSCRIPTION_SECONDS * SECOND }: SubscriptionRequest): number {
  const [least, most] = [SUBSCRIPTION_SECONDS_MIN * SECOND, SUBSCRIPTION_SECONDS_MAX * SECOND]
  return Math.min(most, Math.max(least, lifetime ?? most))
}

/** The secrets after a refresh. One that is replaced signs for a while longer, for what is on its way. */
function secretsOf(known: WebhookRecord, { secret }: SubscriptionRequest, now: number) {
  const { formerSecret, formerUntil } = known
  return known.secret === secret
    ? { secret, formerSecret, formerUntil }
    : { secret, formerSecret: known.secret, formerUntil: now + FORMER_SECRET_SECONDS * SECOND }
}

function statusOf({ pausedAt, heldAt, linkPausedAt, deliveredAt, errorKind }: WebhookRecord) {
  return {
    active: pausedAt === null && heldAt === null && linkPausedAt === null,
    lastDeliveryAt: deliveredAt === null ? null : new Date(deliveredAt).toISOString(),
    lastError: errorKind,
  }
}
