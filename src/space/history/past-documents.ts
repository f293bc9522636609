/**
 * Reads documents as they were. Past states are restored inside a transaction that is rolled back: everything that
 * reads in it reads the past, and nothing is kept.
 */
import { callsOnDocuments, existingNumbers } from '../../../storage/history.ts'
import { historyTable, type TableName } from '../../../storage/history-tables.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { notFound } from '../../base/errors.ts'
import type { Space } from '../model/space.ts'
import { applyUndo } from './apply-undo.ts'
import { readRowsChangedIn } from './changed-rows.ts'
import type { PlannedRow } from './planned-row.ts'
import { type RowHistory, type RowState, readRowHistories } from './row-history.ts'
import { currentDocuments, documentsOf, documentVisibility, ownerBlocks } from './visible-history.ts'

/**
 * Restores a document to its state after a call.
 *
 * @param document  its number
 * @throws NOT_FOUND_ERROR for a moment before the document came into the connection's reach, or whose history is no
 *   longer kept
 */
export async function restorePast(space: Space, document: number, call: number): Promise<void> {
  const isVisible = await documentVisibility(space, [document])
  if (!isVisible(document, call + 1)) throw beforeReach()
  space.isPast = true
  const rows = await rowsThen(space, document, call)
  if (rows.size === 0) return
  if ([...rows.values()].some(({ history }) => history.events.some(({ isLost }) => isLost))) throw notKept()
  await hideUnreached(space, rows, document, call)
  await addReferred(space, rows, call)
  await applyUndo(space, [...rows.values()])
  space.forgetDocumentRows()
}

const notKept = () =>
  notFound(
    'Expected a moment of which the history is kept, found one before changes that are not kept any more; name a later call or time.',
  )

const beforeReach = () =>
  notFound(
    'Expected a moment since this connection reaches the document, found an earlier one; leave out at, or name a later call or time.',
  )

/**
 * Returns the former states of the document's rows that changed since, and the rows that were added since, which are to
 * be removed.
 *
 * Rows that belong to a block may have changed while the block was in another document, so those documents are searched
 * too.
 */
async function rowsThen(space: Space, document: number, call: number): Promise<Map<string, PlannedRow>> {
  const { tx } = space
  const documents = new Set([document])
  for (;;) {
    const calls = (await callsOnDocuments(tx, [...documents], call)).map((one) => one.call)
    const histories = await readRowsChangedIn(tx, {
      documents: [...documents],
      calls: [...new Set(calls)],
      from: call + 1,
      own: [],
    })
    const { rows, others } = await selectRows(tx, document, histories)
    const unknown = [...others].filter((one) => !documents.has(one))
    if (unknown.length === 0) return rows
    for (const one of unknown) documents.add(one)
  }
}

/** Selects the rows that the document had then or has now, and the other documents that its blocks have been in. */
async function selectRows(
  tx: Transaction,
  document: number,
  histories: ReadonlyMap<string, RowHistory>,
): Promise<{ rows: Map<string, PlannedRow>; others: Set<number> }> {
  const rows = new Map<string, PlannedRow>()
  const others = new Set<number>()
  const owners = await ownerBlocks(tx, histories.values())
  const current = await currentDocuments(tx, histories.values())
  /** For each block number: whether the block was in the document then. */
  const wasInside = new Map<number, boolean>()
  for (const { table, number, events } of histories.values()) {
    const [first] = events
    if (table !== 'block' || first === undefined) continue
    wasInside.set(number, first.before.isThere && first.before.columns.document === document)
  }
  for (const [key, history] of histories) {
    const [first] = history.events
    if (first === undefined) continue
    const owner = owners.get(history) ?? 0
    const isInside = current.get(history) === document
    if (!(wasInside.get(owner) ?? isInside) && !isInside) continue
    rows.set(key, { key, history, target: first.before, firstChange: first.n })
    if (history.table === 'block') for (const one of history.events.flatMap(documentsOf)) others.add(one)
  }
  return { rows, others }
}

/** Hides rows that were in another document in between, or are now, if the connection does not reach that document. */
async function hideUnreached(
  space: Space,
  rows: ReadonlyMap<string, PlannedRow>,
  document: number,
  call: number,
): Promise<void> {
  if (space.kind === 'full') return
  const all = [...rows.values()]
  const isVisible = await documentVisibility(
    space,
    all.flatMap(({ history }) => history.events.flatMap(documentsOf)),
  )
  for (const row of all) {
    const documents = new Set(row.history.events.flatMap(documentsOf))
    documents.delete(document)
    if ([...documents].every((one) => isVisible(one, call + 1))) continue
    row.target = { isThere: false, columns: row.history.now.columns }
  }
}

/** Restores the deleted rows that other rows refer to. Rows that refer to a row out of reach are hidden. */
async function addReferred(space: Space, rows: Map<string, PlannedRow>, call: number): Promise<void> {
  for (;;) {
    const missing = await missingNumbers(space, rows)
    if (missing.size === 0) return
    const found = await readRowHistories(space.tx, missing, [], call + 1)
    const reached = new Set<string>()
    for (const [key, history] of found) {
      const [first] = history.events
      if (first?.before.isThere !== true || !(await isReached(space, history, call))) continue
      rows.set(key, { key, history, target: first.before, firstChange: first.n })
      reached.add(`${history.table} ${history.number}`)
    }
    for (const row of rows.values()) {
      const isCut = referencesOf(row.history.table, row.target).some(
        ([table, number]) => missing.get(table)?.has(number) && !reached.has(`${table} ${number}`),
      )
      if (isCut) row.target = { isThere: false, columns: row.target.columns }
    }
  }
}

async function isReached(space: Space, history: RowHistory, call: number): Promise<boolean> {
  if (space.kind === 'full') return true
  const documents = history.events.flatMap(documentsOf)
  const isVisible = await documentVisibility(space, documents)
  return documents.every((one) => isVisible(one, call + 1))
}

function referencesOf(table: TableName, { isThere, columns }: RowState): [TableName, number][] {
  if (!isThere) return []
  return Object.entries(historyTable(table).references).flatMap(([column, referred]) => {
    const number = columns[column]
    return typeof number === 'number' ? [[referred, number] as [TableName, number]] : []
  })
}

/** The numbers that planned rows refer to and that no row will have. */
async function missingNumbers(
  { tx }: Space,
  rows: ReadonlyMap<string, PlannedRow>,
): Promise<Map<TableName, Set<number>>> {
  const referred = new Map<TableName, Set<number>>()
  const planned = new Map<string, boolean>()
  for (const { history, target } of rows.values()) {
    planned.set(`${history.table} ${history.number}`, target.isThere)
    for (const [table, number] of referencesOf(history.table, target))
      referred.set(table, (referred.get(table) ?? new Set<number>()).add(number))
  }
  const missing = new Map<TableName, Set<number>>()
  for (const [table, numbers] of referred) {
    const existing = await existingNumbers(tx, table, [...numbers])
    const absent = [...numbers].filter((number) => !(planned.get(`${table} ${number}`) ?? existing.has(number)))
    if (absent.length > 0) missing.set(table, new Set(absent))
  }
  return missing
}
