/** Lists calls that wrote something, newest first, and shows what they changed. */
import { type AuditFilter, auditRowsByNumbers, latestAuditRows } from '../../../storage/audit-log.ts'
import { documentsOfCalls, sizesOfCalls } from '../../../storage/history.ts'
import type { AuditRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { CHANGED_ROWS_PER_ANSWER } from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import { markUnseen } from '../../base/unseen-characters.ts'
import type { Comparer } from '../../difference/comparer.ts'
import { partOfDiff } from '../../difference/diff-parts.ts'
import { type DiffLimits, limitsOfDiff } from '../../difference/read-diff.ts'
import { createPagination, decodeCursor, invalidCursor, type Pagination, paginationText } from '../model/cursors.ts'
import type { GivenId } from '../model/ids.ts'
import type { MarkdownAnswer } from '../model/markdown-answer.ts'
import { reachOf, type Space } from '../model/space.ts'
import { callLine } from './call-line.ts'
import { callAt, getCalls, type Moment, type SummarizedCall, summarizeVisible, visibleCalls } from './call-selection.ts'
import { nameChanges } from './change-names.ts'
import { documentNames } from './change-summary.ts'
import { type ChangedDocuments, compareDocuments, readChangedDocuments } from './document-diff.ts'
import type { PlaceChanges } from './summary-text.ts'
import { callsUndoneBy, undoneBy } from './undone-calls.ts'

export interface HistoryInput {
  /** A call. The answer shows what it changed, as a diff. */
  call?: GivenId | undefined
  documentId?: GivenId | undefined
  connection?: string | undefined
  link?: string | undefined
  participant?: string | undefined
  since?: Moment | undefined
  /** With `since` and a document: shows the diff between the two moments. */
  until?: Moment | undefined
  limit: number
  cursor?: string | undefined
}

/** A call that wrote. */
export interface HistoryItem {
  callId: string
  at: string
  author: string
  client?: string
  /** The name of the person who approved the call, if it was proposed. */
  approvedBy?: string
  connection?: string
  linkId?: string
  tool: string
  /** A summary of what it changed. */
  summary: string
  /** The same as data, with names: over REST and for pages. Absent if its changes are not kept any more. */
  changes?: PlaceChanges[]
  /** True if the call changed more than is counted. With `changes`. */
  isPartial?: true
  documents: { documentId: string; title: string }[]
  /** The call that undid it. */
  undoneBy?: string
  /** The calls that it undid. */
  undoes?: string[]
}

export interface HistoryAnswer extends Partial<DiffLimits> {
  items: HistoryItem[]
  /** One part of a unified diff of the Markdown, with details that it does not show. */
  diff?: string
  pagination?: Pagination
}

/** An answer whose difference is still to be made. */
export interface HistoryOfDocuments {
  items: HistoryItem[]
  changed: ChangedDocuments
  /** The part of the difference to show, from 0. */
  part: number
  /** Leads to a further part. */
  paginate(next: number, count: number): Pagination
}

/** True if answering the request requires reading documents as they were. */
export const asksForDifference = ({
  call,
  documentId,
  since,
  until,
}: { [Key in 'call' | 'documentId' | 'since' | 'until']?: unknown }): boolean =>
  call !== undefined || (documentId !== undefined && since !== undefined && until !== undefined)

/**
 * @returns the documents to compare where the request asks for a difference
 * @throws NOT_FOUND_ERROR; CURSOR_INVALID; VALIDATION_ERROR
 */
export async function listHistory(space: Space, input: HistoryInput): Promise<HistoryAnswer | HistoryOfDocuments> {
  const { call, documentId, since, until } = input
  if (call !== undefined) {
    const rows = await getCalls(space, [call])
    const { n = 0, at } = rows[0] ?? {}
    const documents = (await documentsOfCalls(space.tx, [n])).map(({ document }) => document)
    const items = await describeCalls(space, await summarizeVisible(space, rows))
    const changed = await readChangedDocuments(space, { documents, from: n - 1, to: n, isCall: true, now: at })
    return { items, changed, ...partOf(space, input) }
  }
  if (documentId !== undefined && since !== undefined && until !== undefined) {
    const { n } = await space.getDocument(documentId)
    const [from, to] = [await callAt(space, since), await callAt(space, until)]
    if (from > to) throw invalid('Expected since to be before until, found it after; give the earlier moment as since.')
    const changed = await readChangedDocuments(space, { documents: [n], from, to, isCall: false })
    return { items: [], changed, ...partOf(space, input) }
  }
  return listCalls(space, input)
}

function partOf(
  { info: { secret } }: Space,
  { call, documentId, since, until, cursor }: HistoryInput,
): Pick<HistoryOfDocuments, 'part' | 'paginate'> {
  const query = ['difference', call?.toJSON(), documentId?.toJSON(), momentKey(since), momentKey(until)]
  return {
    part: cursor === undefined ? 0 : Number(decodeCursor(secret, ['history_list', query], cursor)),
    paginate: (next, count) =>
      createPagination(secret, 'history_list', query, 'part of the difference', String(next), count - next),
  }
}

/** Makes the difference of an answer. Call it outside of transactions. @throws CURSOR_INVALID */
export async function compareHistory(
  found: HistoryAnswer | HistoryOfDocuments,
  comparer: Comparer,
): Promise<HistoryAnswer> {
  if (!('changed' in found)) return found
  const { items, changed, part, paginate } = found
  const shown = partOfDiff(await compareDocuments(changed, comparer), part)
  if (shown === undefined) throw invalidCursor()
  const { next, count, ...difference } = shown
  return { items, ...difference, ...(next !== undefined && { pagination: paginate(next, count) }) }
}

/** The same with all of the difference, for the command line. */
export async function compareWhole(
  found: HistoryAnswer | HistoryOfDocuments,
  comparer: Comparer,
): Promise<HistoryAnswer> {
  if (!('changed' in found)) return found
  const diff = await compareDocuments(found.changed, comparer)
  return { items: found.items, diff, ...limitsOfDiff(diff) }
}

async function listCalls(space: Space, input: HistoryInput): Promise<HistoryAnswer> {
  const { connection, link, participant: author, documentId, since, until, limit, cursor } = input
  const query = ['history_list', connection, link, author, documentId?.toJSON(), momentKey(since), momentKey(until)]
  const filter: AuditFilter = { connection, link, author }
  if (documentId !== undefined) filter.document = (await space.getDocument(documentId)).n
  if (since !== undefined) filter.after = await callAt(space, since)
  if (until !== undefined) filter.before = (await callAt(space, until)) + 1
  if (cursor !== undefined) filter.before = readCursor(space, query, cursor)
  const { calls, hasMore } = await findCalls(space, { ...filter, reach: reachOf(space.link) }, limit)
  const items = await describeCalls(space, calls)
  const last = calls.at(-1)
  if (!hasMore || last === undefined) return { items }
  const { secret } = space.info
  return {
    items,
    pagination: createPagination(secret, 'history_list', query, 'call', String(last.row.n), 1, 1),
  }
}

/**
 * Finds the latest calls that the connection sees. Returns less than `limit` if they changed {@link
 * CHANGED_ROWS_PER_ANSWER} rows together.
 */
async function findCalls(
  space: Space,
  filter: AuditFilter,
  limit: number,
): Promise<{ calls: SummarizedCall[]; hasMore: boolean }> {
  const calls: SummarizedCall[] = []
  let changedRows = 0
  for (let next = filter; ; ) {
    const page = await latestAuditRows(space.tx, next, limit + 1)
    for (const some of await groupBySize(space, page)) {
      for (const one of await summarizeVisible(space, some)) {
        if (calls.length === limit || changedRows >= CHANGED_ROWS_PER_ANSWER) return { calls, hasMore: true }
        changedRows += one.summary?.rows ?? 0
        calls.push(one)
      }
      await yieldToEventLoop()
    }
    const last = page.at(-1)
    if (page.length <= limit || last === undefined) return { calls, hasMore: false }
    next = { ...next, before: last.n }
  }
}

/** Rows that the calls of a group changed together, unless one call alone changed more. */
const ROWS_PER_GROUP = 5_000

/** Groups calls, newest first, so that no more of them are summarized than an answer shows. */
async function groupBySize({ tx }: Space, rows: readonly AuditRow[]): Promise<AuditRow[][]> {
  const numbers = rows.map(({ n }) => n)
  const sizes = new Map((await sizesOfCalls(tx, numbers, ROWS_PER_GROUP)).map(({ call, size }) => [call, size]))
  // If so many were counted, calls without a count may have changed more.
  const isCut = [...sizes.values()].reduce((sum, size) => sum + size, 0) >= ROWS_PER_GROUP
  const groups: AuditRow[][] = []
  let left = 0
  for (const row of rows) {
    const size = sizes.get(row.n) ?? (isCut ? ROWS_PER_GROUP : 0)
    if (groups.length === 0 || size > left) {
      groups.push([])
      left = ROWS_PER_GROUP
    }
    groups.at(-1)?.push(row)
    left -= size
  }
  return groups
}

const momentKey = (moment: Moment | undefined): unknown =>
  moment === undefined ? undefined : 'time' in moment ? moment.time : moment.toJSON()

function readCursor(space: Space, query: unknown, cursor: string): number {
  const n = Number(decodeCursor(space.info.secret, ['history_list', query], cursor))
  if (!Number.isSafeInteger(n)) throw invalidCursor()
  return n
}

/** Describes these calls as far as the connection may see them. */
async function describeCalls(space: Space, calls: readonly SummarizedCall[]): Promise<HistoryItem[]> {
  const { tx } = space
  const rows = calls.map(({ row }) => row)
  const numbers = rows.map(({ n }) => n)
  const undone = await undoneBy(space, Math.min(...numbers, Number.MAX_SAFE_INTEGER) - 1)
  const undoing = await callsUndoneBy(space, rows)
  const related = [...new Set([...numbers.flatMap((n) => undone.get(n) ?? []), ...[...undoing.values()].flat()])]
  const others = await visibleCalls(space, await auditRowsByNumbers(tx, related))
  const ids = new Map(others.map(({ n, id }) => [n, space.spellId(id ?? 0)]))
  const names = await documentNames(
    space,
    calls.flatMap(({ documents, summary }) => [...documents, ...(summary?.documents ?? [])]),
  )
  const summaries = calls.flatMap(({ summary }) => summary ?? [])
  const named = space.link.namesChanges ? await nameChanges(space, summaries, names) : undefined
  return calls.map(({ row, documents, summary }) => {
    const { n, at, author, client, approvedBy, connection, link, endpoint, id } = row
    const by = ids.get(undone.get(n) ?? 0)
    const undoes = undoing.get(n)?.flatMap((one) => ids.get(one) ?? []) ?? []
    return {
      callId: space.spellId(id ?? 0),
      at: new Date(at).toISOString(),
      author,
      ...(client !== null && { client }),
      ...(approvedBy !== null && { approvedBy }),
      ...(connection !== null && { connection }),
      ...(link !== null && space.kind === 'full' && { linkId: link }),
      tool: endpoint,
      summary: summary?.text ?? '',
      ...(summary && named && { changes: named.get(summary) ?? [], ...(summary.isPartial && { isPartial: true }) }),
      documents: documents.flatMap((document) => {
        const named = names.get(document)
        return named === undefined ? [] : [{ documentId: space.spellId(named.id), title: named.title }]
      }),
      ...(by !== undefined && { undoneBy: by }),
      ...(undoes.length > 0 && { undoes }),
    }
  })
}

/** Formats the answer as lines, with the diff below them. */
export async function historyToMarkdown({ items, diff, pagination }: HistoryAnswer): Promise<MarkdownAnswer> {
  const lines = items.map(callLine)
  const text = [
    ...(diff === undefined && lines.length === 0 ? ['No calls.'] : lines),
    ...(diff === undefined ? [] : [diff]),
  ]
  const rest = paginationText(pagination)
  return { body: markUnseen(text.join('\n')), ...(rest !== undefined && { note: rest, rest }) }
}
