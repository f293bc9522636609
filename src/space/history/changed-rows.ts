/** Reads the histories of the rows that were changed. */
import type { Change } from '../../../storage/history.ts'
import { type ChangesInDocuments, rowsChangedIn } from '../../../storage/history-in-document.ts'
import type { TableName } from '../../../storage/history-tables.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { type RowHistory, readRowHistories } from './row-history.ts'
import { currentDocuments } from './visible-history.ts'

/**
 * Returns histories by row key. If the log has no document for an event, as for inserted ranges, the event gets the
 * document in which the row was found after it.
 *
 * @param from  the number of the first call whose changes are included
 */
export async function readChangedRows(
  tx: Transaction,
  changes: readonly Change[],
  from: number,
): Promise<Map<string, RowHistory>> {
  const numbers = new Map<TableName, Set<number>>()
  const ranges: Change[] = []
  for (const change of changes) {
    const { table, row, last } = change
    if (last !== null) ranges.push(change)
    else numbers.set(table, (numbers.get(table) ?? new Set<number>()).add(row))
  }
  return placeEvents(tx, await readRowHistories(tx, numbers, ranges, from))
}

/**
 * Returns the histories of the rows that calls changed in some documents, in the same way. Rows of other documents are
 * not read, however many the calls changed.
 */
export async function readRowsChangedIn(
  tx: Transaction,
  changed: ChangesInDocuments,
): Promise<Map<string, RowHistory>> {
  return placeEvents(tx, await readRowHistories(tx, await rowsChangedIn(tx, changed), [], changed.from))
}

async function placeEvents(tx: Transaction, histories: Map<string, RowHistory>): Promise<Map<string, RowHistory>> {
  const documents = await currentDocuments(tx, histories.values())
  for (const history of histories.values()) {
    let next = documents.get(history) ?? null
    for (const event of history.events.toReversed()) {
      event.document ??= next
      next = event.document
    }
  }
  return histories
}
