/** Writes comments while servers and readers are killed, and compares what each reader got with what was answered. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type ServeProcess, startServe } from '../../http/serve-process.ts'
import { chance, type ProofContext } from '../proof.ts'
import { ask, EVENT, type EventReader, pollingReader, receivingReader, streamingReader } from './event-readers.ts'

export interface EventLoad {
  events: number
  kills: number
  /** Milliseconds after which what is missing at the end is lost. */
  patience?: number
}

export interface EventRun {
  figures: Record<string, number>
  faults: string[]
}

const UNLIMITED = ['--limit-requests', '0', '--limit-blocks', '0', '--limit-ip', '0']
const FLAGS = [...UNLIMITED, '--webhook-allow', '127.0.0.0/8']
const DOCUMENTS = 4
const EVENTS_PER_CALL = 25
/** Every so many kills, the victim is the server that sends to webhooks; another sends once its lease is over. */
const KILLS_PER_SENDER = 10
/** Milliseconds between looks at the readers. */
const LOOK = 100
const PATIENCE = 45_000

/** @param space  a file or the address of a database */
export async function runEvents(
  { folder, seed, log }: ProofContext,
  space: string,
  script: string,
  { events, kills, patience = PATIENCE }: EventLoad,
): Promise<EventRun> {
  const random = chance(seed)
  const start = () => startServe(space, FLAGS, [], { script, cwd: folder })
  const servers: (ServeProcess | undefined)[] = [await start(), await start()]
  const [first] = servers as [ServeProcess]
  const addressOf = (url: string) => (server: ServeProcess) => new URL(new URL(url).pathname, server.restUrl).href
  const anyOf = (url: string) => () => {
    const running = servers.filter((one) => one !== undefined)
    const one = running[Math.floor(random() * running.length)]
    return one && addressOf(url)(one)
  }
  const anyMcp = anyOf(first.mcpUrl)
  const blocks = await addDocuments(first.restUrl)
  const { cursor } = await ask(first.mcpUrl, 'events/poll', { name: EVENT })
  const readers: Record<string, EventReader> = {
    webhook: await receivingReader(first.mcpUrl, cursor),
    poll: pollingReader(anyMcp, cursor),
    stream: streamingReader(anyMcp, cursor),
  }
  const all = Object.values(readers)
  const written: string[][] = blocks.map(() => [])
  const count = () => written.reduce((sum, one) => sum + one.length, 0)
  const share = events / blocks.length
  // Writing waits for the kills, so that each has something to interrupt.
  let allowed = 0
  const writing = Promise.all(
    blocks.map(async (block, index) => {
      const own = written[index] as string[]
      while (own.length < share) {
        if (count() >= allowed) {
          await delay(LOOK)
          continue
        }
        own.push(...(await comment(anyOf(first.restUrl), block, Math.min(EVENTS_PER_CALL, share - own.length))))
      }
    }),
  )
  for (let kill = 0; kill < kills; kill++) {
    allowed = (events * (kill + 1)) / kills
    while (count() < (events * kill) / kills) await delay(LOOK)
    if (kill % 2 === 0) all[(kill / 2) % all.length]?.kill()
    else {
      const index = kill % KILLS_PER_SENDER === KILLS_PER_SENDER - 1 ? 0 : 1
      const victim = servers[index]
      servers[index] = undefined
      if (victim !== undefined) process.kill(victim.pid, 'SIGKILL')
      servers[index] = await start()
    }
  }
  allowed = Infinity
  await writing
  const isComplete = ({ events: read }: EventReader) => new Set(read.map(({ data }) => data.commentId)).size >= count()
  for (const end = performance.now() + patience; performance.now() < end && !all.every(isComplete); ) await delay(LOOK)
  const gone = await ask(anyMcp() ?? '', 'events/poll', { name: EVENT, cursor, maxAgeMs: 0 })
  for (const reader of all) reader.stop()
  for (const server of servers) await server?.close()
  log(`${count()} comments, ${all.map(({ events: read }) => read.length).join(', ')} read.`)
  const faults = [...findFaults(readers, written), ...(gone.truncated ? [] : ['Skipped events were not reported.'])]
  const figures = Object.entries(readers).map(([mode, { events: read }]) => [`read by ${mode}`, read.length])
  return { figures: { events: count(), kills, ...Object.fromEntries(figures) }, faults }
}

/** Digits at the end of an ID over REST, which are the whole ID over MCP. */
const SHORT_ID_LENGTH = 12

interface Added {
  items: { id: string; commentId: string }[]
}

async function send(url: string, body: object, key: string = randomUUID()): Promise<Added> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`Expected ${url} to succeed, found ${await response.text()}`)
  return (await response.json()) as Added
}

async function addDocuments(restUrl: string): Promise<string[]> {
  const documents = Array.from({ length: DOCUMENTS }, (_, index) => ({ title: `Document ${index}` }))
  const { items } = await send(`${restUrl}/documents`, { documents })
  return items.map(({ id }) => id)
}

/** Comments, with the same key until a server answers. @returns the IDs of the comments */
async function comment(anyRest: () => string | undefined, blockId: string, count: number): Promise<string[]> {
  const comments = Array.from({ length: count }, (_, index) => ({ blockId, content: `Comment ${index}` }))
  const key = randomUUID()
  for (let tries = 0; tries < 500; tries++) {
    const url = anyRest()
    const added = url && (await send(`${url}/comments`, { comments }, key).catch(() => undefined))
    if (added) return added.items.map(({ commentId }) => commentId.slice(-SHORT_ID_LENGTH))
    await delay(LOOK)
  }
  throw new Error('Expected a server that answers, found none for a long time.')
}

function findFaults(readers: Record<string, EventReader>, written: readonly string[][]): string[] {
  const faults: string[] = []
  const idOf = new Map<string, string>()
  for (const [mode, { events, truncated }] of Object.entries(readers)) {
    if (truncated > 0) faults.push(`${mode}: was told that events were skipped`)
    const read = new Set<string>()
    for (const { eventId, data } of events) {
      const known = idOf.get(data.commentId) ?? eventId
      if (known !== eventId) faults.push(`${mode}: ${data.commentId} has the IDs ${known} and ${eventId}`)
      idOf.set(data.commentId, known)
      read.add(data.commentId)
    }
    const inOrder = [...read]
    for (const expected of written) {
      const lost = expected.filter((id) => !read.has(id))
      if (lost.length > 0) faults.push(`${mode}: ${lost.length} events were lost, the first of ${lost[0]}`)
      const ofDocument = new Set(expected)
      const found = inOrder.filter((id) => ofDocument.has(id))
      const rest = expected.filter((id) => read.has(id))
      if (found.join() !== rest.join()) faults.push(`${mode}: events of a document are out of order`)
    }
  }
  return faults
}
