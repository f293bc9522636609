/**
 * Webhooks of a space: adding those of the operator, and listing, testing, pausing and removing these and the
 * subscriptions of clients.
 */
import { randomBytes } from 'node:crypto'
import { accessLinkById } from '../../storage/access-links.ts'
import {
  deleteWebhook,
  endSubscription,
  hasWebhookLease,
  insertWebhook,
  listWebhookRecords,
  resumeWebhook,
  setWebhookHeld,
  type WebhookRecord,
  webhookById,
} from '../../storage/webhooks.ts'
import { invalid, notFound } from '../base/errors.ts'
import { WEBHOOK_URL_LENGTH, WEBHOOKS_PER_SPACE } from '../base/limits.ts'
import { type AddressCheck, AddressNotAllowed } from '../base/public-addresses.ts'
import type { Endpoint } from '../endpoint.ts'
import { currentPosition } from '../space/feed/feed-position.ts'
import { OPERATOR_LINK, type Space } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { challengeReceiver } from './challenge.ts'
import { type EndReasonName, endReasonOf } from './end-reasons.ts'
import { SubscriptionReader } from './subscription-messages.ts'
import { createMessage, newSigningSecret } from './webhook-message.ts'
import { isForOthersOnly, nextMessages } from './webhook-messages.ts'
import { isKnownAddress, sendMessage, type WebhookRequestOptions, type WebhookResult } from './webhook-request.ts'

/** A webhook without its secret, as it is listed. */
export interface WebhookInfo {
  id: string
  url: string
  linkId: string
  linkName: string
  /** The selected events of an operator's webhook; absent for all. */
  events?: string[]
  /** False if an operator's webhook leaves out what its link caused. */
  mine?: false
  /** The event of a subscription, and what narrows it, as its client sent it; absent for an operator's webhook. */
  subscription?: {
    event: string
    arguments: Record<string, unknown>
    client?: string
    connection?: string
    expiresAt: string
  }
  state: 'sending' | 'retrying' | 'paused' | 'ended'
  /** The number of pending messages, counted up to {@link WAITING_COUNTED}. */
  waiting: number
  deliveredAt?: string
  failures?: number
  retryAt?: string
  lastError?: string
  /** When it was paused after failures. */
  pausedAt?: string
  /** When a person paused it, or its link. */
  heldAt?: string
  endedAt?: string
  /** Why it ended, as it follows "ended:". */
  endReason?: string
}

/** Maximum count of pending messages. */
export const WAITING_COUNTED = 100

const ID_BYTES = 6

/**
 * Adds a webhook that receives events within the reach of a link from now on.
 *
 * @param linkId  of an active link
 * @param events  types of events and names of tools; undefined for all
 * @param isForOthers  true to leave out what the link itself causes
 * @returns its ID, and the secret that signs its messages, which is shown once
 * @throws VALIDATION_ERROR for an invalid address, and for too many webhooks
 */
export async function addWebhook(
  space: Space,
  linkId: string,
  url: string,
  events: readonly string[] | undefined,
  isForOthers = false,
): Promise<{ id: string; secret: string }> {
  assertWebhookUrl(url)
  const { tx, now } = space
  const others = (await listWebhookRecords(tx)).filter(({ eventName }) => eventName === null)
  if (others.length >= WEBHOOKS_PER_SPACE) {
    throw invalid(
      `Expected at most ${WEBHOOKS_PER_SPACE} webhooks in a space, found that many; remove one with webhooks remove.`,
    )
  }
  const link = await accessLinkById(tx, linkId)
  if (link === undefined) throw new Error(`Expected the link ${linkId} of a webhook.`)
  const id = `wh_${randomBytes(ID_BYTES).toString('hex')}`
  const secret = newSigningSecret()
  const position = await currentPosition(space)
  await insertWebhook(tx, {
    id,
    link: link.n,
    url,
    secret,
    events: events === undefined ? null : JSON.stringify(events),
    arguments: isForOthers ? JSON.stringify({ mine: false }) : null,
    createdAt: now,
    ...position,
    reachChanges: link.reachChanges,
  })
  return { id, secret }
}

/**
 * Checks the address of a new webhook as each delivery will. Not part of {@link addWebhook}, since looking up a name may
 * take longer than a transaction should.
 *
 * @returns false if its name is not known here
 * @throws VALIDATION_ERROR for an address that no message would be sent to
 */
export async function checkWebhookAddress(url: string, isAllowed?: AddressCheck): Promise<boolean> {
  assertWebhookUrl(url)
  try {
    return await isKnownAddress(url, isAllowed)
  } catch (error) {
    if (!(error instanceof AddressNotAllowed)) throw error
    throw invalid(
      `${error.message.replace(/\.$/, '')} as --webhook. Nothing was made; name another address, or allow its network with --webhook-allow, here and in serve.`,
    )
  }
}

function assertWebhookUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isHttp = parsed?.protocol === 'https:' || parsed?.protocol === 'http:'
  const isPlain = parsed?.username === '' && parsed.password === ''
  if (isHttp && isPlain && url.length <= WEBHOOK_URL_LENGTH) return
  throw invalid(
    `Expected an address with https, without a user name and of at most ${WEBHOOK_URL_LENGTH} characters as --webhook, found ${url.slice(0, WEBHOOK_URL_LENGTH)}.`,
  )
}

/**
 * All webhooks of a space, and whether any process delivers to them.
 *
 * @param endpoints  of the program, one of which lists events
 */
export async function listWebhooks(
  space: Space,
  endpoints: readonly Endpoint[],
): Promise<{ webhooks: WebhookInfo[]; isServed: boolean }> {
  const webhooks: WebhookInfo[] = []
  const reader = new SubscriptionReader(space, endpoints)
  for (const record of await listWebhookRecords(space.tx)) webhooks.push(await describeWebhook(space, record, reader))
  return { webhooks, isServed: await hasWebhookLease(space.tx, space.now) }
}

/**
 * All webhooks of a space as they were stored last. How many messages wait is not counted, since that reads the history
 * for each of them.
 */
export async function listWebhookStates({ tx }: Space): Promise<Omit<WebhookInfo, 'waiting'>[]> {
  return (await listWebhookRecords(tx)).map((record) => describeState(record, storedReason(record)))
}

async function describeWebhook(space: Space, record: WebhookRecord, reader: SubscriptionReader): Promise<WebhookInfo> {
  const waiting = await waitingMessages(space, record, reader)
  return typeof waiting === 'string'
    ? { ...describeState(record, waiting), waiting: 0 }
    : { ...describeState(record, undefined), waiting }
}

/** @param ended  why it has ended, if it has */
function describeState(record: WebhookRecord, ended: EndReasonName | undefined): Omit<WebhookInfo, 'waiting'> {
  const { id, url, linkId, linkName, events, deliveredAt, failures, retryAt, lastError } = record
  const { pausedAt, endedAt } = record
  // A link that is paused pauses its webhooks.
  const heldAt = record.heldAt ?? record.linkPausedAt
  const isPaused = pausedAt !== null || heldAt !== null
  const state = ended !== undefined ? 'ended' : isPaused ? 'paused' : failures > 0 ? 'retrying' : 'sending'
  return {
    ...{ id, url, linkId, linkName },
    ...(events !== null && { events: JSON.parse(events) as string[] }),
    ...(isForOthersOnly(record) && { mine: false }),
    ...(record.eventName !== null && { subscription: describeSubscription(record, record.eventName) }),
    state,
    ...(deliveredAt !== null && { deliveredAt: formatTimestamp(deliveredAt) }),
    ...(failures > 0 && { failures }),
    ...(retryAt !== null && { retryAt: formatTimestamp(retryAt) }),
    ...(lastError !== null && { lastError }),
    ...(pausedAt !== null && { pausedAt: formatTimestamp(pausedAt) }),
    ...(heldAt !== null && { heldAt: formatTimestamp(heldAt) }),
    ...(endedAt !== null && { endedAt: formatTimestamp(endedAt) }),
    ...(ended !== undefined && { endReason: endReasonOf(ended).sentence }),
  }
}

const describeSubscription = (record: WebhookRecord, event: string) => ({
  event,
  arguments: JSON.parse(record.arguments ?? '{}') as Record<string, unknown>,
  ...(record.client !== null && { client: record.client }),
  ...(record.connection !== null && { connection: record.connection }),
  expiresAt: formatTimestamp(record.expiresAt ?? 0),
})

const storedReason = ({ endedAt, endedReason }: WebhookRecord): EndReasonName | undefined =>
  endedAt === null ? undefined : (endedReason as EndReasonName)

/** How many messages wait to be sent, or why the webhook has ended. */
async function waitingMessages(
  space: Space,
  record: WebhookRecord,
  reader: SubscriptionReader,
): Promise<number | EndReasonName> {
  const ended = storedReason(record)
  if (ended !== undefined) return ended
  const batch =
    record.eventName === null
      ? ((await nextMessages(space, record, WAITING_COUNTED)) ?? 'link')
      : await reader.next(record, WAITING_COUNTED)
  return typeof batch === 'string' ? batch : batch.messages.length
}

const formatTimestamp = (milliseconds: number): string => new Date(milliseconds).toISOString()

/**
 * Removes a webhook of the operator. A subscription ends, and stays listed for a while; its client is notified, and may
 * subscribe again. One that has ended is removed.
 *
 * @throws NOT_FOUND_ERROR
 */
export async function removeWebhook(space: Space, id: string, endpoints: readonly Endpoint[]): Promise<WebhookInfo> {
  const { tx, now } = space
  const record = await getWebhook(space, id)
  const info = await describeWebhook(space, record, new SubscriptionReader(space, endpoints))
  const { n, eventName, endedAt } = record
  if (eventName === null || endedAt !== null) await deleteWebhook(tx, n)
  else await endSubscription(tx, { n, endedAt: now, endedReason: 'removed' satisfies EndReasonName, isNotified: 0 })
  return info
}

/** Pauses a webhook until {@link releaseWebhook}, whatever its client does. What happens waits. @throws NOT_FOUND_ERROR */
export async function holdWebhook(space: Space, id: string): Promise<void> {
  const { n, heldAt } = await getWebhook(space, id)
  if (heldAt === null) await setWebhookHeld(space.tx, n, space.now)
}

/** Lets a webhook go on that a person paused. @throws NOT_FOUND_ERROR */
export async function releaseWebhook(space: Space, id: string): Promise<void> {
  await setWebhookHeld(space.tx, (await getWebhook(space, id)).n, null)
}

async function getWebhook({ tx }: Space, id: string): Promise<WebhookRecord> {
  const record = await webhookById(tx, id.toLowerCase())
  if (record !== undefined) return record
  throw notFound(`Expected the ID of a webhook, found ${id}; webhooks list shows them.`)
}

/**
 * Sends a message of the type `webhook.test`; to a subscription, a challenge, which its receiver has to echo. If it is
 * accepted, a webhook that was paused after failures or waits for a retry continues.
 *
 * @throws NOT_FOUND_ERROR
 */
export async function testWebhook(
  space: OpenSpace,
  id: string,
  options: WebhookRequestOptions,
): Promise<WebhookResult & { url: string; isResumed: boolean }> {
  const { record, now } = await space.read(OPERATOR_LINK, async (view) => ({
    record: await getWebhook(view, id),
    now: view.now,
  }))
  const message = createMessage(`msg_test_${randomBytes(ID_BYTES).toString('hex')}`, 'webhook.test', now, {
    webhookId: record.id,
  })
  const result =
    record.eventName === null
      ? await sendMessage(record, message, now, options)
      : await challengeReceiver(record, now, options)
  const isResumed = result.isAccepted && (record.pausedAt !== null || record.failures > 0)
  if (isResumed) await space.write(OPERATOR_LINK, ({ tx }) => resumeWebhook(tx, record.n))
  return { ...result, url: record.url, isResumed }
}
