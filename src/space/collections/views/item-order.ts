/** Orders items and values: text as people would sort it, and missing values last. */
import { blocksByNumbers } from '../../../../storage/blocks.ts'
import { type Field, optionPositions, type SortRow, type StoredValue } from '../../../../storage/item-query.ts'
import { membersByNumbers } from '../../../../storage/members.ts'
import { compareByCodePoint } from '../../../base/compare-text.ts'
import { foldText } from '../../../base/fold-text.ts'
import { plainTitle } from '../../../markdown/inline-title.ts'
import type { Space } from '../../model/space.ts'

export interface SortOrder {
  field: Field
  ascending: boolean
  /** True to also order values that are equal when folded but not identical, so that identical values are adjacent. */
  exact?: boolean
}

/** An item with its sort keys. */
export interface SortableItem {
  n: number
  position: number
  keys: readonly StoredValue[]
}

/** Reads the keys of an item for these orders. */
export const sortableItem = (row: SortRow, orders: readonly SortOrder[]): SortableItem => ({
  n: row.n,
  position: row.position,
  keys: orders.flatMap((order, index) => keysOf(order, row[`k${index}`] ?? null, row[`t${index}`] ?? null)),
})

function keysOf({ field, exact = false }: SortOrder, value: StoredValue, target: StoredValue): StoredValue[] {
  if (!isSortedAsText(field)) return [value]
  const [folded, own] = typeof value === 'string' ? textKeys(field, value, target) : [null, null]
  return exact ? [folded, own] : [folded]
}

/** Returns the folded text, and a second key that distinguishes texts whose folded form is equal. */
function textKeys({ kind }: Field, text: string, target: StoredValue): [StoredValue, StoredValue] {
  if (kind === 'text') return [foldText(text), text]
  if (kind === 'member') return [foldText(text), target]
  const plain = plainTitle(text)
  const folded = foldText(plain)
  return kind === 'target' ? [folded, target] : [folded === '' ? null : folded, plain]
}

const isSortedAsText = ({ kind }: Field): boolean => ['title', 'text', 'target', 'member'].includes(kind)

/** Compares items by these orders; ties keep the order of the collection. */
export function itemComparator(orders: readonly SortOrder[]): (one: SortableItem, other: SortableItem) => number {
  const directions = orders.flatMap(({ field, ascending, exact }) =>
    Array(exact && isSortedAsText(field) ? 2 : 1).fill(ascending ? 1 : -1),
  )
  return (one, other) => {
    for (const [index, direction] of directions.entries()) {
      const order = compareNullsLast(one.keys[index] ?? null, other.keys[index] ?? null, direction)
      if (order !== 0) return order
    }
    return one.position - other.position || one.n - other.n
  }
}

function compareNullsLast(one: StoredValue, other: StoredValue, direction: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return direction * compareValues(one, other)
}

const compareValues = (one: string | number, other: string | number): number =>
  typeof one === 'string' && typeof other === 'string' ? compareByCodePoint(one, other) : Number(one) - Number(other)

/** Sorts the values of a field. No value (null) comes last. */
export async function sortValues(
  { tx, now }: Space,
  values: readonly StoredValue[],
  { field, ascending }: SortOrder,
): Promise<StoredValue[]> {
  const keys = await keysOfValues()
  const direction = ascending ? 1 : -1
  return values.toSorted((one, other) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return direction * (compareNullsFirst(keys(one), keys(other)) || compareValues(one, other))
  })

  async function keysOfValues(): Promise<(value: string | number) => StoredValue> {
    const numbers = values.filter((value) => typeof value === 'number')
    switch (field.kind) {
      case 'title':
      case 'text': {
        const folded = new Map(values.map((value) => [value, foldText(String(value))]))
        return (value) => folded.get(value) ?? null
      }
      case 'option': {
        const positions = await optionPositions(tx, numbers)
        return (value) => positions.get(Number(value)) ?? null
      }
      case 'target': {
        const rows = await blocksByNumbers(tx, numbers)
        const titles = new Map(rows.map(({ n, text }) => [n, foldText(plainTitle(text))]))
        return (value) => titles.get(Number(value)) ?? null
      }
      case 'member': {
        const rows = await membersByNumbers(tx, numbers, now)
        const names = new Map(rows.map(({ n, name }) => [n, foldText(name)]))
        return (value) => names.get(Number(value)) ?? null
      }
      case 'date':
      case 'day':
      case 'number':
      case 'flag':
        return (value) => value
    }
  }
}

function compareNullsFirst(one: StoredValue, other: StoredValue): number {
  if (one === null || other === null) return Number(other === null) - Number(one === null)
  return compareValues(one, other)
}
