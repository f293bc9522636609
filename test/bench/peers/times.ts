/** Measures how long each peer takes for the same job on the same notes. */
import { setTimeout } from 'node:timers/promises'
import { median, timed } from '../figure.ts'
import { type Connection, connectTo, type Store } from './connection.ts'
import { COMMON, type Note, noteOf, notesOf, RARE, titleOf } from './notes.ts'
import type { Notes, Peer } from './peer.ts'

/** A row of the table with the value of each peer, in the order of the peers. NaN if a peer does not support it. */
export interface Row {
  what: string
  unit: string
  values: number[]
}

const START_ROUNDS = 9
/** The number of parts in which many notes are written. */
const PARTS = 5

/** Writes all notes, with as many notes per call as the peer accepts. Returns the milliseconds. */
async function writeAll({ peer }: Store, { notes }: Connection, all: readonly Note[]): Promise<number> {
  const { notesPerCall, calls } = peer.bulk
  const batches = Array.from({ length: Math.ceil(all.length / notesPerCall) }, (_, index) =>
    all.slice(index * notesPerCall, (index + 1) * notesPerCall),
  )
  const sender = async () => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) await notes.write(batch)
  }
  return timed(() => Promise.all(Array.from({ length: calls }, sender)))
}

/** Measures the time from starting a process until its list of tools has arrived. */
export async function startTimes(stores: readonly Store[]): Promise<Row> {
  const values = await byTurns(stores, START_ROUNDS, async (store) => {
    const from = performance.now()
    const connection = await connectTo(store)
    await connection.client.listTools()
    const time = performance.now() - from
    await connection.close()
    return time
  })
  return { what: 'start, to the list of tools', unit: 'ms', values }
}

/**
 * The number of warm-up calls of each kind. Peers with one note per call have answered thousands of calls by then, so
 * their code is compiled, while peers with a thousand notes per call have answered only five.
 */
export const BEFORE = 500

/** Measures single calls on stores with this number of notes. Writes come last. */
export async function callTimes(connections: readonly Connection[], count: number, rounds: number): Promise<Row[]> {
  const of = count.toLocaleString('en-US')
  const read = (notes: Notes, round: number) => notes.read(titleOf((round * 37) % count))
  const write = (notes: Notes, round: number) => notes.write([noteOf(`Late ${round}`, round)])
  const works: [what: string, work: (notes: Notes, round: number) => Promise<unknown>, before: number][] = [
    [`search ${of}, a rare word`, (notes) => notes.search(RARE), 0],
    [`search ${of}, a common word`, (notes) => notes.search(COMMON), 0],
    [`list ${of}`, (notes) => notes.list(), 0],
    [`read one of ${of}`, read, BEFORE],
    [`write one note beside ${of} and more`, write, BEFORE],
  ]
  const rows: Row[] = []
  for (const [what, work, before] of works) {
    for (const { notes } of connections) for (let round = -before; round < 0; round++) await work(notes, rounds - round)
    const values = await byTurns(connections, rounds, ({ notes }, round) => timed(() => work(notes, round)))
    rows.push({ what, unit: 'ms', values })
  }
  return rows
}

/**
 * Milliseconds to wait before each measurement: some responses leave megabytes of garbage in the client and the server.
 */
const REST = 100

/**
 * Measures all in turns, so that other load on the machine affects all of them, and returns the medians. The first
 * round is a warm-up. Every other round is in reverse order, so that the same neighbor does not always come first.
 */
export async function byTurns<T>(
  all: readonly T[],
  rounds: number,
  measure: (one: T, round: number) => Promise<number>,
): Promise<number[]> {
  const times = all.map((): number[] => [])
  for (let round = 0; round <= rounds; round++) {
    const entries = [...all.entries()]
    for (const [index, one] of round % 2 === 0 ? entries : entries.reverse()) {
      await setTimeout(REST)
      const time = await measure(one, round)
      if (round > 0) times[index]?.push(time)
    }
  }
  return times.map(median)
}

/** Throws if a response is wrong, since a fast wrong response would look like a good one. */
export async function checkAnswers(peer: Peer, notes: Notes, ids: Map<string, string>, count: number): Promise<void> {
  const rare = titleOf(Math.floor(count / 2))
  const [read, found, common] = [await notes.read(rare), await notes.search(RARE), await notes.search(COMMON)]
  const names = (text: string, title: string) => text.includes(title) || text.includes(ids.get(title) ?? title)
  const isRight = read.text.includes(RARE) && names(found.text, rare) && common.text.includes(COMMON)
  if (!isRight) throw new Error(`Expected ${peer.name} to find ${rare}, found ${found.text.slice(0, 500)}`)
}

/** Writes all notes to new stores, one part per peer in turns. Returns the total time of each. */
export async function fill(stores: readonly Store[], count: number, log: (line: string) => void) {
  const connections = await Promise.all(stores.map((store) => connectTo(store)))
  const values = stores.map(() => 0)
  const notes = notesOf(count)
  for (let part = 0; part < PARTS; part++) {
    const some = notes.slice((part * count) / PARTS, ((part + 1) * count) / PARTS)
    for (const [index, store] of stores.entries()) {
      const connection = connections[index]
      if (connection !== undefined) values[index] = (values[index] ?? 0) + (await writeAll(store, connection, some))
    }
    log(`${some.at(-1)?.title} is written`)
  }
  for (const [index, connection] of connections.entries()) {
    const store = stores[index]
    if (store !== undefined) await checkAnswers(store.peer, connection.notes, store.ids, count)
  }
  const row: Row = { what: `write ${count.toLocaleString('en-US')} notes`, unit: 'ms', values }
  return { connections, row }
}
