/** Queries on sessions that ended before they expire. */
import { sql } from 'drizzle-orm'
import { type EndedSessionRow, endedSession } from './schema.ts'
import { insertInto, integer, param, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const IS_ENDED = statement<{ link: string }>(
  () => sql`SELECT link FROM ended_session WHERE link = ${param('link')}
    AND (nonce = ${param('nonce')} OR nonce = '' AND started_at >= ${integer('startedAt')}) LIMIT 1`,
)

export async function isSessionEnded(
  tx: Transaction,
  session: Pick<EndedSessionRow, 'link' | 'nonce' | 'startedAt'>,
): Promise<boolean> {
  return (await tx.get(IS_ENDED, session)) !== undefined
}

const DELETE_EXPIRED = statement(() => sql`DELETE FROM ended_session WHERE expires_at <= ${integer('before')}`)

/** Forgets sessions that would have expired by a time. @param before  milliseconds since 1970 */
export async function deleteExpiredSessions(tx: Transaction, before: number): Promise<void> {
  await tx.run(DELETE_EXPIRED, { before })
}

const COUNT = statement<{ count: number }>(
  () => sql`SELECT count(*) AS count FROM ended_session WHERE link = ${param('link')}`,
)

/** The number of rows of a link. */
export async function countEndedSessions(tx: Transaction, link: string): Promise<number> {
  return (await tx.get(COUNT, { link }))?.count ?? 0
}

const INSERT = insertInto(endedSession, undefined, (dialect) => sql`${dialect.onConflict('link', 'nonce')} DO NOTHING`)

export async function insertEndedSession(tx: Transaction, row: EndedSessionRow): Promise<void> {
  await tx.run(INSERT, row)
}

const STARTED_AT = statement<{ startedAt: number }>(
  () => sql`SELECT started_at AS "startedAt" FROM ended_session WHERE link = ${param('link')}
    ORDER BY started_at LIMIT 1 OFFSET ${integer('position')}`,
)

const DELETE_OLDER = statement(
  () => sql`DELETE FROM ended_session WHERE link = ${param('link')} AND started_at <= ${integer('startedAt')}`,
)

/**
 * Records that all sessions of a link have ended that started no later than one of its rows, in place of the rows up to
 * that one.
 *
 * @param position  of the row, from the oldest, which is 0
 * @param lifetime  the most milliseconds that a session lasts
 */
export async function endOlderSessions(
  tx: Transaction,
  link: string,
  position: number,
  lifetime: number,
): Promise<void> {
  const startedAt = (await tx.get(STARTED_AT, { link, position }))?.startedAt
  if (startedAt === undefined) return
  await tx.run(DELETE_OLDER, { link, startedAt })
  await tx.run(INSERT, { link, nonce: '', startedAt, expiresAt: startedAt + lifetime })
}
