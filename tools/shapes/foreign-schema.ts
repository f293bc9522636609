/** Schemas of collections as other services write them: types such as `multi_select`, and properties by name. */
import { isObject } from '../../src/base/is-object.ts'
import type { InputAlias } from '../../src/endpoint.ts'
import type { PROPERTY_TYPES } from '../../src/space/collections/schema/schema-input.ts'
import { plainText } from './foreign-blocks.ts'
import { sentWord } from './sent-word.ts'

type Fields = Record<string, unknown>
type PropertyType = (typeof PROPERTY_TYPES)[number]

const types = (type: PropertyType, names: string): [string, PropertyType][] =>
  names.split(' ').map((word) => [word, type])

const TYPES: ReadonlyMap<string, PropertyType> = new Map([
  ...types('text', 'richtext string longtext multilinetext singlelinetext plaintext'),
  ...types('number', 'integer int float decimal double numeric'),
  ...types('boolean', 'checkbox bool toggle yesno'),
  ...types('singleSelect', 'select singleselect status dropdown choice enum option'),
  ...types('multiSelect', 'multiselect multipleselects tags labels'),
  ...types('phone', 'phonenumber'),
  ...types('url', 'link website'),
])

/** What to do about types that there are not. */
const ADVICE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    people: 'make it a text with names, or a relation to a collection of people',
    files: 'leave it out, and put the files into the content of each item',
    formula: 'make it a number or text, and write its value; views calculate sums and counts of columns',
    rollup: 'leave it out; views calculate sums and counts of columns',
    title: 'leave it out, since each item has a title; contentPropDetails { name } names its column',
    datetime: 'make it a date, which has no time',
    created: 'leave it out, since fetchMetadata gives the times and authors of each block',
  }),
)
const UNKNOWN_KINDS: ReadonlyMap<string, string> = new Map([
  ...'people person user users assignee member createdby lasteditedby'
    .split(' ')
    .map((word) => [word, 'people'] as const),
  ...'files file attachment attachments image'.split(' ').map((word) => [word, 'files'] as const),
  ...['formula', 'rollup', 'title', 'datetime'].map((word) => [word, word] as const),
  ...['createdtime', 'lasteditedtime', 'createdat', 'updatedat'].map((word) => [word, 'created'] as const),
])

const wordOf = (value: unknown): string => sentWord(value).replace(/[\s_-]/g, '')

/** The type that a word means. */
export const readPropertyType = (given: unknown): unknown => TYPES.get(wordOf(given)) ?? given

/** What to do about a type that there is not. */
export function adviceOnType(given: unknown): string | undefined {
  const kind = UNKNOWN_KINDS.get(wordOf(given))
  return kind === undefined ? undefined : ADVICE.get(kind)
}

/** Aliases of a schema: its name as rich text, and its properties by their names. */
export const foreignSchema: readonly InputAlias[] = [
  { from: 'schema.name', to: 'schema.name', when: isRichText, value: plainText },
  {
    from: 'schema.properties',
    to: 'schema.properties',
    when: (value) => readProperties(value) !== undefined,
    value: readProperties,
  },
]

function isRichText(value: unknown): boolean {
  return Array.isArray(value) && plainText(value) !== undefined
}

/** The properties as a list; undefined if they are one already, or if something of them would be lost. */
function readProperties(given: unknown): Fields[] | undefined {
  const list = (Array.isArray(given) ? given : [given]) as Fields[]
  const read = list.map(readEntry)
  return read.every((one) => one === undefined) ? undefined : list.flatMap((one, index) => read[index] ?? [one])
}

/** A property, or several by their names. */
function readEntry(given: unknown): Fields[] | undefined {
  if (!isObject(given) || typeof given.type === 'string') return undefined
  if (given.name !== undefined) {
    const property = readProperty(given)
    return property && [property]
  }
  const named = Object.entries(given).map(([name, value]) => readProperty(value, name))
  return named.every((one) => one !== undefined) ? named : undefined
}

/** `"date"`, `{ type, options }` or `{ select: { options } }`. */
function readProperty(given: unknown, name?: string): Fields | undefined {
  const title = name === undefined ? {} : { name }
  if (typeof given === 'string') return { ...title, type: given }
  if (!isObject(given)) return undefined
  const { id: _id, ...fields } = given
  if (typeof fields.type === 'string' && !isObject(fields[fields.type])) return { ...title, ...fields }
  const [[type, payload] = ['', undefined], ...more] = Object.entries(fields).filter(
    ([key]) => key !== 'type' && key !== 'name',
  )
  if (more.length > 0 || !isObject(payload)) return undefined
  const { options, ...others } = payload
  if (Object.keys(others).length > 0) return undefined
  const own = name ?? fields.name
  return { ...(own !== undefined && { name: own }), type, ...(options !== undefined && { options }) }
}
