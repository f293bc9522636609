/** Calculations over the items that were chosen. */
import type { Value } from '../../../storage/selected.ts'
import { between } from '../dates.ts'
import type { Space } from '../space.ts'
import { type Columns, keyOf } from './columns.ts'
import { fieldOf } from './conditions.ts'
import { valuesOf } from './select.ts'
import type { Calculation } from './view.ts'

/** By the keys of properties; one that has no value to reckon with, or comes to more than a number holds, is left out. */
export type Figures = Record<string, number | string>

export async function reckon(
  space: Space,
  columns: Columns,
  items: readonly number[],
  calculations: readonly (readonly [property: number, calculation: Calculation])[],
): Promise<Figures> {
  const figures: [key: string, figure: number | string][] = []
  for (const [property, calculation] of calculations) {
    const column = columns.at(property)
    if (column === undefined) continue
    const figure = WAYS[calculation](countedOf(await valuesOf(space, items, fieldOf(column)), items.length))
    if (figure === undefined || (typeof figure === 'number' && !Number.isFinite(figure))) continue
    figures.push([keyOf(column), figure])
  }
  return Object.fromEntries(figures)
}

/** The values of a property over some items. */
interface Counted {
  /** How often each stands. */
  counts: ReadonlyMap<string | number, number>
  /** Items in all, and those without a value. */
  total: number
  empty: number
}

function countedOf(found: ReadonlyMap<Value, number>, total: number): Counted {
  const counts = [...found].filter((one): one is [string | number, number] => one[0] !== null)
  return { counts: new Map(counts), total, empty: found.get(null) ?? 0 }
}

type Way = (counted: Counted) => number | string | undefined

const valuesIn = ({ counts }: Counted): number => [...counts.values()].reduce((sum, count) => sum + count, 0)
const checked = ({ counts }: Counted): number => counts.get(1) ?? 0
/** Of a hundred, with two decimals; of no items none. */
const share = (count: number, { total }: Counted): number =>
  total === 0 ? 0 : Math.round((count / total) * 10_000) / 100

/** With what each addition loses added at the end (Neumaier), so that little depends on the order of items. */
function sumOf({ counts }: Counted): number {
  let [sum, lost] = [0, 0]
  for (const [value, count] of counts) {
    for (let time = 0; time < count; time++) {
      const next = sum + Number(value)
      lost += Math.abs(sum) >= Math.abs(Number(value)) ? sum - next + Number(value) : Number(value) - next + sum
      sum = next
    }
  }
  return sum + lost
}

function average(counted: Counted): number | undefined {
  const count = valuesIn(counted)
  return count === 0 ? undefined : sumOf(counted) / count
}

/** The middle value, or the mean of the two in the middle. */
function median(counted: Counted): number | undefined {
  const count = valuesIn(counted)
  if (count === 0) return undefined
  const inOrder = [...counted.counts].sort(([one], [other]) => Number(one) - Number(other))
  const all = inOrder.flatMap(([value, count]) => Array<number>(count).fill(Number(value)))
  return (Number(all[Math.floor((count - 1) / 2)]) + Number(all[Math.floor(count / 2)])) / 2
}

/** The value that comes before, or after, all others. */
const outermost =
  (isBefore: (one: string | number, other: string | number) => boolean) =>
  ({ counts }: Counted): string | number | undefined =>
    counts.size === 0 ? undefined : [...counts.keys()].reduce((best, one) => (isBefore(one, best) ? one : best))

const least = outermost((one, other) => one < other)
const greatest = outermost((one, other) => one > other)

const range =
  (width: (least: string | number, greatest: string | number) => number): Way =>
  (counted) => {
    const [from, to] = [least(counted), greatest(counted)]
    return from === undefined || to === undefined ? undefined : width(from, to)
  }

const WAYS: Record<Calculation, Way> = {
  count_all: ({ total }) => total,
  count_values: valuesIn,
  count_unique: ({ counts }) => counts.size,
  count_empty: ({ empty }) => empty,
  count_notEmpty: ({ total, empty }) => total - empty,
  percent_empty: (counted) => share(counted.empty, counted),
  percent_notEmpty: (counted) => share(counted.total - counted.empty, counted),
  count_checkbox_checked: checked,
  count_checkbox_unchecked: (counted) => counted.total - checked(counted),
  percent_checkbox_checked: (counted) => share(checked(counted), counted),
  percent_checkbox_unchecked: (counted) => share(counted.total - checked(counted), counted),
  number_sum: sumOf,
  number_average: average,
  number_median: median,
  number_min: least,
  number_max: greatest,
  number_range: range((from, to) => Number(to) - Number(from)),
  date_min: least,
  date_max: greatest,
  date_range_days: range((from, to) => between(String(from), String(to)).days),
  date_range_months: range((from, to) => between(String(from), String(to)).months),
}
