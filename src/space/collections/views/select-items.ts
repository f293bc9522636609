/**
 * Selects items in chunks. A single statement cannot be interrupted, and over tens of thousands of items it would block
 * all other calls. A page is computed by merging the first items of every chunk.
 */

import {
  candidateItems,
  countByValue,
  countByValueInGroups,
  type Field,
  fieldTexts,
  type ItemFilter,
  isTextCondition,
  matchingItems,
  type StoredValue,
  sortRows,
  type TextCondition,
  type ValueCount,
} from '../../../../storage/item-query.ts'
import { foldText } from '../../../base/fold-text.ts'
import { chunks, readInChunks } from '../../../base/scheduling.ts'
import { plainTitle } from '../../../markdown/inline-title.ts'
import { mapStrings, stringsIn } from '../../content/visible-fields.ts'
import { visiblePlainText } from '../../model/block-links.ts'
import { reachOf, type Space } from '../../model/space.ts'
import { itemComparator, type SortableItem, type SortOrder, sortableItem, sortValues } from './item-order.ts'

/** How many items or values one statement processes: a few milliseconds of work. */
const ITEMS_PER_BATCH = 2_000

/**
 * Returns the numbers of the items that meet all conditions, in no particular order. Texts are compared as the
 * connection sees them.
 */
export async function selectItems(space: Space, selection: ItemFilter): Promise<number[]> {
  const { tx } = space
  const textConditions = selection.conditions.filter(isTextCondition)
  return readInChunks(await candidateItems(tx, selection), ITEMS_PER_BATCH, async (part) => {
    let items = await matchingItems(tx, selection, part)
    for (const condition of textConditions) {
      if (items.length === 0) break
      const matching = new Set<number>()
      for (const { n, text } of await visibleStrings(space, await fieldTexts(tx, items, condition.field))) {
        if (matchesText(condition, text)) matching.add(n)
      }
      items = items.filter((n) => matching.has(n) !== (condition.not ?? false))
    }
    return items
  })
}

/** Rows with their texts as the connection may see them: otherwise filters and sorts would reveal what is hidden. */
async function visibleStrings<Row extends object>(space: Space, rows: readonly Row[]): Promise<readonly Row[]> {
  if (space.kind === 'full') return rows
  const visible = await visiblePlainText(space, rows.flatMap(stringsIn))
  return rows.map((row) => mapStrings(row, (text) => visible.text(text)) as Row)
}

/** @param text  as the connection may see it; a title in inline Markdown */
export function matchesText(condition: TextCondition, text: string): boolean {
  const plain = condition.field.kind === 'title' ? plainTitle(text) : text
  if (condition.test === 'contains') return text !== '' && foldText(plain).includes(condition.text)
  return foldText(plain) === foldText(String(condition.value))
}

/**
 * Returns the first of these items in the given order, and how many more there are.
 *
 * @param last  an item of the collection, which need not be one of these. Only the items that sort after it are counted
 *   and returned.
 */
export async function selectPage(
  space: Space,
  items: readonly number[],
  orders: readonly SortOrder[],
  limit: number,
  last?: number,
): Promise<{ page: number[]; remaining: number }> {
  const read = async (part: readonly number[]): Promise<SortableItem[]> => {
    const fields = orders.map(({ field }) => field)
    const rows = await visibleStrings(space, await sortRows(space.tx, part, reachOf(space.link), fields))
    return rows.map((row) => sortableItem(row, orders))
  }
  const compare = itemComparator(orders)
  // The sort keys of the last item are read from the storage, so that a cursor need not contain values of any length.
  const [before] = last === undefined ? [] : await read([last])
  let page: SortableItem[] = []
  let total = 0
  for await (const part of chunks(items, ITEMS_PER_BATCH)) {
    const rows = (await read(part)).filter((item) => before === undefined || compare(item, before) > 0)
    total += rows.length
    page = [...page, ...rows].sort(compare).slice(0, limit)
  }
  return { page: page.map(({ n }) => n), remaining: total - page.length }
}

/**
 * Counts these items by their values of a field; the key for items without a value is null. An item counts once for
 * each of its values.
 */
export async function countItemsByValue(
  space: Space,
  items: readonly number[],
  field: Field,
): Promise<Map<StoredValue, number>> {
  const counts = new Map<StoredValue, number>()
  for await (const part of chunks(items, ITEMS_PER_BATCH)) {
    for (const { value, count } of await countByValue(space.tx, part, reachOf(space.link), field)) {
      const shown = field.kind === 'title' ? plainTitle(String(value)) || null : value
      counts.set(shown, (counts.get(shown) ?? 0) + count)
    }
  }
  return counts
}

/** Like {@link countItemsByValue}, for each group of these items, by the value of the group. */
export async function countItemsInGroups(
  space: Space,
  items: readonly number[],
  group: Field,
  field: Field,
): Promise<Map<StoredValue, Map<StoredValue, number>>> {
  const groups = new Map<StoredValue, Map<StoredValue, number>>()
  const shownAs = ({ kind }: Field, value: StoredValue) =>
    kind === 'title' ? plainTitle(String(value)) || null : value
  for await (const part of chunks(items, ITEMS_PER_BATCH)) {
    for (const { bucket, value, count } of await countByValueInGroups(
      space.tx,
      part,
      reachOf(space.link),
      group,
      field,
    )) {
      const key = group.kind === 'flag' ? (bucket ?? 0) : shownAs(group, bucket)
      const counts = groups.get(key) ?? new Map<StoredValue, number>()
      groups.set(key, counts)
      const shown = shownAs(field, value)
      counts.set(shown, (counts.get(shown) ?? 0) + count)
    }
  }
  return groups
}

/** Returns at most `limit` groups of these items by value, in order. */
export async function listGroups(
  space: Space,
  items: readonly number[],
  order: SortOrder,
  limit: number,
): Promise<ValueCount[]> {
  const counts = await countItemsByValue(space, items, order.field)
  if (order.field.kind === 'flag') countUnsetAsFalse(counts)
  const sorted = await sortValues(space, [...counts.keys()], order)
  return sorted.slice(0, limit).map((value) => ({ value, count: counts.get(value) ?? 0 }))
}

/** An unset flag means false, which is stored as 0. */
function countUnsetAsFalse(counts: Map<StoredValue, number>): void {
  const unset = counts.get(null)
  if (unset === undefined) return
  counts.delete(null)
  counts.set(0, (counts.get(0) ?? 0) + unset)
}
