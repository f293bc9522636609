/** Writes a calendar as iCalendar. Source: RFC 5545; RFC 7986 for the properties of the calendar. */
import ICAL from 'ical.js'
import { CALENDAR_ENTRIES } from '../../base/limits.ts'
import { addDays, type CivilDate } from '../model/dates.ts'
import type { CalendarEntries, CalendarEntry } from './calendar-entries.ts'

export interface CalendarInfo {
  name: string
  /** Of the space: part of the identifiers. */
  spaceId: string
}

/** How often clients are asked to read it again. */
const REFRESHED_EVERY = 'PT1H'

/** The calendar as text, with the line ends and folded lines of RFC 5545. Only titles and dates are in it. */
export function writeCalendar({ name, spaceId }: CalendarInfo, { entries, isCut }: CalendarEntries): string {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//Scriptorium//Scriptorium//EN')
  for (const property of ['name', 'x-wr-calname']) calendar.addPropertyWithValue(property, oneLine(name))
  if (isCut) {
    calendar.addPropertyWithValue(
      'description',
      `There is more than this calendar shows: ${CALENDAR_ENTRIES} of each kind.`,
    )
  }
  calendar.addProperty(new ICAL.Property(['refresh-interval', {}, 'duration', REFRESHED_EVERY]))
  for (const entry of entries) calendar.addSubcomponent(componentOf(entry, spaceId))
  return `${calendar.toString()}\r\n`
}

function componentOf({ id, title, changedAt, at }: CalendarEntry, spaceId: string): ICAL.Component {
  const component = new ICAL.Component(at.kind === 'task' ? 'vtodo' : 'vevent')
  component.addPropertyWithValue('uid', `${id}@${spaceId}`)
  component.addPropertyWithValue('dtstamp', momentOf(changedAt))
  component.addPropertyWithValue('summary', oneLine(title))
  if (at.kind === 'task') {
    const { start, due, rule } = at
    if (start !== undefined) component.addPropertyWithValue('dtstart', dayOf(start))
    // A rule needs a start, and a date to do something by is never before it.
    else if (rule !== undefined && due !== undefined) component.addPropertyWithValue('dtstart', dayOf(due))
    if (due !== undefined && (start === undefined || due >= start)) component.addPropertyWithValue('due', dayOf(due))
    component.addPropertyWithValue('status', 'NEEDS-ACTION')
    if (rule !== undefined) component.addPropertyWithValue('rrule', ICAL.Recur.fromString(rule))
  } else if (at.kind === 'moment') {
    component.addPropertyWithValue('dtstart', momentOf(at.time))
  } else {
    component.addPropertyWithValue('dtstart', dayOf(at.start))
    // The end is the first day after. The last day that can be written has none, and an event without end is a day long.
    if (at.end < LAST_DAY) component.addPropertyWithValue('dtend', dayOf(addDays(at.end, 1)))
    component.addPropertyWithValue('transp', 'TRANSPARENT')
  }
  return component
}

const oneLine = (text: string): string => text.toWellFormed().replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

const LAST_DAY = '9999-12-31'

const dayOf = (day: CivilDate): ICAL.Time => ICAL.Time.fromDateString(day)

const momentOf = (time: number): ICAL.Time => {
  const moment = ICAL.Time.fromJSDate(new Date(time), true)
  moment.zone = ICAL.Timezone.utcTimezone
  return moment
}
