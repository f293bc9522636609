/** Runs servers and workers on one board, kills servers meanwhile, and checks what the workers recorded. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ServeProcess, startServe } from '../../http/serve-process.ts'
import { chance, type ProofContext } from '../proof.ts'
import { type Board, ClaimWorker } from './claim-workers.ts'
import { canShiftClocks, shiftedClock } from './shifted-clock.ts'
import { findWrongClaims, type WrongClaims } from './wrong-claims.ts'

export interface ClaimLoad {
  items: number
  servers: number
  workersPerServer: number
  kills: number
}

export interface ClaimRun {
  figures: Record<string, number>
  wrong: WrongClaims
  /** Items that were not done at the end. */
  lost: number
}

const LEASE_SECONDS = 2
const ITEMS_PER_CALL = 500
/** Milliseconds after which a run that does not end is given up. */
const PATIENCE = 10 * 60_000

/** @param script  the program to run */
export async function runClaims(
  { folder, seed, log }: ProofContext,
  script: string,
  load: ClaimLoad,
): Promise<ClaimRun> {
  const space = join(folder, `claims-${seed}-${load.items}-${Math.floor(performance.now())}.sqlite`)
  const random = chance(seed)
  const start = () => startServe(space, [], [], { script, cwd: folder, env: shiftedClock(random()) })
  const processes: (ServeProcess | undefined)[] = [await start()]
  const board = await makeBoard(processes[0]?.restUrl ?? '', load.items)
  for (let index = 1; index < load.servers; index++) processes.push(await start())
  for (const [index, one] of processes.entries()) board.servers[index] = one?.restUrl
  const workers = Array.from(
    { length: load.servers * load.workersPerServer },
    (_, index) => new ClaimWorker(board, index, chance(seed + index), LEASE_SECONDS),
  )
  let open = load.items
  const endsAt = performance.now() + PATIENCE
  const isOver = () => open === 0 || performance.now() > endsAt
  const working = Promise.all(workers.map((worker) => worker.run(isOver)))
  let kills = 0
  while (!isOver()) {
    await delay(300 + random() * 700)
    if (kills < load.kills) {
      const index = Math.floor(random() * load.servers)
      const victim = processes[index]
      if (victim !== undefined) process.kill(victim.pid, 'SIGKILL')
      kills++
      board.servers[index] = undefined
      processes[index] = await start()
      board.servers[index] = processes[index]?.restUrl
    }
    open = await countOpen(board)
  }
  await working
  for (const one of processes) await one?.close()
  const claims = workers.flatMap((worker) => worker.claims)
  const wrong = findWrongClaims(claims)
  const late = claims.filter(({ finish }) => finish?.isAccepted === false).length
  log(`${claims.length} claims, ${late} late writes refused.`)
  return {
    figures: {
      ...{ items: load.items, workers: workers.length, claims: claims.length, kills },
      ...{ 'clocks set': canShiftClocks ? load.servers + kills : 0, 'late writes refused': late },
    },
    wrong,
    lost: open,
  }
}

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

async function makeBoard(server: string, count: number): Promise<Board> {
  const { items } = await send(server, 'POST', '/documents', { documents: [{ title: 'Board' }] })
  const options = ['To do', 'Doing', 'Done'].map((name) => ({ name }))
  const properties = [
    { name: 'Status', type: 'singleSelect', options },
    { name: 'Owner', type: 'text' },
  ]
  const schema = { name: 'Cards', properties }
  const made = await send(server, 'POST', '/collections', {
    schema,
    position: { position: 'end', pageId: items?.[0]?.id },
  })
  const collectionId = made.collectionBlockId ?? ''
  for (let first = 0; first < count; first += ITEMS_PER_CALL) {
    const cards = Array.from({ length: Math.min(ITEMS_PER_CALL, count - first) }, (_, index) => ({
      title: `Card ${first + index}`,
      properties: { status: 'To do' },
    }))
    await send(server, 'POST', `/collections/${collectionId}/items`, { items: cards })
  }
  return { collectionId, servers: [server] }
}

/** The items that are not done, as any server that answers says it. */
async function countOpen({ collectionId, servers }: Board): Promise<number> {
  const filters = JSON.stringify([{ property: 'status', filterType: 'select_isNoneOf', filterValue: ['Done'] }])
  const query = new URLSearchParams({ filters, calculations: '{"title":"count_all"}', limit: '0' })
  for (const server of servers) {
    if (server === undefined) continue
    try {
      const answer = await send(server, 'GET', `/collections/${collectionId}/items?${query}`)
      return Number(answer.calculations?.title ?? 0)
    } catch {}
  }
  return Infinity
}
