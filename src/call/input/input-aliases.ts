/**
 * Accepts inputs under other names. Models know many similar services and use the names of those: `query` for a search,
 * `dueDate` for a task. Input with only one possible meaning is accepted. Anything else is refused with an error that
 * shows the correct call.
 */

import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import type { InputAlias } from '../../endpoint.ts'
import { allowsNull, type JsonSchema, schemaAt } from './arguments.ts'

type Fields = Record<string, unknown>

/**
 * Moves values to their correct fields, in place. If the correct field already has a value, the other one stays and is
 * refused later; `null` beside a value means nothing.
 *
 * @param schema  of the input; values that this kind of connection does not accept stay as well
 * If aliases make a list of one entry from fields of the call, its unknown fields belong to that entry as well: there
 * they are understood, or refused with the fields that an entry has.
 *
 * @returns true if anything was moved
 * @throws VALIDATION_ERROR for refused aliases, and if entries of a list contradict each other about a value that
 *   applies to all of them
 */
export function applyAliases(input: unknown, aliases: readonly InputAlias[], schema: JsonSchema): boolean {
  if (!isObject(input)) return false
  const { properties = {} } = schema
  let hasMoved = false
  let madeList: string | undefined
  for (const alias of aliases) {
    const target = alias.to?.split(/[.[]/)[0]
    if (target !== undefined && !Object.hasOwn(properties, target)) continue
    const wasThere = target !== undefined && Object.hasOwn(input, target) && target !== alias.from
    if (!applyAlias(input, alias)) continue
    hasMoved = true
    if (!wasThere && alias.to?.startsWith(`${target}[0].`)) madeList = target
  }
  if (madeList !== undefined) moveStraysInto(madeList, input, properties)
  return hasMoved
}

const knownNames = new WeakMap<readonly InputAlias[], ReadonlySet<string>>()

/** The names in the paths of these aliases. */
export function namesIn(aliases: readonly InputAlias[]): ReadonlySet<string> {
  const known = knownNames.get(aliases) ?? new Set(aliases.flatMap(({ from }) => from.split(/\[\]\.|\./)))
  knownNames.set(aliases, known)
  return known
}

function moveStraysInto(list: string, input: Fields, properties: object): void {
  const [entry] = input[list] as unknown[]
  if (!isObject(entry)) return
  for (const [key, value] of Object.entries(input)) {
    if (Object.hasOwn(properties, key) || Object.hasOwn(entry, key)) continue
    entry[key] = value
    delete input[key]
  }
}

const clearingNames = new WeakMap<JsonSchema, ReadonlySet<string>>()

/** Those of these names whose `null` clears the field that they stand for, directly or by another name. */
export function clearingNamesIn(aliases: readonly InputAlias[], schema: JsonSchema): ReadonlySet<string> {
  const known = clearingNames.get(schema)
  if (known !== undefined) return known
  const names = new Set<string>()
  for (let size = -1; size < names.size; ) {
    size = names.size
    for (const { from, to } of aliases) {
      const target = to === undefined ? undefined : schemaAt(schema, to)
      const isClearing = target === undefined ? to !== undefined && names.has(lastName(to)) : allowsNull(target)
      if (isClearing) names.add(lastName(from))
    }
  }
  clearingNames.set(schema, names)
  return names
}

const lastName = (path: string): string => path.split(/\]?\./).at(-1) ?? path

function applyAlias(input: Fields, alias: InputAlias): boolean {
  const [list, inEntry] = alias.from.split('[].')
  if (list === undefined || inEntry === undefined) return moveWithin(input, alias.from, alias.to, alias)
  const entries = input[list]
  if (!Array.isArray(entries)) return false
  const ofEntry = alias.to?.startsWith(`${list}[].`) ? alias.to.slice(list.length + 3) : undefined
  if (ofEntry !== undefined || alias.to === undefined) {
    return entries.filter((entry) => isObject(entry) && moveWithin(entry, inEntry, ofEntry, alias)).length > 0
  }
  return hoist(input, entries, inEntry, alias)
}

/** Moves a value within one object. */
function moveWithin(fields: Fields, from: string, to: string | undefined, alias: InputAlias): boolean {
  const place = findPlace(fields, from)
  if (place === undefined || alias.when?.(place.parent[place.key], place.parent) === false) return false
  const given = place.parent[place.key]
  if (to === undefined && given === null) return false
  if (to === undefined) throw invalid(`Expected no ${alias.from} here, found one; ${alias.instead}.`)
  const value = alias.value === undefined || given === null ? given : alias.value(given)
  delete place.parent[place.key]
  if (setValue(fields, to, value)) return true
  place.parent[place.key] = given
  return false
}

/** Moves a value that all entries share to the field that applies to all of them. */
function hoist(input: Fields, entries: readonly unknown[], from: string, alias: InputAlias): boolean {
  const places = entries.flatMap((entry) => (isObject(entry) ? (findPlace(entry, from) ?? []) : []))
  const [first] = places
  if (first === undefined || alias.to === undefined) return false
  const value = first.parent[first.key]
  if (places.length < entries.length || places.some(({ parent, key }) => !isDeepStrictEqual(parent[key], value))) {
    throw invalid(
      `Expected ${alias.from} to be the same in all entries, found others; make one call for each, with ${alias.to}.`,
    )
  }
  if (!setValue(input, alias.to, alias.value === undefined ? value : alias.value(value))) return false
  for (const { parent, key } of places) delete parent[key]
  return true
}

function findPlace(fields: Fields, path: string): { parent: Fields; key: string } | undefined {
  const keys = path.split('.')
  const key = keys.pop() ?? ''
  let parent: unknown = fields
  for (const step of keys) parent = isObject(parent) && Object.hasOwn(parent, step) ? parent[step] : undefined
  if (!isObject(parent) || !Object.hasOwn(parent, key) || parent[key] === undefined) return undefined
  return { parent, key }
}

/** @returns false if the field already has a value */
function setValue(fields: Fields, path: string, value: unknown): boolean {
  const steps = path.replaceAll('[0]', '.0').split('.')
  let current: Fields | unknown[] = fields
  for (const [index, step] of steps.entries()) {
    const key = Array.isArray(current) ? Number(step) : step
    const container = current as Record<string | number, unknown>
    const isLast = index === steps.length - 1
    const found = Object.hasOwn(container, key) ? container[key] : undefined
    if (isLast) {
      if (found !== undefined && found !== null) return value === null || isDeepStrictEqual(found, value)
      container[key] = value
      return true
    }
    if (found === undefined) container[key] = steps[index + 1] === '0' ? [] : {}
    else if (!isObject(found) && !Array.isArray(found)) return false
    current = container[key] as Fields | unknown[]
  }
  return false
}
