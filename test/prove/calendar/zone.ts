/** A time zone as the oracle knows it: `@js-temporal/polyfill`, which the product has no part of. */
import { Temporal } from '@js-temporal/polyfill'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A day of the calendar by its number: 0 is 1970-01-01. */
export const written = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)

/** One time zone, from one moment to another. */
export class Zone {
  readonly name: string
  /** When the offset changes, in milliseconds since 1970. */
  readonly transitions: readonly number[]
  /** What is added to UTC: before the first transition, and from each on. */
  readonly #offsets: readonly number[]

  constructor(name: string, from: number, to: number) {
    this.name = name
    const transitions: number[] = []
    let at = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(name)
    const offsets = [at.offsetNanoseconds / 1e6]
    for (;;) {
      const next = at.getTimeZoneTransition('next')
      if (next === null || next.epochMilliseconds > to) break
      transitions.push(next.epochMilliseconds)
      offsets.push(next.offsetNanoseconds / 1e6)
      at = next
    }
    this.transitions = transitions
    this.#offsets = offsets
  }

  /** Milliseconds that local time is ahead of UTC. */
  offsetAt(moment: number): number {
    const later = this.transitions.findIndex((transition) => transition > moment)
    return this.#offsets.at(later) ?? 0
  }

  /** The number of the day that a moment is in. */
  dayAt(moment: number): number {
    return Math.floor((moment + this.offsetAt(moment)) / DAY)
  }

  /** The first moment of a day. */
  startOf(day: number): number {
    return Temporal.PlainDate.from(written(day)).toZonedDateTime(this.name).epochMilliseconds
  }
}
