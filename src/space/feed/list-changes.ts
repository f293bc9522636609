/** Answers `GET /changes`: a page of the feed, each item with the cursor after it. */
import type { Space } from '../model/space.ts'
import { assertPlaceKept, encodeFeedCursor, type FeedPlace, resolvePlace } from './feed-position.ts'
import { withoutOwn } from './own-entries.ts'
import { type FeedItem, readFeed } from './read-feed.ts'

export interface ChangesInput {
  cursor?: string | undefined
  limit: number
  /** False to leave out what the link itself caused. */
  mine?: boolean | undefined
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
  const { cursor, limit, mine, place = await resolvePlace(space, cursor) } = input
  return { limit, mine, place }
}

/** @throws CURSOR_INVALID */
export async function listChanges(space: Space, input: ChangesInput): Promise<ChangesAnswer> {
  const { place = await resolvePlace(space, input.cursor), limit } = input
  await assertPlaceKept(space, place)
  const page = await readFeed(space, place, limit)
  const { position, hasMore } = page
  const entries = input.mine === false ? await withoutOwn(space, page.entries) : page.entries
  return {
    items: entries.map(({ item, position }) => ({ ...item, cursor: encodeFeedCursor(space, position) })),
    cursor: encodeFeedCursor(space, position),
    hasMore,
  }
}
