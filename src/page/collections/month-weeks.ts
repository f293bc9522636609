/** The days of a month, by week. */

const DAY_MS = 86_400_000

/** @param at  milliseconds since 1970 */
export const isoDate = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** True for a month of the years 1 to 9999, such as `2026-11`. */
export const isMonth = (text: string): boolean => /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/.test(text)

/** True for a day of these years that exists. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  isMonth(text.slice(0, 7)) &&
  isoDate(Date.parse(`${text.slice(0, 7)}-01T12:00:00Z`) + (Number(text.slice(8)) - 1) * DAY_MS) === text

/**
 * The number of a week in its year. Weeks from Monday are numbered by ISO 8601: the first has the year's first Thursday.
 * All others are numbered as in the United States: the first has January 1.
 *
 * @param first  noon of the first day of the week, in milliseconds since 1970
 */
export function weekNumber(first: number): number {
  const isIso = new Date(first).getUTCDay() === 1
  // The day that decides to which year the week belongs.
  const decisive = first + (isIso ? 3 : 6) * DAY_MS
  const start = new Date(decisive)
  start.setUTCMonth(0, 1)
  return Math.floor(Math.round((decisive - start.getTime()) / DAY_MS) / 7) + 1
}

export interface Month {
  /** Noon of the first and last day, in milliseconds since 1970. */
  first: number
  last: number
  dates: string[]
  /** Seven entries per week; undefined for days of other months. */
  weeks: (string | undefined)[][]
  /** The number of each week. */
  numbers: number[]
}

/**
 * @param month  such as `2026-11`
 * @param weekdays  the days of a week in display order, 1 for Monday
 */
export function monthWeeks(month: string, weekdays: readonly number[]): Month {
  const first = Date.parse(`${month}-01T12:00:00Z`)
  const dates: string[] = []
  for (let at = first; isoDate(at).startsWith(month); at += DAY_MS) dates.push(isoDate(at))
  const offset = weekdays.findIndex((number) => number % 7 === new Date(first).getUTCDay())
  const cells: (string | undefined)[] = [...Array.from({ length: Math.max(0, offset) }, () => undefined), ...dates]
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => cells[week * 7 + day]),
  )
  const numbers = weeks.map((_, week) => weekNumber(first + (7 * week - Math.max(0, offset)) * DAY_MS))
  return { first, last: first + (dates.length - 1) * DAY_MS, dates, weeks, numbers }
}
