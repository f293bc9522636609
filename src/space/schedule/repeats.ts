/**
 * Repeating tasks: computes the next day on which a task is due. Source: the interface's shapes, 1 and 4.
 *
 * A rule describes days on a grid. The grid counts days, weeks (from Monday), months or years from its anchor and uses
 * every `interval`-th of them. The rule's settings for its frequency select days within these.
 *
 *              anchor                        the next day is searched
 *   fixed      startDate, else the day it    after the day the task had, else after today
 *              had, else today
 *   flexible   today                         after today
 *
 * A `startDate` after that day is the anchor for both types, and the first day that can match.
 *
 * Without a `startDate`, all that a fixed rule knows of its past is the day the task had. So a rule whose day does not
 * exist in the next month gets the day it had as its `startDate`: see {@link keepDay}.
 */
import { Temporal } from 'temporal-polyfill'
import { invalid } from '../../base/errors.ts'
import type { CivilDate } from '../model/dates.ts'
import { WEEKDAYS } from '../model/weekdays.ts'

type PlainDate = Temporal.PlainDate

export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'yearly'] as const

/**
 * Days of a month. Days that a month does not have are skipped in it. If no days are given, the anchor's day applies.
 */
interface MonthDays {
  days?: readonly number[]
  dynamicDays?: readonly { selector: 'first' | 'last'; type: 'day' }[]
}

export interface Repeat {
  type: 'flexible' | 'fixed'
  frequency: (typeof FREQUENCIES)[number]
  /** Every how many days, weeks, months or years. Default: 1. */
  interval?: number
  startDate?: CivilDate
  /** `skipWeekends` skips days that are a Saturday or Sunday. It does not move them. */
  daily?: { skipWeekends?: boolean }
  /** If no days are given, the anchor's weekday applies. */
  weekly?: { days?: readonly (typeof WEEKDAYS)[number][] }
  monthly?: MonthDays & { skipWeekends?: boolean }
  /** Months count from 1. If none are given, the anchor's month applies. */
  yearly?: MonthDays & { months?: readonly number[] }
  /** Minutes from midnight. Does not affect which day comes next. */
  reminder?: { enabled: boolean; dateOffset?: number }
}

/** The last year that can be written with four digits. */
const LAST_YEAR = 9999
/** The Gregorian calendar repeats after 400 years, weekdays included. */
const CYCLE_MONTHS = 400 * 12

/**
 * Returns the next due day of a task after it was completed.
 *
 * @param repeat  a rule with its dates resolved, as `checkRepeat` accepted it
 * @param dueDate  the day on which the task was due
 * @throws VALIDATION_ERROR for a rule that matches no further day up to the year 9999
 */
export function nextRepeatDate(repeat: Repeat, dueDate: CivilDate | undefined, today: CivilDate): CivilDate {
  const { anchor, from } = resolveAnchor(repeat, dueDate, today)
  const next = FIND_NEXT[repeat.frequency](repeat, anchor, from)
  if (next === undefined || next.year > LAST_YEAR) {
    throw invalid(
      `Expected a repeat that comes round, found no further day of it up to the year ${LAST_YEAR} when counting ` +
        `from ${anchor}; change repeat.interval or repeat.${repeat.frequency}.`,
    )
  }
  return next.toString()
}

/**
 * Returns the first due day of a task that was given a rule but no date: the first from its `startDate` on, or from
 * today if that is later or absent.
 *
 * @throws VALIDATION_ERROR as {@link nextRepeatDate}
 */
export function firstRepeatDate(repeat: Repeat, today: CivilDate): CivilDate {
  const isStarted = repeat.startDate !== undefined && repeat.startDate < today
  const startDate = repeat.startDate !== undefined && (!isStarted || repeat.type === 'fixed') ? repeat.startDate : today
  const yesterday = Temporal.PlainDate.from(today).subtract({ days: 1 }).toString()
  return nextRepeatDate({ ...repeat, startDate }, yesterday, yesterday)
}

/**
 * Returns the rule of a task that moves from one day to the next. Where a shorter month has cut the day off (January 31,
 * February 28), the rule begins on the day it had, so that a longer month has it again (March 31).
 */
export function keepDay(repeat: Repeat, had: CivilDate, next: CivilDate): Repeat {
  const isByMonth = repeat.frequency === 'monthly' || repeat.frequency === 'yearly'
  const { days, dynamicDays } = (repeat.frequency === 'monthly' ? repeat.monthly : repeat.yearly) ?? {}
  const isNamed = days !== undefined || dynamicDays !== undefined
  const isCut = Number(next.slice(-2)) < Number(had.slice(-2))
  const isKept = repeat.type === 'fixed' && repeat.startDate === undefined && isByMonth && !isNamed && isCut
  return isKept ? { ...repeat, startDate: had } : repeat
}

/** Returns the anchor of the grid and the first day to check, which is never before the anchor. */
function resolveAnchor({ type, startDate }: Repeat, dueDate: CivilDate | undefined, today: CivilDate) {
  const base = type === 'fixed' ? (dueDate ?? today) : today
  const startsLater = startDate !== undefined && startDate > base
  const anchor = Temporal.PlainDate.from(type === 'fixed' || startsLater ? (startDate ?? base) : base)
  return { anchor, from: startsLater ? anchor : Temporal.PlainDate.from(base).add({ days: 1 }) }
}

type FindNext = (repeat: Repeat, anchor: PlainDate, from: PlainDate) => PlainDate | undefined

/** For each frequency: finds the first day of the rule's grid that is not before `from`. */
const FIND_NEXT: Record<Repeat['frequency'], FindNext> = {
  daily: nextDaily,
  weekly: nextWeekly,
  monthly: nextByMonth,
  yearly: nextByMonth,
}

function nextDaily({ interval = 1, daily }: Repeat, anchor: PlainDate, from: PlainDate): PlainDate | undefined {
  const steps = Math.ceil(anchor.until(from).days / interval)
  // Seven steps cover all weekdays that the grid can ever hit.
  for (let step = steps; step < steps + 7; step++) {
    const day = anchor.add({ days: step * interval })
    if (!daily?.skipWeekends || !isWeekend(day)) return day
  }
  return undefined
}

function nextWeekly({ interval = 1, weekly }: Repeat, anchor: PlainDate, from: PlainDate): PlainDate | undefined {
  const monday = anchor.subtract({ days: anchor.dayOfWeek - 1 })
  const weekdays = weekly?.days?.map((name) => WEEKDAYS.indexOf(name)) ?? [anchor.dayOfWeek - 1]
  // In the grid's current week the matching days may be over. In its next week they are not.
  const currentStep = Math.floor(monday.until(from).days / (7 * interval))
  const days = [currentStep, currentStep + 1].flatMap((step) =>
    weekdays.toSorted().map((weekday) => monday.add({ days: step * interval * 7 + weekday })),
  )
  return days.find((day) => !isBefore(day, from))
}

function nextByMonth(repeat: Repeat, anchor: PlainDate, from: PlainDate): PlainDate | undefined {
  const { frequency, interval = 1, monthly, yearly } = repeat
  const isYearly = frequency === 'yearly'
  // Months are counted from January of the year 0. A period is one month, or a year that starts in January.
  const step = isYearly ? 12 * interval : interval
  const start = isYearly ? 12 * anchor.year : monthIndex(anchor)
  const offsets = isYearly ? (yearly?.months ?? [anchor.month]).map((month) => month - 1).sort((a, b) => a - b) : [0]
  const currentPeriod = start + Math.floor((monthIndex(from) - start) / step) * step
  for (let period = currentPeriod; period < 12 * (LAST_YEAR + 1); period += step) {
    for (const offset of offsets) {
      for (const day of matchingDays(period + offset, (isYearly ? yearly : monthly) ?? {}, anchor.day)) {
        if (!isBefore(day, from) && !(!isYearly && monthly?.skipWeekends && isWeekend(day))) return day
      }
    }
    // The calendar's cycle is complete: a day that has not been found by now does not exist.
    if (period > currentPeriod && (period - currentPeriod) % CYCLE_MONTHS === 0) return undefined
  }
  return undefined
}

/** The days of one month that the rule means, in order. */
function matchingDays(monthCount: number, { days, dynamicDays }: MonthDays, anchorDay: number): PlainDate[] {
  const [year, month] = [Math.floor(monthCount / 12), (monthCount % 12) + 1]
  const length = daysInMonth(year, month)
  const dynamic = dynamicDays?.map(({ selector }) => (selector === 'first' ? 1 : length))
  // Only a day that was not given explicitly is moved: a caller who gives the 31st means the long months only.
  const candidates = days || dynamic ? [...(days ?? []), ...(dynamic ?? [])] : [Math.min(anchorDay, length)]
  const valid = candidates.filter((day) => day <= length).sort((a, b) => a - b)
  return valid.map((day) => Temporal.PlainDate.from({ year, month, day }))
}

/** The number of days in a month. Computed here because a rule that never matches calls this thousands of times. */
function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

const monthIndex = ({ year, month }: PlainDate): number => 12 * year + month - 1

const isWeekend = ({ dayOfWeek }: PlainDate): boolean => dayOfWeek > 5

const isBefore = (a: PlainDate, b: PlainDate): boolean => Temporal.PlainDate.compare(a, b) < 0
