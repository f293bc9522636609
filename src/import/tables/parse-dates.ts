/** Parses dates in the formats of other programs. */

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november'],
  'december',
]

/**
 * Parses a date, or a range of two as `start/end`, into the form that calls accept. Returns undefined for other text,
 * and for a date with a time, since the time would be lost.
 *
 *     2024-03-01    2024/03/01    March 1, 2024    @March 1, 2024    March 1, 2024 → March 3, 2024
 *     2024-03-01/2024-03-03
 */
export function parseDate(text: string): string | undefined {
  const [start = '', end, ...more] = text.split(/\s*(?:→|⟶)\s*|(?<=^\d{4}-\d\d-\d\d)\//)
  if (more.length > 0) return undefined
  const first = parseDay(start)
  if (end === undefined || first === undefined) return first
  const last = parseDay(end)
  return last === undefined || last < first ? undefined : `${first}/${last}`
}

function parseDay(text: string): string | undefined {
  const plain = text.trim().replace(/^@/, '')
  const [, year, month, day] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(plain) ?? []
  if (year !== undefined) return existing(year, Number(month), Number(day))
  const [, name = '', date, named] = /^([A-Z][a-z]{2,8})\.? (\d{1,2}), (\d{4})$/.exec(plain) ?? []
  const number = MONTHS.findIndex((one) => one === name.toLowerCase() || one.slice(0, 3) === name.toLowerCase())
  return named === undefined || number < 0 ? undefined : existing(named, number + 1, Number(date))
}

function existing(year: string, month: number, day: number): string | undefined {
  const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : undefined
}
