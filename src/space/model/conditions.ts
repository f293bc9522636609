/**
 * Conditions of changes. A caller may say what it believes to be there before its change: `expected`, beside the new
 * values of each entry, or the revision that it read. If something else is there, somebody else was faster, and the entry
 * is not carried out.
 */
import { type FieldError, invalidFields, ScriptoriumError } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import { MAX_FIELD_ERRORS } from '../../base/limits.ts'
import { nearestName } from '../../base/nearest-name.ts'
import { formatValue } from './format-value.ts'

/** Fields with the values that a caller believes to be there, as they are read. */
export type Expected = Readonly<Record<string, unknown>>

/** What is there now: every field that a condition may name. Null stands for a field without a value. */
export type FoundFields = Readonly<Record<string, unknown>>

/** An entry that was not carried out, with the present values of the fields that its condition names. */
export interface Conflict {
  index: number
  id: string
  found: Record<string, unknown>
}

/** The entries that are no longer as they were read, each with what differs. */
export type Differences<Entry> = ReadonlyMap<Entry, readonly FieldError[]>

export interface ConditionalChange<Entry> {
  entries: readonly Entry[]
  /** Path of an entry in the call, such as `itemsToUpdate[2]`. */
  pathOf(index: number): string
  /** What an entry is, such as `item`. */
  noun: string
  idOf(entry: Entry): string
  expectedOf(entry: Entry): Expected | undefined
  /** Fields that hold several of the others, such as `properties`: they may stand in it or beside it. */
  groups?: readonly string[]
  /** A condition that was checked already. It stands for all fields. */
  differences?: Differences<Entry>
  /** True to carry out the other entries if there are conflicts. */
  isPartial: boolean
  /** Returns what is there now, in the order of the entries; undefined for what does not exist. */
  read(entries: readonly Entry[]): Promise<readonly (FoundFields | undefined)[]>
}

/**
 * Returns the entries whose conditions hold, and the conflicts of the others. Nothing is read if no entry has one, or is
 * known to differ.
 *
 * @throws CONFLICT if a condition does not hold and the change is not partial; VALIDATION_ERROR for a condition with an
 *   unknown field
 */
export async function entriesAsExpected<Entry>(
  change: ConditionalChange<Entry>,
): Promise<{ held: readonly Entry[]; conflicts: Conflict[] }> {
  const { entries, expectedOf, idOf } = change
  const asRead = change.differences ?? (new Map() as Differences<Entry>)
  const conditional = entries.filter((entry) => expectedOf(entry) !== undefined || asRead.has(entry))
  if (conditional.length === 0) return { held: entries, conflicts: [] }
  const now = await change.read(conditional)
  const found = new Map(conditional.map((entry, index) => [entry, now[index]]))
  const unknown: FieldError[] = []
  const differences: Difference[] = []
  const conflicts: Conflict[] = []
  for (const [index, entry] of entries.entries()) {
    const fields = found.get(entry)
    if (fields === undefined) continue
    const path = [change.pathOf(index), 'expected'].filter((part) => part !== '').join('.')
    const expected = flatFields(expectedOf(entry) ?? {}, path, change.groups ?? [])
    unknown.push(...unknownFields(expected, fields))
    const sinceRead = asRead.get(entry) ?? []
    const different = compareFields(expected, fields, `${change.noun} ${idOf(entry)}`)
    if (sinceRead.length + different.length === 0) continue
    const named = sinceRead.length > 0 ? Object.keys(fields) : expected.map(({ key }) => key)
    const present = Object.fromEntries(named.map((key) => [key, fields[key] ?? null]))
    conflicts.push({ index, id: idOf(entry), found: present })
    differences.push(
      ...sinceRead.map((error) => ({ error, summary: `At ${error.path}: ${error.message}` })),
      ...different,
    )
  }
  if (unknown.length > 0) throw invalidFields(unknown)
  if (conflicts.length > 0 && !change.isPartial) throw conflictError(differences)
  const lost = new Set(conflicts.map(({ index }) => index))
  return { held: entries.filter((_, index) => !lost.has(index)), conflicts }
}

/** A field that is not as the caller believed. */
interface Difference {
  error: FieldError
  /** A message for the whole call. */
  summary: string
}

function conflictError(differences: readonly Difference[]): ScriptoriumError {
  const errors = differences.slice(0, MAX_FIELD_ERRORS).map(({ error }) => error)
  return new ScriptoriumError('CONFLICT', differences[0]?.summary ?? '', errors)
}

/** @param what  the entry, such as `item 123` */
function compareFields(expected: readonly ExpectedField[], fields: FoundFields, what: string): Difference[] {
  const different = expected.filter(({ key, value }) => !isSameValue(value, fields[key]))
  return different.map(({ key, path, value }) => {
    const [wanted, present] = [formatValue(value), formatValue(fields[key] ?? null)]
    return {
      error: { path, message: `Expected ${wanted}, found ${present}.` },
      summary: `Expected ${what} with ${key} ${wanted}, found ${present}; nothing was written, since it was changed: read it again.`,
    }
  })
}

const unknownFields = (expected: readonly ExpectedField[], fields: FoundFields): FieldError[] =>
  expected.flatMap(({ key, path }) =>
    Object.hasOwn(fields, key) ? [] : [{ path, message: describeUnknownField(key, fields) }],
  )

/**
 * Checks the condition of a call that changes one thing.
 *
 * @throws as {@link entriesAsExpected}
 */
export async function assertAsExpected(
  expected: Expected | undefined,
  { noun, id, read }: { noun: string; id: string; read(): Promise<FoundFields> },
): Promise<void> {
  await entriesAsExpected({
    ...{ entries: [{}], noun, isPartial: false },
    pathOf: () => '',
    idOf: () => id,
    expectedOf: () => expected,
    read: async () => [await read()],
  })
}

interface ExpectedField {
  key: string
  /** Where it stands in the call. */
  path: string
  value: unknown
}

/** @param path  of `expected` in the call */
function flatFields(expected: Expected, path: string, groups: readonly string[]): ExpectedField[] {
  return Object.entries(expected).flatMap(([key, value]) =>
    groups.includes(key) && isObject(value)
      ? flatFields(value, `${path}.${key}`, [])
      : [{ key, path: `${path}.${key}`, value }],
  )
}

/**
 * Compares values as callers read and write them: an empty value is the same as none, a number the same as its text, and
 * an object may leave fields out.
 */
function isSameValue(expected: unknown, found: unknown): boolean {
  if (isEmpty(expected) || isEmpty(found)) return isEmpty(expected) && isEmpty(found)
  if (Array.isArray(expected)) {
    return (
      Array.isArray(found) &&
      expected.length === found.length &&
      expected.every((one, index) => isSameValue(one, found[index]))
    )
  }
  if (isObject(expected)) {
    return isObject(found) && Object.entries(expected).every(([key, value]) => isSameValue(value, found[key]))
  }
  return !isObject(found) && !Array.isArray(found) && String(expected) === String(found)
}

/** A check box that is not ticked has no value. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.values(value).every(isEmpty)
}

function describeUnknownField(key: string, fields: FoundFields): string {
  const known = Object.keys(fields)
  const nearest = nearestName(key, known)
  const advice =
    nearest === undefined ? `name one of ${known.slice(0, MAX_FIELD_ERRORS).join(', ')}` : `did you mean ${nearest}?`
  return `Expected a field that the change could have, found ${formatValue(key)}; ${advice}${nearest === undefined ? '.' : ''}`
}
