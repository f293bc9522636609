/**
 * Days in English and German phrases, as people and models write them: `in 3 days`, `next friday`, `Nov 23`, `in 3 Tagen`,
 * `nächsten Freitag`, `24. Dezember`. One that can mean two
 * days is refused with both. A list of our own, since parsers of natural language guess where phrases are ambiguous, and
 * read the clock and the time zone of the machine.
 */
import { Temporal } from 'temporal-polyfill'
import { invalid } from '../../base/errors.ts'
import { fromGerman } from './german-dates.ts'
import { WEEKDAYS } from './weekdays.ts'

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

const NAMED: ReadonlyMap<string, number> = new Map(
  Object.entries({
    today: 0,
    tomorrow: 1,
    yesterday: -1,
    'day after tomorrow': 2,
    'the day after tomorrow': 2,
    'day before yesterday': -2,
    tmrw: 1,
    tmr: 1,
  }),
)
const UNITS = '(day|days|d|week|weeks|w|month|months|year|years)'
const COUNT = `(\\d{1,4}|an?|${NUMBERS.slice(1).join('|')})`
const AHEAD = new RegExp(`^(?:in )?\\+?${COUNT} ?${UNITS}( from now| from today| ago)?$`)
const WEEKDAY = /^(?:(?:on|this|next|coming) )?([a-z]+)$/
const ORDINAL = /^(\d{1,2})(?:st|nd|rd|th)?$/

/** A day that a phrase names: it depends on today. */
type RelativeDay = (today: Temporal.PlainDate) => Temporal.PlainDate

/**
 * @returns a function from today to the day that the phrase names, or undefined for other text
 * @throws the function: VALIDATION_ERROR for a phrase that can mean two days
 */
export function parseNaturalDate(text: string): RelativeDay | undefined {
  const phrase = text.trim().toLowerCase().replace(/\s+/g, ' ')
  const german = fromGerman(phrase)
  return parsePhrase(phrase, text) ?? (german === undefined ? undefined : parsePhrase(german, text))
}

/** @param text  the phrase as it was given, for errors */
function parsePhrase(phrase: string, text: string): RelativeDay | undefined {
  const days = NAMED.get(phrase)
  if (days !== undefined) return (today) => today.add({ days })
  return parseDistance(phrase) ?? parseWeekday(phrase, text) ?? parseMonthDay(phrase, text)
}

function parseDistance(phrase: string): RelativeDay | undefined {
  const [all, count = '', unit = '', direction] = AHEAD.exec(phrase) ?? []
  // `3 days` alone is a length, and no day.
  if (all === undefined || !(phrase.startsWith('in ') || phrase.startsWith('+') || direction !== undefined))
    return undefined
  if (phrase.startsWith('in ') && direction === ' ago') return undefined
  const number = /^\d/.test(count) ? Number(count) : count.startsWith('a') ? 1 : NUMBERS.indexOf(count)
  const amount = direction === ' ago' ? -number : number
  if (unit.startsWith('d')) return (today) => today.add({ days: amount })
  if (unit.startsWith('w')) return (today) => today.add({ weeks: amount })
  return unit.startsWith('m') ? (today) => today.add({ months: amount }) : (today) => today.add({ years: amount })
}

function parseWeekday(phrase: string, text: string): RelativeDay | undefined {
  const [, name = ''] = WEEKDAY.exec(phrase) ?? []
  const index = WEEKDAYS.findIndex((day) => day === name || (name.length >= 3 && day.startsWith(name)))
  if (index < 0) return undefined
  return (today) => {
    const ahead = (index + 8 - today.dayOfWeek) % 7
    const coming = today.add({ days: ahead })
    // On the day itself, `friday` may be today, and `next friday` is in a week. Before it, `next friday` may be either.
    if (phrase.startsWith('next ') ? ahead === 0 : ahead > 0) return ahead === 0 ? coming.add({ days: 7 }) : coming
    if (phrase.startsWith('next ') && today.dayOfWeek > index + 1) return coming
    throw ambiguous(text, [coming, coming.add({ days: 7 })])
  }
}

//   november 23, 2026   23rd nov   friday, 27 november 2026   2026/11/27   27.11.2026   27.11.
function parseMonthDay(phrase: string, text: string): RelativeDay | undefined {
  const slashes = /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/.exec(phrase)
  if (slashes !== null) return exactDay(text, slashes.slice(1).map(Number))
  const dots = /^(?:am |den )?(\d{1,2})\. ?(\d{1,2})\.(?: ?(\d{4}))?$/.exec(phrase)
  if (dots !== null) {
    const [dayNumber = 0, monthNumber = 0] = dots.slice(1, 3).map(Number)
    return dots[3] === undefined
      ? comingDay(text, monthNumber, dayNumber)
      : exactDay(text, [Number(dots[3]), monthNumber, dayNumber])
  }
  const parts = phrase
    .replace(/,/g, ' ')
    .split(/ +/)
    .filter((part) => part !== 'of' && part !== 'the')
  const weekday = WEEKDAYS.findIndex((day) => parts[0] === day || parts[0] === day.slice(0, 3))
  if (weekday >= 0) parts.shift()
  const [first = '', second = '', year, ...more] = parts
  if (more.length > 0 || (year !== undefined && !/^\d{4}$/.test(year))) return undefined
  const isMonthFirst = monthOf(first) > 0
  const month = monthOf(isMonthFirst ? first : second)
  const day = Number(ORDINAL.exec(isMonthFirst ? second : first)?.[1])
  if (month === 0 || !(day >= 1)) return undefined
  if (year !== undefined) return exactDay(text, [Number(year), month, day], weekday)
  return comingDay(text, month, day, weekday)
}

/** A day of a month without a year: the next one, unless it can be the last one as well. */
function comingDay(text: string, month: number, day: number, weekday = -1): RelativeDay {
  return (today) => {
    const [past, coming] = [0, 1].map((years) => dayOf(text, [today.year + years, month, day])) as [
      Temporal.PlainDate,
      Temporal.PlainDate,
    ]
    if (Temporal.PlainDate.compare(past, today) >= 0) return checkWeekday(text, past, weekday)
    // A day of the last months of a year can be the one before, too.
    if (today.until(coming).days > HALF_A_YEAR) throw ambiguous(text, [past, coming])
    return checkWeekday(text, coming, weekday)
  }
}

const HALF_A_YEAR = 183

function monthOf(written: string): number {
  const word = written.replace(/\.$/, '')
  const isShort = word.length === 3 || word.length === 4
  return MONTHS.findIndex((month) => month === word || (isShort && month.startsWith(word))) + 1
}

function exactDay(text: string, parts: readonly number[], weekday = -1): RelativeDay {
  const day = checkWeekday(text, dayOf(text, parts), weekday)
  return () => day
}

function dayOf(text: string, [year = 0, month = 0, day = 0]: readonly number[]): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
  } catch {
    throw invalid(`Expected a day that exists, found "${text}"; give it as YYYY-MM-DD.`)
  }
}

function checkWeekday(text: string, day: Temporal.PlainDate, weekday: number): Temporal.PlainDate {
  if (weekday < 0 || day.dayOfWeek === weekday + 1) return day
  throw invalid(`Expected the weekday of ${day}, found "${text}"; give the day as YYYY-MM-DD.`)
}

const ambiguous = (text: string, [one, other]: readonly [Temporal.PlainDate, Temporal.PlainDate]) =>
  invalid(`Expected one day, found "${text}", which can be ${one} or ${other}; give it as YYYY-MM-DD.`)
