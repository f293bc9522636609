/**
 * Converts endpoints to tools that hosts and model APIs accept. Input schemas are flat objects of strings, numbers,
 * booleans, enums and arrays, without unions of values, `const`, `$ref`, tuples or `propertyNames`. Where `null` clears
 * a value, the type is a pair such as `["string", "null"]`. The program enforces the rules that these would express.
 */
import { z } from 'zod'
import { type Effect, type Endpoint, type Hints, mcpDefaultsOf } from '../../endpoint.ts'
import { allowsNull, type JsonSchema } from '../input/arguments.ts'
import type { ToolEntry, ToolListing } from './tool-list.ts'

/** Keywords that hosts support. All others are dropped. */
const KEPT_KEYWORDS: readonly string[] = ['type', 'description', 'enum', 'minimum', 'maximum', 'default']

/** @param schema  of the endpoint's input, as zod generates it */
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
  const refersTo = tool && { tool, inputSchema: simplifyInput(schema, mcpDefaultsOf(endpoint), { refers: false }) }
  const brief = simplifyInput(schema, mcpDefaultsOf(endpoint), { refers: false, isBrief: true })
  const output = shorten === undefined ? outputSchemaOf(endpoint) : toOutputSchema(shorten.output)
  if (renderMarkdown === undefined && output !== undefined) {
    listing.outputSchema = outlineOf(output, OUTLINED_LEVELS) as NonNullable<ToolListing['outputSchema']>
  }
  return {
    listing,
    ...(refersTo && { refersTo }),
    ...(JSON.stringify(schema).includes('"rare":true') && { brief }),
    effect,
    ...(personal && { personal }),
    ...(essential && { essential }),
    ...(view && { view }),
  }
}

/** Annotations of the MCP. A tool without idempotentHint is not idempotent. Spaces are closed worlds. */
function annotationsOf(effect: Effect, hints: Hints = {}): Record<string, boolean> {
  if (effect === 'read') return { readOnlyHint: true, openWorldHint: false }
  const { destructive, idempotent } = { ...EFFECT_HINTS[effect], ...hints }
  const annotations = { readOnlyHint: false, destructiveHint: destructive, openWorldHint: false }
  return idempotent ? { ...annotations, idempotentHint: true } : annotations
}

/** Changes overwrite something; additions do not. */
const EFFECT_HINTS: Record<Exclude<Effect, 'read'>, Required<Hints>> = {
  decide: { destructive: true, idempotent: false },
  comment: { destructive: false, idempotent: false },
  add: { destructive: false, idempotent: false },
  change: { destructive: true, idempotent: true },
  delete: { destructive: true, idempotent: true },
}

/**
 * Simplifies an input schema.
 * @param schema  of an input, as zod generates it. In the metadata of a field, `published` replaces the field's schema,
 *   `asIn` replaces it if the named tool is listed too, `hidden: true` accepts the field without listing it, and
 *   `rare: true` does so in short lists.
 * @param defaults  of calls over MCP, if they differ from the schema's. Short responses and Markdown are left out: they
 *   apply to all tools and the instructions mention them.
 */
function simplifyInput(
  schema: JsonSchema,
  { answer: _, format: __, ...defaults }: Readonly<Record<string, unknown>>,
  { refers = true, isBrief = false } = {},
): ToolListing['inputSchema'] {
  const published = simplifySchema(schema, { root: schema, refers, isBrief, openReferences: [] })
  const properties = { ...published.properties }
  for (const [key, value] of Object.entries(defaults)) properties[key] = { ...properties[key], default: value }
  return { ...published, type: 'object', properties }
}

/** The tool that parts of this schema refer to: one at most. */
function toolReferredTo(schema: JsonSchema): string | undefined {
  const tools = new Set<string>()
  // Do not look inside an input that refers to another tool.
  JSON.stringify(schema, (_, value) => {
    const { asIn } = Object(value) as { asIn?: Reference }
    if (asIn !== undefined) tools.add(asIn.tool)
    return asIn === undefined ? value : undefined
  })
  if (tools.size > 1) throw new Error(`Expected inputs as in one other tool, found ${[...tools].join(', ')}.`)
  return [...tools][0]
}

/**
 * A reference to a tool that explains an input, and the schema to publish if that tool is listed; if there is no
 * schema, nothing is published.
 */
interface Reference {
  tool: string
  published?: JsonSchema
  /** Added to the schema unchanged. */
  description?: string
}

/** The response, its entries, and their fields: enough for clients that generate code, without further tokens. */
const OUTLINED_LEVELS = 3

/** Cuts off a schema below some levels of objects, and allows additional properties there; `isFolded` cuts it off at once. */
function outlineOf(schema: JsonSchema, levels: number): JsonSchema {
  const { type, properties, required, items, anyOf, isFolded } = schema
  const outline: JsonSchema = type === undefined ? { ...(anyOf && { anyOf }) } : { type }
  if (items !== undefined) outline.items = outlineOf(items, isFolded === true ? 1 : levels)
  if (properties === undefined || levels <= 1 || isFolded === true) return outline
  const inner = Object.entries(properties).map(([key, property]) => [key, outlineOf(property, levels - 1)])
  return { ...outline, properties: Object.fromEntries(inner), ...(required !== undefined && { required }) }
}

/**
 * The output schema of an endpoint whose responses are objects, in full, since clients validate responses with it. Only
 * `{}` for additional properties of any type is replaced by `true`, which means the same: portability checks such as
 * the MCP Inspector's report an empty schema as forgotten.
 */
function outputSchemaOf({ output }: Endpoint): JsonSchema | undefined {
  return output === undefined ? undefined : toOutputSchema(output)
}

/** The schema of an endpoint's answer in JSON, also of one that can answer with text. */
export function answerSchemaOf({ name, output, jsonOutput }: Endpoint): JsonSchema {
  const type = output ?? jsonOutput
  if (type === undefined) throw new Error(`Expected ${name} to declare the shape of its answer, found none.`)
  const schema = answerSchemas.get(type) ?? toOutputSchema(type)
  answerSchemas.set(type, schema)
  return schema
}

/** Cached: the OpenAPI description needs all of them each time. */
const answerSchemas = new WeakMap<z.ZodType, JsonSchema>()

const toOutputSchema = (output: z.ZodType): JsonSchema =>
  withoutEmptySchemas(z.toJSONSchema(output, { io: 'output' }) as JsonSchema)

const withoutEmptySchemas = ({ $schema: _, ...schema }: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (key, value) => (key === 'additionalProperties' && isEmpty(value) ? true : value))

const isEmpty = (schema: object | boolean): boolean => typeof schema === 'object' && Object.keys(schema).length === 0

interface Simplifying {
  root: JsonSchema
  /** True if {@link Reference}s are used. */
  refers: boolean
  /** True if rare inputs are left out. */
  isBrief: boolean
  /** The references that are being resolved. A recursive one becomes text. */
  openReferences: readonly string[]
}

function simplifySchema(schema: JsonSchema, simplifying: Simplifying): JsonSchema {
  const simple = simplifyValue(schema, simplifying)
  return allowsNull(schema) ? { ...simple, type: [simple.type, 'null'].flat() as string[] } : simple
}

/** The schema of a value other than `null`. */
function simplifyValue(schema: JsonSchema, simplifying: Simplifying): JsonSchema {
  const { root, refers, isBrief, openReferences } = simplifying
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
    if (schema[keyword] !== undefined && !isRedundant(keyword, schema[keyword])) result[keyword] = schema[keyword]
  }
  if (Array.isArray(schema.type)) result.type = schema.type.find((one) => one !== 'null') ?? 'null'
  if (schema.const !== undefined) result.enum = [schema.const]
  if (schema.items !== undefined) result.items = simplifyInner(schema.items)
  if (schema.properties !== undefined) {
    const shown = Object.entries(schema.properties).filter(([, property]) => isShown(property, refers, isBrief))
    result.properties = Object.fromEntries(shown.map(([key, property]) => [key, simplifyInner(property)]))
    const required = (schema.required as string[] | undefined)?.filter((key) => result.properties?.[key] !== undefined)
    if (required !== undefined && required.length > 0) result.required = required
  }
  return result
}

function isShown({ hidden, rare, asIn }: JsonSchema, refers: boolean, isBrief: boolean): boolean {
  const { published, description } = (asIn ?? {}) as Partial<Reference>
  const isElsewhere = refers && asIn !== undefined && published === undefined && description === undefined
  return hidden !== true && !(isBrief && rare === true) && !isElsewhere
}

/** True for keywords that add no information: the bounds of safe integers, a minimum of 1, and a default of false. */
const isRedundant = (keyword: string, value: unknown): boolean =>
  Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ||
  (keyword === 'default' && value === false) ||
  (keyword === 'minimum' && value === 1)

function withDescription(published: JsonSchema, { description }: JsonSchema): JsonSchema {
  return description === undefined ? published : { ...published, description }
}
