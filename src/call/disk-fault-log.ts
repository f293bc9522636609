/**
 * Logs faults of the disk and the database, one line per cause and minute, since every call may meet the same fault.
 */
import type { DiskError } from '../../storage/sqlite/disk-errors.ts'

/** Milliseconds between two lines about the same cause. */
const LOG_INTERVAL_MS = 60_000
/** Maximum number of remembered causes. A cause may contain a file name, so their number is not bounded. */
const MAX_CAUSES = 100

export class DiskFaultLog {
  readonly #clock: () => number
  /** When each cause was last logged, and how often it occurred since then. The oldest comes first. */
  readonly #causes = new Map<string, { loggedAt: number; since: number }>()

  /** @param clock  monotonic milliseconds */
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
