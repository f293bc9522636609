/** The endpoints of one kind of connection, with the schemas and validators made once per process. */
import { z } from 'zod'
import type { Effect, Endpoint } from '../endpoint.ts'
import { invalid, ScriptoriumError } from '../errors.ts'
import type { Access, Kind, Space } from '../space/space.ts'
import type { JsonSchema } from './arguments.ts'
import { nearest } from './faults.ts'
import { publish, publishOutput } from './publish.ts'

/** What each access lets a link do. */
export const mayDo = (effect: Effect, access: Access): boolean =>
  access === 'full' || effect === 'read' || (access === 'no-delete' && effect !== 'delete')

/** An endpoint as a tool of one kind of connection. */
export interface Tool {
  endpoint: Endpoint
  input: z.ZodType
  /** The whole schema of the input; what clients are shown of it is in the {@link ToolTable.listing}. */
  schema: JsonSchema
}

/** A tool as `tools/list` shows it. */
export interface ToolListing {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema & { type: 'object' }
  outputSchema?: JsonSchema & { type: 'object' }
  annotations: Record<string, boolean>
}

export class ToolTable {
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #kind: Kind
  readonly #tools = new Map<string, Tool>()
  #listing: readonly ToolListing[] | undefined

  constructor(endpoints: readonly Endpoint[], kind: Kind) {
    this.#kind = kind
    for (const endpoint of endpoints) {
      if (endpoint.input[kind] !== undefined) this.#endpoints.set(endpoint.name, endpoint)
    }
  }

  /** All tools, made when first asked for: a client that knows them need not wait for it. */
  get listing(): readonly ToolListing[] {
    this.#listing ??= [...this.#endpoints.values()].map((endpoint) => listed(endpoint, this.get(endpoint.name).schema))
    return this.#listing
  }

  /** The names of those that a link of this access may not use. */
  forbidden(access: Access): ReadonlySet<string> {
    const names = [...this.#endpoints.values()].filter(({ effect }) => !mayDo(effect, access)).map(({ name }) => name)
    return new Set(names)
  }

  /** The names of those that the connection may not use as things stand. */
  async unavailable(space: Space): Promise<ReadonlySet<string>> {
    const names = new Set<string>()
    for (const { name, available } of this.#endpoints.values()) {
      if (available !== undefined && !(await isAvailable(available, space))) names.add(name)
    }
    return names
  }

  /**
   * The names of the tools that somebody asks for, each by its own name, or those of a resource by its noun, such as
   * `documents`.
   *
   * @throws VALIDATION_ERROR for a word that names none
   */
  chosen(words: readonly string[]): ReadonlySet<string> {
    const names = [...this.#endpoints.keys()]
    const byNoun = Map.groupBy(names, nounOf)
    return new Set(
      words.flatMap((word) => byNoun.get(word) ?? (names.includes(word) ? word : unknownTool(word, names))),
    )
  }

  /** @throws NOT_AVAILABLE when this kind of connection has no such tool; the message names a near one */
  get(name: string): Tool {
    const made = this.#tools.get(name)
    if (made !== undefined) return made
    const endpoint = this.#endpoints.get(name)
    const input = endpoint?.input[this.#kind]
    if (endpoint === undefined || input === undefined) throw notAvailable(name, [...this.#endpoints.keys()])
    const tool = { endpoint, input, schema: z.toJSONSchema(input, { io: 'input' }) as JsonSchema }
    this.#tools.set(name, tool)
    return tool
  }
}

async function isAvailable(available: NonNullable<Endpoint['available']>, space: Space): Promise<boolean> {
  try {
    await available(space)
    return true
  } catch (error) {
    if (error instanceof ScriptoriumError) return false
    throw error
  }
}

/** `daily_notes` of `daily_notes_search`. */
const nounOf = (name: string): string => name.slice(0, name.lastIndexOf('_'))

function unknownTool(word: string, names: readonly string[]): never {
  const nouns = new Set(names.map(nounOf))
  const near = nearest(word, [...nouns, ...names])
  const next = near === undefined ? `give some of ${[...nouns].join(', ')}, or tools by name.` : `did you mean ${near}?`
  throw invalid(`Expected tools of this connection, found ${JSON.stringify(word)}; ${next}`)
}

/**
 * What a caller has who takes some tools only.
 *
 * @param lists  names or nouns, with commas between them; where there are none, the caller takes all
 * @throws VALIDATION_ERROR for what names no tool
 */
export function toolsAsked(table: ToolTable, lists: readonly string[]): { tools?: ReadonlySet<string> } {
  const words = lists.flatMap((list) => list.split(',')).map((word) => word.trim())
  const named = words.filter((word) => word !== '')
  return named.length === 0 ? {} : { tools: table.chosen(named) }
}

/** @param tools  those that the caller asked for @throws NOT_AVAILABLE for another, which it has been told nothing of */
export function refuseUnasked(name: string, tools: ReadonlySet<string> | undefined): void {
  if (tools === undefined || tools.has(name)) return
  throw new ScriptoriumError(
    'NOT_AVAILABLE',
    `Expected one of the tools that this connection asks for (${[...tools].join(', ')}), found ${name}; connect with ${name} among them.`,
  )
}

function notAvailable(name: string, names: readonly string[]): ScriptoriumError {
  const near = nearest(name, names)
  const next = near === undefined ? `its tools are ${names.join(', ')}` : `did you mean ${near}`
  return new ScriptoriumError('NOT_AVAILABLE', `Expected a tool of this connection, found ${name}; ${next}.`)
}

function listed(endpoint: Endpoint, schema: JsonSchema): ToolListing {
  const { name, title, description, effect, output } = endpoint
  const listing: ToolListing = {
    name,
    title,
    description,
    inputSchema: publish(schema) as ToolListing['inputSchema'],
    annotations: HINTS[effect],
  }
  if (output !== undefined) {
    const schema = z.toJSONSchema(output, { io: 'output' }) as JsonSchema
    listing.outputSchema = publishOutput(schema) as NonNullable<ToolListing['outputSchema']>
  }
  return listing
}

/** Hints of the protocol: a change overwrites something, an addition nothing. Spaces are closed worlds. */
const HINTS: Record<Effect, Record<string, boolean>> = {
  read: { readOnlyHint: true, openWorldHint: false },
  add: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  change: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
}
