/**
 * Records an event when a reminder comes due, and for each open task when the day begins on which it is due, so that the
 * feed lists them in order with everything else. Writes the daily lines of people who want one, too.
 */

import { isWritableTime } from '../../storage/clock-fault.ts'
import { nextDueDate, recordDueTasks, unrecordedDueDates } from '../../storage/due-tasks.ts'
import { hasUnrecordedReminders, nextReminderTime, recordDueReminders } from '../../storage/events.ts'
import { hasDueDailyLines, wantsDailyLines } from '../../storage/for-me.ts'
import { addDays, dateAt, dayBounds } from './model/dates.ts'
import type { Space } from './model/space.ts'

/**
 * How long an overdue reminder still triggers an event, in milliseconds. If an undo restores an older reminder, no
 * event is recorded for it. The first check has no such limit, since there may have been no check before it.
 */
const OVERDUE_MS = 60 * 60_000

/** How many days back the first check looks for tasks: no one may have checked since. Later dates are overdue. */
const OVERDUE_DAYS = 30

/** While the clock is wrong, nothing is due. Milliseconds until the next check. */
const CLOCK_WAIT_MS = 60_000

/** The longest time between two checks: the time zone, and so the time at which days begin, may have changed. */
const LONGEST_WAIT_MS = 60 * 60_000

export class DueEvents {
  readonly #write: (work: (space: Space) => Promise<void>) => Promise<void>
  /** The time of the last check, and the time at which the next event is due. */
  #checkedAt = 0
  #nextDue = 0
  #wait = Infinity

  /** @param write  runs work in one transaction */
  constructor(write: (work: (space: Space) => Promise<void>) => Promise<void>) {
    this.#write = write
  }

  /**
   * Reports whether there are due reminders or tasks that are not recorded yet.
   *
   * @param hasChanged  whether some may have been set or changed since the last check
   */
  async check(space: Space, hasChanged: boolean): Promise<boolean> {
    const { tx, now } = space
    if (!isWritableTime(now)) {
      this.#nextDue = 0
      this.#wait = CLOCK_WAIT_MS
      return false
    }
    if (!hasChanged && now < this.#nextDue) {
      this.#wait = this.#nextDue - now
      return false
    }
    const isDue =
      (await hasUnrecordedReminders(tx, this.#since(now), now)) ||
      (await this.#dueDates(space)).length > 0 ||
      (await hasDueDailyLines(tx, dateAt(now, space)))
    if (!isDue) this.#checkedAt = now
    this.#nextDue = Math.min(await nextReminderTime(tx, now), await nextTaskCheck(space), await nextLineCheck(space))
    this.#wait = this.#nextDue - now
    return isDue
  }

  /** Milliseconds from the last check until something is due. Infinity if there is nothing. */
  get wait(): number {
    return this.#wait
  }

  /** Forces the next check to read what is due. Called after a period without checks. */
  reset(): void {
    this.#nextDue = 0
  }

  async record(): Promise<void> {
    await this.#write(async (space) => {
      await recordDueReminders(space.tx, this.#since(space.now), space.now)
      for (const date of await this.#dueDates(space)) await recordDueTasks(space.tx, date, dayBounds(date, space).from)
      if (!(await hasDueDailyLines(space.tx, dateAt(space.now, space)))) return
      const { writeDailyLines } = await import('./daily-lines.ts')
      await writeDailyLines(space)
    })
  }

  #since = (now: number): number => Math.min(this.#checkedAt, now - OVERDUE_MS)

  /** Days that have begun since the last check, with tasks that are due. */
  #dueDates(space: Space): Promise<string[]> {
    const today = dateAt(space.now, space)
    const last = this.#checkedAt === 0 ? addDays(today, -OVERDUE_DAYS) : dateAt(this.#checkedAt, space)
    return unrecordedDueDates(space.tx, last, today)
  }
}

/** When to look for tasks again; Infinity if no task will be due. */
async function nextTaskCheck(space: Space): Promise<number> {
  const date = await nextDueDate(space.tx, dateAt(space.now, space))
  return date === undefined ? Infinity : Math.min(dayBounds(date, space).from, space.now + LONGEST_WAIT_MS)
}

/** When to look for people again who want a line of the next day; Infinity if no one does. */
async function nextLineCheck(space: Space): Promise<number> {
  if (!(await wantsDailyLines(space.tx))) return Infinity
  const tomorrow = addDays(dateAt(space.now, space), 1)
  return Math.min(dayBounds(tomorrow, space).from, space.now + LONGEST_WAIT_MS)
}
