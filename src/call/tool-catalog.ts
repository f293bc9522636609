/** The endpoints of one kind of connection, with the schemas and validators made once per process. */
import { z } from 'zod'
import { ScriptoriumError } from '../base/errors.ts'
import type { Endpoint } from '../endpoint.ts'
import type { ConnectionKind } from '../space/model/space.ts'
import type { JsonSchema } from './arguments.ts'
import { nearestEndpoint } from './nearest-endpoint.ts'
import { ToolList } from './tool-list.ts'
import { createToolEntry } from './tool-schema.ts'

/** An endpoint as a tool of one kind of connection. */
export interface Tool {
  endpoint: Endpoint
  input: z.ZodType
  /** The whole schema of the input; what clients are shown of it is in the {@link ToolCatalog.list}. */
  schema: JsonSchema
}

export class ToolCatalog {
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #kind: ConnectionKind
  readonly #tools = new Map<string, Tool>()
  #list: ToolList | undefined

  constructor(endpoints: readonly Endpoint[], kind: ConnectionKind) {
    this.#kind = kind
    for (const endpoint of endpoints) {
      if (endpoint.input[kind] !== undefined) this.#endpoints.set(endpoint.name, endpoint)
    }
  }

  /** All tools as clients see them, created at first use: a client that knows them need not wait for it. */
  get list(): ToolList {
    this.#list ??= new ToolList(
      [...this.#endpoints.values()].map((endpoint) => createToolEntry(endpoint, this.get(endpoint.name).schema)),
    )
    return this.#list
  }

  get names(): string[] {
    return [...this.#endpoints.keys()]
  }

  /** The names of the tools that most work needs. */
  get essentialNames(): string[] {
    return [...this.#endpoints.values()].filter(({ isEssential }) => isEssential).map(({ name }) => name)
  }

  /** @throws NOT_AVAILABLE when this kind of connection has no such tool; the message names a near one */
  get(name: string): Tool {
    const existing = this.#tools.get(name)
    if (existing !== undefined) return existing
    const endpoint = this.#endpoints.get(name)
    const input = endpoint?.input[this.#kind]
    if (endpoint === undefined || input === undefined)
      throw toolNotAvailable(name, [...this.#endpoints.values()], this.#kind)
    const tool = { endpoint, input, schema: z.toJSONSchema(input, { io: 'input' }) as JsonSchema }
    this.#tools.set(name, tool)
    return tool
  }
}

function toolNotAvailable(name: string, endpoints: readonly Endpoint[], kind: ConnectionKind): ScriptoriumError {
  const near = nearestEndpoint(name, endpoints)
  const next =
    near === undefined ? 'tools/list shows which there are' : `did you mean ${near.name}${formatInputKeys(near, kind)}?`
  const end = near === undefined ? '.' : ''
  return new ScriptoriumError('NOT_AVAILABLE', `Expected a tool of this connection, found ${name}; ${next}${end}`)
}

const catalogs = new Map<readonly Endpoint[], Map<ConnectionKind, ToolCatalog>>()

/** The tools of one kind of connection, made at the first use and kept. */
export function toolCatalogFor(endpoints: readonly Endpoint[], kind: ConnectionKind): ToolCatalog {
  const byKind = catalogs.get(endpoints) ?? new Map<ConnectionKind, ToolCatalog>()
  catalogs.set(endpoints, byKind)
  const table = byKind.get(kind) ?? new ToolCatalog(endpoints, kind)
  byKind.set(kind, table)
  return table
}

/** ` with { required, optional? }`: what a call of it is made of. */
function formatInputKeys({ input }: Endpoint, kind: ConnectionKind): string {
  const { properties = {}, required = [] } = z.toJSONSchema(input[kind] as z.ZodType, { io: 'input' }) as JsonSchema
  const isRequired = (key: string) => (required as string[]).includes(key)
  const isShown = (key: string) => properties[key]?.hidden !== true
  const keys = Object.keys(properties).filter(isShown)
  const shown = [...keys.filter(isRequired), ...keys.filter((key) => !isRequired(key)).map((key) => `${key}?`)]
  return shown.length === 0 ? '' : ` with { ${shown.slice(0, MAX_KEYS).join(', ')} }`
}

const MAX_KEYS = 6
