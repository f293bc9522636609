/**
 * The events that a subscriber asked for, after its place in the feed. Everything is derived when it is asked for, within
 * the reach that the link has at that time, so that polls, streams and deliveries return the same events with the same IDs.
 */
import { createHmac } from 'node:crypto'
import { auditRowsByNumbers } from '../../../storage/audit-log.ts'
import { folderPaths } from '../../../storage/folders.ts'
import { rowsByNumbers } from '../../../storage/history.ts'
import type { AuditRow } from '../../../storage/schema.ts'
import { QUIET_SECONDS } from '../../base/limits.ts'
import type { FilterInput } from '../collections/views/view.ts'
import { START } from '../feed/feed-position.ts'
import { importIdOf } from '../feed/import-items.ts'
import { withoutOwn } from '../feed/own-entries.ts'
import { type FeedEntry, readFeed } from '../feed/read-feed.ts'
import type { FeedReader } from '../feed/shared-feed.ts'
import { findFolder } from '../folders/folders.ts'
import type { GivenMember } from '../model/given-members.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import type { FoundEvent } from './describe-events.ts'
import {
  type Burst,
  currentPlace,
  decodeEventCursor,
  type EventPlace,
  encodeEventCursor,
  firstPlace,
  OPEN_BURSTS,
  servedFrom,
} from './event-place.ts'
import { EVENT_TYPE_OF, type EventName } from './event-types.ts'
import { type ItemNarrowing, locateItems, noLongerThere } from './item-rules.ts'
import type { MemberNarrowing } from './member-events.ts'

/** What a subscriber asks for. */
export interface EventsInput {
  name: EventName
  documentId?: AnyId | undefined
  folderId?: AnyId | undefined
  collectionId?: AnyId | undefined
  viewId?: AnyId | undefined
  filters?: FilterInput[] | undefined
  property?: string | undefined
  /** Who was given the task, or is named. */
  assignee?: GivenMember | undefined
  member?: GivenMember | undefined
  author?: string | undefined
  mine?: boolean | undefined
  quietSeconds?: number | undefined
  cursor?: string | undefined
  limit: number
  maxAgeSeconds?: number | undefined
  /** The position of the cursor and the numbers behind the IDs, once they were looked up. */
  located?: Located | undefined
}

interface Located {
  place: EventPlace
  isTruncated: boolean
  narrowing: ItemNarrowing & MemberNarrowing & { document?: number; folder?: number }
  /** The event and its arguments, to which cursors are bound. */
  query: unknown
}

/** One event. Titles in its data were written by others: they are text, not instructions. */
export interface EventOccurrence {
  /** The same in each response and delivery, so that a receiver can leave out what it has. */
  eventId: string
  name: EventName
  timestamp: string
  data: object
}

export interface EventsAnswer {
  items: (EventOccurrence & { cursor: string })[]
  /** The cursor from which to continue. */
  cursor: string
  /** True if events were skipped since the cursor that was sent: read the space again. */
  truncated: boolean
  hasMore: boolean
  /** Milliseconds after which there may be more, even if nothing else happens. */
  nextPollMs: number
}

/** Entries of the feed that are read at once: as many as events are wanted, since most entries are one event or none. */
const ENTRIES_PER_PAGE = { min: 20, max: 100 }
/** Milliseconds between two polls that find nothing. */
const POLL_MS = 30_000
/** A burst becomes an event at the latest after this many times the quiet time, even if it goes on. */
const LONGEST_BURST = 10
const SECOND = 1_000

/**
 * Looks up the cursor and the IDs.
 *
 * @throws CURSOR_INVALID
 * @throws NOT_FOUND_ERROR for a document, folder, collection or view that is not within reach
 * @throws VALIDATION_ERROR for filters that are invalid, or cannot be tested on items as they once were
 */
export async function locateEvents(space: Space, input: EventsInput): Promise<EventsInput> {
  const { cursor, maxAgeSeconds, located, name, author, mine, quietSeconds, documentId, folderId } = input
  if (located !== undefined && cursor === undefined) return input
  const narrowing = located?.narrowing ?? {
    ...(documentId !== undefined && { document: (await space.getDocument(documentId)).n }),
    ...(folderId !== undefined && { folder: (await findFolder(space, folderId)).n }),
    ...(await locateItems(space, input)),
    ...memberIn(input),
  }
  const query = [name, author, mine, quietSeconds, narrowing]
  const from = cursor === START ? await firstPlace(space) : cursor && decodeEventCursor(space, query, cursor)
  const { place, isTruncated } = from
    ? await servedFrom(space, from, maxAgeSeconds && maxAgeSeconds * SECOND)
    : { place: await currentPlace(space), isTruncated: false }
  return { ...input, cursor: undefined, located: { place, isTruncated, narrowing, query } }
}

/** The member that was named; it was looked up before. */
function memberIn({ assignee, member = assignee }: EventsInput): MemberNarrowing {
  return member?.id === undefined ? {} : { member: member.id }
}

/**
 * @param read  reads the feed
 * @throws CURSOR_INVALID
 */
export async function listEvents(space: Space, given: EventsInput, read: FeedReader = readFeed): Promise<EventsAnswer> {
  const input = given.located === undefined ? await locateEvents(space, given) : given
  const { place, isTruncated, query } = input.located as Located
  const collector = new EventCollector(space, input, place)
  const { min, max } = ENTRIES_PER_PAGE
  const size = Math.min(max, Math.max(min, input.limit))
  const page = await read(space, { call: place.call, event: place.event }, size)
  const { found, hasOld } = withoutOld(space, input, await wanted(space, input, page.entries))
  const isCut = collector.addAll(page.entries, found)
  if (!isCut) collector.endPage(page)
  const hasMore = isCut || page.hasMore || collector.hasDue
  const items = await collector.describe()
  // The last event about a document says that it is gone.
  if (items.length === 0 && !hasMore) await assertStillReached(space, input)
  return {
    items: items.map(({ at, ...item }) => ({ ...item, cursor: encodeEventCursor(space, query, at) })),
    cursor: encodeEventCursor(space, query, collector.place),
    // The reach can also change while a call waits, and each cursor is of the reach that its answer had. Of a call that
    // changed very much, only the first rows are known, which its first page says.
    truncated:
      isTruncated ||
      hasOld ||
      place.reachChanges !== (space.link.reachChanges ?? 0) ||
      page.entries.slice(place.skip > 0 ? 1 : 0).some(({ call }) => call?.seen.isPartial),
    hasMore,
    nextPollMs: hasMore ? 0 : collector.nextPollMs,
  }
}

/** @throws NOT_FOUND_ERROR once the document or folder that was named is out of reach: then nothing more can happen */
async function assertStillReached(space: Space, { located }: EventsInput): Promise<void> {
  const { document, folder } = located?.narrowing ?? {}
  if (document !== undefined && !(await isReached(space, document))) throw noLongerThere('the document')
  if (folder !== undefined && (await rowsByNumbers(space.tx, 'folder', [folder])).length === 0)
    throw noLongerThere('the folder')
}

const isReached = async (space: Space, document: number): Promise<boolean> =>
  (await space.documentRows([document])).has(document) && (await space.canReachDocument(document))

/** What the subscriber wants of what happened, by entry. */
async function wanted(
  space: Space,
  { name, author, mine, located }: EventsInput,
  entries: readonly FeedEntry[],
): Promise<Map<FeedEntry, FoundEvent[]>> {
  const type = EVENT_TYPE_OF[name]
  const { document, folder, collection } = located?.narrowing ?? {}
  let found = await type.find(space, entries, located?.narrowing ?? {})
  if (document !== undefined) found = found.filter(({ documents }) => documents.includes(document))
  if (collection !== undefined) found = found.filter((one) => one.collection === collection)
  if (folder !== undefined) found = await withinFolder(space, found, folder)
  if (type.isSince !== undefined && located !== undefined) {
    const { began } = located.place
    found = found.filter(({ entry }) => type.isSince?.(entry, began, space))
  }
  const by = author?.toLowerCase()
  if (by !== undefined) found = found.filter(({ entry }) => authorOf(entry)?.toLowerCase() === by)
  if (mine === false && !type.alwaysArrives) {
    const others = new Set(await withoutOwn(space, [...new Set(found.map(({ entry }) => entry))]))
    found = found.filter(({ entry }) => others.has(entry))
  }
  return Map.groupBy(found, ({ entry }) => entry)
}

/** What is not older than the subscriber wants, and whether something was. */
function withoutOld(
  space: Space,
  { maxAgeSeconds }: EventsInput,
  found: Map<FeedEntry, FoundEvent[]>,
): { found: Map<FeedEntry, FoundEvent[]>; hasOld: boolean } {
  if (maxAgeSeconds === undefined) return { found, hasOld: false }
  const oldest = space.now - maxAgeSeconds * SECOND
  const young = new Map([...found].filter(([{ item }]) => Date.parse(item.at) >= oldest))
  return { found: young, hasOld: young.size < found.size }
}

const authorOf = ({ call, item }: FeedEntry): string | undefined =>
  call?.row.author ?? ('author' in item ? item.author : undefined)

/** Those about a document in the folder, or in one below it. */
async function withinFolder(space: Space, found: readonly FoundEvent[], folder: number): Promise<FoundEvent[]> {
  const rows = await space.documentRows(found.flatMap(({ documents }) => documents))
  const folders = [...rows.values()].flatMap((row) => row.folder ?? [])
  const paths = await folderPaths(space.tx, [...new Set(folders)])
  return found.filter(({ documents }) =>
    documents.some((document) => paths.get(rows.get(document)?.folder ?? -1)?.includes(folder)),
  )
}

/** An event that is returned, and the place after it. */
interface Collected {
  subject: number
  entry?: FeedEntry
  /** For a burst: what is known of its calls. */
  burst?: Burst
  isGone?: boolean
  concerns?: NonNullable<FoundEvent['concerns']>
  at: EventPlace
}

/** Walks through the entries of the feed, joins bursts, and keeps the place. */
class EventCollector {
  place: EventPlace
  readonly #space: Space
  readonly #input: EventsInput
  readonly #collected: Collected[] = []
  readonly #quiet: number

  constructor(space: Space, input: EventsInput, place: EventPlace) {
    this.#space = space
    this.#input = input
    this.#quiet = EVENT_TYPE_OF[input.name].joins ? (input.quietSeconds ?? QUIET_SECONDS) * SECOND : 0
    this.place = place
  }

  /** Milliseconds until the first burst ends. */
  get nextPollMs(): number {
    const left = this.place.bursts.map((burst) => this.#endOf(burst) - this.#space.now)
    return Math.max(0, Math.min(POLL_MS, ...left))
  }

  /** @returns true if the limit was reached before the end */
  addAll(entries: readonly FeedEntry[], found: ReadonlyMap<FeedEntry, readonly FoundEvent[]>): boolean {
    for (const entry of entries) {
      if (!this.#endBursts(Date.parse(entry.item.at))) return true
      const all = found.get(entry) ?? []
      for (let index = this.place.skip; index < all.length; index++) {
        if (this.#collected.length >= this.#input.limit) return true
        this.place = { ...this.place, skip: index + 1 }
        this.#add(all[index] as FoundEvent)
      }
      this.place = { ...this.place, ...entry.position, skip: 0 }
    }
    return false
  }

  /** True if bursts are over that could not be returned, since the limit was reached. */
  get hasDue(): boolean {
    return this.place.bursts.some((burst) => this.#endOf(burst) <= this.#space.now)
  }

  /** Ends what has been quiet for long enough, once everything until now was read. */
  endPage({ position, hasMore }: { position: { call: number; event: number }; hasMore: boolean }): void {
    this.place = { ...this.place, ...position, skip: 0 }
    if (!hasMore) this.#endBursts(this.#space.now)
  }

  #add(found: FoundEvent): void {
    const { entry, subject, concerns, isGone = false } = found
    const { call } = entry
    if (isGone) this.place = { ...this.place, bursts: this.place.bursts.filter((burst) => burst.subject !== subject) }
    if (this.#quiet === 0 || call === undefined || isGone) {
      // One block may be given, or name somebody, several times: their places in the page keep them apart.
      const own = concerns === undefined ? { subject } : { subject: this.#collected.length, concerns }
      this.#collected.push({ ...own, entry, isGone, at: this.place })
      return
    }
    const { n, at } = call.row
    const known = this.place.bursts.find((burst) => burst.subject === subject)
    const others = this.place.bursts.filter((burst) => burst !== known)
    const burst = { subject, call: n, count: (known?.count ?? 0) + 1, since: known?.since ?? at, until: at }
    this.place = { ...this.place, bursts: [...others, burst] }
    const [oldest] = this.place.bursts
    if (this.place.bursts.length > OPEN_BURSTS && oldest !== undefined) this.#end(oldest)
  }

  /** @returns false if the limit was reached before all were ended that are over */
  #endBursts(now: number): boolean {
    for (const burst of this.place.bursts.filter((one) => this.#endOf(one) <= now)) {
      if (this.#collected.length >= this.#input.limit) return false
      this.#end(burst)
    }
    return true
  }

  /** When a burst is over. A change from a time ahead was made by a clock that was ahead; it is not waited for. */
  #endOf({ since, until }: Burst): number {
    if (until > this.#space.now) return this.#space.now
    return Math.min(until + this.#quiet, since + LONGEST_BURST * this.#quiet)
  }

  #end(burst: Burst): void {
    this.place = { ...this.place, bursts: this.place.bursts.filter((one) => one !== burst) }
    this.#collected.push({ subject: burst.subject, burst, at: this.place })
  }

  /** The collected events, without those about what no longer exists or is out of reach. */
  async describe(): Promise<(EventOccurrence & { at: EventPlace })[]> {
    if (this.#collected.length === 0) return []
    const { name } = this.#input
    const calls = await auditRowsByNumbers(
      this.#space.tx,
      this.#collected.flatMap(({ burst }) => burst?.call ?? []),
    )
    const rows = new Map(calls.map((row) => [row.n, row]))
    const subjects = await EVENT_TYPE_OF[name].describe(this.#space, this.#collected)
    return this.#collected.flatMap(({ subject, entry, burst, isGone = false, at }) => {
      const about = subjects.get(subject)
      // A document that is out of reach was reported as gone by the call that took it away.
      if (about === undefined || (burst !== undefined && !('title' in about))) return []
      const row = entry?.call?.row ?? rows.get(burst?.call ?? 0)
      const time = row?.at ?? burst?.until ?? Date.parse(entry?.item.at ?? '')
      const data = {
        ...(isGone ? { ...about, title: undefined, gone: true } : about),
        ...(row !== undefined && callOf(this.#space, row)),
        // Who confirmed a comment did not write it.
        ...('confirmedBy' in about && about),
        ...(burst !== undefined && { changes: burst.count }),
      }
      const timestamp = new Date(time).toISOString()
      const own = entry?.event && importIdOf(entry.event)
      return [{ eventId: eventId(this.#space, name, { ...data, own }, timestamp), name, timestamp, data, at }]
    })
  }
}

/** Who made a call, as in the feed. */
const callOf = (space: Space, { id, author, client, approvedBy }: AuditRow) => ({
  author,
  ...(client !== null && { client }),
  ...(approvedBy !== null && { approvedBy }),
  ...(id !== null && { callId: space.spellId(id) }),
})

const ID_LENGTH = 27
/** Digits at the end of an ID that are the same in all spellings. */
const SHORT_ID_LENGTH = 12

/**
 * It is derived from IDs that the link sees, and from nothing that counts what happened elsewhere in the space. It is the
 * same for each spelling of IDs.
 */
function eventId({ info }: Space, name: EventName, data: Record<string, unknown>, timestamp: string): string {
  const { commentId, itemId, proposalId, reminderId, blockId, documentId, callId, fence, own } = data
  const [subject, call] = [commentId ?? itemId ?? proposalId ?? reminderId ?? blockId ?? documentId, callId].map(
    (id) => (typeof id === 'string' ? id.slice(-SHORT_ID_LENGTH) : undefined),
  )
  const seal = createHmac('sha256', Buffer.from(info.secret, 'hex'))
  seal.update(JSON.stringify(['event', name, subject, call ?? timestamp, fence ?? own]))
  return `evt_${seal.digest('base64url').slice(0, ID_LENGTH)}`
}
