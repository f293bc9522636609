/** Days at the end of what people type as a task. */
import { expect, test } from 'vitest'
import { trailingDate } from '../../src/space/model/trailing-dates.ts'

/** A Saturday. */
const NOW = { now: Date.parse('2026-11-28T12:00:00Z'), timezone: 'Europe/Berlin' }

const read = (text: string): string => {
  const found = trailingDate(text, NOW)
  return found === undefined ? '' : `${found.text} | ${found.isDeadline ? 'due ' : ''}${found.date}`
}

test.each([
  ['Call Anna tomorrow', 'Call Anna | 2026-11-29'],
  ['Call Anna today!', 'Call Anna | 2026-11-28'],
  ['Call Anna, the day after tomorrow', 'Call Anna | 2026-11-30'],
  ['Call Anna on monday', 'Call Anna | 2026-11-30'],
  ['Call Anna Monday', 'Call Anna | 2026-11-30'],
  ['Call Anna next friday', 'Call Anna | 2026-12-04'],
  ['Call Anna in 3 days', 'Call Anna | 2026-12-01'],
  ['Call Anna two weeks from now', 'Call Anna | 2026-12-12'],
  ['Call Anna December 24', 'Call Anna | 2026-12-24'],
  ['Call Anna on December 24th', 'Call Anna | 2026-12-24'],
  ['Call Anna 24 Dec 2027', 'Call Anna | 2027-12-24'],
  ['Call Anna 2027-02-28', 'Call Anna | 2027-02-28'],
  ['Report by friday', 'Report | due 2026-12-04'],
  ['Report, due tomorrow', 'Report | due 2026-11-29'],
  ['Anna anrufen morgen', 'Anna anrufen | 2026-11-29'],
  ['Anna anrufen übermorgen', 'Anna anrufen | 2026-11-30'],
  ['Anna anrufen nächsten Freitag', 'Anna anrufen | 2026-12-04'],
  ['Anna anrufen am Montag', 'Anna anrufen | 2026-11-30'],
  ['Anna anrufen in 3 Tagen', 'Anna anrufen | 2026-12-01'],
  ['Rechnung bis Freitag', 'Rechnung | due 2026-12-04'],
  ['Rechnung am 24. Dezember', 'Rechnung | 2026-12-24'],
  ['Rechnung 24.12.2026', 'Rechnung | 2026-12-24'],
])('%s', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each([
  ...['tomorrow', 'Call Anna', 'Buy cream for the sun', 'Ask what may', 'Read chapter 3', 'Update to 5.11.'],
  ...['Prepare for tomorrow', 'The day after tomorrow', 'Find out what happened yesterday', 'Guten Morgen'],
  ...['Talk about monday', 'Order 3 days', 'Watch March of the Penguins', 'Write in 3 words', 'Review 2020-01-01'],
  ...['Notes from 2026-11-28', 'Pay on time', 'Was seit Montag', 'February 30', ''],
])('%s has none', (text) => {
  expect(read(text)).toBe('')
})

test('words that can mean two days are refused with both', () => {
  const wednesday = { ...NOW, now: Date.parse('2026-11-25T12:00:00Z') }
  expect(() => trailingDate('Call Anna next friday', wednesday)).toThrow('can be 2026-11-27 or 2026-12-04')
  expect(() => trailingDate('Anna anrufen nächsten Freitag', wednesday)).toThrow('can be 2026-11-27 or 2026-12-04')
})

test('a day that does not exist is refused', () => {
  expect(() => trailingDate('Party on february 30', NOW)).toThrow('Expected a day that exists, found "february 30"')
})

test('today is that of the space', () => {
  const late = Date.parse('2026-11-28T23:30:00Z')
  expect(trailingDate('Call tomorrow', { now: late, timezone: 'Europe/Berlin' })?.date).toBe('2026-11-30')
  expect(trailingDate('Call tomorrow', { now: late, timezone: 'America/New_York' })?.date).toBe('2026-11-29')
})

test('a long text is read in its last words', () => {
  expect(trailingDate(`${'word '.repeat(100_000)}tomorrow`, NOW)?.date).toBe('2026-11-29')
})
