import { describe, expect, test } from 'vitest'
import { resolveDate, validateDate } from '../../src/space/model/dates.ts'

/** Friday, 20 November 2026, ten in the morning. */
const calendar = { now: Date.parse('2026-11-20T09:00:00Z'), timezone: 'Europe/Budapest' }
const read = (text: string) => resolveDate(validateDate(text), calendar)

describe('a day in words', () => {
  test.each([
    ['in 3 days', '2026-11-23'],
    ['in three days', '2026-11-23'],
    ['3 days from now', '2026-11-23'],
    ['2 weeks ago', '2026-11-06'],
    ['in a week', '2026-11-27'],
    ['in 1 month', '2026-12-20'],
    ['+7d', '2026-11-27'],
    ['day after tomorrow', '2026-11-22'],
    ['tmrw', '2026-11-21'],
    ['Monday', '2026-11-23'],
    ['on sat', '2026-11-21'],
    ['next friday', '2026-11-27'],
    ['next Monday', '2026-11-23'],
    ['Nov 23', '2026-11-23'],
    ['23rd of November', '2026-11-23'],
    ['January 5', '2027-01-05'],
    ['Friday, November 27, 2026', '2026-11-27'],
    ['2026/11/27', '2026-11-27'],
    ['Sept. 1, 2027', '2027-09-01'],
  ])('%s is %s', (text, day) => expect(read(text)).toBe(day))

  test.each([
    ['friday', 'Expected one day, found "friday", which can be 2026-11-20 or 2026-11-27; give it as YYYY-MM-DD.'],
    [
      'next saturday',
      'Expected one day, found "next saturday", which can be 2026-11-21 or 2026-11-28; give it as YYYY-MM-DD.',
    ],
    ['October 3', 'Expected one day, found "October 3", which can be 2026-10-03 or 2027-10-03; give it as YYYY-MM-DD.'],
    [
      'Monday, November 27, 2026',
      'Expected the weekday of 2026-11-27, found "Monday, November 27, 2026"; give the day as YYYY-MM-DD.',
    ],
    ['November 31, 2026', 'Expected a day that exists, found "November 31, 2026"; give it as YYYY-MM-DD.'],
    ['03/04/2026', 'Expected a date as YYYY-MM-DD, today, tomorrow or yesterday, found "03/04/2026".'],
    ['3 days', 'Expected a date as YYYY-MM-DD, today, tomorrow or yesterday, found "3 days".'],
    ['in 3 days ago', 'Expected a date as YYYY-MM-DD, today, tomorrow or yesterday, found "in 3 days ago".'],
    ['someday', 'Expected a date as YYYY-MM-DD, today, tomorrow or yesterday, found "someday".'],
  ])('%s is refused', (text, message) => expect(() => read(text)).toThrow(message))
})

describe('a time instead of a date', () => {
  test.each([
    ['2026-11-22T23:30:00Z', '2026-11-23'],
    ['2026-11-23T00:00:00+01:00', '2026-11-23'],
    ['2026-11-23T00:00:00', '2026-11-23'],
  ])('%s is the day of the space %s', (text, day) => expect(read(text)).toBe(day))
  test('is refused if it has no zone, since it would be lost', () => {
    expect(() => read('2026-12-01T17:00')).toThrow(
      'Expected a date without a time, found "2026-12-01T17:00", whose time would be lost; give 2026-12-01, and set a time with reminders_add.',
    )
  })
})
