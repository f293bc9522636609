/** Formats views for responses. A client can send each one back unchanged. */
import type { Space } from '../../model/space.ts'
import type { Calculation, Column, Filter, FilterInput, Rule, View, ViewInput, ViewType } from './view.ts'
import { columnKey, type PropertyReference, propertyReference, type ViewColumns } from './view-columns.ts'

export interface ViewAnswer {
  id: string
  name: string
  type: ViewType
  filters: FilterInput[]
  sortBy: RuleAnswer[]
  groupBy: RuleAnswer[]
  hiddenProperties: PropertyReference[]
  customPropertyOrder: PropertyReference[]
  columnWidth: Record<string, string>
  calculations: Record<string, Calculation>
  isCalculationsRowVisible?: boolean
  gallery?: ViewInput['gallery']
  kanban?: ViewInput['kanban']
  isActive: boolean
}

interface RuleAnswer {
  property: string
  ascending: boolean
}

/** Blocks that filters refer to: their IDs as spelled for this connection, by ID number. */
export type ReachedTargets = ReadonlyMap<number, string>

/** Returns the blocks within reach that these filters refer to. */
export async function reachableFilterTargets(space: Space, filters: readonly Filter[]): Promise<ReachedTargets> {
  const ids = filters.flatMap(({ value }) => (value && 'targets' in value ? value.targets : []))
  if (ids.length === 0) return new Map()
  return new Map((await space.findReachableBlocks(ids)).map(({ id }) => [id, space.spellId(id)]))
}

/**
 * @param view  normalized, so it contains no references to deleted properties or options
 * @param reached  the blocks within reach that its filters refer to
 */
export function describeView(
  columns: ViewColumns,
  { id, isActive, view }: { id: string; isActive: boolean; view: View },
  reached: ReachedTargets,
): ViewAnswer {
  const column = (n: number): Column => {
    const found = columns.get(n)
    if (found === undefined) throw new Error(`Expected the column of number ${n}.`)
    return found
  }
  const key = (n: number) => columnKey(column(n))
  const rules = (list: readonly Rule[]) =>
    list.map(({ property, ascending }) => ({ property: key(property), ascending }))
  const references = (list: readonly number[]) => list.map((n) => propertyReference(column(n)))
  const map = <T>(pairs: readonly [number, T][]) => Object.fromEntries(pairs.map(([n, value]) => [key(n), value]))
  const answer: ViewAnswer = {
    id,
    name: view.name,
    type: view.type,
    filters: view.filters.map((filter) => describeFilter(column(filter.property), filter, reached)),
    sortBy: rules(view.sortBy),
    groupBy: rules(view.groupBy),
    hiddenProperties: references(view.hidden),
    customPropertyOrder: references(view.order),
    columnWidth: map(view.widths),
    calculations: map(view.calculations),
    isActive,
  }
  const { isCalculationsRowVisible, gallery, kanban } = view
  if (isCalculationsRowVisible !== undefined) answer.isCalculationsRowVisible = isCalculationsRowVisible
  if (gallery !== undefined) {
    const { visibleFields, ...rest } = gallery
    answer.gallery = { ...rest, ...(visibleFields && { visibleFields: visibleFields.map(key) }) }
  }
  if (kanban !== undefined) {
    const { visibleFields, hiddenGroupValues, columnOrder, ...rest } = kanban
    const [rule] = view.groupBy
    const names = new Map(rule && column(rule.property).options.map(({ n, name }) => [n, name]))
    const groups = (list: (number | string)[]) =>
      list.map((group) => (typeof group === 'string' ? group : (names.get(group) ?? '')))
    answer.kanban = {
      ...rest,
      ...(visibleFields && { visibleFields: visibleFields.map(key) }),
      ...(hiddenGroupValues && { hiddenGroupValues: groups(hiddenGroupValues) }),
      ...(columnOrder && { columnOrder: groups(columnOrder) }),
    }
  }
  return answer
}

function describeFilter(column: Column, { filterType, value }: Filter, reached: ReachedTargets): FilterInput {
  const filter: FilterInput = { property: columnKey(column), filterType }
  if (value === undefined) return filter
  if ('text' in value) filter.filterValue = value.text
  else if ('number' in value) filter.filterValue = value.number
  else if ('flag' in value) filter.filterValue = value.flag
  else if ('date' in value) filter.filterValue = value.date
  else if ('options' in value) filter.filterValue = optionNames(column, filterType, value.options)
  else {
    const links = value.targets.filter((id) => reached.has(id)).map((id) => ({ blockId: reached.get(id) }))
    filter.filterValue = (column.type === 'blockLink' && links[0]) || { relations: links }
  }
  return filter
}

/** Returns a list, except for filters that compare with the one value of a single select. */
function optionNames({ type, options }: Column, filterType: string, numbers: readonly number[]): string | string[] {
  const names = numbers.map((number) => options.find(({ n }) => n === number)?.name ?? '')
  const [first] = names
  return type === 'singleSelect' && !filterType.startsWith('select_') && first !== undefined ? first : names
}
