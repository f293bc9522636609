/** Settings of views: what clients give, all or some, made into what is stored. */
import { FILTERS_PER_VIEW, SORTS_PER_VIEW } from '../../limits.ts'
import { Faults } from '../faults.ts'
import { checkCalculation } from './calculations.ts'
import type { Columns } from './columns.ts'
import { readFilter } from './filters.ts'
import type { Calculation, Filter, FilterInput, Rule, RuleInput, View, ViewInput, ViewType } from './view.ts'

const EMPTY: Omit<View, 'name' | 'type'> = {
  filters: [],
  sortBy: [],
  groupBy: [],
  order: [],
  hidden: [],
  widths: [],
  calculations: [],
}

/** A new view. @throws VALIDATION_ERROR that names every fault with its path */
export function newView(columns: Columns, input: ViewInput & { name: string; type: ViewType }): View {
  return changedView(columns, { ...EMPTY, name: input.name, type: input.type }, input)
}

/**
 * A view after an update. What the input leaves out stays; a list or map that it gives takes the place of the old
 * one, so that an empty one clears; of the gallery and kanban settings each one that is given.
 *
 * @throws VALIDATION_ERROR that names every fault with its path
 */
export function changedView(columns: Columns, before: View, input: ViewInput): View {
  const faults = new Faults()
  const { gallery, kanban } = before
  const isRowVisible = input.isCalculationsRowVisible ?? before.isCalculationsRowVisible
  const rules = readRules(columns, input, 'view.', faults)
  const fields = (words: string[] | undefined, path: string) => words && readNames(columns, words, path, faults)
  const view: View = {
    name: input.name ?? before.name,
    type: input.type ?? before.type,
    filters: rules.filters ?? before.filters,
    sortBy: rules.sortBy ?? before.sortBy,
    groupBy: rules.groupBy ?? before.groupBy,
    order: fields(input.order, 'view.fields.order') ?? before.order,
    hidden: fields(input.hidden, 'view.fields.hidden') ?? before.hidden,
    widths: readMap(columns, input.widths, 'view.fields.widths', faults, (_, width) => width) ?? before.widths,
    calculations: rules.calculations ?? before.calculations,
  }
  if (isRowVisible !== undefined) view.isCalculationsRowVisible = isRowVisible
  checkKind(view, input, faults)
  if (view.type === 'gallery') {
    view.gallery = { ...gallery, ...readCards(columns, input.gallery ?? {}, 'view.gallery', faults) }
  }
  if (view.type === 'kanban') {
    view.kanban = { ...kanban, ...readCards(columns, readGroups(columns, view, input), 'view.kanban', faults) }
  }
  faults.refuse()
  return view
}

/** Rules as a view has them, and as a reading of items may give them. */
export interface RulesInput {
  filters?: FilterInput[] | undefined
  sortBy?: RuleInput[] | undefined
  groupBy?: RuleInput[] | undefined
  calculations?: Record<string, Calculation> | undefined
}
export type Rules = Partial<Pick<View, 'filters' | 'sortBy' | 'groupBy' | 'calculations'>>

/**
 * Those of the rules that are given.
 *
 * @param at  what stands in the path before them
 */
export function readRules(columns: Columns, input: RulesInput, at: string, faults: Faults): Rules {
  const { filters, sortBy, groupBy, calculations } = input
  const rules: Rules = {}
  if (filters !== undefined) {
    checkCount(filters, FILTERS_PER_VIEW, `${at}filters`, 'filters', faults)
    rules.filters = present(filters.map((filter, index) => readOne(columns, filter, `${at}filters[${index}]`, faults)))
  }
  const ordering = (given: readonly RuleInput[], path: string): Rule[] =>
    present(
      given.map(({ property, ascending = true }, index): Rule | undefined => {
        const column = faults.attempt(`${path}[${index}].property`, () => columns.named(property))
        return column && { property: column.n, ascending }
      }),
    )
  if (sortBy !== undefined) {
    checkCount(sortBy, SORTS_PER_VIEW, `${at}sortBy`, 'sorts', faults)
    rules.sortBy = ordering(sortBy, `${at}sortBy`)
  }
  if (groupBy !== undefined) {
    // A kanban view says more exactly how many it wants.
    if (at === '') checkCount(groupBy, 1, 'groupBy', 'groupBy rule', faults)
    rules.groupBy = ordering(groupBy, `${at}groupBy`)
  }
  const maps = readMap(columns, calculations, `${at}calculations`, faults, checkCalculation)
  if (maps !== undefined) rules.calculations = maps
  return rules
}

function readOne(columns: Columns, filter: FilterInput, path: string, faults: Faults): Filter | undefined {
  const column = faults.attempt(`${path}.property`, () => columns.named(filter.property))
  return column && faults.attempt(path, () => readFilter(column, filter))
}

function checkCount(given: readonly unknown[], most: number, path: string, what: string, faults: Faults): void {
  if (given.length <= most) return
  faults.add(path, `Expected at most ${most} ${what}, found ${given.length}; leave ${given.length - most} out.`)
}

/** Numbers of the columns that these words name, each once, in their order. */
function readNames(columns: Columns, words: readonly string[], path: string, faults: Faults): number[] {
  const found = words.map((word, index) => faults.attempt(`${path}[${index}]`, () => columns.named(word))?.n)
  return [...new Set(present(found))]
}

/** Pairs of a column's number and what stands under its name; of two names of one column the later counts. */
function readMap<Given, Value>(
  columns: Columns,
  map: Record<string, Given> | undefined,
  path: string,
  faults: Faults,
  read: (column: ReturnType<Columns['named']>, given: Given) => Value,
): [number, Value][] | undefined {
  if (map === undefined) return undefined
  const found = new Map<number, Value>()
  for (const [word, given] of Object.entries(map)) {
    const entry = faults.attempt(`${path}.${word}`, () => {
      const column = columns.named(word)
      return { n: column.n, value: read(column, given) }
    })
    if (entry !== undefined) found.set(entry.n, entry.value)
  }
  return [...found]
}

/** The rules of the kinds of view. Source: the interface, "Collection views". */
function checkKind({ type, groupBy }: View, { gallery, kanban, groupBy: given }: ViewInput, faults: Faults): void {
  for (const [kind, settings] of Object.entries({ gallery, kanban })) {
    if (settings === undefined || type === kind) continue
    faults.add(
      `view.${kind}`,
      `Expected ${kind} settings on ${kind} views alone, found them on a ${type} view; leave them out, or set type to ${kind}.`,
    )
  }
  const count = (given ?? groupBy).length
  if (type === 'kanban' && count !== 1) {
    faults.add(
      'view.groupBy',
      `Expected exactly one groupBy rule on a kanban view, found ${count === 0 ? 'none' : count}; give [{ property }] with the property whose values are its columns.`,
    )
  } else if (count > 1) {
    faults.add('view.groupBy', `Expected at most one groupBy rule, found ${count}; leave ${count - 1} out.`)
  }
}

/** Settings of cards with their properties by number; those not given are not among them. */
function readCards<Cards extends { visibleFields?: string[] | undefined }>(
  columns: Columns,
  { visibleFields, ...rest }: Cards,
  path: string,
  faults: Faults,
): Omit<Cards, 'visibleFields'> & { visibleFields?: number[] } {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as typeof rest
  if (visibleFields === undefined) return given
  return { ...given, visibleFields: readNames(columns, visibleFields, `${path}.visibleFields`, faults) }
}

/** The groups that kanban settings name, by the option's number where the property has such an option. */
function readGroups(columns: Columns, { groupBy: [rule] }: View, { kanban = {} }: ViewInput) {
  const options = (rule && columns.at(rule.property)?.options) ?? []
  const groups = (names: string[]) => names.map((name) => options.find((one) => one.name === name)?.n ?? name)
  const { hiddenGroupValues, columnOrder, ...rest } = kanban
  return {
    ...rest,
    ...(hiddenGroupValues && { hiddenGroupValues: groups(hiddenGroupValues) }),
    ...(columnOrder && { columnOrder: groups(columnOrder) }),
  }
}

const present = <T>(list: readonly (T | undefined)[]): T[] => list.filter((one) => one !== undefined)
