/**
 * Converts views of a collection to views of Obsidian Bases. Settings that Bases do not support are left out: see
 * docs/import-export.md. Source: https://help.obsidian.md/bases/syntax
 */

import type { PropertyType } from '../../../storage/schema.ts'
import { isObject } from '../../base/is-object.ts'
import { propertyKey } from '../../import/markdown/base-collection.ts'
import {
  type Calculation,
  type FilterType,
  type RuleInput,
  TITLE_COLUMN,
  type TypedFilter,
  type ViewType,
} from '../../space/collections/views/view.ts'
import type { ImportView } from '../../space/import/imported-content.ts'

type Property = { key: string; type: PropertyType }

/** @param views  with wiki links in place of block IDs; if there are none, a single view shows everything */
export function baseViews(name: string, properties: readonly Property[], views: readonly ImportView[] = []): object[] {
  if (views.length === 0) return [{ type: 'table', name, order: columnsOf({}, properties) }]
  // Obsidian shows the first view by default, so the active one comes first.
  const inOrder = [...views].sort((one, other) => Number(other.isActive === true) - Number(one.isActive === true))
  return inOrder.map((view) => baseView(view, properties))
}

/** Returns the name of a property in a Base. */
export const baseColumn = (key: string): string => (key === TITLE_COLUMN ? 'file.name' : `note.${propertyKey(key)}`)

function baseView(view: ImportView, properties: readonly Property[]): object {
  const { name, type, filters = [], sortBy = [], groupBy: [group] = [], widths = {}, calculations = {} } = view
  const types = new Map(properties.map((property) => [property.key, property.type]))
  const statements = filters.flatMap((filter) => statementOf(filter, types.get(filter.property)) ?? [])
  const sizes = Object.entries(widths).filter(([, width]) => /^\d+(?:px)?$/.test(width))
  const summaries = Object.entries(calculations).flatMap(([key, calculation]) => {
    const summary = SUMMARIES[calculation]
    return summary === undefined ? [] : [[baseColumn(key), summary]]
  })
  return {
    type: BASE_TYPES[type],
    name,
    ...(statements.length > 0 && { filters: { and: statements } }),
    ...(group !== undefined && { groupBy: ruleOf(group) }),
    order: columnsOf(view, properties),
    ...(sortBy.length > 0 && { sort: sortBy.map(ruleOf) }),
    ...(sizes.length > 0 && {
      columnSize: Object.fromEntries(sizes.map(([key, width]) => [baseColumn(key), Number.parseInt(width, 10)])),
    }),
    ...(summaries.length > 0 && { summaries: Object.fromEntries(summaries) }),
  }
}

/** Bases have no boards. */
const BASE_TYPES: Readonly<Record<ViewType, string>> = { table: 'table', gallery: 'cards', kanban: 'table' }

const ruleOf = ({ property, ascending = true }: RuleInput) => ({
  property: baseColumn(property),
  direction: ascending ? 'ASC' : 'DESC',
})

/** Returns the visible columns: on cards the title and the chosen fields, in tables everything that is not hidden. */
function columnsOf(
  { order = [], hidden = [], gallery, kanban }: Partial<ImportView>,
  properties: readonly Property[],
): string[] {
  const shown = (gallery ?? kanban)?.visibleFields
  const all = [...new Set([...order, TITLE_COLUMN, ...properties.map(({ key }) => key)])]
  const chosen = shown === undefined ? all : [...new Set([TITLE_COLUMN, ...shown])]
  return chosen.filter((key) => !hidden.includes(key)).map(baseColumn)
}

const SUMMARIES: { [calculation in Calculation]?: string } = {
  ...{ count_empty: 'Empty', count_notEmpty: 'Filled', count_values: 'Filled', count_unique: 'Unique' },
  ...{ count_checkbox_checked: 'Checked', count_checkbox_unchecked: 'Unchecked' },
  ...{ number_sum: 'Sum', number_average: 'Average', number_median: 'Median' },
  ...{ number_min: 'Min', number_max: 'Max', number_range: 'Range' },
  ...{ date_min: 'Earliest', date_max: 'Latest', date_range_days: 'Range' },
}

const quoted = (text: string): string => JSON.stringify(text)

/** @returns undefined for a filter that Bases cannot express */
function statementOf({ property, filterType, filterValue }: TypedFilter, type?: PropertyType): string | undefined {
  const value = property === TITLE_COLUMN ? 'file.name' : `note[${quoted(propertyKey(property))}]`
  if (filterType === 'isEmpty') return `${value}.isEmpty()`
  if (filterType === 'isNotEmpty') return `!${value}.isEmpty()`
  if (filterType === 'isReady' || filterType === 'isBlocked') return undefined
  const operands = operandsOf(filterValue, type)
  const statement = filterType.startsWith('string_')
    ? containsText(value, String(filterValue), type)
    : operands && (type !== undefined && IS_LIST[type] ? compareList : compareValue)(value, filterType, operands)
  return statement === undefined || !NEGATED.test(filterType) ? statement : `!(${statement})`
}

/** Whether the value is a list in front matter. */
const IS_LIST: Readonly<Record<PropertyType, boolean>> = {
  ...{
    multiSelect: true,
    relation: true,
    person: true,
    singleSelect: false,
    blockLink: false,
    text: false,
    number: false,
  },
  ...{ boolean: false, date: false, url: false, email: false, phone: false, rating: false },
}
const NEGATED = /^doesNotEqual$|_doesNotContain$|_notEqual$|_isNoneOf$|_hasNoneOf$/

function containsText(value: string, text: string, type?: PropertyType): string {
  const found = (one: string) => `${one}.lower().contains(${quoted(text.toLowerCase())})`
  return type === 'multiSelect' ? `!${value}.filter(${found('value')}).isEmpty()` : found(value)
}

function compareList(value: string, filterType: FilterType, operands: readonly string[]): string | undefined {
  const all = operands.join(', ')
  const isExact = filterType === 'equals' || filterType === 'doesNotEqual'
  if (operands.length === 0) return isExact ? `${value}.isEmpty()` : undefined
  if (isExact) return `${value}.containsAll(${all}) && ${value}.length == ${operands.length}`
  return filterType === 'relation_hasAllOf' ? `${value}.containsAll(${all})` : `${value}.containsAny(${all})`
}

function compareValue(value: string, filterType: FilterType, operands: readonly string[]): string | undefined {
  const [operand] = operands
  if (operand === undefined) return undefined
  if (filterType.startsWith('select_')) return `[${operands.join(', ')}].contains(${value})`
  // A missing value counts as false.
  if (operand === 'false') return `!(${value} == true)`
  return `${value} ${OPERATORS[filterType] ?? '=='} ${operand}`
}

const OPERATORS: { [type in FilterType]?: string } = {
  ...{ number_smaller: '<', number_smallerOrEqual: '<=', number_greater: '>', number_greaterOrEqual: '>=' },
  ...{ date_isBefore: '<', date_isAfter: '>' },
}

const DAYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ today: 'today()', tomorrow: 'today() + "1d"', yesterday: 'today() - "1d"' },
  }),
)

/**
 * Returns the values that a filter compares with, as Base expressions. Returns undefined for a point in time, for
 * members, and for blocks that are not in the export.
 */
function operandsOf(value: unknown, type?: PropertyType): string[] | undefined {
  if (type === 'date') return typeof value === 'string' ? [DAYS.get(value) ?? `date(${quoted(value)})`] : undefined
  // Front matter has names, which may change.
  if (type === 'person') return undefined
  if (isObject(value)) {
    const links = (Array.isArray(value.relations) ? value.relations : [value]).map((one: unknown) =>
      isObject(one) && typeof one.blockId === 'string' ? /^\[\[(.*)\]\]$/.exec(one.blockId)?.[1] : undefined,
    )
    return links.every((link) => link !== undefined) ? links.map((link) => `link(${quoted(link)})`) : undefined
  }
  return (Array.isArray(value) ? value : [value]).map((one) => quoted(one))
}
