/** A client of MCP Events for tests: polls, and reads streams. */
import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'

const occurrence = z.strictObject({
  eventId: z.string(),
  name: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
})
const polled = z.looseObject({
  events: z.array(occurrence),
  cursor: z.string(),
  truncated: z.boolean(),
  hasMore: z.boolean(),
  nextPollMs: z.int().min(1_000),
})
const listed = z.looseObject({
  events: z.array(
    z.looseObject({
      name: z.string(),
      description: z.string(),
      delivery: z.array(z.enum(['poll', 'push', 'webhook'])),
      inputSchema: z.record(z.string(), z.unknown()),
      payloadSchema: z.record(z.string(), z.unknown()),
    }),
  ),
})

export type Polled = z.output<typeof polled>
export interface Asked {
  name: string
  arguments?: object
  cursor?: string | null
  maxAgeMs?: number
  maxEvents?: number
}

export const listEventTypes = async (client: Client) =>
  (await client.request({ method: 'events/list', params: {} }, listed)).events

export const pollEvents = (client: Client, asked: Asked): Promise<Polled> =>
  client.request({ method: 'events/poll', params: { ...asked, _meta: { 'scriptorium/waitSeconds': 0 } } }, polled)

/** Polls until nothing is left. @returns all events, and the last cursor */
export async function drainEvents(client: Client, asked: Asked): Promise<{ events: Polled['events']; cursor: string }> {
  const events: Polled['events'] = []
  let { cursor } = asked
  for (;;) {
    const page = await pollEvents(client, { ...asked, ...(cursor !== undefined && { cursor }) })
    events.push(...page.events)
    cursor = page.cursor
    if (!page.hasMore) return { events, cursor }
  }
}
