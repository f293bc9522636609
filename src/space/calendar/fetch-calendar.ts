/**
 * Fetches somebody's calendar. Its address is checked as those of webhooks are, and so is each address that it leads to,
 * so that no one can make this machine ask its own network.
 */
import type { IncomingMessage } from 'node:http'
import { checkedRequest, type RequestChecks } from '../../base/checked-request.ts'
import { invalid, messageOf } from '../../base/errors.ts'
import { CALENDAR_BYTES, CALENDAR_FETCH_SECONDS, CALENDAR_REDIRECTS, CALENDAR_URL_LENGTH } from '../../base/limits.ts'
import { responseTo } from '../../base/response-to.ts'
import { shorten } from '../../base/shorten.ts'
import { isCalendarText } from './scan-calendar.ts'

/** How a server names the version of a calendar that it sent, with which it is asked whether there is a newer one. */
export interface CalendarVersion {
  etag?: string | undefined
  lastModified?: string | undefined
}

/** The calendar, that it has not changed, or why it could not be read: a part of a sentence. */
export type FetchedCalendar = { text: string; version: CalendarVersion } | { isUnchanged: true } | { fault: string }

/**
 * The address as it is stored: `webcal` is a name for `https` that starts a program for calendars.
 *
 * @throws VALIDATION_ERROR for what is no address of a calendar
 */
export function calendarAddress(given: string): string {
  const text = given.trim().replace(/^webcals?:\/\//i, 'https://')
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === undefined || !isHttp || url.username !== '' || url.password !== '' || text.length > CALENDAR_URL_LENGTH) {
    throw invalid(
      `Expected the address of a calendar with https or webcal, without a user name and of at most ${CALENDAR_URL_LENGTH} characters, found "${shorten(given.trim())}"; copy it from the settings of the calendar.`,
    )
  }
  url.hash = ''
  return url.href
}

/** @param known  the version that is there already @param milliseconds  in which all of it must arrive */
export async function fetchCalendar(
  address: string,
  known: CalendarVersion,
  options: RequestChecks,
  milliseconds = CALENDAR_FETCH_SECONDS * 1000,
): Promise<FetchedCalendar> {
  const signal = AbortSignal.timeout(milliseconds)
  try {
    let url = new URL(address)
    for (let redirects = 0; redirects <= CALENDAR_REDIRECTS; redirects++) {
      const found = await ask(url, known, options, signal)
      if (!('leadsTo' in found)) return found
      url = found.leadsTo
    }
    return { fault: `it leads on more than ${CALENDAR_REDIRECTS} times` }
  } catch (error) {
    return { fault: signal.aborted ? `no answer within ${milliseconds / 1000} seconds` : faultOf(error) }
  }
}

async function ask(
  url: URL,
  { etag, lastModified }: CalendarVersion,
  checks: RequestChecks,
  signal: AbortSignal,
): Promise<FetchedCalendar | { leadsTo: URL }> {
  const outgoing = checkedRequest(url, checks, {
    headers: {
      accept: 'text/calendar, */*;q=0.1',
      'accept-encoding': 'identity',
      'user-agent': 'Scriptorium',
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
    },
    signal,
  })
  try {
    const answered = responseTo(outgoing)
    outgoing.end()
    return await readResponse(await answered, url)
  } finally {
    outgoing.destroy()
  }
}

async function readResponse(response: IncomingMessage, url: URL): Promise<FetchedCalendar | { leadsTo: URL }> {
  const { statusCode: status = 0, headers } = response
  if (status === 304) return { isUnchanged: true }
  if (status >= 300 && status < 400) {
    const { location = '' } = headers
    if (!URL.canParse(location, url.href)) return { fault: `status ${status} without an address` }
    const leadsTo = new URL(location.replace(/^webcals?:\/\//i, 'https://'), url)
    return /^https?:$/.test(leadsTo.protocol) ? { leadsTo } : { fault: `it leads to ${leadsTo.protocol}` }
  }
  if (status !== 200) return { fault: `status ${status}` }
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') return { fault: `it is sent as ${shorten(encoding)}, which was not asked for` }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > CALENDAR_BYTES) return { fault: `it is larger than ${CALENDAR_BYTES / 1024 / 1024} MiB` }
    chunks.push(chunk)
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks))
  if (!isCalendarText(text)) return { fault: 'it is no calendar, but another file or page' }
  const [etag, lastModified] = [headers.etag, headers['last-modified']].map((value) =>
    value !== undefined && value.length <= VERSION_LENGTH ? value : undefined,
  )
  return { text, version: { etag, lastModified } }
}

const VERSION_LENGTH = 500
const FAULT_LENGTH = 200

function faultOf(error: unknown): string {
  // If none of several addresses could be connected to, reports the first error.
  const first = error instanceof AggregateError ? error.errors[0] : error
  return messageOf(first).slice(0, FAULT_LENGTH).replace(/\.$/, '')
}
