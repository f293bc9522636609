/** Which calls of others may have changed what a call writes, before its caller knew. */
import type { SinceThen } from '../../../storage/changes-of-others.ts'
import { RECENT_CHANGE_SECONDS } from '../../base/limits.ts'
import type { Space } from '../model/space.ts'

/** How long a change counts as newer for a connection that has not read what it changes, in milliseconds. */
export const RECENT_MS = RECENT_CHANGE_SECONDS * 1_000

/** Which calls of others may have changed what a call writes, by the IDs that it writes. */
export function callsSinceSeen({ seenRows, link, now }: Space, ids: readonly number[]): SinceThen {
  let seen = Number.MAX_SAFE_INTEGER
  let isAnyUnknown = ids.length === 0
  for (const id of ids) {
    const last = seenRows.lastSeen(link, id)
    if (last === undefined) isAnyUnknown = true
    else seen = Math.min(seen, last)
  }
  return isAnyUnknown ? { seen, recent: now - RECENT_MS } : { seen }
}
