/**
 * Repeating tasks: on which day a task comes round again. Source: the interface's shapes, 1 and 4.
 *
 * A rule names the days of a grid. The grid counts days, weeks (from Monday), months or years from its anchor and
 * takes each `interval`-th of them; the rule's part for its frequency says which days of those it means.
 *
 *              anchor                        the next day is searched
 *   fixed      startDate, else the day it    after the day the task had, else after today
 *              had, else today
 *   flexible   today                         after today
 *
 * A `startDate` after that day anchors both, and is the first day that the rule can mean.
 *
 * Without a `startDate` a fixed rule knows no more of its past than the day the task had: one that was moved from
 * the 31st to the end of a shorter month goes on from there, while a `startDate` moves it back to the 31st.
 */
import { Temporal } from 'temporal-polyfill'
import { invalid } from '../../base/errors.ts'
import type { CivilDate } from '../model/dates.ts'

type PlainDate = Temporal.PlainDate

/** In their order, Monday first. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'yearly'] as const

/** Days of a month. Those that a month lacks are left out there; without any, the anchor's day is meant. */
interface MonthDays {
  days?: readonly number[]
  dynamicDays?: readonly { selector: 'first' | 'last'; type: 'day' }[]
}

export interface Repeat {
  type: 'flexible' | 'fixed'
  frequency: (typeof FREQUENCIES)[number]
  /** Every how many days, weeks, months or years. Absent is 1. */
  interval?: number
  startDate?: CivilDate
  /** `skipWeekends` leaves days out that fall on a Saturday or Sunday; it does not move them. */
  daily?: { skipWeekends?: boolean }
  /** Without days the anchor's weekday is meant. */
  weekly?: { days?: readonly (typeof WEEKDAYS)[number][] }
  monthly?: MonthDays & { skipWeekends?: boolean }
  /** Months count from 1. Without any, the anchor's month is meant. */
  yearly?: MonthDays & { months?: readonly number[] }
  /** Minutes from midnight. It has no part in which day comes next. */
  reminder?: { enabled: boolean; dateOffset?: number }
}

/** Dates are written with four digits for the year. */
const LAST_YEAR = 9999
/** The Gregorian calendar repeats after 400 years, weekdays included. */
const CYCLE_MONTHS = 400 * 12

/**
 * The day on which a task comes round again after it was completed.
 *
 * @param repeat  a rule with its dates resolved, as `checkRepeat` passed it
 * @param dueDate     the day on which the task was due
 * @throws VALIDATION_ERROR for a rule that never comes round, up to the year 9999
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

/** Where the grid is anchored, and the first day to look at: never one before the anchor. */
function resolveAnchor({ type, startDate }: Repeat, dueDate: CivilDate | undefined, today: CivilDate) {
  const base = type === 'fixed' ? (dueDate ?? today) : today
  const startsLater = startDate !== undefined && startDate > base
  const anchor = Temporal.PlainDate.from(type === 'fixed' || startsLater ? (startDate ?? base) : base)
  return { anchor, from: startsLater ? anchor : Temporal.PlainDate.from(base).add({ days: 1 }) }
}

type FindNext = (repeat: Repeat, anchor: PlainDate, from: PlainDate) => PlainDate | undefined

/** For each frequency: the first day of the rule's grid that is not before `from`. */
const FIND_NEXT: Record<Repeat['frequency'], FindNext> = {
  daily: nextDaily,
  weekly: nextWeekly,
  monthly: nextByMonth,
  yearly: nextByMonth,
}

function nextDaily({ interval = 1, daily }: Repeat, anchor: PlainDate, from: PlainDate): PlainDate | undefined {
  const steps = Math.ceil(anchor.until(from).days / interval)
  // Seven steps meet all the weekdays that the grid ever meets.
  for (let step = steps; step < steps + 7; step++) {
    const day = anchor.add({ days: step * interval })
    if (!daily?.skipWeekends || !isWeekend(day)) return day
  }
  return undefined
}

function nextWeekly({ interval = 1, weekly }: Repeat, anchor: PlainDate, from: PlainDate): PlainDate | undefined {
  const monday = anchor.subtract({ days: anchor.dayOfWeek - 1 })
  const weekdays = weekly?.days?.map((name) => WEEKDAYS.indexOf(name)) ?? [anchor.dayOfWeek - 1]
  // The last week of the grid that has begun may have its days behind it; the one after it has not.
  const currentStep = Math.floor(monday.until(from).days / (7 * interval))
  const days = [currentStep, currentStep + 1].flatMap((step) =>
    weekdays.toSorted().map((weekday) => monday.add({ days: step * interval * 7 + weekday })),
  )
  return days.find((day) => !isBefore(day, from))
}

function nextByMonth(repeat: Repeat, anchor: PlainDate, from: PlainDate): PlainDate | undefined {
  const { frequency, interval = 1, monthly, yearly } = repeat
  const isYearly = frequency === 'yearly'
  // Months are counted through the years, from January of the year 0. A period is one month, or the year from there.
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
    // Back at the same months of the calendar's cycle: what has not come by now never will.
    if (period > currentPeriod && (period - currentPeriod) % CYCLE_MONTHS === 0) return undefined
  }
  return undefined
}

/** The days of one month that are meant, in their order. */
function matchingDays(monthCount: number, { days, dynamicDays }: MonthDays, anchorDay: number): PlainDate[] {
  const [year, month] = [Math.floor(monthCount / 12), (monthCount % 12) + 1]
  const length = daysInMonth(year, month)
  const dynamic = dynamicDays?.map(({ selector }) => (selector === 'first' ? 1 : length))
  // Only a day that was not named is moved: asking for the 31st means the long months.
  const candidates = days || dynamic ? [...(days ?? []), ...(dynamic ?? [])] : [Math.min(anchorDay, length)]
  const valid = candidates.filter((day) => day <= length).sort((a, b) => a - b)
  return valid.map((day) => Temporal.PlainDate.from({ year, month, day }))
}

/** The days of a month, computed here: a rule that never matches asks thousands of times. */
function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

const monthIndex = ({ year, month }: PlainDate): number => 12 * year + month - 1

const isWeekend = ({ dayOfWeek }: PlainDate): boolean => dayOfWeek > 5

const isBefore = (a: PlainDate, b: PlainDate): boolean => Temporal.PlainDate.compare(a, b) < 0
