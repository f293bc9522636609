/** Rules of repeating tasks in RFC 5545, where it can express them. */
import { ScriptoriumError } from '../../base/errors.ts'
import { addDays, type CivilDate } from '../model/dates.ts'
import { WEEKDAYS } from '../model/weekdays.ts'
import { nextRepeatDate, type Repeat } from '../schedule/repeats.ts'

/** The last day that each month has. */
const SHORTEST_MONTH = 28
const WORKDAYS = 'BYDAY=MO,TU,WE,TH,FR'
const DAY_CODES: Readonly<Record<(typeof WEEKDAYS)[number], string>> = Object.fromEntries(
  WEEKDAYS.map((name) => [name, name.slice(0, 2).toUpperCase()]),
) as Record<(typeof WEEKDAYS)[number], string>

/**
 * The value of `RRULE` for a task that is due on a day.
 *
 * A day that some months lack, such as the 31st, is the last one that a month has of the 28th to the 31st:
 * `BYMONTHDAY=28,29,30,31;BYSETPOS=-1`, since plain rules skip short months.
 *
 * @returns undefined if the rule has no fixed dates, the task is due on another day than the rule has, or RFC 5545 cannot
 *   express it
 */
export function toRecurrenceRule(repeat: Repeat, due: CivilDate): string | undefined {
  const anchor = repeat.startDate ?? due
  if (repeat.type !== 'fixed' || anchor > due || !isOnGrid({ ...repeat, startDate: anchor }, due)) return undefined
  const parts = partsOf(repeat, anchor)
  if (parts === undefined) return undefined
  return [...parts, ...((repeat.interval ?? 1) > 1 ? [`INTERVAL=${repeat.interval}`] : [])].join(';')
}

/** True if the rule has this day. Its periods then count from the day just as from its start. */
function isOnGrid(repeat: Repeat, day: CivilDate): boolean {
  const before = addDays(day, -1)
  try {
    return nextRepeatDate(repeat, before, before) === day
  } catch (error) {
    if (error instanceof ScriptoriumError) return false
    throw error
  }
}

function partsOf(repeat: Repeat, anchor: CivilDate): string[] | undefined {
  const { frequency, daily, weekly, monthly } = repeat
  switch (frequency) {
    case 'daily':
      return ['FREQ=DAILY', ...(daily?.skipWeekends ? [WORKDAYS] : [])]
    case 'weekly': {
      const days = weekly?.days?.toSorted((one, other) => WEEKDAYS.indexOf(one) - WEEKDAYS.indexOf(other))
      return ['FREQ=WEEKLY', 'WKST=MO', ...(days ? [`BYDAY=${days.map((day) => DAY_CODES[day]).join(',')}`] : [])]
    }
    case 'monthly': {
      const days = monthDays(monthly ?? {}, anchor)
      if (!monthly?.skipWeekends) return ['FREQ=MONTHLY', ...days.parts]
      // BYSETPOS would choose the last workday, where ours leaves the month out.
      return days.isCut ? undefined : ['FREQ=MONTHLY', ...days.parts, WORKDAYS]
    }
    case 'yearly':
      return yearlyParts(repeat, anchor)
  }
}

function yearlyParts({ interval = 1, yearly = {} }: Repeat, anchor: CivilDate): string[] | undefined {
  const months = yearly.months ?? [Number(anchor.slice(5, 7))]
  const byMonth = `BYMONTH=${months.toSorted((one, other) => one - other).join(',')}`
  const days = monthDays(yearly, anchor)
  if (!days.isCut || months.length === 1) return ['FREQ=YEARLY', byMonth, ...days.parts]
  // BYSETPOS counts within the period, so each month has to be one.
  return interval === 1 ? ['FREQ=MONTHLY', byMonth, ...days.parts] : undefined
}

/** @returns the days of a month, and whether the day of the anchor moves to the end of shorter months */
function monthDays(
  { days, dynamicDays }: Pick<NonNullable<Repeat['monthly']>, 'days' | 'dynamicDays'>,
  anchor: CivilDate,
): { parts: string[]; isCut: boolean } {
  if (days !== undefined || dynamicDays !== undefined) {
    const all = [...(days ?? []), ...(dynamicDays ?? []).map(({ selector }) => (selector === 'first' ? 1 : -1))]
    return { parts: [`BYMONTHDAY=${[...new Set(all)].join(',')}`], isCut: false }
  }
  const day = Number(anchor.slice(8))
  if (day <= SHORTEST_MONTH) return { parts: [`BYMONTHDAY=${day}`], isCut: false }
  const last = Array.from({ length: day - SHORTEST_MONTH + 1 }, (_, index) => SHORTEST_MONTH + index)
  return { parts: [`BYMONTHDAY=${last.join(',')}`, 'BYSETPOS=-1'], isCut: true }
}
