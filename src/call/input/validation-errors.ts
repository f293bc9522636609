/** Converts zod's issues to our errors: what was expected, what was found, and what to do next. */

import type { z } from 'zod'
import { type FieldError, invalidFields, type ScriptoriumError } from '../../base/errors.ts'
import { formatCount, formatNumber } from '../../base/format-number.ts'
import { MAX_FIELD_ERRORS } from '../../base/limits.ts'
import { nearestName } from '../../base/nearest-name.ts'
import type { JsonSchema } from './arguments.ts'
import { describeJsonFault } from './given-json.ts'

type Issue = z.core.$ZodIssue

/** The input that another kind of connection has for the same tool. */
export interface OtherInput {
  kind: string
  schema: JsonSchema
}

/**
 * One error for all issues of an input: the sentence of the first, and a list with the path of each.
 *
 * @param others  the inputs of other kinds of connections, whose keys are no mistakes in writing
 */
export function invalidInput(
  issues: readonly Issue[],
  schema: JsonSchema,
  others: readonly OtherInput[] = [],
): ScriptoriumError {
  const errors: FieldError[] = []
  // zod compares the length of a text with the bounds of the list that it should be.
  const ofOtherType = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? formatPath(path) : [])))
  for (const issue of issues) {
    if ((issue.code === 'too_big' || issue.code === 'too_small') && ofOtherType.has(formatPath(issue.path))) continue
    errors.push(...fieldErrorsOf(issue, schema, others))
    // Formatting each takes a while. Stop once it is clear that there are more than the limit.
    if (errors.length > MAX_FIELD_ERRORS) break
  }
  return invalidFields(errors)
}

function fieldErrorsOf(issue: Issue, schema: JsonSchema, others: readonly OtherInput[]): FieldError[] {
  const path = formatPath(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, issue.path)
    return issue.keys.slice(0, MAX_FIELD_ERRORS + 1).map((key) => {
      const kinds = others.filter((other) => knownKeys(other.schema, issue.path).includes(key)).map(({ kind }) => kind)
      return { path, message: kinds.length > 0 ? otherKindMessage(key, known, kinds) : unknownKeyMessage(key, known) }
    })
  }
  if (issue.code === 'invalid_union' && issue.message === ZOD_DEFAULT_MESSAGE) return unionErrors(issue, schema, others)
  return [{ path, message: issueMessage(issue) }]
}

/** zod's message for a union without a message of its own. */
const ZOD_DEFAULT_MESSAGE = 'Invalid input'

/**
 * Reports the issues of the alternative that matches the kind of the given value; if none does, what each alternative
 * expects.
 */
function unionErrors(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  schema: JsonSchema,
  others: readonly OtherInput[],
): FieldError[] {
  const isOtherKind = ({ code, path }: Issue) =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
  const intended = issue.errors.find((errors) => !errors.some(isOtherKind))
  if (intended !== undefined) {
    return intended.flatMap((inner) =>
      fieldErrorsOf({ ...inner, path: [...issue.path, ...inner.path] }, schema, others),
    )
  }
  const alternatives = issue.errors.flatMap(([first]) => {
    if (first?.code === 'invalid_value') return formatChoices(first.values.map(String))
    return first?.code === 'invalid_type' ? withArticle(first.expected) : []
  })
  const expected = alternatives.length > 0 ? alternatives.join(', or ') : 'another value'
  return [{ path: formatPath(issue.path), message: `Expected ${expected}, found ${describeValue(issue.input)}.` }]
}

function issueMessage(issue: Issue): string {
  // A schema with a message of its own.
  if (issue.message.startsWith('Expected ')) return issue.message
  const found = describeValue(issue.input)
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'never') return issue.message
      if (issue.input === undefined) return `Expected ${withArticle(issue.expected)}, found none; give it.`
      return fromJsonFault(issue.expected, issue.input) ?? `Expected ${withArticle(issue.expected)}, found ${found}.`
    case 'invalid_value':
      return `Expected ${formatChoices(issue.values.map(String))}, found ${issue.input === undefined ? 'none' : found}.`
    case 'too_small':
      return `Expected at least ${formatAmount(issue.minimum, issue.origin)}, found ${formatSize(issue.input, found)}.`
    case 'too_big':
      return `Expected at most ${formatAmount(issue.maximum, issue.origin)}, found ${formatSize(issue.input, found)}.`
    default:
      return issue.message
  }
}

/** Where the text is no JSON that was to spell a list or an object. */
function fromJsonFault(expected: string, input: unknown): string | undefined {
  if (typeof input !== 'string' || !JSON_KINDS.has(expected)) return undefined
  const fault = describeJsonFault(input)
  return fault === undefined ? undefined : `Expected ${withArticle(expected)} in JSON: ${fault}; correct it there.`
}

const JSON_KINDS: ReadonlySet<string> = new Set(['array', 'object', 'record'])

const UNITS: ReadonlyMap<string, string> = new Map([
  ['string', 'character'],
  ['array', 'entry'],
])

function formatAmount(count: number | bigint, origin: string): string {
  const unit = UNITS.get(origin)
  return unit === undefined ? String(count) : formatCount(count, unit)
}

function formatSize(input: unknown, found: string): string {
  return typeof input === 'string' || Array.isArray(input) ? formatNumber(input.length) : found
}

const withArticle = (type: string): string => {
  const word = WORDS_OF_TYPES.get(type) ?? type
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`
}

/** What zod's types are called in JSON. */
const WORDS_OF_TYPES: ReadonlyMap<string, string> = new Map(Object.entries({ int: 'whole number', record: 'object' }))

const formatChoices = (values: readonly string[]): string =>
  values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`

const MAX_SHOWN = 60

function describeValue(value: unknown): string {
  if (value === undefined) return 'none'
  if (typeof value === 'object' && value !== null) return truncate(summarize(value))
  // Do not serialize more of a long text than is shown: it may have a million characters.
  return truncate(typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_SHOWN + 1)) : String(value))
}

/** A text as messages show it: its first {@link MAX_SHOWN} characters. */
export const truncate = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

/** The beginning of an object or array as JSON: of what is long no more is written than is shown. */
function summarize(value: object): string {
  const entries = Array.isArray(value) ? value.slice(0, MAX_SHOWN) : Object.entries(value).slice(0, MAX_SHOWN)
  let text = ''
  for (const entry of entries) {
    if (text.length > MAX_SHOWN) break
    const [key, inner] = Array.isArray(value) ? [undefined, entry] : (entry as [string, unknown])
    const shown =
      typeof inner === 'object' && inner !== null
        ? Array.isArray(inner)
          ? '[…]'
          : '{…}'
        : JSON.stringify(typeof inner === 'string' ? inner.slice(0, MAX_SHOWN) : (inner ?? null))
    text += `${text === '' ? '' : ', '}${key === undefined ? '' : `${key}: `}${shown}`
  }
  return Array.isArray(value) ? `[${text}]` : text === '' ? '{}' : `{ ${text} }`
}

/** Known words that a message names. */
const MAX_CHOICES = 10

export function unknownKeyMessage(key: string, known: readonly string[]): string {
  const shown = describeValue(key)
  if (known.length === 0) return `Expected no parameters, found ${shown}; leave it out.`
  const near = nearestName(key, known)
  return near === undefined
    ? `Expected ${formatKeys(known)}, found the unknown key ${shown}; use one of these instead.`
    : `Expected a known key, found ${shown}; did you mean ${near}?`
}

/** A key that is right for other kinds of connections: no other key was meant. */
function otherKindMessage(key: string, known: readonly string[], kinds: readonly string[]): string {
  return `Expected ${formatKeys(known)}, found ${describeValue(key)}, which only ${kinds.join(' and ')} connections have; leave it out.`
}

/** The first keys, which are the most important ones, and how many more there are. */
function formatKeys(known: readonly string[]): string {
  const more = known.length - MAX_CHOICES
  // A list that ends with "and 1 more" would be as long as the whole one.
  return more > 1 ? `one of ${known.slice(0, MAX_CHOICES).join(', ')} and ${more} more` : formatChoices(known)
}

/** The keys of an object, the important ones first: those that are required, then those that are listed. */
function knownKeys(schema: JsonSchema, path: readonly PropertyKey[]): string[] {
  let current: JsonSchema | undefined = schema
  for (const step of path) {
    current = followSchema(current, schema)
    current = typeof step === 'number' ? current?.items : current?.properties?.[String(step)]
  }
  const { properties = {}, required = [] } = followSchema(current, schema) ?? {}
  const rank = (key: string) => (required.includes(key) ? 0 : properties[key]?.hidden === true ? 2 : 1)
  return Object.keys(properties).sort((one, other) => rank(one) - rank(other))
}

function followSchema(schema: JsonSchema | undefined, root: JsonSchema): JsonSchema | undefined {
  if (schema?.$ref !== undefined) return schema.$ref === '#' ? root : root.$defs?.[schema.$ref.replace('#/$defs/', '')]
  return schema?.anyOf?.find((one) => one.properties !== undefined) ?? schema
}

/** `blocks[2].color` */
function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}
