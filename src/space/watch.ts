/**
 * Watches a space for changes, whichever process makes them: looks again and again at the number of the last change,
 * which costs some microseconds.
 */
import { type ChangeCounter, changeCounter } from '../../storage/change-counter.ts'
import { documentsChangedAfter, listingWithin } from '../../storage/changes.ts'
import { reachOf, type Space } from './space.ts'

/** What changed between two looks. */
export interface Changes {
  /** Documents of which anything changed, by number. */
  documents: readonly number[]
  /** Whether there are others, or fewer, than before. */
  listChanged: boolean
}

/** Another text whenever others of the documents, files and whiteboards within reach are listed than before. */
export const listed = ({ tx, link }: Space): Promise<string> => listingWithin(tx, reachOf(link))

/** Milliseconds between two looks. */
const PAUSE = 250

/** Calls what it is given again and again, until what it returns is called. */
export type Schedule = (again: () => Promise<void>) => () => void

/** @param pause  milliseconds between two looks */
export const every =
  (pause: number): Schedule =>
  (again) => {
    const timer = setInterval(() => void again(), pause).unref()
    return () => clearInterval(timer)
  }

export class Watch {
  readonly #look: <T>(work: (space: Space) => Promise<T>) => Promise<T>
  readonly #tell: (changes: Changes) => Promise<void>
  readonly #stopLooking: () => void
  /** What had changed by the last look; none before the first. */
  #seen: ChangeCounter | undefined
  #running: Promise<void> = Promise.resolve()
  #isLooking = false

  /**
   * @param look  at one snapshot of the space
   * @param tell  what has changed; it is not told twice at once
   * @param schedule  when it looks again
   */
  constructor(
    look: <T>(work: (space: Space) => Promise<T>) => Promise<T>,
    tell: (changes: Changes) => Promise<void>,
    schedule: Schedule = every(PAUSE),
  ) {
    this.#look = look
    this.#tell = tell
    this.#running = this.#step()
    this.#stopLooking = schedule(() => this.#again())
  }

  /** Resolves once the space has been looked at for the first time: what changes from then on is told. */
  get ready(): Promise<void> {
    return this.#running
  }

  /** No more is told once this resolves. */
  async stop(): Promise<void> {
    this.#stopLooking()
    this.#isLooking = true
    await this.#running
  }

  async #again(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    this.#running = this.#step()
    await this.#running
    this.#isLooking = false
  }

  async #step(): Promise<void> {
    try {
      const changes = await this.#look((space) => this.#changesIn(space))
      if (changes.documents.length > 0 || changes.listChanged) await this.#tell(changes)
    } catch {
      // What cannot be looked at now is looked at next time.
    }
  }

  async #changesIn({ tx }: Space): Promise<Changes> {
    const found = await changeCounter(tx)
    const seen = this.#seen ?? found
    const documents = found.value === seen.value ? [] : await documentsChangedAfter(tx, seen.value)
    this.#seen = found
    return { documents, listChanged: found.listing !== seen.listing }
  }
}
