/** What is shown of calendars of others agrees with a second parser, and no file stops the server. */
import fc from 'fast-check'
import ical from 'node-ical'
import { expect, test } from 'vitest'
import { type ExpandedDays, expandCalendar } from '../../src/space/calendar/expand-calendar.ts'
import { expandKept, TOO_SLOW } from '../../src/space/calendar/read-calendar.ts'
import { keptText, scanCalendar } from '../../src/space/calendar/scan-calendar.ts'
import { runs } from '../support/runs.ts'

const NOVEMBER: ExpandedDays = { from: '2026-11-01', to: '2026-11-30', timezone: 'Europe/Berlin' }

const calendarOf = (...lines: string[]): string => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n')
const eventOf = (...lines: string[]): string[] => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']

/** Days and titles of what is shown. */
const shown = (text: string, days = NOVEMBER): string[] =>
  expandCalendar(keptText(scanCalendar(text)), days).events.map(({ title, from, to, start }) => {
    const time = start === undefined ? '' : ` ${new Date(start).toISOString().slice(11, 16)}`
    return `${from}${to === from ? '' : `/${to}`}${time} ${title}`.trim()
  })

const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe')
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const rule = fc.oneof(
  fc.record({ freq: fc.constant('DAILY'), interval: fc.integer({ min: 1, max: 9 }) }),
  fc.record({
    freq: fc.constant('WEEKLY'),
    interval: fc.integer({ min: 1, max: 4 }),
    days: fc.subarray(DAYS, { minLength: 1 }),
  }),
  fc.record({
    freq: fc.constant('MONTHLY'),
    interval: fc.integer({ min: 1, max: 3 }),
    day: fc.integer({ min: 1, max: 28 }),
  }),
  fc.record({ freq: fc.constant('YEARLY'), interval: fc.constant(1), month: fc.constantFrom(10, 11, 12) }),
) as fc.Arbitrary<{ freq: string; interval: number; days?: string[]; day?: number; month?: number }>
const end = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 400 }).map((count) => `;COUNT=${count}`),
  fc.integer({ min: 1, max: 28 }).map((day) => `;UNTIL=202611${String(day).padStart(2, '0')}T120000Z`),
)

test('repeats in any zone are those of a second parser', () => {
  const start = fc.record({
    year: fc.integer({ min: 2019, max: 2025 }),
    month: fc.integer({ min: 1, max: 10 }),
    day: fc.integer({ min: 1, max: 28 }),
    hour: fc.integer({ min: 4, max: 23 }),
  })
  const two = (value: number) => String(value).padStart(2, '0')
  fc.assert(
    fc.property(zone, rule, end, start, (tzid, { freq, interval, days, day, month }, ending, from) => {
      // A start that the rule does not have is a time of its own, of which parsers think differently.
      const first = new Date(Date.UTC(from.year, (month ?? from.month) - 1, day ?? from.day))
      const weekday = DAYS[(first.getUTCDay() + 6) % 7] ?? ''
      const local = `${from.year}${two(month ?? from.month)}${two(day ?? from.day)}T${two(from.hour)}0000`
      const by = [
        ...(days ? [`;BYDAY=${[...new Set([weekday, ...days])].join(',')}`] : []),
        ...(day !== undefined ? [`;BYMONTHDAY=${day}`] : []),
      ].join('')
      const text = calendarOf(
        ...eventOf(
          'UID:1',
          'SUMMARY:A',
          `DTSTART;TZID=${tzid}:${local}`,
          'DURATION:PT1H',
          `RRULE:FREQ=${freq};INTERVAL=${interval}${by}${ending}`,
        ),
      )
      const [event] = Object.values(ical.sync.parseICS(text)).filter((one) => one?.type === 'VEVENT')
      const [after, before] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)]
      const expected = ical
        .expandRecurringEvent(event as never, { from: new Date(after), to: new Date(before - 1) })
        .map((one) => Number(one.start))
        .filter((at) => at >= after && at < before)
      // One that begins before these days and lasts into them is shown, too.
      const found = expandCalendar(text, { ...NOVEMBER, timezone: 'UTC' })
        .events.map(({ start: at = 0 }) => at)
        .filter((at) => at >= after)
      expect(found).toEqual(expected)
    }),
    { numRuns: runs(40, 2_000) },
  )
}, 120_000)

test('repeats of days, with some left out, moved, added and cancelled', () => {
  const text = calendarOf(
    ...eventOf(
      ...['UID:1', 'SUMMARY:Walk', 'DTSTART;VALUE=DATE:20261102', 'RRULE:FREQ=WEEKLY'],
      ...['EXDATE;VALUE=DATE:20261109', 'RDATE;VALUE=DATE:20261110'],
    ),
    ...eventOf('UID:1', 'RECURRENCE-ID;VALUE=DATE:20261116', 'SUMMARY:Run', 'DTSTART;VALUE=DATE:20261118'),
    ...eventOf('UID:1', 'RECURRENCE-ID;VALUE=DATE:20261123', 'STATUS:CANCELLED', 'DTSTART;VALUE=DATE:20261123'),
    // One of January that was moved into these days.
    ...eventOf('UID:1', 'RECURRENCE-ID;VALUE=DATE:20270104', 'SUMMARY:Early', 'DTSTART;VALUE=DATE:20261105'),
  )
  expect(shown(text)).toEqual([
    '2026-11-02 Walk',
    '2026-11-05 Early',
    '2026-11-10 Walk',
    '2026-11-18 Run',
    '2026-11-30 Walk',
  ])
  expect(shown(text, { ...NOVEMBER, from: '2027-01-01', to: '2027-01-31' })).not.toContain('2027-01-04 Walk')
})

test('a change of all that follow keeps its shift', () => {
  const text = calendarOf(
    ...eventOf('UID:1', 'SUMMARY:Call', 'DTSTART:20261103T090000Z', 'DTEND:20261103T100000Z', 'RRULE:FREQ=WEEKLY'),
    ...eventOf(
      'UID:1',
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20261117T090000Z',
      'SUMMARY:Later',
      'DTSTART:20261117T110000Z',
    ),
  )
  expect(shown(text)).toEqual([
    '2026-11-03 09:00 Call',
    '2026-11-10 09:00 Call',
    '2026-11-17 11:00 Later',
    '2026-11-24 11:00 Later',
  ])
})

test('zones that a calendar defines itself, unknown ones, times without one, and ends at midnight', () => {
  const outlook = [
    ...['BEGIN:VTIMEZONE', 'TZID:W. Europe Standard Time', 'BEGIN:STANDARD', 'DTSTART:16010101T030000'],
    ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD'],
    ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200'],
    ...['RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
  ]
  const text = calendarOf(
    ...outlook,
    ...eventOf(
      ...['UID:1', 'SUMMARY:Outlook', 'DTSTART;TZID=W. Europe Standard Time:20260706T090000', 'DURATION:PT1H'],
      'RRULE:FREQ=WEEKLY;INTERVAL=9;UNTIL=20261109T080000Z',
    ),
    ...eventOf('UID:2', 'SUMMARY:Mars', 'DTSTART;TZID=Mars/Olympus:20261104T090000', 'DURATION:PT1H'),
    ...eventOf('UID:3', 'SUMMARY:Floating', 'DTSTART:20261105T090000', 'DURATION:PT1H'),
    ...eventOf(
      'UID:4',
      'SUMMARY:Night',
      'DTSTART;TZID=Europe/Berlin:20261106T220000',
      'DTEND;TZID=Europe/Berlin:20261107T000000',
    ),
    ...eventOf('UID:5', 'SUMMARY:Long', 'DTSTART:20251001T000000Z', 'DTEND:20270101T000000Z'),
  )
  expect(shown(text)).toEqual([
    '2025-10-01/2027-01-01 00:00 Long',
    '2026-11-04 08:00 Mars',
    '2026-11-05 08:00 Floating',
    '2026-11-06 21:00 Night',
    '2026-11-09 08:00 Outlook',
  ])
  expect(expandCalendar(text, NOVEMBER).unknownZone).toBe('Mars/Olympus')
})

test('tasks are on their day until they are done, and what is written wrong is counted', () => {
  const text = calendarOf(
    ...['BEGIN:VTODO', 'UID:1', 'SUMMARY:Pay', 'DTSTART;VALUE=DATE:20261101', 'DUE;VALUE=DATE:20261112', 'END:VTODO'],
    ...['BEGIN:VTODO', 'UID:2', 'SUMMARY:Paid', 'DUE;VALUE=DATE:20261112', 'STATUS:COMPLETED', 'END:VTODO'],
    ...eventOf('UID:3', 'SUMMARY:No such day', 'DTSTART:banana'),
    ...eventOf('UID:4', 'SUMMARY:Each second', 'DTSTART:20261101T000000Z', 'RRULE:FREQ=SECONDLY'),
    ...eventOf('UID:5', 'SUMMARY:No date'),
    ...[
      'BEGIN:VEVENT',
      'a line without sense',
      'DTSTART;VALUE=DATE:20261113',
      'DESCRIPTION:x',
      'y',
      'SUMMARY:T\\, i\\nt',
      ' le',
      'END:VEVENT',
    ],
  )
  expect(shown(text)).toEqual(['2026-11-12 Pay', '2026-11-13 T, i tle'])
  expect(expandCalendar(text, NOVEMBER).unread).toBe(2)
})

test('in years 1 to 9999', () => {
  const text = calendarOf(
    ...eventOf('UID:1', 'SUMMARY:First', 'DTSTART;VALUE=DATE:00010101', 'RRULE:FREQ=YEARLY'),
    ...eventOf('UID:2', 'SUMMARY:Last', 'DTSTART;VALUE=DATE:99991231'),
    ...eventOf('UID:3', 'SUMMARY:Evening', 'DTSTART:99991231T120000Z', 'DURATION:P2D'),
  )
  const of = (from: string, to: string) => shown(text, { from, to, timezone: 'UTC' })
  expect(of('0001-01-01', '0001-01-31')).toEqual(['0001-01-01 First'])
  expect(of('9999-12-01', '9999-12-31')).toEqual(['9999-12-31 Last', '9999-12-31 12:00 Evening'])
  expect(of('9999-01-01', '9999-01-31')).toEqual(['9999-01-01 First'])
})

test('an endless rule is given up', async () => {
  const endless = [
    'UID:1',
    'SUMMARY:Never',
    'DTSTART:20200101T090000Z',
    'RRULE:FREQ=MONTHLY;INTERVAL=1;BYDAY=MO;BYMONTHDAY=30;BYMONTH=2',
  ]
  const hourly = ['UID:2', 'SUMMARY:Never', 'DTSTART:20200101T090000Z', 'RRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30']
  expect(await expandKept(calendarOf(...eventOf(...endless), ...eventOf(...hourly)), NOVEMBER, 20)).toBe(TOO_SLOW)
})

test('no text stops it, and what is kept is read as the whole', () => {
  const line = fc.constantFrom(
    ...['BEGIN:VEVENT', 'END:VEVENT', 'BEGIN:VCALENDAR', 'END:VCALENDAR', 'BEGIN:VALARM', 'END:VALARM', ' folded', 'X'],
    ...['DTSTART:20261101T100000Z', 'DTSTART;VALUE=DATE:20261103', 'RRULE:FREQ=DAILY', 'RRULE:FREQ=', 'DURATION:-PT5M'],
    ...[
      'SUMMARY:a',
      'UID:1',
      'RECURRENCE-ID:20261104T100000Z',
      'EXDATE:20261105T100000Z',
      'RDATE:x',
      'DTEND:20261101T090000Z',
    ],
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const text = calendarOf(...lines)
      const kept = keptText(scanCalendar(text))
      expect(keptText(scanCalendar(kept))).toBe(kept)
      expect(expandCalendar(kept, NOVEMBER)).toEqual(expandCalendar(text, NOVEMBER))
    }),
    { numRuns: runs(200, 5_000) },
  )
})
