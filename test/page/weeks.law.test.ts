/** Weeks and months of calendars, for the years 1 to 9999, compared with Temporal. */
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { isDay, isMonth, monthWeeks } from '../../src/page/collections/month-weeks.ts'
import { Formats } from '../../src/page/formats.ts'
import { dayBounds } from '../../src/space/model/dates.ts'
import { NOW } from '../build.ts'
import { runs } from '../support/runs.ts'
import { servePages, textOf, visitAsOperator } from './visiting.ts'

const months = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1, max: 9999 }), fc.constantFrom(1, 99, 1582, 1900, 2000, 9999)),
    fc.integer({ min: 1, max: 12 }),
  )
  .map(([year, month]) => new Temporal.PlainYearMonth(year, month))
const inOrder = (start: number) => Array.from({ length: 7 }, (_, index) => ((start - 1 + index) % 7) + 1)

test('a month has its days on their weekdays, and weeks have their numbers', () => {
  fc.assert(
    fc.property(months, fc.integer({ min: 1, max: 7 }), (month, start) => {
      const days = inOrder(start)
      const { dates, weeks, numbers } = monthWeeks(month.toString(), days)
      expect(isMonth(month.toString())).toBe(true)
      expect(dates).toHaveLength(month.daysInMonth)
      for (const [index, week] of weeks.entries()) {
        for (const [at, date] of week.entries()) {
          if (date === undefined) continue
          const day = Temporal.PlainDate.from(date)
          expect([day.dayOfWeek, isDay(date)]).toEqual([days[at], true])
          if (start === 1) expect(numbers[index]).toBe(day.weekOfYear)
          // Of other weeks, the first has January 1.
          else if (day.dayOfYear === 1) expect(numbers[index]).toBe(1)
        }
        const last = week.findLast((date) => date !== undefined) ?? ''
        if (index > 0 && numbers[index] !== 1) expect(numbers[index]).toBe((numbers[index - 1] ?? 0) + 1)
        else if (index > 0 && start !== 1) expect(last.slice(5, 7)).toMatch(/01|12/)
      }
      expect(weeks.flat().filter((date) => date !== undefined)).toEqual(dates)
    }),
    { numRuns: runs(100, 5_000) },
  )
})

test('weeks begin where the space says, else where the language does', () => {
  const first = (language: string, weekStart?: number | null) =>
    new Formats([language], 'UTC', NOW, weekStart).weekdays()[0]
  expect([first('en-US'), first('de-DE'), first('ar-EG')].map((day) => day?.number)).toEqual([7, 1, 6])
  expect(first('de-DE', 6)).toEqual({ name: 'Sa', number: 6 })
  expect(first('en-US', null)?.number).toBe(7)
})

test('a day has its moments in every zone, also when clocks are changed', () => {
  const zones = [
    'Europe/Berlin',
    'America/Sao_Paulo',
    'Asia/Kathmandu',
    'Africa/Cairo',
    'Pacific/Apia',
    'Australia/Lord_Howe',
  ]
  const days = fc.date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(fc.constantFrom(...zones), days, (timezone, time) => {
      const day = time.toISOString().slice(0, 10)
      const { from, to } = dayBounds(day, { timezone })
      const next = dayBounds(Temporal.PlainDate.from(day).add({ days: 1 }).toString(), { timezone })
      // Days follow one another without a gap. The day that Samoa left out has no moment.
      expect(next.from).toBe(to + 1)
      if (to < from) return
      const formats = new Formats(['en-US'], timezone, NOW)
      expect([formats.dateOf(from), formats.dateOf(to)]).toEqual([day, day])
    }),
    { numRuns: runs(100, 5_000) },
  )
})

test('the setting is on the page, and months that do not exist lead to this one', async () => {
  const serving = await servePages()
  const visitor = await visitAsOperator(serving)
  const weekdays = async () => /class="week"><\/td><th scope="col">(\w+)/.exec((await visitor.get('/days')).text)?.[1]
  expect(await weekdays()).toBe('Sun')
  const settings = { name: 'Test', timezone: 'Europe/Budapest', weekStart: 'monday' }
  expect((await visitor.post('/settings', settings)).status).toBe(303)
  expect(await weekdays()).toBe('Mon')
  const { text } = await visitor.get('/days?month=2026-01')
  expect(text.match(/aria-label="Week \d+"/g)).toEqual([1, 2, 3, 4, 5].map((week) => `aria-label="Week ${week}"`))
  for (const path of ['/days?month=2026-13', '/days?month=0000-01']) {
    const page = await visitor.get(path)
    expect([path, page.status]).toEqual([path, 200])
  }
  for (const day of ['2026-02-31', '2026-99-99']) expect((await visitor.get(`/days/${day}`)).status).toBe(404)
  expect(textOf(await visitor.get('/days?month=0001-01'))).not.toContain('Earlier')
  expect(textOf(await visitor.get('/days?month=9999-12'))).not.toContain('Later')
})
