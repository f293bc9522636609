/** The protocol over Streamable HTTP: clients of 2025 in sessions, those of 2026 request by request. */
import {
  type AuthInfo,
  createMcpHandler,
  isJsonContentType,
  type McpHttpHandler,
  type Server,
} from '@modelcontextprotocol/server'
import { ScriptoriumError } from '../errors.ts'
import { CONNECTIONS, STREAMS } from '../limits.ts'
import { type Accepted, acceptMessages } from './accept-messages.ts'
import { ChangeBus, type Listening } from './changes.ts'
import { toolsAsked } from './chosen-tools.ts'
import { readBody } from './guard.ts'
import type { HttpOptions } from './http.ts'
import { keyOfAddress } from './links.ts'
import { mcpFactory, tableOf, withCaller } from './mcp.ts'
import { measured } from './metrics.ts'
import { endingAfter } from './oauth/ending.ts'
import { notingLacks, scopeLacking } from './oauth/step-up.ts'
import { INVALID_PARAMS } from './resources.ts'
import { readLongJson } from './rest-json.ts'
import { admission, type Caller } from './run.ts'
import { Sessions } from './sessions.ts'
import type { Held } from './spaces.ts'
import { standingStream } from './standing-stream.ts'

/** A request of somebody who is let in. */
export interface McpCall {
  request: Request
  caller: Caller
  held: Held
  /** Of an answer that goes on without end: neither the space nor the server's end waits for it. */
  stands(): void
  /** Milliseconds after which such an answer ends all the same, where what it was asked with does. */
  lasts?: number | undefined
}

export class McpOverHttp {
  readonly #options: HttpOptions
  readonly #sessions = new Sessions()
  readonly #bus: ChangeBus
  /** Of clients without sessions; it holds their subscriptions. */
  readonly #handler: McpHttpHandler
  /** How many streams each link has that has any. */
  readonly #streams = new Map<string, number>()

  constructor(options: HttpOptions) {
    this.#options = options
    this.#bus = new ChangeBus(options.resources)
    this.#handler = createMcpHandler(({ authInfo }) => this.#makeServer(callerIn(authInfo)), {
      maxSubscriptions: CONNECTIONS,
      bus: this.#bus,
      // It may repeat what was sent.
      onerror: ({ message }) => options.journal.note(message.slice(0, NOTE_LENGTH)),
    })
  }

  async answer({ request, caller, held, stands, lasts }: McpCall): Promise<Response> {
    const body = await readBody(request)
    if ('refused' in body) {
      await admission(caller)({})
      return body.refused
    }
    const { method, headers, url } = request
    const hasBody = method === 'POST' && isJsonContentType(headers.get('content-type'))
    const message = hasBody ? await readMessage(body.bytes) : { parsed: undefined }
    if ('refused' in message) {
      await admission(caller)({})
      return message.refused
    }
    const lacking = scopeLacking(message.parsed, caller, this.#options.endpoints)
    if (lacking !== undefined) {
      await admission(caller)({})
      throw lacking
    }
    const accepted = await this.#accept(message.parsed, method, caller)
    if ('refused' in accepted) return Response.json(accepted.refused)
    const parsed = accepted.accepted
    const linkId = caller.link.id ?? ''
    const { noting, noted } = notingLacks(caller)
    const asked = toolsAsked(
      tableOf(this.#options.endpoints, caller.link.kind).names,
      new URL(url).searchParams.getAll('tools'),
    )
    const named: Caller = { ...noting, ...asked, news: held.newsOf(linkId) }
    const { authInfo } = withCaller(named)
    // What was read cannot be read again: where it is no message, the protocol's own code looks at it once more.
    const whole = method === 'POST' && parsed === undefined ? again(request, body.bytes) : request
    const listens = methodOf(parsed) === 'subscriptions/listen'
    const endStream = listens ? this.#beginStream(linkId) : () => {}
    if (endStream === undefined) return Response.json(tooManyStreams(parsed))
    let isStanding = false
    try {
      const answered =
        (await this.#sessions.answer(whole, parsed, linkId, authInfo, () => this.#lastingServer(named))) ??
        (await this.#bus.as(this.#listening(named), () =>
          this.#handler.fetch(whole, { authInfo, ...(parsed !== undefined && { parsedBody: parsed }) }),
        ))
      const lacked = noted()
      if (lacked !== undefined) {
        await answered.body?.cancel()
        throw lacked
      }
      const isStream = answered.headers.get('content-type')?.startsWith('text/event-stream') === true
      if (!isStream || (method !== 'GET' && !listens)) return answered
      stands()
      isStanding = true
      const standing = standingStream(answered, endStream)
      return endingAfter(standing, lasts, held.space.closing)
    } finally {
      if (!isStanding) endStream()
    }
  }

  /**
   * Counts what was asked, and a POST that asks nothing that can be read. To open the stream of a session or to end one
   * counts for nothing: clients do so by themselves, and a session has one stream.
   */
  async #accept(parsed: unknown, method: string, caller: Caller): Promise<Accepted> {
    if (parsed !== undefined) {
      const { resources, journal } = this.#options
      return acceptMessages(parsed, { caller, resources: async () => resources, log: journal.note })
    }
    if (method === 'POST') await admission(caller)({})
    return { accepted: undefined }
  }

  /** Who listens. Made apart from the request, which a stream would else keep in memory for as long as it lasts. */
  #listening(caller: Caller): Listening {
    return { caller, hold: () => this.#options.spaces.hold(keyOfAddress(caller.link.id ?? '')) }
  }

  /** Counts a stream of a link; what it returns ends it, and is none where the link has as many as it may have. */
  #beginStream(linkId: string): (() => void) | undefined {
    const open = this.#streams.get(linkId) ?? 0
    if (open >= STREAMS) return undefined
    this.#streams.set(linkId, open + 1)
    return () => {
      const left = (this.#streams.get(linkId) ?? 1) - 1
      if (left === 0) this.#streams.delete(linkId)
      else this.#streams.set(linkId, left)
    }
  }

  /** Of a session, which keeps its space open: it tells of changes by itself. */
  async #lastingServer(caller: Caller): Promise<Server> {
    const held = await this.#options.spaces.hold(keyOfAddress(caller.link.id ?? ''))
    const server = this.#makeServer(caller, true)
    const { onclose } = server
    // Its client opens another session, of the space as it is then.
    const end = () => void server.close()
    held?.space.closing.addEventListener('abort', end)
    server.onclose = () => {
      onclose?.()
      held?.space.closing.removeEventListener('abort', end)
      held?.release()
    }
    return server
  }

  #makeServer(caller: Caller, watches = false): Server {
    const { endpoints, resources, version, journal, metrics } = this.#options
    return mcpFactory({
      load: async () => ({ endpoints, resources }),
      watches,
      version,
      caller,
      log: (line) => journal.note(line),
      observe: (tool, work) => measured(metrics, 'mcp', tool, work),
    })({ era: watches ? 'legacy' : 'modern' })
  }

  async close(): Promise<void> {
    await this.#sessions.close()
    await this.#handler.close()
  }
}

/** A request whose body has been read, with that body. */
const again = ({ url, method, headers, signal }: Request, body: Uint8Array<ArrayBuffer>): Request =>
  new Request(url, { method, headers, signal, body })

/** The caller that goes with a request. */
function callerIn(authInfo: AuthInfo | undefined): Caller {
  const caller = authInfo?.extra?.caller
  if (caller === undefined) throw new Error('Expected the caller of a request.')
  return caller as Caller
}

/** Characters of a sentence of the protocol's own code in the journal. */
const NOTE_LENGTH = 500

const methodOf = (message: unknown): unknown => (message as { method?: unknown } | null | undefined)?.method

const tooManyStreams = (message: unknown) => ({
  jsonrpc: '2.0',
  id: (message as { id?: unknown }).id,
  error: {
    code: INVALID_PARAMS,
    message: `Expected at most ${STREAMS} streams of one link at once, found ${STREAMS + 1}; end one first.`,
  },
})

/** The number of JSON-RPC for what is no JSON. */
const PARSE_ERROR = -32700

/** A message of the protocol, or its refusal: the protocol's own does not say where the fault is. */
async function readMessage(bytes: Uint8Array): Promise<{ parsed: unknown } | { refused: Response }> {
  try {
    return { parsed: await readLongJson(textOf(bytes), 'the body') }
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error
    const answer = { jsonrpc: '2.0', error: { code: PARSE_ERROR, message: error.message }, id: null }
    return { refused: Response.json(answer, { status: 400 }) }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ScriptoriumError('VALIDATION_ERROR', 'Expected a body in UTF-8, found other bytes; convert it.')
  }
}
