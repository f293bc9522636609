/** Metrics for Prometheus: calls, their duration, blocks and errors. They contain no names of spaces or links. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { toDiskError } from '../../storage/sqlite/disk-errors.ts'
import { inBackground, type Log } from '../base/background.ts'
import { type ErrorCode, ScriptoriumError } from '../base/errors.ts'
import { HEADERS_SECONDS } from '../base/limits.ts'
import { isLoopbackHost } from '../base/loopback.ts'
import type { Tool } from '../call/catalog/tool-catalog.ts'
import { noteInRequest, type RequestNotes } from '../call/request-notes.ts'
import type { CallResult } from '../call/run.ts'
import type { SpaceRegistry } from '../call/space-registry.ts'
import { listening } from './listening.ts'
import { SpaceGauges } from './space-gauges.ts'

const UNAUTHORIZED = 401
/** Maximum number of concurrent connections to that port. */
const METRICS_CONNECTIONS = 20

/** Measurements of one call. */
export interface CallObservation {
  tool: string
  transport: 'mcp' | 'rest'
  seconds: number
  blocks?: number
  error?: ErrorCode
}

export type OpenSpaces = Pick<SpaceRegistry, 'openCount' | 'openSpaces'>

export class Metrics {
  readonly registry = new Registry()
  readonly #calls: Counter<'tool' | 'transport'>
  readonly #seconds: Histogram<'tool'>
  readonly #blocks: Counter<'tool'>
  readonly #refusals: Counter<'tool' | 'code'>
  readonly #responses: Counter<'status' | 'code'>
  readonly #signInRefusals: Counter
  readonly #spaceGauges: SpaceGauges
  readonly #spaces: OpenSpaces

  constructor(spaces: OpenSpaces) {
    const registers = [this.registry]
    this.#spaces = spaces
    collectDefaultMetrics({ register: this.registry })
    this.#calls = new Counter({
      name: 'scriptorium_calls_total',
      help: 'Calls that were answered or refused',
      labelNames: ['tool', 'transport'],
      registers,
    })
    this.#seconds = new Histogram({
      name: 'scriptorium_call_seconds',
      help: 'How long calls took',
      labelNames: ['tool'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    })
    this.#blocks = new Counter({
      name: 'scriptorium_blocks_total',
      help: 'Blocks that were read or written',
      labelNames: ['tool'],
      registers,
    })
    this.#refusals = new Counter({
      name: 'scriptorium_refusals_total',
      help: 'Calls that were refused, by the code of the error',
      labelNames: ['tool', 'code'],
      registers,
    })
    new Gauge({
      name: 'scriptorium_open_spaces',
      help: 'Spaces that are open',
      registers,
      collect() {
        this.set(spaces.openCount)
      },
    })
    this.#responses = new Counter({
      name: 'scriptorium_http_responses_total',
      help: 'Responses by status, and by the code of the error where there is one',
      labelNames: ['status', 'code'],
      registers,
    })
    this.#signInRefusals = new Counter({
      name: 'scriptorium_sign_in_refusals_total',
      help: 'Requests without a valid password, secret of a link, or token',
      registers,
    })
    this.#spaceGauges = new SpaceGauges(this.registry)
  }

  /** Adds a value that is read when the metrics are. A value that is not known is left out. */
  addGauge(name: string, help: string, read: () => number | undefined | Promise<number | undefined>): void {
    new Gauge({
      ...{ name, help, registers: [this.registry] },
      async collect() {
        const value = await Promise.resolve(read()).catch(() => undefined)
        value === undefined ? this.remove() : this.set(value)
      },
    })
  }

  /** All metrics in the format of Prometheus. */
  async text(): Promise<string> {
    await this.#spaceGauges.update(this.#spaces.openSpaces())
    return this.registry.metrics()
  }

  /** Counts an answered request. */
  observeResponse({ status, code, signIn }: { status: number } & RequestNotes): void {
    this.#responses.inc({ status, code: code ?? '' })
    if (signIn !== undefined || status === UNAUTHORIZED) this.#signInRefusals.inc()
  }

  observe({ tool, transport, seconds, blocks, error }: CallObservation): void {
    this.#calls.inc({ tool, transport })
    this.#seconds.observe({ tool }, seconds)
    if (blocks !== undefined) this.#blocks.inc({ tool }, blocks)
    if (error !== undefined) this.#refusals.inc({ tool, code: error })
  }

  /**
   * Serves metrics at `/metrics`.
   *
   * @param host  the address to listen on. On a loopback address, web pages cannot read the metrics by DNS rebinding
   *   either. Elsewhere, programs of other machines read them, by whatever name they know.
   */
  serve(port: number, host: string, log?: Log): Promise<Server> {
    const server = createServer({ headersTimeout: HEADERS_SECONDS * 1000 }, (incoming, response) => {
      const { method = '', url, headers } = incoming
      response.setHeader('X-Content-Type-Options', 'nosniff')
      if (isLoopbackHost(host) && !validateHostHeader(headers.host, localhostAllowedHostnames()).ok) {
        const sentence = `Expected localhost or ${host} as Host, found another name; ask at http://${host}:${port}/metrics.`
        response.writeHead(403, { 'content-type': 'text/plain' }).end(`${sentence}\n`)
      } else if (url !== '/metrics') response.writeHead(404).end()
      else if (method !== 'GET' && method !== 'HEAD') response.writeHead(405, { allow: 'GET, HEAD' }).end()
      else inBackground('send metrics', () => this.#send(response), log)
    })
    server.maxConnections = METRICS_CONNECTIONS
    return listening(server, { port, host }, log)
  }

  async #send(response: ServerResponse): Promise<void> {
    const text = await this.text().catch((error: unknown) => {
      response.writeHead(500).end()
      throw error
    })
    response.writeHead(200, { 'content-type': this.registry.contentType }).end(text)
  }
}

/** Runs a call, and reports its measurements if metrics are enabled. */
export async function measureCall<Result extends object>(
  metrics: Metrics | undefined,
  transport: CallObservation['transport'],
  { endpoint }: Tool,
  work: () => Promise<Result>,
): Promise<Result> {
  noteInRequest({ tool: endpoint.name })
  const startedAt = performance.now()
  const observation = () => ({ tool: endpoint.name, transport, seconds: (performance.now() - startedAt) / 1000 })
  try {
    const result = await work()
    const { blocks } = result as Partial<Pick<CallResult, 'blocks'>>
    metrics?.observe({ ...observation(), ...(blocks !== undefined && { blocks }) })
    return result
  } catch (error) {
    metrics?.observe({ ...observation(), error: errorCodeOf(error) })
    throw error
  }
}

export const errorCodeOf = (error: unknown): ErrorCode =>
  error instanceof ScriptoriumError ? error.code : (toDiskError(error)?.code ?? 'INTERNAL_ERROR')
