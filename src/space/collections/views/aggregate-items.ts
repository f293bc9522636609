/** Runs calculations over selected items. */

import type { Field, StoredValue, ValueCount } from '../../../../storage/item-query.ts'
import { dateDifference } from '../../model/dates.ts'
import { propertyTraits } from '../../model/property-traits.ts'
import type { Space } from '../../model/space.ts'
import { type DateRange, rangeOfDates } from '../schema/date-ranges.ts'
import { columnField } from './filter-conditions.ts'
import { countItemsByValue, countItemsInGroups } from './select-items.ts'
import type { Calculation, Column } from './view.ts'
import { columnKey, type ViewColumns } from './view-columns.ts'

/** Results by property key. A property is left out if it has no values, or if the result is not a finite number. */
export type AggregateResult = Record<string, number | string>

export async function aggregateItems(
  space: Space,
  columns: ViewColumns,
  items: readonly number[],
  calculations: readonly (readonly [property: number, calculation: Calculation])[],
): Promise<AggregateResult> {
  const results: AggregateResult = {}
  for (const [property, calculation] of calculations) {
    const column = columns.get(property)
    if (column === undefined) continue
    const found = await countItemsByValue(space, items, columnField(column))
    addResult(results, column, calculation, toValueCounts(found, items.length))
  }
  return results
}

/**
 * Like {@link aggregateItems}, but for each group, in the order of the groups. If items can be in several groups,
 * properties that can have several values are left out: each value would count in every group.
 */
export async function aggregateGroups(
  space: Space,
  columns: ViewColumns,
  items: readonly number[],
  { column: grouped, field, groups }: { column: Column; field: Field; groups: readonly ValueCount[] },
  calculations: readonly (readonly [property: number, calculation: Calculation])[],
): Promise<AggregateResult[]> {
  const results = groups.map((): AggregateResult => ({}))
  for (const [property, calculation] of calculations) {
    const column = columns.get(property)
    if (column === undefined || (hasSeveralValues(grouped) && hasSeveralValues(column))) continue
    const found = await countItemsInGroups(space, items, field, columnField(column))
    for (const [index, { value, count }] of groups.entries()) {
      addResult(results[index] ?? {}, column, calculation, toValueCounts(found.get(value) ?? new Map(), count))
    }
  }
  return results
}

const hasSeveralValues = ({ type }: Column): boolean => type !== 'title' && propertyTraits(type).isList

function addResult(results: AggregateResult, column: Column, calculation: Calculation, values: ValueCounts): void {
  const result = AGGREGATES[calculation](values)
  if (result === undefined || (typeof result === 'number' && !Number.isFinite(result))) return
  results[columnKey(column)] = result
}

/** The distinct values that a property has over some items. */
interface ValueCounts {
  /** How many items have each value. */
  counts: ReadonlyMap<string | number, number>
  /** The number of all items, and of those without a value. */
  total: number
  empty: number
}

function toValueCounts(found: ReadonlyMap<StoredValue, number>, total: number): ValueCounts {
  const counts = [...found].filter((one): one is [string | number, number] => one[0] !== null)
  return { counts: new Map(counts), total, empty: found.get(null) ?? 0 }
}

type Aggregate = (counted: ValueCounts) => number | string | undefined

const totalValues = ({ counts }: ValueCounts): number => [...counts.values()].reduce((sum, count) => sum + count, 0)
const checkedCount = ({ counts }: ValueCounts): number => counts.get(1) ?? 0
/** A percentage with two decimals. For no items at all it is 0. */
const percentage = (count: number, { total }: ValueCounts): number =>
  total === 0 ? 0 : Math.round((count / total) * 10_000) / 100

/** Adds up the values and compensates for rounding errors (Neumaier), so that the order of items hardly matters. */
function compensatedSum({ counts }: ValueCounts): number {
  let [sum, compensation] = [0, 0]
  for (const [value, count] of counts) {
    for (let time = 0; time < count; time++) {
      const next = sum + Number(value)
      compensation += Math.abs(sum) >= Math.abs(Number(value)) ? sum - next + Number(value) : Number(value) - next + sum
      sum = next
    }
  }
  return sum + compensation
}

function average(values: ValueCounts): number | undefined {
  const count = totalValues(values)
  return count === 0 ? undefined : compensatedSum(values) / count
}

/** The middle value, or the mean of the two middle values. */
function median(values: ValueCounts): number | undefined {
  const count = totalValues(values)
  if (count === 0) return undefined
  const inOrder = [...values.counts].sort(([one], [other]) => Number(one) - Number(other))
  const all = inOrder.flatMap(([value, count]) => Array<number>(count).fill(Number(value)))
  return (Number(all[Math.floor((count - 1) / 2)]) + Number(all[Math.floor(count / 2)])) / 2
}

/** Returns the smallest or largest value, depending on the comparison. */
const extreme =
  (isBefore: (one: string | number, other: string | number) => boolean) =>
  ({ counts }: ValueCounts): string | number | undefined =>
    counts.size === 0 ? undefined : [...counts.keys()].reduce((best, one) => (isBefore(one, best) ? one : best))

const minimum = extreme((one, other) => one < other)
const maximum = extreme((one, other) => one > other)

const rangeOf =
  (width: (least: string | number, greatest: string | number) => number): Aggregate =>
  (counted) => {
    const [from, to] = [minimum(counted), maximum(counted)]
    return from === undefined || to === undefined ? undefined : width(from, to)
  }

/** The first and the last day in all dates and ranges. */
function daysOf({ counts }: ValueCounts): DateRange | undefined {
  const ranges = [...counts.keys()].map((stored) => rangeOfDates(String(stored)))
  const [start] = ranges.map((range) => range.start).toSorted()
  const end = ranges
    .map((range) => range.end)
    .toSorted()
    .at(-1)
  return start === undefined || end === undefined ? undefined : { start, end }
}

function differenceOf(counted: ValueCounts) {
  const days = daysOf(counted)
  return days && dateDifference(days.start, days.end)
}

const AGGREGATES: Record<Calculation, Aggregate> = {
  count_all: ({ total }) => total,
  count_values: totalValues,
  count_unique: ({ counts }) => counts.size,
  count_empty: ({ empty }) => empty,
  count_notEmpty: ({ total, empty }) => total - empty,
  percent_empty: (counted) => percentage(counted.empty, counted),
  percent_notEmpty: (counted) => percentage(counted.total - counted.empty, counted),
  count_checkbox_checked: checkedCount,
  count_checkbox_unchecked: (counted) => counted.total - checkedCount(counted),
  percent_checkbox_checked: (counted) => percentage(checkedCount(counted), counted),
  percent_checkbox_unchecked: (counted) => percentage(counted.total - checkedCount(counted), counted),
  number_sum: compensatedSum,
  number_average: average,
  number_median: median,
  number_min: minimum,
  number_max: maximum,
  number_range: rangeOf((from, to) => Number(to) - Number(from)),
  date_min: (counted) => daysOf(counted)?.start,
  date_max: (counted) => daysOf(counted)?.end,
  date_range_days: (counted) => differenceOf(counted)?.days,
  date_range_months: (counted) => differenceOf(counted)?.months,
}
