/**
 * Compares PostgreSQL with SQLite: the same calls on both in turns, on the same disk and over a Unix socket. Then it
 * measures many writers, a network in between, and many idle spaces. SCRIPTORIUM_BENCH_SPACES sets the number of idle
 * spaces.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { startDelayingProxy } from './delaying-proxy.ts'
import { callsOf, compareInTurns, fillSpace, timeOfCall } from './engine-calls.ts'
import { newWrittenSpace, newWrittenSpaces, readBeside, writesPerSecond } from './engine-load.ts'
import { type Figure, type Goal, interleaved, type Measure, median, timed } from './figure.ts'
import { idleSpaces } from './idle-spaces.ts'
import { inFolder, openWorkbench } from './workbench.ts'

const most = (bound: number): Goal => ({ of: 'ratio', most: bound })
/** Bounds for the time of a call on PostgreSQL divided by that on SQLite. */
const BESIDE_SQLITE = { read: most(3), write: most(4), common: most(3), rare: most(3), bulk: most(4) }
/** Bounds for the time of a call over a network divided by that of `SELECT 1`. */
const OVER_NETWORK = { read: most(5), write: most(9), common: most(14), rare: most(14) }
/** The delay in milliseconds, in each direction. */
const DELAY = 1
const WRITERS = 32
const WRITTEN_SPACES = 100
const WRITING_MS = 2_000
const WRITING_ROUNDS = 4
const CROWD = 64
const CROWD_READS = 200
const IDLE_SPACES = Number(process.env.SCRIPTORIUM_BENCH_SPACES ?? 10_000)
const IDLE_SECONDS = 5
const POOL = 10

export const measure: Measure = () =>
  inFolder(async (folder) => {
    await using running = new AsyncDisposableStack()
    const server = running.adopt(await startPostgres(), (started) => started.stop())
    const figures: Figure[] = []
    figures.push(...(await measureCalls(folder, server)))
    figures.push(await measureWriters(folder, server), await measureCrowd(server))
    const { bytes, ...idle } = await measureIdle(server)
    return {
      figures: [...figures, ...idle.figures],
      notes: [`A space without documents takes ${Math.round(bytes)} bytes in the database, indexes included.`],
    }
  })

async function measureCalls(folder: string, server: PostgresServer): Promise<Figure[]> {
  await using running = new AsyncDisposableStack()
  const open = async (place: string) => running.adopt(await openWorkbench(place), (bench) => bench.close())
  const postgres = await fillSpace(await open(`${server.address}#filled`))
  const sqlite = await fillSpace(await open(join(folder, 'filled.sqlite')))
  // The database does this itself within a minute. Until then it plans queries as if its tables were empty.
  server.run('ANALYZE')
  const [ours, bare] = [callsOf(postgres), callsOf(sqlite)]
  const figures: Figure[] = []
  for (const [name, goal] of Object.entries(BESIDE_SQLITE)) {
    const key = name as keyof typeof BESIDE_SQLITE
    figures.push(await compareInTurns([postgres.bench, ours[key]], [sqlite.bench, bare[key]], goal))
  }
  const far = await startFarServer(server, folder)
  running.defer(far.stop)
  const bench = await open(`${far.address}#filled`)
  const one = await timeOfSelect(far.address)
  for (const [name, goal] of Object.entries(OVER_NETWORK)) {
    const call = ours[name as keyof typeof OVER_NETWORK]
    const time = await timeOfCall(bench, call)
    const what = `${call.what}, ${DELAY} ms away`
    figures.push({ what, floor: 'SELECT 1', ours: time, bare: one, ratio: time / one, unit: 'ms', goal })
  }
  return figures
}

/** Puts a simulated network in front of the server. */
async function startFarServer(server: PostgresServer, folder: string): Promise<{ address: string; stop: () => void }> {
  const far = join(folder, 'far')
  mkdirSync(far)
  const socket = `.s.PGSQL.${server.port}`
  const stop = await startDelayingProxy({ from: join(far, socket), to: join(server.folder, socket), delay: DELAY })
  return { address: server.address.replace(encodeURIComponent(server.folder), encodeURIComponent(far)), stop }
}

async function timeOfSelect(address: string): Promise<number> {
  const client = new pg.Client(address)
  await client.connect()
  const times: number[] = []
  for (let turn = 0; turn < 100; turn++) times.push(await timed(() => client.query('SELECT 1')))
  await client.end()
  return median(times)
}

async function measureWriters(folder: string, server: PostgresServer): Promise<Figure> {
  const names = Array.from({ length: WRITTEN_SPACES }, (_, index) => `written-${index}`)
  const postgres = await newWrittenSpaces(names.map((name) => `${server.address}#${name}`))
  const sqlite = await newWrittenSpaces(names.map((name) => join(folder, `${name}.sqlite`)))
  const rates = await interleaved(
    WRITING_ROUNDS,
    () => writesPerSecond(postgres, WRITERS, WRITING_MS),
    () => writesPerSecond(sqlite, WRITERS, WRITING_MS),
  )
  for (const { bench } of [...postgres, ...sqlite]) await bench.close()
  const what = `${WRITERS} writers on ${WRITTEN_SPACES} spaces`
  return { what, floor: 'SQLite', ...rates, unit: 'calls/s', goal: { of: 'ratio', least: 0.7 } }
}

/** Measures how much writers of one space slow down a reader of another. */
async function measureCrowd(server: PostgresServer): Promise<Figure> {
  await using running = new AsyncDisposableStack()
  const reader = running.adopt(await newWrittenSpace(`${server.address}#read`), ({ bench }) => bench.close())
  const crowd = running.adopt(await newWrittenSpace(`${server.address}#crowded`), ({ bench }) => bench.close())
  const read = () => reader.bench.call('documents_list', {})
  const times = await interleaved(
    WRITING_ROUNDS,
    () => readBeside(read, crowd.write, CROWD, CROWD_READS),
    () => readBeside(read, crowd.write, 0, CROWD_READS),
  )
  const what = `a read beside ${CROWD} writers of another space`
  return { what, floor: 'a read alone', ...times, unit: 'ms', goal: most(1.5) }
}

async function measureIdle(server: PostgresServer): Promise<{ figures: Figure[]; bytes: number }> {
  const { connections, used, bytes } = await idleSpaces(server.address, IDLE_SPACES, IDLE_SECONDS)
  const of = `${IDLE_SPACES.toLocaleString('en-US')} idle spaces`
  const figures: Figure[] = [
    {
      what: `connections of ${of}`,
      ...{ floor: 'the pool', ours: connections, bare: POOL, ratio: connections / POOL, unit: '', goal: most(1) },
    },
    {
      what: `connections used in ${IDLE_SECONDS} s by ${of}`,
      ...{ floor: 'none', ours: used, bare: 0, ratio: Number.NaN, unit: '', goal: { of: 'ours', most: 0 } },
    },
  ]
  return { figures, bytes }
}
