/** Writes JSON schemas as types of TypeScript, for programs that call tools. */
import type { JsonSchema } from '../input/arguments.ts'

const INDENTATION = '  '

/** @returns `type Name = …` for each schema; references between them are by name */
export const typeDeclarations = (schemas: Readonly<Record<string, JsonSchema>>): string =>
  Object.entries(schemas)
    .map(([name, schema]) => `${comment(schema, '')}export type ${name} = ${typeOf(schema, '')}\n`)
    .join('\n')

/**
 * The type of a schema.
 *
 * @param indentation  of the line in which it begins
 */
export function typeOf(schema: JsonSchema, indentation: string): string {
  const { $ref, anyOf, type } = schema
  const choices = (anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map((one) => JSON.stringify(one)))
  if (choices !== undefined) return union(choices.map((one) => typeOf(one, indentation)))
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, indentation)))
  if (type === 'array') return `Array<${schema.items === undefined ? 'unknown' : typeOf(schema.items, indentation)}>`
  if (type === 'object') return objectType(schema, indentation)
  return PLAIN_TYPES.get(type ?? '') ?? 'unknown'
}

const PLAIN_TYPES: ReadonlyMap<string, string> = new Map([
  ...['string', 'boolean', 'null', 'number'].map((name) => [name, name] as const),
  ['integer', 'number'],
])

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

function objectType({ properties = {}, required = [], additionalProperties }: JsonSchema, indentation: string): string {
  const inner = indentation + INDENTATION
  const needed = required as readonly string[]
  const fields = Object.entries(properties).map(([key, schema]) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)
    return `${comment(schema, inner)}${inner}${name}${needed.includes(key) ? '' : '?'}: ${typeOf(schema, inner)}`
  })
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  if (isOpen || fields.length === 0) {
    const others = isOpen && additionalProperties !== true ? (additionalProperties as JsonSchema) : {}
    const value = fields.length === 0 ? typeOf(others, inner) : 'unknown'
    if (isOpen || additionalProperties === undefined) fields.push(`${inner}[key: string]: ${value}`)
  }
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('\n')}\n${indentation}}`
}

/** The description of a field, in the line above it. */
function comment({ description }: JsonSchema, indentation: string): string {
  if (typeof description !== 'string') return ''
  return `${indentation}/** ${description.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`
}
