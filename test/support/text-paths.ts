/** Finds the places of a schema that accept any text. */
import type { z } from 'zod'

// biome-ignore lint/suspicious/noExplicitAny: the definitions of schemas have a shape of their own for each kind
type Definition = any

/** The paths to all texts in values of a schema, with 0 for the first entry of a list. What is nested in itself counts once. */
export function textPaths(schema: z.ZodType, around: readonly z.ZodType[] = []): string[][] {
  if (around.includes(schema)) return []
  const inside = [...around, schema]
  const all = (inner: z.ZodType) => textPaths(inner, inside)
  const under = (key: string, inner: z.ZodType) => all(inner).map((path) => [key, ...path])
  const { def } = schema as { def: Definition }
  switch (def.type) {
    case 'string':
    case 'unknown':
      return [[]]
    case 'object':
      return Object.entries(def.shape as Record<string, z.ZodType>).flatMap(([key, inner]) => under(key, inner))
    case 'array':
      return under('0', def.element)
    case 'record':
      return under('a', def.valueType)
    case 'union':
      return (def.options as z.ZodType[]).flatMap(all)
    case 'optional':
    case 'nullable':
    case 'default':
      return all(def.innerType)
    case 'pipe':
      return all(def.in.def.type === 'transform' ? def.out : def.in)
    default:
      return []
  }
}

/** A copy of a value with a text at a path. */
export function withText(value: unknown, path: readonly string[], text: string): object {
  const [key, ...rest] = path
  if (key === undefined) return text as unknown as object
  const inner = withText((value as Record<string, unknown> | undefined)?.[key], rest, text)
  if (/^\d+$/.test(key)) return [inner]
  return { ...(value as object), [key]: inner }
}
