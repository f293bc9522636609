/**
 * Values of date properties: a day, or a range of days with both ends in it. A range is stored as an interval of ISO 8601,
 * `2026-07-01/2026-07-04`, so that the order of texts is that of starts, and then of ends.
 */

/** A range as it is sent and answered. */
export interface DateRange {
  start: string
  end: string
}

const DAY_LENGTH = 'YYYY-MM-DD'.length

/** The first and the last day of a stored value; of a day both are that day. */
export const rangeOfDates = (stored: string): DateRange => ({
  start: stored.slice(0, DAY_LENGTH),
  end: stored.slice(-DAY_LENGTH),
})

/** What is stored of two days in order. */
export const formatDateRange = ({ start, end }: DateRange): string => (start === end ? start : `${start}/${end}`)

/** A stored value as it is answered: a day as text, a range as an object. */
export const dateAnswer = (stored: string): string | DateRange =>
  stored.length === DAY_LENGTH ? stored : rangeOfDates(stored)
