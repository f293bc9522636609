/**
 * Delivers the events of one space to its webhooks: each webhook receives one message after another, in feed order, and
 * each message is retried until it is accepted. Among the processes that serve the space, the one with a lease does
 * this; another takes over when the lease has expired. Progress is stored in the space, so that after a kill, only
 * messages since the last save are sent again, with the same IDs.
 */
import { randomUUID } from 'node:crypto'
import {
  acquireWebhookLease,
  activeWebhooks,
  advanceWebhook,
  recordWebhookFailure,
  releaseWebhookLease,
  type WebhookProgress,
  webhookByNumber,
} from '../../storage/webhooks.ts'
import { inBackground } from '../base/background.ts'
import type { Listening } from '../space/change-watcher.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { nextMessages } from './webhook-messages.ts'
import { sendMessage, type WebhookRequestOptions, type WebhookResult } from './webhook-request.ts'

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

export interface WebhookDeliveryOptions extends WebhookRequestOptions {
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
  readonly #places = new Map<number, Place>()
  /** Webhooks that may have more messages than were read last. */
  readonly #pending = new Set<number>()
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
    this.#listening = space.watch(() => this.#check(), { includesFeed: true })
    const renewAfter = (options.lease ?? LEASE_MS) * (RENEW_MS / LEASE_MS)
    this.#renewTimer = setInterval(() => this.#checkInBackground(), renewAfter).unref()
    inBackground('check webhooks', () => this.#checkFirst(), options.report)
  }

  /** Waits for messages that are being sent, and releases the lease. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#renewTimer)
    clearTimeout(this.#retryTimer)
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
        rows: await activeWebhooks(tx),
        now,
      }))
      if (this.#isClosed || rows.length === 0 || !(await this.#renewLease())) return
      let next = Infinity
      for (const { n, retryAt } of rows) {
        const wait = this.#waitOf(retryAt, now)
        if (wait > 0) next = Math.min(next, wait)
        else if (this.#running.has(n)) this.#pending.add(n)
        else this.#start(n)
      }
      clearTimeout(this.#retryTimer)
      if (next < Infinity) this.#retryTimer = setTimeout(() => this.#checkInBackground(), next).unref()
    } catch {
      // After a failure, the next check tries again.
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
    const isHeld = await this.#space.write(OPERATOR_LINK, ({ tx, now }) =>
      acquireWebhookLease(tx, { holder: this.#holder, expiresAt: now + lease, now }),
    )
    // Counted from before the write, so that no other process can get the lease before it has ended here.
    if (isHeld) this.#leasedUntil = renewed
    return isHeld
  }

  #start(n: number): void {
    this.#pending.delete(n)
    const running = this.#deliver(n)
      // The next check tries again.
      .catch(() => {})
      .finally(() => {
        this.#running.delete(n)
        if (this.#pending.has(n) && !this.#isClosed) this.#start(n)
      })
    this.#running.set(n, running)
  }

  /** Sends to one webhook until there is nothing left, or a message fails. */
  async #deliver(n: number): Promise<void> {
    const progress = new UnsavedProgress((saved) =>
      this.#space.write(OPERATOR_LINK, ({ tx }) => advanceWebhook(tx, saved)),
    )
    for (let hasMore = true; hasMore; ) {
      const batch = await this.#read(n)
      if (batch === undefined) break
      const { messages, webhook, saved } = batch
      for (const placed of messages) {
        if (this.#isClosed || !this.#holdsLease()) return progress.save()
        const { result, now } = await this.#send(webhook, placed.message)
        if (!result.isAccepted) {
          await progress.save()
          return this.#fail(n, result)
        }
        this.#places.set(n, placed.progress)
        progress.note({ ...placed.progress, deliveredAt: now })
        if (progress.age >= SAVE_MS) await progress.save()
      }
      this.#places.set(n, batch.progress)
      const isFurther = batch.progress.call - saved.call >= CALLS_PER_SAVE
      if (progress.isNoted || isFurther) progress.note({ deliveredAt: null, ...batch.progress })
      hasMore = batch.hasMore
    }
    await progress.save()
  }

  /** Reads the next messages of a webhook, and its saved position. */
  #read(n: number) {
    return this.#space.read(OPERATOR_LINK, async (space) => {
      const record = await webhookByNumber(space.tx, n)
      if (record === undefined || record.pausedAt !== null) return undefined
      if (this.#waitOf(record.retryAt, space.now) > 0) return undefined
      const place = this.#places.get(n)
      // If the saved position is further, another process has sent messages in the meantime.
      const isSaved = place === undefined || record.call > place.call || record.event > place.event
      const webhook = isSaved ? record : { ...record, ...place }
      const batch = await nextMessages(space, webhook, MESSAGES_PER_BATCH)
      return batch && { ...batch, webhook, saved: record }
    })
  }

  async #send(webhook: { url: string; secret: string }, message: Parameters<typeof sendMessage>[1]) {
    const now = await this.#space.read(OPERATOR_LINK, async (space) => space.now)
    return { result: await sendMessage(webhook, message, now, this.#options), now }
  }

  /** Records when to retry the message. After a day of attempts, the webhook is paused. */
  async #fail(
    n: number,
    { reason, isGone = false, retryAfter = 0 }: WebhookResult & { isAccepted: false },
  ): Promise<void> {
    const { pauses = PAUSES } = this.#options
    const paused = await this.#space.write(OPERATOR_LINK, async ({ tx, now }) => {
      const record = await webhookByNumber(tx, n)
      if (record === undefined) return undefined
      const pause = pauses[record.failures]
      if (pause === undefined || isGone) {
        await recordWebhookFailure(tx, { n, lastError: reason, retryAt: null, pausedAt: now })
        return record
      }
      const wanted = Math.min(retryAfter * SECOND, Math.max(...pauses))
      const wait = Math.max(pause * (1 + JITTER * (2 * Math.random() - 1)), wanted)
      await recordWebhookFailure(tx, { n, lastError: reason, retryAt: Math.ceil(now + wait), pausedAt: null })
      return undefined
    })
    if (paused !== undefined) {
      this.#options.report(
        `The webhook ${paused.id} to ${new URL(paused.url).origin} is paused after ${countOf(paused.failures + 1)}: ${reason}. What happens waits for it; webhooks test ${paused.id} lets it go on.`,
      )
    }
    this.#checkInBackground()
  }
}

const countOf = (tries: number): string => (tries === 1 ? '1 try' : `${tries} tries`)

/** The position of a webhook. */
type Place = Pick<WebhookProgress, 'call' | 'event' | 'reachChanges'>

/** The progress of a webhook since the last save. */
class UnsavedProgress {
  readonly #save: (progress: WebhookProgress) => Promise<void>
  #progress: WebhookProgress | undefined
  #savedAt = performance.now()

  constructor(save: (progress: WebhookProgress) => Promise<void>) {
    this.#save = save
  }

  get isNoted(): boolean {
    return this.#progress !== undefined
  }

  /** Milliseconds since the last save. */
  get age(): number {
    return performance.now() - this.#savedAt
  }

  note(progress: WebhookProgress): void {
    this.#progress = { ...progress, deliveredAt: progress.deliveredAt ?? this.#progress?.deliveredAt ?? null }
  }

  async save(): Promise<void> {
    const progress = this.#progress
    this.#progress = undefined
    this.#savedAt = performance.now()
    if (progress !== undefined) await this.#save(progress)
  }
}
