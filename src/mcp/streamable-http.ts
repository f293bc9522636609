/** MCP over Streamable HTTP: clients of the 2025 revisions use sessions, those of 2026 send self-contained requests. */
import {
  type AuthInfo,
  createMcpHandler,
  isJsonContentType,
  type McpHttpHandler,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server'
import { inBackground } from '../base/background.ts'
import { ScriptoriumError } from '../base/errors.ts'
import { MAX_CONNECTIONS, STREAMS_PER_LINK } from '../base/limits.ts'
import type { Logger } from '../base/logger.ts'
import { toolCatalogFor } from '../call/catalog/tool-catalog.ts'
import { connectionOfAddress } from '../call/catalog/tool-selection.ts'
import { readJsonInChunks } from '../call/input/read-json.ts'
import { readBodyBytes } from '../call/input/request-body.ts'
import { type Caller, countRequest } from '../call/run.ts'
import type { SpaceLease } from '../call/space-registry.ts'
import type { StreamLimit } from '../call/stream-limit.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Prompt, Resource, Skill } from '../server-catalog.ts'
import { type AcceptResult, acceptMessages, countAcquired, countRequests } from './accept-messages.ts'
import { acceptedTypes, asJson } from './accepted-types.ts'
import { ChangeBus, type StreamSubscriber } from './change-notifications.ts'
import type { OpenedStream } from './event-tool.ts'
import { longLivedStream } from './long-lived-stream.ts'
import { EVENTS_STREAM } from './mcp-events.ts'
import { INVALID_PARAMS } from './mcp-resources.ts'
import { authInfoFor, createMcpServerFactory, type McpOptions } from './mcp-server.ts'
import { afterCounting, withRateLimits } from './rate-limit-responses.ts'
import { Sessions } from './sessions.ts'
import { findScopeError, recordScopeErrors } from './step-up.ts'
import { endStreamAfter } from './stream-expiry.ts'

export interface StreamableHttpOptions
  extends Pick<McpOptions, 'version' | 'instructions' | 'observe' | 'views' | 'subscriptions'> {
  endpoints: readonly Endpoint[]
  resources: readonly Resource[]
  prompts: readonly Prompt[]
  skills: readonly Skill[]
  logger: Logger
  /** Limits the number of streams per link. */
  streams: StreamLimit
  /**
   * Opens the space of an access link again, for responses that outlast their request; undefined if the space is gone.
   */
  acquireSpace(linkId: string): Promise<SpaceLease | undefined>
}

/** An authenticated request. */
export interface HttpMcpRequest {
  request: Request
  caller: Caller
  lease: SpaceLease
  /** Marks the response as one without end, so that neither the space nor a shutdown waits for it. */
  markLongLived(): void
  /** Milliseconds after which such a response ends, because the credentials of its request expire. */
  lifetime?: number | undefined
}

export class StreamableHttp {
  readonly #options: StreamableHttpOptions
  readonly #sessions = new Sessions()
  readonly #bus: ChangeBus
  /** The handler for clients without sessions. It holds their subscriptions. */
  readonly #handler: McpHttpHandler

  constructor(options: StreamableHttpOptions) {
    this.#options = options
    this.#bus = new ChangeBus(options.resources)
    this.#handler = createMcpHandler(({ authInfo }) => this.#createServer(callerFrom(authInfo)), {
      maxSubscriptions: MAX_CONNECTIONS,
      bus: this.#bus,
      // Truncated, since the message may repeat the client's input.
      onerror: ({ message }) => options.logger.warn(message.slice(0, MAX_LOG_LENGTH)),
    })
  }

  async handle({ request, caller, lease, markLongLived, lifetime }: HttpMcpRequest): Promise<Response> {
    const read = await this.#read(request, caller)
    if ('refused' in read) return read.refused
    const { countingCaller, ...counting } = countAcquired(caller)
    const accepted = await this.#accept(read.parsed, request.method, countingCaller)
    if ('refused' in accepted) return withRateLimits(refusal(accepted.refused), counting)
    const countedBefore = counting.counted()
    counting.accept()
    const parsed = accepted.accepted
    const method = methodOf(parsed)
    // The body was consumed. If it is not a valid message, the SDK's own code parses it again for its error.
    const replayed = request.method === 'POST' && parsed === undefined ? read.bytes : undefined
    const { request: replayable, isJsonOnly } = acceptedTypes(request, replayed)
    const listens = LISTENING.has(method)
    if (listens && isJsonOnly) return streamNotAccepted(parsed)
    // A stream of events counts itself.
    const endStream = method === LISTEN ? this.#options.streams.open(caller.link.id ?? '') : () => {}
    if (endStream === undefined) return Response.json(tooManyStreams(parsed))
    const { recordingCaller, recordedError } = recordScopeErrors(countingCaller)
    let isLongLived = false
    try {
      const response = await this.#respond(replayable, parsed, this.#callerOf(request, recordingCaller, lease))
      await throwRecorded(recordedError(), response)
      // The transport refused it, for example since a header is wrong, so no handler has counted it.
      const countedSince = counting.counted() - countedBefore
      if (!response.ok) await countRequests(Math.max(0, (accepted.selfCounting ?? 0) - countedSince), countingCaller)
      if (!isEventStream(response)) return withRateLimits(response, counting, method)
      if (request.method !== 'GET' && !listens) {
        const begun = isJsonOnly
          ? await asJson(response, Array.isArray(parsed))
          : await afterCounting(response, counting.countedByHandler)
        return withRateLimits(begun, counting, method)
      }
      markLongLived()
      isLongLived = true
      return endStreamAfter(longLivedStream(response, endStream), lifetime, lease.space.closing)
    } finally {
      if (!isLongLived) endStream()
    }
  }

  /**
   * Reads the body of a request. One that is refused counts, too.
   *
   * @throws an error with the scopes that the token lacks
   */
  async #read(request: Request, caller: Caller): Promise<ReadRequest> {
    const read = await readRequest(request)
    const scopeError = 'refused' in read ? undefined : findScopeError(read.parsed, caller, this.#options.endpoints)
    if ('refused' in read || scopeError !== undefined) await countRequest(caller)
    if (scopeError !== undefined) throw scopeError
    return read
  }

  /** The caller, with the tools that the address of the request selects, and the notices for its link. */
  #callerOf({ url }: Request, caller: Caller, lease: SpaceLease): Caller {
    const { names, essentialNames } = toolCatalogFor(this.#options.endpoints, caller.link.kind)
    const selection = connectionOfAddress(names, new URL(url).searchParams, essentialNames)
    return { ...caller, ...selection, notices: lease.noticesFor(caller.link.id ?? '') }
  }

  /** Has the message handled by its session, or without one. */
  async #respond(request: Request, parsed: unknown, caller: Caller): Promise<Response> {
    const { authInfo } = authInfoFor(caller)
    const subscriber = this.#subscriberFor(caller)
    const response =
      (await this.#sessions.handle({
        ...{ request, body: parsed, linkId: caller.link.id ?? '', space: caller.space, authInfo },
        createServer: (listening) => this.#createSessionServer(caller, listening),
      })) ??
      (await this.#bus.runAs(subscriber, () =>
        this.#handler.fetch(request, { authInfo, ...(parsed !== undefined && { parsedBody: parsed }) }),
      ))
    // The stream begins with its acknowledgement, after which the client counts on being notified.
    await subscriber.ready
    return response
  }

  /**
   * Counts requests, and POSTs that cannot be parsed. Opening the stream of a session and ending a session are free:
   * clients do so automatically, and a session has one stream.
   */
  async #accept(parsed: unknown, method: string, caller: Caller): Promise<AcceptResult> {
    if (parsed !== undefined) {
      const { resources, logger } = this.#options
      return acceptMessages(parsed, { caller, resources: async () => resources, log: logger.error })
    }
    if (method === 'POST') await countRequest(caller)
    return { accepted: undefined }
  }

  /** The subscriber of a stream. Built separately, so that the stream does not keep the request in memory. */
  #subscriberFor(caller: Caller): StreamSubscriber {
    return { caller, acquireSpace: () => this.#options.acquireSpace(caller.link.id ?? '') }
  }

  /**
   * Creates the server of a session. It keeps the space open and sends change notifications itself.
   *
   * @param listening  see {@link McpOptions}
   */
  async #createSessionServer(caller: Caller, listening?: Promise<void>): Promise<Server> {
    const lease = await this.#options.acquireSpace(caller.link.id ?? '')
    const server = this.#createServer(caller, true, listening)
    const { onclose } = server
    // The client then opens another session, with the space as it is at that time.
    const end = () => inBackground('end a session', () => server.close(), this.#options.logger.error)
    lease?.space.closing.addEventListener('abort', end)
    server.onclose = () => {
      onclose?.()
      lease?.space.closing.removeEventListener('abort', end)
      lease?.release()
    }
    return server
  }

  /** Counts a stream or a waiting poll of a link, and keeps its space open. */
  async #openStream({ link: { id = '' } }: Caller): Promise<OpenedStream | undefined> {
    const end = this.#options.streams.open(id)
    if (end === undefined) return undefined
    const lease = await this.#options.acquireSpace(id).catch((error) => {
      end()
      throw error
    })
    return {
      signal: lease?.space.closing ?? AbortSignal.abort(),
      release() {
        end()
        lease?.release()
      },
    }
  }

  #createServer(caller: Caller, notifiesChanges = false, listening?: Promise<void>): Server {
    const { endpoints, resources, prompts, skills, version, instructions, logger, observe, views } = this.#options
    const { subscriptions } = this.#options
    return createMcpServerFactory({
      load: async () => ({ endpoints, resources, prompts, skills }),
      notifiesChanges,
      version,
      caller,
      log: (line) => logger.error(line),
      openStream: (streamCaller) => this.#openStream(streamCaller),
      instructions,
      ...(observe && { observe }),
      ...(views && { views }),
      ...(subscriptions && { subscriptions }),
      ...(listening && { listening }),
    })({ era: notifiesChanges ? 'legacy' : 'modern' })
  }

  async close(): Promise<void> {
    await this.#sessions.close()
    await this.#handler.close()
  }
}

/** The caller of a request. */
function callerFrom(authInfo: AuthInfo | undefined): Caller {
  const caller = authInfo?.extra?.caller
  if (caller === undefined) throw new Error('Expected the caller of a request.')
  return caller as Caller
}

/** Requests that are answered without end. */
const LISTEN = 'subscriptions/listen'
const LISTENING: ReadonlySet<unknown> = new Set([LISTEN, EVENTS_STREAM])

/** Maximum length of an SDK message in the log. */
const MAX_LOG_LENGTH = 500

const methodOf = (message: unknown): unknown => (message as { method?: unknown } | null | undefined)?.method

/** The protocol has a status of its own for clients that lack a capability. Source: Streamable HTTP, 2026-07-28. */
function refusal(refused: Extract<AcceptResult, { refused: unknown }>['refused']): Response {
  const isMissing = !Array.isArray(refused) && refused.error.code === ProtocolErrorCode.MissingRequiredClientCapability
  return Response.json(refused, { status: isMissing ? 400 : 200 })
}

/** Subscriptions have no end, so they cannot be answered with JSON. */
const streamNotAccepted = (message: unknown): Response =>
  Response.json(
    {
      jsonrpc: '2.0',
      id: (message as { id?: unknown }).id,
      error: { code: INVALID_PARAMS, message: 'Expected a client that accepts text/event-stream; add it to Accept.' },
    },
    { status: 406 },
  )

const tooManyStreams = (message: unknown) => ({
  jsonrpc: '2.0',
  id: (message as { id?: unknown }).id,
  error: {
    code: INVALID_PARAMS,
    message: `Expected at most ${STREAMS_PER_LINK} streams of one link at once, found ${STREAMS_PER_LINK + 1}; end one first.`,
  },
})

const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true

/** Throws an error that was found while the call ran. Its response is not sent. */
async function throwRecorded(error: ScriptoriumError | undefined, response: Response): Promise<void> {
  if (error === undefined) return
  await response.body?.cancel()
  throw error
}

/** The body of a request and the message in it, if it has one; or the response with which it is refused. */
type ReadRequest = { bytes: Uint8Array<ArrayBuffer>; parsed: unknown } | { refused: Response }

async function readRequest(request: Request): Promise<ReadRequest> {
  const body = await readBodyBytes(request)
  if ('refused' in body) return body
  const hasMessage = request.method === 'POST' && isJsonContentType(request.headers.get('content-type'))
  const message = hasMessage ? await readMessage(body.bytes) : { parsed: undefined }
  return 'refused' in message ? message : { bytes: body.bytes, parsed: message.parsed }
}

/** JSON-RPC error code for invalid JSON. */
const PARSE_ERROR = -32700

/** Parses a message, or returns an error response. The SDK's own error would not contain the position. */
async function readMessage(bytes: Uint8Array): Promise<{ parsed: unknown } | { refused: Response }> {
  try {
    return { parsed: await readJsonInChunks(decodeUtf8(bytes), 'the body') }
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error
    const errorBody = { jsonrpc: '2.0', error: { code: PARSE_ERROR, message: error.message }, id: null }
    return { refused: Response.json(errorBody, { status: 400 }) }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ScriptoriumError('VALIDATION_ERROR', 'Expected a body in UTF-8, found other bytes; convert it.')
  }
}
