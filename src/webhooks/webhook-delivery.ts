/**
 * Delivers the events of one space to its webhooks, those of the operator and the subscriptions of clients: each receives
 * one message after another, in feed order, and each message is retried until it is accepted. Among the processes that serve the space, the one with a lease does
 * this; another takes over when the lease has expired. Progress is stored in the space, so that after a kill, only
 * messages since the last save are sent again, with the same IDs.
 */
import { randomUUID } from 'node:crypto'
import {
  acquireWebhookLease,
  activeWebhooks,
  advanceWebhook,
  deleteEndedSubscriptions,
  endSubscription,
  noteEndNotified,
  recordWebhookFailure,
  releaseWebhookLease,
  type WebhookRecord,
  webhookByNumber,
  webhooksByNumbers,
} from '../../storage/webhooks.ts'
import { inBackground } from '../base/background.ts'
import { ENDED_SUBSCRIPTION_SECONDS } from '../base/limits.ts'
import { yieldToEventLoop } from '../base/scheduling.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Listening } from '../space/change-watcher.ts'
import { OPERATOR_LINK, type Space } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { type EndReasonName, endReasonOf } from './end-reasons.ts'
import { ReadsTogether } from './reads-together.ts'
import { SubscriptionReader } from './subscription-messages.ts'
import { UnsavedProgress } from './unsaved-progress.ts'
import type { MessageBatch, PlacedMessage, WebhookPlace } from './webhook-batch.ts'
import { nextMessages } from './webhook-messages.ts'
import {
  type FailedAttempt,
  GONE,
  sendMessage,
  TOO_LARGE,
  type WebhookRequestOptions,
  type WebhookResult,
} from './webhook-request.ts'

/** Milliseconds for which a lease lasts, and after which it is renewed. */
const LEASE_MS = 15_000
const RENEW_MS = 5_000
/** Messages to read at once, and milliseconds after which progress is saved. */
const MESSAGES_PER_BATCH = 20
const SAVE_MS = 1_000
/** Calls after which progress is saved for a webhook that was sent nothing. */
const CALLS_PER_SAVE = 1_000
/** Milliseconds between attempts for a failing message: eleven attempts in about a day. */
const SECOND = 1_000
const PAUSES = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800].map((seconds) => seconds * SECOND)
/** Maximum relative variation of pauses, so that webhooks that failed together are not retried together. */
const JITTER = 0.1

/** What was read for a webhook. */
interface WebhookRead {
  /** The next messages, or why the subscription ends. */
  batch: MessageBatch | EndReasonName
  /** With the position from which they were read. */
  webhook: WebhookRecord
  saved: WebhookRecord
  stamp: string
}

export interface WebhookDeliveryOptions extends WebhookRequestOptions {
  /** The endpoints of the program, one of which lists the events of subscriptions. */
  endpoints: readonly Endpoint[]
  /** Receives a line for each webhook that is paused. */
  report(sentence: string): void
  /** Milliseconds between attempts, if they differ from the default of about a day. */
  pauses?: readonly number[]
  /** Milliseconds for which a lease lasts. */
  lease?: number
}

export class WebhookDelivery {
  readonly #space: OpenSpace
  readonly #options: WebhookDeliveryOptions
  readonly #holder = randomUUID()
  readonly #running = new Map<number, Promise<void>>()
  /** The current positions of webhooks, which may not be saved yet. */
  readonly #places = new Map<number, WebhookPlace>()
  /** Webhooks that may have more messages than were read last. */
  readonly #pending = new Set<number>()
  /** Incremented whenever there may be new entries in the feed, and for each webhook: of when everything was read. */
  #generation = 0
  readonly #readAt = new Map<number, string>()
  /** Timers of webhooks that have more to send after a while, although nothing is written. */
  readonly #wakes = new Map<number, NodeJS.Timeout>()
  readonly #reads = new ReadsTogether<WebhookRead>((numbers, give) => this.#read(numbers, give))
  readonly #listening: Listening
  readonly #renewTimer: NodeJS.Timeout
  #retryTimer: NodeJS.Timeout | undefined
  /** The time (by the process's clock) until which this process certainly holds the lease. */
  #leasedUntil = Number.NEGATIVE_INFINITY
  #checking: Promise<void> | undefined
  #isCheckPending = false
  #isClosed = false

  constructor(space: OpenSpace, options: WebhookDeliveryOptions) {
    this.#space = space
    this.#options = options
    const changed = () => {
      this.#generation++
      return this.#check()
    }
    this.#listening = space.watch(changed, { includesFeed: true })
    const renewAfter = (options.lease ?? LEASE_MS) * (RENEW_MS / LEASE_MS)
    this.#renewTimer = setInterval(() => this.#checkInBackground(), renewAfter).unref()
    inBackground('check webhooks', () => this.#checkFirst(), options.report)
  }

  /** Waits for messages that are being sent, and releases the lease. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#renewTimer)
    clearTimeout(this.#retryTimer)
    for (const timer of this.#wakes.values()) clearTimeout(timer)
    await this.#listening.stop()
    await this.#checking
    await Promise.all(this.#running.values())
    if (this.#holdsLease()) {
      await this.#space
        .write(OPERATOR_LINK, ({ tx }) => releaseWebhookLease(tx, this.#holder))
        // Otherwise it expires.
        .catch(() => {})
    }
  }

  /** Checks which webhooks exist, and starts sending for those that are due. */
  #check(): Promise<void> {
    if (this.#checking !== undefined) this.#isCheckPending = true
    this.#checking ??= this.#checkOnce().finally(() => {
      this.#checking = undefined
      if (!this.#isCheckPending || this.#isClosed) return
      this.#isCheckPending = false
      this.#checkInBackground()
    })
    return this.#checking
  }

  /** Begins once every later change is notified, so that none is missed. */
  async #checkFirst(): Promise<void> {
    await this.#listening.ready
    if (!this.#isClosed) await this.#check()
  }

  #checkInBackground(): void {
    inBackground('check webhooks', () => this.#check(), this.#options.report)
  }

  async #checkOnce(): Promise<void> {
    try {
      const { rows, now } = await this.#space.read(OPERATOR_LINK, async ({ tx, now }) => ({
        rows: await activeWebhooks(tx, now, now - LISTED_MS),
        now,
      }))
      this.#forgetOthers(rows)
      if (this.#isClosed || rows.length === 0 || !(await this.#renewLease())) return
      let next = Infinity
      if (rows.some(({ endedAt }) => isForgotten(endedAt, now))) await this.#deleteEnded()
      for (const row of rows) {
        const { n, retryAt, endedAt } = row
        if (isForgotten(endedAt, now)) continue
        const wait = this.#waitOf(retryAt, now)
        if (wait > 0) next = Math.min(next, wait)
        else if (this.#running.has(n)) this.#pending.add(n)
        else if (this.#readAt.get(n) !== this.#stampOf(row) || isOver(row, now)) this.#start(row)
      }
      clearTimeout(this.#retryTimer)
      if (next < Infinity) this.#retryTimer = setTimeout(() => this.#checkInBackground(), next).unref()
    } catch {
      // After a failure, the next check tries again.
    }
  }

  /** A webhook is read again when something has happened, or its link reaches something else. */
  #stampOf({ linkReachChanges }: WebhookRecord): string {
    return `${this.#generation} ${linkReachChanges}`
  }

  #forgetOthers(rows: readonly WebhookRecord[]): void {
    const known = new Set(rows.map(({ n }) => n))
    for (const n of [...this.#readAt.keys(), ...this.#places.keys()]) {
      if (known.has(n) || this.#running.has(n)) continue
      this.#readAt.delete(n)
      this.#places.delete(n)
      this.#wake(n, undefined)
    }
  }

  /**
   * Milliseconds until a message is sent again. A time further ahead than any pause was set by a clock that was ahead:
   * it is not waited for.
   */
  #waitOf(retryAt: number | null, now: number): number {
    const longest = Math.max(...(this.#options.pauses ?? PAUSES)) * (1 + JITTER)
    const wait = retryAt === null ? 0 : retryAt - now
    return wait <= Math.ceil(longest) ? wait : 0
  }

  #holdsLease(): boolean {
    return performance.now() < this.#leasedUntil
  }

  /** Renews the lease if it is about to expire. @returns true if this process holds it */
  async #renewLease(): Promise<boolean> {
    const { lease = LEASE_MS } = this.#options
    const renewed = performance.now() + lease
    if (this.#leasedUntil - performance.now() > lease - lease * (RENEW_MS / LEASE_MS)) return true
    const wasHeld = this.#holdsLease()
    const isHeld = await this.#space.write(OPERATOR_LINK, ({ tx, now }) =>
      acquireWebhookLease(tx, { holder: this.#holder, expiresAt: now + lease, now }),
    )
    // Another process may have sent, and may have failed, in the meantime.
    if (isHeld && !wasHeld) this.#readAt.clear()
    // Counted from before the write, so that no other process can get the lease before it has ended here.
    if (isHeld) this.#leasedUntil = renewed
    return isHeld
  }

  #start(webhook: WebhookRecord): void {
    const { n } = webhook
    this.#pending.delete(n)
    const running = this.#deliver(webhook)
      // The next check tries again.
      .catch(() => {})
      .finally(() => {
        this.#running.delete(n)
        if (this.#pending.has(n) && !this.#isClosed) this.#start(webhook)
      })
    this.#running.set(n, running)
  }

  /** Starts a webhook after a while, unless it is started before. */
  #wake(n: number, milliseconds: number | undefined): void {
    clearTimeout(this.#wakes.get(n))
    this.#wakes.delete(n)
    if (milliseconds === undefined || this.#isClosed) return
    const due = () => {
      this.#wakes.delete(n)
      this.#readAt.delete(n)
      this.#checkInBackground()
    }
    this.#wakes.set(n, setTimeout(due, milliseconds).unref())
  }

  /** Sends to one webhook until there is nothing left, or a message fails. */
  async #deliver({ n, linkId }: WebhookRecord): Promise<void> {
    this.#readAt.delete(n)
    const progress = new UnsavedProgress((saved) =>
      this.#space.write(OPERATOR_LINK, ({ tx }) => advanceWebhook(tx, { ...saved, n })),
    )
    for (let hasMore = true; hasMore; ) {
      const read = await this.#reads.read(linkId, n)
      if (read === undefined) break
      const { batch, webhook, saved, stamp } = read
      if (typeof batch === 'string') {
        await progress.save()
        await this.#end(webhook, batch)
        continue
      }
      for (const placed of batch.messages) {
        if (this.#isClosed || !this.#holdsLease()) return progress.save()
        const sent = await this.#send(webhook, placed)
        if (sent === undefined) return progress.save()
        const { result, now } = sent
        if (!result.isAccepted) {
          await progress.save()
          return this.#fail(webhook, result)
        }
        this.#places.set(n, placed.place)
        progress.note({ ...placed.place, deliveredAt: now })
        if (progress.age >= SAVE_MS) await progress.save()
      }
      if (webhook.endedAt !== null) return this.#noteNotified(n)
      this.#places.set(n, batch.place)
      const isFurther = batch.place.call - saved.call >= CALLS_PER_SAVE
      if (progress.isNoted || isFurther) progress.note({ deliveredAt: null, ...batch.place })
      hasMore = batch.hasMore
      this.#wake(n, batch.again)
      if (!hasMore) this.#readAt.set(n, stamp)
    }
    await progress.save()
  }

  /** Reads the next messages of webhooks of one link, and their saved positions. */
  #read(numbers: readonly number[], give: (n: number, read: WebhookRead | undefined) => void): Promise<void> {
    return this.#space.read(OPERATOR_LINK, async (space) => {
      const reader = new SubscriptionReader(space, this.#options.endpoints)
      // Those that are at the same place follow each other.
      const records = (await webhooksByNumbers(space.tx, numbers)).sort((one, other) => one.call - other.call)
      for (const record of records) {
        give(record.n, await this.#readOne(space, record, reader))
        await yieldToEventLoop()
      }
    })
  }

  async #readOne(space: Space, record: WebhookRecord, reader: SubscriptionReader): Promise<WebhookRead | undefined> {
    if (record.isNotified === 1) return undefined
    if ((record.pausedAt !== null || isHeld(record)) && !isOver(record, space.now)) return undefined
    if (this.#waitOf(record.retryAt, space.now) > 0) return undefined
    const stamp = this.#stampOf(record)
    const place = this.#places.get(record.n)
    // If the saved position is further, another process has sent messages in the meantime.
    const isSaved = place === undefined || record.call > place.call || record.event > place.event
    const webhook = isSaved ? record : { ...record, ...place }
    const batch =
      record.eventName === null
        ? await nextMessages(space, webhook, MESSAGES_PER_BATCH)
        : await reader.next(webhook, MESSAGES_PER_BATCH)
    return batch && { batch, webhook, saved: record, stamp }
  }

  /** @returns undefined if a person has paused it since it was read */
  async #send(
    webhook: WebhookRecord,
    placed: PlacedMessage,
  ): Promise<{ result: WebhookResult; now: number } | undefined> {
    const { now, record } = await this.#space.read(OPERATOR_LINK, async ({ tx, now }) => ({
      now,
      record: await webhookByNumber(tx, webhook.n),
    }))
    if (record === undefined || (isHeld(record) && !isOver(record, now) && record.endedAt === null)) return undefined
    const { message, ifTooLarge, isControl } = placed
    const result = await sendMessage(webhook, message, now, this.#options)
    const { status } = result.isAccepted ? { status: undefined } : result
    if (status === TOO_LARGE && ifTooLarge !== undefined) {
      return this.#send(webhook, { ...placed, message: ifTooLarge, isControl: true })
    }
    // Not every receiver knows messages about subscriptions, and none is held up by them.
    return isControl && isRefusal(status) ? { result: { isAccepted: true }, now } : { result, now }
  }

  async #end({ n }: WebhookRecord, reason: EndReasonName): Promise<void> {
    const isNotified = endReasonOf(reason).error === undefined ? 1 : 0
    await this.#space.write(OPERATOR_LINK, ({ tx, now }) =>
      endSubscription(tx, { n, endedAt: now, endedReason: reason, isNotified }),
    )
  }

  #deleteEnded(): Promise<void> {
    return this.#space.write(OPERATOR_LINK, ({ tx, now }) => deleteEndedSubscriptions(tx, now - LISTED_MS))
  }

  #noteNotified(n: number): Promise<void> {
    return this.#space.write(OPERATOR_LINK, ({ tx }) => noteEndNotified(tx, n))
  }

  /** Records when to retry the message. After a day of attempts, the webhook is paused. */
  async #fail(webhook: WebhookRecord, { reason, kind, status, retryAfter = 0 }: FailedAttempt): Promise<void> {
    const { n, eventName } = webhook
    const { pauses = PAUSES } = this.#options
    if (status === GONE && eventName !== null && webhook.endedAt === null) return this.#end(webhook, 'gone')
    const paused = await this.#space.write(OPERATOR_LINK, async ({ tx, now }) => {
      const record = await webhookByNumber(tx, n)
      if (record === undefined) return undefined
      const failure = { n, lastError: reason, errorKind: kind }
      const pause = pauses[record.failures]
      if (pause === undefined || status === GONE) {
        if (record.endedAt !== null) return void (await noteEndNotified(tx, n))
        await recordWebhookFailure(tx, { ...failure, retryAt: null, pausedAt: now })
        return record
      }
      const wanted = Math.min(retryAfter * SECOND, Math.max(...pauses))
      const wait = Math.max(pause * (1 + JITTER * (2 * Math.random() - 1)), wanted)
      await recordWebhookFailure(tx, { ...failure, retryAt: Math.ceil(now + wait), pausedAt: null })
      return undefined
    })
    if (paused !== undefined) {
      const next =
        eventName === null
          ? `webhooks test ${paused.id} lets it go on`
          : `its client lets it go on when it refreshes it, and so does webhooks test ${paused.id}`
      this.#options.report(
        `The webhook ${paused.id} to ${new URL(paused.url).origin} is paused after ${countOf(paused.failures + 1)}: ${reason}. What happens waits for it; ${next}.`,
      )
    }
    this.#checkInBackground()
  }
}

/** Milliseconds for which a subscription that has ended is listed. */
const LISTED_MS = ENDED_SUBSCRIPTION_SECONDS * SECOND

const isForgotten = (endedAt: number | null, now: number): boolean => endedAt !== null && endedAt < now - LISTED_MS

const countOf = (tries: number): string => (tries === 1 ? '1 try' : `${tries} tries`)

/** Statuses by which a receiver refuses a message for now. */
const LATER = [408, 425, 429]

const isRefusal = (status = 0): boolean => status >= 400 && status < 500 && status !== GONE && !LATER.includes(status)

/** True if a person paused it, or its link. */
const isHeld = ({ heldAt, linkPausedAt }: WebhookRecord): boolean => heldAt !== null || linkPausedAt !== null

/** True for a subscription that has to be ended, whether it is paused or not. */
const isOver = (record: WebhookRecord, now: number): boolean =>
  record.eventName !== null &&
  record.endedAt === null &&
  (record.linkRevokedAt !== null ||
    record.linkNoEvents === 1 ||
    [record.expiresAt, record.linkExpiresAt].some((time) => time !== null && time <= now))
