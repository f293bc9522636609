/** Writes the types of parameters in short, for a table that people read. */
import type { JsonSchema } from '../src/call/input/arguments.ts'

/** Fields of a shape without a name that are listed. */
const LISTED_FIELDS = 6

/**
 * @param schema  of a parameter, as in the OpenAPI document
 * @returns `integer`, `json | markdown`, `NewBlock[]`, `{ title, markdown }`; names are those of the document's shapes
 */
export function parameterType(schema: JsonSchema): string {
  const { $ref, type, items, properties } = schema
  const choices = schema.anyOf ?? (schema.oneOf as JsonSchema[] | undefined)
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return String(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map(String))
  if (choices !== undefined) return union(choices.map(parameterType))
  if (Array.isArray(type)) return union(type.map((one) => parameterType({ ...schema, type: one })))
  if (type === 'array') return listOf(items === undefined ? 'any' : parameterType(items))
  if (type !== 'object') return type ?? 'any'
  const names = Object.keys(properties ?? {})
  return names.length === 0 || names.length > LISTED_FIELDS ? 'object' : `{ ${names.join(', ')} }`
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const listOf = (type: string): string => (type.includes(' | ') ? `(${type})[]` : `${type}[]`)
