/**
 * MCP Events (`io.modelcontextprotocol/events`) on the wire: which events there are, and how a client polls for them or
 * opens a stream of them. What happens is read by the endpoint that declares the types: see tools/events.ts.
 *
 * Source: SEP-3415.
 */
import { ProtocolError, type Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import {
  CHANGES_PER_ANSWER,
  CHANGES_PER_ANSWER_MAX,
  CHANGES_WAIT_SECONDS,
  EVENT_POLL_SECONDS,
  STREAM_KEEP_ALIVE_SECONDS,
  STREAMS_PER_LINK,
} from '../base/limits.ts'
import { type FollowedAnswer, type FollowedCall, followCall } from '../call/follow.ts'
import type { Caller } from '../call/run.ts'
import type { EventListing } from '../endpoint.ts'
import type { EventOccurrence, EventsAnswer } from '../space/events/list-events.ts'
import { EVENT_ERRORS, eventError, withEventErrors } from './event-errors.ts'
import { type EventOptions, eventTool, eventToolFor, type OpenedStream } from './event-tool.ts'
import { INVALID_PARAMS } from './mcp-resources.ts'
import { registerSubscriptions } from './mcp-subscriptions.ts'

export const EVENTS_EXTENSION = 'io.modelcontextprotocol/events'
export const EVENTS_STREAM = 'events/stream'

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
    const delivery = ['poll', 'push', ...(options.subscriptions === undefined ? [] : ['webhook'])]
    return { events: eventTypes.flatMap((type) => listingOf(type, kind, delivery)) }
  })
  registerSubscriptions(server, options)
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

function listingOf(
  { name, description, inputs, payload }: EventListing,
  kind: Caller['link']['kind'],
  delivery: readonly string[],
) {
  const input = inputs[kind]
  if (input === undefined) return []
  const inputSchema = z.toJSONSchema(input as z.ZodType, { io: 'input' })
  return [{ name, description, delivery, inputSchema, payloadSchema: z.toJSONSchema(payload) }]
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
  const { name, arguments: given, cursor, maxAgeMs } = asked
  const tool = await eventToolFor(options, caller, name, given)
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
  throw new ProtocolError(EVENT_ERRORS.ResourceExhausted, message, { limit: 'streams', max: STREAMS_PER_LINK })
}
