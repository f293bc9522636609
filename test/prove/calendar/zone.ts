/** A time zone according to the oracle, `@js-temporal/polyfill`, which the product does not use. */
import { Temporal } from '@js-temporal/polyfill'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** Converts the number of a day to its date: 0 is 1970-01-01. */
export const written = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)

/** A time zone within a range of time. */
export class Zone {
  readonly name: string
  /** The moments when the offset changes, in milliseconds since 1970. */
  readonly transitions: readonly number[]
  /** Milliseconds that are added to UTC: before the first transition, and after each transition. */
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

  /** Returns the offset to UTC in milliseconds. */
  offsetAt(moment: number): number {
    const later = this.transitions.findIndex((transition) => transition > moment)
    return this.#offsets.at(later) ?? 0
  }

  /** Returns the number of the local day that contains a moment. */
  dayAt(moment: number): number {
    return Math.floor((moment + this.offsetAt(moment)) / DAY)
  }

  /** Returns the first moment of a day, in milliseconds since 1970. */
  startOf(day: number): number {
    return Temporal.PlainDate.from(written(day)).toZonedDateTime(this.name).epochMilliseconds
  }
}
