/**
 * Ends leases when their time is over, so that pages, the feed and the values of items show it, even if nothing is written.
 * Every process that has the space open looks, since the one that gave a lease may be gone. Without leases, none does:
 * idle spaces cost nothing.
 */
import { advanceLeaseClock, leaseOutlook } from '../../storage/leases.ts'
import { inBackground } from '../base/background.ts'
import { endExpiredLeases } from './leases/ending/end-leases.ts'
import type { Space } from './model/space.ts'

/** Milliseconds after which what other processes do with leases is noticed, while there are any. */
const CHECK_MS = 30_000

type Run = <T>(work: (space: Space) => Promise<T>) => Promise<T>

/** Leases end in a full space, too. What they write is bounded by what their claims wrote. */
function endInFullSpaceToo(space: Space): Promise<boolean> {
  space.quota?.exempt()
  return endExpiredLeases(space)
}

export class LeaseExpiry {
  readonly #read: Run
  readonly #write: Run
  readonly #report: ((sentence: string) => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #dueAt = Infinity
  #isStopped = false

  constructor(read: Run, write: Run, report?: (sentence: string) => void) {
    this.#read = read
    this.#write = write
    this.#report = report
    // The process that gave a lease may be gone.
    this.#checkIn(0)
  }

  /** Ends what is over by now. */
  async endDue(): Promise<void> {
    const { wait, isBehind } = await this.#read(({ tx, leaseTime }) => leaseOutlook(tx, leaseTime))
    // The machine has started again since: the clock of leases goes on from here.
    if (isBehind) {
      await this.#write(async ({ tx, now, leaseTime }) => {
        await advanceLeaseClock(tx, { now, count: 0, ...leaseTime })
      })
    } else if (wait <= 0) {
      while (await this.#write(endInFullSpaceToo));
    }
    if (wait < Infinity) this.expect(wait > 0 ? wait : CHECK_MS)
  }

  /** Looks soon, since other processes may have given leases. */
  expectOthers(): void {
    this.expect(CHECK_MS)
  }

  /** Looks again after some milliseconds, if that is sooner than planned. */
  expect(wait: number): void {
    if (wait < Infinity && performance.now() + wait < this.#dueAt) this.#checkIn(wait)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #checkIn(wait: number): void {
    clearTimeout(this.#timer)
    if (this.#isStopped) return
    const delay = Math.min(Math.max(wait, 0), CHECK_MS)
    this.#dueAt = performance.now() + delay
    this.#timer = setTimeout(() => inBackground('end leases', () => this.#checkNow(), this.#report), delay).unref()
  }

  async #checkNow(): Promise<void> {
    this.#dueAt = Infinity
    try {
      await this.endDue()
    } catch (error) {
      this.expect(CHECK_MS)
      if (!this.#isStopped) throw error
    }
  }
}
