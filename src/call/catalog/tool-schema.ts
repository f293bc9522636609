/**
 * Tools as hosts and model APIs take them: their inputs are flat objects of strings, numbers, booleans, enums and arrays.
 * No union, `const`, `$ref`, tuple, `null` or `propertyNames` is left in them; this program checks those rules itself.
 */
import { z } from 'zod'
import { type Effect, type Endpoint, type Hints, mcpDefaultsOf } from '../../endpoint.ts'
import type { JsonSchema } from '../input/arguments.ts'
import type { ToolEntry, ToolListing } from './tool-list.ts'

/** Keywords that hosts take. All others are dropped. */
const KEPT_KEYWORDS: readonly string[] = ['type', 'description', 'enum', 'minimum', 'maximum', 'default']

/** @param schema  of the endpoint's input, as zod writes it */
export function createToolEntry(endpoint: Endpoint, schema: JsonSchema): ToolEntry {
  const {
    name,
    title,
    description,
    effect,
    hints,
    isPersonal: personal,
    isEssential: essential,
    hasView: view,
    renderMarkdown,
    shorten,
  } = endpoint
  const listing: ToolListing = {
    name,
    title,
    description,
    inputSchema: simplifyInput(schema, mcpDefaultsOf(endpoint)),
    annotations: annotationsOf(effect, hints),
  }
  const tool = toolReferredTo(schema)
  const refersTo = tool && { tool, inputSchema: simplifyInput(schema, mcpDefaultsOf(endpoint), false) }
  const output = shorten === undefined ? outputSchemaOf(endpoint) : toOutputSchema(shorten.output)
  if (renderMarkdown === undefined && output !== undefined) {
    listing.outputSchema = outlineOf(output, OUTLINED_LEVELS) as NonNullable<ToolListing['outputSchema']>
  }
  return {
    listing,
    ...(refersTo && { refersTo }),
    effect,
    ...(personal && { personal }),
    ...(essential && { essential }),
    ...(view && { view }),
  }
}

/** Hints of the protocol, in which a tool without idempotentHint is not idempotent. Spaces are closed worlds. */
function annotationsOf(effect: Effect, hints: Hints = {}): Record<string, boolean> {
  if (effect === 'read') return { readOnlyHint: true, openWorldHint: false }
  const { destructive, idempotent } = { ...EFFECT_HINTS[effect], ...hints }
  const annotations = { readOnlyHint: false, destructiveHint: destructive, openWorldHint: false }
  return idempotent ? { ...annotations, idempotentHint: true } : annotations
}

/** A change overwrites something, an addition nothing. */
const EFFECT_HINTS: Record<Exclude<Effect, 'read'>, Required<Hints>> = {
  decide: { destructive: true, idempotent: false },
  add: { destructive: false, idempotent: false },
  change: { destructive: true, idempotent: true },
  delete: { destructive: true, idempotent: true },
}

/**
 * @param schema  of an input, as zod writes it. `published` in a field's meta data stands in place of the field's
 *   schema, `asIn` does where the tool that it names is listed as well, and a field with `hidden: true` is taken but not
 *   shown.
 * @param defaults  of calls over MCP, where they are others than the schema's. That writes are answered in short is part
 *   of the instructions: it is the same for all of them.
 */
function simplifyInput(
  schema: JsonSchema,
  { answer: _, ...defaults }: Readonly<Record<string, unknown>>,
  refers = true,
): ToolListing['inputSchema'] {
  const published = simplifySchema(schema, { root: schema, refers, openReferences: [] })
  const properties = { ...published.properties }
  for (const [key, value] of Object.entries(defaults)) properties[key] = { ...properties[key], default: value }
  return { ...published, type: 'object', properties }
}

/** The tool whose inputs some of this schema are as in: one at most. */
function toolReferredTo(schema: JsonSchema): string | undefined {
  const tools = new Set<string>()
  // What stands inside an input that is as in another tool is not looked at.
  JSON.stringify(schema, (_, value) => {
    const { asIn } = Object(value) as { asIn?: Reference }
    if (asIn !== undefined) tools.add(asIn.tool)
    return asIn === undefined ? value : undefined
  })
  if (tools.size > 1) throw new Error(`Expected inputs as in one other tool, found ${[...tools].join(', ')}.`)
  return [...tools][0]
}

/** A tool that explains an input, and what is published of the input where that tool is listed: nothing, if none is. */
interface Reference {
  tool: string
  published?: JsonSchema
  /** Added to the schema unchanged. */
  description?: string
}

/** An answer, its entries, and their fields: what clients that write programs need, and no more tokens. */
const OUTLINED_LEVELS = 3

/** A schema without what lies deeper than some levels of objects, open for further keys. */
function outlineOf(schema: JsonSchema, levels: number): JsonSchema {
  const { type, properties, required, items, anyOf } = schema
  const outline: JsonSchema = type === undefined ? { ...(anyOf && { anyOf }) } : { type }
  if (items !== undefined) outline.items = outlineOf(items, levels)
  if (properties === undefined || levels <= 1) return outline
  const inner = Object.entries(properties).map(([key, property]) => [key, outlineOf(property, levels - 1)])
  return { ...outline, properties: Object.fromEntries(inner), ...(required !== undefined && { required }) }
}

/**
 * The shape of an endpoint's answers, where they are objects, with all that zod writes, since clients hold answers to it.
 * Only `{}` for further keys of any value is written as `true`, which says the same: by portability checks such as the
 * MCP Inspector's, an empty schema is one that somebody forgot to fill in.
 */
export function outputSchemaOf(endpoint: Endpoint): JsonSchema | undefined {
  const { output } = endpoint
  if (output === undefined) return undefined
  const schema = outputSchemas.get(endpoint) ?? toOutputSchema(output)
  outputSchemas.set(endpoint, schema)
  return schema
}

/** Made once for each: the description of REST asks for all of them every time. */
const outputSchemas = new WeakMap<Endpoint, JsonSchema>()

const toOutputSchema = (output: z.ZodType): JsonSchema =>
  withoutEmptySchemas(z.toJSONSchema(output, { io: 'output' }) as JsonSchema)

const withoutEmptySchemas = ({ $schema: _, ...schema }: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (key, value) => (key === 'additionalProperties' && isEmpty(value) ? true : value))

const isEmpty = (schema: object | boolean): boolean => typeof schema === 'object' && Object.keys(schema).length === 0

interface Simplifying {
  root: JsonSchema
  /** Whether {@link Reference}s are used. */
  refers: boolean
  /** The references that are being followed: one that comes again is text. */
  openReferences: readonly string[]
}

function simplifySchema(schema: JsonSchema, simplifying: Simplifying): JsonSchema {
  const { root, refers, openReferences } = simplifying
  const simplifyInner = (one: JsonSchema) => simplifySchema(one, simplifying)
  if (refers && schema.asIn !== undefined) {
    const { asIn, ...others } = schema
    const { published, description } = asIn as Reference
    return published ?? { ...simplifyInner(others), description: description as string }
  }
  if (schema.published !== undefined) return withDescription(schema.published as JsonSchema, schema)
  const { $ref } = schema
  if ($ref !== undefined) {
    if (openReferences.includes($ref)) return { type: 'string', description: 'JSON of the same shape' }
    const referred = root.$defs?.[$ref.replace('#/$defs/', '')] ?? {}
    const inner = { ...simplifying, openReferences: [...openReferences, $ref] }
    return withDescription(simplifySchema(referred, inner), schema)
  }
  const alternative = schema.anyOf?.find((one) => one.type !== 'null')
  if (alternative !== undefined) return withDescription(simplifyInner(alternative), schema)

  const result: JsonSchema = {}
  for (const keyword of KEPT_KEYWORDS) {
    if (schema[keyword] !== undefined && !saysNothing(keyword, schema[keyword])) result[keyword] = schema[keyword]
  }
  if (Array.isArray(schema.type)) result.type = schema.type.find((one) => one !== 'null') ?? 'null'
  if (schema.const !== undefined) result.enum = [schema.const]
  if (schema.items !== undefined) result.items = simplifyInner(schema.items)
  if (schema.properties !== undefined) {
    const shown = Object.entries(schema.properties).filter(([, property]) => isShown(property, refers))
    result.properties = Object.fromEntries(shown.map(([key, property]) => [key, simplifyInner(property)]))
    const required = (schema.required as string[] | undefined)?.filter((key) => result.properties?.[key] !== undefined)
    if (required !== undefined && required.length > 0) result.required = required
  }
  return result
}

function isShown({ hidden, asIn }: JsonSchema, refers: boolean): boolean {
  const { published, description } = (asIn ?? {}) as Partial<Reference>
  const isElsewhere = refers && asIn !== undefined && published === undefined && description === undefined
  return hidden !== true && !isElsewhere
}

/** The bounds of all numbers, that counts are no less than one, and that what is left out is not wanted: known to all. */
const saysNothing = (keyword: string, value: unknown): boolean =>
  Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ||
  (keyword === 'default' && value === false) ||
  (keyword === 'minimum' && value === 1)

function withDescription(published: JsonSchema, { description }: JsonSchema): JsonSchema {
  return description === undefined ? published : { ...published, description }
}
