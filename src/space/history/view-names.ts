/** Settings of views with names in place of numbers, for views that changed. */
import type { HistoryRow } from '../../../storage/history.ts'
import { collectionOptions, collectionProperties } from '../../../storage/properties.ts'
import type { OptionRow, PropertyRow, ViewRow } from '../../../storage/schema.ts'
import { normalizeView } from '../collections/views/normalize-view.ts'
import { type Column, TITLE_COLUMN, TITLE_COLUMN_NUMBER, type View } from '../collections/views/view.ts'
import { describeView, reachableFilterTargets, viewAsInput } from '../collections/views/view-answer.ts'
import { ViewColumns } from '../collections/views/view-columns.ts'
import { withDependency } from '../collections/views/views.ts'
import { visiblePlainText } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import type { ChangedState } from './changed-states.ts'

/**
 * Returns a function that describes the settings of these views, without defaults. What was deleted in the same calls
 * still has its name.
 */
export async function readViewSettings(
  space: Space,
  states: readonly ChangedState[],
): Promise<(row: HistoryRow) => object> {
  const { tx } = space
  const views = rowsOf(states, 'view')
  if (views.length === 0) return () => ({})
  const collections = [...new Set(views.map(({ collection }) => collection as number))]
  const properties = [
    ...rowsOf(states, 'property').map(propertyRowOf),
    ...(await collectionProperties(tx, ...collections)),
  ]
  const options = [...rowsOf(states, 'option').map(optionRowOf), ...(await collectionOptions(tx, ...collections))]
  const visible = await visiblePlainText(
    space,
    options.map(({ name }) => String(name)),
  )
  const shownOptions = options.map((option) => ({ ...option, name: visible.text(String(option.name)) }))
  const filters = views.flatMap((row) => viewOf(row).filters)
  const reached = await reachableFilterTargets(space, filters)
  return (row) => {
    const own = properties.filter(({ collection }) => collection === row.collection)
    const columns = new ViewColumns([TITLE, ...withDependency(own.map((one) => columnOf(one, shownOptions)))])
    const view = normalizeView(columns, viewOf(row))
    const answer = describeView(columns, { id: '', isActive: false, view }, reached)
    const { name: _, type: __, hidden, order, widths, ...settings } = viewAsInput(answer)
    const all = { ...settings, columnWidth: widths, hiddenProperties: hidden, customPropertyOrder: order }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmpty(value)))
  }
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const rowsOf = (states: readonly ChangedState[], table: ChangedState['table']): HistoryRow[] =>
  states
    .flatMap((state) => (state.table === table ? [state.before, state.after] : []))
    .filter((row) => row !== undefined)

const viewOf = ({ name, type, settings }: HistoryRow): View =>
  ({ name, type, ...JSON.parse(String(settings)) }) as View & Pick<ViewRow, 'name' | 'type'>

const propertyRowOf = ({ other_side, is_back_reference, ...row }: HistoryRow): PropertyRow =>
  ({ ...row, otherSide: other_side, isBackReference: is_back_reference }) as PropertyRow

const optionRowOf = (row: HistoryRow): OptionRow => row as OptionRow

const TITLE: Column = { n: TITLE_COLUMN_NUMBER, key: TITLE_COLUMN, name: '', type: TITLE_COLUMN, options: [] }

const columnOf = (row: PropertyRow, options: readonly OptionRow[]): PropertyRow & Column => ({
  ...row,
  options: options.filter(({ property }) => property === row.n),
})
