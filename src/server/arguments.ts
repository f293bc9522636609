/**
 * Reads a call's arguments leniently where hosts and models differ, and strictly where a mistake could hide.
 *
 * An object or array that arrives as a JSON string is read as what it holds, a lone string where a list is wanted
 * as a list of one, `"5"` as 5; `null` means absent, except where the endpoint gives it a meaning.
 */
import { inTurns, type Parts } from '../breathe.ts'
import { invalid } from '../errors.ts'
import { CALL_BYTES, NESTING_PER_CALL } from '../limits.ts'
import { parseJson } from './rest-json.ts'
import { tooDeep, tooLarge } from './too-much.ts'

/** The part of JSON Schema that zod writes for our inputs. */
export interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
  [keyword: string]: unknown
}

/** Objects and arrays inside each other: blocks take two of them a level, and their own fields a few more. */
const JSON_DEPTH = 2 * NESTING_PER_CALL + 10

/**
 * Others get their turn meanwhile, however many arguments there are.
 *
 * @param schema  of the input, as zod writes it
 * @throws VALIDATION_ERROR for text that is no Unicode or holds NUL, for keys such as `__proto__`, and for nesting
 *   beyond {@link NESTING_PER_CALL}; PAYLOAD_TOO_LARGE beyond {@link CALL_BYTES}
 */
export const readArguments = (given: unknown, schema: JsonSchema): Promise<unknown> => inTurns(reading(given, schema))

/** Values that are read in one go. */
const PART = 64

let values = 0

/** Asked at every value: whether so many were read that it is time to look at the clock, which takes as long. */
function isPart(): boolean {
  values += 1
  return values % PART === 0
}

function* reading(given: unknown, schema: JsonSchema): Parts<unknown> {
  const read = yield* coerce(given ?? {}, schema, schema, 0)
  yield* inspect(read, schema)
  return read
}

function* coerce(value: unknown, schema: JsonSchema, root: JsonSchema, depth: number): Parts<unknown> {
  if (depth > JSON_DEPTH) throw tooDeep()
  const resolved = resolve(schema, root)
  const { type, properties, items } = resolved
  switch (type) {
    case 'array': {
      const list = typeof value === 'string' ? yield* listOf(value, resolve(items ?? {}, root)) : value
      if (!Array.isArray(list) || items === undefined) return list
      const result: unknown[] = []
      for (const item of list) {
        result.push(yield* coerce(item, items, root, depth + 1))
        if (isPart()) yield
      }
      return result
    }
    case 'object': {
      const object = typeof value === 'string' ? yield* parsed(value, '{') : value
      if (properties === undefined || typeof object !== 'object' || object === null || Array.isArray(object))
        return object
      return yield* coerceProperties(object, properties, root, depth + 1)
    }
    default:
      return coerceScalar(value, resolved)
  }
}

function coerceScalar(value: unknown, { type }: JsonSchema): unknown {
  switch (type) {
    case 'number':
    case 'integer':
      return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    default:
      return value
  }
}

function* coerceProperties(
  object: object,
  properties: Record<string, JsonSchema>,
  root: JsonSchema,
  depth: number,
): Parts<object> {
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(object)) {
    const value = (object as Record<string, unknown>)[key]
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (value === null && !(schema && allowsNull(schema))) continue
    if (schema !== undefined) {
      const resolved = resolve(schema, root)
      const isScalar = resolved.type !== 'array' && resolved.type !== 'object'
      result[key] = isScalar ? coerceScalar(value, resolved) : yield* coerce(value, schema, root, depth)
    } else if (key !== '__proto__') result[key] = value
    // A key as any other: what is wrong with it is said by whoever sees where it stands.
    else Object.defineProperty(result, key, { value, enumerable: true })
    if (isPart()) yield
  }
  return result
}

const resolved = new WeakMap<JsonSchema, JsonSchema>()

/** The schema that counts for reading: references followed, the `null` beside a single alternative left out. */
function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const found = resolved.get(schema) ?? follow(schema, root)
  resolved.set(schema, found)
  return found
}

function follow(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let found = schema
  for (;;) {
    if (found.$ref !== undefined) {
      found = found.$ref === '#' ? root : (root.$defs?.[found.$ref.replace('#/$defs/', '')] ?? {})
      continue
    }
    if (Array.isArray(found.type)) return { ...found, type: found.type.find((one) => one !== 'null') ?? 'null' }
    const alternatives = found.anyOf?.filter((one) => one.type !== 'null')
    if (alternatives?.length !== 1 || alternatives[0] === undefined) return found
    found = alternatives[0]
  }
}

const allowsNull = ({ type, anyOf }: JsonSchema): boolean =>
  (Array.isArray(type) && type.includes('null')) || (anyOf?.some((one) => one.type === 'null') ?? false)

function* listOf(text: string, items: JsonSchema): Parts<unknown> {
  const list = yield* parsed(text, '[')
  return typeof list === 'string' && items.type === 'string' ? [list] : list
}

function* parsed(text: string, opening: '{' | '['): Parts<unknown> {
  if (!text.trimStart().startsWith(opening)) return text
  const read = yield* parseJson(text)
  return 'value' in read ? read.value : text
}

/** A value, and how it was come by: where it stands is told of few, and to write it down for all took the longest. */
interface Inner {
  value: unknown
  key: string | number
  around?: Inner
  depth: number
  nesting: number
}

/** `blocks[2].color`; empty for all that was given. */
function placeOf({ key, around }: Inner): string {
  if (around === undefined) return ''
  const before = placeOf(around)
  if (typeof key === 'number') return `${before}[${key}]`
  return before === '' ? key : `${before}.${key}`
}

/** An object or array whose entries are looked at one after another: there may be a million. */
interface Holder {
  holder: Inner
  /** Of an object. */
  keys?: readonly string[]
  next: number
}

/** One walk over all that was given, without recursion. Bytes in base64 have a limit of their own. */
function* inspect(given: unknown, { properties = {} }: JsonSchema): Parts<void> {
  let bytes = 0
  const waiting: Holder[] = []
  let inner: Inner | undefined = { value: given, key: '', depth: 0, nesting: 1 }
  while (inner !== undefined) {
    const { value, depth, nesting, key }: Inner = inner
    if (depth > JSON_DEPTH || nesting > NESTING_PER_CALL) throw tooDeep()
    if (typeof value === 'string') {
      yield* checkText(value, inner)
      const isEncoded = depth === 1 && properties[key]?.contentEncoding === 'base64'
      if (!isEncoded) bytes += Buffer.byteLength(value)
    }
    bytes += 4
    if (bytes > CALL_BYTES) throw tooLarge()
    if (Array.isArray(value)) waiting.push({ holder: inner, next: 0 })
    else if (typeof value === 'object' && value !== null) {
      waiting.push({ holder: inner, keys: Object.keys(value), next: 0 })
    }
    if (isPart()) yield
    inner = nextOf(waiting)
  }
}

function nextOf(waiting: Holder[]): Inner | undefined {
  for (let within = waiting.at(-1); within !== undefined; within = waiting.at(-1)) {
    const { holder, keys, next } = within
    const value = holder.value as Record<string | number, unknown>
    if (next < (keys ?? (value as unknown as unknown[])).length) {
      within.next += 1
      const key = keys?.[next] ?? next
      const nesting = key === 'content' ? holder.nesting + 1 : holder.nesting
      const inner: Inner = { value: value[key], key, around: holder, depth: holder.depth + 1, nesting }
      if (!isNoName(key, holder)) return inner
      throw invalid(`Expected the name of a field at ${placeOf(inner)}, found ${key}; leave it out.`)
    }
    waiting.pop()
  }
  return undefined
}

/**
 * Keys that no field has, wherever they stand: `__proto__`, and `toString` in a `length`, or in a list there. zod's rules
 * for lengths compare the `length` of whatever it is, and nothing can be compared with an object whose `toString` is no
 * function, nor with a list of such.
 */
const isNoName = (key: string | number, holder: Inner): boolean =>
  key === '__proto__' || (key === 'toString' && nameOf(holder) === 'length')

/** The key of a value, or of the list that it is in. */
function nameOf(inner: Inner): string | number {
  let named = inner
  while (typeof named.key === 'number' && named.around !== undefined) named = named.around
  return named.key
}

function* checkText(text: string, inner: Inner): Parts<void> {
  if (text.includes('\0')) {
    throw invalid(`Expected text at ${placeOf(inner)}, found the character NUL at ${text.indexOf('\0')}; leave it out.`)
  }
  if (text.isWellFormed()) return
  const at = yield* loneSurrogateIn(text)
  throw invalid(
    `Expected Unicode text at ${placeOf(inner)}, found half of a surrogate pair at character ${at}; write the whole character.`,
  )
}

/** Whole characters before the first half of one. */
function* loneSurrogateIn(text: string): Parts<number> {
  let count = 0
  for (let at = 0; at < text.length; count++) {
    const code = text.codePointAt(at) ?? 0
    if (code >= 0xd800 && code <= 0xdfff) break
    at += code > 0xffff ? 2 : 1
    if (count % TEXT_PART === 0) yield
  }
  return count
}

/** Characters of a text that are looked at in one go. */
const TEXT_PART = 16_384
