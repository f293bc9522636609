/** Compares calculations with dates to those of the oracle, in one time zone. */
import { type Calendar, dayBounds, resolveDate } from '../../../src/space/model/dates.ts'
import { DAY, HOUR, written, type Zone } from './zone.ts'

/** The calculations of the product, or faulty ones. */
export interface Reckoning {
  resolve(word: string, calendar: Calendar): string
  bounds(date: string, calendar: Pick<Calendar, 'timezone'>): { from: number; to: number }
}

export const OURS: Reckoning = { resolve: resolveDate, bounds: dayBounds }

const WORDS = [
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
] as const

const TODAY = WORDS.slice(1, 2)
/** The number of hours on each side of a transition to another offset. */
const NEAR = 60

/** Runs the comparisons and counts them. */
export class Days {
  days = 0
  moments = 0
  transitions = 0
  bounds = 0
  readonly faults: string[] = []
  readonly #reckoning: Reckoning
  readonly #chance: () => number

  constructor(reckoning: Reckoning, chance: () => number) {
    this.#reckoning = reckoning
    this.#chance = chance
  }

  /**
   * Checks each day in a range: hour by hour near a transition, otherwise at some moments of the day.
   *
   * @param isWhole  true to check all words at four moments of each day, and the bounds of the day; otherwise one word
   * at one moment, which vary
   */
  compare(zone: Zone, from: number, to: number, isWhole: boolean): void {
    for (const transition of zone.transitions) this.compareAround(zone, transition)
    for (let day = from; day <= to; day++) {
      this.days++
      const near = zone.transitions.find((transition) => Math.abs(transition - day * DAY) < NEAR * HOUR - DAY)
      if (near !== undefined) {
        this.compareBounds(zone, day, zone.startOf(day), zone.startOf(day + 1))
        continue
      }
      const start = day * DAY - zone.offsetAt(day * DAY)
      const moments = [start, start + DAY - 1, start + DAY / 2, start + Math.floor(this.#chance() * DAY)]
      if (isWhole) {
        for (const moment of moments) this.#compareAt(zone, moment, day, WORDS)
        this.compareBounds(zone, day, start, start + DAY)
      } else {
        const word = WORDS[Math.floor(day / 4) % 3]
        this.#compareAt(zone, moments[day % 4] ?? start, day, word ? [word] : WORDS)
        if (day % 16 === 0) this.compareBounds(zone, day, start, start + DAY)
      }
    }
  }

  /** Checks every hour for two and a half days on each side, and the milliseconds next to the transition. */
  compareAround(zone: Zone, transition: number): void {
    this.transitions++
    const hours = Array.from({ length: 2 * NEAR + 1 }, (_, index) => transition + (index - NEAR) * HOUR)
    for (const moment of [...hours, transition - 1, transition + 1]) {
      this.#compareAt(zone, moment, zone.dayAt(moment), Math.abs(moment - transition) <= 26 * HOUR ? WORDS : TODAY)
    }
  }

  compareBounds(zone: Zone, day: number, from: number, next: number): void {
    this.bounds++
    const found = this.#reckoning.bounds(written(day), { timezone: zone.name })
    if (found.from === from && found.to === next - 1) return
    this.faults.push(
      `Expected ${written(day)} in ${zone.name} from ${from} to ${next - 1}, found from ${found.from} to ${found.to}.`,
    )
  }

  #compareAt(zone: Zone, moment: number, day: number, words: readonly (typeof WORDS)[number][]): void {
    this.moments++
    for (const [word, step] of words) {
      const found = this.#reckoning.resolve(word, { now: moment, timezone: zone.name })
      if (found === written(day + step)) continue
      const at = new Date(moment).toISOString()
      this.faults.push(`Expected ${word} at ${at} in ${zone.name} to be ${written(day + step)}, found ${found}.`)
    }
  }
}
