/**
 * A day at the end of a task, as people type it: `Call Anna tomorrow`, `Rechnung bis Freitag`. Only phrases that are hardly
 * anything else count: a task is never about the sun because it ends in `sun`.
 */
import { type Calendar, type CivilDate, resolveDate, validateDate } from './dates.ts'
import { WEEKDAYS } from './weekdays.ts'

export interface TrailingDate {
  /** The text before it. */
  text: string
  date: CivilDate
  /** True after `by` and `due`, in German after `bis`. */
  isDeadline: boolean
}

const NAMED = [
  ...['today', 'tomorrow', 'tmrw', 'day after tomorrow', 'the day after tomorrow'],
  ...['heute', 'übermorgen', 'uebermorgen', ...WEEKDAYS],
  ...['montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag', 'sonnabend', 'sonntag'],
].join('|')
/** Phrases that are days, in lower case. */
const PHRASES = [
  new RegExp(`^(?:${NAMED})$`, 'u'),
  // A weekday, also a short one, of a certain week.
  /^(?:on|this|next|coming|am|diese[nrs]?|nächste[nrs]?|naechste[nrs]?|kommende[nrs]?) \p{L}+\.?$/u,
  /^(?:in|\+) ?\S+ \p{L}+$/u,
  /^\S+ \p{L}+ from (?:now|today)$/u,
  // A day of a month.
  /^(?:(?:on|am|den) )?(?:the )?\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?\p{L}+\.?(?:,? \d{4})?$/u,
  /^(?:on )?\p{L}+\.? (?:the )?\d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?$/u,
  /^(?:(?:on|am|den) )?\d{1,2}\. ?\d{1,2}\. ?\d{4}$/u,
  /^(?:on )?\d{4}[-/]\d{2}[-/]\d{2}$/u,
]
/** The most words of a phrase. */
const WORDS = 5
/** Characters of the end of a text that are read. */
const LENGTH = 100
const DEADLINE = /(?:^|\s)(?:due(?: on| by)?|by|bis(?: zum)?)$/i
/** Words that need what follows them: `Prepare for tomorrow` is about tomorrow. */
const BINDING =
  /(?:^|\s)(?:a|about|after|and|before|for|from|in|of|or|since|than|the|to|until|vs|with|ab|auf|bis|für|nach|oder|seit|über|um|und|von|vor|zu|zum)$/iu

/**
 * @returns undefined for a text that ends in no day of today or later
 * @throws VALIDATION_ERROR for words that can mean two days, and for a day that does not exist
 */
export function trailingDate(text: string, calendar: Calendar): TrailingDate | undefined {
  const written = text.trimEnd()
  const starts = [...written.slice(-LENGTH).matchAll(/(?<=\s)\S/g)].map(
    ({ index }) => Math.max(0, written.length - LENGTH) + index,
  )
  // The longest phrase first: `next friday`, not `friday`.
  for (const start of starts.slice(-WORDS)) {
    const date = dayIn(written.slice(start), calendar)
    if (date === undefined) continue
    const before = written.slice(0, start).trimEnd()
    const isDeadline = DEADLINE.test(before)
    if (!isDeadline && BINDING.test(before)) return undefined
    const rest = before.replace(isDeadline ? DEADLINE : /$/, '').replace(/[\s,;:–-]+$/u, '')
    return rest === '' ? undefined : { text: rest, date, isDeadline }
  }
  return undefined
}

function dayIn(words: string, calendar: Calendar): CivilDate | undefined {
  const phrase = words.replace(/\s+/g, ' ').replace(/[!?]$/, '')
  // In German, `morgen` is tomorrow, and `Morgen` is a morning.
  if (phrase !== 'morgen' && !PHRASES.some((one) => one.test(phrase.toLowerCase()))) return undefined
  const today = resolveDate('today', calendar)
  const given = phrase.replace(/^on (?=\d|\p{L}+\.? (?:the )?\d)/iu, '')
  if (!isDay(given)) return undefined
  const date = resolveDate(validateDate(given), calendar)
  return date >= today ? date : undefined
}

/** True for what is read as a day, if only as one of two. */
function isDay(given: string): boolean {
  try {
    validateDate(given)
    return true
  } catch {
    return false
  }
}
