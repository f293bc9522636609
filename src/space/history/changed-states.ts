/** Reads what calls changed, row by row: the state of each row before and after them, as far as it is visible. */
import { type Change, callsOnDocuments, changesOfCalls, type HistoryRow } from '../../../storage/history.ts'
import { firstChangesInRanges } from '../../../storage/history-ranges.ts'
import { historyTable, TABLE_NAMES, type TableName } from '../../../storage/history-tables.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { notFound } from '../../base/errors.ts'
import type { Space } from '../model/space.ts'
import { type RowEvent, type RowHistory, readRowHistories } from './row-history.ts'
import { currentDocuments, documentsOf, documentVisibility } from './visible-history.ts'

/** A row that changed. */
export interface ChangedState {
  table: TableName
  number: number
  /** Undefined if the row did not exist. */
  before: HistoryRow | undefined
  after: HistoryRow | undefined
  /** The documents that the row was in; null for folders. */
  documentBefore: number | null
  documentAfter: number | null
}

/** A range of calls, by number. */
export interface CallRange {
  /** The call after which it begins, and the last one in it. */
  from: number
  to: number
  /** Only rows that were in one of these documents at its beginning or end, and calls that changed one of them. */
  documents?: readonly number[]
}

/**
 * Returns the rows that changed, by table and number.
 *
 * @throws NOT_FOUND_ERROR if the history of these calls is no longer kept
 */
export async function readChangedStates(space: Space, range: CallRange): Promise<ChangedState[]> {
  const { tx } = space
  const { from, to, documents } = range
  const calls = documents === undefined ? [to] : await callsBetween(tx, documents, range)
  const changes = await changesOfCalls(tx, calls)
  const histories = await readHistories(tx, changes, from + 1)
  await placeEvents(tx, histories)
  const states: ChangedState[] = []
  const isVisible = await eventVisibility(space, histories)
  const wanted = documents && new Set(documents)
  for (const history of histories) {
    const events = history.events.filter(({ call }) => call <= to)
    const [first, last] = [events[0], events.at(-1)]
    if (first === undefined || last === undefined || !events.every((event) => isVisible(history, event))) continue
    if (events.some(({ isLost }) => isLost)) throw notKept()
    const state = stateOf(history, first, last)
    const isWanted = [state.documentBefore, state.documentAfter].some((one) => one !== null && wanted?.has(one))
    if ((wanted === undefined || isWanted) && (state.before ?? state.after) !== undefined) states.push(state)
  }
  return states.sort((one, other) => orderOf(one) - orderOf(other) || one.number - other.number)
}

const orderOf = ({ table }: ChangedState): number => TABLE_NAMES.indexOf(table)

const notKept = () =>
  notFound(
    'Expected calls of which the history is kept, found one whose changes are not kept any more; name a later one.',
  )

async function callsBetween(tx: Transaction, documents: readonly number[], { from, to }: CallRange): Promise<number[]> {
  const calls = (await callsOnDocuments(tx, documents, from)).map(({ call }) => call)
  return [...new Set(calls)].filter((call) => call <= to)
}

/** Tables whose rows are numbered like the blocks that they belong to. Rows that come with a new block are not logged. */
const OF_BLOCKS = TABLE_NAMES.filter((table) => !historyTable(table).isNumbered)

async function readHistories(tx: Transaction, changes: readonly Change[], from: number): Promise<RowHistory[]> {
  const ranges = changes.filter(({ last }) => last !== null)
  const [numbered, ofBlocks] = [new Map<TableName, Set<number>>(), new Map<TableName, Set<number>>()]
  const add = (table: TableName, row: number) => {
    const numbers = OF_BLOCKS.includes(table) ? ofBlocks : numbered
    numbers.set(table, (numbers.get(table) ?? new Set<number>()).add(row))
  }
  for (const { table, row, last } of changes) if (last === null) add(table, row)
  // Rows of the ranges that were deleted since are not found there any more.
  const named = ranges.map(({ table, row, last }) => ({ table, first: row, last: last ?? row }))
  const changedSince = named.length === 0 ? [] : await firstChangesInRanges(tx, named)
  for (const { table, row } of changedSince) add(table, row)
  const histories = [...(await readRowHistories(tx, numbered, ranges, from)).values()]
  for (const { table, number, events } of histories) {
    if (table === 'block' && events[0]?.before.isThere === false) for (const one of OF_BLOCKS) add(one, number)
  }
  return [...histories, ...(await readRowHistories(tx, ofBlocks, [], from)).values()]
}

/** Gives each event the document in which its row was, if the log does not name it. */
async function placeEvents(tx: Transaction, histories: readonly RowHistory[]): Promise<void> {
  const documents = await currentDocuments(tx, histories)
  for (const history of histories) {
    let next = documents.get(history) ?? null
    for (const event of history.events.toReversed()) {
      event.document ??= next
      next = event.document
    }
  }
}

function stateOf({ table, number }: RowHistory, first: RowEvent, last: RowEvent): ChangedState {
  const document = (columns: HistoryRow, event: RowEvent) =>
    table === 'block' ? ((columns.document ?? null) as number | null) : event.document
  return {
    ...{ table, number },
    before: first.before.isThere ? first.before.columns : undefined,
    after: last.after.isThere ? last.after.columns : undefined,
    documentBefore: document(first.before.columns, first),
    documentAfter: document(last.after.columns, last),
  }
}

/**
 * A connection sees an event where it sees all documents that the row was in, and reminders of its own participant only.
 * Values that refer to blocks out of reach are left out with what they refer to.
 */
async function eventVisibility(
  space: Space,
  histories: readonly RowHistory[],
): Promise<(history: RowHistory, event: RowEvent) => boolean> {
  const isVisible = await documentVisibility(
    space,
    histories.flatMap(({ events }) => events.flatMap(documentsOf)),
  )
  const own = histories.some(({ table }) => table === 'reminder') ? await space.findOwnParticipant() : undefined
  return ({ table }, event) => {
    if (table === 'reminder' && event.before.columns.participant !== own) return false
    const documents = documentsOf(event)
    if (documents.length === 0) return space.kind === 'full'
    return documents.every((document) => isVisible(document, event.call))
  }
}
