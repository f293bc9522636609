/**
 * MCP Events (`io.modelcontextprotocol/events`) on the wire: which events there are, and how a client polls for them or
 * opens a stream of them. What happens is read by the endpoint that declares the types: see tools/events.ts.
 *
 * Source: SEP-3415.
 */
import { ProtocolError, type Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type ErrorCode, ScriptoriumError } from '../base/errors.ts'
import {
  CHANGES_PER_ANSWER,
  CHANGES_PER_ANSWER_MAX,
  CHANGES_WAIT_SECONDS,
  EVENT_POLL_SECONDS,
  STREAM_KEEP_ALIVE_SECONDS,
  STREAMS_PER_LINK,
} from '../base/limits.ts'
import type { Tool, ToolCatalog } from '../call/catalog/tool-catalog.ts'
import { toErrorBody } from '../call/error-body.ts'
import { type FollowedAnswer, type FollowedCall, followCall } from '../call/follow.ts'
import type { Caller } from '../call/run.ts'
import type { EventListing } from '../endpoint.ts'
import type { EventOccurrence, EventsAnswer } from '../space/events/list-events.ts'
import { INVALID_PARAMS, toProtocolError } from './mcp-resources.ts'

export const EVENTS_EXTENSION = 'io.modelcontextprotocol/events'
export const EVENTS_STREAM = 'events/stream'

/** JSON-RPC error codes of the extension. */
const NOT_FOUND = -32011
const FORBIDDEN = -32012
const RESOURCE_EXHAUSTED = -32013

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
  log: (line: string) => void
}

const position = {
  // Empty text is refused: read as none, it would begin now, and skip what happened since.
  cursor: z.string().min(1).nullish(),
  maxAgeMs: z.int().min(0).nullish(),
}
const subscription = { name: z.string(), arguments: z.record(z.string(), z.unknown()).nullish() }
const listParams = z.looseObject({})
const pollParams = z.looseObject({ ...subscription, ...position, maxEvents: z.int().min(1).nullish() })
const streamParams = z.looseObject({ ...subscription, ...position })

/** Handles the requests of the extension. */
export function registerEvents(server: Server, options: EventOptions): void {
  const { callerOf, openStream, log } = options
  server.setRequestHandler('events/list', { params: listParams }, async (_, context) => {
    const { kind } = callerOf(context).link
    const { eventTypes = [] } = (await eventTool(options)).endpoint
    return { events: eventTypes.flatMap((type) => listingOf(type, kind)) }
  })
  server.setRequestHandler('events/poll', { params: pollParams }, (params, context) =>
    withEventErrors(log, async () => {
      const { signal, _meta } = context.mcpReq
      // The first poll of a subscriber gets its cursor at once.
      const wait = params.cursor === undefined || params.cursor === null ? 0 : waitOf(_meta)
      const poll = async (following: FollowedCall, ending: AbortSignal) =>
        pollResult(await following.next(wait, ending))
      const caller = callerOf(context)
      const started = () => follow(options, caller, params, params.maxEvents ?? CHANGES_PER_ANSWER)
      if (wait > 0) return whileOpen(await openedStream(openStream, caller), signal, started, poll)
      return whileFollowing(started, (following) => poll(following, signal))
    }),
  )
  server.setRequestHandler(EVENTS_STREAM, { params: streamParams }, (params, context) =>
    withEventErrors(log, async () => {
      const { id, signal, notify } = context.mcpReq
      const caller = callerOf(context)
      const started = () => follow(options, caller, params, CHANGES_PER_ANSWER)
      await whileOpen(await openedStream(openStream, caller), signal, started, (following, ending) =>
        streamEvents(following, {
          ...{ from: params.cursor ?? undefined, signal: ending, log },
          notify: (event, more) =>
            notify({
              method: `notifications/events/${event}`,
              params: { ...more, _meta: { [SUBSCRIPTION_KEY]: id } },
            }),
        }),
      )
      return { _meta: {} }
    }),
  )
}

/** Runs work that follows events, and stops following. */
async function whileFollowing<T>(
  start: () => Promise<FollowedCall>,
  work: (following: FollowedCall) => Promise<T>,
): Promise<T> {
  const following = await start()
  try {
    return await work(following)
  } finally {
    await following.close()
  }
}

/** The same while a stream is open. @param signal  aborted when the client cancels its request */
async function whileOpen<T>(
  stream: OpenedStream,
  signal: AbortSignal,
  start: () => Promise<FollowedCall>,
  work: (following: FollowedCall, ending: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  const end = () => ending.abort()
  const signals = [signal, stream.signal]
  for (const one of signals) one.addEventListener('abort', end)
  if (signals.some(({ aborted }) => aborted)) end()
  try {
    return await whileFollowing(start, (following) => work(following, ending.signal))
  } finally {
    for (const one of signals) one.removeEventListener('abort', end)
    stream.release()
  }
}

/** The key in `_meta` of a poll with the seconds for which it may be held back. */
const WAIT_KEY = 'scriptorium/waitSeconds'

/** Milliseconds for which a poll is held back until there is something. @throws ProtocolError */
function waitOf(meta: Record<string, unknown> | undefined): number {
  const seconds = z.int().min(0).max(CHANGES_WAIT_SECONDS).default(EVENT_POLL_SECONDS).safeParse(meta?.[WAIT_KEY])
  if (seconds.success) return seconds.data * 1000
  const message = `Expected whole seconds from 0 to ${CHANGES_WAIT_SECONDS} as ${WAIT_KEY}; leave it out for ${EVENT_POLL_SECONDS}.`
  throw new ProtocolError(INVALID_PARAMS, message)
}

const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId'

/** The endpoint that lists events. */
async function eventTool({ catalog }: EventOptions): Promise<Tool> {
  const tool = (await catalog()).withEvents
  if (tool === undefined) throw new Error('Expected an endpoint with types of events.')
  return tool
}

function listingOf({ name, description, inputs, payload }: EventListing, kind: Caller['link']['kind']) {
  const input = inputs[kind]
  if (input === undefined) return []
  const inputSchema = z.toJSONSchema(input as z.ZodType, { io: 'input' })
  return [{ name, description, delivery: ['poll', 'push'], inputSchema, payloadSchema: z.toJSONSchema(payload) }]
}

interface Subscription {
  name: string
  arguments?: Record<string, unknown> | null | undefined
  cursor?: string | null | undefined
  maxAgeMs?: number | null | undefined
}

/** Starts following the events that a client asks for. */
async function follow(
  options: EventOptions,
  caller: Caller,
  asked: Subscription,
  limit: number,
): Promise<FollowedCall> {
  const tool = await eventTool(options)
  const { name, arguments: given, cursor, maxAgeMs } = asked
  const { kind } = caller.link
  const type = tool.endpoint.eventTypes?.find((one) => one.name === name && one.inputs[kind] !== undefined)
  if (type === undefined) {
    const known = tool.endpoint.eventTypes?.map((one) => one.name).join(', ')
    const message = `Expected the name of an event (${known}), found ${name.slice(0, 100)}; events/list shows them.`
    throw new ProtocolError(NOT_FOUND, message, { kind: 'event' })
  }
  const misplaced = NO_ARGUMENTS.find((key) => given?.[key] !== undefined)
  if (misplaced !== undefined) {
    const message = `Expected what narrows ${name} as arguments, found ${misplaced}; events/list shows what does.`
    throw new ProtocolError(INVALID_PARAMS, message)
  }
  return followCall(
    tool,
    {
      ...(given ?? {}),
      name,
      limit: Math.min(limit, CHANGES_PER_ANSWER_MAX),
      ...(cursor !== undefined && cursor !== null && { cursor }),
      ...(maxAgeMs !== undefined && maxAgeMs !== null && { maxAgeSeconds: Math.ceil(maxAgeMs / 1000) }),
    },
    caller,
    { isCounted: true },
  )
}

/** Inputs of the endpoint that a client gives in another place, or not at all. */
const NO_ARGUMENTS = ['name', 'cursor', 'limit', 'wait', 'maxAgeSeconds']

function pollResult({ object }: FollowedAnswer) {
  const { items, cursor, truncated, hasMore, nextPollMs } = object as EventsAnswer
  return {
    events: items.map(occurrenceOf),
    cursor,
    truncated,
    hasMore,
    nextPollMs: Math.max(nextPollMs, LEAST_POLL_MS),
  }
}

/** The least milliseconds between two polls: waiting is done here, so a client may ask again soon. */
const LEAST_POLL_MS = 1_000

const occurrenceOf = ({ cursor: _, ...occurrence }: EventOccurrence & { cursor: string }): EventOccurrence => occurrence

/** What a stream is sent through. */
interface Sending {
  /** The cursor that the client sent. */
  from: string | undefined
  signal: AbortSignal
  notify(event: string, params: object): Promise<void>
  log(line: string): void
}

/** Sends events until the client or the link goes. */
async function streamEvents(following: FollowedCall, { from, signal, notify, log }: Sending): Promise<void> {
  let isFirst = true
  try {
    for (let wait = 0; !signal.aborted; isFirst = false) {
      const { object, hasMore } = await following.next(wait, signal)
      // Catching up is counted page by page; the request was counted before it came here.
      if (hasMore) await following.acquireInTime(signal)
      if (signal.aborted) return
      const { items, cursor, truncated } = object as EventsAnswer
      // A client that is cut off before the first event resumes where it wanted to begin.
      if (isFirst) await notify('active', { cursor: items.length > 0 ? (from ?? cursor) : cursor, truncated })
      for (const item of items) await notify('event', item)
      if (!isFirst && truncated) await notify('active', { cursor, truncated })
      else if (!isFirst && items.length === 0) await notify('heartbeat', { cursor })
      wait = hasMore ? 0 : STREAM_KEEP_ALIVE_SECONDS * 1000
    }
  } catch (error) {
    if (signal.aborted) return
    if (isFirst) throw error
    const { code, message, data } = eventError(error, log)
    await notify('terminated', { error: { code, message, ...(data !== undefined && { data }) } })
  }
}

async function openedStream(open: EventOptions['openStream'], caller: Caller): Promise<OpenedStream> {
  const stream = await open(caller)
  if (stream !== undefined) return stream
  const message = `Expected at most ${STREAMS_PER_LINK} streams and waiting polls of one link at once, found that many; end one first.`
  throw new ProtocolError(RESOURCE_EXHAUSTED, message, { limit: 'streams', max: STREAMS_PER_LINK })
}

async function withEventErrors<T>(log: (line: string) => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw eventError(error, log)
  }
}

/** The code of the extension for an error of this program. */
function eventError(error: unknown, log: (line: string) => void): ProtocolError {
  if (!(error instanceof ScriptoriumError)) return toProtocolError(error, log)
  const { error: sentence, code } = toErrorBody(error, log)
  const known = CODE_OF[code]
  if (known === undefined) return toProtocolError(error, log)
  const data = {
    ...(known === NOT_FOUND && { kind: 'argument' }),
    ...(known === RESOURCE_EXHAUSTED && { limit: 'requests', retryAfter: error.retryAfter }),
    ...(known === INVALID_PARAMS && { code }),
  }
  return new ProtocolError(known, sentence, data)
}

/** The codes of the extension. All other errors have those of every request. */
const CODE_OF: Partial<Record<ErrorCode, number>> = {
  NOT_FOUND_ERROR: NOT_FOUND,
  INVALID_AUTH_HEADER: FORBIDDEN,
  FORBIDDEN,
  REMINDERS_UNAVAILABLE: FORBIDDEN,
  RATE_LIMITED: RESOURCE_EXHAUSTED,
  VALIDATION_ERROR: INVALID_PARAMS,
  CURSOR_INVALID: INVALID_PARAMS,
}
