import { describe, expect, test } from 'vitest'
import { Formats } from '../../src/page/formats.ts'
import { acceptedLanguages } from '../../src/page/texts/language.ts'
import { NOW } from '../build.ts'

const english = new Formats(['en-US'], 'Europe/Budapest', NOW)
const german = new Formats(['de-DE', 'de'], 'Europe/Budapest', NOW)
const ago = (seconds: number) => english.ago(NOW - seconds * 1000)

describe('times', () => {
  test('as people say them', () => {
    expect([ago(3), ago(20), ago(180), ago(2 * 3600)]).toEqual(['now', '20 s ago', '3 min ago', '8:00 AM'])
    expect([ago(86_400), ago(20 * 86_400), ago(400 * 86_400)]).toEqual([
      'yesterday, 10:00 AM',
      'Sat, Oct 31',
      'Oct 16, 2025',
    ])
  })

  test('moments have the year if it is another one', () => {
    const [near, far] = ['2026-11-25T08:30:00Z', '2031-01-02T08:30:00Z'].map((time) => english.since(Date.parse(time)))
    expect([near, far]).toEqual(['Wed, Nov 25, 9:30 AM', 'Jan 2, 2031, 9:30 AM'])
  })

  test('with the exact time on hover', () => {
    expect(String(english.time('2026-11-20T08:59:00.000Z'))).toBe(
      '<time datetime="2026-11-20T08:59:00.000Z" title="Friday, November 20, 2026 at 9:59:00 AM" data-ago>1 min ago</time>',
    )
  })

  test('an invalid time is shown unchanged', () => {
    expect(String(english.time('<soon>'))).toBe('&lt;soon&gt;')
  })
})

describe('days', () => {
  test('near ones by name, others by locale', () => {
    expect(
      ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-25', '2028-01-01'].map((day) => english.day(day)),
    ).toEqual(['Yesterday', 'Today', 'Tomorrow', 'Wed, Nov 25', 'Jan 1, 2028'])
    expect(german.day('2026-11-25')).toBe('Mi., 25. Nov.')
  })

  test('today is the date of the space', () => {
    expect(new Formats(['en'], 'Pacific/Kiritimati', NOW).today).toBe('2026-11-20')
    expect(new Formats(['en'], 'Pacific/Kiritimati', NOW + 86_400_000 / 2).today).toBe('2026-11-21')
  })

  test('weeks begin by locale', () => {
    expect(english.weekdays()[0]).toEqual({ name: 'Sun', number: 7 })
    expect(german.weekdays()[0]).toEqual({ name: 'Mo', number: 1 })
  })
})

test('numbers by locale', () => {
  expect(german.number(48200.5)).toBe('48.200,5')
  expect(english.currency(48200, 'EUR')).toBe('€48,200')
  expect(english.currency(0.5, 'no')).toBe('0.5')
  expect([1, 16, 1_234_567, 71_700_000_000, 3e12].map((size) => english.bytes(size))).toEqual([
    ...['1 byte', '16 bytes', '1.2 MB', '71.7 GB', '3 TB'],
  ])
  expect([1, 16, 1_234_567].map((size) => german.bytes(size).replaceAll('\u00a0', ' '))).toEqual([
    ...['1 Byte', '16 Byte', '1,2 MB'],
  ])
})

test.each([
  [null, ['en-US']],
  ['', ['en-US']],
  ['de;q=0.5, fr', ['fr', 'de']],
  ['xx-invalid-code-!!, *', ['en-US']],
  ['en;q=0', ['en-US']],
])('languages of %j', (header, languages) => {
  expect(acceptedLanguages(header)).toEqual(languages)
})
