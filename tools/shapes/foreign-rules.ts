/**
 * Filters and orders of items as other services write them: `{ property, select: { equals } }`, `{ and: [] }`, `"-amount"`.
 * What cannot be kept whole stays as it is, and is refused.
 */
import { isObject } from '../../src/base/is-object.ts'
import type { InputAlias } from '../../src/endpoint.ts'

type Fields = Record<string, unknown>

/** Types under which other services put the comparison of a filter. */
const TYPES: ReadonlySet<string> = new Set(
  'title rich_text text number select multi_select status date checkbox url email phone_number relation people'.split(
    ' ',
  ),
)

/** An alias that reads the filters of `filters`. */
export const foreignFilters = (path = ''): InputAlias => ({
  from: `${path}filters`,
  to: `${path}filters`,
  when: (value) => readFilters(value) !== value,
  value: readFilters,
})

function readFilters(given: unknown): unknown {
  const list = isObject(given) && isList(given.and) && Object.keys(given).length === 1 ? given.and : given
  if (!isList(list)) return isObject(list) ? changed(list, readFilter(list)) : list
  const read = list.map((one) => readFilter(one))
  return list === given && read.every((one, index) => one === list[index]) ? given : read
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value)
const changed = (before: unknown, after: unknown): unknown => (after === before ? before : [after])

/** `{ property, number: { greater_than: 1 } }`, or `{ stage: "Open" }`, as a filter; anything else as it is. */
function readFilter(given: unknown): unknown {
  if (!isObject(given)) return given
  const entries = Object.entries(given)
  const [[key, value] = ['', undefined], ...more] = entries.filter(([key]) => key !== 'property' && key !== 'type')
  if (more.length > 0) return given
  if (typeof given.property === 'string') {
    const [[operator, operand] = ['', undefined], ...others] = isObject(value) ? Object.entries(value) : []
    if (!TYPES.has(key) || others.length > 0 || operator === '') return given
    if (/^is_(?:not_)?empty$/.test(operator) && typeof operand === 'boolean') {
      return { property: given.property, filterType: (operator === 'is_empty') === operand ? 'isEmpty' : 'isNotEmpty' }
    }
    return { property: given.property, filterType: operator, filterValue: operand }
  }
  const isValue = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return entries.length === 1 && isValue && !OWN_KEYS.has(key)
    ? { property: key, filterType: 'equals', filterValue: value }
    : given
}

/** Keys of a filter, whose value alone is no filter. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  ...['property', 'filterType', 'filterValue', 'type', 'operator', 'op', 'condition', 'value', 'key', 'field'],
  ...['propertyKey', 'propertyName', 'column', 'or', 'and', 'not'],
])

/** An alias that reads `"-amount"`, `"amount desc"`, or a list of these. @param name  `sortBy` or `groupBy` */
export const ruleTexts = (name: string): InputAlias => ({
  from: name,
  to: name,
  when: (value) => typeof value === 'string' || (isList(value) && value.some((one) => typeof one === 'string')),
  value: (value) => (isList(value) ? value : [value]).map((one) => (typeof one === 'string' ? readRule(one) : one)),
})

function readRule(text: string): Fields {
  const [, sign = '', name = '', direction = ''] = /^\s*([-+]?)(.*?)(?:\s+(asc|desc)(?:ending)?)?\s*$/i.exec(text) ?? []
  if (sign === '' && direction === '') return { property: name }
  return { property: name, ascending: direction === '' ? sign === '+' : direction.toLowerCase() === 'asc' }
}
