/** Converts the query of a request to the fields of the endpoint's input. */
import { invalid, invalidFields, type ScriptoriumError } from '../base/errors.ts'
import { emptyIsAbsent, emptyTextIsAbsent, type JsonSchema } from '../call/input/arguments.ts'
import { readJson } from '../call/input/read-json.ts'
import type { Effect } from '../endpoint.ts'
import type { IdSpelling } from '../space/model/ids.ts'

/**
 * Lists are read from repeated keys (`ids=a&ids=b`, also `ids[]=a`), from JSON, and if the schema says `commas` from
 * one comma-separated value. Objects are read from JSON. Everything else remains text, which is later parsed according
 * to the schema. Unknown keys remain too, and are refused later with their names.
 *
 * @param search  the query of the address, with or without `?`
 * @param schema  of the endpoint's input
 * @param effect  of the endpoint
 * @returns an object without a prototype
 * @throws VALIDATION_ERROR for invalid percent-encoding, repeated keys of single values, empty values of required
 *   parameters, and invalid JSON
 */
export function readQuery(search: string, schema: JsonSchema, effect: Effect): Record<string, unknown> {
  const properties = schema.properties ?? {}
  const valuesByKey = new Map<string, string[]>()
  const keysAlone = new Set<string>()
  for (const part of search.replace(/^\?/, '').split('&')) {
    if (part === '') continue
    const [rawKey, rawValue] = splitAt(part, '=')
    const key = fieldNameOf(decodeQueryPart(rawKey), properties)
    const values = valuesByKey.get(key) ?? []
    values.push(decodeQueryPart(rawValue))
    if (!part.includes('=')) keysAlone.add(key)
    valuesByKey.set(key, values)
  }
  const fields: Record<string, unknown> = Object.create(null)
  for (const [key, values] of valuesByKey) {
    const field = Object.hasOwn(properties, key) ? properties[key] : undefined
    const isRequired = schema.required?.includes(key) ?? false
    // A key without `=` could be meant as true.
    const isAbsent = emptyIsAbsent(effect) && isEmpty(values) && !keysAlone.has(key)
    if (field !== undefined && !isRequired && isAbsent && emptyTextIsAbsent(field, schema)) continue
    fields[key] = readValue(key, values, listSchemaOf(field))
  }
  return fields
}

/**
 * Removes `ids=short` from a query, which selects the short spelling of IDs as in MCP. A parameter `ids` with any other
 * value belongs to the endpoint.
 */
export function extractIdSpelling(search: string): { search: string; idSpelling: IdSpelling } {
  const parts = search.replace(/^\?/, '').split('&')
  const rest = parts.filter((part) => part !== 'ids=short' && part !== 'ids=long')
  return { search: rest.join('&'), idSpelling: parts.includes('ids=short') ? 'short' : 'long' }
}

/** Decodes percent-encoding as in forms, where `+` is a space. */
const decodeQueryPart = (text: string): string => decodeUrlPart(text.replaceAll('+', ' '), 'the query')

/** @throws VALIDATION_ERROR for a lone `%` and for invalid UTF-8 */
export function decodeUrlPart(text: string, where: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
    throw invalid(`Expected percent-encoded UTF-8 in ${where}, found ${shown}; write % itself as %25.`)
  }
}

const MAX_SHOWN = 60

function splitAt(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)]
}

/** The list schema of a field that accepts one value or a list. */
const listSchemaOf = (schema: JsonSchema | undefined): JsonSchema | undefined =>
  schema?.anyOf?.find(({ type }) => type === 'array') ?? schema

const isEmpty = (values: readonly string[]): boolean => values.every((value) => value === '')

/** Some clients write `ids[]` for a repeated key, or `documentIDs` in the style of their language. */
function fieldNameOf(key: string, properties: Record<string, JsonSchema>): string {
  const name = key.endsWith('[]') ? key.slice(0, -2) : key
  const isList = (one: string) => listSchemaOf(properties[one])?.type === 'array'
  const wanted = name.toLowerCase()
  const field = Object.hasOwn(properties, name)
    ? name
    : Object.keys(properties).find((one) => one.toLowerCase() === wanted)
  return field !== undefined && (name === key || isList(field)) ? field : key
}

function readValue(key: string, values: readonly string[], schema: JsonSchema | undefined): unknown {
  const [first = ''] = values
  if (schema === undefined) return first
  const isList = schema.type === 'array'
  if (values.length > 1) {
    if (isList) return values.flatMap((value) => splitList(value, schema))
    throw fieldError(key, `Expected ${key} once, found it ${values.length} times; give one of them.`)
  }
  if (first === '' && isList && allowsEmpty(schema.items ?? {})) return []
  if (first === '' && !allowsEmpty(schema)) {
    throw fieldError(key, 'Expected a value, found none; give it one.')
  }
  if (isList) return readList(key, first, schema)
  return schema.type === 'object' ? readJson(first, `the parameter ${key}`) : first
}

// A pattern such as [a-z] looks like JSON too, so a list of strings is read from JSON only if it is one.
function readList(key: string, value: string, schema: JsonSchema): unknown[] {
  if (!value.trimStart().startsWith('[')) return splitList(value, schema)
  const isOfText = schema.items?.type === 'string'
  if (!isOfText) return readJson(value, `the parameter ${key}`) as unknown[]
  const list = tryParseJson(value)
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : splitList(value, schema)
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const splitList = (value: string, { commas }: JsonSchema): string[] =>
  commas === true
    ? value
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
    : [value]

const allowsEmpty = ({ type, minLength, enum: choices }: JsonSchema): boolean =>
  type === 'string' && minLength === undefined && choices === undefined

const fieldError = (path: string, message: string): ScriptoriumError => invalidFields([{ path, message }])
