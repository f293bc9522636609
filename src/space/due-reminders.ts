/**
 * Records an event for each reminder when it comes due, so that the feed lists reminders in order with everything else.
 */

import { isWritableTime } from '../../storage/clock-fault.ts'
import { hasUnrecordedReminders, nextReminderTime, recordDueReminders } from '../../storage/events.ts'
import type { Space } from './model/space.ts'

/**
 * How long an overdue reminder still triggers an event, in milliseconds. If an undo restores an older reminder, no
 * event is recorded for it. The first check has no such limit, since there may have been no check before it.
 */
const OVERDUE_MS = 60 * 60_000

/** While the clock is wrong, nothing is due. Milliseconds until the next check. */
const CLOCK_WAIT_MS = 60_000

export class DueReminders {
  readonly #write: (work: (space: Space) => Promise<void>) => Promise<void>
  /** The time of the last check, and the time at which the next reminder is due. */
  #lookedAt = 0
  #nextDue = 0
  #wait = Infinity

  /** @param write  runs work in one transaction */
  constructor(write: (work: (space: Space) => Promise<void>) => Promise<void>) {
    this.#write = write
  }

  /**
   * Reports whether there are due reminders that are not recorded yet.
   *
   * @param hasChanged  whether reminders may have been set or changed since the last check
   */
  async look({ tx, now }: Space, hasChanged: boolean): Promise<boolean> {
    if (!isWritableTime(now)) {
      this.#nextDue = 0
      this.#wait = CLOCK_WAIT_MS
      return false
    }
    if (!hasChanged && now < this.#nextDue) {
      this.#wait = this.#nextDue - now
      return false
    }
    const isDue = await hasUnrecordedReminders(tx, this.#since(now), now)
    if (!isDue) this.#lookedAt = now
    this.#nextDue = await nextReminderTime(tx, now)
    this.#wait = this.#nextDue - now
    return isDue
  }

  /** Milliseconds from the last check until the next reminder is due. Infinity if there is none. */
  get wait(): number {
    return this.#wait
  }

  /** Forces the next check to read the reminders. Called after a period without checks. */
  reset(): void {
    this.#nextDue = 0
  }

  async record(): Promise<void> {
    await this.#write(async ({ tx, now }) => recordDueReminders(tx, this.#since(now), now))
  }

  #since = (now: number): number => Math.min(this.#lookedAt, now - OVERDUE_MS)
}
