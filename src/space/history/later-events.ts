/** What other calls changed since those that are undone: the reasons why a row cannot be restored. */
import type { TableName } from '../../../storage/history-tables.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import type { Conflict, UndoneEvents } from './planned-row.ts'
import { type RowEvent, type RowHistory, readRowHistories } from './row-history.ts'

export interface TieConflict {
  /** The key of the row whose planned state is invalid. */
  key: string
  conflict: Conflict
}

/** What other calls changed in rows since the first of the calls to undo, oldest first. */
export interface LaterEvents {
  /** Of all rows with this number. */
  ofNumber(number: number): RowEvent[]
  ofKey(key: string): RowEvent[]
}

export async function readLater(
  tx: Transaction,
  table: TableName,
  numbers: readonly number[],
  { from, calls, reach }: UndoneEvents,
): Promise<LaterEvents> {
  const changed = numbers.length === 0 ? [] : await readRowHistories(tx, new Map([[table, new Set(numbers)]]), [], from)
  const histories = await reach.show(new Map(changed))
  const byNumber = Map.groupBy(histories.values(), ({ number }) => number)
  const eventsOf = (some: readonly RowHistory[]): RowEvent[] =>
    some.flatMap(({ events }) => events.filter(({ call }) => !calls.has(call)))
  return {
    ofNumber: (number) => eventsOf(byNumber.get(number) ?? []),
    ofKey: (key) => eventsOf([histories.get(key) ?? []].flat()),
  }
}
