/** The audit log: one entry for each call that wrote, with who made it. */
import {
  auditRowsAfter,
  deleteAuditRowsBefore,
  hasAuditRowsBefore,
  insertAuditRow,
  type LoggedCall,
} from '../../../storage/audit-log.ts'
import type { SinceThen } from '../../../storage/changes-of-others.ts'
import { expiryTime } from '../../../storage/expiry.ts'
import { pruneHistory } from './prune-history.ts'
import type { Space } from './space.ts'

/** How many old entries each new entry deletes at most. More than one, so that a log that is too long shrinks. */
const PRUNED_PER_WRITE = 10

/** Logs a call as {@link logCall} does. @returns its number */
export const addAuditEntry = async (
  space: Space,
  endpoint: string,
  ids: readonly string[],
  approvedBy: string | null = null,
): Promise<number> => (await logCall(space, endpoint, ids, { approvedBy })).n

/**
 * Logs what an administrator did, and where it came from.
 *
 * @param about  what it was about, without secrets
 */
export const logAdministration = async (
  space: Space,
  endpoint: string,
  ids: readonly string[],
  about: object = {},
): Promise<number> => (await logCall(space, endpoint, ids, { about })).n

/**
 * Logs what happened to a space and is no call: it cannot be undone, and is in no history or feed.
 *
 * @param author  who did it; the author of the link if absent
 */
export async function logOccurrence(
  { tx, now, link, origin }: Space,
  endpoint: string,
  { ids = [], author = link.author, about = {} }: { ids?: readonly string[]; author?: string; about?: object } = {},
): Promise<void> {
  const { id = null, client = null, connection = null } = link
  const who = { link: id, author, client, connection, origin: origin ?? null }
  await insertAuditRow(tx, { at: now, ...who, endpoint, ids: JSON.stringify(ids), detail: detailOf(about) })
}

/** Bounds what an entry says: it is about settings and IDs, not content. */
const DETAIL_LENGTH = 2_000

function detailOf(about: object): string | null {
  const text = JSON.stringify(about)
  if (text === '{}') return null
  return text.length <= DETAIL_LENGTH ? text : JSON.stringify({ beginning: text.slice(0, DETAIL_LENGTH) })
}

/**
 * Logs a call that wrote something, in the call's own transaction, and deletes expired entries.
 *
 * @param ids  what the call wrote
 * @param more.approvedBy  the name of the person who approved it, if it was proposed
 * @param more.since  which calls of other connections are looked for
 * @param more.about  of administration: what it was about
 * @returns the call's number, under which history stores its changes, and its ID
 */
export async function logCall(
  space: Space,
  endpoint: string,
  ids: readonly string[],
  { approvedBy = null, since, about }: { approvedBy?: string | null; since?: SinceThen; about?: object | undefined },
): Promise<LoggedCall & { id: number }> {
  const { tx, now, link, info, chance } = space
  const { id: linkId = null, author, client = null, connection = null } = link
  const { auditLogRetention: retention } = info
  if (retention !== undefined && (await hasAuditRowsBefore(tx, now - retention)))
    await deleteAuditRowsBefore(tx, await expiryTime(tx, now, retention), PRUNED_PER_WRITE)
  const caller = { link: linkId, author, client, connection }
  const undoes = space.undoneCalls === undefined ? null : JSON.stringify(space.undoneCalls)
  const administered = about && { origin: space.origin ?? null, detail: detailOf(about) }
  const row = {
    at: now,
    ...caller,
    endpoint,
    ids: JSON.stringify(ids),
    hasChanges: 1,
    undoes,
    approvedBy,
    ...administered,
  }
  space.quota?.noteAddition(link.id)
  for (;;) {
    const id = chance.generateCallId()
    const logged = await insertAuditRow(tx, { ...row, id }, since)
    // If another call has the ID already, draw again.
    if (logged === undefined) continue
    if (logged.n % CALLS_PER_PRUNING === 0) await pruneHistory(space)
    return { ...logged, id }
  }
}

/** History is pruned once per this many calls. */
const CALLS_PER_PRUNING = 50

/** An entry of the audit log. */
export interface AuditEntry {
  at: string
  /** The ID of the link; absent for the operator. */
  link?: string
  /** The participant's name, or the link's. */
  author: string
  /** The client's own name; absent if it sent none. */
  client?: string
  /** The person who approved the call, if it was proposed. */
  approvedBy?: string
  endpoint: string
  ids: string[]
  /** Of administration: where it came from, and what it was about. */
  origin?: string
  about?: object
}

/** Returns at most `limit` entries after the number `after`, oldest first, and the number of the last one. */
export async function listAuditEntries(
  { tx }: Space,
  after: number,
  limit: number,
): Promise<{ writes: AuditEntry[]; last: number }> {
  const rows = await auditRowsAfter(tx, after, limit)
  const writes = rows.map(({ at, link, author, client, approvedBy, endpoint, ids, origin, detail }) => {
    const who = {
      ...(link !== null && { link }),
      author,
      ...(client !== null && { client }),
      ...(approvedBy !== null && { approvedBy }),
    }
    const more = { ...(origin !== null && { origin }), ...(detail !== null && { about: JSON.parse(detail) }) }
    return { at: new Date(at).toISOString(), ...who, endpoint, ids: JSON.parse(ids), ...more }
  })
  return { writes, last: rows.at(-1)?.n ?? after }
}
