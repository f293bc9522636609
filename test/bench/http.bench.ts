/** Calls over HTTP under load, compared with a route and a tool of the same stack that only echo. */
import { join } from 'node:path'
import { type ServeProcess, startServe } from '../http/serve-process.ts'
import { type Echo, startEcho } from './echo-http.ts'
import { type Figure, interleaved, type Measure, median } from './figure.ts'
import { type Loader, startLoader } from './http-load.ts'
import {
  ANSWER,
  type BenchSpace,
  INITIALIZE,
  type LoadRequest,
  mcp,
  newSpace,
  RAISED,
  readOverRest,
  rest,
} from './http-requests.ts'
import { inFolder } from './workbench.ts'

const ROUNDS = 3
/** Milliseconds of load in each round. */
const TIME = 1_000
/** The same for requests at the intended pace. */
const PACED_TIME = 5_000
const FULL = { connections: 100, time: TIME }
const OFF = ['--limit-requests', '0', '--limit-blocks', '0', '--limit-ip', '0']

const READS = 500
const WRITES = 150
const P99 = 250
const OF_ECHO = 0.6
const COST = 1.15

const NOTES = [
  'The echo route takes 30 µs, less than what a call over REST cannot do without: to look up its link, to count, to read',
  'one snapshot from SQLite, to check what goes in and out. Waiting steps of the usage file are one transaction,',
  'and what follows of them goes on in turn: under such load a server that counts can answer sooner than one that does not.',
  'Calls a second, and the p99 of the echo, are those of 100 connections that ask as fast as they are answered.',
]

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const limited = await newSpace(join(folder, 'limited.sqlite'))
    const free = await newSpace(join(folder, 'free.sqlite'))
    await using running = new AsyncDisposableStack()
    const ours = running.adopt(await startServe(limited.file, RAISED), (server) => server.close())
    const other = running.adopt(await startServe(free.file, OFF), (server) => server.close())
    const echo = running.adopt(await startEcho(), (server) => server.close())
    const loader = running.adopt(startLoader(), (started) => started.close())
    const figures: Figure[] = []
    for (const pair of pairs(limited, ours, echo)) figures.push(...(await compareToEcho(loader, pair)))
    figures.push(await costOfLimits(loader, readOverRest(limited, ours), readOverRest(free, other)))
    return { figures, notes: NOTES }
  })

/** A request to us, the corresponding one to the echo, and the minimum number of responses per second. */
interface Pair {
  what: string
  floor: string
  least: number
  ours: LoadRequest
  echo: LoadRequest
}

function pairs({ pageId, id, file }: BenchSpace, server: ServeProcess, echo: Echo): Pair[] {
  const get = ['blocks_get', { id }] as const
  const adding = { blocks: [{ type: 'text', markdown: 'A line.' }], position: { position: 'end', pageId } }
  const add = ['blocks_add', adding] as const
  const ours = (load: Partial<LoadRequest>, [name, args]: readonly [string, object]) =>
    mcp(server.mcpUrl, name, args, { contains: ANSWER, ...load })
  const echoed = (load: Partial<LoadRequest>, [, args]: readonly [string, object]) =>
    mcp(echo.mcpUrl, 'echo', args, { contains: ANSWER, ...load })
  const session = { opening: INITIALIZE }
  return [
    {
      what: 'blocks_get over REST',
      floor: 'echo route',
      least: READS,
      ours: readOverRest({ pageId, id, file }, server),
      echo: rest(`${echo.restUrl}?id=${id}`),
    },
    { what: 'blocks_get over MCP', floor: 'echo tool', least: READS, ours: ours({}, get), echo: echoed({}, get) },
    {
      what: 'blocks_get over MCP, sessions of 2025',
      floor: 'echo tool, sessions',
      least: READS,
      ours: ours(session, get),
      echo: echoed(session, get),
    },
    {
      what: 'blocks_add over REST',
      floor: 'echo route',
      least: WRITES,
      ours: rest(`${server.restUrl}/blocks`, JSON.stringify(adding)),
      echo: rest(echo.restUrl, JSON.stringify(adding)),
    },
    { what: 'blocks_add over MCP', floor: 'echo tool', least: WRITES, ours: ours({}, add), echo: echoed({}, add) },
  ]
}

async function compareToEcho(loader: Loader, { what, floor, least, ours, echo }: Pair): Promise<Figure[]> {
  const slowest: [ours: number[], echo: number[]] = [[], []]
  const run = async (load: LoadRequest, p99s: number[]) => {
    const { rate, p99 } = await loader.run({ ...load, ...FULL })
    p99s.push(p99)
    return rate
  }
  const rates = await interleaved(
    ROUNDS,
    () => run(ours, slowest[0]),
    () => run(echo, slowest[1]),
  )
  const [, its] = slowest.map((p99s) => median(p99s.slice(1))) as [number, number]
  const { p99: mine } = await loader.run({ ...ours, ...FULL, pace: least, time: PACED_TIME })
  return [
    { what, floor, ...rates, unit: 'calls/s', goal: { of: 'ours', least } },
    { what: `${what}, beside the echo`, floor, ...rates, unit: 'calls/s', goal: { of: 'ratio', least: OF_ECHO } },
    {
      what: `${what}, p99 at ${least} a second`,
      floor,
      ours: mine,
      bare: its,
      ratio: mine / its,
      unit: 'ms',
      goal: { of: 'ours', most: P99 },
    },
  ]
}

async function costOfLimits(loader: Loader, limited: LoadRequest, free: LoadRequest): Promise<Figure> {
  const timeOf = async (load: LoadRequest) => 1_000 / (await loader.run({ ...load, ...FULL })).rate
  const times = await interleaved(
    2 * ROUNDS,
    () => timeOf(limited),
    () => timeOf(free),
  )
  const what = 'a read over REST, counted'
  return { what, floor: 'limits off', ...times, unit: 'ms', goal: { of: 'ratio', most: COST } }
}
