/**
 * Calendars of others on the pages. Each belongs to one person: a participant who signed in, the person who uses a
 * link, or the operator. No one else sees it, and no tool, search or export has its events.
 */
import { accessLinkById } from '../../../storage/access-links.ts'
import {
  type CalendarListing,
  type CalendarReader,
  calendarContents,
  claimCalendar,
  deleteCalendar,
  insertCalendar,
  listCalendars,
  markCalendarFailed,
  markCalendarUnchanged,
  renameCalendar,
  updateCalendar,
} from '../../../storage/subscribed-calendars.ts'
import type { RequestChecks } from '../../base/checked-request.ts'
import { invalid, notFound } from '../../base/errors.ts'
import {
  CALENDAR_AGAIN_SECONDS,
  CALENDAR_NAME_LENGTH,
  CALENDAR_REFRESH_MINUTES,
  CALENDAR_RETRY_MINUTES,
  CALENDARS_PER_PERSON,
} from '../../base/limits.ts'
import { canWrite } from '../model/access.ts'
import type { AccessLink, Space } from '../model/space.ts'
import type { CalendarEvent, ExpandedDays } from './expand-calendar.ts'
import { calendarAddress, fetchCalendar } from './fetch-calendar.ts'
import { expandKept, keepCalendar, TOO_SLOW } from './read-calendar.ts'

export type { CalendarEvent, CalendarListing }

/** A space whose transactions are short: nothing is fetched or read within one. */
export interface CalendarSpace {
  read<Result>(link: AccessLink, work: (space: Space) => Promise<Result>): Promise<Result>
  write<Result>(link: AccessLink, work: (space: Space) => Promise<Result>): Promise<Result>
}

/** The calendars of the person, oldest first. Guests have none. */
export async function subscribedCalendars(space: Space): Promise<CalendarListing[]> {
  const reader = await readerOf(space)
  return reader === undefined ? [] : listCalendars(space.tx, reader)
}

/** False for guests, of whom several can use the same link, and for links that only read or comment. */
export const mayHaveCalendars = (link: AccessLink): boolean => link.isPerson === true && !link.isGuest && canWrite(link)

async function readerOf({ tx, link }: Space): Promise<CalendarReader | undefined> {
  if (!mayHaveCalendars(link)) return undefined
  if (link.id !== undefined) {
    const row = await accessLinkById(tx, link.id)
    return row && { participant: null, link: row.n }
  }
  return { participant: link.participant ?? null, link: null }
}

async function ownReader(space: Space): Promise<CalendarReader> {
  const reader = await readerOf(space)
  if (reader === undefined) throw notFound('Expected a person with calendars of their own, found a link that has none.')
  return reader
}

/**
 * Subscribes to a calendar, once it could be read.
 *
 * @param name  that of the calendar if empty
 * @returns its name
 * @throws VALIDATION_ERROR for an address that cannot be read now, and for too many calendars
 */
export async function subscribe(
  space: CalendarSpace,
  link: AccessLink,
  given: { address: string; name: string },
  options: RequestChecks,
): Promise<string> {
  const url = calendarAddress(given.address)
  await space.read(link, async (view) => assertRoom(await listCalendars(view.tx, await ownReader(view)), url))
  const fetched = await fetchCalendar(url, {}, options)
  if ('fault' in fetched) throw unreadable(fetched.fault)
  if (!('text' in fetched)) throw unreadable('status 304')
  const kept = await keepCalendar(fetched.text)
  if (kept === TOO_SLOW) throw unreadable(TOO_SLOW)
  const name = oneLine(given.name) || oneLine(kept.name ?? '') || new URL(url).hostname
  await space.write(link, async (view) => {
    const reader = await ownReader(view)
    const others = await listCalendars(view.tx, reader)
    // A form may be sent twice.
    if (others.some((one) => one.url === url)) return
    assertRoom(others, url)
    const { now } = view
    const { etag = null, lastModified = null } = fetched.version
    await insertCalendar(view.tx, {
      ...{ ...reader, url, name, createdAt: now, checkedAt: now, readAt: now, etag, lastModified },
      ...{ content: kept.text, leftOut: kept.leftOut },
    })
  })
  return name
}

function assertRoom(calendars: readonly CalendarListing[], url: string): void {
  if (calendars.length < CALENDARS_PER_PERSON || calendars.some((one) => one.url === url)) return
  throw invalid(
    `Expected at most ${CALENDARS_PER_PERSON} calendars, found that many; remove one before you subscribe to another.`,
  )
}

const unreadable = (fault: string) =>
  invalid(`Expected a calendar at this address, found that ${fault}. Check the address, and try again.`)

const oneLine = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, CALENDAR_NAME_LENGTH)
    .toWellFormed()

/** @throws NOT_FOUND_ERROR */
export async function unsubscribe(space: Space, n: number): Promise<void> {
  if (!(await deleteCalendar(space.tx, await ownReader(space), n))) throw noCalendar()
}

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR for no name */
export async function renameSubscribed(space: Space, n: number, given: string): Promise<void> {
  const name = oneLine(given)
  if (name === '') throw invalid('Expected a name for the calendar, found none; type one.')
  if (!(await renameCalendar(space.tx, await ownReader(space), n, name))) throw noCalendar()
}

const noCalendar = () => notFound('Expected one of your calendars, found none with this number; open the page again.')

/** True for a calendar that is to be read again when it is shown. */
export function isStale({ checkedAt, failingSince }: CalendarListing, now: number): boolean {
  const minutes = failingSince === null ? CALENDAR_REFRESH_MINUTES : CALENDAR_RETRY_MINUTES
  return checkedAt <= now - minutes * 60_000
}

/** Reads a calendar again. @param isAsked  true if its reader asks for it, who need not wait as long */
export async function refresh(
  space: CalendarSpace,
  link: AccessLink,
  n: number,
  options: RequestChecks,
  isAsked = false,
): Promise<void> {
  const claimed = await space.write(link, async (view) => {
    const listing = (await subscribedCalendars(view)).find((one) => one.n === n)
    if (listing === undefined || !(isAsked || isStale(listing, view.now))) return undefined
    return claimCalendar(view.tx, n, { now: view.now, before: view.now - CALENDAR_AGAIN_SECONDS * 1000 })
  })
  if (claimed === undefined) return
  const { url, etag, lastModified } = claimed
  const known = { etag: etag ?? undefined, lastModified: lastModified ?? undefined }
  const fetched = await fetchCalendar(url, known, options)
  const kept = 'text' in fetched ? await keepCalendar(fetched.text) : undefined
  await space.write(link, async ({ tx, now }) => {
    if ('isUnchanged' in fetched) return markCalendarUnchanged(tx, n, now)
    if ('fault' in fetched) return markCalendarFailed(tx, n, now, fetched.fault)
    if (kept === undefined || kept === TOO_SLOW) return markCalendarFailed(tx, n, now, TOO_SLOW)
    const { text: content, leftOut } = kept
    const { version } = fetched
    return updateCalendar(tx, {
      ...{ n, readAt: now, content, leftOut },
      ...{ etag: version.etag ?? null, lastModified: version.lastModified ?? null },
    })
  })
}

/** The events of a calendar on some days, and what is not shown of it. */
export interface ShownCalendar {
  calendar: CalendarListing
  events: readonly CalendarEvent[]
  /** Sentences about what is not shown, or not as it is written. */
  notes: readonly string[]
}

/** The events of all calendars of the person on some days. */
export async function eventsOnDays(
  space: CalendarSpace,
  link: AccessLink,
  days: ExpandedDays,
): Promise<ShownCalendar[]> {
  const found = await space.read(link, async (view) => {
    const reader = await readerOf(view)
    if (reader === undefined) return undefined
    return { calendars: await listCalendars(view.tx, reader), contents: await calendarContents(view.tx, reader) }
  })
  if (found === undefined) return []
  const shown: ShownCalendar[] = []
  for (const calendar of found.calendars) {
    const content = found.contents.get(calendar.n) ?? ''
    const expanded = await expandKept(content, days)
    if (expanded === TOO_SLOW) {
      shown.push({ calendar, events: [], notes: ['It is not shown, since reading it takes too long.'] })
      continue
    }
    const { events, unread, isCut, unknownZone } = expanded
    const notes = [
      ...(isCut ? [`More than ${events.length} events are on these days; the rest is not shown.`] : []),
      ...(unread > 0 ? [`Not shown, since they cannot be read or repeat too often: ${unread} of its events.`] : []),
      ...(calendar.leftOut > 0 ? [`Not shown, since it has too many: ${calendar.leftOut} of its events.`] : []),
      ...(unknownZone !== undefined
        ? [`Times in the unknown zone ${unknownZone} are shown as those of this space.`]
        : []),
    ]
    shown.push({ calendar, events, notes })
  }
  return shown
}
