/**
 * The events of somebody's calendar on some days: repeats are computed, with their exceptions, and times are those of the
 * zone in which they are shown. Source: RFC 5545, 3.8.5.
 */
import ICAL from 'ical.js'
import { CALENDAR_EVENTS_SHOWN, CALENDAR_REPEATS, CALENDAR_TITLE_LENGTH } from '../../base/limits.ts'
import { shorten } from '../../base/shorten.ts'
import type { CivilDate } from '../model/dates.ts'
import { type CalendarPart, scanCalendar } from './scan-calendar.ts'
import { definedZone, momentOf, namedZone, type ShownTime, shownAt, toShown, toTime, UTC, type Zone } from './zones.ts'

export interface ExpandedDays {
  /** The first and the last day. */
  from: CivilDate
  to: CivilDate
  /** The zone in which they are shown, by its IANA name. */
  timezone: string
}

/** An event on some days. */
export interface CalendarEvent {
  title: string
  /** Its first and its last day. */
  from: CivilDate
  to: CivilDate
  /** When it begins and ends, in milliseconds since 1970; absent for whole days. */
  start?: number
  end?: number
}

export interface ExpandedCalendar {
  /** By their beginnings. */
  events: CalendarEvent[]
  /** Events that could not be read, or of which not all repeats were computed. */
  unread: number
  /** True if more events are on these days than are shown. */
  isCut: boolean
  /** The name of an unknown zone. Its times are shown as if they were of {@link ExpandedDays.timezone}. */
  unknownZone?: string
}

const DAY_MS = 86_400_000
/** Days by which the dates of two zones can differ, and one more for what clocks skip. */
const NEAR_DAYS = 2
/** The periods of rules that are counted without a calendar. */
const PERIODS: ReadonlyMap<string, number> = new Map(
  Object.entries({ WEEKLY: 7 * DAY_MS, DAILY: DAY_MS, HOURLY: DAY_MS / 24 }),
)
const FIRST = toShown(ICAL.Time.fromDateString('0001-01-01'))
const LAST = toShown(ICAL.Time.fromDateString('9999-12-31')) + DAY_MS - 1
const dayOf = (shown: ShownTime): CivilDate => new Date(shown).toISOString().slice(0, 10)
const firstOf = (day: CivilDate): ShownTime => toShown(ICAL.Time.fromDateString(day))

export function expandCalendar(text: string, days: ExpandedDays): ExpandedCalendar {
  const { zones, entries } = scanCalendar(text)
  const expansion = new Expansion(days, zones)
  for (const entry of entries) expansion.read(entry)
  return expansion.finish()
}

/** An event as it is written. */
interface WrittenEvent {
  uid: string
  title: string
  isCancelled: boolean
  isDate: boolean
  zone: Zone
  start: ShownTime
  /** Its length: days as clocks show them, and milliseconds that pass. */
  length: { days: number; passing: number }
  /** Of one that takes the place of a time of another event: that time, and of all that follow if it says so. */
  instead?: ICAL.Property
  component: ICAL.Component
}

class Expansion {
  readonly #days: ExpandedDays
  readonly #shownZone: Zone
  readonly #zones = new Map<string, Zone>()
  readonly #events: CalendarEvent[] = []
  /** Repeating events, and what takes the place of some of their times. */
  readonly #repeating: WrittenEvent[] = []
  readonly #instead = new Map<string, WrittenEvent[]>()
  #unread = 0
  #steps = 0
  #unknownZone: string | undefined
  /** Days within which all that is shown begins or ends in whatever zone, as lines have them. */
  readonly #earliest: string
  readonly #latest: string

  constructor(days: ExpandedDays, zones: readonly CalendarPart[]) {
    this.#days = days
    this.#shownZone = namedZone(days.timezone) ?? UTC
    const near = (day: CivilDate, by: number) =>
      dayOf(Math.min(LAST, Math.max(FIRST, firstOf(day) + by * DAY_MS))).replaceAll('-', '')
    this.#earliest = near(days.from, -NEAR_DAYS)
    this.#latest = near(days.to, NEAR_DAYS)
    for (const part of zones) {
      try {
        const { name, zone } = definedZone(part)
        // The zones of this runtime know all years.
        this.#zones.set(name, namedZone(name) ?? zone)
      } catch {
        // Its times count as those of an unknown zone.
      }
    }
  }

  read(part: CalendarPart): void {
    if (this.#isElsewhere(part)) return
    try {
      const event = this.#parse(part)
      if (event === undefined) return
      if (event.instead !== undefined) {
        const others = this.#instead.get(event.uid) ?? []
        this.#instead.set(event.uid, [...others, event])
        if (!event.isCancelled) this.#add(event, event.start)
      } else if (event.isCancelled) return
      else if (event.component.hasProperty('rrule') || event.component.hasProperty('rdate')) this.#repeating.push(event)
      else this.#add(event, event.start)
    } catch {
      this.#unread++
    }
  }

  /** True for an event that happens once, and on other days. Most do, and reading them takes longest. */
  #isElsewhere({ lines }: CalendarPart): boolean {
    if (lines.some((line) => /^(?:DUE|DURATION|RRULE|RDATE|RECURRENCE-ID)[;:]/.test(line))) return false
    const [start, end = start] = ['DTSTART', 'DTEND'].map((name) => dateOfLine(lines, name))
    if (start === undefined || end === undefined) return false
    return start > this.#latest || end < this.#earliest
  }

  /** @returns undefined for what has no date, and tasks that are done @throws if it cannot be read */
  #parse({ kind, lines }: CalendarPart): WrittenEvent | undefined {
    const component = ICAL.Component.fromString(lines.join('\r\n'))
    const status = String(component.getFirstPropertyValue('status') ?? '').toUpperCase()
    if (kind === 'VTODO' && (status === 'COMPLETED' || component.hasProperty('completed'))) return undefined
    const [first, last] = [component.getFirstProperty('dtstart'), component.getFirstProperty('dtend')]
    const due = component.getFirstProperty('due')
    const isRepeating = component.hasProperty('rrule') || component.hasProperty('rdate')
    // A task is on the day on which it is due, as on the pages. A rule counts from its start.
    const property = kind === 'VTODO' && !isRepeating ? (due ?? first) : (first ?? due)
    if (property === null) return undefined
    const time = timeOf(property)
    const zone = this.#zoneOf(property)
    const start = toShown(time)
    if (!(start >= FIRST && start <= LAST)) throw new RangeError('Expected a year from 1 to 9999.')
    const recurrence = component.getFirstProperty('recurrence-id')
    const duration = component.getFirstPropertyValue('duration')
    return {
      uid: String(component.getFirstPropertyValue('uid') ?? ''),
      title: titleOf(component),
      isCancelled: status === 'CANCELLED',
      isDate: time.isDate,
      ...{ zone, start, component },
      length: kind === 'VTODO' ? NO_LENGTH : this.#lengthOf(time, start, zone, last, duration),
      ...(recurrence !== null && { instead: recurrence }),
    }
  }

  #lengthOf(
    { isDate }: ICAL.Time,
    start: ShownTime,
    zone: Zone,
    last: ICAL.Property | null,
    duration: unknown,
  ): WrittenEvent['length'] {
    if (last !== null) {
      const end = timeOf(last)
      if (isDate) return { days: Math.max(1, Math.round((toShown(end) - start) / DAY_MS)), passing: 0 }
      const passing = momentOf(toShown(end), this.#zoneOf(last)) - momentOf(start, zone)
      return { days: 0, passing: Math.max(0, passing) }
    }
    if (duration instanceof ICAL.Duration && !duration.isNegative) {
      const { weeks, days, hours, minutes, seconds } = duration
      const passing = ((hours * 60 + minutes) * 60 + seconds) * 1000
      return { days: weeks * 7 + days || (isDate ? 1 : 0), passing: isDate ? 0 : passing }
    }
    return isDate ? { days: 1, passing: 0 } : NO_LENGTH
  }

  #zoneOf(property: ICAL.Property): Zone {
    const value = property.getFirstValue()
    if (value instanceof ICAL.Time && value.zone === ICAL.Timezone.utcTimezone) return UTC
    const name = property.getParameter('tzid')
    if (typeof name !== 'string') return this.#shownZone
    const zone = this.#zones.get(name) ?? namedZone(name)
    if (zone === undefined) this.#unknownZone ??= shorten(name)
    return zone ?? this.#shownZone
  }

  /** A time of a property as clocks of another zone show it. */
  #inZone(property: ICAL.Property, zone: Zone, value: unknown = property.getFirstValue()): ShownTime {
    if (value instanceof ICAL.Period) return this.#inZone(property, zone, value.start)
    if (!(value instanceof ICAL.Time)) throw new Error('Expected a time, found another value.')
    const own = value.zone === ICAL.Timezone.utcTimezone ? UTC : this.#zoneOf(property)
    const shown = toShown(value)
    return value.isDate || own === zone ? shown : shownAt(momentOf(shown, own), zone)
  }

  /** Adds an event at a time, if it is on the days that are shown. */
  #add({ title, isDate, zone, length }: WrittenEvent, start: ShownTime): void {
    if (start < FIRST || start > LAST) return
    const { from, to } = this.#days
    if (isDate) {
      const event = {
        title,
        from: dayOf(start),
        to: dayOf(Math.min(LAST, start + Math.max(0, length.days - 1) * DAY_MS)),
      }
      if (event.from <= to && event.to >= from) this.#events.push(event)
      return
    }
    const begin = momentOf(start, zone)
    const end = Math.min(
      LAST,
      (length.days > 0 ? momentOf(start + length.days * DAY_MS, zone) : begin) + length.passing,
    )
    // An event that ends at midnight is not on the day that begins then.
    const day = (moment: number) => dayOf(shownAt(moment, this.#shownZone))
    const days = { from: day(begin), to: day(Math.max(begin, end - 1)) }
    if (days.from <= to && days.to >= from) this.#events.push({ title, ...days, start: begin, end })
  }

  finish(): ExpandedCalendar {
    for (const event of this.#repeating) {
      try {
        this.#repeat(event)
      } catch {
        this.#unread++
      }
    }
    const events = this.#events.sort(
      (one, other) =>
        compare(one.from, other.from) ||
        (one.start ?? -Infinity) - (other.start ?? -Infinity) ||
        compare(one.title, other.title),
    )
    return {
      events: events.slice(0, CALENDAR_EVENTS_SHOWN),
      unread: this.#unread,
      isCut: events.length > CALENDAR_EVENTS_SHOWN,
      ...(this.#unknownZone !== undefined && { unknownZone: this.#unknownZone }),
    }
  }

  #repeat(event: WrittenEvent): void {
    const { component, zone, uid } = event
    const starts = new Set([event.start])
    for (const property of component.getAllProperties('rrule')) this.#addRepeats(event, property, starts)
    for (const property of component.getAllProperties('rdate'))
      for (const value of property.getValues()) starts.add(this.#inZone(property, zone, value))
    const following: { from: ShownTime; event: WrittenEvent }[] = []
    for (const other of this.#instead.get(uid) ?? []) {
      if (other.instead === undefined) continue
      const from = this.#inZone(other.instead, zone)
      removeDate(starts, from, other.instead.getFirstValue())
      if (other.instead.getParameter('range') === 'THISANDFUTURE') following.push({ from, event: other })
    }
    following.sort((one, other) => one.from - other.from)
    for (const property of component.getAllProperties('exdate'))
      for (const value of property.getValues()) removeDate(starts, this.#inZone(property, zone, value), value)
    for (const start of starts) {
      const changed = following.findLast(({ from }) => from < start)
      if (changed === undefined) this.#add(event, start)
      else if (!changed.event.isCancelled) this.#add(changed.event, start + changed.event.start - changed.from)
    }
  }

  #addRepeats(event: WrittenEvent, property: ICAL.Property, starts: Set<ShownTime>): void {
    const { start, isDate, zone } = event
    const rule = property.getFirstValue()
    if (!(rule instanceof ICAL.Recur)) throw new Error('Expected a rule, found another value.')
    if (rule.until !== null) {
      const isDay = rule.until.isDate && !isDate
      const until = isDay ? toShown(rule.until) + DAY_MS - 1000 : this.#inZone(property, zone, rule.until)
      rule.until = toTime(until, isDate)
    }
    // Each second or minute of some days would be more than anybody reads.
    if (rule.freq === 'SECONDLY' || rule.freq === 'MINUTELY') throw new Error('Expected a rule of hours or longer.')
    const last = firstOf(this.#days.to) + NEAR_DAYS * DAY_MS
    const first = firstOf(this.#days.from) - NEAR_DAYS * DAY_MS - event.length.days * DAY_MS - event.length.passing
    const iterator = rule.iterator(toTime(nearStart(rule, start, first), isDate))
    for (let time = iterator.next() as ICAL.Time | null; time; time = iterator.next() as ICAL.Time | null) {
      if (++this.#steps > CALENDAR_REPEATS) throw new RangeError('Expected fewer repeats.')
      const shown = toShown(time)
      if (shown > last) return
      if (shown >= first) starts.add(shown)
    }
  }
}

/** A time of the rule's own from which it has the same times as from its start, without those that are long past. */
function nearStart({ freq, interval, count }: ICAL.Recur, start: ShownTime, first: ShownTime): ShownTime {
  const period = (PERIODS.get(freq) ?? 0) * Math.max(1, interval)
  if (period === 0 || count) return start
  return start + Math.max(0, Math.floor((first - start) / period) - 1) * period
}

const NO_LENGTH: WrittenEvent['length'] = { days: 0, passing: 0 }

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Takes out a time; a whole day takes out all times of it. */
function removeDate(starts: Set<ShownTime>, left: ShownTime, value: unknown): void {
  starts.delete(left)
  if (!(value instanceof ICAL.Time) || !value.isDate) return
  for (const start of starts) if (start >= left && start < left + DAY_MS) starts.delete(start)
}

function timeOf(property: ICAL.Property): ICAL.Time {
  const value = property.getFirstValue()
  if (!(value instanceof ICAL.Time)) throw new Error('Expected a date, found another value.')
  return value
}

/** The day in the first line with this name: `20261128`. */
function dateOfLine(lines: readonly string[], name: string): string | undefined {
  const line = lines.find((one) => one.startsWith(name) && /[;:]/.test(one.charAt(name.length)))
  if (line === undefined) return undefined
  return /^\d{8}/.exec(line.slice(line.lastIndexOf(':') + 1))?.[0]
}

/** On one line. */
function titleOf(component: ICAL.Component): string {
  const title = String(component.getFirstPropertyValue('summary') ?? '').toWellFormed()
  return shorten(title.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim(), CALENDAR_TITLE_LENGTH)
}
