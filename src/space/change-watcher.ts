/**
 * Watches a space for changes, whichever process makes them: looks again and again at the number of the last change,
 * which costs some microseconds.
 */

import { type ChangeCounter, documentsChangedAfter, getChangeCounter, listingState } from '../../storage/changes.ts'
import { reachOf, type Space } from './model/space.ts'

/** What changed between two looks. */
export interface SpaceChanges {
  /** Documents of which anything changed, by number. */
  documents: readonly number[]
  /** Whether there are others, or fewer, than before. */
  listChanged: boolean
}

/** Another text whenever others of the documents, files and whiteboards within reach are listed than before. */
export const listingFingerprint = ({ tx, link }: Space): Promise<string> => listingState(tx, reachOf(link))

/** Milliseconds between two looks. */
const POLL_INTERVAL = 250

/** Calls what it is given again and again, until what it returns is called. */
export type Schedule = (again: () => Promise<void>) => () => void

/** @param pause  milliseconds between two looks */
export const pollEvery =
  (pause: number): Schedule =>
  (poll) => {
    const timer = setInterval(() => void poll(), pause).unref()
    return () => clearInterval(timer)
  }

export class ChangeWatcher {
  readonly #readSpace: <T>(work: (space: Space) => Promise<T>) => Promise<T>
  readonly #notify: (changes: SpaceChanges) => Promise<void>
  readonly #stopPolling: () => void
  /** What had changed by the last look; none before the first. */
  #lastCounter: ChangeCounter | undefined
  #currentCheck: Promise<void> = Promise.resolve()
  #isChecking = false

  /**
   * @param readSpace  at one snapshot of the space
   * @param notify  receives what has changed; never called twice at once
   * @param schedule  when it looks again
   */
  constructor(
    readSpace: <T>(work: (space: Space) => Promise<T>) => Promise<T>,
    notify: (changes: SpaceChanges) => Promise<void>,
    schedule: Schedule = pollEvery(POLL_INTERVAL),
  ) {
    this.#readSpace = readSpace
    this.#notify = notify
    this.#currentCheck = this.#check()
    this.#stopPolling = schedule(() => this.#poll())
  }

  /** Resolves once the space has been looked at for the first time: later changes are notified. */
  get ready(): Promise<void> {
    return this.#currentCheck
  }

  /** No notifications are sent after this resolves. */
  async stop(): Promise<void> {
    this.#stopPolling()
    this.#isChecking = true
    await this.#currentCheck
  }

  async #poll(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    this.#currentCheck = this.#check()
    await this.#currentCheck
    this.#isChecking = false
  }

  async #check(): Promise<void> {
    try {
      const changes = await this.#readSpace((space) => this.#changesSinceLastCheck(space))
      if (changes.documents.length > 0 || changes.listChanged) await this.#notify(changes)
    } catch {
      // What cannot be looked at now is looked at next time.
    }
  }

  async #changesSinceLastCheck({ tx }: Space): Promise<SpaceChanges> {
    const found = await getChangeCounter(tx)
    const previous = this.#lastCounter ?? found
    const documents = found.value === previous.value ? [] : await documentsChangedAfter(tx, previous.value)
    this.#lastCounter = found
    return { documents, listChanged: found.listing !== previous.listing }
  }
}
