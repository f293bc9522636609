/** Schemas of endpoints, in which shapes that have names are written once and referred to: of OpenAPI, and of typed tools. */
import type { JsonSchema } from '../input/arguments.ts'

/** Annotations for the program, which are not part of a document. */
const PRIVATE_KEYWORDS: ReadonlySet<string> = new Set([
  ...['$schema', '$defs', 'component', 'described', 'published', 'hidden', 'rare', 'commas', 'asIn', 'emptyIsAbsent'],
])

/** Keywords about one use of a shape. They stand beside the reference to the component. */
const OF_THE_USE = ['description', 'default'] as const

/** Keywords whose value is a schema or a list of schemas. */
const SUBSCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'additionalProperties',
  'propertyNames',
])

/**
 * The schemas of one document. A shape that was declared with `.meta({ component: 'Block' })` becomes the component of
 * that name, and each use of it a reference. So the same declaration is one type wherever it occurs. In the metadata of
 * a shape that is only checked loosely, `described` is the schema to use in its place.
 */
export class NamedSchemas {
  /** By their names. */
  readonly components: Record<string, JsonSchema>

  readonly #prefix: string

  /** @param prefix  of references, such as `#/$defs/` */
  constructor(components: Readonly<Record<string, JsonSchema>> = {}, prefix = '#/components/schemas/') {
    this.#prefix = prefix
    this.components = Object.assign(Object.create(null), components)
  }

  /**
   * @param name  of the components for recursive shapes without a name
   * @param schema  as zod generates it
   * @returns the schema to use in the document
   * @throws Error if two different shapes have the same name
   */
  place(name: string, schema: JsonSchema): JsonSchema {
    const nameOf = (reference: string): string => {
      const key = reference.replace('#/$defs/', '')
      const target = reference === '#' ? schema : schema.$defs?.[key]
      return (
        (target?.component as string | undefined) ??
        `${name}${reference === '#' ? '' : `_${key.replace('__schema', '')}`}`
      )
    }
    const placed = this.#rewrite(schema, nameOf)
    for (const [key, inner] of Object.entries(schema.$defs ?? {})) {
      const rewritten = this.#rewrite(inner, nameOf)
      if (inner.component === undefined) this.#add(nameOf(`#/$defs/${key}`), rewritten)
    }
    if (schema.component === undefined && JSON.stringify(schema).includes('"$ref":"#"')) this.#add(name, placed)
    return placed
  }

  #add(name: string, schema: JsonSchema): void {
    const existing = this.components[name]
    if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(schema)) {
      throw new Error(`Expected one shape with the name ${name}, found two; declare the other one with its own name.`)
    }
    this.components[name] = schema
  }

  #rewrite({ component, described, ...schema }: JsonSchema, nameOf: (reference: string) => string): JsonSchema {
    if (described !== undefined) return { ...this.place('described', described as JsonSchema), ...ofTheUse(schema) }
    if (component === undefined) return this.#rewriteKeywords(schema, nameOf)
    const shape = { ...schema }
    for (const keyword of OF_THE_USE) delete shape[keyword]
    const name = String(component)
    this.#add(name, this.#rewriteKeywords(shape, nameOf))
    return { $ref: this.#prefix + name, ...ofTheUse(schema) }
  }

  #rewriteKeywords(schema: JsonSchema, nameOf: (reference: string) => string): JsonSchema {
    const result: JsonSchema = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (PRIVATE_KEYWORDS.has(keyword) || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) continue
      if (keyword === '$ref') result.$ref = this.#prefix + nameOf(String(value))
      else if (keyword === 'properties') {
        const properties = Object.entries(value as Record<string, JsonSchema>)
        result.properties = Object.fromEntries(properties.map(([key, inner]) => [key, this.#rewrite(inner, nameOf)]))
      } else if (SUBSCHEMAS.has(keyword)) result[keyword] = this.#rewriteAll(value, nameOf)
      else result[keyword] = value
    }
    return result
  }

  #rewriteAll(value: unknown, nameOf: (reference: string) => string): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#rewriteAll(one, nameOf))
    return typeof value === 'object' && value !== null ? this.#rewrite(value as JsonSchema, nameOf) : value
  }
}

const ofTheUse = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(OF_THE_USE.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])))
