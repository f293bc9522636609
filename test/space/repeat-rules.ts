/** Generated rules of repeating tasks, and a second implementation of whether a date matches one, from the contract. */
import fc from 'fast-check'
import { WEEKDAYS } from '../../src/space/model/weekdays.ts'
import type { Repeat } from '../../src/space/schedule/repeats.ts'

export const DAY = 86_400_000
const FIRST_DAY = Date.UTC(1990, 0, 1)
export const LAST_DAY = Date.UTC(2110, 11, 31)

export const written = (time: number): string => new Date(time).toISOString().slice(0, 10)
const anyDay = fc.integer({ min: 0, max: (LAST_DAY - FIRST_DAY) / DAY }).map((days) => FIRST_DAY + days * DAY)
/** The ends of months of different lengths: the days before the first of a month. */
const monthEnd = fc
  .tuple(fc.integer({ min: 1, max: 12 * 121 }), fc.integer({ min: 0, max: 2 }))
  .map(([month, before]) => Date.UTC(1990, month, -before))
export const dates = fc.oneof({ weight: 3, arbitrary: anyDay }, { weight: 1, arbitrary: monthEnd }).map(written)

export const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 4 })
const monthDays = {
  days: optional(some(fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(28, 29, 30, 31)))),
  dynamicDays: optional(some(fc.record({ selector: fc.constantFrom('first', 'last'), type: fc.constant('day') }))),
}
const parts = {
  daily: fc.record({ skipWeekends: optional(fc.boolean()) }),
  weekly: fc.record({ days: optional(some(fc.constantFrom(...WEEKDAYS))) }),
  monthly: fc.record({ ...monthDays, skipWeekends: optional(fc.boolean()) }),
  yearly: fc.record({
    ...monthDays,
    months: optional(some(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(2)))),
  }),
}

/** Every rule that the types allow. Intervals are mostly small, since large ones rarely result in another date. */
export const rules = (intervals: fc.Arbitrary<number>): fc.Arbitrary<Repeat> =>
  fc.constantFrom('daily', 'weekly', 'monthly', 'yearly').chain((frequency) =>
    fc
      .record({
        type: fc.constantFrom('flexible', 'fixed'),
        frequency: fc.constant(frequency),
        interval: optional(intervals),
        startDate: optional(dates),
        [frequency]: optional<unknown>(parts[frequency]),
      })
      // Absent is absent, not undefined.
      .map((rule) => JSON.parse(JSON.stringify(rule)) as Repeat),
  )
export const small = fc.integer({ min: 1, max: 4 })
export const any = fc.oneof(small, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 1000 }))

/** What the rule counts from, and the first date that can match, implemented again from its contract. */
export function start({ type, startDate = '' }: Repeat, had: string | undefined, today: string) {
  const base = type === 'flexible' || had === undefined ? today : had
  if (startDate > base) return { base, anchor: startDate, from: startDate }
  return { base, anchor: (type === 'fixed' && startDate) || base, from: written(Date.parse(base) + DAY) }
}

const monthOf = (day: Date) => 12 * day.getUTCFullYear() + day.getUTCMonth()
/** Weeks since one that began with a Monday: 5 January 1970. */
const weekOf = (day: Date) => Math.floor((day.getTime() / DAY - 4) / 7)
const weekdayOf = (day: Date) => (day.getUTCDay() + 6) % 7

/** True if a date matches the rule, independently of other dates. */
export function fits(
  { frequency, interval = 1, daily, weekly, monthly, yearly }: Repeat,
  anchor: Date,
  day: Date,
): boolean {
  const isOn = (count: (day: Date) => number) => (count(day) - count(anchor)) % interval === 0
  const isWorkday = weekdayOf(day) < 5
  if (frequency === 'daily') return isOn((of) => of.getTime() / DAY) && (isWorkday || !daily?.skipWeekends)
  if (frequency === 'weekly') {
    const weekdays = weekly?.days?.map((name) => WEEKDAYS.indexOf(name)) ?? [weekdayOf(anchor)]
    return isOn(weekOf) && weekdays.includes(weekdayOf(day))
  }
  const { days, dynamicDays } = (frequency === 'monthly' ? monthly : yearly) ?? {}
  const date = day.getUTCDate()
  const isLast = new Date(day.getTime() + DAY).getUTCDate() === 1
  const isDay =
    days === undefined && dynamicDays === undefined
      ? date === anchor.getUTCDate() || (isLast && date < anchor.getUTCDate())
      : days?.includes(date) || dynamicDays?.some(({ selector }) => (selector === 'first' ? date === 1 : isLast))
  if (frequency === 'monthly') return Boolean(isDay) && isOn(monthOf) && (isWorkday || !monthly?.skipWeekends)
  const months = yearly?.months ?? [anchor.getUTCMonth() + 1]
  return Boolean(isDay) && isOn((of) => of.getUTCFullYear()) && months.includes(day.getUTCMonth() + 1)
}
