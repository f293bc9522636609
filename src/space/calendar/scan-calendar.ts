/**
 * Finds what is shown of an iCalendar file: titles and times. Only these lines are kept, so that a line that is written
 * wrong elsewhere, such as a description with line breaks, does no harm. Source: RFC 5545, 3.1 and 3.6.
 */
import { CALENDAR_EVENTS, CALENDAR_LINE_LENGTH } from '../../base/limits.ts'

/** An event, a task or a time zone: its lines, unfolded, from `BEGIN` to `END`. */
export interface CalendarPart {
  kind: 'VEVENT' | 'VTODO' | 'VTIMEZONE'
  lines: readonly string[]
}

export interface ScannedCalendar {
  /** As its owner calls it. */
  name?: string
  zones: CalendarPart[]
  entries: CalendarPart[]
  /** Events beyond the limits. */
  leftOut: number
}

/** The lines that are kept of each part, and of the parts within it. */
const KEPT: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    VEVENT: lineNames('UID SUMMARY STATUS DTSTART DTEND DURATION RRULE RDATE EXDATE RECURRENCE-ID'),
    VTODO: lineNames('UID SUMMARY STATUS DTSTART DUE DURATION RRULE RDATE EXDATE RECURRENCE-ID COMPLETED'),
    VTIMEZONE: lineNames('TZID'),
    STANDARD: lineNames('DTSTART TZOFFSETFROM TZOFFSETTO RRULE RDATE'),
    DAYLIGHT: lineNames('DTSTART TZOFFSETFROM TZOFFSETTO RRULE RDATE'),
  }),
)
const PARTS: ReadonlySet<string> = lineNames('VEVENT VTODO VTIMEZONE')
const WITHIN_ZONE: ReadonlySet<string> = lineNames('STANDARD DAYLIGHT')
/** Names of the whole calendar: that of RFC 7986, and that of older programs. */
const NAMES: ReadonlySet<string> = lineNames('NAME X-WR-CALNAME')

function lineNames(names: string): Set<string> {
  return new Set(names.split(' '))
}

/** True for text that could be a calendar. Others are often the page of a website. */
export const isCalendarText = (text: string): boolean => /^\uFEFF?\s*BEGIN:VCALENDAR\s/i.test(text.slice(0, 1_000))

export function scanCalendar(text: string): ScannedCalendar {
  const found: ScannedCalendar = { zones: [], entries: [], leftOut: 0 }
  /** The part that is read, and the parts that are open in the present place. */
  let lines: string[] | undefined
  const open: string[] = []
  for (const line of unfoldedLines(text)) {
    const [, name = '', rest = ''] = /^([\w-]+)([;:][\s\S]*)$/.exec(line) ?? []
    const property = name.toUpperCase()
    const component = property === 'BEGIN' || property === 'END' ? rest.slice(1).trim().toUpperCase() : ''
    if (property === 'BEGIN') {
      open.push(component)
      if (open.length === 2 && PARTS.has(component)) lines = [`BEGIN:${component}`]
      else if (open.length === 3 && open[1] === 'VTIMEZONE' && WITHIN_ZONE.has(component))
        lines?.push(`BEGIN:${component}`)
    } else if (property === 'END') {
      // A part that was never begun is no end of another.
      if (open.at(-1) !== component) continue
      open.pop()
      if (open.length === 2 && open[1] === 'VTIMEZONE' && WITHIN_ZONE.has(component)) lines?.push(`END:${component}`)
      if (open.length === 1 && lines !== undefined) {
        addPart(found, { kind: component as CalendarPart['kind'], lines: [...lines, `END:${component}`] })
        lines = undefined
      }
    } else if (open.length === 1 && NAMES.has(property)) {
      found.name ??= rest.replace(/^[^:]*:/, '').replace(/\\([\\;,])|\\[nN]/g, (_, sign = ' ') => sign)
    } else if (KEPT.get(open.at(-1) ?? '')?.has(property) && lines !== undefined && isDirect(open)) {
      const line = `${property}${rest}`
      if (line.length <= CALENDAR_LINE_LENGTH) lines.push(line)
      else if (property === 'SUMMARY') lines.push(line.slice(0, CALENDAR_LINE_LENGTH).toWellFormed())
      else {
        // Without all of its dates, it would be shown on days on which it is not.
        found.leftOut++
        lines = undefined
      }
    }
  }
  return found
}

/** True in a part of the calendar itself, and in one of a time zone, but not in an alarm. */
const isDirect = (open: readonly string[]): boolean =>
  open.length === 2 || (open.length === 3 && WITHIN_ZONE.has(open[2] ?? ''))

function addPart(found: ScannedCalendar, part: CalendarPart): void {
  if (part.kind === 'VTIMEZONE') found.zones.push(part)
  else if (found.entries.length < CALENDAR_EVENTS) found.entries.push(part)
  else found.leftOut++
}

/** The calendar with no more than was found, as {@link scanCalendar} reads it. */
export const keptText = ({ zones, entries }: ScannedCalendar): string =>
  ['BEGIN:VCALENDAR', ...[...zones, ...entries].flatMap(({ lines }) => lines), 'END:VCALENDAR'].join('\n')

/** Long lines are folded: a line that begins with white space goes on with the one before. */
function* unfoldedLines(text: string): Generator<string> {
  let parts: string[] = []
  const next = /[^\r\n]+/g
  for (const [line] of text.replace(/^\uFEFF/, '').matchAll(next)) {
    if (/^[ \t]/.test(line)) {
      parts.push(line.slice(1))
      continue
    }
    if (parts.length > 0) yield parts.join('')
    parts = [line]
  }
  if (parts.length > 0) yield parts.join('')
}
