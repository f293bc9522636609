/** Finds the endpoint for a method and a path. */

import { ScriptoriumError } from '../base/errors.ts'
import { nearestName } from '../base/nearest-name.ts'
import type { Tool, ToolCatalog } from '../call/catalog/tool-catalog.ts'
import type { Endpoint } from '../endpoint.ts'
import { decodeUrlPart } from './rest-query.ts'

/** A path such as `/collections/{collectionId}/items`, with the endpoint of each method. */
export interface Route {
  path: string
  segments: readonly string[]
  endpoints: ReadonlyMap<string, Endpoint>
}

/** The matching tool, and the path parameters, which are inputs of the same names. */
export interface RouteMatch {
  tool: Tool
  pathParameters: Record<string, string>
}

/** The path does not support the method. `allow` lists the supported ones. */
export class MethodNotAllowed extends ScriptoriumError {
  readonly allow: string

  constructor(message: string, allow: string) {
    super('METHOD_NOT_ALLOWED', message)
    this.allow = allow
  }
}

/**
 * @param path  as in the address; a trailing slash is tolerated
 * @throws NOT_AVAILABLE for a path that this kind of connection does not have; MethodNotAllowed; VALIDATION_ERROR for
 *   invalid percent-encoding
 */
export function matchRoute(
  method: string,
  path: string,
  endpoints: readonly Endpoint[],
  table: ToolCatalog,
): RouteMatch {
  const { route, pathParameters } = findRoute(path, endpoints, table)
  const endpoint = route.endpoints.get(method === 'HEAD' ? 'GET' : method)
  const tool = endpoint && toolFor(endpoint, table)
  if (tool === undefined) throw methodNotAllowed(method, route, endpoint, table, getRoutes(endpoints))
  return { tool, pathParameters }
}

/** The value of the `Allow` header for a path. @throws as {@link matchRoute} */
export function allowedMethods(path: string, endpoints: readonly Endpoint[], table: ToolCatalog): string {
  return formatAllow(findRoute(path, endpoints, table).route, table)
}

/** The tool of an endpoint, if this kind of connection has it. */
export const toolFor = ({ name }: Endpoint, table: ToolCatalog): Tool | undefined => table.find(name)

/** True if the endpoint accepts text bodies on this kind of connection. */
export const acceptsTextBody = ({ endpoint, input }: Tool): boolean =>
  endpoint.textBody?.kinds.some((kind) => endpoint.input[kind] === input) ?? false

/** True if the caller can choose between JSON and Markdown. */
export function hasFormatChoice({ schema }: Tool): boolean {
  const formats = schema.properties?.format?.enum
  return Array.isArray(formats) && formats.includes('json') && formats.includes('markdown')
}

const routesByEndpoints = new WeakMap<readonly Endpoint[], readonly Route[]>()

/** All paths of the endpoints, in order. Cached per list of endpoints. */
export function getRoutes(endpoints: readonly Endpoint[]): readonly Route[] {
  const routes = routesByEndpoints.get(endpoints) ?? createRoutes(endpoints)
  routesByEndpoints.set(endpoints, routes)
  return routes
}

function createRoutes(endpoints: readonly Endpoint[]): Route[] {
  const byPath = new Map<string, Map<string, Endpoint>>()
  for (const endpoint of endpoints) {
    const [method = '', path = ''] = endpoint.route.split(' ')
    const methods = byPath.get(path) ?? new Map<string, Endpoint>()
    byPath.set(path, methods.set(method, endpoint))
  }
  return [...byPath].map(([path, endpoints]) => ({ path, segments: path.split('/').slice(1), endpoints }))
}

/** The parameter name in `{name}`. */
export const parameterName = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1]

function findRoute(path: string, endpoints: readonly Endpoint[], table: ToolCatalog) {
  const requested = path
    .replace(/\/$/, '')
    .split('/')
    .slice(1)
    .map((segment) => decodeUrlPart(segment, 'the path'))
  const matching = getRoutes(endpoints).filter((route) => matchesPath(route, requested))
  const available = matching.find((route) => methodsFor(route, table).length > 0)
  if (available === undefined)
    throw matching[0] ? otherKindsOnly(path, matching[0]) : unknownPath(path, requested, endpoints, table)
  const parameters = available.segments.flatMap((segment, index) => {
    const name = parameterName(segment)
    return name === undefined ? [] : [[name, requested[index] ?? ''] as const]
  })
  return { route: available, pathParameters: Object.fromEntries(parameters) }
}

const matchesPath = ({ segments }: Route, requested: readonly string[]): boolean =>
  segments.length === requested.length &&
  segments.every((segment, index) =>
    parameterName(segment) === undefined ? segment === requested[index] : requested[index],
  )

const methodsFor = ({ endpoints }: Route, table: ToolCatalog): string[] =>
  [...endpoints].filter(([, endpoint]) => toolFor(endpoint, table) !== undefined).map(([method]) => method)

function formatAllow(route: Route, table: ToolCatalog): string {
  const methods = methodsFor(route, table)
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')
}

function methodNotAllowed(
  method: string,
  route: Route,
  endpoint: Endpoint | undefined,
  table: ToolCatalog,
  all: readonly Route[],
): MethodNotAllowed {
  const found = endpoint === undefined ? method : `${method}, which only ${formatKinds([endpoint])} have`
  const methods = methodsFor(route, table)
  const choices = methods.length > 1 ? `${methods.slice(0, -1).join(', ')} or ${methods.at(-1)}` : methods.join()
  // Other services may have actions on the path itself that are on a subpath here, such as PUT /documents/move.
  const below = all.filter(({ path, segments }) => path === `${route.path}/${segments.at(-1)}`)
  const meant = below.filter((one) => methodsFor(one, table).includes(method))
  const next = meant.length === 1 ? `; did you mean ${method} ${meant[0]?.path}?` : '.'
  return new MethodNotAllowed(`Expected ${choices} on ${route.path}, found ${found}${next}`, formatAllow(route, table))
}

const otherKindsOnly = (path: string, { endpoints }: Route) =>
  notAvailable(
    path,
    `which only ${formatKinds([...endpoints.values()])} have; ask the person who made this link for another one`,
  )

function formatKinds(endpoints: readonly Endpoint[]): string {
  const kinds = new Set(endpoints.flatMap(({ input }) => Object.keys(input)))
  return `${[...kinds].join(' and ')} connections`
}

const MAX_SUGGESTIONS = 3

function unknownPath(path: string, requested: readonly string[], endpoints: readonly Endpoint[], table: ToolCatalog) {
  const similar = getRoutes(endpoints)
    .filter((route) => methodsFor(route, table).length > 0 && isSimilar(requested, route))
    .slice(0, MAX_SUGGESTIONS)
  const suggestion =
    similar.length > 0
      ? `did you mean ${similar.map((route) => `${route.path} (${methodsFor(route, table).join(', ')})`).join(' or ')}?`
      : 'GET /openapi.json lists them.'
  return notAvailable(path, suggestion, ';', '')
}

/** Compares paths of the same length word by word. A path parameter matches anything. */
function isSimilar(requested: readonly string[], { path, segments }: Route): boolean {
  if (segments.length !== requested.length) return nearestName(`/${requested.join('/')}`, [path]) !== undefined
  return segments.every(
    (segment, index) =>
      parameterName(segment) !== undefined || nearestName(requested[index] ?? '', [segment]) !== undefined,
  )
}

const MAX_SHOWN = 100

function notAvailable(path: string, next: string, mark = ',', end = '.'): ScriptoriumError {
  const shown = path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path
  return new ScriptoriumError(
    'NOT_AVAILABLE',
    `Expected a path of this connection, found ${shown || '/'}${mark} ${next}${end}`,
  )
}
