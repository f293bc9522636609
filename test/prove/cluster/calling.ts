/** Callers behind the proxy, who send a call again with its key until it is answered. */
import { setTimeout as delay } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ErrorBody } from '../../../src/base/errors.ts'
import type { Acknowledged, Asked } from '../crash/asked.ts'
import type { Calls } from '../crash/fleet.ts'
import { askOverMcp, askOverRest } from '../crash/over-protocols.ts'

/** Milliseconds after which a call that is not answered is a fault, and about so many until it is sent again. */
const PATIENCE = 60_000
const AGAIN = 100

/** What is told while a database or a server is away. */
const UNSETTLED = /send the call again with the idempotency key/

/** What callers of all spaces met. */
export interface Met {
  /** Calls that were not answered, and those that were told to come again. */
  cut: number
  putOff: number
  /** Milliseconds until the answer of the call that waited longest, with all its attempts. */
  longest: number
}

export interface Callers extends Calls {
  /** No call begins from now on; those that were sent are sent until they are answered. */
  stop(): void
  close(): Promise<void>
}

type Way = (asked: Asked) => Promise<Acknowledged>

/** @param linkUrl  where its addresses of MCP and REST begin */
export function startCallers(linkUrl: string, protocol: 'mcp' | 'rest', met: Met): Callers {
  let isStopped = false
  const { way, close } = protocol === 'mcp' ? overMcp(`${linkUrl}/mcp`) : overRest(`${linkUrl}/api/v1`)
  return {
    async call(asked) {
      if (isStopped) return undefined
      const from = performance.now()
      for (;;) {
        const told = await way(asked).catch(() => undefined)
        const waited = performance.now() - from
        if (told !== undefined && !isToComeAgain(told.refused)) {
          met.longest = Math.max(met.longest, waited)
          return told
        }
        if (told === undefined) met.cut++
        else met.putOff++
        if (waited > PATIENCE) return unanswered(asked, told)
        await delay(AGAIN * (0.5 + Math.random()))
      }
    },
    stop() {
      isStopped = true
    },
    close,
  }
}

/** Whether a refusal is about the database, and passes. */
export const isToComeAgain = (refused: ErrorBody | undefined): boolean =>
  refused?.code === 'STORAGE_UNAVAILABLE' || (refused?.code === 'CONFLICT' && UNSETTLED.test(refused.error))

function unanswered({ key }: Asked, told: Acknowledged | undefined): Acknowledged {
  const error = `nothing for ${PATIENCE / 1_000} seconds: ${told?.refused?.error ?? 'no answer'}`
  return { key, refused: { error, code: 'INTERNAL_ERROR' } }
}

const overRest = (restUrl: string) => ({
  way: (asked: Asked) => askOverRest(restUrl, asked),
  close: async () => {},
})

/** A client of MCP 2026, each of whose requests stands alone. */
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
    async way(asked) {
      connecting ??= connect()
      const client = await connecting.catch((error) => {
        connecting = undefined
        throw error
      })
      return askOverMcp(client, asked)
    },
    close: async () => void (await (await connecting?.catch(() => undefined))?.close()),
  }
}
