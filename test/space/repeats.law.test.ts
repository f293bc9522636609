/** Repeats compared with an independent implementation of RFC 5545, and with trying each date. */
import fc from 'fast-check'
import rrule from 'rrule'
import { expect, test } from 'vitest'
import { WEEKDAYS } from '../../src/space/model/weekdays.ts'
import { firstRepeatDate, keepDay, nextRepeatDate, type Repeat } from '../../src/space/schedule/repeats.ts'
import { runs } from '../support/runs.ts'
import { any, DAY, dates, fits, LAST_DAY, optional, rules, small, start, written } from './repeat-rules.ts'

/** The next date; undefined if there is none before the year 2111. */
function next(repeat: Repeat, had: string | undefined, today: string): string | undefined {
  try {
    const day = nextRepeatDate(repeat, had, today)
    return day <= written(LAST_DAY) ? day : undefined
  } catch (error) {
    expect(error).toHaveProperty('code', 'VALIDATION_ERROR')
    return undefined
  }
}

const { RRule } = rrule
const FREQUENCY = { daily: RRule.DAILY, weekly: RRule.WEEKLY, monthly: RRule.MONTHLY, yearly: RRule.YEARLY }
const WORKDAYS = [0, 1, 2, 3, 4]

/** The rule in RFC 5545, which cannot express a day moved to the end of a shorter month. */
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

test('the dates agree with RFC 5545 where it can express the rule', () => {
  let compared = 0
  fc.assert(
    fc.property(rules(any), optional(dates), dates, (repeat, had, today) => {
      const { anchor, from } = start(repeat, had, today)
      const reference = inRfc(repeat, anchor)
      if (reference === undefined) return
      compared++
      const day = reference.after(new Date(from), true)
      expect(next(repeat, had, today)).toBe(day === null ? undefined : written(day.getTime()))
    }),
    { numRuns: runs(50, 500) },
  )
  expect(compared).toBeGreaterThan(0.7 * runs(50, 500))
})

test('the next date is the first that matches the rule', () => {
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
    { numRuns: runs(50, 1000) },
  )
})

test('a task repeats on and on: each date is later than the last, and matches', () => {
  fc.assert(
    fc.property(rules(any), dates, (repeat, had) => {
      // Completed each time on its date, so that a flexible rule continues as well.
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

test('a fixed rule does not depend on the current time, and a flexible one not on the date of the task', () => {
  fc.assert(
    fc.property(rules(any), dates, dates, dates, (repeat, had, today, other) => {
      expect(next({ ...repeat, type: 'fixed' }, had, other)).toBe(next({ ...repeat, type: 'fixed' }, had, today))
      expect(next({ ...repeat, type: 'flexible' }, other, today)).toBe(
        next({ ...repeat, type: 'flexible' }, had, today),
      )
    }),
  )
})

test('a fixed rule with a start has the same dates, whatever date the task had', () => {
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

test('a task keeps the day it repeats on through shorter months, as RFC 5545 says it with BYSETPOS', () => {
  const day = fc.integer({ min: 1, max: 31 })
  const month = fc.constantFrom('01', '03', '05', '07', '08', '10', '12')
  const frequency = fc.constantFrom('monthly', 'yearly')
  const began = fc.oneof(
    fc
      .tuple(fc.integer({ min: 1990, max: 2030 }), month, day)
      .map(([y, m, d]) => `${y}-${m}-${String(d).padStart(2, '0')}`),
    fc.constantFrom('2000-02-29', '2024-02-29', '1996-02-29'),
  )
  fc.assert(
    fc.property(began, frequency, fc.integer({ min: 1, max: 14 }), (first, frequency, interval) => {
      const [, firstMonth = 0, firstDay = 0] = first.split('-').map(Number)
      const days = firstDay <= 28 ? [firstDay] : Array.from({ length: firstDay - 27 }, (_, index) => 28 + index)
      const rule = new RRule({
        ...{ freq: FREQUENCY[frequency], interval, dtstart: new Date(first), until: new Date('2400-12-31') },
        ...{ bymonthday: days, bysetpos: [-1], ...(frequency === 'yearly' && { bymonth: [firstMonth] }) },
      })
      const expected = rule.all((_, index) => index < 40).map((date) => written(date.getTime()))
      let repeat: Repeat = { type: 'fixed', frequency, interval }
      const found = [first]
      while (found.length < expected.length) {
        const had = found.at(-1) ?? first
        const next = nextRepeatDate(repeat, had, had)
        repeat = keepDay(repeat, had, next)
        found.push(next)
      }
      expect(found).toEqual(expected)
    }),
    { numRuns: runs(40, 500) },
  )
})

test('the first date of a rule is the first from its start or today on that matches', () => {
  fc.assert(
    fc.property(rules(small), dates, (repeat, today) => {
      let day: string | undefined
      try {
        day = firstRepeatDate(repeat, today)
      } catch (error) {
        expect(error).toHaveProperty('code', 'VALIDATION_ERROR')
        return
      }
      const { startDate = today } = repeat
      expect(day >= today && (startDate < today || day >= startDate)).toBe(true)
      const anchor = repeat.type === 'flexible' && startDate < today ? today : startDate
      for (let time = Math.max(Date.parse(startDate), Date.parse(today)); time <= Date.parse(day); time += DAY) {
        expect(fits(repeat, new Date(anchor), new Date(time))).toBe(time === Date.parse(day))
      }
    }),
    { numRuns: runs(40, 500) },
  )
})
