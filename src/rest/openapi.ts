/** Generates the OpenAPI 3.1 description of one connection's REST interface from the endpoint declarations. */

import { NamedSchemas } from '../call/catalog/named-schemas.ts'
import type { Tool, ToolCatalog } from '../call/catalog/tool-catalog.ts'
import { answerSchemaOf } from '../call/catalog/tool-schema.ts'
import type { JsonSchema } from '../call/input/arguments.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  errorResponses,
  errorSchemas,
  headerReferences,
  headers,
  limitHeaders,
  parameters,
  proposalSchema,
  responses,
  securitySchemes,
} from './openapi-components.ts'
import { acceptsTextBody, getRoutes, hasFormatChoice, parameterName, type Route, toolFor } from './rest-routes.ts'

/** Further data of a description. */
export interface OpenApiOptions {
  title: string
  /** The version of the program. */
  version: string
  /** The base URL of the connection's paths; without an origin, it is relative to the server. */
  baseUrl: string
  /** True if the changes of the connection wait for approval. */
  proposes?: boolean
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
  const { title, version, baseUrl, unavailable = new Set(), morePaths = {}, proposes = false } = options
  const schemas = new NamedSchemas(proposes ? { ...errorSchemas, Proposal: proposalSchema } : errorSchemas)
  const paths = getRoutes(endpoints).map((route) => [
    route.path,
    pathItem(route, table, unavailable, proposes, schemas),
  ])
  return {
    openapi: '3.1.0',
    info: { title, version, description: DESCRIPTION },
    servers: [{ url: baseUrl }],
    security: [{}, { bearer: [] }],
    paths: { ...Object.fromEntries(paths.filter(([, item]) => Object.keys(item as object).length > 0)), ...morePaths },
    components: { schemas: schemas.components, headers, parameters, responses, securitySchemes },
  }
}

const DESCRIPTION =
  'Documents, tasks and collections of one space. What a connection may reach is decided by its link: its secret is part of the address, or, for links that were made so, sent as a bearer token.'

function pathItem(
  route: Route,
  table: ToolCatalog,
  unavailable: ReadonlySet<string>,
  proposes: boolean,
  schemas: NamedSchemas,
): object {
  const operations = [...route.endpoints].flatMap(([method, endpoint]) => {
    const tool = toolFor(endpoint, table)
    if (tool === undefined || unavailable.has(endpoint.name)) return []
    return [[method.toLowerCase(), operation(method, route, tool, proposes, schemas)]]
  })
  return Object.fromEntries(operations)
}

function operation(
  method: string,
  { path, segments }: Route,
  tool: Tool,
  proposes: boolean,
  schemas: NamedSchemas,
): object {
  const { name, title, description, effect, rawBody, follow } = tool.endpoint
  const input = schemas.place(`${name}_input`, tool.schema)
  const pathParameters = segments.flatMap((segment) => parameterName(segment) ?? [])
  const fields = Object.entries(input.properties ?? {})
  const others = fields.filter(([field]) => !pathParameters.includes(field))
  const required = input.required as string[] | undefined
  const isQuery = method === 'GET' || rawBody === true
  const parameters = [
    ...fields
      .filter(([field]) => pathParameters.includes(field))
      .map(([field, schema]) => pathParameter(field, schema)),
    ...(isQuery ? others.map(([field, schema]) => queryParameter(tool, field, schema, required?.includes(field))) : []),
    ...textParameters(tool, others),
    { $ref: '#/components/parameters/IdSpelling' },
    ...(follow === undefined ? [] : [{ $ref: '#/components/parameters/LastEventId' }]),
    ...(effect === 'read'
      ? []
      : [
          { $ref: '#/components/parameters/IdempotencyKey' },
          { $ref: '#/components/parameters/ClientName' },
          { $ref: '#/components/parameters/Prefer' },
        ]),
  ]
  const body = rawBody
    ? { content: { '*/*': {} } }
    : isQuery || others.length === 0
      ? undefined
      : requestBodyOf(tool, input, pathParameters)
  const answer = schemas.place(`${name}_answer`, withBounds(answerSchemaOf(tool.endpoint), tool))
  return {
    operationId: name,
    summary: title,
    description,
    tags: [path.split('/')[1]],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, ...body } }),
    responses: {
      200: responseOf(tool, answer),
      ...(proposes && effect !== 'read' && effect !== 'decide' && { 202: proposedResponse(answer, schemas) }),
      ...errorResponses({ hasBody: body !== undefined, isChange: effect !== 'read' }),
    },
  }
}

/** A change answers an entry, or a conflict, for each entry of its list: both lists have the bound of that one. */
function withBounds(answer: JsonSchema, { endpoint: { effect }, schema }: Tool): JsonSchema {
  const bounds = Object.values(schema.properties ?? {}).flatMap(({ maxItems }) => Number(maxItems ?? 0))
  const most = Math.max(0, ...bounds)
  if (effect === 'read' || most === 0 || answer.properties?.items === undefined) return answer
  const properties = Object.entries(answer.properties).map(([name, list]) => {
    const isBounded = (name === 'items' || name === 'conflicts') && list.type === 'array' && list.maxItems === undefined
    return [name, isBounded ? { ...list, maxItems: most } : list]
  })
  return { ...answer, properties: Object.fromEntries(properties) }
}

const pathParameter = (name: string, schema: JsonSchema) => ({ name, in: 'path', required: true, schema })

/** Lists are sent as repeated keys, as OpenAPI assumes by default. Objects, and lists of objects, are sent as JSON. */
function queryParameter(tool: Tool, name: string, { description, ...schema }: JsonSchema, required = false) {
  // Not that of the document, where the shape can be a reference.
  const { type, items } = tool.schema.properties?.[name] ?? {}
  const isPlain = type === 'array' ? isText(items) : type !== 'object'
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
    ...queryParameter(tool, field, schema),
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

/**
 * The answer as JSON. Other forms, which the caller asks for, are described in words: as further media types they would
 * make the type of the answer a union for clients that are generated from the document.
 */
function responseOf(tool: Tool, answer: JsonSchema) {
  const { follow, shorten } = tool.endpoint
  const isText = hasFormatChoice(tool)
  const forms = [
    'The answer',
    ...(isText ? ['with format=markdown its text, as text/markdown'] : []),
    ...(follow === undefined ? [] : ['with Accept: text/event-stream a stream of events of that type']),
    ...(shorten !== undefined
      ? ['with answer: "ids" the IDs of what was written, and what the caller could not know']
      : []),
  ]
  return {
    description: forms.join('; '),
    headers: { ...limitHeaders, ...(isText && headerReferences(['X-Scriptorium-Note'])) },
    content: { 'application/json': { schema: answer } },
  }
}

/** The answer of a call that waits for approval: that of the call, and the proposal before it. */
function proposedResponse(answer: JsonSchema, { components }: NamedSchemas) {
  const name = answer.$ref?.replace('#/components/schemas/', '')
  const shape = (name === undefined ? answer : components[name]) ?? {}
  const schema = {
    ...shape,
    properties: { proposal: { $ref: '#/components/schemas/Proposal' }, ...shape.properties },
    required: ['proposal', ...(shape.required ?? [])],
  }
  return {
    description: 'What waits for approval, before what the call would have answered',
    headers: limitHeaders,
    content: { 'application/json': { schema } },
  }
}
