/** What one value of an item may be, by the type of its property. Source: the interface's shapes, 3. */
import { ScriptoriumError } from '../../errors.ts'
import { OPTIONS_PER_PROPERTY, TITLE_LENGTH } from '../../limits.ts'
import { isUnsafe, UNSAFE_SCHEME, unsafeAddress } from '../../markdown/addresses.ts'
import { plainAddresses } from '../../markdown/links.ts'
import type { Property } from '../collections/find.ts'
import { checkDate } from '../dates.ts'

/** One value, read: a relation or multi-select has several. `option` is a name, `block` an ID. */
export type Cell = { text: string } | { number: number } | { option: string } | { block: string }

/**
 * The patterns that json-schema-items publishes, which hold here as well, so that a validator and the server cannot
 * disagree.
 */
export const PATTERNS = {
  /** A day that exists, by the Gregorian calendar. */
  date: String.raw`^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$`,
  url: String.raw`^(?!${UNSAFE_SCHEME})[A-Za-z][A-Za-z0-9+.-]*:(?://)?[^\s/]\S*$`,
  email: String.raw`^[^\s@]+@[^\s@]+\.[^\s@.]+$`,
  blockLink: '^block://.+$',
} as const

const DATE = new RegExp(PATTERNS.date, 'u')
const URL = new RegExp(PATTERNS.url, 'u')
const EMAIL = new RegExp(PATTERNS.email, 'u')
const BLOCK_LINK = new RegExp(PATTERNS.blockLink, 'u')

/** What is wrong with a value: said in place of it. */
export class Wrong {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** The values that one given value stands for; none of them where it clears. */
export function readCells(property: Property, given: unknown): readonly Cell[] | Wrong {
  if (given === null) return []
  switch (property.type) {
    case 'number':
      return typeof given === 'number' && Number.isFinite(given) ? [{ number: given }] : wrong('a number', given)
    case 'boolean':
      return typeof given === 'boolean' ? [{ number: given ? 1 : 0 }] : wrong('true or false', given)
    case 'singleSelect':
      return typeof given === 'string' ? optionCells(property, [given]) : wrong('the name of an option', given)
    case 'multiSelect':
      return isTexts(given) ? optionCells(property, given) : wrong('an array of names of options', given)
    case 'relation':
      return relationCells(given)
    case 'blockLink':
      return blockLinkCells(given)
    default:
      return typeof given === 'string' ? textCells(property.type, given) : wrong('text', given)
  }
}

type TextType = 'text' | 'phone' | 'date' | 'url' | 'email'

function textCells(type: TextType, given: string): readonly Cell[] | Wrong {
  if (type === 'date' && !DATE.test(given)) return new Wrong(wrongDate(given))
  const unsafe = unsafeIn(type, given)
  if (unsafe !== undefined) return new Wrong(unsafeAddress(unsafe))
  if (type === 'url' && !URL.test(given)) return wrong('a URL with its scheme such as https://example.org', given)
  if (type === 'email' && !EMAIL.test(given)) return wrong('an email address such as name@example.org', given)
  return given === '' ? [] : [{ text: given }]
}

const unsafeIn = (type: TextType, given: string): string | undefined =>
  type === 'url' && isUnsafe(given) ? given : plainAddresses(given).find(({ url }) => isUnsafe(url))?.url

function wrongDate(given: string): string {
  try {
    checkDate(given)
  } catch (error) {
    if (error instanceof ScriptoriumError) return error.message.replace(', today, tomorrow or yesterday', '')
    throw error
  }
  return `Expected a date as YYYY-MM-DD, found ${shown(given)}.`
}

function optionCells({ key, options }: Property, given: readonly string[]): readonly Cell[] | Wrong {
  const distinct = new Set<string>()
  for (const name of given) if (distinct.add(name).size > OPTIONS_PER_PROPERTY) return new Wrong(tooManyNames(key))
  const known = new Set(options.map(({ name }) => name))
  const unknown = given.find((name) => !known.has(name))
  // A new option is named as schema_update would name it.
  const names = [...distinct].map((name) => (known.has(name) ? name : name.trim()))
  if (names.includes('')) {
    return new Wrong(`Expected the name of an option of ${key}, found an empty text; null clears.`)
  }
  const cells = [...new Set(names)].map((option): Cell => ({ option }))
  if (unknown === undefined) return cells
  const long = names.find((name) => name.length > TITLE_LENGTH && !known.has(name))
  return long === undefined ? new UnknownOption(unknown, cells, options) : new Wrong(longName(key, long.length))
}

const tooManyNames = (key: string): string =>
  `Expected at most ${OPTIONS_PER_PROPERTY} options of ${key}, found more; leave some out.`

const longName = (key: string, length: number): string =>
  `Expected the name of an option of ${key} of at most ${TITLE_LENGTH.toLocaleString('en-US')} characters, found ${length.toLocaleString('en-US')}; shorten it.`

/** An option that the property lacks: no fault where the call adds such options. */
export class UnknownOption extends Wrong {
  readonly cells: readonly Cell[]
  constructor(unknown: string, cells: readonly Cell[], options: Property['options']) {
    const known = options.length === 0 ? 'an option, of which there is none yet' : `one of ${namesOf(options)}`
    super(`Expected ${known}, found ${shown(unknown)}; allowNewSelectOptions: true adds it.`)
    this.cells = cells
  }
}

const NAMED = 30

const namesOf = (options: Property['options']): string =>
  [
    ...options.slice(0, NAMED).map(({ name }) => name),
    ...(options.length > NAMED ? [`${options.length - NAMED} more`] : []),
  ].join(', ')

const RELATION = 'a relation as { "relations": [{ "blockId" }] }'

function relationCells(given: unknown): readonly Cell[] | Wrong {
  if (!isObject(given, ['relations']) || !Array.isArray(given.relations)) return wrong(RELATION, given)
  const ids = new Set<string>()
  for (const one of given.relations as unknown[]) {
    if (!isObject(one, ['blockId']) || !isId(one.blockId)) return wrong(RELATION, given)
    ids.add(one.blockId.toLowerCase())
  }
  return [...ids].map((block) => ({ block }))
}

function blockLinkCells(given: unknown): readonly Cell[] | Wrong {
  if (typeof given === 'string' && BLOCK_LINK.test(given))
    return [{ block: given.slice('block://'.length).toLowerCase() }]
  if (isObject(given, ['blockId']) && isId(given.blockId)) return [{ block: given.blockId.toLowerCase() }]
  return wrong('a link as { "blockId" }', given)
}

const isId = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function isObject<Key extends string>(value: unknown, keys: readonly Key[]): value is Record<Key, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return keys.every((key) => Object.hasOwn(value, key)) && Object.keys(value).length === keys.length
}

const wrong = (expected: string, given: unknown) => new Wrong(`Expected ${expected}, found ${shown(given)}.`)

const SHOWN = 60

/** A value that is at fault, in few characters. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
