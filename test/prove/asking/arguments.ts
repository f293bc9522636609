/** Where in the arguments of a call something stands, and the same arguments with something else there. */
import type { JsonSchema } from '../../../src/call/input/arguments.ts'
import type { Args } from './valid-calls.ts'

export type Path = readonly (string | number)[]

/** `blocks[].title.attributes[].blockId` */
export const pathName = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[]`
    return text === '' ? step : `${text}.${step}`
  }, '')

/** Every value inside, with the path to it, those that hold others before those that they hold. */
export function* valuesIn(value: unknown, path: Path = []): Generator<{ path: Path; value: unknown }> {
  if (path.length > 0) yield { path, value }
  if (typeof value !== 'object' || value === null) return
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [key, inner] of entries) yield* valuesIn(inner, [...path, key])
}

/** A copy in which `change` has been applied at the path; what leads there is made where it is missing. */
export function changedAt(args: Args, path: Path, change: (holder: Holder, key: string | number) => void): Args {
  const copy = structuredClone(args)
  let holder = copy as Holder
  for (const [index, step] of path.slice(0, -1).entries()) {
    // Its own alone: a step named __proto__ would lead to what all objects have.
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

/** An object or an array, by its keys. */
export type Holder = Record<string | number, unknown>

/** Blocks in blocks are of one shape: the inner ones of inner ones say nothing new. */
const DEPTH = 8

/** The path to every argument that is a text, or whose shape is open; the first entry stands for all of a list. */
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
