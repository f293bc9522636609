/** Reads a stream of server-sent events as in the HTML Standard ("9.2.6 Interpreting an event stream"). */
import { onTestFinished } from 'vitest'
import type { Answer } from '../connect.ts'

export interface ServerSentEvent {
  type: string
  data: Answer
  lastEventId: string
}

export interface EventReader {
  status: number
  headers: Headers
  /** The next event; undefined once the stream has ended. */
  next(): Promise<ServerSentEvent | undefined>
  /** The `Last-Event-ID` of a browser, which also advances with blocks that are not events. */
  lastEventId(): string
  /** Waits until it changes. */
  moved(from: string): Promise<void>
  /** Closes the connection. */
  cut(): void
}

/** @param url  with its query */
export async function openEvents(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const controller = new AbortController()
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  })
  const events: ServerSentEvent[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const goOn of waiting) goOn()
    waiting.clear()
  }
  let [lastEventId, isOver] = ['', false]
  const take = (block: string) => {
    let [type, data] = ['message', '']
    for (const line of block.split('\n')) {
      const [, field = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? []
      if (field === 'id') lastEventId = value
      if (field === 'event') type = value
      if (field === 'data') data += value
    }
    if (data !== '') events.push({ type, data: JSON.parse(data), lastEventId })
  }
  const read = async () => {
    const decoder = new TextDecoder()
    let rest = ''
    try {
      for await (const chunk of response.body ?? []) {
        rest += decoder.decode(chunk, { stream: true })
        const blocks = rest.split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) take(block)
        wake()
      }
    } catch {
      // It was cut.
    }
    isOver = true
    wake()
  }
  void read()
  const changed = () => new Promise<void>((resolve) => void waiting.add(resolve))
  const cut = () => controller.abort()
  onTestFinished(cut)
  return {
    status: response.status,
    headers: response.headers,
    async next() {
      while (events.length === 0 && !isOver) await changed()
      return events.shift()
    },
    lastEventId: () => lastEventId,
    async moved(from) {
      while (lastEventId === from && !isOver) await changed()
    },
    cut,
  }
}
