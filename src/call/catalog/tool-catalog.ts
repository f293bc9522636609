/** The endpoints of one kind of connection. Schemas and validators are built once per process. */
import { z } from 'zod'
import { ScriptoriumError } from '../../base/errors.ts'
import type { Endpoint } from '../../endpoint.ts'
import type { ConnectionKind, Space } from '../../space/model/space.ts'
import type { JsonSchema } from '../input/arguments.ts'
import { truncate } from '../input/validation-errors.ts'
import { nearestEndpoint } from './nearest-endpoint.ts'
import { hasOwnParticipant, isEffectAllowed, ToolList } from './tool-list.ts'
import { createToolEntry } from './tool-schema.ts'
import { typedEntry } from './typed-tools.ts'

/** An endpoint, with the schema for one kind of connection. */
export interface Tool {
  endpoint: Endpoint
  /** All tools of the same kind of connection. */
  catalog: ToolCatalog
  input: z.ZodType
  /** The complete input schema. {@link ToolCatalog.list} has the simplified one that clients see. */
  readonly schema: JsonSchema
}

export class ToolCatalog {
  readonly #all: readonly Endpoint[]
  /** All endpoints of the kind, including those without an MCP tool. */
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #kind: ConnectionKind
  readonly #tools = new Map<string, Tool>()
  #list: ToolList | undefined
  #typedList: ToolList | undefined
  #names: ReadonlySet<string> | undefined

  constructor(endpoints: readonly Endpoint[], kind: ConnectionKind) {
    this.#all = endpoints
    this.#kind = kind
    for (const endpoint of endpoints) {
      if (endpoint.input[kind] !== undefined) this.#endpoints.set(endpoint.name, endpoint)
    }
  }

  /** All tools as clients see them. Created on first use, so that clients that know the list need not wait for it. */
  get list(): ToolList {
    this.#list ??= new ToolList(
      this.#toolEndpoints.map((endpoint) => createToolEntry(endpoint, this.get(endpoint.name).schema)),
    )
    return this.#list
  }

  /** The endpoint that lists events, if there is one. */
  get withEvents(): Tool | undefined {
    const found = [...this.#endpoints.values()].find(({ eventTypes }) => eventTypes !== undefined)
    return found && this.find(found.name)
  }

  /** The same for connections with typed answers. */
  get typedList(): ToolList {
    this.#typedList ??= new ToolList(
      this.list.entries.map((entry) => typedEntry(entry, this.get(entry.listing.name).endpoint)),
    )
    return this.#typedList
  }

  /** The catalog of another kind of connection. */
  ofKind(kind: ConnectionKind): ToolCatalog {
    return kind === this.#kind ? this : toolCatalogFor(this.#all, kind)
  }

  get names(): string[] {
    return this.#toolEndpoints.map(({ name }) => name)
  }

  /** The names of the tools that most work needs. */
  get essentialNames(): string[] {
    return this.#toolEndpoints.filter(({ isEssential }) => isEssential).map(({ name }) => name)
  }

  /** @throws NOT_AVAILABLE if this kind of connection has no such tool; the message suggests a similar one */
  get(name: string): Tool {
    const tool = this.find(name)
    if (tool === undefined || tool.endpoint.isRestOnly) throw toolNotAvailable(name, this.#toolEndpoints, this.#kind)
    return tool
  }

  /** What the views of some tools may call, although it is no tool. */
  get forViews(): Tool[] {
    return [...this.#endpoints.values()].flatMap(({ name, isForViewOf }) =>
      isForViewOf === undefined ? [] : (this.find(name) ?? []),
    )
  }

  /** True if some kind of connection has an endpoint with this name. */
  isTool(name: string): boolean {
    this.#names ??= new Set(this.#all.map((endpoint) => endpoint.name))
    return this.#names.has(name)
  }

  /**
   * The endpoint with this name, whether or not it is an MCP tool; undefined if this kind of connection does not have
   * it.
   */
  find(name: string): Tool | undefined {
    const existing = this.#tools.get(name)
    if (existing !== undefined) return existing
    const endpoint = this.#endpoints.get(name)
    const input = endpoint?.input[this.#kind]
    if (endpoint === undefined || input === undefined) return undefined
    let schema: JsonSchema | undefined
    const tool = {
      endpoint,
      input,
      catalog: this,
      // Made on first use: pages ask for most tools only whether they exist.
      get schema() {
        schema ??= z.toJSONSchema(input, { io: 'input' }) as JsonSchema
        return schema
      },
    }
    this.#tools.set(name, tool)
    return tool
  }

  /** The names of the endpoints that the connection cannot use at the moment, including those without an MCP tool. */
  async unavailable(space: Space): Promise<ReadonlySet<string>> {
    const isPersonalAllowed = await hasOwnParticipant(space)
    const unavailable = [...this.#endpoints.values()].filter(
      ({ effect, isPersonal }) => !isEffectAllowed(effect, space.link.access) || (isPersonal && !isPersonalAllowed),
    )
    return new Set(unavailable.map(({ name }) => name))
  }

  get #toolEndpoints(): Endpoint[] {
    return [...this.#endpoints.values()].filter(({ isRestOnly }) => !isRestOnly)
  }
}

function toolNotAvailable(name: string, endpoints: readonly Endpoint[], kind: ConnectionKind): ScriptoriumError {
  const near = nearestEndpoint(name, endpoints)
  const next =
    near === undefined ? 'tools/list shows which there are' : `did you mean ${near.name}${formatInputKeys(near, kind)}?`
  const end = near === undefined ? '.' : ''
  const found = truncate(name)
  return new ScriptoriumError('NOT_AVAILABLE', `Expected a tool of this connection, found ${found}; ${next}${end}`)
}

const catalogs = new Map<readonly Endpoint[], Map<ConnectionKind, ToolCatalog>>()

/** The catalog for one kind of connection, built on first use and cached. */
export function toolCatalogFor(endpoints: readonly Endpoint[], kind: ConnectionKind): ToolCatalog {
  const byKind = catalogs.get(endpoints) ?? new Map<ConnectionKind, ToolCatalog>()
  catalogs.set(endpoints, byKind)
  const table = byKind.get(kind) ?? new ToolCatalog(endpoints, kind)
  byKind.set(kind, table)
  return table
}

/** Describes the inputs of a call, such as ` with { required, optional? }`. */
function formatInputKeys({ input }: Endpoint, kind: ConnectionKind): string {
  const { properties = {}, required = [] } = z.toJSONSchema(input[kind] as z.ZodType, { io: 'input' }) as JsonSchema
  const isRequired = (key: string) => (required as string[]).includes(key)
  const isShown = (key: string) => properties[key]?.hidden !== true
  const keys = Object.keys(properties).filter(isShown)
  const shown = [...keys.filter(isRequired), ...keys.filter((key) => !isRequired(key)).map((key) => `${key}?`)]
  return shown.length === 0 ? '' : ` with { ${shown.slice(0, MAX_KEYS).join(', ')} }`
}

const MAX_KEYS = 6
