/** What rate limiting costs a small read, and how exactly concurrent processes are counted. */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { RateLimiter } from '../../src/call/rate-limiter.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { startAskers } from '../http/askers.ts'
import { type Figure, interleaved, type Measure, median } from './figure.ts'
import { addDocument, inFolder, openWorkbench } from './workbench.ts'

const ROUNDS = 30
const CALLS = 100
/** A limit so high that nothing is refused. */
const AMPLE = 1_000_000_000

const PROCESSES = 32
const ASKS = 20
const WINDOWS = 10
const LIMIT = 100

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const { figures, notes } = await costOfCounting(folder)
    return { figures: [...figures, await exactness(join(folder, 'shared.usage'))], notes }
  })

// Two accesses to the disk's cache are most of the cost, and reading one block in this process takes hardly longer. So
// that bound is absolute, and the ratio is computed against two such accesses.
async function costOfCounting(folder: string): Promise<{ figures: Figure[]; notes: string[] }> {
  const { read, close } = await oneBlock(join(folder, 'space.sqlite'))
  const usage = openUsage(join(folder, 'space.sqlite.usage'))
  const budget = new RateLimiter(usage, { requests: AMPLE, blocks: AMPLE }, Date.now)
  const times: number[] = []
  const count = async () => {
    const measured = await timesOf(async () => budget.charge(1, await budget.acquire({ blocks: 'read' })))
    times.push(...measured)
    return median(measured)
  }
  const nextRead = await interleaved(ROUNDS, count, async () => median(await timesOf(read)))
  const bare = bareSteps(join(folder, 'bare.sqlite'))
  const comparedToBare = await interleaved(ROUNDS, count, async () => median(await timesOf(bare.twoSteps)))
  bare.close()
  usage.close()
  await close()
  const p99 = (times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0) * 1000
  const what = 'counting one read and its blocks, p50'
  return {
    figures: [
      { what, floor: 'blocks_get of one block', ...nextRead, unit: 'ms', goal: { of: 'ours', most: 0.05 } },
      { what, floor: 'two bare upserts', ...comparedToBare, unit: 'ms', goal: { of: 'ratio', most: 1.5 } },
    ],
    notes: [`Counting one read and its blocks, p99: ${p99.toFixed(0)} µs.`],
  }
}

async function oneBlock(file: string) {
  const bench = await openWorkbench(file)
  const pageId = await addDocument(bench, 'One')
  const { items } = await bench.call<{ items: { id: string }[] }>('blocks_add', {
    blocks: [{ type: 'text', markdown: 'A line that **says** something.' }],
    position: { position: 'end', pageId },
  })
  const id = items[0]?.id ?? ''
  return { read: () => bench.call('blocks_get', { id }), close: bench.close }
}

function bareSteps(file: string) {
  const sqlite = new Sqlite(file)
  sqlite.pragma('journal_mode = WAL')
  sqlite.exec('CREATE TABLE usage (one INTEGER PRIMARY KEY, used INTEGER NOT NULL) STRICT')
  const upsert = sqlite.prepare('INSERT INTO usage VALUES (1, 1) ON CONFLICT (one) DO UPDATE SET used = used + 1')
  const step = sqlite.transaction(() => upsert.run())
  const twoSteps = async () => {
    step.immediate()
    step.immediate()
  }
  return { twoSteps, close: () => sqlite.close() }
}

async function timesOf(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let call = 0; call < CALLS; call++) {
    const from = performance.now()
    await work()
    times.push(performance.now() - from)
  }
  return times
}

async function exactness(file: string): Promise<Figure> {
  const askers = await startAskers(PROCESSES, file)
  const passed: number[] = []
  for (let window = 0; window < WINDOWS; window++) {
    const { admitted } = await askers.ask({ now: 1_800_000_000_000 + window * 60_000, times: ASKS, asks: {} })
    passed.push(admitted)
  }
  await askers.close()
  // The worst window, so that the windows cannot compensate for each other.
  const worst = passed.toSorted((one, other) => Math.abs(other - LIMIT) - Math.abs(one - LIMIT))[0] ?? 0
  return {
    what: `requests that passed a limit, ${PROCESSES} processes`,
    floor: `allowed, worst of ${WINDOWS} windows`,
    ours: worst,
    bare: LIMIT,
    unit: 'requests',
    ratio: worst / LIMIT,
    goal: { of: 'ratio', most: 1, least: 1 },
  }
}
