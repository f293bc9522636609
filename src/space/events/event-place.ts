/**
 * Where a subscriber is in the events: the position in the feed, how many occurrences of the next entry it already has,
 * and the bursts of changes that have not ended. Cursors hold all of it, so nothing is stored for a subscriber that polls.
 */
import { lastCallBefore } from '../../../storage/audit-log.ts'
import { feedBounds } from '../../../storage/feed.ts'
import { EVENT_CURSOR_LENGTH } from '../../base/limits.ts'
import type { FeedPosition } from '../feed/feed-position.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../model/cursors.ts'
import { reachOf, type Space } from '../model/space.ts'

/** Changes of one thing that make one event. */
export interface Burst {
  /** The number of the document or item. */
  subject: number
  /** The number of the last call that changed it. */
  call: number
  /** How many calls did. */
  count: number
  /** When the first and the last of them did, in milliseconds since 1970. */
  since: number
  until: number
}

export interface EventPlace extends FeedPosition {
  /** How many occurrences of the entry after this position were returned already. */
  skip: number
  /** In order of their last change. */
  bursts: readonly Burst[]
  reachChanges: number
  /** When the subscriber began, in milliseconds since 1970; 0 for one that wants all that history keeps. */
  began: number
}

/** Bursts that a cursor holds. If more things change at once, the burst that has been quiet longest ends early. */
export const OPEN_BURSTS = 16

/** The position after everything that has happened. */
export async function currentPlace(space: Space): Promise<EventPlace> {
  const { call, event } = await feedBounds(space.tx)
  return { call, event, skip: 0, bursts: [], reachChanges: space.link.reachChanges ?? 0, began: space.now }
}

/** The position before the oldest call that history keeps. */
export async function firstPlace(space: Space): Promise<EventPlace> {
  const { forgotten } = await feedBounds(space.tx)
  return { call: forgotten, event: 0, skip: 0, bursts: [], reachChanges: space.link.reachChanges ?? 0, began: 0 }
}

/** The digits of each number in a cursor. They are always the same, since the length of a cursor could reveal a number. */
const RADIX = 36
const PLACE_DIGITS = [7, 7, 4, 4, 8]
const BURST_DIGITS = [7, 7, 4, 8, 6]
const PLACE_LENGTH = sum(PLACE_DIGITS)
const BURST_LENGTH = sum(BURST_DIGITS)
const SALT_LENGTH = 8

function sum(digits: readonly number[]): number {
  return digits.reduce((total, count) => total + count, 0)
}

const encode = (numbers: readonly number[], digits: readonly number[]): string =>
  numbers.map((number, index) => number.toString(RADIX).padStart(digits[index] ?? 0, '0')).join('')

function decode(text: string, digits: readonly number[]): number[] {
  let at = 0
  return digits.map((count) => {
    at += count
    return Number.parseInt(text.slice(at - count, at), RADIX)
  })
}

/**
 * @param query  the event and the arguments, to which the cursor is bound
 */
export function encodeEventCursor(space: Space, query: unknown, place: EventPlace): string {
  const { call, event, skip, bursts, began } = place
  // Each cursor is a different text, so that it does not reveal whether something happened out of reach.
  const salt = space.chance.newUuid().slice(-SALT_LENGTH)
  const head = encode([call, event, skip, space.link.reachChanges ?? 0, began], PLACE_DIGITS)
  const tail = bursts.map(({ subject, call, count, since, until }) =>
    encode([subject, call, count, since, until - since], BURST_DIGITS),
  )
  return encodeCursor(space.info.secret, boundTo(space, query), [salt, head, ...tail].join(''))
}

/** @throws CURSOR_INVALID for a cursor that was made up, or belongs to another subscription, link or space */
export function decodeEventCursor(space: Space, query: unknown, cursor: string): EventPlace {
  const text = decodeCursor(space.info.secret, boundTo(space, query), cursor, EVENT_CURSOR_LENGTH).slice(SALT_LENGTH)
  const [call = NaN, event = NaN, skip = NaN, reachChanges = NaN, began = NaN] = decode(text, PLACE_DIGITS)
  if (!Number.isSafeInteger(call + event + skip + reachChanges + began)) throw invalidCursor()
  const bursts: Burst[] = []
  for (let at = PLACE_LENGTH; at < text.length; at += BURST_LENGTH) {
    const [subject = 0, call = 0, count = 0, since = 0, lasted = 0] = decode(text.slice(at), BURST_DIGITS)
    bursts.push({ subject, call, count, since, until: since + lasted })
  }
  return { call, event, skip, bursts, reachChanges, began }
}

const boundTo = ({ link }: Space, query: unknown): unknown => ['events', link.id ?? link.kind, query]

/**
 * The place from which events can be returned, and whether that skips some: because history no longer keeps them, because
 * they are older than the subscriber wants, or because the reach of the link has changed since.
 *
 * @param maxAge  milliseconds
 */
export async function servedFrom(
  space: Space,
  place: EventPlace,
  maxAge = Infinity,
): Promise<{ place: EventPlace; isTruncated: boolean }> {
  const { tx, now, link } = space
  const bounds = await feedBounds(tx)
  // The cursor is from a copy of the space that has been written to separately.
  if (place.call > bounds.call) throw invalidCursor()
  // To a link that does not reach everything, a step over other calls would reveal that there were some.
  const floor = maxAge === Infinity || reachOf(link) !== 'all' ? 0 : await lastCallBefore(tx, now - maxAge)
  const first = Math.max(bounds.forgotten, floor)
  const isBehind = place.call < first
  const { reachChanges = 0 } = link
  const bursts = place.bursts.filter(({ until }) => until >= now - maxAge)
  return {
    place: { ...place, bursts, reachChanges, ...(isBehind && { call: first, skip: 0 }) },
    isTruncated: isBehind || bursts.length < place.bursts.length || place.reachChanges !== reachChanges,
  }
}
