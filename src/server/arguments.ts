/**
 * Reads a call's arguments leniently where hosts and models differ, and strictly where a mistake could hide.
 *
 * An object or array that arrives as a JSON string is read as what it holds, a lone string where a list is wanted
 * as a list of one, `"5"` as 5; `null` means absent, except where the endpoint gives it a meaning.
 */
import { invalid, ScriptoriumError } from '../errors.ts'
import { CALL_BYTES, NESTING_PER_CALL } from '../limits.ts'

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
 * @param schema  of the input, as zod writes it
 * @throws VALIDATION_ERROR for text that is no Unicode or holds NUL, for `__proto__` as a key, and for nesting
 *   beyond {@link NESTING_PER_CALL}; PAYLOAD_TOO_LARGE beyond {@link CALL_BYTES}
 */
export function readArguments(given: unknown, schema: JsonSchema): unknown {
  const read = coerce(given ?? {}, schema, schema, 0)
  inspect(read, schema)
  return read
}

function coerce(value: unknown, schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  if (depth > JSON_DEPTH) throw tooDeep()
  const { type, properties, items } = resolve(schema, root)
  switch (type) {
    case 'array': {
      const list = typeof value === 'string' ? listOf(value, resolve(items ?? {}, root)) : value
      if (!Array.isArray(list) || items === undefined) return list
      return list.map((item) => coerce(item, items, root, depth + 1))
    }
    case 'object': {
      const object = typeof value === 'string' ? parsed(value, '{') : value
      if (properties === undefined || typeof object !== 'object' || object === null || Array.isArray(object))
        return object
      return coerceProperties(object, properties, root, depth + 1)
    }
    case 'number':
    case 'integer':
      return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    default:
      return value
  }
}

function coerceProperties(
  object: object,
  properties: Record<string, JsonSchema>,
  root: JsonSchema,
  depth: number,
): object {
  // Without a prototype, so that no key of the caller's can mean anything but itself.
  const result: Record<string, unknown> = Object.create(null)
  for (const [key, value] of Object.entries(object)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (value === null && !(schema && allowsNull(schema))) continue
    result[key] = schema === undefined ? value : coerce(value, schema, root, depth)
  }
  return result
}

/** The schema that counts for reading: references followed, the `null` beside a single alternative left out. */
function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
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

function listOf(text: string, items: JsonSchema): unknown {
  const list = parsed(text, '[')
  return typeof list === 'string' && items.type === 'string' ? [list] : list
}

function parsed(text: string, opening: '{' | '['): unknown {
  if (!text.trimStart().startsWith(opening)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A value, and how it was come by: where it stands is told of few, and to write it down for all took the longest. */
interface Inner {
  value: unknown
  key: string
  around?: Inner
  depth: number
  nesting: number
}

/** `blocks[2].color`; empty for all that was given. */
function placeOf({ key, around }: Inner): string {
  if (around === undefined) return ''
  const before = placeOf(around)
  if (Array.isArray(around.value)) return `${before}[${key}]`
  return before === '' ? key : `${before}.${key}`
}

/** One walk over all that was given, without recursion. Bytes in base64 have a limit of their own. */
function inspect(given: unknown, { properties = {} }: JsonSchema): void {
  let bytes = 0
  const waiting: Inner[] = [{ value: given, key: '', depth: 0, nesting: 1 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth, nesting } = next
    if (depth > JSON_DEPTH || nesting > NESTING_PER_CALL) throw tooDeep()
    if (typeof value === 'string') {
      checkText(value, next)
      const isEncoded = depth === 1 && properties[next.key]?.contentEncoding === 'base64'
      if (!isEncoded) bytes += Buffer.byteLength(value)
    }
    bytes += 4
    if (bytes > CALL_BYTES) throw tooLarge()
    if (typeof value !== 'object' || value === null) continue
    for (const key of Object.keys(value)) {
      const inner = { value: (value as Record<string, unknown>)[key], key, around: next, depth: depth + 1 }
      const found = { ...inner, nesting: key === 'content' ? nesting + 1 : nesting }
      if (key === '__proto__') {
        throw invalid(`Expected the name of a field at ${placeOf(found)}, found __proto__; leave it out.`)
      }
      waiting.push(found)
    }
  }
}

function checkText(text: string, inner: Inner): void {
  if (text.includes('\0')) {
    throw invalid(`Expected text at ${placeOf(inner)}, found the character NUL at ${text.indexOf('\0')}; leave it out.`)
  }
  if (!text.isWellFormed()) {
    const at = Array.from(text).findIndex((character) => !character.isWellFormed())
    throw invalid(
      `Expected Unicode text at ${placeOf(inner)}, found half of a surrogate pair at character ${at}; write the whole character.`,
    )
  }
}

const tooDeep = () =>
  invalid(
    `Expected blocks nested at most ${NESTING_PER_CALL} levels deep in one call, found more; add the inner ones to their page by a further call.`,
  )

const tooLarge = () =>
  new ScriptoriumError(
    'PAYLOAD_TOO_LARGE',
    `Expected a call of less than ${CALL_BYTES / 1024 / 1024} MiB, found more; split it into several calls.`,
  )
