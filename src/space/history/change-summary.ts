/** What calls changed, in words: `"Plan": 3 blocks deleted, 1 changed`. */

import { documentRecords } from '../../../storage/documents.ts'
import {
  type Change,
  changesOfCalls,
  changesOfRows,
  type HistoryRow,
  rowsByNumbers,
  rowsInRanges,
} from '../../../storage/history.ts'
import type { TableName } from '../../../storage/history-tables.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import type { Space } from '../model/space.ts'
import type { DocumentVisibility } from './visible-history.ts'

/** What happened to things of one kind in one place, as it is counted. */
type Verb = 'added' | 'changed' | 'moved' | 'deleted' | 'restored' | 'moved to the trash' | 'restored from the trash'

/** Counts by noun and verb, in the order in which they are written. */
class Counts {
  readonly #rows = new Map<string, Set<number>>()

  add(noun: string, verb: Verb, row: number): void {
    const key = `${noun}|${verb}`
    const rows = this.#rows.get(key)
    if (rows === undefined) this.#rows.set(key, new Set([row]))
    else rows.add(row)
  }

  has(noun: string, verb: Verb, row: number): boolean {
    return this.#rows.get(`${noun}|${verb}`)?.has(row) ?? false
  }

  toString(): string {
    const parts: string[] = []
    for (const [key, rows] of this.#rows) {
      const [noun = '', verb = ''] = key.split('|')
      parts.push(noun === 'document' ? verb : `${rows.size} ${rows.size === 1 ? noun : plural(noun)} ${verb}`)
    }
    return parts.join(', ')
  }
}

const plural = (noun: string): string => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`)

/** What rows of each table are called. Of the others, the block that they belong to was changed. */
const NOUNS: Partial<Record<TableName, string>> = {
  block: 'block',
  document: 'document',
  folder: 'folder',
  property: 'property',
  option: 'option',
  view: 'view',
  comment: 'comment',
  reminder: 'reminder',
  element: 'element',
}

/** What a change did, as far as it is counted. */
export interface CountedChange {
  table: TableName
  row: number
  verb: Verb
  /** The document that it is counted in; null for folders. */
  document: number | null
  /** Whether it may be that a value refers to another block, or did. */
  isTie?: boolean
  /** Whose reminder it is: it counts for that participant alone. */
  participant?: number | undefined
}

/** A summary of changes: for each document what happened in it, with its title. */
export interface ChangeSummary {
  text: string
  /** The numbers of the documents, in order. */
  documents: number[]
}

/** Rows of an inserted range that are read to tell their documents. */
const COUNTED_ROWS = 20_000

/**
 * What each of these calls changed, within what is visible. Values that refer to other blocks may tell of something
 * elsewhere: they count for full connections alone.
 */
export async function summarizeCalls(
  space: Space,
  calls: readonly number[],
  isVisible: DocumentVisibility,
): Promise<Map<number, ChangeSummary>> {
  const { tx, kind } = space
  const byCall = new Map<number, CountedChange[]>()
  const changes = await changesOfCalls(tx, calls)
  const inserted = await countRanges(
    tx,
    changes.filter(({ last }) => last !== null),
  )
  for (const change of changes) {
    const counted = byCall.get(change.call) ?? []
    byCall.set(change.call, counted)
    // One at a time: spreading tens of thousands of them would overflow the stack.
    for (const one of change.last === null ? countChange(change) : (inserted.get(change) ?? [])) counted.push(one)
  }
  const isOwn = await reminderVisibility(space, [...byCall.values()].flat())
  const names = await documentNames(
    tx,
    [...byCall.values()].flat().flatMap(({ document }) => document ?? []),
  )
  const summaries = new Map<number, ChangeSummary>()
  for (const [call, counted] of byCall) {
    const visible = counted.filter(
      (change) => isVisible(change.document ?? 0, call) && !(change.isTie && kind !== 'full') && isOwn(change),
    )
    summaries.set(call, summarize(visible, names))
  }
  return summaries
}

/** Whether a change is none of another participant's reminders. */
async function reminderVisibility(
  space: Space,
  changes: readonly CountedChange[],
): Promise<(change: CountedChange) => boolean> {
  const reminders = changes.filter(({ table }) => table === 'reminder')
  if (reminders.length === 0) return () => true
  await addParticipants(space.tx, reminders)
  const own = await space.findOwnParticipant()
  return ({ table, participant }) => table !== 'reminder' || participant === own
}

/** Finds out whose reminders were changed, of those that are still there and those that were deleted since. */
async function addParticipants(tx: Transaction, changes: readonly CountedChange[]): Promise<void> {
  const unknown = changes.filter(({ participant }) => participant === undefined)
  if (unknown.length === 0) return
  const rows = [...new Set(unknown.map(({ row }) => row))]
  const participants = new Map((await rowsByNumbers(tx, 'reminder', rows)).map((row) => [row.n, row.participant]))
  const gone = rows.filter((row) => !participants.has(row))
  for (const { row, before } of gone.length === 0 ? [] : await changesOfRows(tx, 'reminder', gone, 0)) {
    const { participant } = JSON.parse(before ?? '{}') as { participant?: number }
    if (participant !== undefined) participants.set(row, participant)
  }
  for (const change of unknown) change.participant = participants.get(change.row) as number | undefined
}

/** What a plan would do, in the same words. */
export async function summarizeChanges(space: Space, changes: readonly CountedChange[]): Promise<ChangeSummary> {
  const isOwn = await reminderVisibility(space, changes)
  return summarize(
    changes.filter(isOwn),
    await documentNames(
      space.tx,
      changes.flatMap(({ document }) => document ?? []),
    ),
  )
}

/** Documents as they are named, by number. */
export type DocumentNames = ReadonlyMap<number, { id: number; title: string }>

export async function documentNames(tx: Transaction, documents: Iterable<number>): Promise<DocumentNames> {
  const records = await documentRecords(tx, [...new Set(documents)])
  return new Map(records.map(({ n, id, title }) => [n, { id, title: plainTitle(title) }]))
}

function summarize(changes: readonly CountedChange[], names: DocumentNames): ChangeSummary {
  const byDocument = new Map<number | null, Counts>()
  for (const { table, row, verb, document } of changes) {
    const counts = byDocument.get(document) ?? new Counts()
    byDocument.set(document, counts)
    const noun = NOUNS[table]
    if (noun !== undefined) counts.add(noun, verb, row)
  }
  // Of a block that came or went, what belongs to it did as well.
  for (const { table, row, document } of changes) {
    const counts = byDocument.get(document)
    if (counts === undefined || NOUNS[table] !== undefined) continue
    const isKnown = (['added', 'changed', 'deleted', 'restored'] as const).some((one) => counts.has('block', one, row))
    if (!isKnown) counts.add('block', 'changed', row)
  }
  const documents = [...byDocument.keys()].filter((one): one is number => one !== null)
  const parts = [...byDocument].map(([document, counts]) => {
    const text = String(counts)
    if (document === null) return text
    const title = names.get(document)?.title
    return `${title === undefined ? 'a deleted document' : JSON.stringify(title)}: ${text}`
  })
  return { text: parts.join('; '), documents }
}

/** The rows of inserted ranges, as far as they are still there. */
async function countRanges(tx: Transaction, changes: readonly Change[]): Promise<Map<Change, CountedChange[]>> {
  const counted = new Map<Change, CountedChange[]>()
  for (const [table, inserted] of Map.groupBy(changes, ({ table }) => table)) {
    if (NOUNS[table] === undefined || table === 'element') continue
    const ranges = inserted.toSorted((one, other) => one.row - other.row)
    const rows = await rowsInRanges(
      tx,
      table,
      ranges.map(({ row, last }) => ({ first: row, last: last ?? row })),
      COUNTED_ROWS * ranges.length,
    )
    const owners = await ownerDocuments(tx, table, rows)
    // Both are in order of their numbers.
    let at = 0
    for (const row of rows) {
      while ((ranges[at]?.last ?? 0) < (row.n as number)) at += 1
      const range = ranges[at]
      if (range === undefined) break
      const added = counted.get(range) ?? []
      counted.set(range, added)
      added.push(countAdded(table, row, owners(row) ?? null))
    }
  }
  return counted
}

const countAdded = (table: TableName, row: HistoryRow, document: number | null): CountedChange => ({
  table: table === 'block' && row.n === document ? 'document' : table,
  row: row.n as number,
  verb: 'added',
  document,
  ...(table === 'reminder' && { participant: row.participant as number }),
})

async function ownerDocuments(
  tx: Transaction,
  table: TableName,
  rows: readonly HistoryRow[],
): Promise<(row: HistoryRow) => number | undefined> {
  if (table === 'block') return ({ document }) => document as number
  const column = table === 'comment' || table === 'reminder' ? 'block' : 'collection'
  if (table === 'folder' || table === 'option') return () => undefined
  const blocks = await rowsByNumbers(
    tx,
    'block',
    rows.map((row) => row[column] as number),
  )
  const documents = new Map(blocks.map(({ n, document }) => [n, document as number]))
  return (row) => documents.get(row[column] ?? null)
}

function countChange({ table, kind, row, document, before }: Change): CountedChange[] {
  if (table === 'document' && kind === 'update') return [{ table, row, verb: moveOf(before), document }]
  const verb = kind === 'insert' ? 'added' : kind === 'delete' ? 'deleted' : isMove(table, before) ? 'moved' : 'changed'
  // What belongs to a block is shown as a change of it.
  const isTie = table === 'value' && !(before ?? '').includes('"target":null')
  return [{ table, row, verb: NOUNS[table] === undefined ? 'changed' : verb, document, isTie }]
}

const isMove = (table: TableName, before: string | null): boolean =>
  (table === 'block' || table === 'folder') && (before ?? '').includes('"parent":')

function moveOf(before: string | null): Verb {
  const columns = JSON.parse(before ?? '{}') as { location?: string; trashed_at?: number | null }
  if (columns.location === 'trash') return 'restored from the trash'
  return 'trashed_at' in columns && columns.trashed_at === null ? 'moved to the trash' : 'moved'
}
