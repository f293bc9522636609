/**
 * Formats views for responses. A client can send each one back unchanged. Every property is named by its key, as `property`
 * or as the key of a map, and by a reference beside it.
 */
import { ME, reachableTargets } from '../../model/reachable-targets.ts'
import type { Space } from '../../model/space.ts'
import { filteredOptions } from '../schema/option-names.ts'
import type { Calculation, Column, Filter, Rule, TypedFilter, View, ViewInput, ViewType } from './view.ts'
import { columnKey, type PropertyReference, propertyReference, type ViewColumns } from './view-columns.ts'

export interface ViewAnswer {
  id: string
  name: string
  type: ViewType
  filters: FilterAnswer[]
  sortBy: RuleAnswer[]
  groupBy: RuleAnswer[]
  hiddenProperties: PropertyReference[]
  customPropertyOrder: PropertyReference[]
  columnWidth: Record<string, string>
  calculations: Record<string, CalculationAnswer>
  isCalculationsRowVisible?: boolean
  gallery?: CardsAnswer<NonNullable<ViewInput['gallery']>>
  kanban?: CardsAnswer<NonNullable<ViewInput['kanban']>>
  isActive: boolean
}

type FilterAnswer = TypedFilter & PropertyReference
type RuleAnswer = PropertyReference & { property: string; ascending: boolean }
type CalculationAnswer = PropertyReference & { type: Calculation }
type CardsAnswer<Cards> = Omit<Cards, 'visibleFields'> & { visibleFields?: PropertyReference[] }

/** Returns the settings as a client would write them, with properties by key alone. */
export function viewAsInput({
  id: _,
  isActive: __,
  hiddenProperties,
  customPropertyOrder,
  columnWidth,
  calculations,
  gallery,
  kanban,
  ...view
}: ViewAnswer): Omit<ViewInput, 'id' | 'isActive'> & { name: string; type: ViewType; filters: TypedFilter[] } {
  const keys = (references: readonly PropertyReference[]) => references.map(({ propertyId }) => propertyId)
  const rules = (list: readonly RuleAnswer[]) => list.map(({ property, ascending }) => ({ property, ascending }))
  const cards = <Cards>({ visibleFields, ...rest }: CardsAnswer<Cards>) => ({
    ...rest,
    ...(visibleFields && { visibleFields: keys(visibleFields) }),
  })
  return {
    ...view,
    filters: view.filters.map(({ propertyId: _, propertyKey: __, propertyName: ___, ...filter }) => filter),
    sortBy: rules(view.sortBy),
    groupBy: rules(view.groupBy),
    hidden: keys(hiddenProperties),
    order: keys(customPropertyOrder),
    widths: columnWidth,
    calculations: Object.fromEntries(Object.entries(calculations).map(([key, { type }]) => [key, type])),
    ...(gallery && { gallery: cards(gallery) }),
    ...(kanban && { kanban: cards(kanban) }),
  }
}

/** Blocks and members that filters refer to: their IDs as spelled for this connection, by ID number. */
export type ReachedTargets = ReadonlyMap<number, string>

/** Returns the blocks and members within reach that these filters refer to. */
export async function reachableFilterTargets(space: Space, filters: readonly Filter[]): Promise<ReachedTargets> {
  const ids = filters.flatMap(({ value }) => (value && 'targets' in value ? value.targets : []))
  if (ids.length === 0) return new Map()
  return new Map([...(await reachableTargets(space, ids)).keys()].map((id) => [id, space.spellId(id)]))
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
  const reference = (n: number) => propertyReference(column(n))
  const rules = (list: readonly Rule[]) =>
    list.map(({ property, ascending }) => ({ property: key(property), ...reference(property), ascending }))
  const map = <T>(pairs: readonly [number, T][]) => Object.fromEntries(pairs.map(([n, value]) => [key(n), value]))
  const answer: ViewAnswer = {
    id,
    name: view.name,
    type: view.type,
    filters: view.filters.map((filter) => describeFilter(column(filter.property), filter, reached)),
    sortBy: rules(view.sortBy),
    groupBy: rules(view.groupBy),
    hiddenProperties: view.hidden.map(reference),
    customPropertyOrder: view.order.map(reference),
    columnWidth: map(view.widths),
    calculations: map(view.calculations.map(([n, type]) => [n, { ...reference(n), type }])),
    isActive,
  }
  const { isCalculationsRowVisible, gallery, kanban } = view
  if (isCalculationsRowVisible !== undefined) answer.isCalculationsRowVisible = isCalculationsRowVisible
  if (gallery !== undefined) {
    const { visibleFields, ...rest } = gallery
    answer.gallery = { ...rest, ...(visibleFields && { visibleFields: visibleFields.map(reference) }) }
  }
  if (kanban !== undefined) {
    const { visibleFields, hiddenGroupValues, columnOrder, ...rest } = kanban
    const [rule] = view.groupBy
    const names = new Map(rule && column(rule.property).options.map(({ n, name }) => [n, name]))
    const groups = (list: (number | string)[]) =>
      list.map((group) => (typeof group === 'string' ? group : (names.get(group) ?? '')))
    answer.kanban = {
      ...rest,
      ...(visibleFields && { visibleFields: visibleFields.map(reference) }),
      ...(hiddenGroupValues && { hiddenGroupValues: groups(hiddenGroupValues) }),
      ...(columnOrder && { columnOrder: groups(columnOrder) }),
    }
  }
  return answer
}

function describeFilter(column: Column, { filterType, value }: Filter, reached: ReachedTargets): FilterAnswer {
  const filter: FilterAnswer = { property: columnKey(column), ...propertyReference(column), filterType }
  if (value === undefined) return filter
  if ('text' in value) filter.filterValue = value.text
  else if ('number' in value) filter.filterValue = value.number
  else if ('flag' in value) filter.filterValue = value.flag
  else if ('date' in value) filter.filterValue = value.date
  else if ('options' in value) filter.filterValue = filteredOptions(column, filterType, value.options)
  else if (column.type === 'person') {
    filter.filterValue = value.targets.flatMap((id) => (id === ME ? 'me' : (reached.get(id) ?? [])))
  } else {
    const links = value.targets.filter((id) => reached.has(id)).map((id) => ({ blockId: reached.get(id) }))
    filter.filterValue = (column.type === 'blockLink' && links[0]) || { relations: links }
  }
  return filter
}
