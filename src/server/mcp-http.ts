/** The protocol over Streamable HTTP: clients of 2025 in sessions, those of 2026 request by request. */
import {
  type AuthInfo,
  createMcpHandler,
  isJsonContentType,
  type McpHttpHandler,
  type Server,
} from '@modelcontextprotocol/server'
import { ScriptoriumError } from '../errors.ts'
import { CONNECTIONS } from '../limits.ts'
import { ChangeBus } from './changes.ts'
import { toolsAsked } from './chosen-tools.ts'
import { readBody } from './guard.ts'
import type { HttpOptions } from './http.ts'
import { keyOfAddress } from './links.ts'
import { mcpFactory, tableOf, withCaller } from './mcp.ts'
import { measured } from './metrics.ts'
import { endingAfter } from './oauth/ending.ts'
import { notingLacks, scopeLacking } from './oauth/step-up.ts'
import { readLongJson } from './rest-json.ts'
import { admission, type Caller } from './run.ts'
import { Sessions } from './sessions.ts'
import type { Held } from './spaces.ts'

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

  constructor(options: HttpOptions) {
    this.#options = options
    this.#bus = new ChangeBus(options.resources)
    this.#handler = createMcpHandler(({ authInfo }) => this.#makeServer(callerIn(authInfo)), {
      maxSubscriptions: CONNECTIONS,
      bus: this.#bus,
      onerror: ({ message }) => options.journal.note(message),
    })
  }

  async answer({ request, caller, held, stands, lasts }: McpCall): Promise<Response> {
    const body = await readBody(request)
    if ('refused' in body) {
      caller.admitAddress?.()
      return body.refused
    }
    const { method, headers, url, signal } = request
    const hasBody = method === 'POST' && isJsonContentType(headers.get('content-type'))
    const message = hasBody ? await readMessage(body.bytes) : { parsed: undefined }
    if ('refused' in message) {
      caller.admitAddress?.()
      return message.refused
    }
    const { parsed } = message
    const lacking = scopeLacking(parsed, caller, this.#options.endpoints)
    if (lacking !== undefined) {
      await admission(caller)({})
      throw lacking
    }
    const linkId = caller.link.id ?? ''
    const { noting, noted } = notingLacks(caller)
    const asked = toolsAsked(
      tableOf(this.#options.endpoints, caller.link.kind).names,
      new URL(url).searchParams.getAll('tools'),
    )
    const named = { ...noting, ...asked, news: held.newsOf(linkId) }
    const { authInfo } = withCaller(named)
    // What was read is not read again.
    const rest = method === 'POST' && parsed === undefined ? { body: body.bytes } : {}
    const whole = new Request(url, { method, headers, signal, ...rest })
    const answered =
      (await this.#sessions.answer(whole, parsed, linkId, authInfo, () => this.#lastingServer(named))) ??
      (await this.#bus.as({ caller: named, hold: () => this.#options.spaces.hold(keyOfAddress(linkId)) }, () =>
        this.#handler.fetch(whole, { authInfo, ...(parsed !== undefined && { parsedBody: parsed }) }),
      ))
    const lacked = noted()
    if (lacked !== undefined) {
      await answered.body?.cancel()
      throw lacked
    }
    const isStream = answered.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (isStream && (method === 'GET' || methodOf(parsed) === 'subscriptions/listen')) {
      stands()
      if (lasts !== undefined) return endingAfter(answered, lasts)
    }
    return answered
  }

  /** Of a session, which keeps its space open: it tells of changes by itself. */
  async #lastingServer(caller: Caller): Promise<Server> {
    const held = await this.#options.spaces.hold(keyOfAddress(caller.link.id ?? ''))
    const server = this.#makeServer(caller, true)
    const { onclose } = server
    server.onclose = () => {
      onclose?.()
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

/** The caller that goes with a request. */
function callerIn(authInfo: AuthInfo | undefined): Caller {
  const caller = authInfo?.extra?.caller
  if (caller === undefined) throw new Error('Expected the caller of a request.')
  return caller as Caller
}

const methodOf = (message: unknown): unknown => (message as { method?: unknown } | null | undefined)?.method

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
