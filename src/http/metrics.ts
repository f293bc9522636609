/** Metrics for Prometheus: calls, their duration, blocks and errors. They contain no names of spaces or links. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type ByteCounts, sumOfBytes } from '../../storage/byte-counts.ts'
import { toDiskError } from '../../storage/sqlite/disk-errors.ts'
import { inBackground, type Log } from '../base/background.ts'
import { type ErrorCode, ScriptoriumError } from '../base/errors.ts'
import { HEADERS_SECONDS } from '../base/limits.ts'
import type { Tool } from '../call/catalog/tool-catalog.ts'
import type { CallResult } from '../call/run.ts'
import type { SpaceRegistry } from '../call/space-registry.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { listening } from './listening.ts'

/** Metrics are only served to programs on this machine. */
export const METRICS_HOST = '127.0.0.1'
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
  readonly #storedBytes: Gauge<'kind'>
  readonly #quotaShare: Gauge
  readonly #linkQuotaShare: Gauge
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
    this.#storedBytes = new Gauge({
      name: 'scriptorium_stored_bytes',
      help: 'Bytes that the open spaces store, by documents, history and files',
      labelNames: ['kind'],
      registers,
    })
    this.#quotaShare = new Gauge({
      name: 'scriptorium_quota_used_ratio',
      help: 'The largest share of its quota that an open space uses; 0 without quotas',
      registers,
    })
    this.#linkQuotaShare = new Gauge({
      name: 'scriptorium_link_quota_used_ratio',
      help: 'The largest share of its quota that a link of an open space uses; 0 without quotas',
      registers,
    })
  }

  /** All metrics in the format of Prometheus. */
  async text(): Promise<string> {
    const found = await Promise.all(this.#spaces.openSpaces().map(readBytes))
    const shares = found.filter((one) => one !== undefined)
    for (const kind of ['documents', 'history', 'files'] as const) {
      this.#storedBytes.set(
        { kind },
        shares.reduce((sum, { counts }) => sum + counts[kind], 0),
      )
    }
    this.#quotaShare.set(Math.max(0, ...shares.map(({ space }) => space)))
    this.#linkQuotaShare.set(Math.max(0, ...shares.map(({ link }) => link)))
    return this.registry.metrics()
  }

  observe({ tool, transport, seconds, blocks, error }: CallObservation): void {
    this.#calls.inc({ tool, transport })
    this.#seconds.observe({ tool }, seconds)
    if (blocks !== undefined) this.#blocks.inc({ tool }, blocks)
    if (error !== undefined) this.#refusals.inc({ tool, code: error })
  }

  /**
   * Serves metrics at `/metrics`, for programs on this machine only. Web pages cannot read them by DNS rebinding
   * either.
   */
  serve(port: number, log?: Log): Promise<Server> {
    const server = createServer({ headersTimeout: HEADERS_SECONDS * 1000 }, (incoming, response) => {
      const { method = '', url, headers } = incoming
      response.setHeader('X-Content-Type-Options', 'nosniff')
      if (!validateHostHeader(headers.host, localhostAllowedHostnames()).ok) {
        const sentence = `Expected localhost or 127.0.0.1 as Host, found another name; ask at http://${METRICS_HOST}:${port}/metrics.`
        response.writeHead(403, { 'content-type': 'text/plain' }).end(`${sentence}\n`)
      } else if (url !== '/metrics') response.writeHead(404).end()
      else if (method !== 'GET' && method !== 'HEAD') response.writeHead(405, { allow: 'GET, HEAD' }).end()
      else inBackground('send metrics', () => this.#send(response), log)
    })
    server.maxConnections = METRICS_CONNECTIONS
    return listening(server, { port, host: METRICS_HOST }, log)
  }

  async #send(response: ServerResponse): Promise<void> {
    const text = await this.text().catch((error: unknown) => {
      response.writeHead(500).end()
      throw error
    })
    response.writeHead(200, { 'content-type': this.registry.contentType }).end(text)
  }
}

/** The bytes of a space, and the shares of their quotas that the space and its fullest link use. */
interface SpaceBytes {
  counts: ByteCounts
  space: number
  link: number
}

/** Returns undefined for a space that was closed meanwhile, or that cannot be read now. */
async function readBytes(space: OpenSpace): Promise<SpaceBytes | undefined> {
  try {
    const { space: counts, links } = await space.storedBytes()
    const { space: quota = Infinity, link: linkQuota = Infinity } = space.quotas ?? {}
    const fullest = Math.max(0, ...[...links.values()].map(sumOfBytes))
    return { counts, space: sumOfBytes(counts) / quota, link: fullest / linkQuota }
  } catch {
    return undefined
  }
}

/** Runs a call, and reports its measurements if metrics are enabled. */
export async function measureCall<Result extends object>(
  metrics: Metrics | undefined,
  transport: CallObservation['transport'],
  { endpoint }: Tool,
  work: () => Promise<Result>,
): Promise<Result> {
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
