/** One request for a page: whose it is, what it asks, and the calls that the page makes for it. */
import { ScriptoriumError } from '../base/errors.ts'
import { type Tool, type ToolCatalog, toolCatalogFor } from '../call/catalog/tool-catalog.ts'
import { isEffectAllowed } from '../call/catalog/tool-list.ts'
import type { RateLimiter } from '../call/rate-limiter.ts'
import { type Caller, type CallOptions, type CallResult, runCall } from '../call/run.ts'
import type { Effect, Endpoint } from '../endpoint.ts'
import type { ConnectionKind } from '../space/model/space.ts'
import { Formats } from './formats.ts'
import { type Html, html } from './html.ts'
import { PageLinks } from './page-links.ts'

/** In which scripts send {@link PageRequest.formToken}, since what they send is no form. */
export const FORM_TOKEN_HEADER = 'x-form-token'

/** A request as the server hands it over: who asks is known, and a form is known to come from a page of this session. */
export interface PageRequest {
  request: Request
  url: URL
  /** What follows the address of the pages: `/d/100000000001`. */
  path: string
  /** The address of the pages of the space: `/view/0123456789`. */
  base: string
  /** What the addresses of the server begin with, where a proxy puts it into a folder: empty, or `/notes`. */
  root: string
  caller: Caller
  /** Whether the caller is the person who runs the program. */
  isOperator: boolean
  /** What forms of this session carry. */
  formToken: string
  /** The fields of a POST. */
  form: URLSearchParams
  /** Milliseconds since 1970. */
  now: number
  /** Writes to the log, with the ID of the request. */
  log(line: string): void
  /** Says that the answer goes on without end. */
  markLongLived(): void
  /** Where links of the space lead: scheme, host and port of this server. */
  origin: string
  /** The limits of agents, which pages only show; absent where none is counted. */
  agentLimits?: RateLimiter
}

export class PageCall {
  readonly request: PageRequest
  readonly formats: Formats
  readonly links: PageLinks
  /** Parts of the path by name. */
  params: Readonly<Record<string, string>> = {}
  /** Where the feed of changes was before anything was read for the page. */
  feedCursor: string | undefined
  readonly #catalog: ToolCatalog

  /** @param endpoints  what the caller may call, as far as the kind of connection has it */
  constructor(request: PageRequest, endpoints: readonly Endpoint[]) {
    const { info } = request.caller.space
    this.request = request
    this.formats = new Formats(request.request.headers.get('accept-language'), info.timezone, request.now)
    this.links = new PageLinks(request.base, info.id)
    this.#catalog = toolCatalogFor(endpoints, request.caller.link.kind)
  }

  get kind(): ConnectionKind {
    return this.request.caller.link.kind
  }

  get query(): URLSearchParams {
    return this.request.url.searchParams
  }

  get form(): URLSearchParams {
    return this.request.form
  }

  /** Whether this kind of connection has the tool, or the endpoint that is REST only. */
  has(tool: string): boolean {
    return this.#catalog.find(tool) !== undefined
  }

  /** Whether the link may do something of this effect. */
  may(effect: Effect): boolean {
    return isEffectAllowed(effect, this.request.caller.link.access)
  }

  /** Address of a page: `call.href('/tasks', { scope: 'inbox' })`. */
  href(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`
    return `${this.request.base}${path}${search}`
  }

  /** @throws what the tool refuses */
  async run<Answer>(tool: string, input: object = {}): Promise<Answer> {
    const result = await runCall(this.#tool(tool), input, this.request.caller)
    if ('object' in result) return result.object as Answer
    const { body, mediaType } = result.text
    return (mediaType === 'application/json' ? JSON.parse(body) : body) as Answer
  }

  /** What a call would change: the same checks and errors, and nothing is written. */
  async rehearse<Answer>(tool: string, input: object): Promise<Answer & { dryRun: { summary: string; diff: string } }> {
    const result = await runCall(this.#tool(tool), input, this.request.caller, { dryRun: true })
    return ('object' in result ? result.object : {}) as Answer & { dryRun: { summary: string; diff: string } }
  }

  /** A call as a script of the page makes it. @throws what the tool refuses */
  perform(tool: string, input: unknown, options: CallOptions): Promise<CallResult> {
    return runCall(this.#catalog.get(tool), input, this.request.caller, options)
  }

  #tool(name: string): Tool {
    return this.#catalog.find(name) ?? this.#catalog.get(name)
  }

  /** The answer, or nothing where there is no such thing within reach. */
  async find<Answer>(tool: string, input: object = {}): Promise<Answer | undefined> {
    try {
      return await this.run<Answer>(tool, input)
    } catch (error) {
      if (error instanceof ScriptoriumError && error.code === 'NOT_FOUND_ERROR') return undefined
      throw error
    }
  }

  /** The field that shows that a form is of this session. */
  tokenField(): Html {
    return html`<input type="hidden" name="token" value="${this.request.formToken}">`
  }
}
