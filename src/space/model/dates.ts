/** Civil dates in the space's time zone. Date arithmetic uses the calendar and never adds 24 hours. */
import { Temporal } from 'temporal-polyfill'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { parseNaturalDate } from './natural-dates.ts'

/** An existing day, as `YYYY-MM-DD`. */
export type CivilDate = string

export const RELATIVE_DATES = ['today', 'tomorrow', 'yesterday'] as const
type RelativeDate = (typeof RELATIVE_DATES)[number]
const DAYS_FROM_TODAY: Record<RelativeDate, number> = { today: 0, tomorrow: 1, yesterday: -1 }

const isRelative = (text: string): text is RelativeDate => Object.hasOwn(DAYS_FROM_TODAY, text)

/** How dates can be written, for messages. */
export const DATE_FORMS = 'a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days'

/** The time and the time zone by which a space computes dates. */
export interface Calendar {
  /** Milliseconds since 1970. */
  now: number
  /** IANA name. */
  timezone: string
}

/**
 * Validates a date as clients write it: `YYYY-MM-DD`, a time with its zone, or words relative to today. Times and words
 * are returned as they are, because their meaning depends on the space.
 *
 * @throws VALIDATION_ERROR for any other form and for days that do not exist, such as 2026-02-29.
 */
export function validateDate(given: string): string {
  const [time] = TIME_OF_DAY.exec(given) ?? []
  if (time !== undefined) return validateTimestamp(given, time)
  const text = given.trim()
  const word = text.toLowerCase()
  if (isRelative(word)) return word
  if (parseNaturalDate(text) !== undefined) return text
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    throw invalid(`Expected ${DATE_FORMS}, found "${text}"${adviceOnDate(word)}.`)
  }
  try {
    return inWrittenYears(Temporal.PlainDate.from(text)).toString()
  } catch (error) {
    if (error instanceof ScriptoriumError) throw error
    throw invalid(`Expected a day that exists, found "${text}"; ${validRangeHint(text)}`)
  }
}

/** @throws VALIDATION_ERROR for a day that four digits for the year cannot express, and for the year before 1 */
function inWrittenYears(day: Temporal.PlainDate): Temporal.PlainDate {
  if (day.year >= 1 && day.year <= 9999) return day
  throw invalid(`Expected a day in the years 1 to 9999, found one in the year ${day.year}; choose another day.`)
}

/** What words mean that are no date. */
function adviceOnDate(word: string): string {
  if (/^(?:every|each|daily|weekly|monthly|yearly|annually)\b/.test(word))
    return '; a task that comes round again has repeat beside a date'
  return /^(?:no|none|never|clear|remove|unset)\b/.test(word)
    ? '; null clears a date, and without one leave it out'
    : ''
}

/**
 * A time with a zone is the day that it is in the time zone of the space. One without would be lost.
 *
 * @throws VALIDATION_ERROR for a time of day without a zone, unless it is midnight, and for a moment that does not exist
 */
function validateTimestamp(text: string, time: string): string {
  const day = validateDate(text.slice(0, 'YYYY-MM-DD'.length))
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(time)) {
    parseTimestamp(text)
    return text
  }
  if (/^[T ]00:00(?::00(?:\.0+)?)?$/i.test(time)) return day
  throw invalid(
    `Expected a date without a time, found "${text}", whose time would be lost; give ${day}, and set a time with reminders_add.`,
  )
}

/** The part of a timestamp after the day. */
const TIME_OF_DAY = /(?<=^\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i

//   2026-02-29   2026-13-01
//           ^         ^
function validRangeHint(text: string): string {
  const [year = 0, month = 0] = text.split('-').map(Number)
  if (month < 1 || month > 12) return 'months go from 01 to 12.'
  const { daysInMonth } = Temporal.PlainYearMonth.from({ year, month })
  return `that month has ${daysInMonth} days.`
}

/** Resolves a validated date to a day in this calendar. */
export function resolveDate(date: string, calendar: Calendar): CivilDate {
  if (/^\d{4}-\d\d-\d\d$/.test(date)) return date
  if (TIME_OF_DAY.test(date)) return inWrittenYears(todayIn({ ...calendar, now: parseTimestamp(date) })).toString()
  if (!isRelative(date)) {
    const natural = parseNaturalDate(date)?.(todayIn(calendar))
    return natural === undefined ? date : inWrittenYears(natural).toString()
  }
  return todayIn(calendar).add({ days: DAYS_FROM_TODAY[date] }).toString()
}

/** The first and the last millisecond of a day, also if daylight saving time begins or ends on it. */
export function dayBounds(date: CivilDate, { timezone }: Pick<Calendar, 'timezone'>): { from: number; to: number } {
  const day = Temporal.PlainDate.from(date)
  const start = (of: Temporal.PlainDate) => of.toZonedDateTime(timezone).epochMilliseconds
  return { from: start(day), to: start(day.add({ days: 1 })) - 1 }
}

/** The moment at which clocks show the time this many minutes after midnight of a day, in milliseconds since 1970. */
export function momentOnDay(date: CivilDate, minutes: number, { timezone }: Pick<Calendar, 'timezone'>): number {
  const time = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes })
  return time.toZonedDateTime(timezone).epochMilliseconds
}

/**
 * The moment at which clocks show this date and time, in milliseconds since 1970.
 *
 * @param text  `2026-11-25T09:00`, with or without seconds
 * @throws VALIDATION_ERROR for any other form, and for days and times that do not exist
 */
export function parseLocalTime(text: string, { timezone }: Pick<Calendar, 'timezone'>): number {
  try {
    if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/.test(text)) throw new RangeError('another form')
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).epochMilliseconds
  } catch {
    const found = text === '' ? 'none' : `"${text.slice(0, 40)}"`
    throw invalid(`Expected a day and a time that exist, found ${found}; fill in both.`)
  }
}

/**
 * The moment that a form names: as {@link parseLocalTime}, or a day in words with a time, such as `tomorrow 9:30`,
 * `next friday at 5 pm` or `morgen um 14 Uhr`. Without a time, it is nine o'clock.
 *
 * @throws VALIDATION_ERROR for what names no moment, or two days
 */
export function parseMoment(text: string, calendar: Calendar): number {
  const written = text.trim()
  if (written === '' || /^\d{4}-\d{2}-\d{2}T/.test(written)) return parseLocalTime(written, calendar)
  const {
    day = 'today',
    hour = '9',
    minute = '00',
    half = '',
  } = (MOMENT.exec(written.slice(0, MOMENT_LENGTH))?.groups ?? { day: written }) as {
    day?: string
    hour?: string
    minute?: string
    half?: string
  }
  const date = resolveDate(validateDate(day === '' ? 'today' : day), calendar)
  const isPm = half.toLowerCase() === 'pm'
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (isPm ? 12 : 0)
  return parseLocalTime(`${date}T${String(hours).padStart(2, '0')}:${minute}`, calendar)
}

/** Characters of the longest words for a moment. */
const MOMENT_LENGTH = 100
/** A time at the end: `9:30`, `5 pm`, `at 9`, `um 14 Uhr`. A number alone may belong to the day. */
const MOMENT =
  /^(?<day>.*?),? *(?:(?:\b(?:at|um) )(?<hour>\d{1,2})(?:[:.](?<minute>\d{2}))?(?: ?(?<half>am|pm)| ?uhr)?|\b(?<hour>\d{1,2}):(?<minute>\d{2})(?: ?(?<half>am|pm)| ?uhr)?|\b(?<hour>\d{1,2})(?: ?(?<half>am|pm)| ?uhr))$/i

/** A day in words: `Friday, November 20, 2026`. */
export function formatLongDate(date: CivilDate): string {
  const { year, month, day } = Temporal.PlainDate.from(date)
  const utc = new Date(0)
  utc.setUTCFullYear(year, month - 1, day)
  longDateFormat ??= new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  })
  return longDateFormat.format(utc)
}

// Created on first use, because that takes longer than anything else here.
let longDateFormat: Intl.DateTimeFormat | undefined

/** The local time: `2026-11-20T10:42:17+01:00`. */
export function formatLocalTime({ now, timezone }: Calendar): string {
  const time = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone)
  return time.toString({ fractionalSecondDigits: 0, timeZoneName: 'never' })
}

/** Formats a moment for answers: `2026-11-20T09:42:17.000Z`. */
export const formatTimestamp = (milliseconds: number): string => new Date(milliseconds).toISOString()

/**
 * Parses a moment as clients write it, with `Z` or an offset. Returns milliseconds since 1970.
 *
 * @throws VALIDATION_ERROR for any other form, a time without a zone, and times that do not exist
 */
export function parseTimestamp(text: string): number {
  const match = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?$/.exec(text)
  if (match === null) {
    throw invalid(`Expected a time such as 2026-11-21T09:00:00+01:00, found "${text}"; write date, time and offset.`)
  }
  if (match[1] === undefined) {
    throw invalid(
      `Expected a time with Z or an offset such as +01:00, found "${text}" without; connection_get tells the offset of the space.`,
    )
  }
  validateDate(text.slice(0, 'YYYY-MM-DD'.length))
  try {
    return Temporal.Instant.from(text).epochMilliseconds
  } catch {
    throw invalid(`Expected a time that exists, found "${text}"; hours go from 00 to 23, minutes and seconds to 59.`)
  }
}

/**
 * Validates the name of a time zone and returns its canonical spelling.
 *
 * @throws VALIDATION_ERROR for a name that this runtime does not know
 */
export function normalizeTimezone(name: string): string {
  if (canonicalNames.has(name)) return name
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions()
    canonicalNames.add(timeZone)
    return timeZone
  } catch {
    throw invalid(`Expected the IANA name of a time zone such as Europe/Budapest, found "${name}".`)
  }
}

/** Those that were validated: looking one up takes as long as a short call. */
const canonicalNames = new Set<string>()

/** The day on which a moment is, in milliseconds since 1970. */
export const dateAt = (now: number, { timezone }: Pick<Calendar, 'timezone'>): CivilDate =>
  todayIn({ now, timezone }).toString()

/** The number of days, and of whole months, from one day to a later one. */
export function dateDifference(from: CivilDate, to: CivilDate): { days: number; months: number } {
  const [start, end] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const { years, months } = start.until(end, { largestUnit: 'years' })
  return { days: start.until(end).days, months: years * 12 + months }
}

/** The day this many days after another day, or before it if `days` is negative. */
export const addDays = (date: CivilDate, days: number): CivilDate =>
  Temporal.PlainDate.from(date).add({ days }).toString()

function todayIn({ now, timezone }: Calendar): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate()
}
