/** Lists calls that wrote something, newest first, and shows what they changed. */
import { type AuditFilter, auditRowsByNumbers, latestAuditRows } from '../../../storage/audit-log.ts'
import { documentsOfCalls } from '../../../storage/history.ts'
import type { AuditRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import type { Comparer } from '../../difference/comparer.ts'
import { createPagination, decodeCursor, invalidCursor, type Pagination, paginationText } from '../model/cursors.ts'
import type { GivenId } from '../model/ids.ts'
import type { MarkdownAnswer } from '../model/markdown-answer.ts'
import type { Space } from '../model/space.ts'
import { undoneBy } from '../model/undone-calls.ts'
import { callLine } from './call-line.ts'
import { callAt, getCalls, type Moment, visibleCalls } from './call-selection.ts'
import { documentNames, summarizeCalls } from './change-summary.ts'
import { type ChangedDocuments, compareDocuments, type Difference, readChangedDocuments } from './document-diff.ts'
import { documentVisibility } from './visible-history.ts'

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
  /** What it changed, in words. */
  summary: string
  documents: { documentId: string; title: string }[]
  /** The call that undid it. */
  undoneBy?: string
  /** The calls that it undid. */
  undoes?: string[]
}

export interface HistoryAnswer extends Partial<Difference> {
  items: HistoryItem[]
  pagination?: Pagination
}

/** An answer whose difference is still to be made. */
export interface HistoryOfDocuments {
  items: HistoryItem[]
  changed: ChangedDocuments
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
    const n = rows[0]?.n ?? 0
    const documents = (await documentsOfCalls(space.tx, [n])).map(({ document }) => document)
    const items = await describeCalls(space, rows)
    return { items, changed: await readChangedDocuments(space, documents, n - 1, n) }
  }
  if (documentId !== undefined && since !== undefined && until !== undefined) {
    const { n } = await space.getDocument(documentId)
    const [from, to] = [await callAt(space, since), await callAt(space, until)]
    if (from > to) throw invalid('Expected since to be before until, found it after; give the earlier moment as since.')
    return { items: [], changed: await readChangedDocuments(space, [n], from, to) }
  }
  return listCalls(space, input)
}

/** Makes the difference of an answer. Call it outside of transactions. */
export async function compareHistory(
  found: HistoryAnswer | HistoryOfDocuments,
  comparer: Comparer,
): Promise<HistoryAnswer> {
  if (!('changed' in found)) return found
  return { items: found.items, ...(await compareDocuments(found.changed, comparer)) }
}

async function listCalls(space: Space, input: HistoryInput): Promise<HistoryAnswer> {
  const { connection, link, participant: author, documentId, since, until, limit, cursor } = input
  const query = ['history_list', connection, link, author, documentId?.toJSON(), momentKey(since), momentKey(until)]
  const filter: AuditFilter = { connection, link, author }
  if (documentId !== undefined) filter.document = (await space.getDocument(documentId)).n
  if (since !== undefined) filter.after = await callAt(space, since)
  if (until !== undefined) filter.before = (await callAt(space, until)) + 1
  if (cursor !== undefined) filter.before = readCursor(space, query, cursor)
  const rows: AuditRow[] = []
  // Calls that the connection does not see are skipped.
  for (let next = filter; rows.length <= limit; ) {
    const page = await latestAuditRows(space.tx, next, limit + 1)
    rows.push(...(await visibleCalls(space, page)))
    const last = page.at(-1)
    if (page.length <= limit || last === undefined) break
    next = { ...next, before: last.n }
  }
  const shown = rows.slice(0, limit)
  const items = await describeCalls(space, shown)
  const last = shown.at(-1)
  if (rows.length <= limit || last === undefined) return { items }
  const { secret } = space.info
  return {
    items,
    pagination: createPagination(secret, 'history_list', query, 'calls', String(last.n), 1, 1),
  }
}

const momentKey = (moment: Moment | undefined): unknown =>
  moment === undefined ? undefined : 'time' in moment ? moment.time : moment.toJSON()

function readCursor(space: Space, query: unknown, cursor: string): number {
  const n = Number(decodeCursor(space.info.secret, ['history_list', query], cursor))
  if (!Number.isSafeInteger(n)) throw invalidCursor()
  return n
}

/** Describes these calls as far as the connection may see them. */
async function describeCalls(space: Space, rows: readonly AuditRow[]): Promise<HistoryItem[]> {
  const { tx } = space
  const numbers = rows.map(({ n }) => n)
  const places = await documentsOfCalls(tx, numbers)
  const isVisible = await documentVisibility(
    space,
    places.map(({ document }) => document),
  )
  const summaries = await summarizeCalls(space, numbers, isVisible)
  const undone = await undoneBy(space, Math.min(...numbers, Number.MAX_SAFE_INTEGER) - 1)
  const named = [...new Set([...numbers.flatMap((n) => undone.get(n) ?? []), ...rows.flatMap(undoneCalls)])]
  const others = await visibleCalls(space, await auditRowsByNumbers(tx, named))
  const ids = new Map(others.map(({ n, id }) => [n, space.spellId(id ?? 0)]))
  const seen = places.filter(
    ({ document, call, isMarked }) => isVisible(document, call) && (space.kind === 'full' || isMarked === 1),
  )
  const names = await documentNames(
    tx,
    seen.map(({ document }) => document),
  )
  return rows.map((row) => {
    const { n, at, author, client, approvedBy, connection, link, endpoint, id } = row
    const summary = summaries.get(n)?.text ?? ''
    const by = ids.get(undone.get(n) ?? 0)
    const undoes = undoneCalls(row).flatMap((one) => ids.get(one) ?? [])
    return {
      callId: space.spellId(id ?? 0),
      at: new Date(at).toISOString(),
      author,
      ...(client !== null && { client }),
      ...(approvedBy !== null && { approvedBy }),
      ...(connection !== null && { connection }),
      ...(link !== null && space.kind === 'full' && { linkId: link }),
      tool: endpoint,
      summary,
      documents: seen.flatMap(({ call, document }) => {
        const named = call === n ? names.get(document) : undefined
        return named === undefined ? [] : [{ documentId: space.spellId(named.id), title: named.title }]
      }),
      ...(by !== undefined && { undoneBy: by }),
      ...(undoes.length > 0 && { undoes }),
    }
  })
}

const undoneCalls = ({ undoes }: AuditRow): number[] => (undoes === null ? [] : (JSON.parse(undoes) as number[]))

/** Formats the answer as lines, with the diff below them. */
export async function historyToMarkdown({ items, diff, pagination }: HistoryAnswer): Promise<MarkdownAnswer> {
  const lines = items.map(callLine)
  const text = [
    ...(diff === undefined && lines.length === 0 ? ['No calls.'] : lines),
    ...(diff === undefined ? [] : [diff]),
  ]
  const rest = paginationText(pagination)
  return { body: text.join('\n'), ...(rest !== undefined && { note: rest, rest }) }
}
