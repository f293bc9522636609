/**
 * Reads the arguments of a call: lenient where hosts and models differ, strict where a mistake could go unnoticed.
 *
 * An object or array that arrives as a JSON string is parsed (see {@link parseGivenJson}). A single value becomes a list of one if a list is
 * expected. `"5"` becomes 5, `"yes"` true and `"Done"` the choice `done`. `null` means absent, and so
 * does an empty text in calls that read or add, unless the endpoint gives it a meaning.
 */

import { invalid } from '../../base/errors.ts'
import { CALL_BYTES, NESTING_PER_CALL } from '../../base/limits.ts'
import { readBoolean } from '../../base/read-boolean.ts'
import { runCooperatively } from '../../base/scheduling.ts'
import type { Steps } from '../../base/work-steps.ts'
import type { Effect } from '../../endpoint.ts'
import { callTooLarge, nestingTooDeep } from '../limit-errors.ts'
import { parseGivenJson } from './given-json.ts'

/** The subset of JSON Schema that zod generates for our inputs. */
export interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  required?: string[]
  anyOf?: JsonSchema[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
  [keyword: string]: unknown
}

/** Maximum nesting of objects and arrays: blocks use two per level, and their fields a few more. */
const JSON_DEPTH = 2 * NESTING_PER_CALL + 10

/**
 * Yields to other calls in between, however many arguments there are.
 *
 * @param schema  of the input, as zod generates it
 * @param effect  of the call, which decides what an empty text means
 * @param otherNames  names that are accepted beside those of the schema, for keys with underscores
 * @param clearing  those of them whose `null` is kept, because it clears the field that they stand for
 * @throws VALIDATION_ERROR for text that is not valid Unicode or contains NUL, for keys such as `__proto__`, and for
 *   nesting beyond {@link NESTING_PER_CALL}; PAYLOAD_TOO_LARGE beyond {@link CALL_BYTES}
 */
export const readArguments = (
  input: unknown,
  schema: JsonSchema,
  effect: Effect,
  otherNames: ReadonlySet<string> = NO_NAMES,
  clearing: KeptNulls = { names: NO_NAMES, areThere: false },
): Promise<unknown> =>
  runCooperatively(readSteps(input, { root: schema, emptyIsAbsent: emptyIsAbsent(effect), otherNames, clearing }))

const NO_NAMES: ReadonlySet<string> = new Set()

/** Names that are not those of the schema and whose `null` is kept, and whether there was one. */
export interface KeptNulls {
  names: ReadonlySet<string>
  areThere: boolean
}

/**
 * True if an empty text for an optional field means that the field is absent. In a change or a deletion it could be
 * meant to clear, and without a field that narrows the call it would do more than was asked for.
 */
export const emptyIsAbsent = (effect: Effect): boolean => effect === 'read' || effect === 'add'

interface Reading {
  root: JsonSchema
  otherNames: ReadonlySet<string>
  clearing: KeptNulls
  emptyIsAbsent: boolean
}

/** Values to read before yielding. */
const VALUES_PER_STEP = 64

let valueCount = 0

/** True once per batch of values: checking the clock for each value would take as long as reading it. */
function isStepFull(): boolean {
  valueCount += 1
  return valueCount % VALUES_PER_STEP === 0
}

function* readSteps(input: unknown, reading: Reading): Steps<unknown> {
  const read = yield* coerce(input ?? {}, reading.root, reading, 0)
  yield* validateValues(read, reading.root)
  return read
}

function* coerce(value: unknown, schema: JsonSchema, reading: Reading, depth: number): Steps<unknown> {
  if (depth > JSON_DEPTH) throw nestingTooDeep()
  const resolved = resolveSchema(schema, reading.root)
  const { type, properties, items } = resolved
  switch (type) {
    case 'array': {
      const list = toList(
        typeof value === 'string' ? yield* parseList(value, resolveSchema(items ?? {}, reading.root)) : value,
        resolveSchema(items ?? {}, reading.root),
      )
      if (!Array.isArray(list) || items === undefined) return list
      const result: unknown[] = []
      for (const item of list) {
        result.push(yield* coerce(item, items, reading, depth + 1))
        if (isStepFull()) yield
      }
      return result
    }
    case 'object': {
      const object = typeof value === 'string' ? yield* parseGivenJson(value) : value
      if (properties === undefined || typeof object !== 'object' || object === null || Array.isArray(object))
        return object
      return yield* coerceProperties(object, resolved, reading, depth + 1)
    }
    default:
      return coerceScalar(value, resolved)
  }
}

/** Wraps a single value in a list if the schema expects a list. */
function toList(value: unknown, { type }: JsonSchema): unknown {
  const isEntry = type === 'object' ? typeof value === 'object' && value !== null : typeof value === 'number'
  return isEntry && !Array.isArray(value) ? [value] : value
}

function coerceScalar(value: unknown, { type, enum: choices }: JsonSchema): unknown {
  if (typeof value === 'string' && Array.isArray(choices)) return toChoice(value, choices)
  switch (type) {
    case 'string':
      // IDs consist of digits, so models may send them as numbers.
      return typeof value === 'number' ? String(value) : value
    case 'number':
    case 'integer':
      return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
    case 'boolean':
      return readBoolean(value)
    default:
      return value
  }
}

/** Finds the choice that equals a text when letter case is ignored. */
function toChoice(text: string, choices: readonly unknown[]): unknown {
  if (choices.includes(text)) return text
  const same = choices.filter((one) => typeof one === 'string' && one.toLowerCase() === text.toLowerCase())
  return same.length === 1 ? same[0] : text
}

function* coerceProperties(
  object: object,
  { properties = {}, required = [] }: JsonSchema,
  reading: Reading,
  depth: number,
): Steps<object> {
  const entries: [key: string, value: unknown][] = []
  for (const [given, value] of Object.entries(object)) {
    const key = nameOf(given, object, properties, reading)
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (value === null && isNullAbsent(key, schema, reading)) continue
    if (reading.emptyIsAbsent && !required.includes(key) && isEmptyAbsent(key, value, schema, reading)) continue
    if (schema !== undefined) {
      const resolved = resolveSchema(schema, reading.root)
      const isScalar = resolved.type !== 'array' && resolved.type !== 'object'
      entries.push([key, isScalar ? coerceScalar(value, resolved) : yield* coerce(value, schema, reading, depth)])
    } else entries.push([key, value])
    if (isStepFull()) yield
  }
  // Unlike an assignment, this treats `__proto__` as any other key: the schema refuses it, and knows its path.
  return Object.fromEntries(entries)
}

/** True for `null` where it cannot clear anything. Records that there is one which does. */
function isNullAbsent(key: string, schema: JsonSchema | undefined, { clearing }: Reading): boolean {
  if (schema !== undefined) return !allowsNull(schema)
  if (clearing.names.has(key)) clearing.areThere = true
  return !clearing.names.has(key)
}

/** True for an empty text or list that means as little as an absent one. */
function isEmptyAbsent(key: string, value: unknown, schema: JsonSchema | undefined, reading: Reading): boolean {
  if (value !== '') return isEmptyList(value, schema)
  if (schema === undefined) return OF_ID.test(key) && reading.otherNames.has(key)
  return emptyTextIsAbsent(schema, reading.root)
}

/** Another name of an ID or a day, whose empty text means as little as that of the field itself. */
const OF_ID = /(?:Ids?|[dD]ate)$/

/** An empty list for a field that has at least one entry. */
const isEmptyList = (value: unknown, schema: JsonSchema | undefined): boolean =>
  Array.isArray(value) && value.length === 0 && Number(schema?.minItems ?? 0) > 0

/** The name that a key with underscores or in other letter case stands for: `page_id` for `pageId`. */
function nameOf(key: string, object: object, properties: Record<string, JsonSchema>, { otherNames }: Reading): string {
  if (Object.hasOwn(properties, key) || otherNames.has(key) || !/[_A-Z -]/.test(key)) return key
  const name = key.toLowerCase().replace(/[_ -]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  const isKnown = Object.hasOwn(properties, name) || otherNames.has(name)
  return isKnown && !Object.hasOwn(object, name) ? name : key
}

const resolvedSchemas = new WeakMap<JsonSchema, JsonSchema>()

/** Resolves references, and removes `null` if only one alternative is left. */
function resolveSchema(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const schemaFound = resolvedSchemas.get(schema) ?? followReferences(schema, root)
  resolvedSchemas.set(schema, schemaFound)
  return schemaFound
}

function followReferences(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema
  for (;;) {
    if (current.$ref !== undefined) {
      current = current.$ref === '#' ? root : (root.$defs?.[current.$ref.replace('#/$defs/', '')] ?? {})
      continue
    }
    if (Array.isArray(current.type))
      return { ...current, type: current.type.find((alternative) => alternative !== 'null') ?? 'null' }
    const alternatives = current.anyOf?.filter((alternative) => alternative.type !== 'null')
    if (alternatives?.length !== 1 || alternatives[0] === undefined) return current
    current = alternatives[0]
  }
}

/** True if `null` is a value of its own: it clears. */
export const allowsNull = ({ type, anyOf }: JsonSchema): boolean =>
  (Array.isArray(type) && type.includes('null')) || (anyOf?.some((one) => one.type === 'null') ?? false)

/** The schema of a field within an input. @param path  such as `tasks[].taskInfo.deadlineDate` */
export function schemaAt(root: JsonSchema, path: string): JsonSchema | undefined {
  let current: JsonSchema | undefined = root
  for (const step of path.replaceAll(/\[0?\]/g, '.[]').split('.')) {
    const resolved: JsonSchema | undefined = current && resolveSchema(current, root)
    current = step === '[]' ? resolved?.items : resolved?.properties?.[step]
  }
  return current
}

/**
 * True if an empty text can only mean that an optional field is absent. It can mean more if it is a value of the field,
 * as for `markdown`, or if it could be meant to clear the field.
 *
 * @param schema  whose `emptyIsAbsent` says so for texts that are parsed, and where `null` clears nothing
 */
export function emptyTextIsAbsent(schema: JsonSchema, root: JsonSchema): boolean {
  if (allowsNull(schema)) return schema.emptyIsAbsent === true
  const resolved = resolveSchema(schema, root)
  if (schema.emptyIsAbsent === true || resolved.emptyIsAbsent === true) return true
  const { type, minLength, items, enum: choices } = resolved
  if (type === 'array') return items !== undefined && emptyTextIsAbsent(items, root)
  return type === 'string' ? minLength !== undefined || choices !== undefined : type !== undefined
}

function* parseList(text: string, items: JsonSchema): Steps<unknown> {
  const list = yield* parseGivenJson(text)
  if (items.type !== 'string') return list
  return Array.isArray(list) ? list : [text]
}

/** A value and the path to it, as a linked list. Paths are formatted only when they are reported, which is rare. */
interface ValueNode {
  value: unknown
  key: string | number
  parent?: ValueNode
  depth: number
  nesting: number
}

/** Formats a path such as `blocks[2].color`; empty for the whole input. */
function pathOf({ key, parent }: ValueNode): string {
  if (parent === undefined) return ''
  const parentPath = pathOf(parent)
  if (typeof key === 'number') return `${parentPath}[${key}]`
  return parentPath === '' ? key : `${parentPath}.${key}`
}

/** Iterates over the entries of an object or array, which may have a million. */
interface ContainerCursor {
  container: ValueNode
  /** For objects only. */
  keys?: readonly string[]
  next: number
}

/** Validates all values in one iterative walk. Bytes in base64 have a separate limit. */
function* validateValues(input: unknown, { properties = {} }: JsonSchema): Steps<void> {
  const encoded = new Set<string | number>(
    Object.entries(properties).flatMap(([name, { contentEncoding }]) => (contentEncoding === 'base64' ? name : [])),
  )
  let bytes = 0
  const stack: ContainerCursor[] = []
  let node: ValueNode | undefined = { value: input, key: '', depth: 0, nesting: 1 }
  while (node !== undefined) {
    const { value, depth, nesting, key }: ValueNode = node
    if (depth > JSON_DEPTH || nesting > NESTING_PER_CALL) throw nestingTooDeep()
    if (typeof value === 'string') {
      yield* checkText(value, node)
      const isEncoded = depth === 1 && encoded.has(key)
      if (!isEncoded) bytes += Buffer.byteLength(value)
    }
    bytes += 4
    if (bytes > CALL_BYTES) throw callTooLarge()
    if (Array.isArray(value)) stack.push({ container: node, next: 0 })
    else if (typeof value === 'object' && value !== null) {
      stack.push({ container: node, keys: Object.keys(value), next: 0 })
    }
    if (isStepFull()) yield
    node = nextValue(stack)
  }
}

function nextValue(stack: ContainerCursor[]): ValueNode | undefined {
  for (let cursor = stack.at(-1); cursor !== undefined; cursor = stack.at(-1)) {
    const { container, keys, next } = cursor
    const value = container.value as Record<string | number, unknown>
    if (next < (keys ?? (value as unknown as unknown[])).length) {
      cursor.next += 1
      const key = keys?.[next] ?? next
      const nesting = key === 'content' ? container.nesting + 1 : container.nesting
      const node: ValueNode = { value: value[key], key, parent: container, depth: container.depth + 1, nesting }
      if (!isForbiddenKey(key, container)) return node
      throw invalid(`Expected the name of a field at ${pathOf(node)}, found ${key}; leave it out.`)
    }
    stack.pop()
  }
  return undefined
}

/**
 * Keys that are never allowed: `__proto__` anywhere, and `toString` in a `length` or in a list there. zod's length
 * rules compare the `length` of any value, and comparing an object whose `toString` is not a function throws.
 */
const isForbiddenKey = (key: string | number, container: ValueNode): boolean =>
  key === '__proto__' || (key === 'toString' && fieldNameOf(container) === 'length')

/** The key of a value, or of the list that contains it. */
function fieldNameOf(node: ValueNode): string | number {
  let ancestor = node
  while (typeof ancestor.key === 'number' && ancestor.parent !== undefined) ancestor = ancestor.parent
  return ancestor.key
}

function* checkText(text: string, node: ValueNode): Steps<void> {
  if (text.includes('\0')) {
    throw invalid(`Expected text at ${pathOf(node)}, found the character NUL at ${text.indexOf('\0')}; leave it out.`)
  }
  if (text.isWellFormed()) return
  const at = yield* findLoneSurrogate(text)
  throw invalid(
    `Expected Unicode text at ${pathOf(node)}, found half of a surrogate pair at character ${at}; write the whole character.`,
  )
}

/** Finds the index of the first unpaired surrogate. */
function* findLoneSurrogate(text: string): Steps<number> {
  let count = 0
  for (let at = 0; at < text.length; count++) {
    const code = text.codePointAt(at) ?? 0
    if (code >= 0xd800 && code <= 0xdfff) break
    at += code > 0xffff ? 2 : 1
    if (count % CHARACTERS_PER_STEP === 0) yield
  }
  return count
}

/** Characters to check before yielding. */
const CHARACTERS_PER_STEP = 16_384
