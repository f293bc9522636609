/** Paths to values in the arguments of a call, and copies of the arguments with another value at a path. */
import type { JsonSchema } from '../../../src/call/input/arguments.ts'
import type { Args } from './valid-calls.ts'

export type Path = readonly (string | number)[]

/** Formats a path without its indexes, such as `blocks[].title.attributes[].blockId`. */
export const pathName = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[]`
    return text === '' ? step : `${text}.${step}`
  }, '')

/** Yields every nested value with its path, containers before their contents. */
export function* valuesIn(value: unknown, path: Path = []): Generator<{ path: Path; value: unknown }> {
  if (path.length > 0) yield { path, value }
  if (typeof value !== 'object' || value === null) return
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [key, inner] of entries) yield* valuesIn(inner, [...path, key])
}

/** Returns a copy in which `change` was applied at the path. Missing containers on the way there are created. */
export function changedAt(args: Args, path: Path, change: (holder: Holder, key: string | number) => void): Args {
  const copy = structuredClone(args)
  let holder = copy as Holder
  for (const [index, step] of path.slice(0, -1).entries()) {
    // Own properties only: a step named __proto__ would otherwise lead to the prototype that all objects share.
    const inner = Object.hasOwn(holder, step) ? holder[step] : undefined
    if (typeof inner === 'object' && inner !== null) holder = inner as Holder
    else {
      const value = (typeof path[index + 1] === 'number' ? [] : {}) as Holder
      Object.defineProperty(holder, step, { value, writable: true, enumerable: true, configurable: true })
      holder = value
    }
  }
  const last = path.at(-1)
  if (last !== undefined) change(holder, last)
  return copy
}

export const setAt = (args: Args, path: Path, value: unknown): Args =>
  changedAt(args, path, (holder, key) => {
    holder[key] = value
  })

/** An object or an array, accessed by key. */
export type Holder = Record<string | number, unknown>

/** Limits the recursion: nested blocks all have the same schema, so deeper levels add nothing new. */
const DEPTH = 8

/** Yields the path to every argument that is a text or has an open schema. Index 0 stands for all entries of a list. */
export function* textsOf(schema: JsonSchema, root = schema, path: Path = []): Generator<Path> {
  if (path.length > DEPTH || path.filter((step) => step === 'content').length > 1) return
  if (schema.$ref !== undefined) {
    const found = schema.$ref === '#' ? root : root.$defs?.[schema.$ref.replace('#/$defs/', '')]
    if (found !== undefined) yield* textsOf(found, root, path)
    return
  }
  for (const one of [...(schema.anyOf ?? []), ...((schema.oneOf as JsonSchema[] | undefined) ?? [])]) {
    yield* textsOf(one, root, path)
  }
  if (schema.items !== undefined) yield* textsOf(schema.items, root, [...path, 0])
  for (const [key, inner] of Object.entries(schema.properties ?? {})) yield* textsOf(inner, root, [...path, key])
  const isText = schema.type === 'string' && schema.enum === undefined && schema.const === undefined
  if (isText) yield path
}
