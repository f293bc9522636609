/** Parses items from clients by the schema of their collection. */
import { formatNumber } from '../../base/format-number.ts'
import { isObject } from '../../base/is-object.ts'
import { TITLE_LENGTH } from '../../base/limits.ts'
import { type Collection, findColumn, findProperty, type Property } from '../collections/schema/find-collection.ts'
import {
  InvalidValue,
  type PropertyValue,
  parsePropertyValues,
  UnknownOption,
} from '../collections/schema/property-values.ts'
import type { Expected } from '../model/conditions.ts'
import type { Calendar } from '../model/dates.ts'
import { formatValue } from '../model/format-value.ts'
import type { InputErrors } from '../model/input-errors.ts'

/** An item to add or change. Only its shape has been checked; any other key may be that of the title column. */
export interface ItemInput {
  title?: unknown
  properties?: Record<string, unknown> | undefined
  /** Of a change: what is believed to be there before it. */
  expected?: Expected | undefined
  /** Of a change to a claimed item: its fence, and whether to free it. */
  fence?: number | string | undefined
  release?: boolean | string | undefined
  [key: string]: unknown
}

/** The new values of an item for one property. */
export interface ItemEntry {
  property: Property
  /** Empty if the value is cleared. */
  values: readonly PropertyValue[]
  path: string
}

export interface ParsedItem {
  /** Plain text. Also undefined if the title is invalid. */
  title: string | undefined
  /** True if the input has no title. */
  isUntitled: boolean
  entries: ItemEntry[]
}

/** Keys of changes to claimed items. With a text, they may be the title instead, if its column has this key. */
const FENCED_KEYS = ['fence', 'release']
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...['id', 'title', 'properties', 'content', 'markdown', 'contentPreviewMd', 'expected', 'heldBy'],
  ...FENCED_KEYS,
])

/** Rules for parsing the values of items. */
export interface ItemRules {
  /** True to add options that a select does not have. */
  allowsNewOptions: boolean
  /** Resolves words such as `today`. */
  calendar: Calendar
  /** The path of the values in the item, for errors. Default: `.properties`. */
  valuesPath?: string
}

/**
 * @param path  path of the item in the call, such as `items[3]`
 * @param errors  receives every error with its path
 * @param currentTitle  the current title of an item that is changed
 */
export function parseItem(
  collection: Collection,
  input: ItemInput,
  path: string,
  errors: InputErrors,
  { allowsNewOptions, calendar, valuesPath = '.properties' }: ItemRules,
  currentTitle?: string,
): ParsedItem {
  const titles = [input.title]
  for (const key of Object.keys(input)) {
    if (KNOWN_KEYS.has(key) && !isTitleBesideFence(collection, input, key)) continue
    if (key === 'blockedBy' && isBlockersAnswer(input[key])) continue
    if (errors.hasTooMany) break
    if (findColumn(collection, key) === 'title') titles.push(input[key])
    else errors.add(`${path}.${key}`, unknownFieldMessage(collection, key))
  }
  const entries: ItemEntry[] = []
  for (const [key, value] of Object.entries(input.properties ?? {})) {
    if (errors.hasTooMany) break
    const propertyPath = `${path}${valuesPath}.${key}`
    const property = findColumn(collection, key)
    if (property === 'title') titles.push(value)
    else if (property !== undefined) {
      const twice = entries.find((one) => one.property === property)
      if (twice !== undefined) {
        errors.add(
          propertyPath,
          `Expected one value of ${property.key}, found another at ${twice.path}; give one of them.`,
        )
        continue
      }
      const values = parsePropertyValues(property, value, calendar)
      if (!(values instanceof InvalidValue)) entries.push({ property, values, path: propertyPath })
      else if (values instanceof UnknownOption && allowsNewOptions)
        entries.push({ property, values: values.values, path: propertyPath })
      else errors.add(propertyPath, values.message)
    } else errors.add(propertyPath, unknownPropertyMessage(collection, key))
  }
  const title = chooseTitle(titles, currentTitle, `${path}.title`, errors)
  return { title: validateItemTitle(title, `${path}.title`, errors), isUntitled: title === undefined, entries }
}

/** True for what items_list says of a blocked item, which is written by the relation that it follows from. */
const isBlockersAnswer = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => isObject(one) && Object.keys(one).sort().join() === 'id,title')

/** True if a key that belongs to claims holds the title, as in a collection whose title column is named Release. */
function isTitleBesideFence({ titleKey }: Collection, input: ItemInput, key: string): boolean {
  return key === titleKey && FENCED_KEYS.includes(key) && typeof input[key] === 'string'
}

/** Reads the fence of an item, and whether to free it. @param path  of the item in the call */
export function parseFence(
  collection: Collection,
  input: ItemInput,
  path: string,
  errors: InputErrors,
): { fence?: number; release: boolean } {
  const given = (key: 'fence' | 'release') => (isTitleBesideFence(collection, input, key) ? undefined : input[key])
  const fence = given('fence')
  const release = given('release')
  const number = typeof fence === 'string' && /^[1-9]\d{0,15}$/.test(fence) ? Number(fence) : fence
  if (typeof number === 'string')
    errors.add(
      `${path}.fence`,
      `Expected the fence of a claim, found ${formatValue(fence)}; send the number that items_claim answered.`,
    )
  if (typeof release === 'string' && release !== 'true' && release !== 'false')
    errors.add(`${path}.release`, `Expected true or false, found ${formatValue(release)}.`)
  return { ...(typeof number === 'number' && { fence: number }), release: release === true || release === 'true' }
}

/**
 * An input can contain the title under several keys. If an item was read with several, the one that was changed wins.
 */
function chooseTitle(
  titles: readonly unknown[],
  currentTitle: string | undefined,
  path: string,
  errors: InputErrors,
): unknown {
  const given = [...new Set(titles.filter((title) => title !== undefined))]
  const changed = given.filter((title) => title !== currentTitle)
  const [first, second] = changed
  if (second !== undefined) {
    errors.add(path, `Expected one title, found ${formatValue(first)} and ${formatValue(second)}; give one of them.`)
  }
  return changed.length > 0 ? first : given[0]
}

function validateItemTitle(title: unknown, path: string, errors: InputErrors): string | undefined {
  if (title === undefined) return undefined
  if (typeof title !== 'string' || title === '') {
    errors.add(path, `Expected a title of at least one character, found ${formatValue(title)}.`)
    return undefined
  }
  if (/[\r\n]/.test(title.trim())) {
    errors.add(
      path,
      'Expected a title on one line, found several; give its first line alone, and the rest as markdown.',
    )
    return undefined
  }
  // Count characters as JSON Schema does: by code point.
  if (title.length <= TITLE_LENGTH || Array.from(title).length <= TITLE_LENGTH) return title
  const message = `Expected at most ${formatNumber(TITLE_LENGTH)} characters, found ${formatNumber(Array.from(title).length)}; put long texts into content.`
  errors.add(path, message)
  return undefined
}

const unknownFieldMessage = (collection: Collection, key: string): string =>
  findProperty(collection, key) === undefined
    ? `Expected title, properties, content or markdown, found the unknown key ${formatValue(key)}; leave it out.`
    : `Expected title, properties, content or markdown, found ${formatValue(key)}; it is a property, put it into properties.`

function unknownPropertyMessage(collection: Collection, key: string): string {
  const property = findProperty(collection, key)
  if (property !== undefined) {
    return `Expected the key of a property, found the name ${formatValue(key)}; its key is ${property.key}.`
  }
  if (/^(?:name|title)$/i.test(key) || key === collection.titleName) {
    return `Expected the title of an item beside its properties, found ${formatValue(key)} in them; give it as title.`
  }
  const keys = collection.properties.map((property) => property.key)
  const known = keys.length === 0 ? 'no property, since the collection has none' : `one of ${keys.join(', ')}`
  return `Expected ${known}, found the unknown key ${formatValue(key)}; schema_get tells the keys.`
}
