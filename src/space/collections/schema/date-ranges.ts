/**
 * Values of date properties: a day, or a range of days that includes both ends. A range is stored as an ISO 8601
 * interval, `2026-07-01/2026-07-04`, so that sorting the text sorts by start and then by end.
 */

/** A range as clients send and receive it. */
export interface DateRange {
  start: string
  end: string
}

const DAY_LENGTH = 'YYYY-MM-DD'.length

/** Returns the first and last day of a stored value. For a single day, both are that day. */
export const rangeOfDates = (stored: string): DateRange => ({
  start: stored.slice(0, DAY_LENGTH),
  end: stored.slice(-DAY_LENGTH),
})

/** Formats two days, which must be in order, for storage. */
export const formatDateRange = ({ start, end }: DateRange): string => (start === end ? start : `${start}/${end}`)

/** Formats a stored value for a response: a day as text, a range as an object. */
export const dateAnswer = (stored: string): string | DateRange =>
  stored.length === DAY_LENGTH ? stored : rangeOfDates(stored)
