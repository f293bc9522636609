/** Items as they were before and after a call, read from history. */
import type { HistoryRow } from '../../../storage/history.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { type RowHistory, type RowState, readRowHistories } from '../history/row-history.ts'

/** A value of an item, as it was stored. */
export interface ItemValue {
  property: number
  text: string | null
  number: number | null
  option: number | null
  target: number | null
}

export interface ItemState {
  /** The title in inline Markdown. */
  title: string
  values: readonly ItemValue[]
}

/** An item that a call changed, by their numbers. */
export interface ItemChange {
  item: number
  call: number
}

/** The state of an item before or after a call; undefined if it was not in the collection then. */
export type StateOf = (change: ItemChange, when: 'before' | 'after') => ItemState | undefined

/**
 * Reads what these items were before and after these calls.
 *
 * @param collection  its number. An item of another collection counts as not there.
 */
export async function readItemStates(
  tx: Transaction,
  collection: number,
  changes: readonly ItemChange[],
): Promise<StateOf> {
  const items = new Set(changes.map(({ item }) => item))
  const first = changes.reduce((least, { call }) => Math.min(least, call), Infinity)
  const numbers = new Map([['block' as const, items] as const, ['value' as const, items] as const])
  const histories = items.size === 0 ? new Map() : await readRowHistories(tx, numbers, [], first)
  const ofItem = Map.groupBy<number, RowHistory>(histories.values(), ({ number }) => number)
  return ({ item, call }, when) => {
    const rows = (ofItem.get(item) ?? []).flatMap((history) => {
      const { isThere, columns } = stateAt(history, call, when)
      return isThere ? [{ table: history.table, columns }] : []
    })
    const block = rows.find(({ table }) => table === 'block')?.columns
    if (block?.parent !== collection) return undefined
    const values = rows.filter(({ table }) => table === 'value').map(({ columns }) => toValue(columns))
    return { title: String(block.text), values }
  }
}

/** A row as it was before or after a call. */
export function stateAt({ events, now }: RowHistory, call: number, when: 'before' | 'after'): RowState {
  const next = events.find((event) => (when === 'before' ? event.call >= call : event.call > call))
  return next?.before ?? now
}

const toValue = ({ property, text, number, option, target }: HistoryRow): ItemValue =>
  ({ property, text, number, option, target }) as ItemValue
