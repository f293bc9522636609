/** Runs servers and workers on one board, kills servers meanwhile, and checks what the workers recorded. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseAddress } from '../../../storage/postgres/address.ts'
import { type ServeProcess, startServe } from '../../http/serve-process.ts'
import { chance, type ProofContext } from '../proof.ts'
import { type Board, ClaimWorker, type Server, type Transport, transportOf } from './claim-workers.ts'
import { RestartedDatabase } from './restarted-database.ts'
import { canShiftClocks, shiftedClock } from './shifted-clock.ts'
import { StdioServer } from './stdio-server.ts'
import { findWrongClaims, type WrongClaims } from './wrong-claims.ts'

export interface ClaimLoad {
  items: number
  /** Processes of `serve`, and of `stdio`. */
  servers: number
  hosts: number
  workersPerProcess: number
  kills: number
  /** How often the database is killed and started again; absent for a space in a file. */
  restarts?: number
}

export interface ClaimRun {
  figures: Record<string, number>
  wrong: WrongClaims
  /** Items that were not done at the end. */
  lost: number
}

const LEASE_SECONDS = 2
const ITEMS_PER_CALL = 500
/** Milliseconds after which a run that does not end is given up, and those that each item adds. */
const PATIENCE = 10 * 60_000
const PATIENCE_PER_ITEM = 300

/** @param script  the program to run */
export async function runClaims(
  { folder, seed, log }: ProofContext,
  script: string,
  load: ClaimLoad,
): Promise<ClaimRun> {
  const database = load.restarts === undefined ? undefined : await RestartedDatabase.start()
  const space = database?.space ?? join(folder, `claims-${seed}-${load.items}-${Math.floor(performance.now())}.sqlite`)
  const random = chance(seed)
  const program = () => ({ script, cwd: folder, env: shiftedClock(random()) })
  const start = () => startPatiently(space, program())
  const first = await start()
  const board = await makeBoard(first, load.items)
  const servers: ServeProcess[] = [first]
  for (let index = 1; index < load.servers; index++) servers.push(await start())
  const hosts = Array.from({ length: load.hosts }, () => new StdioServer(space, program()))
  Object.assign(board, { servers: [...servers], hosts: [...hosts] })
  const processes = load.servers + load.hosts
  const kill = async (index: number) => {
    const victim = index < load.servers ? servers[index] : hosts[index - load.servers]
    if (victim !== undefined) process.kill(victim.pid, 'SIGKILL')
    if (index < load.servers) {
      board.servers[index] = undefined
      board.servers[index] = servers[index] = await start()
    } else board.hosts[index - load.servers] = hosts[index - load.servers] = new StdioServer(space, program())
  }
  const workers = Array.from(
    { length: processes * load.workersPerProcess },
    (_, index) => new ClaimWorker(board, index, chance(seed + index), LEASE_SECONDS),
  )
  let open = load.items
  const endsAt = performance.now() + PATIENCE + PATIENCE_PER_ITEM * load.items
  const isOver = () => open === 0 || performance.now() > endsAt
  const working = Promise.all(workers.map((worker) => worker.run(isOver)))
  let [kills, restarts] = [0, 0]
  while (!isOver()) {
    await delay(300 + random() * 700)
    if (kills < load.kills) {
      kills++
      await kill(Math.floor(random() * processes))
    }
    if (database !== undefined && restarts < (load.restarts ?? 0)) {
      restarts++
      await database.restart()
    }
    open = await countOpen(board)
  }
  await working
  for (const one of [...servers, ...hosts]) await one.close()
  await database?.stop()
  const claims = workers.flatMap((worker) => worker.claims)
  const wrong = findWrongClaims(claims)
  const late = claims.filter(({ finish }) => finish?.isAccepted === false).length
  const over = (transport: Transport) =>
    claims.filter(({ worker }) => transportOf(worker, load.hosts > 0) === transport).length
  log(`${claims.length} claims, ${late} late writes refused.`)
  return {
    figures: {
      ...{ items: load.items, workers: workers.length, claims: claims.length, kills },
      ...{ 'over MCP': over('MCP'), ...(load.hosts > 0 && { 'over stdio': over('stdio') }) },
      ...(database !== undefined && { restarts }),
      ...{ 'clocks set': canShiftClocks ? processes + kills : 0, 'late writes refused': late },
    },
    wrong,
    lost: open,
  }
}

/** A server that finds no database exits, and is started again, as a supervisor does. */
async function startPatiently(space: string, program: Parameters<typeof startServe>[3]): Promise<ServeProcess> {
  for (;;) {
    try {
      return await startServe(space, [], [], program)
    } catch (error) {
      if (!isDatabaseAddress(space)) throw error
      await delay(AGAIN)
    }
  }
}

/** Milliseconds until a server that could not start is started again. */
const AGAIN = 250

/** What the board needs of responses. */
interface Sent {
  items?: { id: string }[]
  collectionBlockId?: string
  calculations?: { title?: number }
}

async function send(server: string, method: string, path: string, body?: object): Promise<Sent> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(server + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const json = (await response.json()) as Sent
  if (response.status >= 300) throw new Error(`Expected ${method} ${path} to succeed, found ${JSON.stringify(json)}`)
  return json
}

async function makeBoard(first: Server, count: number): Promise<Board> {
  const server = first.restUrl
  const { items } = await send(server, 'POST', '/documents', { documents: [{ title: 'Board' }] })
  const options = ['To do', 'Doing', 'Done'].map((name) => ({ name }))
  const properties = [
    { name: 'Status', type: 'singleSelect', options },
    { name: 'Owner', type: 'text' },
  ]
  const schema = { name: 'Cards', properties }
  const added = await send(server, 'POST', '/collections', {
    schema,
    position: { position: 'end', pageId: items?.[0]?.id },
  })
  const collectionId = added.collectionBlockId ?? ''
  for (let made = 0; made < count; made += ITEMS_PER_CALL) {
    const cards = Array.from({ length: Math.min(ITEMS_PER_CALL, count - made) }, (_, index) => ({
      title: `Card ${made + index}`,
      properties: { status: 'To do' },
    }))
    await send(server, 'POST', `/collections/${collectionId}/items`, { items: cards })
  }
  return { collectionId, servers: [first], hosts: [] }
}

/** The items that are not done, as any server that answers says it. */
async function countOpen({ collectionId, servers }: Board): Promise<number> {
  const filters = JSON.stringify([{ property: 'status', filterType: 'select_isNoneOf', filterValue: ['Done'] }])
  const query = new URLSearchParams({ filters, calculations: '{"title":"count_all"}', limit: '0' })
  for (const server of servers) {
    if (server === undefined) continue
    try {
      const answer = await send(server.restUrl, 'GET', `/collections/${collectionId}/items?${query}`)
      return Number(answer.calculations?.title ?? 0)
    } catch {}
  }
  return Infinity
}
