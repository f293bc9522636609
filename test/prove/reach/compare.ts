/** Converts responses to calls over MCP and REST to a form that can be compared. */

import { askForAll } from '../../whole-answer.ts'
import {
  endpointNamed,
  type Message,
  type Response,
  type RestInput,
  requestFor,
  type TestClient,
} from '../test-client/test-client.ts'
import type { ToolCall } from '../test-client/valid-calls.ts'

export interface ComparisonOptions {
  client: TestClient
  /** Runs before every call and resets what the previous one changed. */
  begin(): void
  /** Returns a value that changes with every lasting write. */
  written(): unknown
  /** Describes how the last call changed something out of reach. Returns undefined if it did not. */
  changed(): string | undefined
  /** Texts that must not occur in any response, each with its meaning. */
  secrets: ReadonlyMap<string, string>
  /** The ID of a document in the trash, which the feed may report as gone. */
  gone?: string
}

/** The responses to one call over both transports, with the ID that was sent removed. */
export interface ComparedResponses {
  mcp: string
  /** Absent if a path cannot express the call. */
  rest?: string
  isRefused: boolean
}

export class ResponseComparison {
  readonly faults: string[] = []
  sent = 0
  readonly #options: ComparisonOptions
  /** Faults already found, so that a leak that every call shows is reported once per tool. */
  readonly #known = new Set<string>()

  constructor(options: ComparisonOptions) {
    this.#options = options
  }

  /**
   * @param id  the ID that the call contains
   * @param isAlike  true if both transports must give the same answer: some texts have another meaning in a query
   * @param isDry  true for a dry run
   */
  async compare(
    [tool, given]: ToolCall,
    id: string,
    { overRest = true, isAlike = true, isDry = false } = {},
  ): Promise<ComparedResponses> {
    const { client } = this.#options
    const found = endpointNamed(client.table, tool)
    const args = { ...askForAll(tool), ...given }
    const what = `${isDry ? 'dry run of ' : ''}${tool} ${JSON.stringify(args)}`
    const params = { name: tool, arguments: args, ...(isDry && DRY_RUN_PARAMS) }
    const message = await this.#once(tool, what, () => client.mcp('tools/call', params))
    const isRefused = message.error !== undefined || message.result?.isError === true
    const answer = without(id, ofMessage(message))
    const mcp = without(id, wholeOf(message))
    this.#check(tool, what, mcp)
    const isUnknown = message.error?.code === UNKNOWN_TOOL
    if (found.endpoint.isRestOnly === true && !isUnknown) this.#fault(`${what} is answered over MCP ${answer}`)
    const request = overRest ? requestFor(found, args) : undefined
    if (request === undefined) return { mcp, isRefused }
    const line = `${request.method} ${request.target}`
    const response = await this.#once(tool, line, () => client.rest(isDry ? dryRun(request) : request))
    const same = without(id, ofResponse(response))
    const rest = without(id, JSON.stringify({ ...response, headers: unmeasured(response.headers) }))
    const mayDiffer = !isAlike || found.endpoint.isRestOnly === true || BY_CONNECTION.test(what)
    if (!mayDiffer && alike(tool, same) !== alike(tool, answer))
      this.#fault(`${what} is answered over MCP ${answer}, over REST ${same}`)
    this.#check(tool, `${line} ${what}`, rest)
    return { mcp, rest, isRefused }
  }

  /** Sends a request that is not a tool call, over MCP only. */
  async compareMessages(method: string, params: object, id: string): Promise<string> {
    const what = `${method} ${JSON.stringify(params)}`
    const message = await this.#once(method, what, () => this.#options.client.mcp(method, params))
    const response = without(id, wholeOf(message))
    this.#check(method, what, response)
    return response
  }

  /** The responses for things out of reach must be the same as for things that never existed. */
  same(what: string, found: Omit<ComparedResponses, 'isRefused'>, missing: Omit<ComparedResponses, 'isRefused'>): void {
    for (const over of ['mcp', 'rest'] as const) {
      const [one, other] = [found[over], missing[over]]
      if (one === undefined || one === other) continue
      const [response, otherwise] = differing(one, other ?? '')
      this.#fault(`${what} over ${over} returns ${response}, and for what never existed ${otherwise}`)
    }
  }

  async #once<T>(name: string, what: string, send: () => Promise<T>): Promise<T> {
    const { begin, written, changed } = this.#options
    begin()
    const before = written()
    const answer = await send()
    this.sent += 1
    if (written() !== before) this.#fault(`something was written that stays: ${JSON.stringify(answer)}`)
    const change = changed()
    if (change !== undefined) this.#fault(`${what} changes what is out of reach: ${change}`, `${name} changes`)
    return answer
  }

  #check(name: string, what: string, text: string): void {
    const { secrets, gone } = this.#options
    for (const [secret, meaning] of secrets) {
      if (name === 'changes_list' && secret === gone) continue
      const at = text.indexOf(secret)
      if (at < 0 || what.includes(secret)) continue
      const near = text.slice(Math.max(0, at - NEAR), at + secret.length + NEAR)
      this.#fault(`${what} shows ${secret}, ${meaning}, which is out of reach: …${near}…`, `${name} ${meaning}`)
    }
  }

  /** @param known  a key: of the faults with the same key, only the first is reported */
  #fault(fault: string, known = fault): void {
    if (this.#known.has(known)) return
    this.#known.add(known)
    this.faults.push(fault)
  }
}

/** Turns a REST request into a dry run. */
export const dryRun = (request: RestInput): RestInput => ({
  ...request,
  headers: { ...request.headers, prefer: 'dry-run' },
})
export const DRY_RUN_PARAMS = { _meta: { 'scriptorium/dryRun': true } }

/** The MCP error code for an unknown tool. */
const UNKNOWN_TOOL = -32602

/**
 * Calls whose answer depends on what the connection has read before: such a tool, or a batch with it. Here the
 * connection has read what was taken back since, below the program.
 */
const BY_CONNECTION = /\bschema_update\b/

/**
 * Removes differences between the transports from a response: over REST, items have an empty `content`, each search match
 * in a document has all of its context, and the history names what calls changed.
 */
function alike(tool: string, text: string): string {
  const answered = 'answered '
  if (!text.startsWith(`${answered}{`)) return text
  const answer = JSON.parse(text.slice(answered.length)) as { items?: object[] }
  return JSON.stringify(answer, (key, value) => {
    const isEmpty = key === 'content' && Array.isArray(value) && value.length === 0
    const isContext = tool === 'blocks_search' && (key === 'beforeBlocks' || key === 'afterBlocks')
    const isNamed = tool === 'history_list' && (key === 'changes' || key === 'isPartial')
    return isEmpty || isContext || isNamed ? undefined : value
  })
}

/** How many characters around a difference are shown. */
const NEAR = 100

/** Returns the parts of two texts around the first position at which they differ. */
export function differing(one: string, other: string): [one: string, other: string] {
  let at = 0
  while (one[at] === other[at]) at += 1
  const near = (text: string) => `…${text.slice(Math.max(0, at - NEAR), at + NEAR)}…`
  return [near(one), near(other)]
}

/** Removes the length of the content, since not all IDs have the same length. */
const unmeasured = ({ 'content-length': _, ...headers }: Record<string, string>): Record<string, string> => headers

/** The whole response except for the number of the message. */
const wholeOf = ({ result, error, http }: Message): string =>
  JSON.stringify([error ?? result, http && { ...http, headers: unmeasured(http.headers) }])

/** Removes an ID in both spellings: keys and the addresses of files contain IDs without their dashes. */
const without = (id: string, text: string): string =>
  text.replaceAll(id, '(ID)').replaceAll(id.replaceAll('-', ''), '(ID)')

function ofMessage({ result, error }: Message): string {
  if (result === undefined) return `refused ${JSON.stringify(error)}`
  const [first = ''] = (result.content ?? []).map(({ text }) => text ?? '')
  if (result.isError !== true) return `answered ${first}`
  const { details } = (result._meta?.['scriptorium/error'] ?? {}) as { details?: unknown }
  return `refused ${first} ${details === undefined ? '' : JSON.stringify(details)}`
}

function ofResponse({ status, text }: Response): string {
  if (status < 300) return `answered ${text}`
  const { error, details } = JSON.parse(text)
  return `refused ${error} ${details === undefined ? '' : JSON.stringify(details)}`
}
