/** Defines which filters are allowed for which type of property, and parses their values. */

import { invalid } from '../../../base/errors.ts'
import { formatNumber } from '../../../base/format-number.ts'
import { isObject } from '../../../base/is-object.ts'
import { FILTER_TEXT_LENGTH, FILTER_VALUES, OPTIONS_PER_PROPERTY } from '../../../base/limits.ts'
import { readBoolean } from '../../../base/read-boolean.ts'
import { findReferencedMembers, unknownMember } from '../../members/member-references.ts'
import { validateDate } from '../../model/dates.ts'
import { GivenId } from '../../model/ids.ts'
import { ME } from '../../model/reachable-targets.ts'
import type { Space } from '../../model/space.ts'
import { optionNamed, optionsListed } from '../schema/option-names.ts'
import { memberReferenceIn } from '../schema/property-values.ts'
import { filterTypeNamed } from './filter-names.ts'
import {
  type Column,
  FILTER_TYPES,
  type Filter,
  type FilterInput,
  type FilterType,
  type FilterValue,
  TITLE_COLUMN,
} from './view.ts'
import { describeColumn, type ViewColumns } from './view-columns.ts'

/**
 * Parses a filter into its stored form.
 *
 * @param column  the column that the filter names
 * @param ids  see {@link readFilterIds}
 * @throws VALIDATION_ERROR if the type of the property does not allow this kind of filter, or the kind does not allow
 *   the value
 */
export function parseFilter(column: Column, { filterType: word, filterValue }: FilterInput, ids: FilterIds): Filter {
  const filterType = filterTypeNamed(column, word, allowedFilterTypes(column))
  const filter: Filter = { property: column.n, filterType }
  if (WITHOUT_VALUE.has(filterType)) {
    if (filterValue === undefined) return filter
    throw invalid(`Expected no filterValue with ${filterType}, found ${formatFilterValue(filterValue)}; leave it out.`)
  }
  filter.value = parseFilterValue(column, filterType, filterValue, ids)
  return filter
}

/** The kinds that only test what there is. */
const WITHOUT_VALUE: ReadonlySet<FilterType> = new Set(['isEmpty', 'isNotEmpty', 'isReady', 'isBlocked'])

/** Returns the kinds of filter that a column allows, in the order of {@link FILTER_TYPES}. */
export function allowedFilterTypes({ type, dependency }: Column): FilterType[] {
  const prefixes = FILTER_PREFIXES[type]
  return FILTER_TYPES.filter((kind) => {
    if (kind === 'isReady' || kind === 'isBlocked') return dependency !== undefined
    const [prefix = '', rest] = kind.split('_')
    return rest === undefined || prefixes.includes(prefix)
  })
}

const FILTER_PREFIXES: Record<Column['type'], readonly string[]> = {
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
  person: ['select'],
  rating: ['number'],
}

function parseFilterValue(column: Column, filterType: FilterType, value: unknown, idsByText: FilterIds): FilterValue {
  const wrong = (expected: string) =>
    invalid(
      `Expected ${expected} as filterValue of ${filterType} on ${describeColumn(column)}, found ${formatFilterValue(value)}.`,
    )
  const [prefix] = filterType.split('_')
  switch (prefix === 'string' ? 'text' : column.type) {
    case 'number':
    case 'rating':
      return { number: parseFilterNumber(value, wrong) }
    case 'boolean': {
      const flag = readBoolean(value)
      if (typeof flag !== 'boolean') throw wrong('true or false')
      return { flag }
    }
    case 'date':
      return { date: parseFilterDate(value, wrong) }
    case 'singleSelect':
    case 'multiSelect':
      return { options: parseFilterOptions(column, filterType, value, wrong) }
    case 'relation':
    case 'blockLink':
      return { targets: parseFilterTargets(column, value, wrong, idsByText) }
    case 'person':
      return { targets: parseFilterMembers(value, wrong, idsByText) }
    case TITLE_COLUMN:
    case 'text':
    case 'phone':
    case 'url':
    case 'email':
      return { text: parseFilterText(value, wrong) }
  }
}

type CreateError = (expected: string) => Error

function parseFilterNumber(value: unknown, wrong: CreateError): number {
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) throw wrong('a number')
  return number
}

/** The last moment that a JavaScript Date can represent, in milliseconds since 1970. */
const MAX_TIMESTAMP = 8.64e15

function parseFilterDate(value: unknown, wrong: CreateError): string | number {
  if (typeof value === 'number' && Math.abs(value) <= MAX_TIMESTAMP) return value
  if (typeof value !== 'string') throw wrong('a date, or milliseconds since 1970')
  return validateDate(value)
}

function parseFilterText(value: unknown, wrong: CreateError): string {
  if (typeof value !== 'string') throw wrong('text')
  if (value.length > FILTER_TEXT_LENGTH) throw wrong(`at most ${formatNumber(FILTER_TEXT_LENGTH)} characters`)
  return value
}

function parseFilterOptions(column: Column, filterType: FilterType, value: unknown, wrong: CreateError): number[] {
  const isSelectFilter = filterType.startsWith('select_')
  const listed = typeof value === 'string' && isSelectFilter ? optionsListed(column.options, value) : undefined
  const names = listed ?? (Array.isArray(value) ? value : [value])
  const single = !isSelectFilter && column.type === 'singleSelect'
  if (isSelectFilter && names.length === 0) throw wrong('the name of at least one option')
  if (single && names.length !== 1) throw wrong('the name of one option')
  if (names.length > OPTIONS_PER_PROPERTY) throw wrong(`at most ${OPTIONS_PER_PROPERTY} names`)
  const options = names.map((name) => {
    if (typeof name !== 'string') throw wrong(single ? 'the name of one option' : 'the names of options')
    const named = optionNamed(column.options, name)
    const option = column.options.find((one) => one.name === named)
    if (option !== undefined) return option.n
    const known = column.options.map((one) => one.name).join(', ')
    throw invalid(
      `Expected an option of ${describeColumn(column)}, found ${formatFilterValue(name)}; its options are ${known === '' ? 'none yet' : known}.`,
    )
  })
  return [...new Set(options)]
}

/**
 * Accepts `{ relations: [{ blockId }] }`. A blockLink also accepts `{ blockId }` or `block://ID`, and may have no
 * relations: that is how a filter looks whose block is out of reach.
 */
function parseFilterTargets(column: Column, value: unknown, wrong: CreateError, idsByText: FilterIds): number[] {
  const form = column.type === 'relation' ? '{ relations: [{ blockId }] }' : '{ blockId }'
  const list = relationsIn(value)
  if (column.type === 'blockLink' && list.length > 1) throw wrong(form)
  if (list.length > FILTER_VALUES) throw wrong(`at most ${FILTER_VALUES} relations`)
  const ids = list.map((one: unknown) => {
    const id = isObject(one) ? one.blockId : one
    if (
      typeof id !== 'string' ||
      id === '' ||
      (one === value && typeof one === 'string' && !BLOCK_LINK_PREFIX.test(one))
    ) {
      throw wrong(form)
    }
    return idsByText.get(id)?.number ?? 0
  })
  return [...new Set(ids)]
}

function parseFilterMembers(value: unknown, wrong: CreateError, idsByText: FilterIds): number[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (given.length === 0) throw wrong('at least one member')
  if (given.length > FILTER_VALUES) throw wrong(`at most ${FILTER_VALUES} members`)
  const ids = given.map((one) => {
    const reference = memberReferenceIn(one)
    if (reference === undefined) throw wrong('members by ID, @handle, name or me')
    const id = idsByText.get(memberKey(reference))?.number
    if (id === undefined) throw invalid(unknownMember(reference))
    return id
  })
  return [...new Set(ids)]
}

/** Members have their own keys among the IDs, since they are named otherwise than blocks. */
const MEMBER = 'member '
const memberKey = (reference: string): string => MEMBER + reference

async function addMemberIds(
  space: Space,
  columns: ViewColumns,
  filters: readonly FilterInput[],
  ids: Map<string, GivenId>,
): Promise<void> {
  const persons = new Set(columns.all.flatMap((column) => (column.type === 'person' ? [column.key, column.name] : [])))
  if (persons.size === 0) return
  const references = filters
    .filter(({ property }) => persons.has(property))
    .flatMap(({ filterValue }) => (Array.isArray(filterValue) ? filterValue : [filterValue]).slice(0, FILTER_VALUES))
    .flatMap((one: unknown) => memberReferenceIn(one) ?? [])
  for (const [reference, { id }] of await findReferencedMembers(space, references)) {
    const given = new GivenId(reference)
    given.number = id
    ids.set(memberKey(reference), given)
  }
  const me = new GivenId('me')
  me.number = ME
  ids.set(memberKey('me'), me)
}

const relationsIn = (value: unknown): readonly unknown[] =>
  isObject(value) && Array.isArray(value.relations) ? value.relations : [value]

/** IDs that filters refer to, by the text in which the client sent them. */
export type FilterIds = ReadonlyMap<string, GivenId>

/** Resolves the IDs of blocks that filters refer to, whose existence is checked later, and the members whom they name. */
export async function readFilterIds(
  space: Space,
  columns: ViewColumns,
  filters: readonly FilterInput[] = [],
): Promise<FilterIds> {
  const ids = new Map<string, GivenId>()
  for (const { filterValue } of filters) {
    for (const one of relationsIn(filterValue).slice(0, FILTER_VALUES)) {
      const text = isObject(one) ? one.blockId : one
      if (typeof text === 'string') ids.set(text, new GivenId(text))
    }
  }
  await space.resolveIds([...ids.values()])
  await addMemberIds(space, columns, filters, ids)
  return ids
}

/** @throws NOT_FOUND_ERROR that names the first target without a block within reach, as the client sent it */
export async function assertTargetsReachable(space: Space, ids: FilterIds, targets: readonly number[]): Promise<void> {
  const named = new Set(targets)
  const blocks = [...ids].filter(([text, { number }]) => named.has(number) && !text.startsWith(MEMBER))
  await space.getBlocks(blocks.map(([, id]) => id))
}

const BLOCK_LINK_PREFIX = /^block:\/\//

const MAX_SHOWN_LENGTH = 60

function formatFilterValue(value: unknown): string {
  if (value === undefined) return 'none'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}
