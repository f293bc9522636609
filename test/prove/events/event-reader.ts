/** A reader of events that is killed and started again, and what it has saved. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { NO_INPUT, UNREAD } from '../../support/unread.ts'
import { ALL_FOLLOWED, EventJournal, type Followed } from './event-journal.ts'
import type { ReadEvent } from './event-requests.ts'
import type { ReaderOptions } from './reader-process.ts'

const PROGRAM = join(import.meta.dirname, 'reader-process.ts')

/** What it saved of one kind. */
export interface SavedEvents {
  /** In the order in which they were received; those that were received again are left out. */
  events: ReadEvent[]
  /** How often it was told that events were skipped. */
  truncated: number
  /** Events that were received again and said something else, or nothing new under another ID. */
  contradictions: string[]
}

export class EventReader {
  readonly mode: string
  readonly saved: Record<Followed, SavedEvents>
  /** How often its process ended by itself, as it never should. */
  crashes = 0
  readonly #options: ReaderOptions
  readonly #journal: EventJournal
  readonly #known = new Map<string, string>()
  #child: ChildProcess | undefined

  constructor(options: ReaderOptions) {
    this.mode = options.mode
    this.#options = options
    this.#journal = new EventJournal(options.journal)
    const none = (): SavedEvents => ({ events: [], truncated: 0, contradictions: [] })
    this.saved = { comments: none(), changes: none() }
  }

  start(): void {
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(this.#options)], {
      stdio: [NO_INPUT, UNREAD, 'inherit'],
    })
    this.#child = child
    child.once('exit', () => {
      if (this.#child === child) this.crashes++
    })
  }

  /** Ends its process with SIGKILL. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** Reads what was saved since the last call. */
  look(): void {
    for (const { of, events, truncated = false } of this.#journal.readNew()) {
      const saved = this.saved[of]
      if (truncated) saved.truncated++
      for (const event of events) {
        const text = JSON.stringify(event.data)
        const known = this.#known.get(`${of} ${event.eventId}`)
        if (known === undefined) saved.events.push(event)
        else if (known !== text) saved.contradictions.push(`${event.eventId} said ${known} and ${text}`)
        this.#known.set(`${of} ${event.eventId}`, text)
      }
    }
  }

  /** True once it has been told of so many comments, and of the changes of so many calls. */
  hasAll(comments: number, calls: number): boolean {
    return this.saved.comments.events.length >= comments && changesIn(this.saved.changes.events) >= calls
  }

  get truncated(): number {
    return ALL_FOLLOWED.reduce((sum, of) => sum + this.saved[of].truncated, 0)
  }
}

/** How many calls are joined in these events. */
export const changesIn = (events: readonly ReadEvent[]): number =>
  events.reduce((sum, { data }) => sum + (data.changes ?? 1), 0)
