/**
 * Watches a space for changes, whichever process makes them: looks again and again at what an index has of the latest,
 * which costs some microseconds.
 */
import { documentsChangedSince, lastChange, listing, listingWithin } from '../../storage/changes.ts'
import { reachOf, type Space } from './space.ts'

/** What changed between two looks. */
export interface Changes {
  /** Documents of which anything changed, by number. */
  documents: readonly number[]
  /** Whether there are others, or fewer, than before. */
  listChanged: boolean
}

/** Another text whenever others of the documents and files within reach are listed than before. */
export const listed = ({ tx, link }: Space): Promise<string> => listingWithin(tx, reachOf(link))

/** Milliseconds between two looks. */
const PAUSE = 250

export class Watch {
  readonly #look: <T>(work: (space: Space) => Promise<T>) => Promise<T>
  readonly #tell: (changes: Changes) => Promise<void>
  readonly #timer: NodeJS.Timeout
  #since: number | undefined
  /** Revisions of the documents that changed at the very time of the last look. */
  #known = new Map<number, number>()
  #listing = ''
  #running: Promise<void> = Promise.resolve()
  #isLooking = false

  /** @param look  at one snapshot of the space  @param tell  what has changed; it is not told twice at once */
  constructor(
    look: <T>(work: (space: Space) => Promise<T>) => Promise<T>,
    tell: (changes: Changes) => Promise<void>,
    pause = PAUSE,
  ) {
    this.#look = look
    this.#tell = tell
    this.#running = this.#step()
    this.#timer = setInterval(() => void this.#again(), pause).unref()
  }

  /** Resolves once the space has been looked at for the first time: what changes from then on is told. */
  get ready(): Promise<void> {
    return this.#running
  }

  /** No more is told once this resolves. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
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
    const found = await listing(tx)
    const isFirst = this.#since === undefined
    const listChanged = !isFirst && found !== this.#listing
    this.#listing = found
    const changed = await documentsChangedSince(tx, this.#since ?? (await lastChange(tx)))
    const fresh = changed.filter(({ n, revision }) => this.#known.get(n) !== revision)
    const latest = changed.at(-1)?.modifiedAt ?? this.#since ?? 0
    this.#since = latest
    this.#known = new Map(changed.filter((one) => one.modifiedAt === latest).map(({ n, revision }) => [n, revision]))
    return { documents: isFirst ? [] : fresh.map(({ n }) => n), listChanged }
  }
}
