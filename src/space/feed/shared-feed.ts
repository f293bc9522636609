/**
 * Reads the feed for many readers of one connection in one transaction: those that are near each other share a page,
 * so that a thousand readers at the end of the feed cost as many statements as one.
 */
import type { Space } from '../model/space.ts'
import type { FeedPosition } from './feed-position.ts'
import { type FeedEntry, type FeedPage, readFeed } from './read-feed.ts'

/** Returns a page of the feed after a position. It may have more than `limit` entries. */
export type FeedReader = (space: Space, after: FeedPosition, limit: number) => Promise<FeedPage>

/** Entries that are read at once, since they are likely to be for many readers. */
const SHARED_ENTRIES = 100

/**
 * @param size  entries that are read at once
 * @returns a reader that keeps the last page that it read. Give it positions in about ascending order.
 */
export function sharedFeed(size = SHARED_ENTRIES): FeedReader {
  let last: { after: FeedPosition; page: FeedPage } | undefined
  return async (space, after, limit) => {
    if (last === undefined || !isWithin(after, last)) {
      last = { after, page: await readFeed(space, after, Math.max(limit, size)) }
    }
    const { entries, position, hasMore } = last.page
    return {
      entries: entries.flatMap((entry) =>
        isKnown(entry, after) ? [] : [{ ...entry, position: notBefore(entry.position, after) }],
      ),
      ...{ position: notBefore(position, after), hasMore },
    }
  }
}

/** True if a page has what follows this position. A page that is at its own end has nothing for what is beyond it. */
function isWithin(
  after: FeedPosition,
  { after: from, page: { position, hasMore } }: { after: FeedPosition; page: FeedPage },
) {
  const isFrom = after.call >= from.call && after.event >= from.event
  const isAtEnd = after.call === position.call && after.event === position.event
  return isFrom && after.call <= position.call && after.event <= position.event && !(isAtEnd && hasMore)
}

/** True if a reader at `after` has this entry already. */
const isKnown = ({ event, position }: FeedEntry, after: FeedPosition): boolean =>
  event === undefined ? position.call <= after.call : position.event <= after.event

const notBefore = ({ call, event }: FeedPosition, after: FeedPosition): FeedPosition => ({
  call: Math.max(call, after.call),
  event: Math.max(event, after.event),
})
