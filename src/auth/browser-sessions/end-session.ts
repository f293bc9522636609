/**
 * Ends sessions of the pages on the server. Their cookies are valid until they expire, so the space stores which of them
 * have ended: a copy of the cookie does not work either.
 */
import {
  countEndedSessions,
  deleteExpiredSessions,
  insertEndedSession,
  insertEndOfAllSessions,
  isSessionEnded,
} from '../../../storage/ended-sessions.ts'
import { expiryTime } from '../../../storage/expiry.ts'
import { ENDED_SESSIONS_PER_LINK, VIEW_SECONDS } from '../../base/limits.ts'
import type { Space } from '../../space/model/space.ts'
import type { BrowserSession } from './browser-session.ts'

const DAY_MS = 24 * 60 * 60_000

/** A link whose holder signs in and out all the time would fill the space, so at some point all of its sessions end. */
export async function endSession({ tx, now }: Space, { link, nonce, from, until }: BrowserSession): Promise<void> {
  // Not by the clock alone: a session that ended would work again once a clock that was ahead is set back.
  await deleteExpiredSessions(tx, await expiryTime(tx, now, DAY_MS))
  if ((await countEndedSessions(tx, link)) < ENDED_SESSIONS_PER_LINK) {
    await insertEndedSession(tx, { link, nonce, startedAt: from, expiresAt: until })
  } else await insertEndOfAllSessions(tx, { link, startedAt: now, expiresAt: now + VIEW_SECONDS * 1000 })
}

export const hasSessionEnded = ({ tx }: Space, { link, nonce, from }: BrowserSession): Promise<boolean> =>
  isSessionEnded(tx, { link, nonce, startedAt: from })
