/** The audit log: one row per call that wrote. */

import { type SQL, sql } from 'drizzle-orm'
import { HAS_OTHERS, type SinceThen } from './changes-of-others.ts'
import { documentWithinReach, type Reach } from './reach.ts'
import { type AuditRow, writeLog } from './schema.ts'
import { type Dialect, integer, integerValue, jsonList, listOf, param, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** The columns to log for a call that wrote. */
export type NewAuditRow = Pick<AuditRow, 'at' | 'link' | 'author' | 'client' | 'endpoint' | 'ids'> &
  Partial<
    Pick<AuditRow, 'id' | 'connection' | 'hasChanges' | 'undoes' | 'approvedBy'> &
      Pick<AuditRow, 'origin' | 'detail' | 'erased' | 'contentSalt'>
  >

// The row gets the number under which its changes were logged. SQLite's own number would advance even if the conflict
// leaves out the row.
const INSERT = statement<{ n: number; hasOthers: number; linkPausedAt: number | null }>(
  (
    dialect,
  ) => sql`INSERT INTO write_log (n, at, link, author, client, endpoint, ids, id, connection, has_changes, undoes, approved_by,
      origin, detail, erased, content_salt, hash)
    VALUES ((SELECT call FROM call_start), ${integer('at')}, ${param('link')}, ${param('author')}, ${param('client')},
      ${param('endpoint')}, ${param('ids')}, ${integer('id')}, ${param('connection')}, ${integer('hasChanges')}, ${param('undoes')}, ${param('approvedBy')},
      ${param('origin')}, ${param('detail')}, ${param('erased')}, ${param('contentSalt')}, '')
    ${dialect.onConflict('id')} WHERE id IS NOT NULL DO NOTHING RETURNING n, ${HAS_OTHERS} AS "hasOthers",
      (SELECT paused_at FROM link WHERE link.id = ${param('link')}) AS "linkPausedAt"`,
)

/** A call as it was logged. */
export interface LoggedCall {
  n: number
  /** True if other connections may have made calls since those that the caller knows. */
  hasOthers: boolean
  /** When a person paused the link that made it, in milliseconds since 1970. */
  linkPausedAt: number | undefined
}

/**
 * Logs a call. The changes that the transaction made since the previous row count as the changes of this call.
 *
 * @param since  which calls of other connections are looked for; none if absent
 * @returns undefined if another call has its ID
 */
export async function insertAuditRow(
  tx: Transaction,
  row: NewAuditRow,
  { seen, recent }: SinceThen = NO_CALLS,
): Promise<LoggedCall | undefined> {
  const logged = await tx.get(INSERT, { hasChanges: 0, ...row, seen, recent: recent ?? null })
  return logged && { n: logged.n, hasOthers: logged.hasOthers === 1, linkPausedAt: logged.linkPausedAt ?? undefined }
}

const NO_CALLS: SinceThen = { seen: Number.MAX_SAFE_INTEGER }

const BY_IDS = statement<AuditRow>(
  (dialect) => sql`${selectFrom(writeLog)} WHERE id IN ${listOf(dialect, 'ids', 'integer')} ORDER BY n`,
)
const BY_NUMBERS = statement<AuditRow>(
  (dialect) => sql`${selectFrom(writeLog)} WHERE n IN ${listOf(dialect, 'ns', 'integer')} ORDER BY n`,
)

/** The calls with these IDs, oldest first. */
export function auditRowsByIds(tx: Transaction, ids: readonly number[]): Promise<AuditRow[]> {
  return tx.all(BY_IDS, { ids: jsonList(ids) })
}

/** The calls with these numbers, oldest first. */
export function auditRowsByNumbers(tx: Transaction, ns: readonly number[]): Promise<AuditRow[]> {
  return tx.all(BY_NUMBERS, { ns: jsonList(ns) })
}

const UNDOING = statement<{ n: number; undoes: string }>(
  () => sql`SELECT n, undoes FROM write_log WHERE undoes IS NOT NULL AND n > ${integer('after')} ORDER BY n`,
)

/** The calls after the number `after` that undid other calls, oldest first, each with what it undid, as JSON. */
export function undoingCalls(tx: Transaction, after: number): Promise<{ n: number; undoes: string }[]> {
  return tx.all(UNDOING, { after })
}

const LAST_BEFORE = statement<{ n: number | null }>(
  () => sql`SELECT max(n) AS n FROM write_log WHERE at < ${integer('time')}`,
)

/** The number of the last call before a time, in milliseconds since 1970; 0 for none. */
export async function lastCallBefore(tx: Transaction, time: number): Promise<number> {
  return (await tx.get(LAST_BEFORE, { time }))?.n ?? 0
}

const RECENT = statement<{ count: number; first: number | null }>(
  () => sql`SELECT count(*) AS count, min(at) AS first FROM write_log WHERE at > ${integer('after')}
    AND at <= ${integer('until')} AND link = ${param('link')} AND endpoint = ${param('endpoint')}`,
)

/** How many calls of one endpoint a link made between two times, in milliseconds since 1970, and when the first was. */
export async function recentCalls(
  tx: Transaction,
  about: { link: string; endpoint: string; after: number; until: number },
): Promise<{ count: number; first: number | null }> {
  const { count = 0, first = null } = (await tx.get(RECENT, about)) ?? {}
  return { count: Number(count), first }
}

const LAST_TIME = statement<{ at: number | null }>(() => sql`SELECT max(at) AS at FROM write_log`)

/** The latest time of a call, in milliseconds since 1970; undefined if there is none. */
export async function lastCallTime(tx: Transaction): Promise<number | undefined> {
  return (await tx.get(LAST_TIME))?.at ?? undefined
}

/** Filters for calls. A call must match all of them. */
export interface AuditFilter {
  /** Only calls with numbers above `after` and below `before`. */
  after?: number | undefined
  before?: number | undefined
  connection?: string | undefined
  link?: string | null | undefined
  author?: string | undefined
  /** Only calls that changed this document, given by number. */
  document?: number | undefined
  /** Only calls that changed a document within reach. */
  reach?: Reach | undefined
}

/** The last `limit` calls that match, newest first. */
export function latestAuditRows(tx: Transaction, filter: AuditFilter, limit: number): Promise<AuditRow[]> {
  const { after, before, connection, link, author, document, reach = 'all' } = filter
  const conditionsOf = (dialect: Dialect): SQL[] => [
    ...(after === undefined ? [] : [sql`n > ${integerValue(after)}`]),
    ...(before === undefined ? [] : [sql`n < ${integerValue(before)}`]),
    ...(connection === undefined ? [] : [sql`connection = ${connection}`]),
    ...(link === undefined ? [] : [link === null ? sql`link IS NULL` : sql`link = ${link}`]),
    ...(author === undefined ? [] : [sql`author = ${author}`]),
    ...(document === undefined
      ? []
      : [sql`n IN (SELECT call FROM call_document WHERE document = ${integerValue(document)})`]),
    ...(reach === 'all'
      ? []
      : [
          sql`n IN (SELECT call_document.call FROM document AS place
            ${dialect.thenJoin} call_document ON call_document.document = place.n
            WHERE call_document.is_marked = 1 AND ${documentWithinReach(dialect, reach)})`,
        ]),
    // What was not written by a call is none to show or to undo. Calls from before history existed have no ID.
    sql`(id IS NOT NULL OR hash IS NULL)`,
  ]
  return tx.all(
    statement<AuditRow>(
      (dialect) =>
        sql`${selectFrom(writeLog)} WHERE ${sql.join(conditionsOf(dialect), sql` AND `)} ORDER BY n DESC LIMIT ${integerValue(limit)}`,
    ),
  )
}

const OLDEST = statement<{ at: number }>(() => sql`SELECT at FROM write_log ORDER BY n LIMIT 1`)

/** True if the oldest row is from before a time, in milliseconds since 1970. */
export async function hasAuditRowsBefore(tx: Transaction, before: number): Promise<boolean> {
  const oldest = await tx.get(OLDEST)
  return oldest !== undefined && oldest.at < before
}

/** The last entry always stays, since the next one follows its hash. */
const LAST_OLD = statement<{ n: number; hash: string | null }>(
  () => sql`WITH oldest AS (SELECT n, at, hash FROM write_log ORDER BY n LIMIT ${integer('limit')})
    SELECT n, hash FROM oldest WHERE n < (SELECT max(n) FROM write_log)
      AND n < coalesce((SELECT min(n) FROM oldest WHERE at >= ${integer('before')}), n + 1)
    ORDER BY n DESC LIMIT 1`,
)
const DELETE = statement(() => sql`DELETE FROM write_log WHERE n <= ${integer('last')}`)

/** The last entry that was removed. */
export interface RemovedEntries {
  through: number
  hash: string | null
}

/**
 * Deletes up to `limit` of the oldest rows, if they are from before a time, in milliseconds since 1970. Rows are in order
 * of time, unless the clock was set back; then one that is not old keeps those after it.
 */
export async function deleteAuditRowsBefore(
  tx: Transaction,
  before: number,
  limit: number,
): Promise<RemovedEntries | undefined> {
  const last = await tx.get(LAST_OLD, { before, limit })
  if (last === undefined) return undefined
  await tx.run(DELETE, { last: last.n })
  return { through: last.n, hash: last.hash }
}

const AFTER = statement<AuditRow>(
  () => sql`${selectFrom(writeLog)} WHERE n > ${integer('after')} ORDER BY n LIMIT ${integer('limit')}`,
)

/** At most `limit` rows after the number `after`, oldest first. */
export function auditRowsAfter(tx: Transaction, after: number, limit: number): Promise<AuditRow[]> {
  return tx.all(AFTER, { after, limit })
}
