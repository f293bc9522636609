/**
 * Adapts the stored settings of a view to the current columns. Numbers of properties and options are never reused. So
 * references to deleted ones can be dropped when the view is read, whether a new schema or the removal of the other
 * side of a relation deleted them.
 */

import type { Filter, View } from './view.ts'
import { allowedCalculations } from './view-calculations.ts'
import type { ViewColumns } from './view-columns.ts'
import { allowedFilterTypes } from './view-filters.ts'

/**
 * Returns the view without references to deleted properties and options. A filter on options is removed together with
 * its last option. A kanban view without its group property becomes a table.
 */
export function normalizeView(columns: ViewColumns, view: View): View {
  const exists = (n: number) => columns.get(n) !== undefined
  const result: View = {
    ...view,
    filters: view.filters.flatMap((filter) => normalizeFilter(columns, filter)),
    sortBy: view.sortBy.filter(({ property }) => exists(property)),
    groupBy: view.groupBy.filter(({ property }) => exists(property)),
    order: view.order.filter(exists),
    hidden: view.hidden.filter(exists),
    widths: view.widths.filter(([property]) => exists(property)),
    calculations: view.calculations.filter(([property, calculation]) => {
      const column = columns.get(property)
      return column !== undefined && allowedCalculations(column).includes(calculation)
    }),
  }
  const { gallery, kanban } = view
  if (gallery?.visibleFields) result.gallery = { ...gallery, visibleFields: gallery.visibleFields.filter(exists) }
  const [rule] = result.groupBy
  if (kanban === undefined) return result
  if (rule === undefined) {
    result.type = 'table'
    delete result.kanban
    return result
  }
  const options = new Set(columns.get(rule.property)?.options.map(({ n }) => n))
  const known = (group: number | string) => typeof group === 'string' || options.has(group)
  result.kanban = { ...kanban }
  if (kanban.visibleFields) result.kanban.visibleFields = kanban.visibleFields.filter(exists)
  if (kanban.hiddenGroupValues) result.kanban.hiddenGroupValues = kanban.hiddenGroupValues.filter(known)
  if (kanban.columnOrder) result.kanban.columnOrder = kanban.columnOrder.filter(known)
  return result
}

/** Returns the filter without options that were deleted: a list of it alone, or an empty one if it means nothing anymore. */
export function normalizeFilter(columns: ViewColumns, filter: Filter): Filter[] {
  const column = columns.get(filter.property)
  if (column === undefined || !allowedFilterTypes(column).includes(filter.filterType)) return []
  const { value } = filter
  if (value === undefined || !('options' in value)) return [filter]
  const options = value.options.filter((option) => column.options.some(({ n }) => n === option))
  return options.length > 0 || value.options.length === 0 ? [{ ...filter, value: { options } }] : []
}
