/** The receiver of the AI SDK, served on this machine, and its store of subscriptions. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Experimental_MCPEvent,
  type Experimental_MCPEventStore,
  type Experimental_MCPEventSubscription,
  experimental_createMCPEventWebhook,
} from '@ai-sdk/mcp'
import { onTestFinished } from 'vitest'

export function memoryStore(): Experimental_MCPEventStore {
  const all = new Map<string, Experimental_MCPEventSubscription>()
  return {
    get: async (key) => all.get(key),
    getById: async (id) => [...all.values()].find((one) => one.id === id),
    set: async (one) => void all.set(one.key, one),
    update: async (key, patch) =>
      void all.set(key, { ...(all.get(key) as Experimental_MCPEventSubscription), ...patch }),
    delete: async (key) => void all.delete(key),
  }
}

/** Serves the SDK's handler. @returns its address, and what it accepted */
export async function startHandler(store: Experimental_MCPEventStore) {
  const events: Experimental_MCPEvent[] = []
  const ends: unknown[] = []
  const arrived = new Set<() => void>()
  const handle = experimental_createMCPEventWebhook({
    store,
    onEvent: async ({ event }) => void events.push(event),
    onTerminated: async ({ termination }) => void ends.push(termination.error),
    onError: (error) => {
      throw error
    },
  })
  const statuses: number[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answer = await handle(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: 'POST',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks),
      }),
    )
    statuses.push(answer.status)
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    for (const check of arrived) check()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const until = (isThere: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => isThere() && resolve()
      arrived.add(check)
      check()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, events, ends, statuses, until }
}
