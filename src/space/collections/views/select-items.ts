/**
 * Selections in parts: a statement is one go, and over tens of thousands of items it would hold all other calls up. So
 * some items are asked at a time, and the first of them all are the first of those that came first in each part.
 */

import {
  candidateItems,
  type Field,
  type ItemFilter,
  matchingItems,
  type SortOrder,
} from '../../../../storage/item-filter-sql.ts'
import {
  countByValue,
  firstItems,
  firstValues,
  type StoredValue,
  type ValueCount,
} from '../../../../storage/item-query.ts'
import { chunks, readInChunks } from '../../../base/scheduling.ts'
import { reachOf, type Space } from '../../model/space.ts'

/** Items, or values, that are looked at in one go: some milliseconds. */
const ITEMS_PER_BATCH = 2_000

/** The items that fulfil all conditions, by number, in no order. */
export async function selectItems({ tx }: Space, selection: ItemFilter): Promise<number[]> {
  return readInChunks(await candidateItems(tx, selection), ITEMS_PER_BATCH, (part) =>
    matchingItems(tx, selection, part),
  )
}

/**
 * The first of these items in an order, and how many there are beyond those.
 *
 * @param last  an item of the collection, whether it is one of these or not: then only what comes after it counts
 */
export async function selectPage(
  space: Space,
  items: readonly number[],
  orders: readonly SortOrder[],
  limit: number,
  last?: number,
): Promise<{ page: number[]; remaining: number }> {
  let page: number[] = []
  let total = 0
  for await (const part of chunks(items, ITEMS_PER_BATCH)) {
    const { first, count } = await firstItems(space.tx, [...page, ...part], reachOf(space.link), orders, limit, last)
    total += count - page.length
    page = first
  }
  return { page, remaining: total - page.length }
}

/** These items counted by their values of a field, null for those without; one with several counts for each. */
export async function countItemsByValue(
  space: Space,
  items: readonly number[],
  field: Field,
): Promise<Map<StoredValue, number>> {
  const counts = new Map<StoredValue, number>()
  for await (const part of chunks(items, ITEMS_PER_BATCH)) {
    for (const { value, count } of await countByValue(space.tx, part, reachOf(space.link), field)) {
      counts.set(value, (counts.get(value) ?? 0) + count)
    }
  }
  return counts
}

/** The groups of these items by their values, in order, at most `limit`. */
export async function listGroups(
  space: Space,
  items: readonly number[],
  order: SortOrder,
  limit: number,
): Promise<ValueCount[]> {
  const counts = await countItemsByValue(space, items, order.field)
  if (order.field.kind === 'flag') countUnsetAsFalse(counts)
  let first: StoredValue[] = []
  for await (const part of chunks([...counts.keys()], ITEMS_PER_BATCH)) {
    first = await firstValues(space.tx, [...first, ...part], order, limit)
  }
  return first.map((value) => ({ value, count: counts.get(value) ?? 0 }))
}

/** A flag is 0 where there is none. */
function countUnsetAsFalse(counts: Map<StoredValue, number>): void {
  const unset = counts.get(null)
  if (unset === undefined) return
  counts.delete(null)
  counts.set(0, (counts.get(0) ?? 0) + unset)
}
