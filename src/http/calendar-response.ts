/** The calendar of a link, as programs with calendars read it again and again. */
import { hash } from 'node:crypto'
import type { Caller } from '../call/run.ts'

/** @throws LINK_PAUSED */
export async function calendarResponse(request: Request, { space, link }: Caller): Promise<Response> {
  // Loaded when a calendar is first read.
  const { readCalendarEntries } = await import('../space/calendar/calendar-entries.ts')
  const { writeCalendar } = await import('../space/calendar/write-calendar.ts')
  const entries = await space.read(link, readCalendarEntries)
  const { name, id } = space.info
  const text = writeCalendar({ name, spaceId: id }, entries)
  const tag = `"${hash('sha256', text, 'base64url')}"`
  const headers = { ETag: tag, 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' }
  const known = request.headers.get('if-none-match')?.split(',') ?? []
  // Compression makes it a weak one.
  if (known.some((one) => one.trim().replace(/^W\//, '') === tag)) return new Response(null, { status: 304, headers })
  return new Response(text, {
    headers: {
      ...headers,
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'inline; filename="calendar.ics"',
    },
  })
}
