/** Generates the OpenAPI 3.1 description of one connection's REST interface from the endpoint declarations. */

import { HTTP_STATUS } from '../base/errors.ts'
import type { Tool, ToolCatalog } from '../call/catalog/tool-catalog.ts'
import { outputSchemaOf } from '../call/catalog/tool-schema.ts'
import type { JsonSchema } from '../call/input/arguments.ts'
import type { Endpoint } from '../endpoint.ts'
import { acceptsTextBody, getRoutes, hasFormatChoice, parameterName, type Route, toolFor } from './rest-routes.ts'

/** Further data of a description. */
export interface OpenApiOptions {
  title: string
  /** The version of the program. */
  version: string
  /** The base URL of the connection's paths; without an origin, it is relative to the server. */
  baseUrl: string
  /** Names of tools to leave out, since the connection may not use them. */
  unavailable?: ReadonlySet<string>
  /** Further paths. */
  morePaths?: Readonly<Record<string, object>>
}

/**
 * Describes the endpoints of a kind of connection, with the parameters that apply to it. Inputs are described
 * completely, including fields that tool listings omit for brevity.
 */
export function createOpenApi(endpoints: readonly Endpoint[], table: ToolCatalog, options: OpenApiOptions): object {
  const { title, version, baseUrl, unavailable = new Set(), morePaths = {} } = options
  const schemas: Record<string, JsonSchema> = Object.assign(Object.create(null), { Error: errorSchema })
  const paths = getRoutes(endpoints).map((route) => [route.path, pathItem(route, table, unavailable, schemas)])
  return {
    openapi: '3.1.0',
    info: { title, version, description: DESCRIPTION },
    servers: [{ url: baseUrl }],
    security: [{}, { bearer: [] }],
    paths: { ...Object.fromEntries(paths.filter(([, item]) => Object.keys(item as object).length > 0)), ...morePaths },
    components: { schemas, headers, parameters, responses, securitySchemes },
  }
}

const DESCRIPTION =
  'Documents, tasks and collections of one space. What a connection may reach is decided by its link: its secret is part of the address, or, for links that were made so, sent as a bearer token.'

function pathItem(
  route: Route,
  table: ToolCatalog,
  unavailable: ReadonlySet<string>,
  schemas: Record<string, JsonSchema>,
): object {
  const operations = [...route.endpoints].flatMap(([method, endpoint]) => {
    const tool = toolFor(endpoint, table)
    if (tool === undefined || unavailable.has(endpoint.name)) return []
    return [[method.toLowerCase(), operation(method, route, tool, schemas)]]
  })
  return Object.fromEntries(operations)
}

function operation(method: string, { path, segments }: Route, tool: Tool, schemas: Record<string, JsonSchema>): object {
  const { name, title, description, effect, rawBody, follow } = tool.endpoint
  const input = placeSchema(`${name}_input`, tool.schema, schemas)
  const pathParameters = segments.flatMap((segment) => parameterName(segment) ?? [])
  const fields = Object.entries(input.properties ?? {})
  const others = fields.filter(([field]) => !pathParameters.includes(field))
  const required = input.required as string[] | undefined
  const isQuery = method === 'GET' || rawBody === true
  const parameters = [
    ...fields
      .filter(([field]) => pathParameters.includes(field))
      .map(([field, schema]) => pathParameter(field, schema)),
    ...(isQuery ? others.map(([field, schema]) => queryParameter(field, schema, required?.includes(field))) : []),
    ...textParameters(tool, others),
    { $ref: '#/components/parameters/IdSpelling' },
    ...(follow === undefined ? [] : [{ $ref: '#/components/parameters/LastEventId' }]),
    ...(effect === 'read'
      ? []
      : [{ $ref: '#/components/parameters/IdempotencyKey' }, { $ref: '#/components/parameters/Prefer' }]),
  ]
  const body = rawBody
    ? { content: { '*/*': {} } }
    : isQuery || others.length === 0
      ? undefined
      : requestBodyOf(tool, input, pathParameters)
  return {
    operationId: name,
    summary: title,
    description,
    tags: [path.split('/')[1]],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, ...body } }),
    responses: {
      200: responseOf(tool, schemas),
      ...(effect === 'read' || effect === 'decide' ? {} : { 202: { $ref: '#/components/responses/Proposed' } }),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

const pathParameter = (name: string, schema: JsonSchema) => ({ name, in: 'path', required: true, schema })

/** Lists are sent as repeated keys, as OpenAPI assumes by default. Objects, and lists of objects, are sent as JSON. */
function queryParameter(name: string, { description, ...schema }: JsonSchema, required = false) {
  const isPlain = schema.type === 'array' ? isText(schema.items) : schema.type !== 'object'
  const shape = isPlain ? { schema } : { content: { 'application/json': { schema } } }
  return {
    name,
    in: 'query',
    ...(required && { required }),
    ...(description !== undefined && { description }),
    ...shape,
  }
}

const isText = (items: JsonSchema | undefined): boolean => items?.type === 'string'

/** If the body is plain text, the other fields are query parameters. */
function textParameters(tool: Tool, others: readonly [string, JsonSchema][]) {
  const { textBody } = tool.endpoint
  if (textBody === undefined || !acceptsTextBody(tool)) return []
  const parametersBeside = others.filter(
    ([field]) => field !== textBody.field && !isListOfObjects(tool.schema.properties?.[field]),
  )
  return parametersBeside.map(([field, schema]) => ({
    ...queryParameter(field, schema),
    description: `With a body of ${textBody.mediaType}`,
  }))
}

const isListOfObjects = (schema: JsonSchema | undefined): boolean => schema?.type === 'array' && !isText(schema.items)

function requestBodyOf(
  tool: Tool,
  { properties = {}, required, ...input }: JsonSchema,
  pathParameters: readonly string[],
) {
  const others = Object.entries(properties).filter(([field]) => !pathParameters.includes(field))
  const requiredInBody = ((required as string[] | undefined) ?? []).filter((field) => !pathParameters.includes(field))
  const schema = {
    ...input,
    properties: Object.fromEntries(others),
    ...(requiredInBody.length > 0 && { required: requiredInBody }),
  }
  const { textBody } = tool.endpoint
  const text = textBody !== undefined &&
    acceptsTextBody(tool) && { [textBody.mediaType]: { schema: { type: 'string' } } }
  return { content: { 'application/json': { schema }, ...text } }
}

function responseOf(tool: Tool, schemas: Record<string, JsonSchema>) {
  const outputSchema = outputSchemaOf(tool.endpoint)
  const json =
    outputSchema === undefined ? { type: 'object' } : placeSchema(`${tool.endpoint.name}_answer`, outputSchema, schemas)
  const content = { 'application/json': { schema: json } }
  const stream = tool.endpoint.follow !== undefined && { 'text/event-stream': { schema: { type: 'string' } } }
  const markdown = hasFormatChoice(tool) && { 'text/markdown': { schema: { type: 'string' } } }
  const note = hasFormatChoice(tool) && { 'X-Scriptorium-Note': { $ref: '#/components/headers/X-Scriptorium-Note' } }
  return {
    description: 'The answer',
    headers: { ...limitHeaders, ...note },
    content: { ...content, ...stream, ...markdown },
  }
}

/** Internal annotations, which are not part of the output. */
const PRIVATE_KEYWORDS: ReadonlySet<string> = new Set([
  ...['$schema', '$defs', 'published', 'hidden', 'commas', 'asIn', 'emptyIsAbsent'],
])

/** Inserts a schema into the document. Referenced schemas become components with unique names. */
function placeSchema(name: string, schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const nameOf = (reference: string) =>
    reference === '#' ? name : reference.replace('#/$defs/', `${name}_`).replaceAll('__schema', '')
  const placed = rewriteSchema(schema, nameOf)
  for (const [key, inner] of Object.entries(schema.$defs ?? {}))
    schemas[nameOf(`#/$defs/${key}`)] = rewriteSchema(inner, nameOf)
  if (JSON.stringify(schema).includes('"$ref":"#"')) schemas[name] = placed
  return placed
}

function rewriteSchema(schema: JsonSchema, nameOf: (reference: string) => string): JsonSchema {
  const result: JsonSchema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (PRIVATE_KEYWORDS.has(keyword) || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) continue
    if (keyword === '$ref') result.$ref = `#/components/schemas/${nameOf(String(value))}`
    else if (keyword === 'properties')
      result.properties = rewriteProperties(value as Record<string, JsonSchema>, nameOf)
    else if (SUBSCHEMAS.has(keyword)) result[keyword] = rewriteAll(value, nameOf)
    else result[keyword] = value
  }
  return result
}

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

function rewriteAll(value: unknown, nameOf: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => rewriteAll(one, nameOf))
  return typeof value === 'object' && value !== null ? rewriteSchema(value as JsonSchema, nameOf) : value
}

const rewriteProperties = (properties: Record<string, JsonSchema>, nameOf: (reference: string) => string) =>
  Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, rewriteSchema(schema, nameOf)]))

const errorSchema: JsonSchema = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'What was expected, what was found, and what to do next' },
    code: { type: 'string', enum: Object.keys(HTTP_STATUS) },
    details: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
        additionalProperties: false,
      },
    },
  },
  required: ['error', 'code'],
  additionalProperties: false,
}

const header = (description: string, type = 'integer') => ({ description, schema: { type } })

const headers = {
  'X-RateLimit-Limit': header('Requests to the space in one window'),
  'X-RateLimit-Remaining': header('Requests that are left'),
  'X-RateLimit-Reset': header('Second since 1970 at which the window of requests ends'),
  'X-BlockBudget-Limit': header('Blocks read or written in one window'),
  'X-BlockBudget-Remaining': header('Blocks that are left'),
  'X-BlockBudget-Reset': header('Second since 1970 at which the window of blocks ends'),
  'X-Scriptorium-Note': header('Of an answer in Markdown: its revision, and how it goes on', 'string'),
  'Retry-After': header('Seconds until the same call can pass'),
}

const headerReference = (name: string): [string, object] => [name, { $ref: `#/components/headers/${name}` }]
const limitHeaders = Object.fromEntries(
  Object.keys(headers)
    .filter((name) => name.startsWith('X-RateLimit') || name.startsWith('X-BlockBudget'))
    .map(headerReference),
)

const parameters = {
  IdSpelling: {
    name: 'ids',
    in: 'query',
    description:
      'How IDs are written in the answer: long, as UUIDs, or short, as twelve digits. Both are read everywhere',
    schema: { type: 'string', enum: ['long', 'short'], default: 'long' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Where a stream of events goes on that was cut off; in place of the cursor',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key with the same call gets the first answer again; nothing is written twice',
    schema: { type: 'string' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'With dry-run the call changes nothing: the response says in the field dryRun what it would change, before what it would answer',
    schema: { type: 'string' },
  },
}

const changes = {
  summary: { type: 'string', description: 'What changes, in words' },
  diff: { type: 'string', description: 'A unified diff of the Markdown of the documents' },
  isDiffComplete: { type: 'boolean', description: 'False if more of it follows, or if changes are left out' },
  isDiffCoarse: { type: 'boolean', description: 'True if too much changed to compare it line by line' },
}

const responses = {
  Proposed: {
    description: 'Of a link with access propose: what waits for approval, before what the call would have answered',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            proposal: {
              type: 'object',
              properties: { proposalId: { type: 'string' }, ...changes },
              required: ['proposalId', 'summary', 'diff', 'isDiffComplete'],
            },
          },
          required: ['proposal'],
        },
      },
    },
  },
  Error: {
    description: 'What is wrong, and what to do about it',
    headers: Object.fromEntries([headerReference('Retry-After')]),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
}

const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } }
