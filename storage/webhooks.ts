/**
 * Queries on webhooks: addresses that receive what happens within the reach of a link, as the operator or a client asked
 * for it, and the lease of the process that sends to them.
 */
import { sql } from 'drizzle-orm'
import { type WebhookRow, webhook } from './schema.ts'
import { columnsOf, insertInto, integer, jsonList, listOf, param, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A webhook with its link. */
export interface WebhookRecord extends WebhookRow {
  linkId: string
  linkName: string
  linkRevokedAt: number | null
  linkExpiresAt: number | null
  linkReachChanges: number
  linkNoEvents: number
  linkPausedAt: number | null
}

const RECORDS = sql`SELECT ${columnsOf(webhook)}, link.id AS "linkId", link.name AS "linkName",
    link.revoked_at AS "linkRevokedAt", link.expires_at AS "linkExpiresAt",
    link.reach_changes AS "linkReachChanges", link.no_events AS "linkNoEvents",
    link.paused_at AS "linkPausedAt"
  FROM webhook INNER JOIN link ON link.n = webhook.link`
const ALL = statement<WebhookRecord>(() => sql`${RECORDS} ORDER BY webhook.n`)
const BY_ID = statement<WebhookRecord>(() => sql`${RECORDS} WHERE webhook.id = ${param('id')}`)
const BY_NUMBER = statement<WebhookRecord>(() => sql`${RECORDS} WHERE webhook.n = ${integer('n')}`)
const BY_NUMBERS = statement<WebhookRecord>(
  (dialect) => sql`${RECORDS} WHERE webhook.n IN ${listOf(dialect, 'ns', 'integer')} ORDER BY webhook.n`,
)

/** All webhooks, oldest first. */
export function listWebhookRecords(tx: Transaction): Promise<WebhookRecord[]> {
  return tx.all(ALL)
}

export function webhookById(tx: Transaction, id: string): Promise<WebhookRecord | undefined> {
  return tx.get(BY_ID, { id })
}

export function webhookByNumber(tx: Transaction, n: number): Promise<WebhookRecord | undefined> {
  return tx.get(BY_NUMBER, { n })
}

export function webhooksByNumbers(tx: Transaction, ns: readonly number[]): Promise<WebhookRecord[]> {
  return tx.all(BY_NUMBERS, { ns: jsonList(ns) })
}

// A subscription whose time or link is over has yet to be ended, even if nothing is sent to it.
const ACTIVE = statement<WebhookRecord>(
  () => sql`${RECORDS} WHERE webhook.ended_at < ${integer('endedBefore')}
    OR webhook.is_notified = 0 AND (webhook.event_name IS NOT NULL OR link.revoked_at IS NULL)
    AND (webhook.paused_at IS NULL AND webhook.held_at IS NULL AND link.paused_at IS NULL
      OR webhook.event_name IS NOT NULL AND webhook.ended_at IS NULL AND (
        webhook.expires_at <= ${integer('now')} OR link.revoked_at IS NOT NULL OR link.expires_at <= ${integer('now')}))
    ORDER BY webhook.n`,
)

/**
 * The webhooks that may have to be sent something: those that are not paused, and subscriptions that are over. And the
 * subscriptions that ended before a time, which are to be deleted.
 */
export function activeWebhooks(tx: Transaction, now: number, endedBefore: number): Promise<WebhookRecord[]> {
  return tx.all(ACTIVE, { now, endedBefore })
}

const NAMED = ['id', 'link', 'url', 'secret', 'events', 'arguments'] as const
const INSERTED = [...NAMED, 'createdAt', 'call', 'event', 'reachChanges'] as const
const INSERT = insertInto(webhook, [...INSERTED])

export async function insertWebhook(tx: Transaction, row: Pick<WebhookRow, (typeof INSERTED)[number]>): Promise<void> {
  await tx.run(INSERT, row)
}

const SUBSCRIBED = ['eventName', 'cursor', 'notBefore', 'expiresAt', 'client', 'connection'] as const
const INSERT_SUBSCRIPTION = insertInto(webhook, [...INSERTED, ...SUBSCRIBED])

export type NewSubscription = Pick<WebhookRow, (typeof INSERTED)[number] | (typeof SUBSCRIBED)[number]>

export async function insertSubscription(tx: Transaction, row: NewSubscription): Promise<void> {
  await tx.run(INSERT_SUBSCRIPTION, row)
}

const REFRESH = statement(
  () => sql`UPDATE webhook SET secret = ${param('secret')}, former_secret = ${param('formerSecret')},
      former_until = ${integer('formerUntil')}, expires_at = ${integer('expiresAt')}, client = ${param('client')},
      connection = ${param('connection')}, failures = 0, last_error = NULL, error_kind = NULL, retry_at = NULL,
      paused_at = NULL
    WHERE n = ${integer('n')}`,
)

/** Gives a subscription a new time and secret, and lets it go on if it was paused after failures. */
export async function refreshSubscription(
  tx: Transaction,
  row: Pick<WebhookRow, 'n' | 'secret' | 'formerSecret' | 'formerUntil' | 'expiresAt' | 'client' | 'connection'>,
): Promise<void> {
  await tx.run(REFRESH, row)
}

const COUNTS = statement<{ ofLink: number; ofSpace: number; toUrl: number }>(
  () => sql`SELECT count(*) AS "ofSpace",
      coalesce(sum(CASE WHEN link = ${integer('link')} THEN 1 ELSE 0 END), 0) AS "ofLink",
      coalesce(sum(CASE WHEN link = ${integer('link')} AND url = ${param('url')} THEN 1 ELSE 0 END), 0) AS "toUrl"
    FROM webhook WHERE event_name IS NOT NULL AND ended_at IS NULL AND expires_at > ${integer('now')}`,
)

/** How many subscriptions there are: of the space, of a link, and of the link to one address. */
export async function countSubscriptions(
  tx: Transaction,
  about: { link: number; url: string; now: number },
): Promise<{ ofLink: number; ofSpace: number; toUrl: number }> {
  const { ofLink, ofSpace, toUrl } = (await tx.get(COUNTS, about)) ?? { ofLink: 0, ofSpace: 0, toUrl: 0 }
  return { ofLink: Number(ofLink), ofSpace: Number(ofSpace), toUrl: Number(toUrl) }
}

const DELETE = statement(() => sql`DELETE FROM webhook WHERE n = ${integer('n')}`)

export async function deleteWebhook(tx: Transaction, n: number): Promise<void> {
  await tx.run(DELETE, { n })
}

const DELETE_ENDED = statement(() => sql`DELETE FROM webhook WHERE ended_at < ${integer('before')}`)

/** Deletes subscriptions that ended before a time, in milliseconds since 1970. */
export async function deleteEndedSubscriptions(tx: Transaction, before: number): Promise<void> {
  await tx.run(DELETE_ENDED, { before })
}

const END = statement(
  () => sql`UPDATE webhook SET ended_at = ${integer('endedAt')}, ended_reason = ${param('endedReason')},
      is_notified = ${integer('isNotified')}, paused_at = NULL, held_at = NULL, failures = 0, retry_at = NULL
    WHERE n = ${integer('n')} AND ended_at IS NULL`,
)

/** Ends a subscription. It stays listed for a while. */
export async function endSubscription(
  tx: Transaction,
  row: Pick<WebhookRow, 'n' | 'endedAt' | 'endedReason' | 'isNotified'>,
): Promise<void> {
  await tx.run(END, row)
}

const TELL = statement(() => sql`UPDATE webhook SET is_notified = 1, retry_at = NULL WHERE n = ${integer('n')}`)

/** Records that the receiver of an ended subscription was notified, or is not any more. */
export async function noteEndNotified(tx: Transaction, n: number): Promise<void> {
  await tx.run(TELL, { n })
}

const HOLD = statement(() => sql`UPDATE webhook SET held_at = ${integer('heldAt')} WHERE n = ${integer('n')}`)

/** Pauses a webhook for a person, or lets it go on. */
export async function setWebhookHeld(tx: Transaction, n: number, heldAt: number | null): Promise<void> {
  await tx.run(HOLD, { n, heldAt })
}

/** What was already sent to a webhook. */
export type WebhookProgress = Pick<WebhookRow, 'n' | 'call' | 'event' | 'reachChanges' | 'deliveredAt' | 'cursor'>

// Another process may have sent more while this one assumed that it still had the lease.
const ADVANCE = statement(
  () => sql`UPDATE webhook SET call = ${integer('call')}, event = ${integer('event')},
      reach_changes = ${integer('reachChanges')}, cursor = ${param('cursor')},
      delivered_at = coalesce(${param('deliveredAt')}, delivered_at),
      failures = 0, retry_at = NULL, last_error = NULL, error_kind = NULL
    WHERE n = ${integer('n')} AND call <= ${integer('call')} AND event <= ${integer('event')} AND ended_at IS NULL`,
)

/** Records that everything up to this progress was sent. No effect if more was already sent. */
export async function advanceWebhook(tx: Transaction, progress: WebhookProgress): Promise<void> {
  await tx.run(ADVANCE, progress)
}

const FAIL = statement(
  () => sql`UPDATE webhook SET failures = failures + 1, last_error = ${param('lastError')},
      error_kind = ${param('errorKind')}, retry_at = ${param('retryAt')}, paused_at = ${param('pausedAt')}
    WHERE n = ${integer('n')}`,
)

/** Records another failure of the next message: either when to retry it, or that the webhook is paused. */
export async function recordWebhookFailure(
  tx: Transaction,
  failure: Pick<WebhookRow, 'n' | 'lastError' | 'errorKind' | 'retryAt' | 'pausedAt'>,
): Promise<void> {
  await tx.run(FAIL, failure)
}

const RESUME = statement(
  () => sql`UPDATE webhook SET failures = 0, last_error = NULL, error_kind = NULL, retry_at = NULL, paused_at = NULL
    WHERE n = ${integer('n')}`,
)

/** Resumes a webhook from its last progress, without waiting for a retry. */
export async function resumeWebhook(tx: Transaction, n: number): Promise<void> {
  await tx.run(RESUME, { n })
}

const ACQUIRE_LEASE = statement(
  (
    dialect,
  ) => sql`INSERT INTO webhook_lease (one, holder, expires_at) VALUES (1, ${param('holder')}, ${integer('expiresAt')})
    ${dialect.onConflict('one')} DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
    WHERE webhook_lease.holder = excluded.holder OR webhook_lease.expires_at <= ${integer('now')}
      OR webhook_lease.expires_at > ${integer('expiresAt')}`,
)

/**
 * Acquires or renews the lease to send to the webhooks of the space. A lease that ends later than any new lease could
 * was set by a clock that was ahead, so it is ignored.
 *
 * @returns true if `holder` has the lease until `expiresAt`
 */
export async function acquireWebhookLease(
  tx: Transaction,
  lease: { holder: string; expiresAt: number; now: number },
): Promise<boolean> {
  return (await tx.run(ACQUIRE_LEASE, lease)) > 0
}

const RELEASE_LEASE = statement(() => sql`DELETE FROM webhook_lease WHERE holder = ${param('holder')}`)

export async function releaseWebhookLease(tx: Transaction, holder: string): Promise<void> {
  await tx.run(RELEASE_LEASE, { holder })
}

const LEASED = statement(() => sql`SELECT 1 FROM webhook_lease WHERE expires_at > ${integer('now')}`)

/** True if any process holds the lease to send to the webhooks of the space. */
export async function hasWebhookLease(tx: Transaction, now: number): Promise<boolean> {
  return (await tx.get(LEASED, { now })) !== undefined
}
