/**
 * Settings of a view as they hold for the columns that there are now. Numbers of properties and options never come
 * again, so what names one that is gone is found out when the view is read, whatever made it go: a new schema, or
 * the other side of a relation.
 */
import { calculationsOf } from './calculations.ts'
import type { Columns } from './columns.ts'
import { filterTypesOf } from './filters.ts'
import type { Filter, View } from './view.ts'

/**
 * The view without what is gone. A filter that asked for options goes with the last of them, and a kanban view that
 * has lost the property of its groups is a table.
 */
export function settled(columns: Columns, view: View): View {
  const here = (n: number) => columns.at(n) !== undefined
  const result: View = {
    ...view,
    filters: view.filters.flatMap((filter) => settledFilter(columns, filter)),
    sortBy: view.sortBy.filter(({ property }) => here(property)),
    groupBy: view.groupBy.filter(({ property }) => here(property)),
    order: view.order.filter(here),
    hidden: view.hidden.filter(here),
    widths: view.widths.filter(([property]) => here(property)),
    calculations: view.calculations.filter(([property, calculation]) => {
      const column = columns.at(property)
      return column !== undefined && calculationsOf(column).includes(calculation)
    }),
  }
  const { gallery, kanban } = view
  if (gallery?.visibleFields) result.gallery = { ...gallery, visibleFields: gallery.visibleFields.filter(here) }
  const [rule] = result.groupBy
  if (kanban === undefined) return result
  if (rule === undefined) {
    result.type = 'table'
    delete result.kanban
    return result
  }
  const options = new Set(columns.at(rule.property)?.options.map(({ n }) => n))
  const known = (group: number | string) => typeof group === 'string' || options.has(group)
  result.kanban = { ...kanban }
  if (kanban.visibleFields) result.kanban.visibleFields = kanban.visibleFields.filter(here)
  if (kanban.hiddenGroupValues) result.kanban.hiddenGroupValues = kanban.hiddenGroupValues.filter(known)
  if (kanban.columnOrder) result.kanban.columnOrder = kanban.columnOrder.filter(known)
  return result
}

function settledFilter(columns: Columns, filter: Filter): Filter[] {
  const column = columns.at(filter.property)
  if (column === undefined || !filterTypesOf(column).includes(filter.filterType)) return []
  const { value } = filter
  if (value === undefined || !('options' in value)) return [filter]
  const options = value.options.filter((option) => column.options.some(({ n }) => n === option))
  return options.length > 0 || value.options.length === 0 ? [{ ...filter, value: { options } }] : []
}
