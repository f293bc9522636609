/** Answers `GET /changes`: a page of the feed, each item with the cursor after it. */
import type { Space } from '../model/space.ts'
import { assertPlaceKept, encodeFeedCursor, type FeedPlace, resolvePlace } from './feed-position.ts'
import { type FeedItem, readFeed } from './read-feed.ts'

export interface ChangesInput {
  cursor?: string | undefined
  limit: number
  /** The position of the cursor, once it is decoded. */
  place?: FeedPlace | undefined
}

export interface ChangesAnswer {
  items: (FeedItem & { cursor: string })[]
  /** The cursor from which to continue. */
  cursor: string
  /** True if there are more items already. */
  hasMore: boolean
}

/** Returns the input with the position that its cursor encodes. @throws CURSOR_INVALID */
export async function locateChanges(space: Space, input: ChangesInput): Promise<ChangesInput> {
  const { cursor, limit, place = await resolvePlace(space, cursor) } = input
  return { limit, place }
}

/** @throws CURSOR_INVALID */
export async function listChanges(space: Space, input: ChangesInput): Promise<ChangesAnswer> {
  const { place = await resolvePlace(space, input.cursor), limit } = input
  await assertPlaceKept(space, place)
  const { entries, position, hasMore } = await readFeed(space, place, limit)
  return {
    items: entries.map(({ item, position }) => ({ ...item, cursor: encodeFeedCursor(space, position) })),
    cursor: encodeFeedCursor(space, position),
    hasMore,
  }
}
