/** Parses past times on the command line. */
import { parseDuration } from '../../base/durations.ts'
import { invalid } from '../../base/errors.ts'
import { dayBounds, parseTimestamp, validateDate } from '../../space/model/dates.ts'
import type { Space } from '../../space/model/space.ts'

/**
 * @param text  a time with its offset, a date (meaning its start), or an age such as `30d`
 * @param flag  the flag's name, for the message
 * @returns milliseconds since 1970
 */
export function parsePastTime(view: Space, text: string, flag: string): number {
  const duration = parseDuration(text)
  if (duration !== undefined) return view.now - duration
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return dayBounds(validateDate(text), view).from
  if (/^\d{4}-/.test(text)) return parseTimestamp(text)
  throw invalid(
    `Expected a time such as 2027-01-01T00:00:00Z, a date, or a while ago such as 12h or 30d as --${flag}, found ${text}.`,
  )
}
