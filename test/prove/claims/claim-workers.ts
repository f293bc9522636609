/**
 * Workers that share a board, over REST, MCP over HTTP, and stdio. Each claims an item, sometimes stops working on it for
 * longer than its lease, and writes with its fence. What was acknowledged is recorded with the times at which calls were
 * sent and answered.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { StdioServer } from './stdio-server.ts'

/** What one claim of a worker led to. Times are milliseconds of the proof's own steady clock. */
export interface RecordedClaim {
  item: string
  fence: number
  worker: number
  /** When the claim was sent and answered. */
  sent: number
  answered: number
  /** The lease in milliseconds. */
  lease: number
  /** When the finishing write was sent, and whether it was accepted; undefined if there was no answer. */
  finish?: { sent: number; isAccepted: boolean | undefined }
}

export interface Board {
  collectionId: string
  /** Links to the space, one for each server. A server that was killed is replaced by another. */
  servers: (Server | undefined)[]
  /** Processes that serve over stdio, which are killed and replaced as well. */
  hosts: (StdioServer | undefined)[]
}

export interface Server {
  restUrl: string
  mcpUrl: string
}

/** What a worker learns from a response. */
interface Answered {
  isAccepted: boolean
  isConflict: boolean
  json: { items?: { id: string; fence: number }[] }
}

/** Milliseconds between tries. */
const AGAIN = 20

export class ClaimWorker {
  readonly claims: RecordedClaim[] = []
  readonly #board: Board
  readonly #number: number
  readonly #random: () => number
  readonly #leaseSeconds: number

  constructor(board: Board, number: number, random: () => number, leaseSeconds: number) {
    this.#board = board
    this.#number = number
    this.#random = random
    this.#leaseSeconds = leaseSeconds
  }

  /** Works until all items are done or `until` has passed. */
  async run(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const claim = await this.#claim()
      if (claim === undefined) {
        await delay(AGAIN)
        continue
      }
      this.claims.push(claim)
      const chance = this.#random()
      // The process of this worker is killed.
      if (chance < 0.05) continue
      // It hangs for longer than its lease, and then goes on.
      if (chance < 0.15) await delay(this.#leaseSeconds * 1_200)
      const sent = performance.now()
      const properties = { status: 'Done', owner: `${this.#number}` }
      const itemsToUpdate = [{ id: claim.item, fence: claim.fence, release: true, properties }]
      const response = await this.#send('items_update', { collectionId: this.#board.collectionId, itemsToUpdate })
      // Without an answer, or with one that says that the server failed, it is not known whether the write was carried out.
      const isKnown = response !== undefined && (response.isAccepted || response.isConflict)
      claim.finish = { sent, isAccepted: isKnown ? response.isAccepted : undefined }
    }
  }

  async #claim(): Promise<RecordedClaim | undefined> {
    const { collectionId } = this.#board
    const filters = [{ property: 'status', filterType: 'select_isNoneOf', filterValue: ['Done'] }]
    const sent = performance.now()
    // Only the lease keeps others away: a claimed item still matches.
    const set = this.#random() < 0.5 ? { set: { status: 'Doing' } } : {}
    const response = await this.#send('items_claim', { collectionId, filters, ...set, lease: this.#leaseSeconds })
    const [item] = response?.isAccepted ? (response.json.items ?? []) : []
    if (item === undefined) return undefined
    const answered = performance.now()
    return { item: item.id, fence: item.fence, worker: this.#number, sent, answered, lease: this.#leaseSeconds * 1_000 }
  }

  /** Undefined if no server answers. */
  async #send(tool: ClaimTool, args: ClaimArguments): Promise<Answered | undefined> {
    const { servers, hosts } = this.#board
    const transport = transportOf(this.#number, hosts.length > 0)
    try {
      if (transport === 'stdio') return await this.#one(hosts)?.call(callParams(tool, args)).then(answeredBy)
      const server = this.#one(servers)
      return server && (await (transport === 'MCP' ? overMcp(server, tool, args) : overRest(server, tool, args)))
    } catch {
      return undefined
    }
  }

  #one<One>(all: readonly (One | undefined)[]): One | undefined {
    const running = all.filter((one) => one !== undefined)
    return running[Math.floor(this.#random() * running.length)]
  }
}

export type Transport = 'REST' | 'MCP' | 'stdio'

/** How a worker makes its calls. @param worker  its number */
export const transportOf = (worker: number, hasStdio: boolean): Transport =>
  worker % (hasStdio ? 3 : 2) === 0 ? 'REST' : worker % 3 === 2 && hasStdio ? 'stdio' : 'MCP'

type ClaimTool = 'items_claim' | 'items_update'
type ClaimArguments = { collectionId: string } & Record<string, unknown>

const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const CONFLICT = 409

async function overRest({ restUrl }: Server, tool: ClaimTool, args: ClaimArguments): Promise<Answered> {
  const { collectionId, ...others } = args
  const [method, path, body] =
    tool === 'items_claim' ? ['POST', '/items/claim', args] : ['PUT', `/collections/${collectionId}/items`, others]
  const response = await fetch(restUrl + path, { method, headers: JSON_TYPE, body: JSON.stringify(body) })
  const json = (await response.json()) as Answered['json']
  return { isAccepted: response.status === 200, isConflict: response.status === CONFLICT, json }
}

const VERSION = '2026-07-28'
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'worker', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

async function overMcp({ mcpUrl }: Server, tool: ClaimTool, args: ClaimArguments): Promise<Answered> {
  const headers = { ...JSON_TYPE, 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': tool }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: callParams(tool, args) })
  const text = await (await fetch(mcpUrl, { method: 'POST', headers, body })).text()
  const data = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '{}')
  return answeredBy((JSON.parse(data) as { result?: McpResult }).result ?? {})
}

const callParams = (tool: ClaimTool, args: ClaimArguments): object => ({ name: tool, arguments: args, _meta: ENVELOPE })

function answeredBy(result: McpResult): Answered
function answeredBy(result: McpResult | undefined): Answered | undefined
function answeredBy(result: McpResult | undefined): Answered | undefined {
  if (result === undefined) return undefined
  const isAccepted = result.structuredContent !== undefined && result.isError !== true
  const isConflict = result._meta?.['scriptorium/error']?.code === 'CONFLICT'
  return { isAccepted, isConflict, json: result.structuredContent ?? {} }
}

export interface McpResult {
  structuredContent?: Answered['json']
  isError?: boolean
  _meta?: { 'scriptorium/error'?: { code: string } }
}
