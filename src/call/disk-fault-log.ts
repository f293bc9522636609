/** Faults of the disk and the database in the log: a line a minute for each cause, since every call may meet the same one. */
import type { DiskError } from '../../storage/sqlite/disk-errors.ts'

/** Milliseconds between two lines of one cause. */
const LOG_INTERVAL_MS = 60_000
/** Causes that are remembered: a cause may name a file, and so be another each time. */
const MAX_CAUSES = 100

export class DiskFaultLog {
  readonly #clock: () => number
  /** When each cause was last logged, and how often it occurred since; the oldest first. */
  readonly #causes = new Map<string, { loggedAt: number; since: number }>()

  /** @param clock  milliseconds that only grow */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  record({ code, reason }: Pick<DiskError, 'code' | 'reason'>, log: (line: string) => void): void {
    const now = this.#clock()
    const entry = this.#causes.get(reason)
    if (entry !== undefined && now - entry.loggedAt < LOG_INTERVAL_MS) {
      entry.since++
      return
    }
    const others = entry === undefined || entry.since === 0 ? '' : ` (and ${entry.since} more since the last such line)`
    log(`${code} ${reason}${others}`)
    this.#causes.delete(reason)
    const [oldest] = this.#causes.keys()
    if (this.#causes.size >= MAX_CAUSES && oldest !== undefined) this.#causes.delete(oldest)
    this.#causes.set(reason, { loggedAt: now, since: 0 })
  }
}
