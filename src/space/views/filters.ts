/** Filters: which go with which property, and the value each takes. */
import { invalid } from '../../errors.ts'
import { FILTER_TEXT, FILTER_VALUES, OPTIONS_PER_PROPERTY } from '../../limits.ts'
import { checkDate } from '../dates.ts'
import { described } from './columns.ts'
import { type Column, FILTER_TYPES, type Filter, type FilterInput, type FilterType, type FilterValue } from './view.ts'

/**
 * A filter as it is stored.
 *
 * @param column  of the property that it names
 * @throws VALIDATION_ERROR for a kind that the property's type does not take, and for a value that the kind does not
 */
export function readFilter(column: Column, { filterType, filterValue }: FilterInput): Filter {
  const kinds = filterTypesOf(column)
  if (!kinds.includes(filterType)) {
    throw invalid(`Expected a filter for ${described(column)}, found ${filterType}; it takes ${kinds.join(', ')}.`)
  }
  const filter: Filter = { property: column.n, filterType }
  if (filterType === 'isEmpty' || filterType === 'isNotEmpty') {
    if (filterValue === undefined) return filter
    throw invalid(`Expected no filterValue with ${filterType}, found ${shown(filterValue)}; leave it out.`)
  }
  filter.value = readValue(column, filterType, filterValue)
  return filter
}

/** The kinds of filter that a column takes, in the order of {@link FILTER_TYPES}. */
export function filterTypesOf({ type }: Column): FilterType[] {
  const prefixes = PREFIXES[type]
  return FILTER_TYPES.filter((kind) => {
    const [prefix = '', rest] = kind.split('_')
    return rest === undefined || prefixes.includes(prefix)
  })
}

const PREFIXES: Record<Column['type'], readonly string[]> = {
  title: ['string'],
  text: ['string'],
  url: ['string'],
  email: ['string'],
  phone: ['string'],
  number: ['number'],
  date: ['date'],
  boolean: [],
  singleSelect: ['select', 'string'],
  multiSelect: ['select', 'string'],
  relation: ['relation'],
  blockLink: [],
}

function readValue(column: Column, filterType: FilterType, value: unknown): FilterValue {
  const wrong = (expected: string) =>
    invalid(`Expected ${expected} as filterValue of ${filterType} on ${described(column)}, found ${shown(value)}.`)
  const [prefix] = filterType.split('_')
  switch (prefix === 'string' ? 'text' : column.type) {
    case 'number': {
      const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
      if (typeof number !== 'number' || !Number.isFinite(number)) throw wrong('a number')
      return { number }
    }
    case 'boolean': {
      const flag = value === 'true' ? true : value === 'false' ? false : value
      if (typeof flag !== 'boolean') throw wrong('true or false')
      return { flag }
    }
    case 'date':
      if (typeof value === 'number' && Math.abs(value) <= LAST_MOMENT) return { date: value }
      if (typeof value !== 'string') throw wrong('a date, or milliseconds since 1970')
      return { date: checkDate(value) }
    case 'singleSelect':
    case 'multiSelect':
      return { options: readOptions(column, filterType, value, wrong) }
    case 'relation':
    case 'blockLink':
      return { targets: readTargets(column, value, wrong) }
    default:
      if (typeof value !== 'string') throw wrong('text')
      if (value.length > FILTER_TEXT) throw wrong(`at most ${FILTER_TEXT.toLocaleString('en-US')} characters`)
      return { text: value }
  }
}

/** Milliseconds from 1970 to the last moment that there is a date for. */
const LAST_MOMENT = 8.64e15

type Wrong = (expected: string) => Error

function readOptions(column: Column, filterType: FilterType, value: unknown, wrong: Wrong): number[] {
  const asks = filterType.startsWith('select_')
  const names = Array.isArray(value) ? value : [value]
  const single = !asks && column.type === 'singleSelect'
  if (asks && names.length === 0) throw wrong('the name of at least one option')
  if (single && names.length !== 1) throw wrong('the name of one option')
  if (names.length > OPTIONS_PER_PROPERTY) throw wrong(`at most ${OPTIONS_PER_PROPERTY} names`)
  const options = names.map((name) => {
    if (typeof name !== 'string') throw wrong(single ? 'the name of one option' : 'the names of options')
    const option = column.options.find((one) => one.name === name)
    if (option !== undefined) return option.n
    const known = column.options.map((one) => one.name).join(', ')
    throw invalid(
      `Expected an option of ${described(column)}, found ${shown(name)}; its options are ${known === '' ? 'none yet' : known}.`,
    )
  })
  return [...new Set(options)]
}

/** `{ relations: [{ blockId }] }`; of a blockLink `{ blockId }` or `block://ID`, or no relations where it is hidden. */
function readTargets(column: Column, value: unknown, wrong: Wrong): string[] {
  const form = column.type === 'relation' ? '{ relations: [{ blockId }] }' : '{ blockId }'
  const list = isObject(value) && Array.isArray(value.relations) ? value.relations : [value]
  if (column.type === 'blockLink' && list.length > 1) throw wrong(form)
  if (list.length > FILTER_VALUES) throw wrong(`at most ${FILTER_VALUES} relations`)
  const ids = list.map((one: unknown) => {
    const id = isObject(one) ? one.blockId : one
    if (typeof id !== 'string' || id === '' || (one === value && typeof one === 'string' && !LINK.test(one))) {
      throw wrong(form)
    }
    return id.replace(LINK, '').toLowerCase()
  })
  return [...new Set(ids)]
}

const LINK = /^block:\/\//

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LONGEST = 60

function shown(value: unknown): string {
  if (value === undefined) return 'none'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
