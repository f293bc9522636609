/** What a call is answered over MCP and over REST, in a form that can be compared. */
import type { Asking, Message, Response } from '../asking/asking.ts'
import { requestFor } from '../asking/asking.ts'
import type { ToolCall } from '../asking/valid-calls.ts'

export interface ComparingOptions {
  asking: Asking
  /** Before every call: sets back what the one before has moved. */
  begin(): void
  /** Changes whenever something was written that stays. */
  written(): unknown
  /** What no answer may have. */
  secrets: readonly string[]
}

/** What came of one call over both transports, with the ID that was sent left out of the words. */
export interface Told {
  mcp: string
  /** Absent where a path cannot say it. */
  rest?: string
  isRefused: boolean
}

export class Comparing {
  readonly faults: string[] = []
  sent = 0
  readonly #options: ComparingOptions

  constructor(options: ComparingOptions) {
    this.#options = options
  }

  /**
   * @param id  what was sent for an ID
   * @param isAlike  whether both transports must say the same: a text may mean another thing in a query
   */
  async tell([tool, args]: ToolCall, id: string, { overRest = true, isAlike = true } = {}): Promise<Told> {
    const { asking } = this.#options
    const message = await this.#once(() => asking.mcp('tools/call', { name: tool, arguments: args }))
    const isRefused = message.error !== undefined || message.result?.isError === true
    const mcp = without(id, ofMessage(message))
    this.#check(`${tool} ${JSON.stringify(args)}`, mcp)
    const asked = overRest ? requestFor(asking.table.get(tool), args) : undefined
    if (asked === undefined) return { mcp, isRefused }
    const response = await this.#once(() => asking.rest(asked))
    const rest = without(id, `${response.status} ${ofResponse(response)}`)
    const same = without(id, ofResponse(response))
    if (isAlike && same !== mcp)
      this.#fault(`${tool} ${JSON.stringify(args)} is answered over MCP ${mcp}, over REST ${same}`)
    this.#check(`${asked.method} ${asked.target}`, rest)
    return { mcp, rest, isRefused }
  }

  /** Over MCP alone: what is no tool. */
  async tellOf(method: string, params: object, id: string): Promise<string> {
    const message = await this.#once(() => this.#options.asking.mcp(method, params))
    const told = without(id, JSON.stringify(message.error ?? message.result))
    this.#check(`${method} ${JSON.stringify(params)}`, told)
    return told
  }

  /** What is out of reach must be answered as what never was. */
  same(what: string, found: Omit<Told, 'isRefused'>, missing: Omit<Told, 'isRefused'>): void {
    if (found.mcp !== missing.mcp)
      this.#fault(`${what} over MCP is told ${found.mcp}, of what never was ${missing.mcp}`)
    if (found.rest !== undefined && found.rest !== missing.rest) {
      this.#fault(`${what} over REST is told ${found.rest}, of what never was ${missing.rest}`)
    }
  }

  async #once<T>(send: () => Promise<T>): Promise<T> {
    const { begin, written } = this.#options
    begin()
    const before = written()
    const answer = await send()
    this.sent += 1
    if (written() !== before) this.#fault(`something was written that stays: ${JSON.stringify(answer)}`)
    return answer
  }

  #check(what: string, told: string): void {
    const shown = this.#options.secrets.find((secret) => told.includes(secret) && !what.includes(secret))
    if (shown !== undefined) this.#fault(`${what} is answered with ${shown}, which is out of reach: ${told}`)
  }

  #fault(fault: string): void {
    this.faults.push(fault)
  }
}

/** Keys are made of names without their dashes. */
const without = (id: string, text: string): string =>
  text.replaceAll(id, '(ID)').replaceAll(id.replaceAll('-', ''), '(ID)')

function ofMessage({ result, error }: Message): string {
  if (result === undefined) return `refused ${JSON.stringify(error)}`
  const [first = '', details] = (result.content ?? []).map(({ text }) => text ?? '')
  if (result.isError !== true) return `answered ${first}`
  return `refused ${first} ${details === undefined ? '' : JSON.stringify(JSON.parse(details).details)}`
}

function ofResponse({ status, text }: Response): string {
  if (status === 200) return `answered ${text}`
  const { error, details } = JSON.parse(text)
  return `refused ${error} ${details === undefined ? '' : JSON.stringify(details)}`
}
