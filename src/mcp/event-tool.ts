/** The endpoint behind MCP Events, and what its handlers share. */
import { ProtocolError } from '@modelcontextprotocol/server'
import type { Tool, ToolCatalog } from '../call/catalog/tool-catalog.ts'
import type { EventSubscriptions } from '../call/event-subscriptions.ts'
import type { Caller } from '../call/run.ts'
import { EVENT_ERRORS } from './event-errors.ts'
import { INVALID_PARAMS } from './mcp-resources.ts'

/** Keeps a space open for a stream that outlasts its request. */
export interface OpenedStream {
  /** Aborted when the stream must end. */
  signal: AbortSignal
  release(): void
}

export interface EventOptions {
  catalog(): Promise<ToolCatalog>
  callerOf(context: unknown): Caller
  /** Undefined if the link has too many streams and waiting polls. */
  openStream(caller: Caller): Promise<OpenedStream | undefined>
  /** Sends events to addresses that clients name. Absent if this process sends none. */
  subscriptions?: EventSubscriptions
  log: (line: string) => void
}

/** The endpoint that lists events. */
export async function eventTool({ catalog }: EventOptions): Promise<Tool> {
  const tool = (await catalog()).withEvents
  if (tool === undefined) throw new Error('Expected an endpoint with types of events.')
  return tool
}

/** The endpoint that lists events, for a type of events that the caller has. @throws ProtocolError */
export async function eventToolFor(
  options: EventOptions,
  { link: { kind } }: Caller,
  name: string,
  given: Readonly<Record<string, unknown>> | null | undefined,
): Promise<Tool> {
  const tool = await eventTool(options)
  const type = tool.endpoint.eventTypes?.find((one) => one.name === name && one.inputs[kind] !== undefined)
  if (type === undefined) {
    const known = tool.endpoint.eventTypes?.map((one) => one.name).join(', ')
    const message = `Expected the name of an event (${known}), found ${name.slice(0, 100)}; events/list shows them.`
    throw new ProtocolError(EVENT_ERRORS.NotFound, message, { kind: 'event' })
  }
  const misplaced = NO_ARGUMENTS.find((key) => given?.[key] !== undefined)
  if (misplaced !== undefined) {
    const message = `Expected what narrows ${name} as arguments, found ${misplaced}; events/list shows what does.`
    throw new ProtocolError(INVALID_PARAMS, message)
  }
  return tool
}

/** Inputs of the endpoint that a client gives in another place, or not at all. */
const NO_ARGUMENTS = ['name', 'cursor', 'limit', 'wait', 'maxAgeSeconds']
