/** Items as clients write them, read against the schema of their collection. */
import { TITLE_LENGTH } from '../../limits.ts'
import { type Collection, type Property, propertyOf } from '../collections/find.ts'
import type { Faults } from '../faults.ts'
import { TITLE_KEY } from '../schema/keys.ts'
import { type Cell, readCells, shown, UnknownOption, Wrong } from './cells.ts'

/** An item to add or change, checked in its shape alone; any further key may be that of the title column. */
export interface ItemInput {
  title?: unknown
  properties?: Record<string, unknown> | undefined
  [key: string]: unknown
}

/** What an item is to say on one property. */
export interface Entry {
  property: Property
  /** None where the value is cleared. */
  cells: readonly Cell[]
  path: string
}

export interface ReadItem {
  /** In plain words; none where it is wrong, too. */
  title: string | undefined
  /** Whether nothing was said of a title. */
  isUntitled: boolean
  entries: Entry[]
}

const KNOWN: ReadonlySet<string> = new Set(['id', 'title', 'properties', 'content', 'markdown'])

/**
 * @param path  of the item in the call, such as `items[3]`
 * @param faults  receives what is wrong, each with its path
 * @param allowsNewOptions  whether an option that a select lacks is to be added
 */
export function readItem(
  collection: Collection,
  input: ItemInput,
  path: string,
  faults: Faults,
  allowsNewOptions: boolean,
): ReadItem {
  const { titleKey } = collection
  let { title } = input
  for (const key of Object.keys(input)) {
    if (KNOWN.has(key)) continue
    if (faults.areMany) break
    if (key === titleKey) title ??= input[key]
    else faults.add(`${path}.${key}`, unknownField(collection, key))
  }
  const entries: Entry[] = []
  for (const [key, given] of Object.entries(input.properties ?? {})) {
    if (faults.areMany) break
    const at = `${path}.properties.${key}`
    const property = collection.properties.find((one) => one.key === key)
    if (property !== undefined) {
      const cells = readCells(property, given)
      if (!(cells instanceof Wrong)) entries.push({ property, cells, path: at })
      else if (cells instanceof UnknownOption && allowsNewOptions)
        entries.push({ property, cells: cells.cells, path: at })
      else faults.add(at, cells.message)
    } else if (key === titleKey || key === TITLE_KEY) title ??= given
    else faults.add(at, unknownProperty(collection, key))
  }
  return { title: checkTitle(title, `${path}.title`, faults), isUntitled: title === undefined, entries }
}

function checkTitle(title: unknown, path: string, faults: Faults): string | undefined {
  if (title === undefined) return undefined
  if (typeof title !== 'string' || title === '') {
    faults.add(path, `Expected a title of at least one character, found ${shown(title)}.`)
    return undefined
  }
  // Characters as JSON Schema counts them.
  if (title.length <= TITLE_LENGTH || Array.from(title).length <= TITLE_LENGTH) return title
  const message = `Expected at most ${TITLE_LENGTH.toLocaleString('en-US')} characters, found ${Array.from(title).length.toLocaleString('en-US')}; put long texts into content.`
  faults.add(path, message)
  return undefined
}

const unknownField = (collection: Collection, key: string): string =>
  propertyOf(collection, key) === undefined
    ? `Expected title, properties, content or markdown, found the unknown key ${shown(key)}; leave it out.`
    : `Expected title, properties, content or markdown, found ${shown(key)}; it is a property, put it into properties.`

function unknownProperty(collection: Collection, key: string): string {
  const named = propertyOf(collection, key)
  if (named !== undefined) {
    return `Expected the key of a property, found the name ${shown(key)}; its key is ${named.key}.`
  }
  const keys = collection.properties.map((property) => property.key)
  const known = keys.length === 0 ? 'no property, since the collection has none' : `one of ${keys.join(', ')}`
  return `Expected ${known}, found the unknown key ${shown(key)}; schema_get tells the keys.`
}
