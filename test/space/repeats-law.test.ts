/** Repeats against an independent implementation of RFC 5545, and against days tried one by one. */
import fc from 'fast-check'
import rrule from 'rrule'
import { expect, test } from 'vitest'
import { nextDate, type Repeat, WEEKDAYS } from '../../src/space/repeats.ts'

const DAY = 86_400_000
const FIRST_DAY = Date.UTC(1990, 0, 1)
const LAST_DAY = Date.UTC(2110, 11, 31)

const written = (time: number): string => new Date(time).toISOString().slice(0, 10)
const anyDay = fc.integer({ min: 0, max: (LAST_DAY - FIRST_DAY) / DAY }).map((days) => FIRST_DAY + days * DAY)
/** The last days of months, where months differ: the days before the first of one. */
const monthEnd = fc
  .tuple(fc.integer({ min: 1, max: 12 * 121 }), fc.integer({ min: 0, max: 2 }))
  .map(([month, before]) => Date.UTC(1990, month, -before))
const dates = fc.oneof({ weight: 3, arbitrary: anyDay }, { weight: 1, arbitrary: monthEnd }).map(written)

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
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

/** Every rule that the types allow: intervals are mostly small, since large ones seldom show another day. */
const rules = (intervals: fc.Arbitrary<number>): fc.Arbitrary<Repeat> =>
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
const small = fc.integer({ min: 1, max: 4 })
const any = fc.oneof(small, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 1000 }))

/** What the rule counts from, and the first day that it may mean, told again from its contract. */
function start({ type, startDate = '' }: Repeat, had: string | undefined, today: string) {
  const base = type === 'flexible' || had === undefined ? today : had
  if (startDate > base) return { base, anchor: startDate, from: startDate }
  return { base, anchor: (type === 'fixed' && startDate) || base, from: written(Date.parse(base) + DAY) }
}

/** The next day, or none when the rule never comes round or not before the year 2111. */
function next(repeat: Repeat, had: string | undefined, today: string): string | undefined {
  try {
    const day = nextDate(repeat, had, today)
    return day <= written(LAST_DAY) ? day : undefined
  } catch (error) {
    expect(error).toHaveProperty('code', 'VALIDATION_ERROR')
    return undefined
  }
}

const { RRule } = rrule
const FREQUENCY = { daily: RRule.DAILY, weekly: RRule.WEEKLY, monthly: RRule.MONTHLY, yearly: RRule.YEARLY }
const WORKDAYS = [0, 1, 2, 3, 4]

/** The rule in the words of RFC 5545, which has none for a day moved to the end of a shorter month. */
function inRfc({ frequency, interval = 1, daily, weekly, monthly, yearly }: Repeat, anchor: string) {
  const [, month = 0, day = 0] = anchor.split('-').map(Number)
  const { days, dynamicDays } = (frequency === 'monthly' ? monthly : yearly) ?? {}
  const named = [...(days ?? []), ...(dynamicDays ?? []).map(({ selector }) => (selector === 'first' ? 1 : -1))]
  if (/monthly|yearly/.test(frequency) && named.length === 0 && day > 28) return undefined
  const skipsWeekends = frequency === 'daily' ? daily?.skipWeekends : frequency === 'monthly' && monthly?.skipWeekends
  return new RRule({
    freq: FREQUENCY[frequency],
    interval,
    wkst: RRule.MO,
    dtstart: new Date(anchor),
    until: new Date(LAST_DAY),
    ...(skipsWeekends && { byweekday: WORKDAYS }),
    ...(frequency === 'weekly' && weekly?.days && { byweekday: weekly.days.map((name) => WEEKDAYS.indexOf(name)) }),
    ...(/monthly|yearly/.test(frequency) && { bymonthday: named.length > 0 ? named : [day] }),
    ...(frequency === 'yearly' && { bymonth: [...(yearly?.months ?? [month])] }),
  })
}

test('the days are those of RFC 5545 where it has words for them', () => {
  let compared = 0
  fc.assert(
    fc.property(rules(any), optional(dates), dates, (repeat, had, today) => {
      const { anchor, from } = start(repeat, had, today)
      const judge = inRfc(repeat, anchor)
      if (judge === undefined) return
      compared++
      const day = judge.after(new Date(from), true)
      expect(next(repeat, had, today)).toBe(day === null ? undefined : written(day.getTime()))
    }),
    { numRuns: 500 },
  )
  expect(compared).toBeGreaterThan(350)
})

const monthOf = (day: Date) => 12 * day.getUTCFullYear() + day.getUTCMonth()
/** Weeks since one that began with a Monday: 5 January 1970. */
const weekOf = (day: Date) => Math.floor((day.getTime() / DAY - 4) / 7)
const weekdayOf = (day: Date) => (day.getUTCDay() + 6) % 7

/** Whether a day is one of the rule's, for any day and without looking at another. */
function fits({ frequency, interval = 1, daily, weekly, monthly, yearly }: Repeat, anchor: Date, day: Date): boolean {
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

test('the next day is the first that fits the rule', () => {
  fc.assert(
    fc.property(rules(small), optional(dates), dates, (repeat, had, today) => {
      const { anchor, base, from } = start(repeat, had, today)
      const found = next(repeat, had, today)
      if (found !== undefined) expect(found > base && found >= from).toBe(true)
      const end = found === undefined ? LAST_DAY : Date.parse(found)
      const fitting: string[] = []
      for (let time = Date.parse(from); time <= end; time += DAY) {
        if (fits(repeat, new Date(anchor), new Date(time))) fitting.push(written(time))
      }
      expect(fitting).toEqual(found === undefined ? [] : [found])
    }),
    { numRuns: 1000 },
  )
})

test('a task goes on and on: each day is later than the last, and fits', () => {
  fc.assert(
    fc.property(rules(any), dates, (repeat, had) => {
      // Done each time on its day, so that a flexible rule goes on as well.
      for (let day = had, times = 0; times < 12; times++) {
        const following = next(repeat, day, day)
        if (following === undefined) return
        expect(following > day).toBe(true)
        expect(fits(repeat, new Date(start(repeat, day, day).anchor), new Date(following))).toBe(true)
        day = following
      }
    }),
  )
})

test('a fixed rule does not depend on when it is asked, a flexible one not on the day that the task had', () => {
  fc.assert(
    fc.property(rules(any), dates, dates, dates, (repeat, had, today, other) => {
      expect(next({ ...repeat, type: 'fixed' }, had, other)).toBe(next({ ...repeat, type: 'fixed' }, had, today))
      expect(next({ ...repeat, type: 'flexible' }, other, today)).toBe(
        next({ ...repeat, type: 'flexible' }, had, today),
      )
    }),
  )
})

test('a fixed rule that knows its start goes through the same days, whichever of them the task had', () => {
  fc.assert(
    fc.property(rules(small), dates, dates, dates, (rule, startDate, one, other) => {
      const repeat: Repeat = { ...rule, type: 'fixed', startDate }
      const [early, late] = [one, other].sort() as [string, string]
      let day = next(repeat, early, early)
      for (let steps = 0; day !== undefined && day <= late && steps < 200; steps++) day = next(repeat, day, day)
      if (day === undefined || day > late) expect(next(repeat, late, late)).toBe(day)
    }),
  )
})
