/**
 * Sessions that their clients have ended: of the pages, and of MCP. Their cookies and IDs are valid until they expire,
 * so the space stores which of them have ended: a copy does not work either.
 */
import {
  countEndedSessions,
  deleteExpiredSessions,
  endOlderSessions,
  insertEndedSession,
  isSessionEnded,
} from '../../storage/ended-sessions.ts'
import { expiryTime } from '../../storage/expiry.ts'
import { ENDED_SESSIONS_PER_LINK, SESSION_LIFETIME_SECONDS } from '../base/limits.ts'
import type { Space } from '../space/model/space.ts'

/** A session over a link. Times are in milliseconds since 1970. */
export interface EndableSession {
  /** The ID of the link. */
  link: string
  /** Distinguishes sessions of the same link. */
  nonce: string
  from: number
  until: number
}

const DAY_MS = 24 * 60 * 60_000

/**
 * A link whose holder begins and ends sessions all the time would fill the space. Beyond a number of them, sessions that
 * are older than half of them end, whether they were ended or not.
 */
export async function endSession({ tx, now }: Space, { link, nonce, from, until }: EndableSession): Promise<void> {
  // Not by the clock alone: a session that ended would work again once a clock that was ahead is set back.
  await deleteExpiredSessions(tx, await expiryTime(tx, now, DAY_MS))
  const count = await countEndedSessions(tx, link)
  if (count >= ENDED_SESSIONS_PER_LINK) {
    await endOlderSessions(tx, link, Math.floor(count / 2), SESSION_LIFETIME_SECONDS * 1000)
  }
  await insertEndedSession(tx, { link, nonce, startedAt: from, expiresAt: until })
}

export const hasSessionEnded = (
  { tx }: Pick<Space, 'tx'>,
  { link, nonce, from }: Pick<EndableSession, 'link' | 'nonce' | 'from'>,
): Promise<boolean> => isSessionEnded(tx, { link, nonce, startedAt: from })
