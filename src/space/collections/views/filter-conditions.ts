/** Filters as conditions on stored values. */
import type { Field, ItemCondition } from '../../../../storage/item-query.ts'
import { type Calendar, dateAt, resolveDate } from '../../model/dates.ts'
import { foldText } from './fold-text.ts'
import { type Column, type Filter, type FilterValue, TITLE_COLUMN } from './view.ts'

/** Where the values of a column stand. */
export function columnField({ n: property, type }: Column): Field {
  switch (type) {
    case TITLE_COLUMN:
      return { kind: 'title' }
    case 'number':
    case 'date':
      return { kind: type, property }
    case 'boolean':
      return { kind: 'flag', property }
    case 'singleSelect':
    case 'multiSelect':
      return { kind: 'option', property }
    case 'relation':
    case 'blockLink':
      return { kind: 'target', property }
    case 'text':
    case 'phone':
    case 'url':
    case 'email':
      return { kind: 'text', property }
  }
}

/** What items are grouped by: the values of a column; of ranges of days the first day. */
export function groupField(column: Column): Field {
  const field = columnField(column)
  return field.kind === 'date' ? { ...field, kind: 'day' } : field
}

/**
 * What a filter asks of an item. Of two kinds that are each other's contrary one always holds: an item without a
 * value is not equal to any, and contains nothing.
 *
 * @param numbers  of the blocks within reach that filters name, by ID; the others are as if they were not named
 */
export function filterCondition(
  column: Column,
  { filterType, value }: Filter,
  numbers: ReadonlyMap<number, number>,
  calendar: Calendar,
): ItemCondition {
  const field = columnField(column)
  const not = NEGATED.test(filterType)
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
  reachable: ReadonlyMap<number, number>,
): { test: 'anyOf' | 'allOf' | 'exactly'; numbers: number[] } {
  const numbers = 'options' in value ? value.options : value.targets.flatMap((id) => reachable.get(id) ?? [])
  if (filterType === 'relation_hasAllOf') return { test: 'allOf', numbers }
  const compares = filterType === 'equals' || filterType === 'doesNotEqual'
  // A link has one block: when that is out of reach, no item has it, not every item without a link.
  return { test: compares && type !== 'blockLink' ? 'exactly' : 'anyOf', numbers }
}
