/** Callers behind the proxy, which repeat a call with its idempotency key until there is a final response. */
import { setTimeout as delay } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ErrorBody } from '../../../src/base/errors.ts'
import type { Calls } from '../crash/fleet.ts'
import type { Acknowledged, KeyedCall } from '../crash/keyed-call.ts'
import { askOverMcp, askOverRest } from '../crash/over-protocols.ts'

/** Milliseconds after which a call without a response is a fault, and roughly the delay before it is repeated. */
const PATIENCE = 60_000
const AGAIN = 100

/** Part of the error while a database or a server is unavailable. */
const UNSETTLED = /send the call again with the idempotency key/

/** What the callers of all spaces experienced. */
export interface CallStatistics {
  /** How many calls got no response, and how many were asked to try again. */
  cut: number
  putOff: number
  /** The longest time in milliseconds until a final response, including repeated attempts. */
  longest: number
}

export interface Callers extends Calls {
  /** Starts no new calls. Pending ones are repeated until they have a response. */
  stop(): void
  close(): Promise<void>
}

type Way = (call: KeyedCall) => Promise<Acknowledged>

/** @param linkUrl  the URL of the link, which the paths of MCP and REST are appended to */
export function startCallers(linkUrl: string, protocol: 'mcp' | 'rest', met: CallStatistics): Callers {
  let isStopped = false
  const { way, close } = protocol === 'mcp' ? overMcp(`${linkUrl}/mcp`) : overRest(`${linkUrl}/api/v1`)
  return {
    async call(call) {
      if (isStopped) return undefined
      const from = performance.now()
      for (;;) {
        const response = await way(call).catch(() => undefined)
        const waited = performance.now() - from
        if (response !== undefined && !isTemporary(response.refused)) {
          met.longest = Math.max(met.longest, waited)
          return response
        }
        if (response === undefined) met.cut++
        else met.putOff++
        if (waited > PATIENCE) return unanswered(call, response)
        await delay(AGAIN * (0.5 + Math.random()))
      }
    },
    stop() {
      isStopped = true
    },
    close,
  }
}

/** True if the refusal is caused by the database and temporary. */
export const isTemporary = (refused: ErrorBody | undefined): boolean =>
  refused?.code === 'STORAGE_UNAVAILABLE' || (refused?.code === 'CONFLICT' && UNSETTLED.test(refused.error))

function unanswered({ key }: KeyedCall, response: Acknowledged | undefined): Acknowledged {
  const error = `nothing for ${PATIENCE / 1_000} seconds: ${response?.refused?.error ?? 'no answer'}`
  return { key, refused: { error, code: 'INTERNAL_ERROR' } }
}

const overRest = (restUrl: string) => ({
  way: (call: KeyedCall) => askOverRest(restUrl, call),
  close: async () => {},
})

/** A client of MCP 2026, whose requests are stateless. */
function overMcp(url: string): { way: Way; close(): Promise<void> } {
  let connecting: Promise<Client> | undefined
  const connect = async () => {
    const client = new Client(
      { name: 'prover', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    return client
  }
  return {
    async way(call) {
      connecting ??= connect()
      const client = await connecting.catch((error) => {
        connecting = undefined
        throw error
      })
      return askOverMcp(client, call)
    },
    close: async () => void (await (await connecting?.catch(() => undefined))?.close()),
  }
}
