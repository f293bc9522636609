/**
 * Watches a space for changes made by any process. Whenever the storage reports a possible change, the watcher reads
 * the change counter. One check serves all listeners of this process.
 */

import { type ChangeCounter, documentsChangedAfter, getChangeCounter, listingState } from '../../storage/changes.ts'
import type { Storage } from '../../storage/storage.ts'
import { inBackground } from '../base/background.ts'
import type { DueEvents } from './due-events.ts'
import { reachOf, type Space } from './model/space.ts'

/** What changed between two checks. */
export interface SpaceChanges {
  /** Numbers of the documents in which anything changed. */
  documents: readonly number[]
  /** True if documents were added or removed. */
  listChanged: boolean
  /** True if the feed has new entries: a call was committed, or an event was recorded. */
  feedMoved: boolean
}

/** Returns a fingerprint that changes whenever the list of documents, files and whiteboards within reach changes. */
export const listingFingerprint = ({ tx, link }: Space): Promise<string> => listingState(tx, reachOf(link))

/** Calls the given function whenever something may have changed, until the returned function is called. */
export type Schedule = Storage['onChange']

/** A subscription to changes. */
export interface Listening {
  /** Resolves once every later change is guaranteed to be notified. */
  readonly ready: Promise<void>
  /** No notification is sent after this resolves. */
  stop(): Promise<void>
}

export type Notify = (changes: SpaceChanges) => Promise<void> | void

/** The counter of a space in which nothing has happened. */
const BEFORE_ALL: ChangeCounter = { value: 0, listing: 0, happened: 0 }

/** The longest delay that setTimeout accepts, in milliseconds. */
const MAX_TIMEOUT = 2 ** 31 - 1

export class ChangeWatcher {
  readonly #readSpace: <T>(work: (space: Space) => Promise<T>) => Promise<T>
  readonly #schedule: Schedule
  readonly #dueEvents: DueEvents | undefined
  readonly #listeners = new Set<Listener>()
  #stopPolling: (() => void) | undefined
  /** The counter at the last check that succeeded. Undefined before the first one. */
  #lastCounter: ChangeCounter | undefined
  #currentCheck: Promise<void> = Promise.resolve()
  #isChecking = false
  #isOutdated = false
  /** Triggers a check when the next event is due, since what comes due does not change the file. */
  #dueTimer: NodeJS.Timeout | undefined

  /**
   * @param readSpace  runs work on one snapshot of the space
   * @param schedule  triggers checks as long as there are listeners
   * @param dueEvents  are checked as well, as long as someone listens to the feed
   */
  constructor(
    readSpace: <T>(work: (space: Space) => Promise<T>) => Promise<T>,
    schedule: Schedule,
    dueEvents?: DueEvents,
  ) {
    this.#readSpace = readSpace
    this.#schedule = schedule
    this.#dueEvents = dueEvents
  }

  /**
   * @param notify  receives what has changed. It is never called again before its last call has ended.
   * @param options.includesFeed  whether to record what comes due as events
   */
  listen(notify: Notify, { includesFeed = false } = {}): Listening {
    const listener = new Listener(notify, includesFeed)
    this.#listeners.add(listener)
    if (includesFeed) this.#dueEvents?.reset()
    this.#stopPolling ??= this.#schedule(() => this.#poll())
    const ready = this.#poll()
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

  /** Resolves after a check that began after this call. */
  #poll(): Promise<void> {
    this.#isOutdated = true
    if (!this.#isChecking) this.#currentCheck = this.#checkUntilCurrent()
    return this.#currentCheck
  }

  async #checkUntilCurrent(): Promise<void> {
    this.#isChecking = true
    // A change during a check is found by the next one.
    while (this.#isOutdated) {
      this.#isOutdated = false
      await this.#check()
    }
    this.#isChecking = false
  }

  async #check(): Promise<void> {
    const present = [...this.#listeners]
    try {
      const hasFeedListener = [...this.#listeners].some((listener) => listener.includesFeed)
      const { found, changes, isDue } = await this.#readSpace(async (space) => {
        const found = await getChangeCounter(space.tx)
        const changes = await changesBetween(space, this.#lastCounter ?? found, found)
        const isDue = hasFeedListener && (await this.#dueEvents?.check(space, changes.feedMoved))
        return { found, changes, isDue }
      })
      this.#lastCounter = found
      if (changes.documents.length > 0 || changes.listChanged || changes.feedMoved) {
        for (const listener of present) listener.tell(changes)
      }
      // The next check finds these events, just as it finds those recorded by other processes.
      if (isDue) await this.#dueEvents?.record()
      if (hasFeedListener) this.#checkWhenDue()
    } catch {
      // If a check fails, the next one finds what this one did not. After the first one, all may have changed.
      this.#lastCounter ??= BEFORE_ALL
    } finally {
      for (const listener of present) listener.begin()
    }
  }

  #checkWhenDue(): void {
    const wait = this.#dueEvents?.wait ?? Infinity
    clearTimeout(this.#dueTimer)
    if (wait > MAX_TIMEOUT || this.#listeners.size === 0) return
    this.#dueTimer = setTimeout(
      () => inBackground('look for due reminders', () => this.#poll()),
      Math.max(wait, 0),
    ).unref()
  }
}

async function changesBetween({ tx }: Space, previous: ChangeCounter, found: ChangeCounter): Promise<SpaceChanges> {
  return {
    documents: found.value === previous.value ? [] : await documentsChangedAfter(tx, previous.value),
    listChanged: found.listing !== previous.listing,
    feedMoved: found.happened !== previous.happened,
  }
}

/** Notifies one listener. Changes that arrive while its callback is running are merged into the next notification. */
class Listener {
  readonly includesFeed: boolean
  readonly #notify: Notify
  /** False until the first check has ended, which also finds what changed before the listener was added. */
  #hasBegun = false
  #pending: SpaceChanges | undefined
  #running: Promise<void> | undefined
  #isStopped = false

  constructor(notify: Notify, includesFeed: boolean) {
    this.#notify = notify
    this.includesFeed = includesFeed
  }

  begin(): void {
    this.#hasBegun = true
  }

  tell(changes: SpaceChanges): void {
    if (!this.#hasBegun) return
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
        // If a notification fails, only this listener misses it.
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
