/** Parses one property value of an item, by the type of the property. Source: the interface's shapes, 3. */

import { ScriptoriumError } from '../../../base/errors.ts'
import { formatNumber } from '../../../base/format-number.ts'
import { isObject } from '../../../base/is-object.ts'
import { MEMBERS_PER_VALUE, OPTIONS_PER_PROPERTY, TITLE_LENGTH } from '../../../base/limits.ts'
import { isRating, ratingMax } from '../../../base/ratings.ts'
import { readBoolean } from '../../../base/read-boolean.ts'
import { describeUnsafeAddress, isUnsafeAddress, UNSAFE_SCHEME } from '../../../markdown/addresses.ts'
import { findPlainAddresses } from '../../../markdown/text-addresses.ts'
import { type Calendar, DATE_FORMS, resolveDate, validateDate } from '../../model/dates.ts'
import { formatValue } from '../../model/format-value.ts'
import { formatDateRange } from './date-ranges.ts'
import type { Property } from './find-collection.ts'
import { optionNamed, optionsListed } from './option-names.ts'
import { unwrapValue } from './wrapped-values.ts'

/**
 * One parsed value. Relations, multi-selects and persons have several. `option` is a name, `block` an ID as the client
 * sent it, and `member` what the client named one by: see `member-references.ts`.
 */
export type PropertyValue =
  | { text: string }
  | { number: number }
  | { option: string }
  | { block: string }
  | { member: string }

/**
 * json-schema-items publishes these patterns. The server checks values with the same ones, so that it never disagrees
 * with a validator.
 */
export const VALUE_PATTERNS = {
  /** A valid day of the Gregorian calendar. */
  date: String.raw`^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$`,
  url: String.raw`^(?!${UNSAFE_SCHEME})[A-Za-z][A-Za-z0-9+.-]*:(?://)?[^\s/]\S*$`,
  email: String.raw`^[^\s@]+@[^\s@]+\.[^\s@.]+$`,
  blockLink: '^block://.+$',
} as const

const DATE_PATTERN = new RegExp(VALUE_PATTERNS.date, 'u')
const URL_PATTERN = new RegExp(VALUE_PATTERNS.url, 'u')
const EMAIL_PATTERN = new RegExp(VALUE_PATTERNS.email, 'u')
const BLOCK_LINK_PATTERN = new RegExp(VALUE_PATTERNS.blockLink, 'u')

/** Returned in place of a value that is not valid. */
export class InvalidValue {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** Parses one given value into stored values. Returns an empty array if the given value clears the property. */
export function parsePropertyValues(
  property: Property,
  given: unknown,
  calendar: Calendar,
): readonly PropertyValue[] | InvalidValue {
  const unwrapped = unwrapValue(property.type, given)
  if (unwrapped === null) return []
  if (property.type === 'date') return parseDateValue(unwrapped, calendar)
  const input = readLoosely(property.type, unwrapped)
  switch (property.type) {
    case 'number':
      return typeof input === 'number' && Number.isFinite(input) ? [{ number: input }] : invalidValue('a number', input)
    case 'rating': {
      const max = ratingMax(property)
      return isRating(input, max) ? [{ number: input }] : invalidValue(`a whole number from 1 to ${max}`, input)
    }
    case 'boolean':
      return typeof input === 'boolean' ? [{ number: input ? 1 : 0 }] : invalidValue('true or false', input)
    case 'singleSelect':
      return typeof input === 'string'
        ? parseOptionValues(property, [input])
        : invalidValue('the name of an option', input)
    case 'multiSelect':
      return isStringArray(input)
        ? parseOptionValues(property, input)
        : invalidValue('an array of names of options', input)
    case 'relation':
      return parseRelationValues(input)
    case 'blockLink':
      return parseBlockLinkValue(input)
    case 'person':
      return parsePersonValues(input)
    case 'text':
    case 'phone':
    case 'url':
    case 'email':
      return typeof input === 'string' ? parseTextValue(property.type, input) : invalidValue('text', input)
  }
}

/**
 * Accepts forms that differ from what responses contain: numbers as text, 1, 0, yes and no as booleans, and one option
 * in place of an array.
 */
function readLoosely(type: Exclude<Property['type'], 'date'>, input: unknown): unknown {
  if (type === 'boolean') return readBoolean(input)
  if (typeof input !== 'string') return input
  switch (type) {
    case 'number':
    case 'rating':
      return /^\s*-?\d+(\.\d+)?\s*$/.test(input) ? Number(input) : input
    case 'multiSelect':
      return [input]
    case 'text':
    case 'phone':
    case 'url':
    case 'email':
    case 'singleSelect':
    case 'relation':
    case 'blockLink':
    case 'person':
      return input
  }
}

/**
 * Accepts a day, a range as `{ start, end }` with an optional end, or an ISO 8601 interval: `2026-07-01/2026-07-04`.
 */
function parseDateValue(given: unknown, calendar: Calendar): readonly PropertyValue[] | InvalidValue {
  const range = splitRange(given)
  if (range === undefined) return invalidValue('a date, or a range as { "start", "end" }', given)
  if (range.start === '' && range.end === undefined) return []
  const [start, end = start] = [range.start, range.end].map((day) => day && readDay(day, calendar))
  for (const day of [start, end]) {
    if (day === undefined || !DATE_PATTERN.test(day)) return new InvalidValue(invalidDateMessage(day ?? '', calendar))
  }
  if (start === undefined || end === undefined) throw new Error('Expected both ends of a range.')
  if (end < start) {
    return new InvalidValue(`Expected a range that ends on ${start} or later, found ${end}; swap start and end.`)
  }
  return [{ text: formatDateRange({ start, end }) }]
}

/** Returns the days in a value as the client sent them, or undefined if the value has another shape. */
function splitRange(given: unknown): { start: string; end?: string | undefined } | undefined {
  if (typeof given === 'string') {
    const [start = '', end, ...more] = given.split('/')
    return more.length === 0 ? { start, end } : { start: given }
  }
  if (hasExactlyKeys(given, ['start']) && typeof given.start === 'string') return { start: given.start }
  if (!hasExactlyKeys(given, ['start', 'end']) || typeof given.start !== 'string') return undefined
  if (given.end === null) return { start: given.start }
  return typeof given.end === 'string' ? { start: given.start, end: given.end } : undefined
}

/**
 * Resolves words such as `today`, and a time with its zone, to their day. Other text is returned unchanged.
 */
function readDay(text: string, calendar: Calendar): string {
  try {
    return resolveDate(validateDate(text), calendar)
  } catch (error) {
    // The message for it is that of the value.
    if (error instanceof ScriptoriumError) return text
    throw error
  }
}

type TextType = 'text' | 'phone' | 'url' | 'email'

function parseTextValue(type: TextType, input: string): readonly PropertyValue[] | InvalidValue {
  const unsafe = findUnsafeAddress(type, input)
  if (unsafe !== undefined) return new InvalidValue(describeUnsafeAddress(unsafe))
  if (type === 'url' && !URL_PATTERN.test(input))
    return invalidValue('a URL with its scheme such as https://example.org', input)
  if (type === 'email' && !EMAIL_PATTERN.test(input))
    return invalidValue('an email address such as name@example.org', input)
  return input === '' ? [] : [{ text: input }]
}

const findUnsafeAddress = (type: TextType, input: string): string | undefined =>
  type === 'url' && isUnsafeAddress(input)
    ? input
    : findPlainAddresses(input).find(({ url }) => isUnsafeAddress(url))?.url

function invalidDateMessage(input: string, calendar: Calendar): string {
  try {
    resolveDate(validateDate(input), calendar)
  } catch (error) {
    if (error instanceof ScriptoriumError) return error.message
    throw error
  }
  return `Expected ${DATE_FORMS}, found ${formatValue(input)}.`
}

/** The options that names mean: in another letter case if only one has it, and several in one text if all exist. */
function optionNames(options: Property['options'], names: readonly string[], isMulti: boolean): readonly string[] {
  const [only = '', ...more] = names
  const listed = isMulti && more.length === 0 ? optionsListed(options, only) : undefined
  return listed ?? names.map((name) => optionNamed(options, name) ?? name)
}

/** True for a text that lists an option beside others, as in `a, new`. As a whole it would be a new option. */
const namesAnOption = (options: Property['options'], name: string): boolean =>
  name.includes(',') &&
  optionNamed(options, name) === undefined &&
  name.split(',').some((part) => optionNamed(options, part) !== undefined)

function parseOptionValues(
  { key, options, type }: Property,
  given: readonly string[],
): readonly PropertyValue[] | InvalidValue {
  const input = given.length > OPTIONS_PER_PROPERTY ? given : optionNames(options, given, type === 'multiSelect')
  const mixed = type === 'multiSelect' ? input.find((name) => namesAnOption(options, name)) : undefined
  if (mixed !== undefined) {
    return new InvalidValue(
      `Expected each option as an entry of its own, found ${formatValue(mixed)} in one; give ${JSON.stringify(mixed.split(',').map((part) => part.trim()))}.`,
    )
  }
  const distinct = new Set<string>()
  for (const name of input)
    if (distinct.add(name).size > OPTIONS_PER_PROPERTY) return new InvalidValue(tooManyOptionsMessage(key))
  const known = new Set(options.map(({ name }) => name))
  const unknown = input.find((name) => !known.has(name))
  // Trim the names of new options as schema_update does.
  const names = [...distinct].map((name) => (known.has(name) ? name : name.trim()))
  if (names.includes('')) {
    return new InvalidValue(`Expected the name of an option of ${key}, found an empty text; null clears.`)
  }
  const values = [...new Set(names)].map((option): PropertyValue => ({ option }))
  if (unknown === undefined) return values
  const long = names.find((name) => Array.from(name).length > TITLE_LENGTH && !known.has(name))
  return long === undefined
    ? new UnknownOption(unknown, values, options)
    : new InvalidValue(optionTooLongMessage(key, Array.from(long).length))
}

const tooManyOptionsMessage = (key: string): string =>
  `Expected at most ${OPTIONS_PER_PROPERTY} options of ${key}, found more; leave some out.`

const optionTooLongMessage = (key: string, length: number): string =>
  `Expected the name of an option of ${key} of at most ${formatNumber(TITLE_LENGTH)} characters, found ${formatNumber(length)}; shorten it.`

/** An option that the property does not have. This is not an error if the call adds new options. */
export class UnknownOption extends InvalidValue {
  readonly values: readonly PropertyValue[]
  constructor(unknown: string, cells: readonly PropertyValue[], options: Property['options']) {
    const known =
      options.length === 0 ? 'an option, of which there is none yet' : `one of ${formatOptionNames(options)}`
    super(`Expected ${known}, found ${formatValue(unknown)}; allowNewSelectOptions: true adds it.`)
    this.values = cells
  }
}

const NAMES_PER_MESSAGE = 30

const formatOptionNames = (options: Property['options']): string =>
  [
    ...options.slice(0, NAMES_PER_MESSAGE).map(({ name }) => name),
    ...(options.length > NAMES_PER_MESSAGE ? [`${options.length - NAMES_PER_MESSAGE} more`] : []),
  ].join(', ')

const RELATION = 'a relation as { "relations": [{ "blockId" }] }'

function parseRelationValues(input: unknown): readonly PropertyValue[] | InvalidValue {
  if (!hasExactlyKeys(input, ['relations']) || !Array.isArray(input.relations)) return invalidValue(RELATION, input)
  const ids = new Set<string>()
  for (const one of input.relations as unknown[]) {
    if (!hasExactlyKeys(one, ['blockId']) || !isNonEmptyString(one.blockId)) return invalidValue(RELATION, input)
    ids.add(one.blockId)
  }
  return [...ids].map((block) => ({ block }))
}

function parseBlockLinkValue(input: unknown): readonly PropertyValue[] | InvalidValue {
  if (typeof input === 'string' && BLOCK_LINK_PATTERN.test(input)) return [{ block: input }]
  if (hasExactlyKeys(input, ['blockId']) && isNonEmptyString(input.blockId)) return [{ block: input.blockId }]
  return invalidValue('a link as { "blockId" }', input)
}

/** Accepts a list of members, or one: as an object with `memberId`, or as a text that names one. */
function parsePersonValues(input: unknown): readonly PropertyValue[] | InvalidValue {
  const given: readonly unknown[] = Array.isArray(input) ? input : [input]
  if (given.length > MEMBERS_PER_VALUE) return invalidValue(`at most ${MEMBERS_PER_VALUE} members`, given.length)
  const references = given.map(memberReferenceIn)
  const wrong = references.indexOf(undefined)
  if (wrong >= 0) return invalidValue('members as [{ "memberId" }]', given[wrong])
  return [...new Set(references)].map((member) => ({ member: member ?? '' }))
}

/** What a value or a filter names a member by; undefined if it does not. */
export function memberReferenceIn(value: unknown): string | undefined {
  if (isNonEmptyString(value)) return value
  if (!isObject(value) || !isNonEmptyString(value.memberId)) return undefined
  const hasName = Object.hasOwn(value, 'name') && typeof value.name === 'string'
  return Object.keys(value).length === (hasName ? 2 : 1) ? value.memberId : undefined
}

const isNonEmptyString = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function hasExactlyKeys<Key extends string>(value: unknown, keys: readonly Key[]): value is Record<Key, unknown> {
  if (!isObject(value)) return false
  return keys.every((key) => Object.hasOwn(value, key)) && Object.keys(value).length === keys.length
}

const invalidValue = (expected: string, input: unknown) =>
  new InvalidValue(`Expected ${expected}, found ${formatValue(input)}.`)
