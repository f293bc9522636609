import { describe, expect, test } from 'vitest'
import { parseMoment, resolveDate, validateDate } from '../../src/space/model/dates.ts'

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
    [
      '03/04/2026',
      'Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "03/04/2026".',
    ],
    [
      '3 days',
      'Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "3 days".',
    ],
    [
      'in 3 days ago',
      'Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "in 3 days ago".',
    ],
    [
      'someday',
      'Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "someday".',
    ],
  ])('%s is refused', (text, message) => expect(() => read(text)).toThrow(message))
})

describe('a day in German', () => {
  test.each([
    ['heute', '2026-11-20'],
    ['Morgen', '2026-11-21'],
    ['übermorgen', '2026-11-22'],
    ['u\u0308bermorgen', '2026-11-22'],
    ['vorgestern', '2026-11-18'],
    ['in 3 Tagen', '2026-11-23'],
    ['in drei Tagen', '2026-11-23'],
    ['vor zwei Wochen', '2026-11-06'],
    ['in einer Woche', '2026-11-27'],
    ['in einem Monat', '2026-12-20'],
    ['in 1 Jahr', '2027-11-20'],
    ['Montag', '2026-11-23'],
    ['am Sa.', '2026-11-21'],
    ['nächsten Freitag', '2026-11-27'],
    ['NÄCHSTEN MONTAG', '2026-11-23'],
    ['diesen Mittwoch', '2026-11-25'],
    ['24. Dezember', '2026-12-24'],
    ['am 24. Dez. 2027', '2027-12-24'],
    ['den 1. März', '2027-03-01'],
    ['Freitag, 27. November 2026', '2026-11-27'],
    ['24.12.2026', '2026-12-24'],
    ['am 5.1.', '2027-01-05'],
  ])('%s is %s', (text, day) => expect(read(text)).toBe(day))

  test.each([
    ['Freitag', 'found "Freitag", which can be 2026-11-20 or 2026-11-27; give it as YYYY-MM-DD.'],
    ['3. Oktober', 'found "3. Oktober", which can be 2026-10-03 or 2027-10-03; give it as YYYY-MM-DD.'],
    ['31.11.2026', 'Expected a day that exists, found "31.11.2026"; give it as YYYY-MM-DD.'],
    [
      '3 Tage',
      'Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "3 Tage".',
    ],
    [
      'irgendwann',
      'Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "irgendwann".',
    ],
  ])('%s is refused', (text, message) => expect(() => read(text)).toThrow(message))
})

describe('a moment in words', () => {
  const at = (text: string) => new Date(parseMoment(text, calendar)).toISOString().slice(0, 16)
  test.each([
    ['2026-11-25T09:00', '2026-11-25T08:00'],
    ['tomorrow', '2026-11-21T08:00'],
    ['tomorrow 9:30', '2026-11-21T08:30'],
    ['next monday at 5 pm', '2026-11-23T16:00'],
    ['12 am', '2026-11-19T23:00'],
    ['Nov 23', '2026-11-23T08:00'],
    ['morgen um 14 Uhr', '2026-11-21T13:00'],
    ['24. Dezember, 18:15', '2026-12-24T17:15'],
    ['um 7', '2026-11-20T06:00'],
  ])('%s is %s in UTC', (text, moment) => expect(at(text)).toBe(moment))
  test.each(['', 'sometime', 'tomorrow 25:00', '9'])('"%s" is refused', (text) =>
    expect(() => at(text)).toThrow('Expected'),
  )
})

test('a moment in UTC is the day that it is in the space', () => {
  expect(resolveDate('2026-11-26T23:30:00Z', { ...calendar, timezone: 'Europe/Berlin' })).toBe('2026-11-27')
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
