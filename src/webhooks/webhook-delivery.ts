/**
 * Sends what happens in one space to its webhooks: to each one message after another, in the order of the feed, each
 * until it is accepted. Of the processes that serve the space one does this, by a lease that another takes over when it
 * has ended. Where each webhook is stands in the space, so that after a kill at most what was sent since the last note is
 * sent again, under the same ID.
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
import type { Listening } from '../space/change-watcher.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { nextMessages } from './webhook-messages.ts'
import { sendMessage, type WebhookRequestOptions, type WebhookResult } from './webhook-request.ts'

/** Milliseconds for which a lease lasts, and after which it is renewed. */
const LEASE_MS = 15_000
const RENEW_MS = 5_000
/** Messages that are read at once, and milliseconds after which it is saved how far a webhook is. */
const MESSAGES_PER_BATCH = 20
const SAVE_MS = 1_000
/** Calls after which that is saved of a webhook to which nothing was sent. */
const CALLS_PER_SAVE = 1_000
/** Milliseconds between the tries of a message that fails: eleven tries in about a day. */
const SECOND = 1_000
const PAUSES = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800].map((seconds) => seconds * SECOND)
/** Pauses are longer or shorter by up to this part, so that webhooks that failed together do not come back together. */
const JITTER = 0.1

export interface WebhookDeliveryOptions extends WebhookRequestOptions {
  /** Receives a sentence for each webhook that is paused. */
  report(sentence: string): void
  /** Milliseconds between the tries of a message, where others than a day's are wanted. */
  pauses?: readonly number[]
  /** Milliseconds for which a lease lasts. */
  lease?: number
}

export class WebhookDelivery {
  readonly #space: OpenSpace
  readonly #options: WebhookDeliveryOptions
  readonly #holder = randomUUID()
  readonly #running = new Map<number, Promise<void>>()
  /** Where webhooks are by now, which is not always saved. */
  readonly #places = new Map<number, Place>()
  /** Webhooks for which there may be more since their messages were last read. */
  readonly #pending = new Set<number>()
  readonly #listening: Listening
  readonly #renewTimer: NodeJS.Timeout
  #retryTimer: NodeJS.Timeout | undefined
  /** By the clock of the process: until when the lease is surely this process's. */
  #leasedUntil = Number.NEGATIVE_INFINITY
  #checking: Promise<void> | undefined
  #isCheckPending = false
  #isClosed = false

  constructor(space: OpenSpace, options: WebhookDeliveryOptions) {
    this.#space = space
    this.#options = options
    this.#listening = space.watch(() => this.#check(), { hearsFeed: true })
    this.#renewTimer = setInterval(
      () => void this.#check(),
      (options.lease ?? LEASE_MS) * (RENEW_MS / LEASE_MS),
    ).unref()
    void this.#check()
  }

  /** Waits for the messages that are under way, and lets go of the lease. */
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
        // It expires by itself.
        .catch(() => {})
    }
  }

  /** Looks which webhooks there are, and lets those send that are due. */
  #check(): Promise<void> {
    if (this.#checking !== undefined) this.#isCheckPending = true
    this.#checking ??= this.#checkOnce().finally(() => {
      this.#checking = undefined
      if (!this.#isCheckPending || this.#isClosed) return
      this.#isCheckPending = false
      void this.#check()
    })
    return this.#checking
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
        if (retryAt !== null && retryAt > now) next = Math.min(next, retryAt - now)
        else if (this.#running.has(n)) this.#pending.add(n)
        else this.#start(n)
      }
      clearTimeout(this.#retryTimer)
      if (next < Infinity) this.#retryTimer = setTimeout(() => void this.#check(), next).unref()
    } catch {
      // What cannot be looked at now is looked at again soon.
    }
  }

  #holdsLease(): boolean {
    return performance.now() < this.#leasedUntil
  }

  /** Renews the lease where it would end soon. @returns whether this process has it */
  async #renewLease(): Promise<boolean> {
    const { lease = LEASE_MS } = this.#options
    const renewed = performance.now() + lease
    if (this.#leasedUntil - performance.now() > lease - lease * (RENEW_MS / LEASE_MS)) return true
    const isHeld = await this.#space.write(OPERATOR_LINK, ({ tx, now }) =>
      acquireWebhookLease(tx, { holder: this.#holder, expiresAt: now + lease, now }),
    )
    // Counted from before the write, so that no other process has it before it has ended here.
    if (isHeld) this.#leasedUntil = renewed
    return isHeld
  }

  #start(n: number): void {
    this.#pending.delete(n)
    const running = this.#deliver(n)
      // It is tried again at the next look.
      .catch(() => {})
      .finally(() => {
        this.#running.delete(n)
        if (this.#pending.has(n) && !this.#isClosed) this.#start(n)
      })
    this.#running.set(n, running)
  }

  /** Sends to one webhook until there is nothing more, or a message fails. */
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

  /** What a webhook is sent next, and where it is as that was saved. */
  #read(n: number) {
    return this.#space.read(OPERATOR_LINK, async (space) => {
      const record = await webhookByNumber(space.tx, n)
      if (record === undefined || record.pausedAt !== null) return undefined
      if (record.retryAt !== null && record.retryAt > space.now) return undefined
      const place = this.#places.get(n)
      // Where it has come further, another process has sent to it meanwhile.
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

  /** Notes when the message is tried again; after a day of tries the webhook is paused. */
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
    void this.#check()
  }
}

const countOf = (tries: number): string => (tries === 1 ? '1 try' : `${tries} tries`)

/** Where a webhook is. */
type Place = Pick<WebhookProgress, 'call' | 'event' | 'reachChanges'>

/** How far a webhook has come since that was last saved. */
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

  /** Milliseconds since it was saved. */
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
