/** Events of calendars of others, as days on the pages show them. They are only read. */

import { shownTitle } from '../markdown/shown-title.ts'
import {
  type CalendarEvent,
  type CalendarListing,
  eventsOnDays,
  isStale,
  mayHaveCalendars,
  refresh,
  type ShownCalendar,
  subscribedCalendars,
} from '../space/calendar/subscribed-calendars.ts'
import { type Html, html } from './html.ts'
import type { PageCall } from './page-call.ts'
import { shownText } from './shown-text.ts'
import { text } from './texts/text.ts'

/** What the calendars of the person have on some days. */
export interface EventsOnDays {
  calendars: readonly ShownCalendar[]
  /** True if some are to be read again: a script then asks for the days once more. */
  isStale: boolean
}

/** Events of one day in a month; further ones are on the page of the day. */
const SHOWN_IN_MONTH = 6
/** Calendars that are fetched at the same time. */
const FETCHED_AT_ONCE = 4

/** Reads the events, and first the calendars again if a script of the page asks for it. */
export async function readEvents(call: PageCall, from: string, to: string): Promise<EventsOnDays> {
  const { space, link } = call.request.caller
  if (!mayHaveCalendars(link)) return { calendars: [], isStale: false }
  if (call.query.get('fresh') === 'yes') await readAgain(call)
  const calendars = await eventsOnDays(space, link, { from, to, timezone: space.info.timezone })
  return { calendars, isStale: calendars.some(({ calendar }) => isStale(calendar, call.request.now)) }
}

async function readAgain(call: PageCall): Promise<void> {
  const { caller, now, isAllowed } = call.request
  const stale = (await caller.space.read(caller.link, subscribedCalendars)).filter((one) => isStale(one, now))
  for (let start = 0; start < stale.length; start += FETCHED_AT_ONCE) {
    const some = stale.slice(start, start + FETCHED_AT_ONCE)
    await Promise.all(some.map(({ n }) => refresh(caller.space, caller.link, n, { isAllowed })))
  }
}

/** Attributes of a part of a page that a script replaces once the calendars were read again. @param id  of the part */
export const readAgainLater = (call: PageCall, id: string, { isStale }: EventsOnDays): Html | false =>
  isStale &&
  html` hx-get="${call.href(call.request.path, { ...Object.fromEntries(call.query), fresh: 'yes' })}" hx-select="#${id}" hx-trigger="load" hx-swap="outerMorph"`

/** The events of a day in a month. */
export function eventsInMonth(call: PageCall, { calendars }: EventsOnDays, date: string): Html | false {
  const events = eventsOf(calendars, date)
  const rest = events.length - SHOWN_IN_MONTH
  const href = call.links.day(date)
  const entry = ({ event, calendar }: DayEvent) => {
    const when = timesOf(call, event, date)
    const label = `${when === '' ? '' : `${when} `}${shownTitle(event.title)} (${calendar.name})`
    return html`<li><a href="${href}" title="${label}">${shownText(shownTitle(event.title))}${startOf(call, event, date)}</a></li>`
  }
  return (
    events.length > 0 &&
    html`<ul>${events.slice(0, SHOWN_IN_MONTH).map(entry)}${rest > 0 && html`<li><a href="${href}">${call.formats.number(rest)} more</a></li>`}</ul>`
  )
}

/** The events of a day, beside its note. */
export function dayEventsHtml(call: PageCall, shown: EventsOnDays, date: string): Html | false {
  if (shown.calendars.length === 0) return false
  const events = eventsOf(shown.calendars, date)
  const id = 'day-events'
  return html`<section id="${id}" aria-label="Events"${readAgainLater(call, id, shown)}>${
    events.length > 0 &&
    html`<ul class="documents">${events.map(
      ({ event, calendar }) =>
        html`<li><span dir="auto">${shownText(shownTitle(event.title))}</span><span class="right"><span class="n" title="${calendar.name}">${timesOf(call, event, date) || text('all day')}</span></span></li>
`,
    )}</ul>`
  }${calendarNotes(call, shown)}</section>`
}

/** What is not shown of calendars, and which of them cannot be read. */
export function calendarNotes(call: PageCall, { calendars }: EventsOnDays): Html[] {
  return calendars.flatMap(({ calendar, notes }) =>
    [faultOf(call, calendar), ...notes.map((note) => html`${note}`)]
      .filter((note) => note !== false)
      .map((note) => html`<p class="about"><b>${shownText(calendar.name)}</b>: ${note}</p>`),
  )
}

/** Since when a calendar cannot be read, and why. */
export const faultOf = (call: PageCall, { failingSince, fault, readAt }: CalendarListing): Html | false =>
  failingSince !== null &&
  html`Not reachable since ${call.formats.moment(new Date(failingSince).toISOString())}: ${shownText(fault ?? '')}.${readAt !== null && html` What is shown was read ${call.formats.moment(new Date(readAt).toISOString())}.`}`

interface DayEvent {
  event: CalendarEvent
  calendar: CalendarListing
}

/** Whole days first, then by their beginnings. */
const eventsOf = (calendars: readonly ShownCalendar[], date: string): DayEvent[] =>
  calendars
    .flatMap(({ calendar, events }) =>
      events.filter(({ from, to }) => from <= date && date <= to).map((event) => ({ event, calendar })),
    )
    .sort((one, other) => (one.event.start ?? -Infinity) - (other.event.start ?? -Infinity))

/** When it begins, on the day on which it does. It follows the title, for which a day of a month has little room. */
const startOf = (call: PageCall, { from, start }: CalendarEvent, date: string): Html | false =>
  start !== undefined && from === date && html` ${call.formats.clock(start)}`

/** The times of an event on a day: empty for whole days, and days within a longer one. */
function timesOf({ formats }: PageCall, { from, to, start, end }: CalendarEvent, date: string): string {
  if (start === undefined || end === undefined) return ''
  const [begins, ends] = [from === date, to === date]
  if (begins && ends) return start === end ? formats.clock(start) : `${formats.clock(start)} – ${formats.clock(end)}`
  if (begins) return text('from {start}', { start: formats.clock(start) })
  return ends ? text('until {end}', { end: formats.clock(end) }) : ''
}
