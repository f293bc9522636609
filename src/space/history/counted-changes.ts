/**
 * Lists what calls changed, row by row, for counting: in which document, and whether the row was added, changed or
 * deleted.
 */
import { type Change, changesOfCalls, changesOfRows, type HistoryRow, rowsByNumbers } from '../../../storage/history.ts'
import { blocksWithinReach, firstChangesInRanges, placesInRanges } from '../../../storage/history-ranges.ts'
import type { TableName } from '../../../storage/history-tables.ts'
import type { PropertyType } from '../../../storage/schema.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { CHANGED_ROWS_PER_ANSWER } from '../../base/limits.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { reachOf, type Space } from '../model/space.ts'
import type { DocumentVisibility } from './visible-history.ts'

/** What happened to a row. */
export type Verb =
  | 'added'
  | 'changed'
  | 'moved'
  | 'deleted'
  | 'restored'
  | 'moved to the trash'
  | 'restored from the trash'

/** What is counted. */
export type CountedNoun =
  | 'block'
  | 'document'
  | 'folder'
  | 'property'
  | 'option'
  | 'view'
  | 'comment'
  | 'reminder'
  | 'element'

/**
 * The noun for the rows of each table. A change of any other table counts as a change of the block that the row belongs
 * to.
 */
export const NOUNS: Partial<Record<TableName, CountedNoun>> = {
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

/** One change, reduced to what is counted. */
export interface CountedChange {
  table: TableName
  row: number
  verb: Verb
  /** The document in which the change is counted. Null for folders. */
  document: number | null
  /** True if the change may be of a value that refers to another block, or did. */
  mayReferToBlock?: boolean
  /** The number of the property of a changed value. */
  property?: number
  /** The owner of a changed reminder. The change counts for that participant only. */
  participant?: number | undefined
  /** Columns of a changed or deleted row before the change, as JSON. Null if they are no longer stored. */
  before?: string | null
}

/** What a call changed, as far as it is shown. */
export interface ShownChanges {
  changes: CountedChange[]
  /** True if the call changed more than {@link CHANGED_ROWS_PER_ANSWER} rows. All others are left out. */
  isPartial: boolean
}

/**
 * Returns what each of these calls changed, within what is visible, up to {@link CHANGED_ROWS_PER_ANSWER} rows of each. Values that refer to other blocks may reveal
 * something elsewhere, so they count for full connections only.
 *
 * @param isComplete  true to also count what a call added if it came from a document that is not visible, or was
 *   deleted since
 */
export async function visibleChanges(
  space: Space,
  calls: readonly number[],
  isVisible: DocumentVisibility,
  { isComplete = false } = {},
): Promise<Map<number, ShownChanges>> {
  const { tx, kind } = space
  const byCall = new Map<number, CountedChange[]>()
  const { changes, cutCalls } = await readChanges(space, calls)
  const ranges = changes.filter(({ last }) => last !== null)
  const inserted = await countRanges(space, ranges)
  for await (const change of iterateCooperatively(changes)) {
    const counted = byCall.get(change.call) ?? []
    byCall.set(change.call, counted)
    // Push one by one: spreading tens of thousands of them would overflow the stack.
    for (const one of change.last === null ? countChange(change) : (inserted.get(change) ?? [])) counted.push(one)
  }
  if (isComplete) {
    await placeAdditions(tx, ranges, byCall)
    const hidden = changes.filter(({ call, document }) => !isVisible(document ?? 0, call))
    for (const [call, one] of await arrivals(tx, hidden)) byCall.get(call)?.push(one)
  }
  const all = [...byCall.values()].flat()
  if (kind !== 'full') await clearPlainValues(tx, all)
  const isOwn = await reminderVisibility(space, all)
  const shown = new Map<number, ShownChanges>()
  for await (const [call, counted] of iterateCooperatively(byCall)) {
    const visible = counted.filter(
      (change) =>
        isVisible(change.document ?? 0, call) &&
        isOwn(change) &&
        // Narrow connections do not see where in the folders a document is.
        (kind === 'full' || !(change.mayReferToBlock || isMoveOfDocument(change))),
    )
    const isPartial = cutCalls.has(call) || visible.length > CHANGED_ROWS_PER_ANSWER
    shown.set(call, { changes: visible.slice(0, CHANGED_ROWS_PER_ANSWER), isPartial })
  }
  return shown
}

/**
 * Reads what the calls changed. Over a full connection, which sees all of it, only the first {@link
 * CHANGED_ROWS_PER_ANSWER} rows of each call are read. For others, what is out of reach must not count.
 */
async function readChanges(
  { tx, kind }: Space,
  calls: readonly number[],
): Promise<{ changes: readonly Change[]; cutCalls: ReadonlySet<number> }> {
  if (kind !== 'full') return { changes: await changesOfCalls(tx, calls), cutCalls: new Set() }
  const rowsLeft = new Map<number, number>()
  const cutCalls = new Set<number>()
  const changes: Change[] = []
  for (const change of await changesOfCalls(tx, calls, CHANGED_ROWS_PER_ANSWER)) {
    const { call, row, last } = change
    const left = rowsLeft.get(call) ?? CHANGED_ROWS_PER_ANSWER
    const size = last === null ? 1 : last - row + 1
    rowsLeft.set(call, left - size)
    if (size > left) cutCalls.add(call)
    if (size <= left) changes.push(change)
    else if (left > 0) changes.push({ ...change, last: row + left - 1 })
  }
  return { changes, cutCalls }
}

/** Types of properties whose values refer to other blocks. */
const REFERRING_TYPES: readonly unknown[] = ['relation', 'blockLink'] satisfies PropertyType[]

/** A value whose reference was not stored refers to another block only if its property is of such a type. */
async function clearPlainValues(tx: Transaction, changes: readonly CountedChange[]): Promise<void> {
  const unknown = changes.filter(
    ({ mayReferToBlock, before }) => mayReferToBlock && !(before ?? '').includes('"target":'),
  )
  if (unknown.length === 0) return
  const properties = [...new Set(unknown.flatMap(({ property }) => property ?? []))]
  const types = new Map((await rowsByNumbers(tx, 'property', properties)).map(({ n, type }) => [n, type]))
  for (const change of unknown) {
    const type = types.get(change.property ?? 0)
    if (type !== undefined && !REFERRING_TYPES.includes(type)) change.mayReferToBlock = false
  }
}

const isMoveOfDocument = ({ table, verb }: CountedChange): boolean => table === 'document' && verb === 'moved'

/** Counts blocks that were moved to another document as additions there, each with its call. */
async function arrivals(tx: Transaction, changes: readonly Change[]): Promise<[call: number, CountedChange][]> {
  const moves = changes.filter(
    ({ table, kind, before }) => table === 'block' && kind === 'update' && (before ?? '').includes('"document":'),
  )
  const [first] = moves
  if (first === undefined) return []
  const rows = [...new Set(moves.map(({ row }) => row))]
  const current = new Map((await rowsByNumbers(tx, 'block', rows)).map(({ n, document }) => [n, document as number]))
  const later = Map.groupBy(await changesOfRows(tx, 'block', rows, first.call), ({ row }) => row)
  return moves.map(({ n, call, row }) => {
    // The block's next change recorded which document it was in before that change.
    const next = later.get(row)?.find((change) => change.n > n)
    const document = next === undefined ? current.get(row) : next.document
    return [call, { table: 'block', row, verb: 'added', document: document ?? null }]
  })
}

/**
 * Counts rows of inserted ranges in the documents to which they were added, even if they were moved or deleted since.
 */
async function placeAdditions(
  tx: Transaction,
  changes: readonly Change[],
  byCall: ReadonlyMap<number, CountedChange[]>,
): Promise<void> {
  const ranges = changes
    .filter(({ table }) => NOUNS[table] !== undefined)
    .map(({ table, row, last, call }) => ({ table, first: row, last: last ?? row, call }))
  if (ranges.length === 0) return
  const byTable = Map.groupBy(ranges, ({ table }) => table)
  const counted = new Map<string, CountedChange>()
  for (const { call } of ranges) {
    for (const one of byCall.get(call) ?? []) if (one.verb === 'added') counted.set(rowName(one), one)
  }
  for (const { table, row, document, before, kind } of await firstChangesInRanges(tx, ranges)) {
    const found = counted.get(rowName({ table, row }))
    // A change records the document that the row was in before it.
    if (found !== undefined && document !== null) found.document = document
    if (found !== undefined || kind === 'insert') continue
    const range = byTable.get(table)?.find(({ first, last }) => first <= row && row <= last)
    const noun = table === 'block' && row === document ? 'document' : table
    byCall.get(range?.call ?? 0)?.push({ table: noun, row, verb: 'added', document, before })
  }
}

/** Documents are counted as documents, although they are the rows of their root blocks. */
const rowName = ({ table, row }: Pick<CountedChange, 'table' | 'row'>): string =>
  `${table === 'document' ? 'block' : table} ${row}`

/** Returns a function that is false for changes of other participants' reminders. */
export async function reminderVisibility(
  space: Space,
  changes: readonly CountedChange[],
): Promise<(change: CountedChange) => boolean> {
  const reminders = changes.filter(({ table }) => table === 'reminder')
  if (reminders.length === 0) return () => true
  await addParticipants(space.tx, reminders)
  const own = await space.findOwnParticipant()
  return ({ table, participant }) => table !== 'reminder' || participant === own
}

/** Finds the owners of changed reminders, both existing and deleted ones. */
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

/** Counts those rows of inserted ranges that still exist. */
async function countRanges(space: Space, changes: readonly Change[]): Promise<Map<Change, CountedChange[]>> {
  const { tx } = space
  const counted = new Map<Change, CountedChange[]>()
  for (const [table, inserted] of Map.groupBy(changes, ({ table }) => table)) {
    if (NOUNS[table] === undefined) continue
    const ranges = inserted.toSorted((one, other) => one.row - other.row)
    const rows = await readInserted(space, table, ranges)
    const owners = await ownerDocuments(tx, table, rows)
    // Both lists are sorted by number.
    let at = 0
    for await (const row of iterateCooperatively(rows)) {
      while ((ranges[at]?.last ?? 0) < (row.n as number)) at += 1
      const range = ranges[at]
      if (range === undefined) break
      if ((row.n as number) < range.row) continue
      const added = counted.get(range) ?? []
      counted.set(range, added)
      added.push(countAdded(table, row, owners(row) ?? null))
    }
  }
  return counted
}

/**
 * Reads the rows of ranges, in order of their numbers. If these have more blocks than are counted, a connection that
 * reaches a part of the space reads those within its reach only.
 *
 * @param ranges  in order
 */
function readInserted(
  { tx, link }: Space,
  table: TableName,
  ranges: readonly Change[],
): Promise<readonly HistoryRow[]> {
  const numbers = ranges.map(({ row, last }) => ({ first: row, last: last ?? row }))
  const [from, to] = [numbers[0], numbers.at(-1)]
  const size = numbers.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const reach = reachOf(link)
  if (table !== 'block' || reach === 'all' || size <= CHANGED_ROWS_PER_ANSWER || from === undefined || to === undefined)
    return placesInRanges(tx, table, numbers)
  const limit = ranges.length === 1 ? CHANGED_ROWS_PER_ANSWER + 1 : Number.MAX_SAFE_INTEGER
  return blocksWithinReach(tx, reach, { first: from.first, last: to.last }, limit)
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
  if (table === 'folder') return () => undefined
  if (table === 'option') return ownersOfOptions(tx, rows)
  const column = OWNER_COLUMNS[table] ?? 'collection'
  const blocks = await rowsByNumbers(
    tx,
    'block',
    rows.map((row) => row[column] as number),
  )
  const documents = new Map(blocks.map(({ n, document }) => [n, document as number]))
  return (row) => documents.get(row[column] ?? null)
}

/** For each table, the column with the block that a row belongs to. For other tables it is `collection`. */
const OWNER_COLUMNS: Partial<Record<TableName, string>> = { comment: 'block', reminder: 'block', element: 'board' }

async function ownersOfOptions(
  tx: Transaction,
  rows: readonly HistoryRow[],
): Promise<(row: HistoryRow) => number | undefined> {
  const properties = await rowsByNumbers(
    tx,
    'property',
    rows.map(({ property }) => property as number),
  )
  const documentOf = await ownerDocuments(tx, 'property', properties)
  const documents = new Map(properties.map((property) => [property.n, documentOf(property)]))
  return ({ property }) => documents.get(property ?? null)
}

/** Converts the change of one row to counted changes. */
export function countChange({ table, kind, row, rest, document, before }: Change): CountedChange[] {
  if (table === 'document' && kind === 'update') return [{ table, row, verb: moveOf(before), document, before }]
  const verb = kind === 'insert' ? 'added' : kind === 'delete' ? 'deleted' : isMove(table, before) ? 'moved' : 'changed'
  // A change of a row that belongs to a block counts as a change of that block.
  const mayReferToBlock = table === 'value' && !(before ?? '').includes('"target":null')
  const property = table === 'value' ? Number.parseInt(rest ?? '', 10) : undefined
  return [
    {
      ...{ table, row, verb: NOUNS[table] === undefined ? 'changed' : verb, document, mayReferToBlock, before },
      ...(property !== undefined && { property }),
    },
  ]
}

const isMove = (table: TableName, before: string | null): boolean =>
  (table === 'block' || table === 'folder') && /"(?:parent|document|position)":/.test(before ?? '')

function moveOf(before: string | null): Verb {
  const columns = JSON.parse(before ?? '{}') as { location?: string; trashed_at?: number | null }
  if (columns.location === 'trash') return 'restored from the trash'
  return 'trashed_at' in columns && columns.trashed_at === null ? 'moved to the trash' : 'moved'
}
