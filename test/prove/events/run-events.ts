/** Writes comments while servers and readers are killed, and compares what each reader got with what was written. */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chance, type ProofContext } from '../proof.ts'
import { ALL_FOLLOWED, FOLLOWED, type Followed } from './event-journal.ts'
import { EventReader } from './event-reader.ts'
import { ask } from './event-requests.ts'
import { EventWriters } from './event-writers.ts'
import { KilledServers } from './killed-servers.ts'
import { MODES } from './reader-process.ts'
import { untold, wrongEvents } from './wrong-events.ts'

export interface EventLoad {
  events: number
  kills: number
  /** Milliseconds without news after which what is missing is lost. */
  patience?: number
}

export interface EventRun {
  figures: Record<string, number>
  faults: string[]
}

const DOCUMENTS = 4
/** Of so many kills, one is of the server that sends to webhooks; another sends once its lease is over. */
const KILLS_PER_SENDER = 10
/** Milliseconds between looks at the readers. */
const LOOK = 100
/** Milliseconds for which a killed reader is gone. */
const AWAY = 500
/** Longer than a lease, and than the first pause after a failure. */
const PATIENCE = 40_000

/**
 * @param name  the name of a folder for this run
 * @param space  a file or the address of a database
 */
export async function runEvents(
  { folder, seed, log }: ProofContext,
  name: string,
  space: string,
  script: string,
  { events, kills, patience = PATIENCE }: EventLoad,
): Promise<EventRun> {
  const own = join(folder, name)
  mkdirSync(own)
  const servers = await KilledServers.start({ space, script, folder: own, random: chance(seed) })
  const writers = await EventWriters.start(DOCUMENTS, servers.anyRest)
  const readers = await startReaders(own, servers)
  try {
    const isComplete = () => readers.every((reader) => reader.hasAll(writers.count, writers.calls))
    await killWhileWriting(servers, writers, readers, { events, kills })
    await waitFor(readers, isComplete, patience)
    log(
      `${name}: ${writers.count} comments, ${readers.map(({ saved }) => saved.comments.events.length).join(', ')} read.`,
    )
    const wrong = wrongEvents(readers, writers)
    const faults = wrong.length > 0 ? wrong : await forgetUnread(servers, writers, readers, patience)
    const read = readers.map(({ mode, saved }) => [`comments by ${mode}`, saved.comments.events.length])
    const joined = readers.map(({ mode, saved }) => [`changes by ${mode}`, saved.changes.events.length])
    const figures = {
      comments: writers.count,
      calls: writers.calls,
      kills,
      ...Object.fromEntries([...read, ...joined]),
    }
    return { figures, faults: faults.map((fault) => `${name}, ${fault}`) }
  } finally {
    await Promise.all(readers.map((reader) => reader.kill()))
    await servers.close()
  }
}

async function startReaders(folder: string, servers: KilledServers): Promise<EventReader[]> {
  const url = servers.anyMcp() ?? ''
  const cursorOf = async (of: Followed) => [of, (await ask(url, 'events/poll', FOLLOWED[of])).cursor] as const
  const from = Object.fromEntries(await Promise.all(ALL_FOLLOWED.map(cursorOf))) as Record<Followed, string>
  const port = await freePort()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const readers = MODES.map(
    (mode) =>
      new EventReader({
        ...{ mode, from, port, secret },
        journal: join(folder, `${mode}.jsonl`),
        servers: servers.list,
      }),
  )
  for (const reader of readers) reader.start()
  return readers
}

/**
 * Each kill has its share of the events, since writing waits for it. A server is killed while they are written; a reader
 * is gone while the second half is.
 */
async function killWhileWriting(
  servers: KilledServers,
  writers: EventWriters,
  readers: readonly EventReader[],
  { events, kills }: EventLoad,
): Promise<void> {
  const upTo = (share: number) => (events * share) / kills
  let allowed = 0
  const writing = writers.write(events, () => allowed)
  const written = async (share: number) => {
    while (writers.count < upTo(share)) await delay(LOOK)
  }
  for (let kill = 0; kill < kills; kill++) {
    const reader = readers[(kill / 2) % readers.length]
    allowed = upTo(reader === undefined ? kill + 1 : kill + 0.5)
    await written(kill + 0.5)
    if (reader === undefined) await servers.kill(kill % KILLS_PER_SENDER === 1 ? 0 : 1)
    else {
      await hasBegun(reader)
      await reader.kill()
      allowed = upTo(kill + 1)
      await written(kill + 1)
      await delay(AWAY)
      reader.start()
    }
  }
  await writing
}

/** What is sent to a reader only now cannot be interrupted. */
async function hasBegun(reader: EventReader): Promise<void> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; await delay(LOOK)) {
    reader.look()
    if (reader.saved.comments.events.length > 0) return
  }
}

/** Deletes the history of what nobody has read yet. Readers must be told of what they miss, and get what follows. */
async function forgetUnread(
  servers: KilledServers,
  writers: EventWriters,
  readers: readonly EventReader[],
  patience: number,
): Promise<string[]> {
  await Promise.all(readers.map((reader) => reader.kill()))
  const before = writers.count
  await writers.commentOnEach()
  const unread = writers.count
  await servers.forgetHistory()
  for (const reader of readers) reader.start()
  await writers.commentOnEach()
  const last = writers.written.flatMap((own) => own.slice(-1))
  const has = ({ saved }: EventReader, id: string) => saved.comments.events.some(({ data }) => data.commentId === id)
  const isComplete = () => readers.every((reader) => last.every((id) => has(reader, id)))
  await waitFor(readers, isComplete, patience)
  return untold(readers, last, unread - before)
}

/** Waits until something is true, as long as readers have news. */
async function waitFor(readers: readonly EventReader[], isTrue: () => boolean, patience: number): Promise<void> {
  const amount = () =>
    readers.reduce((sum, { saved }) => sum + saved.comments.events.length + saved.changes.events.length, 0)
  let known = -1
  for (let since = performance.now(); performance.now() - since < patience; await delay(LOOK)) {
    for (const reader of readers) reader.look()
    if (isTrue()) return
    if (amount() !== known) since = performance.now()
    known = amount()
  }
}

/** Ports that the system gives to nobody by itself, so that a receiver that is started again finds its own free. */
const FIRST_PORT = 20_000
const PORTS = 10_000

async function freePort(): Promise<number> {
  const port = FIRST_PORT + Math.floor(Math.random() * PORTS)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return freePort()
  await new Promise((resolve) => server.close(resolve))
  return port
}
