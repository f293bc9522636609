/** View filters in everyday language: questions for each type of column, and their names in the tools. */

import type { Choice } from '../form-page.ts'
import type { PropertyType, ViewEntry } from '../page-tools.ts'
import { type TextKey, textKey } from '../texts/text.ts'

export const QUESTIONS: readonly Choice[] = [
  { value: 'is', label: textKey('is') },
  { value: 'isNot', label: textKey('is not') },
  { value: 'contains', label: textKey('contains') },
  { value: 'lacks', label: textKey('does not contain') },
  { value: 'less', label: textKey('is less than, or before') },
  { value: 'more', label: textKey('is more than, or after') },
  { value: 'atMost', label: textKey('is at most') },
  { value: 'atLeast', label: textKey('is at least') },
  { value: 'isEmpty', label: textKey('is empty') },
  { value: 'isNotEmpty', label: textKey('is not empty') },
]

/** The same questions as they are asked of days and of numbers. */
const LABELS: Readonly<Partial<Record<PropertyType, Readonly<Partial<Record<string, TextKey>>>>>> = {
  date: { less: textKey('is before'), more: textKey('is after') },
  number: { less: textKey('is less than'), more: textKey('is more than') },
  rating: { less: textKey('is less than'), more: textKey('is more than') },
}

/** Such as `is before`, of a column of days. */
export const questionLabel = (question: string, type: PropertyType | 'title'): string =>
  `${(type === 'title' ? undefined : LABELS[type]?.[question]) ?? QUESTIONS.find(({ value }) => value === question)?.label ?? question}`

type Comparisons = Readonly<Partial<Record<string, FilterEntry['filterType']>>>

const TEXT: Comparisons = {
  is: 'equals',
  isNot: 'doesNotEqual',
  contains: 'string_contains',
  lacks: 'string_doesNotContain',
}
const SELECT: Comparisons = {
  is: 'select_isAnyOf',
  isNot: 'select_isNoneOf',
  contains: 'string_contains',
  lacks: 'string_doesNotContain',
}
const NUMBER: Comparisons = {
  ...{ is: 'number_equal', isNot: 'number_notEqual', less: 'number_smaller', more: 'number_greater' },
  ...{ atMost: 'number_smallerOrEqual', atLeast: 'number_greaterOrEqual' },
}
const DATE: Comparisons = { is: 'equals', isNot: 'doesNotEqual', less: 'date_isBefore', more: 'date_isAfter' }
const OTHER: Comparisons = { is: 'equals', isNot: 'doesNotEqual' }
const EMPTY: Comparisons = { isEmpty: 'isEmpty', isNotEmpty: 'isNotEmpty' }

/** The title has no type of its own. */
const COMPARISONS: Readonly<Record<PropertyType | 'title', Comparisons>> = {
  ...{ title: TEXT, text: TEXT, url: TEXT, email: TEXT, phone: TEXT },
  ...{ number: NUMBER, rating: NUMBER, date: DATE, singleSelect: SELECT, multiSelect: SELECT },
  ...{ boolean: OTHER, relation: OTHER, blockLink: OTHER },
  person: { is: 'select_isAnyOf', isNot: 'select_isNoneOf' },
}

/** The questions that can be asked of a column. */
export const questionsOf = (type: ColumnType): Choice[] =>
  [...filterTypes(type).keys()].map((value) => ({ value, label: questionLabel(value, type) }))

/** Of a column, or the title column. */
type ColumnType = PropertyType | 'title'

/** Filter types by question. */
const filterTypes = (type: ColumnType): ReadonlyMap<string, FilterEntry['filterType']> =>
  new Map(
    Object.entries({ ...COMPARISONS[type], ...EMPTY }).flatMap(([key, one]) => (one === undefined ? [] : [[key, one]])),
  )

export type FilterEntry = Pick<ViewEntry['filters'][number], 'property' | 'filterType' | 'filterValue'>

/** A filter as shown in a form; undefined for one that only a tool can create. */
export function filterQuestion(filter: FilterEntry, type: ColumnType): { question: string; value: string } | undefined {
  const question = [...filterTypes(type)].find(([, own]) => own === filter.filterType)?.[0]
  const { filterValue } = filter
  const value = Array.isArray(filterValue) ? filterValue.join(', ') : (filterValue ?? '')
  if (question === undefined || typeof value === 'object') return undefined
  return { question, value: String(value) }
}

/**
 * Builds the filter for a form's input.
 *
 * @returns undefined if the question does not apply to the column
 */
export function filterOf(
  property: { key: string; type: ColumnType },
  question: string,
  text: string,
): FilterEntry | undefined {
  const filterType = filterTypes(property.type).get(question)
  if (filterType === undefined) return undefined
  if (Object.hasOwn(EMPTY, question)) return { property: property.key, filterType }
  const filterValue = filterType.startsWith('select_') ? text.split(/\s*,\s*/) : booleanOr(property.type, text)
  return { property: property.key, filterType, filterValue }
}

const booleanOr = (type: ColumnType, text: string): unknown =>
  type === 'boolean' ? /^(?:yes|true|1)$/i.test(text) : text
