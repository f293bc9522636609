/**
 * The feed of changes: every committed call once, in the order of commits, and other events between them. Items are
 * created when the feed is read, within the reach that the connection has at that time.
 */
import { auditRowsAfter, auditRowsByNumbers } from '../../../storage/audit-log.ts'
import { eventsAfter } from '../../../storage/events.ts'
import { callsWithinReach, feedBounds } from '../../../storage/feed.ts'
import { sizesOfCalls } from '../../../storage/history.ts'
import type { AuditRow, EventRow } from '../../../storage/schema.ts'
import { CHANGED_ROWS_PER_ANSWER } from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import { reachOf, type Space } from '../model/space.ts'
import { type CallItem, callItems, type SeenCall } from './call-items.ts'
import { EVENT_TYPES, type EventItem, eventItems } from './event-items.ts'
import type { FeedPosition } from './feed-position.ts'

export type FeedItem = CallItem | EventItem

/** The types of feed items. */
export const FEED_TYPES: readonly FeedItem['type'][] = ['call.committed', ...EVENT_TYPES]

/** One item, and the position after it. */
export interface FeedEntry {
  item: FeedItem
  /** For a call: how it was logged, and what the connection sees of it, row by row. */
  call?: { row: AuditRow; seen: SeenCall }
  /** For an event: how it was recorded. */
  event?: EventRow
  position: FeedPosition
}

export interface FeedPage {
  entries: FeedEntry[]
  /** The position up to which calls and events were searched. Everything visible before it was returned. */
  position: FeedPosition
  /** True if there may be more items already. */
  hasMore: boolean
}

/**
 * The number of call numbers that are searched in one step for calls within a narrow reach. Takes some milliseconds.
 */
const CALLS_PER_WINDOW = 5_000

/** Rows that the calls of one step changed together. Beyond that, each call is a step of its own. */
const ROWS_PER_STEP = 5_000

/**
 * Returns the first `limit` visible items after a position. It returns fewer only if there are no more, or if their calls
 * changed {@link CHANGED_ROWS_PER_ANSWER} rows together.
 */
export async function readFeed(space: Space, after: FeedPosition, limit: number): Promise<FeedPage> {
  const { call: lastCall } = await feedBounds(space.tx)
  const entries: FeedEntry[] = []
  let position = after
  let rowsLeft = CHANGED_ROWS_PER_ANSWER
  for (;;) {
    const batch = await nextBatch(space, position, lastCall, limit - entries.length)
    const shown = await tell(space, batch, position)
    entries.push(...shown.entries)
    rowsLeft -= shown.rows
    position = batch.position
    if (batch.isLast || entries.length >= limit || rowsLeft <= 0) return { entries, position, hasMore: !batch.isLast }
    await yieldToEventLoop()
  }
}

/** Calls and events after a position, in one order, and the position after them. */
interface Batch {
  happened: ({ call: AuditRow } | { event: EventRow })[]
  position: FeedPosition
  isLast: boolean
}

async function nextBatch(space: Space, after: FeedPosition, lastCall: number, limit: number): Promise<Batch> {
  const { calls, upTo } = await nextCalls(space, after.call, lastCall, limit)
  const events = (await eventsAfter(space.tx, after.event, limit + 1)).filter(({ call }) => call <= upTo)
  const all = [
    ...calls.map((call) => ({ call, at: [call.n, 0] as const })),
    ...events.map((event) => ({ event, at: [event.call, event.n] as const })),
  ].sort((one, other) => one.at[0] - other.at[0] || one.at[1] - other.at[1])
  const most = (await areLarge(space, calls)) ? 1 : limit
  const happened = all.slice(0, most)
  const isCut = all.length > most
  const shownEvents = happened.flatMap((one) => ('event' in one ? one.event.n : []))
  const lastShown = happened.at(-1)
  return {
    happened,
    position: {
      // If the list was cut off, continue after the last one shown. Otherwise all calls up to here were searched.
      call: isCut ? (lastShown?.at[0] ?? after.call) : upTo,
      event: shownEvents.at(-1) ?? after.event,
    },
    isLast: !isCut && upTo >= lastCall,
  }
}

/** True if several calls changed very much together. */
async function areLarge({ tx }: Space, calls: readonly AuditRow[]): Promise<boolean> {
  if (calls.length < 2) return false
  const sizes = await sizesOfCalls(
    tx,
    calls.map(({ n }) => n),
    ROWS_PER_STEP,
  )
  return sizes.reduce((sum, { size }) => sum + size, 0) >= ROWS_PER_STEP
}

/**
 * The next calls of which the connection may see something, at most `limit`, and the number of the last call searched.
 */
async function nextCalls(
  { tx, link }: Space,
  after: number,
  lastCall: number,
  limit: number,
): Promise<{ calls: AuditRow[]; upTo: number }> {
  const reach = reachOf(link)
  if (reach === 'all') {
    const calls = await auditRowsAfter(tx, after, limit)
    return { calls, upTo: calls.length < limit ? lastCall : (calls.at(-1)?.n ?? lastCall) }
  }
  const last = Math.min(after + CALLS_PER_WINDOW, lastCall)
  const numbers = await callsWithinReach(tx, reach, { after, last, limit })
  return {
    calls: await auditRowsByNumbers(tx, numbers),
    upTo: numbers.length < limit ? last : (numbers.at(-1) ?? last),
  }
}

/** The items of a batch, and how many rows its calls changed as far as the connection sees them. */
async function tell(
  space: Space,
  { happened }: Batch,
  after: FeedPosition,
): Promise<{ entries: FeedEntry[]; rows: number }> {
  const {
    items: calls,
    seen,
    rows,
  } = await callItems(
    space,
    happened.flatMap((one) => ('call' in one ? one.call : [])),
  )
  const events = await eventItems(
    space,
    happened.flatMap((one) => ('event' in one ? one.event : [])),
  )
  const entries: FeedEntry[] = []
  let position = after
  for (const one of happened) {
    position = 'call' in one ? { ...position, call: one.call.n } : { call: one.event.call, event: one.event.n }
    const item = 'call' in one ? calls.get(one.call.n) : events.get(one.event.n)
    if (item === undefined) continue
    if ('event' in one) entries.push({ item, position, event: one.event })
    else entries.push({ item, position, call: { row: one.call, seen: seen.get(one.call.n) as SeenCall } })
  }
  return { entries, rows }
}
