/** Finds the endpoint of a method and a path, from the routes that the declarations name. */
import type { Endpoint } from '../endpoint.ts'
import { ScriptoriumError } from '../errors.ts'
import { nearest } from './faults.ts'
import { decodePart } from './rest-query.ts'
import type { Tool, ToolTable } from './table.ts'

/** A path of the interface, such as `/collections/{collectionId}/items`, and the endpoint of each of its methods. */
export interface Route {
  path: string
  segments: readonly string[]
  endpoints: ReadonlyMap<string, Endpoint>
}

/** A tool that was found, and what the path says: inputs of the same names. */
export interface Found {
  tool: Tool
  inPath: Record<string, string>
}

/** A method that the path has not; `allow` are those that it has. */
export class WrongMethod extends ScriptoriumError {
  readonly allow: string

  constructor(message: string, allow: string) {
    super('METHOD_NOT_ALLOWED', message)
    this.allow = allow
  }
}

/**
 * @param path  as it stands in the address; one slash at its end is tolerated
 * @throws NOT_AVAILABLE for a path that this kind of connection has not; WrongMethod; VALIDATION_ERROR for a path that
 *   is no percent-encoded UTF-8
 */
export function findTool(method: string, path: string, endpoints: readonly Endpoint[], table: ToolTable): Found {
  const { route, inPath } = findRoute(path, endpoints, table)
  const endpoint = route.endpoints.get(method === 'HEAD' ? 'GET' : method)
  const tool = endpoint && toolOf(endpoint, table)
  if (tool === undefined) throw wrongMethod(method, route, endpoint, table)
  return { tool, inPath }
}

/** What an `Allow` header says of a path. @throws as {@link findTool} does */
export function methodsOf(path: string, endpoints: readonly Endpoint[], table: ToolTable): string {
  return allowed(findRoute(path, endpoints, table).route, table)
}

/** The tool of an endpoint, where this kind of connection has it. */
export function toolOf({ name }: Endpoint, table: ToolTable): Tool | undefined {
  try {
    return table.get(name)
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'NOT_AVAILABLE') return undefined
    throw error
  }
}

/** Whether this kind of connection is one of those that the endpoint takes text from. */
export const takesText = ({ endpoint, input }: Tool): boolean =>
  endpoint.textBody?.kinds.some((kind) => endpoint.input[kind] === input) ?? false

/** Whether the answer is JSON or Markdown as the caller likes. */
export function choosesFormat({ schema }: Tool): boolean {
  const formats = schema.properties?.format?.enum
  return Array.isArray(formats) && formats.includes('json') && formats.includes('markdown')
}

const known = new WeakMap<readonly Endpoint[], readonly Route[]>()

/** Every path of the endpoints, in their order; made once for each list of them. */
export function routesOf(endpoints: readonly Endpoint[]): readonly Route[] {
  const made = known.get(endpoints) ?? makeRoutes(endpoints)
  known.set(endpoints, made)
  return made
}

function makeRoutes(endpoints: readonly Endpoint[]): Route[] {
  const byPath = new Map<string, Map<string, Endpoint>>()
  for (const endpoint of endpoints) {
    const [method = '', path = ''] = endpoint.route.split(' ')
    const methods = byPath.get(path) ?? new Map<string, Endpoint>()
    byPath.set(path, methods.set(method, endpoint))
  }
  return [...byPath].map(([path, endpoints]) => ({ path, segments: path.split('/').slice(1), endpoints }))
}

/** The name in `{name}`. */
export const parameterOf = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1]

function findRoute(path: string, endpoints: readonly Endpoint[], table: ToolTable) {
  const given = path
    .replace(/\/$/, '')
    .split('/')
    .slice(1)
    .map((segment) => decodePart(segment, 'the path'))
  const matching = routesOf(endpoints).filter((route) => matches(route, given))
  const here = matching.find((route) => toolsOf(route, table).length > 0)
  if (here === undefined) throw matching[0] ? ofOthers(path, matching[0]) : unknown(path, given, endpoints, table)
  const named = here.segments.flatMap((segment, index) => {
    const name = parameterOf(segment)
    return name === undefined ? [] : [[name, given[index] ?? ''] as const]
  })
  return { route: here, inPath: Object.fromEntries(named) }
}

const matches = ({ segments }: Route, given: readonly string[]): boolean =>
  segments.length === given.length &&
  segments.every((segment, index) => (parameterOf(segment) === undefined ? segment === given[index] : given[index]))

const toolsOf = ({ endpoints }: Route, table: ToolTable): string[] =>
  [...endpoints].filter(([, endpoint]) => toolOf(endpoint, table) !== undefined).map(([method]) => method)

function allowed(route: Route, table: ToolTable): string {
  const methods = toolsOf(route, table)
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')
}

function wrongMethod(method: string, route: Route, endpoint: Endpoint | undefined, table: ToolTable): WrongMethod {
  const found = endpoint === undefined ? method : `${method}, which is of ${kindsOf([endpoint])} alone`
  const methods = toolsOf(route, table)
  const words = methods.length > 1 ? `${methods.slice(0, -1).join(', ')} or ${methods.at(-1)}` : methods.join()
  return new WrongMethod(`Expected ${words} on ${route.path}, found ${found}.`, allowed(route, table))
}

const ofOthers = (path: string, { endpoints }: Route) =>
  notAvailable(path, `which is of ${kindsOf([...endpoints.values()])} alone; this one has not got it`)

function kindsOf(endpoints: readonly Endpoint[]): string {
  const kinds = new Set(endpoints.flatMap(({ input }) => Object.keys(input)))
  return `${[...kinds].join(' and ')} connections`
}

const SUGGESTED = 3

function unknown(path: string, given: readonly string[], endpoints: readonly Endpoint[], table: ToolTable) {
  const near = routesOf(endpoints)
    .filter((route) => toolsOf(route, table).length > 0 && isNear(given, route))
    .slice(0, SUGGESTED)
  const next =
    near.length > 0
      ? `did you mean ${near.map((route) => `${route.path} (${toolsOf(route, table).join(', ')})`).join(' or ')}?`
      : 'GET /openapi.json lists them.'
  return notAvailable(path, next, ';', '')
}

/** Of paths that are as long, each word is compared by itself, and what stands for an ID with anything. */
function isNear(given: readonly string[], { path, segments }: Route): boolean {
  if (segments.length !== given.length) return nearest(`/${given.join('/')}`, [path]) !== undefined
  return segments.every(
    (segment, index) => parameterOf(segment) !== undefined || nearest(given[index] ?? '', [segment]) !== undefined,
  )
}

const SHOWN = 100

function notAvailable(path: string, next: string, mark = ',', end = '.'): ScriptoriumError {
  const shown = path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path
  return new ScriptoriumError(
    'NOT_AVAILABLE',
    `Expected a path of this connection, found ${shown || '/'}${mark} ${next}${end}`,
  )
}
