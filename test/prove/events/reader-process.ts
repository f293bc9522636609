/**
 * A reader of events in a process of its own, by poll, stream or webhook. It saves what it receives in its journal, and
 * goes on from there when it is started again after a kill.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { ALL_FOLLOWED, EventJournal, FOLLOWED, type Followed } from './event-journal.ts'
import { ask, type ReadEvent, request } from './event-requests.ts'

export const MODES = ['webhook', 'poll', 'stream'] as const
export type Mode = (typeof MODES)[number]

export interface ReaderOptions {
  mode: Mode
  /** The path of its journal. */
  journal: string
  /** The path of a file with the addresses of the servers that run, as a JSON array. */
  servers: string
  /** The cursors to begin with. */
  from: Record<Followed, string>
  /** For webhooks: where it listens, and the secret of its subscriptions. */
  port: number
  secret: string
}

/** Few at once, so that cursors point into the middle of calls. */
const EVENTS_PER_POLL = 7
const POLL_SECONDS = 2
/** Milliseconds until a reader that found no server tries again. */
const AGAIN = 50

type Read = (url: string, of: Followed, cursor: string) => AsyncGenerator<{ cursor?: string | undefined }>

async function main(options: ReaderOptions): Promise<void> {
  const journal = new EventJournal(options.journal)
  journal.repair()
  if (options.mode === 'webhook') return receive(options, journal)
  const cursors = { ...options.from }
  for (const { of, cursor } of journal.readNew()) if (cursor !== undefined) cursors[of] = cursor
  const read = options.mode === 'poll' ? pollsInto(journal) : streamsInto(journal)
  await Promise.all(ALL_FOLLOWED.map((of) => readForEver(options, of, cursors[of], read)))
}

async function readForEver(options: ReaderOptions, of: Followed, from: string, read: Read): Promise<void> {
  for (let cursor = from; ; await delay(AGAIN)) {
    const url = anyServer(options)
    if (url === undefined) continue
    try {
      for await (const saved of read(url, of, cursor)) cursor = saved.cursor ?? cursor
    } catch {
      // A server that is killed cuts its response, and another one is asked.
    }
  }
}

function anyServer({ servers }: ReaderOptions): string | undefined {
  const running = JSON.parse(readFileSync(servers, 'utf8')) as string[]
  return running[Math.floor(Math.random() * running.length)]
}

const pollsInto = (journal: EventJournal): Read =>
  async function* (url, of, cursor) {
    const _meta = { 'scriptorium/waitSeconds': POLL_SECONDS }
    const { events, truncated, ...polled } = await ask(url, 'events/poll', {
      ...{ ...FOLLOWED[of], cursor, maxEvents: EVENTS_PER_POLL, _meta },
    })
    journal.append({ of, events, cursor: polled.cursor, truncated })
    yield polled
  }

const streamsInto = (journal: EventJournal): Read =>
  async function* (url, of, from) {
    for await (const { method, params } of request(url, 'events/stream', { ...FOLLOWED[of], cursor: from })) {
      if (method === undefined || params === undefined) return
      const { cursor, truncated = false } = params
      const events = method === 'notifications/events/event' ? [params] : []
      journal.append({ of, events, truncated, ...(cursor !== undefined && { cursor }) })
      yield { cursor }
    }
  }

/** Receives messages, each of which is acknowledged once it is saved. A receiver that starts refreshes its subscriptions. */
async function receive(options: ReaderOptions, journal: EventJournal): Promise<void> {
  const { port, secret, from } = options
  const receiver = createServer(async (message, response) => {
    const of = (message.url ?? '').slice(1) as Followed
    let body = ''
    for await (const chunk of message.setEncoding('utf8')) body += chunk
    const { type, challenge, ...event } = JSON.parse(body) as ReadEvent & { type?: string; challenge?: string }
    if (type === 'verification') return response.end(JSON.stringify({ challenge }))
    if (type === 'gap') journal.append({ of, events: [], truncated: true })
    else journal.append({ of, events: [event] })
    return response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve))
  for (const of of ALL_FOLLOWED) {
    const delivery = { mode: 'webhook', url: `http://127.0.0.1:${port}/${of}`, secret }
    const subscribe = async () => {
      const url = anyServer(options)
      if (url !== undefined) await ask(url, 'events/subscribe', { ...FOLLOWED[of], cursor: from[of], delivery })
      return url !== undefined
    }
    while (!(await subscribe().catch(() => false))) await delay(AGAIN)
  }
}

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '') as ReaderOptions)
