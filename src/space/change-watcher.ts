/**
 * Watches a space for changes, whichever process makes them: looks at the number of the last change whenever its storage
 * says that there may be one. One look serves all who listen in this process.
 */

import { type ChangeCounter, documentsChangedAfter, getChangeCounter, listingState } from '../../storage/changes.ts'
import type { Storage } from '../../storage/storage.ts'
import type { DueReminders } from './due-reminders.ts'
import { reachOf, type Space } from './model/space.ts'

/** What changed between two looks. */
export interface SpaceChanges {
  /** Documents of which anything changed, by number. */
  documents: readonly number[]
  /** Whether there are others, or fewer, than before. */
  listChanged: boolean
  /** Whether the feed goes on: a call was committed, or an event recorded. */
  feedMoved: boolean
}

/** Another text whenever others of the documents, files and whiteboards within reach are listed than before. */
export const listingFingerprint = ({ tx, link }: Space): Promise<string> => listingState(tx, reachOf(link))

/** Calls what it is given whenever something may have changed, until what it returns is called. */
export type Schedule = Storage['onChange']

/** Somebody who is notified of changes. */
export interface Listening {
  /** Resolves once every later change will be notified. */
  readonly ready: Promise<void>
  /** Nothing is notified after this resolves. */
  stop(): Promise<void>
}

export type Notify = (changes: SpaceChanges) => Promise<void> | void

/** Milliseconds of a timer at most. */
const MAX_TIMEOUT = 2 ** 31 - 1

export class ChangeWatcher {
  readonly #readSpace: <T>(work: (space: Space) => Promise<T>) => Promise<T>
  readonly #schedule: Schedule
  readonly #reminders: DueReminders | undefined
  readonly #listeners = new Set<Listener>()
  #stopPolling: (() => void) | undefined
  /** What had changed by the last look; none before the first. */
  #lastCounter: ChangeCounter | undefined
  #currentCheck: Promise<void> = Promise.resolve()
  #isChecking = false
  #isOutdated = false
  /** Looks when the next reminder is due, where nothing else says so. */
  #dueTimer: NodeJS.Timeout | undefined

  /**
   * @param readSpace  at one snapshot of the space
   * @param schedule  when it looks again, while anybody listens
   * @param reminders  are looked at as well, while anybody listens to the feed
   */
  constructor(
    readSpace: <T>(work: (space: Space) => Promise<T>) => Promise<T>,
    schedule: Schedule,
    reminders?: DueReminders,
  ) {
    this.#readSpace = readSpace
    this.#schedule = schedule
    this.#reminders = reminders
  }

  /**
   * @param notify  receives what has changed; never called twice at once
   * @param options.hearsFeed  whether reminders are to be recorded as events when they come due
   */
  listen(notify: Notify, { hearsFeed = false } = {}): Listening {
    const listener = new Listener(notify, hearsFeed)
    this.#listeners.add(listener)
    if (hearsFeed) this.#reminders?.reset()
    const isFirst = this.#stopPolling === undefined
    if (isFirst) this.#stopPolling = this.#schedule(() => this.#poll())
    // The look that is under way, if any, may have begun before.
    const ready = isFirst || hearsFeed ? this.#poll() : this.#currentCheck
    return {
      ready,
      stop: async () => {
        this.#listeners.delete(listener)
        if (this.#listeners.size === 0) this.#stopLooking()
        await ready
        await listener.stop()
      },
    }
  }

  #stopLooking(): void {
    this.#stopPolling?.()
    this.#stopPolling = undefined
    this.#lastCounter = undefined
    clearTimeout(this.#dueTimer)
  }

  /** Resolves when the space has been looked at after this call. */
  #poll(): Promise<void> {
    this.#isOutdated = true
    if (!this.#isChecking) this.#currentCheck = this.#checkUntilCurrent()
    return this.#currentCheck
  }

  async #checkUntilCurrent(): Promise<void> {
    this.#isChecking = true
    // What changes during a look is looked for by the next.
    while (this.#isOutdated) {
      this.#isOutdated = false
      await this.#check()
    }
    this.#isChecking = false
  }

  async #check(): Promise<void> {
    try {
      const hasFeedListener = [...this.#listeners].some((listener) => listener.hearsFeed)
      const { changes, isDue } = await this.#readSpace(async (space) => {
        const changes = await this.#changesSinceLastCheck(space)
        const isDue = hasFeedListener && (await this.#reminders?.look(space, changes.feedMoved))
        return { changes, isDue }
      })
      if (changes.documents.length > 0 || changes.listChanged || changes.feedMoved) {
        for (const listener of this.#listeners) listener.tell(changes)
      }
      // The next look finds them, as it finds what other processes record.
      if (isDue) await this.#reminders?.record()
      if (hasFeedListener) this.#lookWhenDue()
    } catch {
      // What cannot be looked at now is looked at next time.
    }
  }

  #lookWhenDue(): void {
    const wait = this.#reminders?.wait ?? Infinity
    clearTimeout(this.#dueTimer)
    if (wait > MAX_TIMEOUT || this.#listeners.size === 0) return
    this.#dueTimer = setTimeout(() => void this.#poll(), Math.max(wait, 0)).unref()
  }

  async #changesSinceLastCheck({ tx }: Space): Promise<SpaceChanges> {
    const found = await getChangeCounter(tx)
    const previous = this.#lastCounter ?? found
    const documents = found.value === previous.value ? [] : await documentsChangedAfter(tx, previous.value)
    this.#lastCounter = found
    return {
      documents,
      listChanged: found.listing !== previous.listing,
      feedMoved: found.happened !== previous.happened,
    }
  }
}

/** Tells one who listens of one thing after another: what happens while it is busy, together. */
class Listener {
  readonly hearsFeed: boolean
  readonly #notify: Notify
  #pending: SpaceChanges | undefined
  #running: Promise<void> | undefined
  #isStopped = false

  constructor(notify: Notify, hearsFeed: boolean) {
    this.#notify = notify
    this.hearsFeed = hearsFeed
  }

  tell(changes: SpaceChanges): void {
    this.#pending = this.#pending === undefined ? changes : together(this.#pending, changes)
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#pending !== undefined && !this.#isStopped) {
      const changes = this.#pending
      this.#pending = undefined
      try {
        await this.#notify(changes)
      } catch {
        // A notification that fails is lost to this listener alone.
      }
    }
    this.#running = undefined
  }
}

const together = (one: SpaceChanges, other: SpaceChanges): SpaceChanges => ({
  documents: [...new Set([...one.documents, ...other.documents])],
  listChanged: one.listChanged || other.listChanged,
  feedMoved: one.feedMoved || other.feedMoved,
})
