/** The audit log: one entry for each call that wrote, with who made it. */
import { auditRowsAfter, hasAuditRowsBefore, insertAuditRow, type LoggedCall } from '../../../storage/audit-log.ts'
import type { SinceThen } from '../../../storage/changes-of-others.ts'
import { expiryTime } from '../../../storage/expiry.ts'
import { differenceHash, type Erasure, expireEntries, jsonIn, newSalt } from '../../../storage/log-chain.ts'
import type { AuditRow } from '../../../storage/schema.ts'
import { pruneHistory } from './prune-history.ts'
import type { Space } from './space.ts'

/** How many old entries are deleted at once. More than the calls in between, so that a log that is too long shrinks. */
const PRUNED_AT_ONCE = 500

/** Logs a call as {@link logCall} does. @returns its number */
export const addAuditEntry = async (space: Space, endpoint: string, ids: readonly string[]): Promise<number> =>
  (await logCall(space, endpoint, ids, {})).n

/**
 * Logs what an administrator did to documents, or to what may write them, and where it came from. It is a call, so that
 * history and those who follow the space have it; other administration is an occurrence.
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
 * Logs what happened to a space and is no call: it cannot be undone, and is in no history or feed. Returns its number.
 *
 * @param author  who did it; the author of the link if absent
 */
export async function logOccurrence(
  { tx, now, link, origin }: Space,
  endpoint: string,
  { ids = [], author = link.author, about = {}, erased }: Occurrence = {},
): Promise<number> {
  const { id = null, client = null, connection = null } = link
  const who = { link: id, author, client, connection, origin: origin ?? null }
  const what = { endpoint, ids: JSON.stringify(ids), detail: detailOf(about) }
  const row = { at: now, ...who, ...what, ...(erased && { erased: JSON.stringify(erased) }) }
  // It has no ID that another could have.
  return ((await insertAuditRow(tx, row)) as LoggedCall).n
}

interface Occurrence {
  ids?: readonly string[]
  author?: string
  about?: object
  /** What earlier entries have lost by it. */
  erased?: Erasure
}

/** Bounds what an entry says: it is about settings and IDs, not content. */
const DETAIL_LENGTH = 2_000

function detailOf(about: object): string | null {
  const text = JSON.stringify(about)
  if (text === '{}') return null
  return text.length <= DETAIL_LENGTH ? text : JSON.stringify({ beginning: text.slice(0, DETAIL_LENGTH) })
}

/** What is logged of a call besides what it wrote. */
interface LoggedBesides {
  /** The name of the person who approved it, if it was proposed. */
  approvedBy?: string | null
  /** The proposal that was approved. The entry proves which difference the person saw. */
  approves?: { id: number; diff: string }
  /** Which calls of other connections are looked for. */
  since?: SinceThen
  /** Of administration: what it was about. */
  about?: object | undefined
}

/**
 * Logs a call that wrote something, in the call's own transaction, and deletes expired entries.
 *
 * @param ids  what the call wrote
 * @returns the call's number, under which history stores its changes, and its ID
 */
export async function logCall(
  space: Space,
  endpoint: string,
  ids: readonly string[],
  { approvedBy = null, since, about, approves }: LoggedBesides,
): Promise<LoggedCall & { id: number }> {
  const { tx, now, link, chance } = space
  const { id: linkId = null, author, client = null, connection = null } = link
  const caller = { link: linkId, author, client, connection }
  const undoes = space.undoneCalls === undefined ? null : JSON.stringify(space.undoneCalls)
  const administered = about && { origin: space.origin ?? null, detail: detailOf(about) }
  const written = { endpoint, ids: JSON.stringify(ids), hasChanges: 1, undoes, approvedBy }
  const row = { at: now, ...caller, ...written, ...administered, ...(approves && approvalOf(approves)) }
  space.quota?.noteAddition(link.id)
  for (;;) {
    const id = chance.generateCallId()
    const logged = await insertAuditRow(tx, { ...row, id }, since)
    // If another call has the ID already, draw again.
    if (logged === undefined) continue
    if (logged.n % CALLS_PER_PRUNING === 0) {
      await pruneHistory(space)
      await pruneAuditLog(space)
    }
    return { ...logged, id }
  }
}

/** The hash of the difference is salted as the changes are, so that both are erased together. */
function approvalOf({ id, diff }: { id: number; diff: string }): Pick<AuditRow, 'contentSalt' | 'detail'> {
  const contentSalt = newSalt()
  return {
    contentSalt,
    detail: JSON.stringify({ proposal: String(id), difference: differenceHash(contentSalt, diff) }),
  }
}

/** History and the log are pruned once per this many calls. */
const CALLS_PER_PRUNING = 50

/** Deletes some expired entries. Another entry says which, and the hash of the last of them. */
async function pruneAuditLog({ tx, now, info: { auditLogRetention: retention } }: Space): Promise<void> {
  if (retention === undefined || !(await hasAuditRowsBefore(tx, now - retention))) return
  await expireEntries(tx, { now, before: await expiryTime(tx, now, retention), limit: PRUNED_AT_ONCE })
}

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
    const more = { ...(origin !== null && { origin }), ...(detail !== null && { about: jsonIn(detail) }) }
    return { at: new Date(at).toISOString(), ...who, endpoint, ids: JSON.parse(ids), ...more }
  })
  return { writes, last: rows.at(-1)?.n ?? after }
}
