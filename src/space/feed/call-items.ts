/** Feed items for calls: who did what to which documents, within the reach of a connection, without texts. */

import { auditRowsByNumbers } from '../../../storage/audit-log.ts'
import { documentMoves, reachedDocumentsOfCalls } from '../../../storage/history.ts'
import { type AuditRow, DAILY_LOCATIONS } from '../../../storage/schema.ts'
import { addToGroup } from '../../base/grouping.ts'
import { visibleCalls } from '../history/call-selection.ts'
import { type DocumentNames, documentNames, summarize } from '../history/change-summary.ts'
import { type CountedChange, countChange, type ShownChanges, visibleChanges } from '../history/counted-changes.ts'
import { callsUndoneBy } from '../history/undone-calls.ts'
import { documentVisibility } from '../history/visible-history.ts'
import { reachOf, type Space } from '../model/space.ts'
import { type ChangedIds, changedIds } from './changed-ids.ts'

/** A document that an item of the feed is about. */
export interface FeedDocument {
  documentId: string
  title: string
}

/** A call that was committed. */
export interface CallItem {
  type: 'call.committed'
  callId: string
  /** The number of the call in the space. It counts all calls, so only full connections get it. */
  number?: number
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
  /** The changed documents that are within reach. */
  documents: FeedDocument[]
  made?: string[]
  changed?: string[]
  moved?: string[]
  deleted?: string[]
  /** How many IDs do not fit into these lists. */
  idsLeftOut?: number
  /** True if the call changed more than the summary and the lists cover. */
  isPartial?: true
  /** Documents that came within reach. `goneDocuments` are those that left it or were deleted. */
  newDocuments?: string[]
  goneDocuments?: string[]
  /** The calls that it undid. */
  undoes?: string[]
}

/** The part of one call that a connection sees. */
export interface SeenCall extends ShownChanges {
  /** Numbers of documents. */
  documents: number[]
  newDocuments: number[]
  goneDocuments: number[]
}

/** Items by call number, for those calls that the connection sees anything of, and how many rows these changed. */
export interface CallItems {
  items: Map<number, CallItem>
  /** What the connection sees of each of these calls, row by row. */
  seen: ReadonlyMap<number, SeenCall>
  rows: number
}

export async function callItems(space: Space, rows: readonly AuditRow[]): Promise<CallItems> {
  const seen = await seenCalls(space, rows)
  const shown = rows.filter(({ n }) => seen.has(n))
  const ids = await changedIds(space.tx, new Map([...seen].map(([n, { changes }]) => [n, changes])))
  const documents = [...seen.values()].flatMap((one) => [...one.documents, ...one.newDocuments, ...one.goneDocuments])
  const names = await documentNames(space, documents)
  const undone = await undoneIds(space, shown)
  const items = new Map<number, CallItem>()
  for (const row of shown) {
    const of = seen.get(row.n)
    if (of !== undefined) items.set(row.n, describe(space, row, { ...of, names, undone, ids: ids.get(row.n) ?? {} }))
  }
  return { items, seen, rows: [...seen.values()].reduce((sum, { changes }) => sum + changes.length, 0) }
}

interface Described extends SeenCall {
  names: DocumentNames
  /** The IDs of the calls that each call undid. */
  undone: ReadonlyMap<number, readonly number[]>
  ids: ChangedIds
}

function describe(space: Space, row: AuditRow, { changes, isPartial, names, undone, ids, ...of }: Described): CallItem {
  const { n, id, at, author, client, approvedBy, connection, link, endpoint } = row
  const isFull = space.kind === 'full'
  const gone = new Set(of.goneDocuments)
  const spellAll = (list: readonly number[] = []) => list.map((one) => space.spellId(one))
  const documentIds = (list: readonly number[]) => list.flatMap((one) => names.get(one)?.id ?? [])
  const lists = {
    made: spellAll(ids.made),
    changed: spellAll(ids.changed),
    moved: spellAll(ids.moved),
    deleted: spellAll(ids.deleted),
    newDocuments: spellAll(documentIds(of.newDocuments)),
    goneDocuments: spellAll(documentIds(of.goneDocuments)),
    undoes: spellAll(undone.get(n)),
  }
  return {
    type: 'call.committed',
    callId: space.spellId(id ?? 0),
    ...(isFull && { number: n }),
    at: new Date(at).toISOString(),
    author,
    ...(client !== null && { client }),
    ...(approvedBy !== null && { approvedBy }),
    ...(connection !== null && { connection }),
    ...(isFull && link !== null && { linkId: link }),
    tool: endpoint,
    // The title of a document that is gone is not shown.
    summary: summarize({ changes, isPartial }, new Map([...names].filter(([document]) => !gone.has(document)))).text,
    documents: of.documents.flatMap((document) => {
      const name = gone.has(document) ? undefined : names.get(document)
      return name === undefined ? [] : [{ documentId: space.spellId(name.id), title: name.title }]
    }),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    ...(ids.leftOut !== undefined && { idsLeftOut: ids.leftOut }),
    ...(isPartial && { isPartial }),
  }
}

/** Returns what the connection sees of each of these calls, without entries for calls of which it sees nothing. */
async function seenCalls(space: Space, rows: readonly AuditRow[]): Promise<Map<number, SeenCall>> {
  const numbers = rows.map(({ n }) => n)
  const places = await reachedDocumentsOfCalls(space.tx, numbers, reachOf(space.link))
  const documents = [...new Set(places.map(({ document }) => document))]
  const isVisible = await documentVisibility(space, documents)
  const changes = await visibleChanges(space, numbers, isVisible, { isComplete: true })
  const departures = await departuresOutOfReach(space, numbers, documents)
  const isFull = space.kind === 'full'
  const placesByCall = Map.groupBy(places, ({ call }) => call)
  const seen = new Map<number, SeenCall>()
  for (const { n, id } of rows) {
    // Entries that were not written by a call have no ID.
    if (id === null) continue
    const { changes: visible, isPartial } = changes.get(n) ?? { changes: [], isPartial: false }
    const arrived = visible.filter(isArrival)
    const departed = departures.get(n) ?? []
    const marked = (placesByCall.get(n) ?? []).filter(
      ({ document, isMarked }) => isVisible(document, n) && (isFull || isMarked === 1),
    )
    // Narrow connections do not see calls that within their reach only kept something in sync with a change elsewhere.
    const isSeen = isFull || departed.length + arrived.length > 0 || (visible.length > 0 && marked.length > 0)
    if (!isSeen) continue
    const newDocuments = documentsOf(arrived)
    const counted = new Set(isPartial ? documentsOf(visible) : [])
    const changed = marked.filter(({ document }) => !isPartial || counted.has(document))
    seen.set(n, {
      changes: [...visible, ...departed],
      isPartial,
      documents: [...new Set([...changed.map(({ document }) => document), ...newDocuments])],
      newDocuments,
      goneDocuments: documentsOf([...visible.filter(isDeletion), ...departed]),
    })
  }
  return seen
}

const documentsOf = (changes: readonly CountedChange[]): number[] => [
  ...new Set(changes.flatMap(({ document }) => document ?? [])),
]

/** True if a document was created or restored from the trash. */
const isArrival = ({ table, verb }: CountedChange): boolean =>
  table === 'document' && (verb === 'added' || verb === 'restored from the trash')

const isDeletion = ({ table, verb }: CountedChange): boolean => table === 'document' && verb === 'moved to the trash'

/**
 * Returns, by call, the documents that left the reach of a narrow connection: those that were within reach until that
 * call and no longer are. Nothing else is shown of them.
 */
async function departuresOutOfReach(
  space: Space,
  calls: readonly number[],
  documents: readonly number[],
): Promise<Map<number, CountedChange[]>> {
  const { kind, link, tx } = space
  if (kind === 'full') return new Map()
  const reached = await space.reachableDocuments(documents)
  const { historyFrom = 0 } = link
  const since = (document: number) =>
    typeof historyFrom === 'number' ? historyFrom : (historyFrom.get(document) ?? Infinity)
  const left = (await documentMoves(tx, calls)).filter(({ call, row, before }) => {
    if (reached.has(row)) return false
    const { location = '' } = JSON.parse(before ?? '{}') as { location?: string }
    if (kind === 'daily') return (DAILY_LOCATIONS as readonly string[]).includes(location)
    return link.documents.has(row) && call >= since(row) && location !== '' && location !== 'trash'
  })
  const byCall = new Map<number, CountedChange[]>()
  for (const change of left) addToGroup(byCall, change.call, ...countChange(change))
  return byCall
}

/** The IDs of the calls that these calls undid, for those that the connection sees. */
async function undoneIds(space: Space, rows: readonly AuditRow[]): Promise<Map<number, number[]>> {
  const undone = await callsUndoneBy(space, rows)
  const numbers = [...new Set([...undone.values()].flat())]
  if (numbers.length === 0) return new Map()
  const visible = await visibleCalls(space, await auditRowsByNumbers(space.tx, numbers))
  const ids = new Map(visible.map(({ n, id }) => [n, id]))
  return new Map([...undone].map(([n, calls]) => [n, calls.flatMap((one) => ids.get(one) ?? [])]))
}
