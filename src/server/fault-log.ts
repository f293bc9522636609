/** Faults of the disk in the log: a line a minute for each cause, since every call may meet the same one. */
import type { StorageFault } from '../../storage/faults.ts'

/** Milliseconds between two lines of one cause. */
const PAUSE = 60_000
/** Causes that are remembered: a cause may name a file, and so be another each time. */
const CAUSES = 100

export class FaultLog {
  readonly #clock: () => number
  /** When a cause was last told, and how often it was met since; the oldest first. */
  readonly #causes = new Map<string, { told: number; since: number }>()

  /** @param clock  milliseconds that only grow */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  note({ code, reason }: Pick<StorageFault, 'code' | 'reason'>, log: (line: string) => void): void {
    const now = this.#clock()
    const known = this.#causes.get(reason)
    if (known !== undefined && now - known.told < PAUSE) {
      known.since++
      return
    }
    const others = known === undefined || known.since === 0 ? '' : ` (and ${known.since} more since the last such line)`
    log(`${code} ${reason}${others}`)
    this.#causes.delete(reason)
    const [oldest] = this.#causes.keys()
    if (this.#causes.size >= CAUSES && oldest !== undefined) this.#causes.delete(oldest)
    this.#causes.set(reason, { told: now, since: 0 })
  }
}
