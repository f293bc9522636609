/**
 * Parses long inputs without blocking the event loop. Zod parses a value in one go, which takes a tenth of a second for
 * 20,000 blocks. Here, the entries of long arrays are parsed one by one (recursively), and then the object with the
 * parsed arrays.
 */

import { z } from 'zod'
import { isObject } from '../../base/is-object.ts'
import { MAX_FIELD_ERRORS } from '../../base/limits.ts'
import { runCooperatively } from '../../base/scheduling.ts'
import type { Steps } from '../../base/work-steps.ts'

type Issue = z.core.$ZodIssue

/** The value, or its issues: at most one more than {@link MAX_FIELD_ERRORS}. */
export type ParseResult = { value: unknown; issues?: never } | { value?: never; issues: Issue[] }

/** Number of values, including nested ones, above which an array counts as long. */
const LONG_ARRAY = 100

/**
 * Parses a value and yields to the event loop in between.
 *
 * The value and the issues are the same as those of zod, with one exception: once an entry of a long array has failed,
 * rules for the whole array and the whole object are not checked.
 */
export const parseInChunks = (schema: z.ZodType, value: unknown): Promise<ParseResult> =>
  runCooperatively(parseSteps(schema, value))

function* parseSteps(schema: z.ZodType, input: unknown): Steps<ParseResult> {
  const outline = outlineOf(schema)
  if (outline === undefined || !isObject(input)) return parseWhole(schema, input)
  const arrays = outline.arrays.filter(({ key }) => Object.hasOwn(input, key) && Array.isArray(input[key]))
  const isLong = arrays.some(({ key, maxItems }) => {
    const array = input[key] as unknown[]
    return array.length > maxItems || hasManyValues(array)
  })
  if (!isLong) return parseWhole(schema, input)
  const parsed = { ...input }
  const issues = new Map<string, Issue[]>()
  for (const { key, element, maxItems } of arrays) {
    const array = input[key] as unknown[]
    const result = array.length > maxItems ? tooLong(array, maxItems, key) : yield* parseEntries(element, array, key)
    if (result.issues !== undefined) issues.set(key, result.issues)
    parsed[key] = result.value
  }
  if (issues.size === 0) return parseWhole(outline.shell, parsed)
  const others = outline.fields.safeParse(input, { reportInput: true }).error?.issues ?? []
  return { issues: inFieldOrder(outline.keys, issues, others).slice(0, MAX_FIELD_ERRORS + 1) }
}

function parseWhole(schema: z.ZodType, input: unknown): ParseResult {
  const { success, data, error } = schema.safeParse(input, { reportInput: true })
  return success ? { value: data } : { issues: error.issues.slice(0, MAX_FIELD_ERRORS + 1) }
}

/** Does not look at the entries of an array that is too long. */
const tooLong = (array: readonly unknown[], maxItems: number, key: string): ParseResult =>
  parseWhole(z.object({ [key]: z.array(z.unknown()).max(maxItems) }), { [key]: array })

function* parseEntries(element: z.ZodType, entries: readonly unknown[], key: string): Steps<ParseResult> {
  const value: unknown[] = []
  const issues: Issue[] = []
  for (const [index, entry] of entries.entries()) {
    const result = yield* parseSteps(element, entry)
    value.push(result.value)
    for (const issue of result.issues ?? []) issues.push({ ...issue, path: [key, index, ...issue.path] })
    if (issues.length > MAX_FIELD_ERRORS) break
    // After each entry, since one may contain as much as many others.
    yield
  }
  return issues.length === 0 ? { value } : { issues }
}

/** Sorts issues in the order in which zod reports them: field by field, then those of the object. */
function inFieldOrder(
  keys: readonly string[],
  ofArrays: ReadonlyMap<string, Issue[]>,
  others: readonly Issue[],
): Issue[] {
  const ofFields = keys.flatMap((key) => ofArrays.get(key) ?? others.filter(({ path: [first] }) => first === key))
  return [...ofFields, ...others.filter(({ path: [first] }) => !keys.includes(String(first)))]
}

/** How to parse an object whose arrays are long. */
interface Outline {
  keys: readonly string[]
  arrays: readonly { key: string; element: z.ZodType; maxItems: number }[]
  /** The same schema, except that its arrays accept parsed entries. */
  shell: z.ZodType
  /** The other fields only, without rules for the whole object. */
  fields: z.ZodType
}

const outlines = new WeakMap<z.ZodType, { outline: Outline | undefined }>()

/** Undefined if the schema is not that of an object with arrays. */
function outlineOf(schema: z.ZodType): Outline | undefined {
  const cached = outlines.get(schema) ?? { outline: createOutline(schema) }
  outlines.set(schema, cached)
  return cached.outline
}

function createOutline(schema: z.ZodType): Outline | undefined {
  if (schema instanceof z.ZodPipe) {
    const inner = outlineOf(schema.in as z.ZodType)
    return inner && { ...inner, shell: withRulesOf(schema, z.pipe(inner.shell, schema.out)) }
  }
  if (!(schema instanceof z.ZodObject)) return undefined
  const shape = schema.shape as Record<string, z.ZodType>
  const arrays = Object.entries(shape).flatMap(([key, field]) => {
    const array = field instanceof z.ZodOptional ? field.unwrap() : field
    return array instanceof z.ZodArray ? [{ key, field, array }] : []
  })
  if (arrays.length === 0) return undefined
  const ofParsed = (rules: boolean) =>
    arrays.map(({ key, field, array }) => {
      const parsed = rules ? withRulesOf(array, z.array(z.unknown())) : z.array(z.unknown())
      return [key, field instanceof z.ZodOptional ? parsed.optional() : parsed]
    })
  const fields = z.object({ ...shape, ...Object.fromEntries(ofParsed(false)) })
  const { catchall } = schema.def
  return {
    keys: Object.keys(shape),
    arrays: arrays.map(({ key, array }) => ({ key, element: array.element as z.ZodType, maxItems: maxItemsOf(array) })),
    shell: schema.safeExtend(Object.fromEntries(ofParsed(true))),
    fields: catchall === undefined ? fields : fields.catchall(catchall),
  }
}

/** Copies the rules of one schema, apart from its type, to another. */
const withRulesOf = <Schema extends z.ZodType>({ def }: z.ZodType, schema: Schema): Schema =>
  def.checks === undefined ? schema : schema.check(...(def.checks as z.core.$ZodCheck<unknown>[]))

const maxItemsOf = (array: z.ZodArray): number =>
  z.toJSONSchema(withRulesOf(array, z.array(z.unknown()))).maxItems ?? Infinity

/** Stops counting at the limit. */
function hasManyValues(array: readonly unknown[]): boolean {
  const stack: unknown[] = [array]
  let count = 0
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
    count += inner.length
    if (count > LONG_ARRAY) return true
    for (const one of inner) if (one !== undefined) stack.push(one)
  }
  return false
}
