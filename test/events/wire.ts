/** A client of MCP Events for tests: polls, and reads streams. */
import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { eventTypes } from '../../tools/events.ts'
import type { Connected } from '../connect.ts'

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

/** A subscriber: what happened since its last poll. */
export async function subscribe({ client }: Pick<Connected, 'client'>, asked: Asked) {
  let { cursor } = await pollEvents(client, asked)
  return async () => {
    const drained = await drainEvents(client, { ...asked, cursor })
    cursor = drained.cursor
    const type = eventTypes.find(({ name }) => name === asked.name)
    for (const { data } of drained.events) type?.payload.parse(data)
    return drained.events
  }
}

export type Frame = { kind: string } & Record<string, unknown>

/** Opens a stream. @returns what was received, and a function that waits until so many were */
export function openStream(client: Client, asked: object) {
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  for (const kind of ['active', 'event', 'heartbeat', 'terminated']) {
    client.setNotificationHandler(`notifications/events/${kind}`, { params: z.looseObject({}) }, (params) => {
      frames.push({ kind, ...params })
      for (const check of [...waiting]) check()
    })
  }
  const ending = new AbortController()
  const ended = client.request({ method: 'events/stream', params: { ...asked } }, z.looseObject({}), {
    signal: ending.signal,
    timeout: 600_000,
  })
  ended.catch(() => {})
  const until = (count: number) =>
    new Promise<Frame[]>((resolve) => {
      const check = () => frames.length >= count && resolve(frames)
      waiting.add(check)
      check()
    })
  return { frames, until, ended, end: () => ending.abort() }
}
