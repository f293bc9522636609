/** Calculations over the items of a selection. */
import { type Figure, selectedFigures } from '../../../storage/selected.ts'
import type { Selection } from '../../../storage/selection.ts'
import { between } from '../dates.ts'
import type { Space } from '../space.ts'
import { type Columns, keyOf } from './columns.ts'
import { fieldOf } from './conditions.ts'
import type { Calculation, Column } from './view.ts'

/** By the keys of properties; one that has no value to reckon with is left out. */
export type Figures = Record<string, number | string>

type Found = string | number | null

/** A calculation: what is asked of the values, and what it makes of the answers and of the count of items. */
interface Way {
  asks: readonly Figure[]
  make(found: readonly Found[], total: number): Found
}

export async function reckon(
  space: Space,
  columns: Columns,
  selection: Selection,
  calculations: readonly (readonly [property: number, calculation: Calculation])[],
): Promise<Figures> {
  const asked: { column: Column; way: Way }[] = []
  for (const [property, calculation] of calculations) {
    const column = columns.at(property)
    if (column !== undefined) asked.push({ column, way: WAYS[calculation] })
  }
  const questions = asked.flatMap(({ column, way }) => way.asks.map((figure) => ({ field: fieldOf(column), figure })))
  const { total, figures } = await selectedFigures(space.tx, selection, questions)
  let next = 0
  const results = asked.map(({ column, way }) => {
    const found = figures.slice(next, next + way.asks.length)
    next += way.asks.length
    return [keyOf(column), way.make(found, total)] as const
  })
  return Object.fromEntries(results.filter((one): one is readonly [string, number | string] => one[1] !== null))
}

const alone = (figure: Figure): Way => ({ asks: [figure], make: ([found = null]) => found })
const counted = (figure: Figure, make: (count: number, total: number) => number): Way => ({
  asks: [figure],
  make: ([count], total) => make(Number(count), total),
})
const ends = (make: (least: string | number, greatest: string | number) => number): Way => ({
  asks: ['least', 'greatest'],
  make: ([least = null, greatest = null]) => (least === null || greatest === null ? null : make(least, greatest)),
})
const rest = (count: number, total: number): number => total - count
/** Of a hundred, with two decimals; of no items none. */
const share = (count: number, total: number): number => (total === 0 ? 0 : Math.round((count / total) * 10_000) / 100)

const WAYS: Record<Calculation, Way> = {
  count_all: { asks: [], make: (_, total) => total },
  count_values: alone('values'),
  count_unique: alone('unique'),
  count_empty: counted('items', rest),
  count_notEmpty: alone('items'),
  percent_empty: counted('items', (count, total) => share(rest(count, total), total)),
  percent_notEmpty: counted('items', share),
  count_checkbox_checked: alone('checked'),
  count_checkbox_unchecked: counted('checked', rest),
  percent_checkbox_checked: counted('checked', share),
  percent_checkbox_unchecked: counted('checked', (count, total) => share(rest(count, total), total)),
  number_sum: { asks: ['sum'], make: ([sum = null]) => sum ?? 0 },
  number_average: alone('average'),
  number_median: alone('median'),
  number_min: alone('least'),
  number_max: alone('greatest'),
  number_range: ends((least, greatest) => Number(greatest) - Number(least)),
  date_min: alone('least'),
  date_max: alone('greatest'),
  date_range_days: ends((least, greatest) => between(String(least), String(greatest)).days),
  date_range_months: ends((least, greatest) => between(String(least), String(greatest)).months),
}
