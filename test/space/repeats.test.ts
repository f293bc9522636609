import { describe, expect, test } from 'vitest'
import { invalid } from '../../src/base/errors.ts'
import { nextRepeatDate, type Repeat } from '../../src/space/schedule/repeats.ts'
import { validateRepeat } from '../../src/space/schedule/validate-repeat.ts'

type Rule = Omit<Repeat, 'type'>
const DAILY: Rule = { frequency: 'daily' }
const WEEKLY: Rule = { frequency: 'weekly' }
const MONTHLY: Rule = { frequency: 'monthly' }
const YEARLY: Rule = { frequency: 'yearly' }
const LAST = [{ selector: 'last', type: 'day' }] as const
const FIRST = [{ selector: 'first', type: 'day' }] as const

/** The consecutive dates if a task is always completed on its date. */
function sequence(rule: Rule, had: string, length: number): string[] {
  const days: string[] = []
  for (let day = had; days.length < length; days.push(day)) day = nextRepeatDate({ ...rule, type: 'fixed' }, day, had)
  return days
}

describe('a fixed rule continues from the date of the task', () => {
  test.each<[string, Rule, string, string[]]>([
    ['each day, over the end of a year', DAILY, '2026-12-30', ['2026-12-31', '2027-01-01']],
    ['each day, in a leap year', DAILY, '2028-02-28', ['2028-02-29', '2028-03-01']],
    ['each day, in 2100', DAILY, '2100-02-28', ['2100-03-01']],
    ['each third day', { ...DAILY, interval: 3 }, '2026-11-20', ['2026-11-23', '2026-11-26', '2026-11-29']],
    ['each day but weekends', { ...DAILY, daily: { skipWeekends: true } }, '2026-11-19', ['2026-11-20', '2026-11-23']],
    // 20 November 2026 is a Friday. Sunday the 22nd is skipped, not moved.
    [
      'each second day but weekends',
      { ...DAILY, interval: 2, daily: { skipWeekends: true } },
      '2026-11-20',
      ['2026-11-24', '2026-11-26', '2026-11-30'],
    ],
    ['each week', WEEKLY, '2026-11-20', ['2026-11-27', '2026-12-04']],
    ['each second week, over the end of a year', { ...WEEKLY, interval: 2 }, '2026-12-25', ['2027-01-08']],
    [
      'Mondays and Thursdays, in any order',
      { ...WEEKLY, weekly: { days: ['thursday', 'monday'] } },
      '2026-11-20',
      ['2026-11-23', '2026-11-26', '2026-11-30'],
    ],
    // A week ends with its Sunday: the Monday after it is in the skipped week.
    [
      'each second week on Monday and Sunday',
      { ...WEEKLY, interval: 2, weekly: { days: ['monday', 'sunday'] } },
      '2026-11-16',
      ['2026-11-22', '2026-11-30', '2026-12-06', '2026-12-14'],
    ],
    ['each month', MONTHLY, '2026-11-20', ['2026-12-20', '2027-01-20']],
    ['each third month', { ...MONTHLY, interval: 3 }, '2026-11-20', ['2027-02-20', '2027-05-20']],
    [
      'the 31st, where there is one',
      { ...MONTHLY, monthly: { days: [31] } },
      '2026-12-31',
      ['2027-01-31', '2027-03-31', '2027-05-31', '2027-07-31', '2027-08-31'],
    ],
    [
      'the first day, the 15th and the last day',
      { ...MONTHLY, monthly: { days: [15], dynamicDays: [...LAST, ...FIRST] } },
      '2028-02-01',
      ['2028-02-15', '2028-02-29', '2028-03-01', '2028-03-15', '2028-03-31', '2028-04-01'],
    ],
    // A duplicate counts once.
    [
      'the 30th and the last day',
      { ...MONTHLY, monthly: { days: [30, 30], dynamicDays: LAST } },
      '2027-01-31',
      ['2027-02-28', '2027-03-30', '2027-03-31', '2027-04-30', '2027-05-30'],
    ],
    // 1 August 2026 is a Saturday, 1 November a Sunday.
    [
      'the first day, unless on a weekend',
      { ...MONTHLY, monthly: { dynamicDays: FIRST, skipWeekends: true } },
      '2026-07-01',
      ['2026-09-01', '2026-10-01', '2026-12-01'],
    ],
    ['each year', YEARLY, '2026-11-20', ['2027-11-20', '2028-11-20']],
    ['each fourth year', { ...YEARLY, interval: 4 }, '2026-11-20', ['2030-11-20']],
    [
      '29 February, as named',
      { ...YEARLY, yearly: { months: [2], days: [29] } },
      '2092-02-29',
      ['2096-02-29', '2104-02-29'],
    ],
    [
      'the last days of February and June',
      { ...YEARLY, yearly: { months: [6, 2], dynamicDays: LAST } },
      '2027-06-30',
      ['2028-02-29', '2028-06-30', '2029-02-28'],
    ],
    [
      'the day it had, in two months',
      { ...YEARLY, yearly: { months: [1, 7] } },
      '2026-07-09',
      ['2027-01-09', '2027-07-09'],
    ],
  ])('%s', (_name, rule, had, days) => expect(sequence(rule, had, days.length)).toEqual(days))

  test('in the past or future', () => {
    for (const today of ['2020-01-01', '2026-11-20', '2030-01-01']) {
      expect(nextRepeatDate({ ...WEEKLY, type: 'fixed' }, '2026-11-20', today)).toBe('2026-11-27')
    }
  })

  test('or from today if it had none', () => {
    expect(nextRepeatDate({ ...WEEKLY, type: 'fixed' }, undefined, '2026-11-20')).toBe('2026-11-27')
  })
})

describe('a flexible rule continues from today', () => {
  test.each<[string, Rule, string, string]>([
    ['each third day', { ...DAILY, interval: 3 }, '2026-11-25', '2026-11-28'],
    ['each week', WEEKLY, '2026-11-25', '2026-12-02'],
    ['a later day of this week', { ...WEEKLY, interval: 3, weekly: { days: ['friday'] } }, '2026-11-25', '2026-11-27'],
    [
      'a day that is gone this week',
      { ...WEEKLY, interval: 3, weekly: { days: ['monday'] } },
      '2026-11-25',
      '2026-12-14',
    ],
    ['each month, from its last day', MONTHLY, '2027-01-31', '2027-02-28'],
    ['each year, from 29 February', YEARLY, '2028-02-29', '2029-02-28'],
    ['each fourth year, from 29 February', { ...YEARLY, interval: 4 }, '2028-02-29', '2032-02-29'],
  ])('%s', (_name, rule, today, next) => {
    for (const had of [undefined, '2020-01-01', '2026-11-20', '2099-01-01']) {
      expect(nextRepeatDate({ ...rule, type: 'flexible' }, had, today)).toBe(next)
    }
  })
})

describe('the start date of a rule', () => {
  const starting = (startDate: string, rule: Rule): Rule => ({ ...rule, startDate })

  test('in the past anchors a fixed rule: the day of a longer month returns', () => {
    expect(sequence(starting('2027-01-31', MONTHLY), '2027-01-31', 4)).toEqual([
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
    ])
    expect(sequence(starting('2024-02-29', YEARLY), '2026-02-28', 3)).toEqual([
      '2027-02-28',
      '2028-02-29',
      '2029-02-28',
    ])
    // Without it, only the date of the task is known.
    expect(sequence(MONTHLY, '2027-01-31', 2)).toEqual(['2027-02-28', '2027-03-28'])
  })

  test('in the past returns a moved fixed task to its grid', () => {
    const rule = { ...starting('2026-11-20', DAILY), interval: 7, type: 'fixed' } as const
    expect(nextRepeatDate(rule, '2026-11-29', '2026-11-29')).toBe('2026-12-04')
    expect(nextRepeatDate(rule, '2026-12-04', '2026-11-29')).toBe('2026-12-11')
  })

  test('in the past has no effect on a flexible rule', () => {
    const rule = { ...starting('2026-11-20', DAILY), interval: 7, type: 'flexible' } as const
    expect(nextRepeatDate(rule, '2026-11-27', '2026-11-29')).toBe('2026-12-06')
  })

  test.each<[string, Rule, string]>([
    ['itself when it fits', starting('2026-12-31', { ...MONTHLY, monthly: { days: [31] } }), '2026-12-31'],
    ['itself when no day is named', starting('2027-01-03', { ...WEEKLY, interval: 5 }), '2027-01-03'],
    ['itself with an interval', starting('2026-12-31', { ...DAILY, interval: 1000 }), '2026-12-31'],
    [
      'else a later one of its period',
      starting('2026-12-31', { ...WEEKLY, interval: 2, weekly: { days: ['sunday'] } }),
      '2027-01-03',
    ],
    [
      'else one of the next period',
      starting('2026-12-31', { ...WEEKLY, interval: 2, weekly: { days: ['monday'] } }),
      '2027-01-11',
    ],
    ['else a working day', starting('2027-01-02', { ...DAILY, daily: { skipWeekends: true } }), '2027-01-04'],
    [
      'else a day of a month that has it',
      starting('2027-02-10', { ...MONTHLY, monthly: { days: [30] } }),
      '2027-03-30',
    ],
  ])('in the future is the first date: %s', (_name, rule, next) => {
    for (const type of ['fixed', 'flexible'] as const) {
      expect(nextRepeatDate({ ...rule, type }, '2026-11-20', '2026-11-21')).toBe(next)
      expect(nextRepeatDate({ ...rule, type }, undefined, '2026-11-21')).toBe(next)
    }
  })

  test('does not count as future if it is the date of the task', () => {
    expect(nextRepeatDate({ ...starting('2026-11-20', WEEKLY), type: 'fixed' }, '2026-11-20', '2026-01-01')).toBe(
      '2026-11-27',
    )
    expect(nextRepeatDate({ ...starting('2026-11-20', WEEKLY), type: 'flexible' }, undefined, '2026-11-20')).toBe(
      '2026-11-27',
    )
  })
})

describe('a rule without any date', () => {
  const never = (anchor: string, frequency: string) =>
    'Expected a repeat that comes round, found no further day of it up to the year 9999 when counting ' +
    `from ${anchor}; change repeat.interval or repeat.${frequency}.`

  test.each<[string, Rule, string]>([
    ['30 February', { ...YEARLY, yearly: { months: [2], days: [30] } }, '2026-11-20'],
    ['the 31st of short months', { ...YEARLY, yearly: { months: [2, 4, 6, 9, 11], days: [31] } }, '2026-11-20'],
    ['Saturdays but weekends', { ...DAILY, interval: 7, daily: { skipWeekends: true } }, '2026-11-21'],
    ['30 February, month by month', { ...MONTHLY, interval: 12, monthly: { days: [30] } }, '2026-02-20'],
    ['29 February of odd years', { ...YEARLY, interval: 2, yearly: { months: [2], days: [29] } }, '2027-02-20'],
    ['a year after 9999', { ...YEARLY, interval: 1000 }, '9500-02-20'],
    ['a week after 9999', WEEKLY, '9999-12-31'],
    ['a day after 9999', DAILY, '9999-12-31'],
  ])('%s is rejected, when it is written and when it is used', (_name, rule, today) => {
    for (const type of ['fixed', 'flexible'] as const) {
      const message = never(today, rule.frequency)
      expect(() => nextRepeatDate({ ...rule, type }, undefined, today)).toThrow(invalid(message))
      expect(() => validateRepeat({ ...rule, type }, undefined, today)).toThrow(invalid(message))
    }
  })

  test.each<[string, Rule, string, string]>([
    [
      '29 February of even years',
      { ...YEARLY, interval: 2, yearly: { months: [2], days: [29] } },
      '2026-02-20',
      '2028-02-29',
    ],
    [
      'a leap year of 400 years',
      { ...YEARLY, interval: 100, yearly: { months: [2], days: [29] } },
      '2100-01-01',
      '2400-02-29',
    ],
    ['Fridays but weekends', { ...DAILY, interval: 7, daily: { skipWeekends: true } }, '2026-11-20', '2026-11-27'],
    ['the last year', { ...YEARLY, interval: 999 }, '9000-02-20', '9999-02-20'],
    ['the last day', DAILY, '9999-12-30', '9999-12-31'],
  ])('%s has a date', (_name, rule, today, next) => {
    expect(() => validateRepeat({ ...rule, type: 'fixed' }, undefined, today)).not.toThrow()
    expect(nextRepeatDate({ ...rule, type: 'fixed' }, undefined, today)).toBe(next)
  })
})

describe('unknown parts of a rule are not ignored', () => {
  const check = (rule: Rule) => () => validateRepeat({ ...rule, type: 'fixed' }, '2026-11-20', '2026-11-20')
  const noDay = (path: string, absent = path) =>
    `Expected at least one day in repeat.${path}, found none; name days or leave repeat.${absent} out.`
  const ofAnother = (other: string, frequency: string) =>
    `Expected repeat.frequency ${other} for repeat.${other}, found ${frequency}; ` +
    `change the frequency or leave repeat.${other} out.`
  const interval = (found: number) =>
    `Expected repeat.interval as a whole number from 1 to 1000, found ${found}; ` +
    'count in larger steps of repeat.frequency.'

  test.each<[string, Rule]>([
    [noDay('weekly.days', 'weekly'), { ...WEEKLY, weekly: { days: [] } }],
    [noDay('monthly.days'), { ...MONTHLY, monthly: { days: [], dynamicDays: LAST } }],
    [noDay('monthly.dynamicDays'), { ...MONTHLY, monthly: { dynamicDays: [] } }],
    [noDay('yearly.days'), { ...YEARLY, yearly: { months: [1], days: [] } }],
    [noDay('yearly.dynamicDays'), { ...YEARLY, yearly: { months: [1], dynamicDays: [] } }],
    [
      'Expected at least one month in repeat.yearly.months, found none; name months or leave repeat.yearly out.',
      { ...YEARLY, yearly: { months: [] } },
    ],
    [ofAnother('weekly', 'daily'), { ...DAILY, weekly: { days: ['monday'] } }],
    [ofAnother('daily', 'weekly'), { ...WEEKLY, daily: { skipWeekends: true } }],
    [ofAnother('yearly', 'monthly'), { ...MONTHLY, yearly: { months: [1] } }],
    [ofAnother('monthly', 'yearly'), { ...YEARLY, monthly: { dynamicDays: FIRST } }],
    [interval(1001), { ...YEARLY, interval: 1001 }],
    [interval(0), { ...DAILY, interval: 0 }],
    [interval(1.5), { ...DAILY, interval: 1.5 }],
  ])('%s', (message, rule) => expect(check(rule)).toThrow(invalid(message)))

  test.each<[string, Rule]>([
    ['parts of its own', { ...MONTHLY, monthly: { days: [1], dynamicDays: LAST, skipWeekends: false } }],
    ['parts of its own with nothing in them', { ...YEARLY, yearly: {} }],
    [
      'parts of others with nothing in them',
      { ...DAILY, weekly: { days: [] }, monthly: { skipWeekends: false }, yearly: {} },
    ],
    ['a reminder', { ...DAILY, reminder: { enabled: true, dateOffset: 540 } }],
    ['the largest interval', { ...YEARLY, interval: 1000 }],
  ])('%s are accepted', (_name, rule) => expect(check(rule)).not.toThrow())
})
