/** Answers `GET /changes`: a page of the feed, with a cursor after each item. */
import type { Space } from '../model/space.ts'
import { assertPlaceKept, encodeFeedCursor, type FeedPlace, resolvePlace } from './feed-position.ts'
import { type FeedItem, readFeed } from './read-feed.ts'

export interface ChangesInput {
  cursor?: string | undefined
  limit: number
  /** The position of the cursor, once resolved. */
  place?: FeedPlace | undefined
}

export interface ChangesAnswer {
  items: (FeedItem & { cursor: string })[]
  /** The cursor from which to continue. */
  cursor: string
  /** True if there was more to read already. */
  hasMore: boolean
}

/** Resolves the cursor of a request to its position. @throws CURSOR_INVALID */
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
