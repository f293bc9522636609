/** Rules of repetition as text: `daily`, `every 2 weeks`, `every monday`. They count from the day that the task had. */
import { isObject } from '../../src/base/is-object.ts'
import { WEEKDAYS } from '../../src/space/model/weekdays.ts'
import { FREQUENCIES } from '../../src/space/schedule/repeats.ts'
import { sentWord } from './sent-word.ts'

type Fields = Record<string, unknown>
type Frequency = (typeof FREQUENCIES)[number]

const UNITS: ReadonlyMap<string, Frequency> = new Map([
  ...FREQUENCIES.map((one) => [one, one] as const),
  ['day', 'daily'],
  ['week', 'weekly'],
  ['month', 'monthly'],
  ['year', 'yearly'],
  ['annually', 'yearly'],
])
const COUNTS: ReadonlyMap<string, number> = new Map([
  ['other', 2],
  ['second', 2],
  ['two', 2],
  ['three', 3],
])
const WEEKDAYS_ALONE: ReadonlySet<string> = new Set([
  'weekdays',
  'weekday',
  'every weekday',
  'workdays',
  'every workday',
])

/**
 * The rule that a text means, or an object with `frequency` as text or without `type`.
 *
 * @returns undefined if it is a rule already, or means none
 */
export function readRepeat(given: unknown): Fields | undefined {
  if (typeof given === 'string') return readText(sentWord(given).replace(/\s+/g, ' '))
  if (!isObject(given)) return undefined
  const { type, frequency, ...others } = given
  const named = UNITS.get(sentWord(frequency ?? type))
  if (named === undefined || (frequency === named && type !== undefined)) return undefined
  // Another type beside the frequency is refused later.
  if (frequency !== undefined) return { type: type ?? 'fixed', frequency: named, ...others }
  return { type: 'fixed', frequency: named, ...others }
}

function readText(text: string): Fields | undefined {
  const type = 'fixed'
  if (WEEKDAYS_ALONE.has(text)) return { type, frequency: 'daily', daily: { skipWeekends: true } }
  const [, count = '1', word = ''] =
    /^(?:every |each )?(?:(\d{1,3}|other|second|two|three) )?([a-z]+)$/.exec(text) ?? []
  const isCounted = text.startsWith('every ') || text.startsWith('each ')
  const interval = COUNTS.get(count) ?? Number(count)
  const day = WEEKDAYS.find((one) => one === word || (isCounted && one.slice(0, 3) === word))
  const frequency = UNITS.get(word) ?? (interval > 1 ? UNITS.get(word.replace(/s$/, '')) : undefined)
  if (interval < 1 || (interval > 1 && !isCounted)) return undefined
  const steps = interval > 1 ? { interval } : {}
  if (frequency !== undefined) return { type, frequency, ...steps }
  return day === undefined ? undefined : { type, frequency: 'weekly', ...steps, weekly: { days: [day] } }
}
