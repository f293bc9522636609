/**
 * Claims of 64 workers on one board, compared with a bare queue whose workers take rows in `BEGIN IMMEDIATE`
 * transactions. Beside it, how many items the same workers do twice if they read and update without a condition.
 */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { spaceAddress } from '../../storage/postgres/address.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { type Figure, type Measure, median } from './figure.ts'
import { addDocument, inFolder, openWorkbench, type Workbench } from './workbench.ts'

const WORKERS = 64
const ITEMS = 640
/** Items that are done without claims: most workers do each of them. */
const UNCLAIMED = 32
/** The most that a claim may take, compared with the bare queue. */
const MOST = 3

const FILTERS = [{ property: 'status', filterType: 'select_isAnyOf', filterValue: ['To do'] }]

export const measure: Measure = () =>
  inFolder(async (folder) => {
    await using bench = await openWorkbenchIn(join(folder, 'space.sqlite'))
    const claims = await claimAll(bench, await newBoard(bench))
    const bare = await takeAll(join(folder, 'bare.sqlite'))
    const doubles = await updateAll(bench, await newBoard(bench, UNCLAIMED))
    const [ours, floor] = [median(claims.times), median(bare)]
    const figures: Figure[] = [
      {
        what: `p50 of a claim, ${WORKERS} workers`,
        floor: 'a bare queue in BEGIN IMMEDIATE',
        ...{ ours, bare: floor, unit: 'ms', ratio: ours / floor, goal: { of: 'ratio', most: MOST } },
      },
      {
        what: `items done twice: ${ITEMS} with claims`,
        floor: `${UNCLAIMED} with items_list and items_update`,
        ...{ ours: claims.doubles, bare: doubles, unit: 'items', ratio: claims.doubles / Math.max(doubles, 1) },
        goal: { of: 'ours', most: 0 },
      },
    ]
    return { figures, notes: [await inDatabase(floor)] }
  })

/** The same claims on PostgreSQL, which has no goal. @param floor  the milliseconds of the bare queue */
async function inDatabase(floor: number): Promise<string> {
  const server = await startPostgres()
  try {
    await using bench = await openWorkbenchIn(spaceAddress(server.address, 'claims'))
    const { times, doubles } = await claimAll(bench, await newBoard(bench))
    const ours = median(times)
    return `On PostgreSQL, the p50 of a claim is ${ours.toFixed(0)} ms, ${(ours / floor).toFixed(2)} times the bare queue; ${doubles} items done twice.`
  } finally {
    await server.stop()
  }
}

async function openWorkbenchIn(file: string): Promise<Workbench & AsyncDisposable> {
  const bench = await openWorkbench(file)
  return { ...bench, [Symbol.asyncDispose]: () => bench.close() }
}

async function newBoard(bench: Workbench, count = ITEMS): Promise<string> {
  const position = { position: 'end', pageId: await addDocument(bench, 'Board') }
  const options = ['To do', 'Doing', 'Done'].map((name) => ({ name }))
  const schema = { name: 'Cards', properties: [{ name: 'Status', type: 'singleSelect', options }] }
  const { collectionBlockId } = await bench.call<{ collectionBlockId: string }>('collections_add', { schema, position })
  const card = (index: number) => ({ title: `Card ${index}`, properties: { status: 'To do' } })
  const items = Array.from({ length: count }, (_, index) => card(index))
  for (let at = 0; at < count; at += 500)
    await bench.call('items_add', { collectionId: collectionBlockId, items: items.slice(at, at + 500) })
  return collectionBlockId
}

const countDoubles = (done: readonly string[]): number => done.length - new Set(done).size
const crowd = (work: () => Promise<void>): Promise<unknown> => Promise.all(Array.from({ length: WORKERS }, work))

/** All workers claim and finish items until there is none. */
async function claimAll({ call }: Workbench, collectionId: string): Promise<{ times: number[]; doubles: number }> {
  const [times, done]: [number[], string[]] = [[], []]
  const claim = { collectionId, filters: FILTERS, set: { status: 'Doing' }, maxDepth: 0 }
  await crowd(async () => {
    for (;;) {
      const started = performance.now()
      const { items } = await call<{ items: { id: string; fence: number }[] }>('items_claim', claim)
      times.push(performance.now() - started)
      const [item] = items
      if (item === undefined) return
      const finished = { ...item, release: true, properties: { status: 'Done' } }
      const { id, fence, release, properties } = finished
      await call('items_update', { collectionId, itemsToUpdate: [{ id, fence, release, properties }] })
      done.push(item.id)
    }
  })
  return { times, doubles: countDoubles(done) }
}

/** All workers read the first item to do, and set it to done. @returns how often an item was done again */
async function updateAll({ call }: Workbench, collectionId: string): Promise<number> {
  const done: string[] = []
  await crowd(async () => {
    for (;;) {
      const list = { collectionId, filters: FILTERS, limit: 1, maxDepth: 0, format: 'json' }
      const { items } = JSON.parse(await call<string>('items_list', list)) as { items: { id: string }[] }
      const [item] = items
      if (item === undefined) return
      await call('items_update', { collectionId, itemsToUpdate: [{ id: item.id, properties: { status: 'Done' } }] })
      done.push(item.id)
    }
  })
  return countDoubles(done)
}

/** Workers of a bare queue, each of which waits for its turn. @returns the milliseconds of each take */
async function takeAll(file: string): Promise<number[]> {
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec('CREATE TABLE queue (n INTEGER PRIMARY KEY, state INTEGER NOT NULL, worker INTEGER)')
  database.exec('CREATE INDEX queue_state ON queue (state, n)')
  const insert = database.prepare('INSERT INTO queue (state) VALUES (0)')
  database.transaction(() => {
    for (let index = 0; index < ITEMS; index++) insert.run()
  })()
  const first = database.prepare('SELECT n FROM queue WHERE state = 0 ORDER BY n LIMIT 1')
  const update = database.prepare('UPDATE queue SET state = ? WHERE n = ?')
  const take = database.transaction(() => {
    const row = first.get() as { n: number } | undefined
    if (row !== undefined) update.run(1, row.n)
    return row?.n
  })
  const finish = database.transaction((n: number) => update.run(2, n))
  const times: number[] = []
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  await crowd(async () => {
    for (;;) {
      const started = performance.now()
      await turn()
      const n = take.immediate()
      times.push(performance.now() - started)
      if (n === undefined) return
      await turn()
      finish.immediate(n)
    }
  })
  database.close()
  return times
}
