/**
 * Small calls of 1, 10 and 100 concurrent clients, each compared with a floor that does as little as possible: an empty
 * route with the same JSON, an empty tool of the same SDK, a route that inserts one row. Also 1, 2 and 8 processes that
 * write to one file, compared with bare SQLite.
 */
import { join } from 'node:path'
import { type ServeProcess, startServe } from '../http/serve-process.ts'
import { type Echo, startEcho } from './echo-http.ts'
import { type Figure, type Goal, interleaved, type Measure, median } from './figure.ts'
import { type Loaded, type Loader, startLoader } from './http-load.ts'
import { ANSWER, type BenchSpace, INITIALIZE, type LoadRequest, mcp, newSpace, RAISED, rest } from './http-requests.ts'
import { inFolder } from './workbench.ts'
import { newFile, startWriters, type Way, type Writers } from './write-processes.ts'

const ROUNDS = 2
/** Milliseconds of load in each round. */
const TIME = 500
/** Milliseconds of load before the first round: a new server still compiles its code, which delays calls. */
const WARM_UP = 3_000
const WARM_UP_CLIENTS = 10
const CLIENTS = [1, 10, 100]
const PROCESSES = [1, 2, 8]

const REST_READ = 0.15
const MCP_READ = 0.4
const WRITE = 0.5
const PROCESS_WRITE = 0.5
/** The bound for p99 divided by p50 with this number of clients. */
const SPREAD = { clients: 100, most: 8 }
const NO_GOAL: Goal = { of: 'ratio' }

const NOTES = [
  'The empty route is the shortest way through the HTTP stack: about 20 µs of processor time. A read over REST cannot do',
  'without looking up its link, counting, reading one snapshot of the block and its surroundings, checking input and',
  'output, and its line in the log. Writes of several clients share one flush, those of the bare route have one each.',
  'A block that is added changes 13 to 16 pages of the file, with its indexes, its document, the index of words and the',
  'log of writes; a bare insert changes one. Of bare processes one at a time does nearly all the writing, while the others',
  'wait: see the longest wait of one write.',
]

export const measure: Measure = async () => {
  const figures = [...(await measureCalls()), ...(await measureProcesses())]
  return { figures, notes: NOTES }
}

interface Pair {
  what: string
  floor: string
  least: number
  ours: LoadRequest
  bare: LoadRequest
}

const measureCalls = () =>
  inFolder(async (folder) => {
    const space = await newSpace(join(folder, 'space.sqlite'))
    await using running = new AsyncDisposableStack()
    const server = running.adopt(await startServe(space.file, RAISED), (started) => started.close())
    const answer = (await (await fetch(readUrl(space, server))).json()) as object
    const echoOptions = { answer, file: join(folder, 'rows.sqlite') }
    const echo = running.adopt(await startEcho(echoOptions), (started) => started.close())
    const loader = running.adopt(startLoader(), (started) => started.close())
    const figures: Figure[] = []
    for (const pair of pairs(space, server, echo)) {
      for (const load of [pair.ours, pair.bare]) {
        await loader.run({ ...load, connections: WARM_UP_CLIENTS, time: WARM_UP })
      }
      for (const clients of CLIENTS) figures.push(...(await compareToFloor(loader, pair, clients)))
    }
    return figures
  })

const readUrl = ({ id }: BenchSpace, { restUrl }: ServeProcess): string => `${restUrl}/blocks?id=${id}`

function pairs(space: BenchSpace, server: ServeProcess, echo: Echo): Pair[] {
  const read = { id: space.id }
  const write = {
    blocks: [{ type: 'text', markdown: 'A line.' }],
    position: { position: 'end', pageId: space.pageId },
  }
  const session = { opening: INITIALIZE, contains: ANSWER }
  const single = { contains: ANSWER }
  const insert = rest(echo.insertUrl, JSON.stringify(write))
  return [
    {
      what: 'blocks_get over REST',
      floor: 'empty route',
      least: REST_READ,
      ours: rest(readUrl(space, server)),
      bare: rest(echo.fixedUrl),
    },
    {
      what: 'blocks_get over MCP',
      floor: 'empty tool',
      least: MCP_READ,
      ours: mcp(server.mcpUrl, 'blocks_get', read, single),
      bare: mcp(echo.mcpUrl, 'echo', read, single),
    },
    {
      what: 'blocks_get over MCP, sessions',
      floor: 'empty tool, sessions',
      least: MCP_READ,
      ours: mcp(server.mcpUrl, 'blocks_get', read, session),
      bare: mcp(echo.mcpUrl, 'echo', read, session),
    },
    {
      what: 'blocks_add over REST',
      floor: 'route, one insert',
      least: WRITE,
      ours: rest(`${server.restUrl}/blocks`, JSON.stringify(write)),
      bare: insert,
    },
    {
      what: 'blocks_add over MCP',
      floor: 'route, one insert',
      least: WRITE,
      ours: mcp(server.mcpUrl, 'blocks_add', write, single),
      bare: insert,
    },
  ]
}

async function compareToFloor(loader: Loader, { what, floor, least, ours, bare }: Pair, clients: number) {
  const loaded: Loaded[] = []
  const rateOf = async (load: LoadRequest, seen?: Loaded[]) => {
    const response = await loader.run({ ...load, connections: clients, time: TIME })
    seen?.push(response)
    return response.rate
  }
  const rates = await interleaved(
    ROUNDS,
    () => rateOf(ours, loaded),
    () => rateOf(bare),
  )
  const many = clients > 1
  const goal: Goal = many ? { of: 'ratio', least } : NO_GOAL
  const figures: Figure[] = [{ what: `${what}, ${countOf(clients, 'client')}`, floor, ...rates, unit: 'calls/s', goal }]
  const spread = spreadOf(loaded.slice(1))
  figures.push({
    what: `${what}, ${countOf(clients, 'client')}, p99`,
    floor: 'its p50',
    ...spread,
    unit: 'ms',
    goal: clients === SPREAD.clients ? { of: 'ratio', most: SPREAD.most } : NO_GOAL,
  })
  return figures
}

function spreadOf(loaded: readonly Loaded[]): { ours: number; bare: number; ratio: number } {
  const ours = median(loaded.map(({ p99 }) => p99))
  const bare = median(loaded.map(({ p50 }) => p50))
  return { ours, bare, ratio: ours / bare }
}

const countOf = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`

const measureProcesses = () =>
  inFolder(async (folder) => {
    const figures: Figure[] = []
    for (const count of PROCESSES) {
      const file = (way: Way) => join(folder, `${way}-${count}.sqlite`)
      await using running = new AsyncDisposableStack()
      const start = async (way: Way): Promise<Writers> =>
        running.adopt(await startWriters(way, await newFile(way, file(way)), count), (started) => started.close())
      const [ours, bare] = [await start('space'), await start('bare')]
      await ours.run(WARM_UP)
      await bare.run(WARM_UP)
      const rateOf = async (writers: Writers, longest: number[]) => {
        const written = await writers.run(TIME)
        longest.push(written.longest)
        return written.rate
      }
      const longest: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
      const rates = await interleaved(
        ROUNDS,
        () => rateOf(ours, longest.ours),
        () => rateOf(bare, longest.bare),
      )
      const what = `blocks_add, ${countOf(count, 'process')} on one file`
      figures.push({
        what,
        floor: 'bare inserts',
        ...rates,
        unit: 'calls/s',
        goal: { of: 'ratio', least: PROCESS_WRITE },
      })
      const waits = { ours: Math.max(...longest.ours), bare: Math.max(...longest.bare) }
      const ratio = waits.ours / waits.bare
      figures.push({ what: `${what}, longest`, floor: 'longest insert', ...waits, ratio, unit: 'ms', goal: NO_GOAL })
    }
    return figures
  })
