/** How long each peer takes for the same job on the same notes. */
import { setTimeout } from 'node:timers/promises'
import { median, timed } from '../figure.ts'
import { type Connection, connectTo, type Store } from './connection.ts'
import { COMMON, type Note, noteOf, notesOf, RARE, titleOf } from './notes.ts'
import type { Notes, Peer } from './peer.ts'

/** A line of the table: what each peer took, in the order of the peers. NaN where it has no such thing. */
export interface Row {
  what: string
  unit: string
  values: number[]
}

const START_ROUNDS = 9
/** Turns in which many notes are written. */
const PARTS = 5

/** Milliseconds of writing all notes, by calls of as many notes as the peer takes. */
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

/** From starting the process to having its list of tools. */
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
 * Calls of a kind before it is measured: those who take one note a call have answered thousands by then, and their code
 * is compiled, where who takes a thousand has answered five.
 */
export const BEFORE = 500

/** Single calls on stores that hold so many notes; what is written comes last. */
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

/** Milliseconds before each measurement: some answers leave the client and their server megabytes to clear away. */
const REST = 100

/**
 * The median of each by turns, so that what else the machine does weighs on all; the first round only warms up. Every
 * other round goes the other way, so that none always comes after the same one.
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

/** Stops where an answer is not what was asked for: a quick wrong answer would look like a good one. */
export async function checkAnswers(peer: Peer, notes: Notes, ids: Map<string, string>, count: number): Promise<void> {
  const rare = titleOf(Math.floor(count / 2))
  const [read, found, common] = [await notes.read(rare), await notes.search(RARE), await notes.search(COMMON)]
  const names = (text: string, title: string) => text.includes(title) || text.includes(ids.get(title) ?? title)
  const isRight = read.text.includes(RARE) && names(found.text, rare) && common.text.includes(COMMON)
  if (!isRight) throw new Error(`Expected ${peer.name} to find ${rare}, found ${found.text.slice(0, 500)}`)
}

/** Writes all notes into fresh stores, a part by each in turn; what each took in all. */
export async function fill(stores: readonly Store[], count: number, say: (line: string) => void) {
  const connections = await Promise.all(stores.map((store) => connectTo(store)))
  const values = stores.map(() => 0)
  const notes = notesOf(count)
  for (let part = 0; part < PARTS; part++) {
    const some = notes.slice((part * count) / PARTS, ((part + 1) * count) / PARTS)
    for (const [index, store] of stores.entries()) {
      const connection = connections[index]
      if (connection !== undefined) values[index] = (values[index] ?? 0) + (await writeAll(store, connection, some))
    }
    say(`${some.at(-1)?.title} is written`)
  }
  for (const [index, connection] of connections.entries()) {
    const store = stores[index]
    if (store !== undefined) await checkAnswers(store.peer, connection.notes, store.ids, count)
  }
  const row: Row = { what: `write ${count.toLocaleString('en-US')} notes`, unit: 'ms', values }
  return { connections, row }
}
