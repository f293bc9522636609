/**
 * Queries on webhooks: addresses that receive what happens within the reach of a link, and the lease of the process
 * that sends to them.
 */
import { sql } from 'drizzle-orm'
import { type WebhookRow, webhook } from './schema.ts'
import { columnsOf, insertInto, integer, param, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A webhook with the ID and the name of its link. */
export interface WebhookRecord extends WebhookRow {
  linkId: string
  linkName: string
}

const RECORDS = sql`SELECT ${columnsOf(webhook)}, link.id AS "linkId", link.name AS "linkName"
  FROM webhook INNER JOIN link ON link.n = webhook.link`
const ALL = statement<WebhookRecord>(() => sql`${RECORDS} ORDER BY webhook.n`)
const BY_ID = statement<WebhookRecord>(() => sql`${RECORDS} WHERE webhook.id = ${param('id')}`)
const BY_NUMBER = statement<WebhookRecord>(() => sql`${RECORDS} WHERE webhook.n = ${integer('n')}`)

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

const ACTIVE = statement<WebhookRow>(
  () => sql`${selectFrom(webhook)} WHERE paused_at IS NULL
    AND EXISTS (SELECT 1 FROM link WHERE link.n = webhook.link AND link.revoked_at IS NULL) ORDER BY n`,
)

/** The active webhooks: those that are not paused and whose links are not revoked. */
export function activeWebhooks(tx: Transaction): Promise<WebhookRow[]> {
  return tx.all(ACTIVE)
}

const INSERTED = ['id', 'link', 'url', 'secret', 'events', 'createdAt', 'call', 'event', 'reachChanges']
const INSERT = insertInto(webhook, INSERTED)

export async function insertWebhook(
  tx: Transaction,
  row: Pick<WebhookRow, 'id' | 'link' | 'url' | 'secret' | 'events' | 'createdAt' | 'call' | 'event' | 'reachChanges'>,
): Promise<void> {
  await tx.run(INSERT, row)
}

const DELETE = statement(() => sql`DELETE FROM webhook WHERE n = ${integer('n')}`)

export async function deleteWebhook(tx: Transaction, n: number): Promise<void> {
  await tx.run(DELETE, { n })
}

/** What was already sent to a webhook. */
export type WebhookProgress = Pick<WebhookRow, 'n' | 'call' | 'event' | 'reachChanges' | 'deliveredAt'>

// Another process may have sent more while this one assumed that it still had the lease.
const ADVANCE = statement(
  () => sql`UPDATE webhook SET call = ${integer('call')}, event = ${integer('event')},
      reach_changes = ${integer('reachChanges')}, delivered_at = coalesce(${param('deliveredAt')}, delivered_at),
      failures = 0, retry_at = NULL, last_error = NULL
    WHERE n = ${integer('n')} AND call <= ${integer('call')} AND event <= ${integer('event')}`,
)

/** Records that everything up to this progress was sent. No effect if more was already sent. */
export async function advanceWebhook(tx: Transaction, progress: WebhookProgress): Promise<void> {
  await tx.run(ADVANCE, progress)
}

const FAIL = statement(
  () => sql`UPDATE webhook SET failures = failures + 1, last_error = ${param('lastError')},
      retry_at = ${param('retryAt')}, paused_at = ${param('pausedAt')} WHERE n = ${integer('n')}`,
)

/** Records another failure of the next message: either when to retry it, or that the webhook is paused. */
export async function recordWebhookFailure(
  tx: Transaction,
  failure: Pick<WebhookRow, 'n' | 'lastError' | 'retryAt' | 'pausedAt'>,
): Promise<void> {
  await tx.run(FAIL, failure)
}

const RESUME = statement(
  () => sql`UPDATE webhook SET failures = 0, last_error = NULL, retry_at = NULL, paused_at = NULL
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
