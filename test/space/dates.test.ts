import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  dateAt,
  dateDifference,
  dayBounds,
  formatLocalTime,
  formatLongDate,
  formatTimestamp,
  normalizeTimezone,
  parseTimestamp,
  resolveDate,
  validateDate,
} from '../../src/space/model/dates.ts'

describe('a date as clients write it', () => {
  test.each([
    ['2026-11-20', '2026-11-20'],
    ['2028-02-29', '2028-02-29'],
    ['today', 'today'],
    ['Tomorrow', 'tomorrow'],
  ])('%s is accepted', (text, date) => expect(validateDate(text)).toBe(date))

  test.each([
    ['2026-02-29', 'Expected a day that exists, found "2026-02-29"; that month has 28 days.'],
    ['2026-13-01', 'Expected a day that exists, found "2026-13-01"; months go from 01 to 12.'],
    ['2026-00-10', 'Expected a day that exists, found "2026-00-10"; months go from 01 to 12.'],
    ['0000-02-30', 'Expected a day that exists, found "0000-02-30"; that month has 29 days.'],
    ['2026-12-32', 'Expected a day that exists, found "2026-12-32"; that month has 31 days.'],
    [
      'on 2026-11-20',
      'Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "on 2026-11-20".',
    ],
    ['2026-04-31', 'Expected a day that exists, found "2026-04-31"; that month has 30 days.'],
    [
      '2026-11-20T',
      'Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "2026-11-20T".',
    ],
    ['', 'Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "".'],
  ])('%s is rejected', (text, message) => expect(() => validateDate(text)).toThrow(message))
})

describe('today is the local date of the space', () => {
  // Ten to midnight in London is the next day in Budapest and still the day before in Honolulu.
  const now = Date.parse('2026-12-31T23:50:00Z')
  test.each([
    ['Europe/London', 'today', '2026-12-31'],
    ['Europe/Budapest', 'today', '2027-01-01'],
    ['Pacific/Honolulu', 'tomorrow', '2027-01-01'],
    ['Pacific/Kiritimati', 'yesterday', '2026-12-31'],
  ])('%s: %s is %s', (timezone, word, date) => expect(resolveDate(word, { now, timezone })).toBe(date))

  test('days after a clock change are computed by the calendar', () => {
    // Half past midnight on the day when Budapest sets its clocks back: 24 hours later it is still that day.
    const calendar = { now: Date.parse('2026-10-24T22:30:00Z'), timezone: 'Europe/Budapest' }
    expect(resolveDate('today', calendar)).toBe('2026-10-25')
    expect(resolveDate('tomorrow', calendar)).toBe('2026-10-26')
  })
})

test.each(['__proto__', 'constructor'])('%s is not a relative date, though every object has it', (word) => {
  expect(() => validateDate(word)).toThrow(
    `Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "${word}".`,
  )
})

test('a day has its real length: 23, 24 or 25 hours', () => {
  const hours = (date: string) => {
    const { from, to } = dayBounds(date, { timezone: 'Europe/Budapest' })
    return (to - from + 1) / 3_600_000
  }
  expect([hours('2026-03-29'), hours('2026-11-20'), hours('2026-10-25')]).toEqual([23, 24, 25])
})

test('moments of a day are within its bounds, and those around it are not', () => {
  const zones = fc.constantFrom('Europe/Budapest', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu', 'UTC')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), zones, (now, timezone) => {
      const day = resolveDate('today', { now, timezone })
      const { from, to } = dayBounds(day, { timezone })
      expect(from <= now && now <= to).toBe(true)
      expect(resolveDate('today', { now: from - 1, timezone })).not.toBe(day)
      expect(resolveDate('today', { now: to + 1, timezone })).not.toBe(day)
    }),
  )
})

test('days in words and local times', () => {
  expect(formatLongDate('2026-11-20')).toBe('Friday, November 20, 2026')
  expect(formatLongDate('0099-01-01')).toBe('Thursday, January 1, 99')
  expect(formatLocalTime({ now: Date.parse('2026-11-20T09:00:00Z'), timezone: 'Europe/Budapest' })).toBe(
    '2026-11-20T10:00:00+01:00',
  )
})

test('a time zone must exist', () => {
  expect(normalizeTimezone('europe/budapest')).toBe('Europe/Budapest')
  expect(() => normalizeTimezone('Europe/Atlantis')).toThrow(
    'Expected the IANA name of a time zone such as Europe/Budapest, found "Europe/Atlantis".',
  )
})

describe('a time as clients write it', () => {
  const noon = Date.parse('2026-11-20T12:00:00Z')
  test.each([
    '2026-11-20T12:00Z',
    '2026-11-20t12:00:00z',
    '2026-11-20 12:00:00.000000000Z',
    '2026-11-20T13:00:00+01:00',
    '2026-11-20T13:00:00.0+0100',
    '2026-11-20T02:00-10:00',
  ])('%s is noon', (text) => expect(parseTimestamp(text)).toBe(noon))

  const written = (text: string) =>
    `Expected a time such as 2026-11-21T09:00:00+01:00, found "${text}"; write date, time and offset.`
  test.each(['at 2026-11-20T12:00Z', '2026-11-20T12:00Z or so', '2026-11-20', '12:00Z', '2026-11-20T1:00Z'])(
    '%s is invalid',
    (text) => expect(() => parseTimestamp(text)).toThrow(written(text)),
  )
  test('a time without an offset, and one of a day or hour that does not exist, is invalid', () => {
    expect(() => parseTimestamp('2026-11-20T12:00')).toThrow(
      'Expected a time with Z or an offset such as +01:00, found "2026-11-20T12:00" without; connection_get tells the offset of the space.',
    )
    expect(() => parseTimestamp('2026-02-29T12:00Z')).toThrow('that month has 28 days.')
    expect(() => parseTimestamp('2026-11-20T25:00Z')).toThrow(
      'Expected a time that exists, found "2026-11-20T25:00Z"; hours go from 00 to 23, minutes and seconds to 59.',
    )
  })
})

test('days are counted by the calendar', () => {
  expect(dateDifference('2023-11-30', '2025-02-28')).toEqual({ days: 456, months: 14 })
  expect(dateDifference('2026-11-20', '2026-11-20')).toEqual({ days: 0, months: 0 })
  expect([addDays('2024-02-28', 1), addDays('2024-03-01', -1)]).toEqual(['2024-02-29', '2024-02-29'])
  expect(dateAt(Date.parse('2026-11-20T23:30Z'), { timezone: 'Europe/Budapest' })).toBe('2026-11-21')
  expect(formatTimestamp(0)).toBe('1970-01-01T00:00:00.000Z')
})
