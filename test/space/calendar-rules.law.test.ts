/** Rules of repeating tasks as RFC 5545 reads them: the same days as ours, over 400 years. */
import fc from 'fast-check'
import ICAL from 'ical.js'
import rrule from 'rrule'
import { expect, test } from 'vitest'
import { toRecurrenceRule } from '../../src/space/calendar/repeat-rules.ts'
import { keepDay, nextRepeatDate, type Repeat } from '../../src/space/schedule/repeats.ts'
import { runs } from '../support/runs.ts'
import { any, dates, rules, small, written } from './repeat-rules.ts'

/** The days on which a task is due that is done again and again: the first `count`, at most `years` years on. */
function ours(repeat: Repeat, due: string, count: number, years: number): string[] {
  const last = `${Number(due.slice(0, 4)) + years}${due.slice(4)}`
  const days = [due]
  let rule = repeat
  while (days.length < count) {
    const had = days.at(-1) ?? ''
    let next: string
    try {
      next = nextRepeatDate(rule, had, had)
    } catch {
      break
    }
    if (next > last) break
    rule = keepDay(rule, had, next)
    days.push(next)
  }
  return days
}

const { rrulestr } = rrule

function byRrule(rule: string, due: string, until: string): string[] {
  const parsed = rrulestr(`DTSTART:${due.replaceAll('-', '')}T000000Z\nRRULE:${rule}`)
  return parsed.between(new Date(due), new Date(until), true).map((day) => written(day.getTime()))
}

test('a rule that is written has the days of ours, for 400 years', { timeout: 120_000 }, () => {
  let translated = 0
  const fixed = rules(fc.oneof(small, any)).map((rule): Repeat => ({ ...rule, type: 'fixed' }))
  const years = runs(40, 400)
  fc.assert(
    fc.property(fixed, dates, (repeat, due) => {
      const rule = toRecurrenceRule(repeat, due)
      if (rule === undefined) return
      translated++
      const days = ours(repeat, due, 200, years)
      const until = days.at(-1) ?? due
      expect(byRrule(rule, due, until)).toEqual(days)
    }),
    { numRuns: runs(150, 2_000) },
  )
  expect(translated).toBeGreaterThan(runs(150, 2_000) / 20)
})

test('days 29 to 31 stay at the end of shorter months for 400 years', () => {
  for (const due of ['2026-01-29', '2026-01-30', '2026-01-31', '2024-02-29']) {
    for (const frequency of ['monthly', 'yearly'] as const) {
      const repeat: Repeat = { type: 'fixed', frequency }
      const rule = toRecurrenceRule(repeat, due) ?? ''
      expect(rule).toMatch(/BYMONTHDAY=28,29[\d,]*;BYSETPOS=-1$/)
      const days = ours(repeat, due, 4_900, 400)
      expect(days.length).toBe(frequency === 'monthly' ? 4_801 : 401)
      expect(byRrule(rule, due, days.at(-1) ?? '')).toEqual(days)
    }
  }
})

test.each<[Repeat, string, string | undefined]>([
  [{ type: 'fixed', frequency: 'daily', interval: 2 }, '2026-11-20', 'FREQ=DAILY;INTERVAL=2'],
  [
    { type: 'fixed', frequency: 'weekly', weekly: { days: ['friday', 'monday'] } },
    '2026-11-20',
    'FREQ=WEEKLY;WKST=MO;BYDAY=MO,FR',
  ],
  [{ type: 'fixed', frequency: 'monthly', monthly: { days: [31] } }, '2026-10-31', 'FREQ=MONTHLY;BYMONTHDAY=31'],
  [
    { type: 'fixed', frequency: 'monthly', monthly: { dynamicDays: [{ selector: 'last', type: 'day' }] } },
    '2026-11-30',
    'FREQ=MONTHLY;BYMONTHDAY=-1',
  ],
  [
    { type: 'fixed', frequency: 'yearly', startDate: '2024-02-29' },
    '2026-02-28',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1',
  ],
  // One date: it counts from when it is done, the task is due on another day, or RFC 5545 cannot say it.
  [{ type: 'flexible', frequency: 'daily' }, '2026-11-20', undefined],
  [{ type: 'fixed', frequency: 'weekly', weekly: { days: ['monday'] } }, '2026-11-20', undefined],
  [{ type: 'fixed', frequency: 'daily', interval: 3, startDate: '2026-11-19' }, '2026-11-20', undefined],
  [{ type: 'fixed', frequency: 'monthly', monthly: { skipWeekends: true } }, '2026-07-31', undefined],
])('%j due on %s is %s', (repeat, due, rule) => {
  expect(toRecurrenceRule(repeat, due)).toBe(rule)
  if (rule !== undefined) expect(ICAL.Recur.fromString(rule).freq).toBe(repeat.frequency.toUpperCase())
})
