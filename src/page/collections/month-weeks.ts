/** The days of a month, by week. */

const DAY_MS = 86_400_000

/** @param at  milliseconds since 1970 */
export const isoDate = (at: number): string => new Date(at).toISOString().slice(0, 10)

export interface Month {
  /** Noon of the first and last day, in milliseconds since 1970. */
  first: number
  last: number
  dates: string[]
  /** Seven entries per week; undefined for days of other months. */
  weeks: (string | undefined)[][]
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
  return { first, last: first + (dates.length - 1) * DAY_MS, dates, weeks }
}
