/** What zod finds wrong with an input, in the words of our errors: expected, found, what to do next. */
import { distance } from 'fastest-levenshtein'
import type { z } from 'zod'
import { type Fault, faultsFound, type ScriptoriumError } from '../errors.ts'
import { FAULTS_TOLD } from '../limits.ts'
import type { JsonSchema } from './arguments.ts'

type Issue = z.core.$ZodIssue

/** One error for all faults of an input that are told: the sentence of the first, and each with its path. */
export function invalidInput(issues: readonly Issue[], schema: JsonSchema): ScriptoriumError {
  const faults: Fault[] = []
  for (const issue of issues) {
    faults.push(...faultsOf(issue, schema))
    // Each takes a while to put in words: no more are than it takes to see that there are more.
    if (faults.length > FAULTS_TOLD) break
  }
  return faultsFound(faults)
}

function faultsOf(issue: Issue, schema: JsonSchema): Fault[] {
  const path = pathText(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, issue.path)
    return issue.keys.slice(0, FAULTS_TOLD + 1).map((key) => ({ path, message: unknownKey(key, known) }))
  }
  if (issue.code === 'invalid_union' && issue.message === UNWORDED) return unionFaults(issue, schema)
  return [{ path, message: messageOf(issue) }]
}

/** What zod says of a union that has no words of its own. */
const UNWORDED = 'Invalid input'

/** Of the alternatives the faults of the one that was meant, the kind of value that was given; else what each wants. */
function unionFaults(issue: Extract<Issue, { code: 'invalid_union' }>, schema: JsonSchema): Fault[] {
  const isOtherKind = ({ code, path }: Issue) =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
  const meant = issue.errors.find((faults) => !faults.some(isOtherKind))
  if (meant !== undefined) {
    return meant.flatMap((inner) => faultsOf({ ...inner, path: [...issue.path, ...inner.path] }, schema))
  }
  const wanted = issue.errors.flatMap(([first]) => {
    if (first?.code === 'invalid_value') return oneOf(first.values.map(String))
    return first?.code === 'invalid_type' ? article(first.expected) : []
  })
  const expected = wanted.length > 0 ? wanted.join(', or ') : 'another value'
  return [{ path: pathText(issue.path), message: `Expected ${expected}, found ${describe(issue.input)}.` }]
}

function messageOf(issue: Issue): string {
  const found = describe(issue.input)
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'never') return issue.message
      return issue.input === undefined
        ? `Expected ${article(issue.expected)}, found none; give it.`
        : `Expected ${article(issue.expected)}, found ${found}.`
    case 'invalid_value':
      return `Expected ${oneOf(issue.values.map(String))}, found ${issue.input === undefined ? 'none' : found}.`
    case 'too_small':
      return `Expected at least ${amount(issue.minimum, issue.origin)}, found ${size(issue.input, found)}.`
    case 'too_big':
      return `Expected at most ${amount(issue.maximum, issue.origin)}, found ${size(issue.input, found)}.`
    default:
      return issue.message
  }
}

const UNITS: Record<string, readonly [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

function amount(count: number | bigint, origin: string): string {
  const unit = UNITS[origin]
  return unit === undefined ? String(count) : `${count.toLocaleString('en-US')} ${count === 1 ? unit[0] : unit[1]}`
}

function size(input: unknown, found: string): string {
  return typeof input === 'string' || Array.isArray(input) ? input.length.toLocaleString('en-US') : found
}

const article = (type: string): string =>
  type === 'int' ? 'a whole number' : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`

const oneOf = (values: readonly string[]): string =>
  values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`

const SHOWN = 60

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  // Of a long text no more is written as JSON than is shown: it may have a million characters.
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, SHOWN + 1)) : String(value)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

export function unknownKey(key: string, known: readonly string[]): string {
  const shown = describe(key)
  const near = nearest(key, known)
  return near === undefined
    ? `Expected ${oneOf(known)}, found the unknown key ${shown}; leave it out.`
    : `Expected a known key, found ${shown}; did you mean ${near}?`
}

/** The known word that is nearest to another, if it is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > SHOWN) return undefined
  const ranked = known
    .map((one) => ({ one, away: distance(word.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.away - b.away)
  const [best] = ranked
  const containing = known.filter((one) => word.length > 3 && one.toLowerCase().includes(word.toLowerCase()))
  if (containing.length === 1) return containing[0]
  return best !== undefined && best.away <= Math.max(2, Math.floor(word.length / 3)) ? best.one : undefined
}

function knownKeys(schema: JsonSchema, path: readonly PropertyKey[]): string[] {
  let at: JsonSchema | undefined = schema
  for (const step of path) {
    at = followed(at, schema)
    at = typeof step === 'number' ? at?.items : at?.properties?.[String(step)]
  }
  return Object.keys(followed(at, schema)?.properties ?? {})
}

function followed(schema: JsonSchema | undefined, root: JsonSchema): JsonSchema | undefined {
  if (schema?.$ref !== undefined) return schema.$ref === '#' ? root : root.$defs?.[schema.$ref.replace('#/$defs/', '')]
  return schema?.anyOf?.find((one) => one.properties !== undefined) ?? schema
}

/** `blocks[2].color` */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}
