/** Makes events of reminders when they come due, so that the feed tells them in its order. */
import { hasUnrecordedReminders, nextReminderTime, recordDueReminders } from '../../storage/events.ts'
import type { Space } from './model/space.ts'

/**
 * Milliseconds for which a reminder that is found overdue still comes due: one that came back by an undo after that is
 * old news. At the first look there is no such bound, since there may have been no look before.
 */
const OVERDUE_MS = 60 * 60_000

export class DueReminders {
  readonly #write: (work: (space: Space) => Promise<void>) => Promise<void>
  /** The time of the last look, and the first at which another reminder will be due. */
  #lookedAt = 0
  #nextDue = 0
  #wait = Infinity

  /** @param write  runs work in one transaction */
  constructor(write: (work: (space: Space) => Promise<void>) => Promise<void>) {
    this.#write = write
  }

  /**
   * Whether there are reminders to be recorded.
   *
   * @param hasChanged  whether others may have been set since the last look
   */
  async look({ tx, now }: Space, hasChanged: boolean): Promise<boolean> {
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

  /** Milliseconds from the last look until another reminder will be due; Infinity for never. */
  get wait(): number {
    return this.#wait
  }

  /** After a time without looks. */
  reset(): void {
    this.#nextDue = 0
  }

  async record(): Promise<void> {
    await this.#write(async ({ tx, now }) => recordDueReminders(tx, this.#since(now), now))
  }

  #since = (now: number): number => Math.min(this.#lookedAt, now - OVERDUE_MS)
}
