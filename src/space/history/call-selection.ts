/** Selects the calls that a request names, and finds out which of them still stand. */
import {
  type AuditFilter,
  auditRowsByIds,
  auditRowsByNumbers,
  lastCallBefore,
  latestAuditRows,
} from '../../../storage/audit-log.ts'
import { reachedDocumentsOfCalls } from '../../../storage/history.ts'
import type { AuditRow } from '../../../storage/schema.ts'
import { invalid, notFound } from '../../base/errors.ts'
import { UNDO_CALLS } from '../../base/limits.ts'
import type { GivenId } from '../model/ids.ts'
import { reachOf, type Space } from '../model/space.ts'
import { type ChangeSummary, summarizeCalls } from './change-summary.ts'
import { undoneBy } from './undone-calls.ts'
import { documentVisibility } from './visible-history.ts'

/** A moment: right after a call, or a time. */
export type Moment = GivenId | { time: number }

/** How a request names calls. */
export interface CallSelection {
  calls?: readonly GivenId[] | undefined
  since?: Moment | undefined
  connection?: string | undefined
  /** The ID of a link. */
  link?: string | undefined
  /** The name of the author. */
  participant?: string | undefined
  documentId?: GivenId | undefined
}

/** The number of the last call at a moment. @throws NOT_FOUND_ERROR for a call that the connection does not see */
export async function callAt(space: Space, moment: Moment): Promise<number> {
  if ('time' in moment) return lastCallBefore(space.tx, moment.time)
  const [row] = await getCalls(space, [moment])
  return row?.n ?? 0
}

/**
 * Returns the calls with these IDs, oldest first.
 *
 * @throws NOT_FOUND_ERROR with the same message for calls that do not exist and calls that the connection does not see
 */
export async function getCalls(space: Space, ids: readonly GivenId[]): Promise<AuditRow[]> {
  const rows = await auditRowsByIds(
    space.tx,
    ids.map(({ number }) => number),
  )
  const visible = await visibleCalls(space, rows)
  const found = new Set(visible.map(({ id }) => id))
  const missing = ids.find(({ number }) => !found.has(number))
  if (missing !== undefined) {
    throw notFound(
      `Expected the ID of a call that this connection sees, found ${missing}; read IDs with history_list and name one of those.`,
    )
  }
  return visible
}

/** Returns those of these calls that the connection sees because they changed something within its reach. */
export async function visibleCalls(space: Space, rows: readonly AuditRow[]): Promise<AuditRow[]> {
  if (space.kind === 'full') return [...rows]
  return (await summarizeVisible(space, rows)).map(({ row }) => row)
}

/** A call that the connection sees, with what it sees of it. */
export interface SummarizedCall {
  row: AuditRow
  /** Absent if its changes are not kept any more. */
  summary: ChangeSummary | undefined
  /** The numbers of the documents that it changed, of those that the summary covers. */
  documents: number[]
}

/** Returns those of these calls that the connection sees, with what it sees of them. */
export async function summarizeVisible(space: Space, rows: readonly AuditRow[]): Promise<SummarizedCall[]> {
  const calls = rows.map(({ n }) => n)
  const places = await reachedDocumentsOfCalls(space.tx, calls, reachOf(space.link))
  const isVisible = await documentVisibility(
    space,
    places.map(({ document }) => document),
  )
  const isFull = space.kind === 'full'
  const seen = places.filter(({ call, document, isMarked }) => isVisible(document, call) && (isFull || isMarked === 1))
  const byCall = Map.groupBy(seen, ({ call }) => call)
  const summaries = await summarizeCalls(space, isFull ? calls : [...byCall.keys()], isVisible)
  return rows.flatMap((row) => {
    const summary = summaries.get(row.n)
    const all = (byCall.get(row.n) ?? []).map(({ document }) => document)
    const counted = summary?.isPartial === true ? new Set(summary.documents) : undefined
    const documents = counted === undefined ? all : all.filter((document) => counted.has(document))
    const isSeen = isFull || (all.length > 0 && (summary?.text ?? '') !== '')
    return isSeen ? [{ row, summary, documents }] : []
  })
}

/**
 * Returns the selected calls, oldest first: the named ones, or those of a connection, link or participant since a
 * moment that still stand. By default, selects the connection's own calls. A request that names nothing selects the
 * last call of its session.
 *
 * @throws VALIDATION_ERROR for calls that were undone already, calls whose changes are no longer stored, and too many
 *   calls
 */
export async function selectCalls(space: Space, selection: CallSelection, isOperator: boolean): Promise<AuditRow[]> {
  const { calls, since } = selection
  if (!isOperator && namesNothing(selection)) return [await lastOwnCall(space)]
  const named = calls === undefined ? undefined : await getCalls(space, calls)
  const after = named?.[0] === undefined ? await momentOf(space, since) : named[0].n - 1
  const undone = await undoneBy(space, after)
  if (named !== undefined) {
    await assertStanding(space, named, undone)
    return named
  }
  const filter: AuditFilter = { ...(await whose(space, selection, isOperator)), after }
  if (selection.documentId !== undefined) filter.document = (await space.getDocument(selection.documentId)).n
  const found: AuditRow[] = []
  // Calls that the connection does not see are skipped, and do not count.
  for (let next = filter; ; ) {
    const page = await latestAuditRows(space.tx, next, UNDO_CALLS + 1)
    found.push(
      ...(await visibleCalls(
        space,
        page.filter((row) => stands(row, undone)),
      )),
    )
    if (found.length > UNDO_CALLS) {
      throw invalid(
        `Expected at most ${UNDO_CALLS} calls to take back at once, found more; name a later since, a document, or some of the calls.`,
      )
    }
    const last = page.at(-1)
    if (page.length <= UNDO_CALLS || last === undefined) return found.reverse()
    next = { ...next, before: last.n }
  }
}

const namesNothing = ({ calls, since, connection, link, participant }: CallSelection): boolean =>
  [calls, since, connection, link, participant].every((one) => one === undefined)

/** Calls that are read at once to find those that still stand. */
const CALLS_PER_READ = 20
/** Calls that are named to a caller who has to choose. */
const CALLS_NAMED = 3

/**
 * The last call of this session that is neither an undo nor undone. Without a session, it could be that of another
 * client of the link.
 *
 * @throws VALIDATION_ERROR that lists the last calls of the link
 */
async function lastOwnCall(space: Space): Promise<AuditRow> {
  const { connection, hasSession = false, id: link = null } = space.link
  const [last] = hasSession ? await lastStandingCalls(space, { connection, link }, 1) : []
  if (last !== undefined) return last
  const ofLink = await lastStandingCalls(space, { link }, CALLS_NAMED)
  const listed = ofLink.map(
    ({ id, endpoint, at }) => `${space.spellId(id ?? 0)} (${endpoint}, ${new Date(at).toISOString()})`,
  )
  const found = hasSession
    ? 'none of this session that still stands'
    : 'none named, and no session whose last call is meant'
  const advice = listed.length === 0 ? 'there is none' : `${listed.join(', ')}; name those that are meant in calls`
  throw invalid(`Expected calls to take back, found ${found}; the last ones of this link: ${advice}.`)
}

/** The last calls that the connection sees and that are neither undos nor undone, newest first. */
async function lastStandingCalls(space: Space, filter: AuditFilter, count: number): Promise<AuditRow[]> {
  const undone = await undoneBy(space, 0)
  const found: AuditRow[] = []
  for (let next = filter; found.length < count; ) {
    const page = await latestAuditRows(space.tx, next, CALLS_PER_READ)
    const standing = page.filter((row) => stands(row, undone))
    found.push(...(await visibleCalls(space, standing)))
    const last = page.at(-1)
    if (page.length < CALLS_PER_READ || last === undefined) break
    next = { ...next, before: last.n }
  }
  return found.slice(0, count)
}

const stands = ({ n, undoes, hasChanges }: AuditRow, undone: ReadonlyMap<number, number>): boolean =>
  undoes === null && hasChanges === 1 && !undone.has(n)

const momentOf = async (space: Space, since: Moment | undefined): Promise<number> =>
  since === undefined ? 0 : callAt(space, since)

/** The filter for the authors of the selected calls. */
async function whose(
  { link }: Space,
  { connection, link: linkId, participant }: CallSelection,
  isOperator: boolean,
): Promise<AuditFilter> {
  if (connection !== undefined || linkId !== undefined || participant !== undefined)
    return { connection, link: linkId, author: participant }
  if (isOperator) return {}
  return link.connection === undefined ? { link: link.id ?? null } : { connection: link.connection }
}

async function assertStanding(
  space: Space,
  rows: readonly AuditRow[],
  undone: ReadonlyMap<number, number>,
): Promise<void> {
  for (const { n, id, hasChanges } of rows) {
    const by = undone.get(n)
    if (by !== undefined) {
      const [undoing] = await auditRowsByNumbers(space.tx, [by])
      const [call, undo] = [id, undoing?.id].map((one) => space.spellId(one ?? 0))
      throw invalid(
        `Expected calls that still stand, found ${call}, which call ${undo} took back; name that one to have it again.`,
      )
    }
    if (hasChanges === 1) continue
    throw invalid(
      `Expected calls whose changes are kept, found ${space.spellId(id ?? 0)}, of which they are not any more; leave it out.`,
    )
  }
}
