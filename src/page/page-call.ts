/** One request for a page: the caller, the parameters, and the calls that the page makes. */

import { type Management, managementOf } from '../auth/access-links/link-managers.ts'
import { ScriptoriumError } from '../base/errors.ts'
import type { AddressCheck } from '../base/public-addresses.ts'
import { type Tool, type ToolCatalog, toolCatalogFor } from '../call/catalog/tool-catalog.ts'
import { isEffectAllowed } from '../call/catalog/tool-list.ts'
import { hasReplay } from '../call/idempotency.ts'
import { prepareContext } from '../call/prepare-call.ts'
import type { RateLimiter } from '../call/rate-limiter.ts'
import { type Caller, type CallOptions, type CallResult, countRequest, runCall } from '../call/run.ts'
import { DRY_RUN_NOTE, type RehearsedCall } from '../call/transact.ts'
import { Comparer } from '../difference/comparer.ts'
import type { Effect, Endpoint } from '../endpoint.ts'
import { canWrite, mustPropose } from '../space/model/access.ts'
import { GivenId } from '../space/model/ids.ts'
import type { ConnectionKind } from '../space/model/space.ts'
import { prepareRejection, rejectProposal } from '../space/proposals/reject-proposal.ts'
import { readSuggestedPage, type SuggestedPage } from '../space/proposals/suggested-page.ts'
import { Formulas } from './blocks/formula-html.ts'
import { Formats } from './formats.ts'
import { type Html, html } from './html.ts'
import type { IconName } from './icon-names.ts'
import { iconHtml } from './icons.ts'
import { PageLinks } from './page-links.ts'
import type { CallAnswer, CallArguments, PageTool, ToolAnswer, ToolInput } from './page-tools.ts'
import { pageLocale } from './texts/language.ts'
import type { PageTransfers } from './transfers/page-transfers.ts'

/** True if a page is read to be kept for when there is no connection, and no one sees it now: see offline-worker.js. */
export const isForLater = ({ headers }: Request): boolean => headers.has('x-for-later')

/** The header in which scripts send {@link PageRequest.formToken}, since they do not send forms. */
export const FORM_TOKEN_HEADER = 'x-form-token'

/** A request whose caller is authenticated, and whose form is known to come from a page of this session. */
export interface PageRequest {
  request: Request
  url: URL
  /** The path below the base address: `/d/100000000001`. */
  path: string
  /** The base address of the space's pages: `/view/0123456789`. */
  base: string
  /** A path prefix, if a proxy serves the server in a folder: empty, or such as `/notes`. */
  root: string
  caller: Caller
  /** True if the caller is the person who runs the program. */
  isOperator: boolean
  /** The form token of this session. */
  formToken: string
  /** True if the browser may keep pages for when there is no connection. */
  isKept: boolean
  /** Identifies the link or the person of the session: see `sessionOwner`. */
  owner: string
  /** The fields of a POST. */
  form: URLSearchParams
  /** Milliseconds since 1970. */
  now: number
  /** Writes to the log, with the ID of the request. */
  log(line: string): void
  /** Marks the response as one without end. */
  markLongLived(): void
  /** The origin of links to the space: scheme, host and port of this server. */
  origin: string
  /** The rate limits of agents, which pages only display; absent if there are none. */
  agentLimits?: RateLimiter
  /** Private addresses from which calendars of others may be fetched. */
  isAllowed?: AddressCheck | undefined
  /** The backups that this server makes of a space; absent if it makes none. */
  backupsOf?: ((file: string) => ShownBackups | undefined) | undefined
  /** Changes the password of the caller; absent for all who did not sign in with a password here. */
  changePassword?: ((old: string, next: string) => Promise<PasswordAnswer>) | undefined
  /** Imports and exports; absent outside of pages. */
  transfers?: PageTransfers
}

/** A `Set-Cookie` header with which this session goes on after a change of password; or why there was none. */
export type PasswordAnswer = { setCookie: string } | { status: 401 | 429 | 503; retryAfter?: number }

/** Backups of a space that a server makes by itself. All times are in milliseconds. */
export interface ShownBackups {
  everyMs: number
  /** The last one, without the folder of its files. */
  last: { at: number; bytes: number } | undefined
  /** When the last attempt failed, if it did. */
  failedAt: number | undefined
}

export class PageCall {
  readonly request: PageRequest
  readonly formats: Formats
  readonly links: PageLinks
  readonly formulas = new Formulas()
  /** The pictures of members by name, for pages that show names. */
  pictures: ReadonlyMap<string, string> = new Map()
  /** Path parameters by name. */
  params: Readonly<Record<string, string>> = {}
  /** The position of the feed before anything was read for the page. */
  feedCursor: string | undefined
  /** Compares texts for the page, and for the calls that it makes. */
  readonly comparer: Comparer
  /** All endpoints, for calls on a snapshot. */
  readonly endpoints: readonly Endpoint[]
  /** What the answers of calls that changed something say besides. */
  readonly notes: string[] = []
  /** The ID of the last call of this request that changed something. */
  lastChange: string | undefined
  readonly #catalog: ToolCatalog
  /** Calls of a form that have changed something. */
  #changes = 0

  /** @param endpoints  all endpoints; those that this kind of connection does not have are filtered out */
  constructor(request: PageRequest, endpoints: readonly Endpoint[], comparer = new Comparer()) {
    const { info } = request.caller.space
    this.request = request
    this.comparer = comparer
    this.endpoints = endpoints
    const locales = info.dateLanguage ? [info.dateLanguage] : pageLocale().locales
    this.formats = new Formats(locales, info.timezone, request.now, info.weekStart)
    this.links = new PageLinks(request.base, info.id)
    this.#catalog = toolCatalogFor(endpoints, request.caller.link.kind)
  }

  /** The session of the browser, of which notes are kept. */
  get session(): string {
    return this.request.caller.link.connection ?? ''
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

  /** @param label  what stands beside it */
  icon(name: IconName, label?: Html | string): Html {
    return iconHtml(this.request.root, name, label)
  }

  /** True if this kind of connection has the endpoint, whether or not it is an MCP tool. */
  has(tool: PageTool): boolean {
    return this.#catalog.find(tool) !== undefined
  }

  /** True if the link allows this effect. */
  may(effect: Effect): boolean {
    return isEffectAllowed(effect, this.request.caller.link.access)
  }

  /** True if scripts change what is there: not for links that may only read or propose. */
  get edits(): boolean {
    return this.may('change') && !mustPropose(this.request.caller.link)
  }

  /** True if what scripts let a person write in a document is suggested: always over links that may only propose. */
  get suggests(): boolean {
    return this.may('change') && (mustPropose(this.request.caller.link) || this.query.get('suggest') === 'yes')
  }

  /** What the caller manages of links and people; undefined for every link. */
  get management(): Management | undefined {
    return this.request.isOperator ? 'operator' : managementOf(this.request.caller.link)
  }

  /** True if the caller may invite people, and change links of all and settings. */
  get managesSpace(): boolean {
    return this.management === 'operator' || this.management === 'all'
  }

  /** The address of a page: `call.href('/tasks', { scope: 'inbox' })`. */
  href(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`
    return `${this.request.base}${path}${search}`
  }

  /** Makes a call. @throws the errors of the tool */
  async run<Name extends PageTool>(tool: Name, ...[input]: CallArguments<Name>): Promise<CallAnswer<Name>> {
    const found = this.#tool(tool)
    const key = found.endpoint.effect === 'read' ? undefined : this.#nextKey()
    const result = await this.#call(found, input ?? {}, key === undefined ? {} : { idempotencyKey: key })
    return ('object' in result ? result.object : JSON.parse(result.text.body)) as CallAnswer<Name>
  }

  /** The idempotency key of a form that a script sends; undefined for all other requests. */
  get #formKey(): string | undefined {
    return this.form.size === 0 ? undefined : (this.request.request.headers.get('idempotency-key') ?? undefined)
  }

  /** The key of the next call that changes something: that of the form for the first, and others for further ones. */
  #nextKey(): string | undefined {
    const key = this.#formKey
    return key === undefined || this.#changes++ === 0 ? key : `${key} ${this.#changes}`
  }

  /** True if a form was sent before, with the same key, and carried out. */
  async wasCarriedOut(): Promise<boolean> {
    const { space, link } = this.request.caller
    const key = this.#formKey
    return key !== undefined && (await space.read(link, (view) => hasReplay(view, { key })))
  }

  /** Makes a call that is answered as Markdown. @throws the errors of the tool */
  async readMarkdown<Name extends PageTool>(tool: Name, input: ToolInput<Name>): Promise<string> {
    const result = await this.#call(this.#tool(tool), { ...input, format: 'markdown' }, {})
    if ('text' in result) return result.text.body
    throw new Error(`Expected Markdown from ${tool}, found an object.`)
  }

  /** Makes a call, and returns its JSON as text. Parsing and writing it again would take long for large documents. */
  async readJson<Name extends PageTool>(tool: Name, input: ToolInput<Name>): Promise<string> {
    const result = await this.#call(this.#tool(tool), input, {})
    return 'text' in result ? result.text.body : JSON.stringify(result.object)
  }

  /** Makes a dry run: the same checks and errors, but nothing is written. `warning` is what its note says besides. */
  async rehearse<Name extends PageTool>(
    tool: Name,
    input: ToolInput<Name>,
  ): Promise<ToolAnswer<Name> & { dryRun: RehearsedCall; warning?: string }> {
    const { note, ...result } = await this.#call(this.#tool(tool), input, { dryRun: true, wholeDiff: true })
    const answer = ('object' in result ? result.object : {}) as ToolAnswer<Name> & { dryRun: RehearsedCall }
    const warning = note?.replace(DRY_RUN_NOTE, '').trim()
    return { ...answer, ...(warning && { warning }) }
  }

  /**
   * Makes a call for a script of the page.
   *
   * @param suggested  given for a call that is only suggested, also over a link whose calls take effect at once
   * @throws the errors of the tool
   */
  perform(tool: string, input: unknown, options: CallOptions, suggested?: SuggestedCall): Promise<CallResult> {
    return this.#call(this.#catalog.get(tool), input, options, suggested)
  }

  /** Takes back what this link has proposed itself. No tool does. @param parts  keys of parts; all of it if absent */
  async withdraw(proposalId: string, parts?: readonly string[]): Promise<void> {
    const { caller } = this.request
    const input = { proposalId: new GivenId(proposalId), isWithdrawn: true as const, ...(parts && { parts }) }
    await countRequest(caller)
    const prepared = await prepareRejection(input, prepareContext(this.#tool('proposals_reject'), caller, {}))
    await caller.space.write(caller.link, async (view) => {
      await view.resolveIds([input.proposalId])
      await rejectProposal(view, prepared)
    })
  }

  /** The page with what its person has suggested in its text; undefined if nothing of theirs waits there. */
  async suggestedPage(pageId: string): Promise<SuggestedPage | undefined> {
    const { caller } = this.request
    await countRequest(caller)
    return readSuggestedPage(new GivenId(pageId), prepareContext(this.#tool('proposals_parts'), caller, {}))
  }

  async #call(tool: Tool, input: unknown, options: CallOptions, suggested?: SuggestedCall): Promise<CallResult> {
    const caller = suggested === undefined ? this.request.caller : suggesting(this.request.caller, suggested)
    const result = await runCall(tool, input, caller, { ...options, comparer: this.comparer, namesChanges: true })
    if (tool.endpoint.effect !== 'read') this.lastChange = result.callId
    if (result.note !== undefined && tool.endpoint.effect !== 'read' && !options.dryRun) this.notes.push(result.note)
    return result
  }

  #tool(name: string): Tool {
    return this.#catalog.find(name) ?? this.#catalog.get(name)
  }

  /** Makes a call; returns undefined if the object does not exist within reach. */
  find<Name extends PageTool>(tool: Name, ...input: CallArguments<Name>): Promise<CallAnswer<Name> | undefined> {
    return this.run(tool, ...input).catch(undefinedIfNotFound)
  }

  /** The form field with the form token. */
  tokenField(): Html {
    return html`<input type="hidden" name="token" value="${this.request.formToken}">`
  }
}

/** A call that is suggested: a person decides on it. */
export interface SuggestedCall {
  /** The IDs of own waiting suggestions whose place it takes. */
  replaces: readonly string[]
  /** Names what it suggests. */
  version?: string
  /** The names of what was suggested before, as far as the page has seen it. */
  seen: readonly string[]
}

/** The caller whose calls become proposals. A link that may not write gains nothing by it. */
function suggesting(caller: Caller, { replaces, ...named }: SuggestedCall): Caller {
  const { link } = caller
  const access = canWrite(link) ? 'propose' : link.access
  const ids = replaces.map((id) => new GivenId(id))
  return { ...caller, link: { ...link, access }, replaces: { ids, ...named } }
}

/** Handles the error of a call for an object that does not exist within reach. @throws all other errors */
export function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof ScriptoriumError && error.code === 'NOT_FOUND_ERROR') return undefined
  throw error
}
