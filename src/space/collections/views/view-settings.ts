/** Parses the view settings that a client sends, complete or partial, into their stored form. */
import { FILTERS_PER_VIEW, SORTS_PER_VIEW } from '../../../base/limits.ts'
import { InputErrors } from '../../model/input-errors.ts'
import {
  type Calculation,
  type Filter,
  type FilterInput,
  type Rule,
  type RuleInput,
  VIEW_TRAITS,
  type View,
  type ViewInput,
  type ViewType,
} from './view.ts'
import { validateCalculation } from './view-calculations.ts'
import type { ViewColumns } from './view-columns.ts'
import { type FilterIds, parseFilter } from './view-filters.ts'

const EMPTY_SETTINGS: Omit<View, 'name' | 'type'> = {
  filters: [],
  sortBy: [],
  groupBy: [],
  order: [],
  hidden: [],
  widths: [],
  calculations: [],
}

/** Creates a new view. @throws VALIDATION_ERROR that lists every error with its path */
export function createView(
  columns: ViewColumns,
  input: ViewInput & { name: string; type: ViewType },
  ids: FilterIds,
): View {
  return applyViewInput(columns, { ...EMPTY_SETTINGS, name: input.name, type: input.type }, input, ids)
}

/**
 * Applies an update to a view. Settings that the input leaves out stay the same. A given list or map replaces the old
 * one, so an empty one clears it. Of the gallery and kanban settings, each given one is replaced on its own.
 *
 * @throws VALIDATION_ERROR that lists every error with its path
 */
export function applyViewInput(columns: ViewColumns, before: View, input: ViewInput, ids: FilterIds): View {
  const errors = new InputErrors()
  const { gallery, kanban } = before
  const isRowVisible = input.isCalculationsRowVisible ?? before.isCalculationsRowVisible
  const rules = parseRules(columns, input, ids, 'view.', errors)
  const fields = (names: string[] | undefined, path: string) => names && parseColumnNames(columns, names, path, errors)
  const view: View = {
    name: input.name ?? before.name,
    type: input.type ?? before.type,
    filters: rules.filters ?? before.filters,
    sortBy: rules.sortBy ?? before.sortBy,
    groupBy: rules.groupBy ?? before.groupBy,
    order: fields(input.order, 'view.fields.order') ?? before.order,
    hidden: fields(input.hidden, 'view.fields.hidden') ?? before.hidden,
    widths: parseColumnMap(columns, input.widths, 'view.fields.widths', errors, (_, width) => width) ?? before.widths,
    calculations: rules.calculations ?? before.calculations,
  }
  if (isRowVisible !== undefined) view.isCalculationsRowVisible = isRowVisible
  validateViewType(view, input, errors)
  const { settings } = VIEW_TRAITS[view.type]
  switch (settings) {
    case undefined:
      break
    case 'gallery':
      view.gallery = {
        ...unlessCleared(gallery, input.gallery),
        ...parseCardSettings(columns, input.gallery ?? {}, 'view.gallery', errors),
      }
      break
    case 'kanban':
      view.kanban = {
        ...unlessCleared(kanban, input.kanban),
        ...parseCardSettings(columns, parseGroupSettings(columns, view, input), 'view.kanban', errors),
      }
      break
  }
  errors.throwIfAny()
  return view
}

/**
 * Returns the previous settings, or undefined if the input is an empty object, which clears them (as an empty list or
 * map clears other settings).
 */
const unlessCleared = <Settings extends object>(before: Settings | undefined, input: object | undefined) =>
  input !== undefined && Object.keys(input).length === 0 ? undefined : before

/** Rules, as a view has them and as a query of items may give them. */
export interface RulesInput {
  filters?: FilterInput[] | undefined
  sortBy?: RuleInput[] | undefined
  groupBy?: RuleInput[] | undefined
  calculations?: Record<string, Calculation> | undefined
}
export type Rules = Partial<Pick<View, 'filters' | 'sortBy' | 'groupBy' | 'calculations'>>

/**
 * Parses the given rules.
 *
 * @param ids  the IDs that the filters refer to
 * @param pathPrefix  prefix of the paths in error messages
 */
export function parseRules(
  columns: ViewColumns,
  input: RulesInput,
  ids: FilterIds,
  pathPrefix: string,
  errors: InputErrors,
): Rules {
  const { filters, sortBy, groupBy, calculations } = input
  const rules: Rules = {}
  if (filters !== undefined) {
    validateRuleCount(filters, FILTERS_PER_VIEW, `${pathPrefix}filters`, 'filters', errors)
    rules.filters = withoutUndefined(
      filters.map((filter, index) => parseFilterAt(columns, filter, ids, `${pathPrefix}filters[${index}]`, errors)),
    )
  }
  const parseOrdering = (inputs: readonly RuleInput[], path: string): Rule[] =>
    withoutUndefined(
      inputs.map(({ property, ascending = true }, index): Rule | undefined => {
        const column = errors.attempt(`${path}[${index}].property`, () => columns.findByName(property))
        return column && { property: column.n, ascending }
      }),
    )
  if (sortBy !== undefined) {
    validateRuleCount(sortBy, SORTS_PER_VIEW, `${pathPrefix}sortBy`, 'sorts', errors)
    rules.sortBy = parseOrdering(sortBy, `${pathPrefix}sortBy`)
  }
  if (groupBy !== undefined) {
    // For views, validateViewType checks the number of groups.
    if (pathPrefix === '') validateRuleCount(groupBy, 1, 'groupBy', 'groupBy rule', errors)
    rules.groupBy = parseOrdering(groupBy, `${pathPrefix}groupBy`)
  }
  const maps = parseColumnMap(columns, calculations, `${pathPrefix}calculations`, errors, validateCalculation)
  if (maps !== undefined) rules.calculations = maps
  return rules
}

function parseFilterAt(
  columns: ViewColumns,
  filter: FilterInput,
  ids: FilterIds,
  path: string,
  errors: InputErrors,
): Filter | undefined {
  const column = errors.attempt(`${path}.property`, () => columns.findByName(filter.property))
  return column && errors.attempt(path, () => parseFilter(column, filter, ids))
}

function validateRuleCount(
  rules: readonly unknown[],
  most: number,
  path: string,
  what: string,
  errors: InputErrors,
): void {
  if (rules.length <= most) return
  errors.add(path, `Expected at most ${most} ${what}, found ${rules.length}; leave ${rules.length - most} out.`)
}

/** Returns the numbers of the named columns, each once, in the given order. */
function parseColumnNames(columns: ViewColumns, names: readonly string[], path: string, errors: InputErrors): number[] {
  const found = names.map((word, index) => errors.attempt(`${path}[${index}]`, () => columns.findByName(word))?.n)
  return [...new Set(withoutUndefined(found))]
}

/** Returns pairs of column number and value. If the input names a column twice, the later value wins. */
function parseColumnMap<Given, Value>(
  columns: ViewColumns,
  map: Record<string, Given> | undefined,
  path: string,
  errors: InputErrors,
  read: (column: ReturnType<ViewColumns['findByName']>, given: Given) => Value,
): [number, Value][] | undefined {
  if (map === undefined) return undefined
  const found = new Map<number, Value>()
  for (const [word, given] of Object.entries(map)) {
    const entry = errors.attempt(`${path}.${word}`, () => {
      const column = columns.findByName(word)
      return { n: column.n, value: read(column, given) }
    })
    if (entry !== undefined) found.set(entry.n, entry.value)
  }
  return [...found]
}

/** Checks the rules for each type of view. Source: the interface, "Collection views". */
function validateViewType(
  { type, groupBy }: View,
  { gallery, kanban, groupBy: given }: ViewInput,
  errors: InputErrors,
): void {
  for (const [kind, settings] of Object.entries({ gallery, kanban })) {
    if (settings === undefined || VIEW_TRAITS[type].settings === kind) continue
    errors.add(
      `view.${kind}`,
      `Expected ${kind} settings on ${kind} views alone, found them on a ${type} view; leave them out, or set type to ${kind}.`,
    )
  }
  const count = (given ?? groupBy).length
  if (VIEW_TRAITS[type].needsGroup && count !== 1) {
    errors.add(
      'view.groupBy',
      `Expected exactly one groupBy rule on a ${type} view, found ${count === 0 ? 'none' : count}; give [{ property }] with the property whose values are its columns.`,
    )
  } else if (count > 1) {
    errors.add('view.groupBy', `Expected at most one groupBy rule, found ${count}; leave ${count - 1} out.`)
  }
}

/** Parses settings of cards; their properties become numbers. Settings that were not given are left out. */
function parseCardSettings<Cards extends { visibleFields?: string[] | undefined }>(
  columns: ViewColumns,
  { visibleFields, ...rest }: Cards,
  path: string,
  errors: InputErrors,
): Omit<Cards, 'visibleFields'> & { visibleFields?: number[] } {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as typeof rest
  if (visibleFields === undefined) return given
  return { ...given, visibleFields: parseColumnNames(columns, visibleFields, `${path}.visibleFields`, errors) }
}

/**
 * Parses the groups in kanban settings. A group that is an option of the property is stored by the number of the
 * option.
 */
function parseGroupSettings(columns: ViewColumns, { groupBy: [rule] }: View, { kanban = {} }: ViewInput) {
  const options = (rule && columns.get(rule.property)?.options) ?? []
  const groups = (names: string[]) => names.map((name) => options.find((one) => one.name === name)?.n ?? name)
  const { hiddenGroupValues, columnOrder, ...rest } = kanban
  return {
    ...rest,
    ...(hiddenGroupValues && { hiddenGroupValues: groups(hiddenGroupValues) }),
    ...(columnOrder && { columnOrder: groups(columnOrder) }),
  }
}

const withoutUndefined = <T>(list: readonly (T | undefined)[]): T[] => list.filter((one) => one !== undefined)
