/** Readers of events by poll, stream and webhook. A reader that dies forgets what it has not saved, as a process does. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** An event as a reader got it. */
export interface ReadEvent {
  eventId: string
  data: { commentId: string; documentId: string }
}

export interface EventReader {
  /** What it saved, in the order in which it was received. */
  events: ReadEvent[]
  /** How often it was told that events were skipped. */
  truncated: number
  /** It dies, and another goes on from what it saved. */
  kill(): void
  stop(): void
}

/** Returns the address of a server that runs. */
export type AnyServer = () => string | undefined

export const EVENT = 'comment.created'
const VERSION = '2026-07-28'
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'reader', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
/** Few at once, so that cursors point into the middle of calls. */
const EVENTS_PER_POLL = 7
/** Milliseconds until a reader that found no server tries again. */
const AGAIN = 50

export interface Polled {
  events: ReadEvent[]
  cursor: string
  truncated: boolean
}

/** Sends a request of MCP Events. The messages of its response are yielded as they arrive. */
async function* request(url: string, method: string, params: object, signal?: AbortSignal) {
  const headers = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...{ 'mcp-protocol-version': VERSION, 'mcp-method': method },
  }
  const { _meta = {}, ...others } = params as { _meta?: object }
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method, params: { ...others, _meta: { ...ENVELOPE, ..._meta } } },
  })
  const response = await fetch(url, { method: 'POST', headers, body, ...(signal && { signal }) })
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice('data: '.length)) as Message
  }
  if (text.startsWith('{')) yield JSON.parse(text) as Message
}

interface Message {
  method?: string
  params?: ReadEvent & { cursor?: string; truncated?: boolean }
  result?: Polled
  error?: { message: string }
}

/** @throws Error if no result comes */
export async function ask(url: string, method: string, params: object, signal?: AbortSignal): Promise<Polled> {
  for await (const { result, error } of request(url, method, params, signal)) {
    if (error !== undefined) throw new Error(`Expected ${method} to be answered, found: ${error.message}`)
    if (result !== undefined) return result
  }
  throw new Error(`Expected a result of ${method}, found none.`)
}

/** Reads again and again with `read` until it is stopped. */
function keepReading(
  read: (url: string, reader: EventReader, signal: AbortSignal) => Promise<void>,
  server: AnyServer,
) {
  let life = new AbortController()
  let isStopped = false
  const reader: EventReader = {
    ...{ events: [], truncated: 0 },
    kill: () => life.abort(),
    stop() {
      isStopped = true
      life.abort()
    },
  }
  const run = async () => {
    while (!isStopped) {
      life = new AbortController()
      const url = server()
      // A server that is killed cuts the response, and another one is asked.
      if (url !== undefined) await read(url, reader, life.signal).catch(() => {})
      await delay(AGAIN)
    }
  }
  void run()
  return reader
}

export function pollingReader(server: AnyServer, from: string): EventReader {
  let cursor = from
  const read = async (url: string, reader: EventReader, signal: AbortSignal) => {
    const params = { name: EVENT, cursor, maxEvents: EVENTS_PER_POLL, _meta: { 'scriptorium/waitSeconds': 2 } }
    const polled = await ask(url, 'events/poll', params, signal)
    // Dies after it was answered, and before it saved.
    if (signal.aborted) return
    reader.events.push(...polled.events)
    if (polled.truncated) reader.truncated++
    cursor = polled.cursor
  }
  return keepReading(read, server)
}

export function streamingReader(server: AnyServer, from: string): EventReader {
  let cursor = from
  const read = async (url: string, reader: EventReader, signal: AbortSignal) => {
    for await (const { method, params } of request(url, 'events/stream', { name: EVENT, cursor }, signal)) {
      if (signal.aborted || method === undefined || params === undefined) return
      if (method === 'notifications/events/event') reader.events.push(params)
      if (params.truncated) reader.truncated++
      cursor = params.cursor ?? cursor
    }
  }
  return keepReading(read, server)
}

/** A receiver that dies cuts the connection of the next message. */
export async function receivingReader(subscribeAt: string, from: string): Promise<EventReader> {
  let deaths = 0
  const reader: EventReader = {
    ...{ events: [], truncated: 0 },
    kill: () => void deaths++,
    stop() {
      receiver.closeAllConnections()
      receiver.close()
    },
  }
  const receiver = createServer(async (message, response) => {
    let body = ''
    for await (const chunk of message.setEncoding('utf8')) body += chunk
    const event = JSON.parse(body) as ReadEvent & { type?: string; challenge?: string }
    if (event.type === 'verification') return response.end(JSON.stringify({ challenge: event.challenge }))
    if (deaths > 0) {
      deaths--
      return response.socket?.destroy()
    }
    if (event.type === 'gap') reader.truncated++
    else reader.events.push(event)
    return response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  await ask(subscribeAt, 'events/subscribe', { name: EVENT, cursor: from, delivery: { mode: 'webhook', url, secret } })
  return reader
}
