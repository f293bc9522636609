/** Turns filters into conditions on stored values. */
import type { Field, ItemCondition } from '../../../../storage/item-query.ts'
import { foldText } from '../../../base/fold-text.ts'
import { type Calendar, dateAt, resolveDate } from '../../model/dates.ts'
import { type Column, type Filter, type FilterValue, TITLE_COLUMN } from './view.ts'

/** Returns where the values of a column are stored. */
export function columnField({ n: property, type }: Column): Field {
  switch (type) {
    case TITLE_COLUMN:
      return { kind: 'title' }
    case 'number':
    case 'date':
      return { kind: type, property }
    case 'rating':
      return { kind: 'number', property }
    case 'boolean':
      return { kind: 'flag', property }
    case 'singleSelect':
    case 'multiSelect':
      return { kind: 'option', property }
    case 'relation':
    case 'blockLink':
      return { kind: 'target', property }
    case 'person':
      return { kind: 'member', property }
    case 'text':
    case 'phone':
    case 'url':
    case 'email':
      return { kind: 'text', property }
  }
}

/** Returns the field to group items by. Date ranges are grouped by their first day. */
export function groupField(column: Column): Field {
  const field = columnField(column)
  return field.kind === 'date' ? { ...field, kind: 'day' } : field
}

/**
 * Turns a filter into a condition. Opposite filters are complements: every item matches exactly one of them. An item
 * without a value does not equal any value and contains nothing.
 *
 * @param numbers  by ID, the numbers of the blocks and members within reach that filters refer to. Others are ignored.
 */
export function filterCondition(
  column: Column,
  { filterType, value }: Filter,
  numbers: ReadonlyMap<number, readonly number[]>,
  calendar: Calendar,
): ItemCondition {
  const field = columnField(column)
  const not = NEGATED.test(filterType)
  if (filterType === 'isReady' || filterType === 'isBlocked')
    return dependencyCondition(column, filterType, numbers, calendar)
  if (value === undefined) return { field, test: 'present', not: filterType === 'isEmpty' }
  if ('text' in value) {
    const { text } = value
    if (!filterType.startsWith('string_')) return { field, test: 'compares', operator: '=', value: text, not }
    if (field.kind !== 'option') return { field, test: 'contains', text: foldText(text), not }
    const options = column.options.filter(({ name }) => foldText(name).includes(foldText(text)))
    return { field, test: 'anyOf', numbers: options.map(({ n }) => n), not }
  }
  if ('flag' in value) return { field, test: 'compares', operator: '=', value: 1, not: not === value.flag }
  if ('number' in value || 'date' in value) {
    const operand = 'number' in value ? value.number : resolveFilterDate(value.date, calendar)
    return { field, test: 'compares', operator: OPERATORS[filterType] ?? '=', value: operand, not }
  }
  return { field, not, ...membershipCondition(column, filterType, value, numbers) }
}

/**
 * An item is blocked if neither it nor all that it depends on are done, and ready if it is not done and not blocked. So
 * items that are done are neither.
 */
export function dependencyCondition(
  column: Column,
  test: 'isReady' | 'isBlocked',
  numbers: ReadonlyMap<number, readonly number[]>,
  calendar: Calendar,
): ItemCondition {
  const { n: property, dependency } = column
  if (dependency === undefined) throw new Error(`Expected the dependencies of property ${property}.`)
  const done = filterCondition(dependency.column, dependency.done, numbers, calendar)
  return { field: { kind: 'target', property }, test, done }
}

const NEGATED = /_doesNotContain$|^doesNotEqual$|_isNoneOf$|_hasNoneOf$|_notEqual$/

const OPERATORS: { [type in Filter['filterType']]?: '<' | '<=' | '>' | '>=' } = {
  number_smaller: '<',
  number_smallerOrEqual: '<=',
  number_greater: '>',
  number_greaterOrEqual: '>=',
  date_isBefore: '<',
  date_isAfter: '>',
}

const resolveFilterDate = (date: string | number, calendar: Calendar): string =>
  typeof date === 'number' ? dateAt(date, calendar) : resolveDate(date, calendar)

function membershipCondition(
  { type }: Column,
  filterType: Filter['filterType'],
  value: Extract<FilterValue, { options: number[] } | { targets: number[] }>,
  reachable: ReadonlyMap<number, readonly number[]>,
): { test: 'anyOf' | 'allOf' | 'exactly'; numbers: number[] } {
  const compares = filterType === 'equals' || filterType === 'doesNotEqual'
  const isExact = compares && type !== 'blockLink'
  const found = 'options' in value ? [value.options] : value.targets.map((id) => reachable.get(id) ?? [])
  // To be one of the groups of a member is not to be exactly that member.
  const numbers = 'options' in value || !isExact ? found.flat() : found.flatMap(([first]) => first ?? [])
  if (filterType === 'relation_hasAllOf') return { test: 'allOf', numbers }
  // A block link has only one target. If that is out of reach, no item matches; `exactly` with an empty list would
  // match every item without a link.
  return { test: isExact ? 'exactly' : 'anyOf', numbers }
}
