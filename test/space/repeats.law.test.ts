/** Repeats compared with an independent implementation of RFC 5545, and with trying each date. */
import fc from 'fast-check'
import rrule from 'rrule'
import { expect, test } from 'vitest'
import { WEEKDAYS } from '../../src/space/model/weekdays.ts'
import { nextRepeatDate, type Repeat } from '../../src/space/schedule/repeats.ts'
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
