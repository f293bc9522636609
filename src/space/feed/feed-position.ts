/** Positions in the feed of changes, and the cursors that encode them. */
import { feedBounds } from '../../../storage/feed.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../model/cursors.ts'
import type { Space } from '../model/space.ts'

/** A position in the feed: after this call and this event. Calls and events are numbered separately. */
export interface FeedPosition {
  call: number
  event: number
}

/** A position, and the value of the link's reach counter when the position was named. */
export interface FeedPlace extends FeedPosition {
  reachChanges: number
}

/** The position after everything that has happened so far. */
export async function currentPosition({ tx }: Pick<Space, 'tx'>): Promise<FeedPosition> {
  const { call, event } = await feedBounds(tx)
  return { call, event }
}

/** Callers pass this value to begin at the oldest entry that is kept. */
export const START = 'start'

/**
 * Returns the position that a caller names: that of a cursor, the oldest that history keeps for {@link START}, or the
 * current one if neither is given.
 *
 * @throws CURSOR_INVALID for a cursor that was made up, or belongs to another link or space
 */
export async function resolvePlace(space: Space, cursor: string | undefined): Promise<FeedPlace> {
  if (cursor !== undefined && cursor !== START) return decodeFeedCursor(space, cursor)
  const { call, event, forgotten } = await feedBounds(space.tx)
  const reachChanges = reachChangesOf(space)
  return cursor === undefined ? { call, event, reachChanges } : { call: forgotten, event: 0, reachChanges }
}

/**
 * @throws CURSOR_INVALID, with advice where to begin again, for a position that is older than the oldest one kept, and
 *   for one from before the link's reach last changed
 */
export async function assertPlaceKept(space: Space, { call, reachChanges }: FeedPlace): Promise<void> {
  if (reachChanges !== reachChangesOf(space)) {
    throw new ScriptoriumError(
      'CURSOR_INVALID',
      'Expected a cursor from after the last change to what this link reaches, found an older one; call again without cursor to begin now, then read what the link reaches.',
    )
  }
  const bounds = await feedBounds(space.tx)
  if (call < bounds.forgotten) {
    throw new ScriptoriumError(
      'CURSOR_INVALID',
      'Expected a cursor from the time for which history is kept, found an older one; call again without cursor to begin now, or with cursor=start at the oldest that is kept, then read what this link reaches.',
    )
  }
  // The cursor is from a copy of the space that has been written to separately.
  if (call > bounds.call) throw invalidCursor()
}

/**
 * A cursor for a position. Each cursor is a different text, so that it does not reveal whether something happened out
 * of reach since the last one.
 */
export function encodeFeedCursor(space: Space, { call, event }: FeedPosition): string {
  const salt = space.chance.newUuid().slice(-8)
  const numbers = [call, event, reachChangesOf(space)].map((number) => number.toString(RADIX))
  return encodeCursor(space.info.secret, query(space), [...numbers, salt].join(' '))
}

function decodeFeedCursor(space: Space, cursor: string): FeedPlace {
  const [call = NaN, event = NaN, reachChanges = NaN] = decodeCursor(space.info.secret, query(space), cursor)
    .split(' ')
    .slice(0, 3)
    .map((number) => Number.parseInt(number, RADIX))
  if (!Number.isSafeInteger(call + event + reachChanges)) throw invalidCursor()
  return { call, event, reachChanges }
}

/** Numbers are encoded compactly, so that cursors have the same length. */
const RADIX = 36

const reachChangesOf = ({ link }: Space): number => link.reachChanges ?? 0

/** The query that a cursor is bound to, in addition to the space. */
const query = ({ link }: Space): unknown => ['changes', link.id ?? link.kind]
