/** The cost of feed listeners for writers, the delay of notifications, and how often an idle space is polled. */
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { addAccessLink } from '../../src/auth/access-links/access-links.ts'
import { ToolCatalog } from '../../src/call/catalog/tool-catalog.ts'
import { followCall } from '../../src/call/follow.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { endpoints } from '../../tools/index.ts'
import { type ServeProcess, startServe } from '../http/serve-process.ts'
import { type FeedListeners, startListeners } from './feed-listeners.ts'
import { type Figure, interleaved, type Measure } from './figure.ts'
import { type Loader, startLoader } from './http-load.ts'
import { type BenchSpace, newSpace, RAISED, rest } from './http-requests.ts'
import { inFolder, openWorkbench } from './workbench.ts'

const LISTENERS = 100
const ROUNDS = 8
/** Milliseconds of load in each round, and before the first. */
const TIME = 1_000
const WARM_UP = 3_000
const LATE_WRITES = 300
/** Milliseconds for which an idle space is observed. */
const IDLE = 3_000

const NOTES = [
  'Writes go one after another to a server over REST, and 100 streams are open there, on one link or on ten. Each stream',
  'is sent each of them. How late they are is from when a write of another process returned until a stream of the server',
  'has it; the space is looked at ten times a second.',
]

export const measure: Measure = () =>
  inFolder(async (folder) => {
    await using running = new AsyncDisposableStack()
    const loader = running.adopt(startLoader(), (started) => started.close())
    const figures: Figure[] = []
    for (const links of [1, 10]) figures.push(await costOfListeners(join(folder, `links-${links}`), loader, links))
    figures.push(await lateness(join(folder, 'late.sqlite')), await idleLooks(join(folder, 'idle.sqlite')))
    return { figures, notes: NOTES }
  })

async function costOfListeners(name: string, loader: Loader, links: number): Promise<Figure> {
  await using running = new AsyncDisposableStack()
  const [followed, unheard] = [await newSpace(`${name}-heard.sqlite`), await newSpace(`${name}-unheard.sqlite`)]
  const serve = async (space: BenchSpace) =>
    running.adopt(await startServe(space.file, RAISED), (started) => started.close())
  const [listened, quiet] = [await serve(followed), await serve(unheard)]
  const addresses = await feedsOf(followed.file, listened, links)
  const urls = Array.from({ length: LISTENERS }, (_, index) => addresses[index % links] ?? '')
  const listeners: FeedListeners = await startListeners(urls)
  running.defer(() => listeners.close())
  const write = (space: BenchSpace, server: ServeProcess) => {
    const position = { position: 'end', pageId: space.pageId }
    const body = JSON.stringify({ blocks: [{ type: 'text', markdown: 'A line.' }], position })
    return async (time = TIME) => {
      const { rate } = await loader.run({ ...rest(`${server.restUrl}/blocks`, body), connections: 1, time })
      return 1_000 / rate
    }
  }
  const [ours, bare] = [write(followed, listened), write(unheard, quiet)]
  for (const one of [ours, bare]) await one(WARM_UP)
  const measured = await interleaved(ROUNDS, ours, bare)
  const what = `a write, ${LISTENERS} listening on ${links === 1 ? 'one link' : `${links} links`}`
  return { what, floor: 'no one listens', ...measured, unit: 'ms', goal: { of: 'ratio', most: 1.2 } }
}

/** Returns the URLs of the feed over new links. */
async function feedsOf(file: string, { restUrl }: ServeProcess, count: number): Promise<string[]> {
  const space = await openSpace(file)
  const feeds: string[] = []
  for (let link = 0; link < count; link++) {
    const { secret } = await space.write(OPERATOR_LINK, (view) =>
      addAccessLink(view, { kind: 'full', access: 'read', documents: [], isBearer: false }),
    )
    feeds.push(`${new URL(restUrl).origin}/links/${secret}/api/v1/changes?ids=short`)
  }
  await space.close()
  return feeds
}

/**
 * Measures the milliseconds from when a write of this process returned until a stream of the server has it. The result
 * is the 99th percentile.
 */
async function lateness(file: string): Promise<Figure> {
  const { pageId } = await newSpace(file)
  await using running = new AsyncDisposableStack()
  const server = running.adopt(await startServe(file, RAISED), (started) => started.close())
  const [url = ''] = await feedsOf(file, server, 1)
  const bench = running.adopt(await openWorkbench(file), (opened) => opened.close())
  const receivedAt = new Map<string, number>()
  let onMessage = () => {}
  const request = get(url, { headers: { accept: 'text/event-stream' } })
  running.defer(() => void request.destroy())
  await new Promise<void>((resolve) => {
    request.once('response', (answer) => {
      answer.setEncoding('utf8').on('data', (text: string) => {
        for (const [, id = ''] of text.matchAll(/"made":\["(\d{12})"/g)) receivedAt.set(id, performance.now())
        resolve()
        onMessage()
      })
    })
  })
  const late: number[] = []
  for (let write = 0; write < LATE_WRITES; write++) {
    // Writes at a random time between two polls.
    await delay(Math.random() * 120)
    const position = { position: 'end', pageId }
    const { items } = await bench.call<{ items: { id: string }[] }>('blocks_add', { markdown: 'A line.', position })
    const written = performance.now()
    const id = items[0]?.id ?? ''
    while (!receivedAt.has(id)) await new Promise<void>((resolve) => (onMessage = resolve))
    late.push(Math.max(0, (receivedAt.get(id) ?? 0) - written))
  }
  late.sort((one, other) => one - other)
  const [p50, p99] = [0.5, 0.99].map((share) => late[Math.floor((late.length - 1) * share)] ?? Number.NaN)
  return {
    what: 'from a write to who listens, other process, p99',
    floor: 'its p50',
    ours: p99 ?? Number.NaN,
    bare: p50 ?? Number.NaN,
    unit: 'ms',
    ratio: (p99 ?? 0) / (p50 ?? 1),
    goal: { of: 'ours', most: 300 },
  }
}

/** Counts the snapshots per second of a space with many waiting listeners while nothing changes. */
async function idleLooks(file: string): Promise<Figure> {
  await using running = new AsyncDisposableStack()
  const space = running.adopt(await openSpace(file), (opened) => opened.close())
  const link = { ...(await space.createAccessLink('full', [], 'bench')), id: 'bench' }
  const tool = new ToolCatalog(endpoints, 'full').find('changes_list')
  if (tool === undefined) throw new Error('Expected the feed among the endpoints.')
  let reads = 0
  const read = space.read.bind(space)
  space.read = (...args) => {
    reads++
    return read(...args)
  }
  const counted = async (listeners: number): Promise<number> => {
    const stop = new AbortController()
    const followings = await Promise.all(Array.from({ length: listeners }, () => followCall(tool, {}, { space, link })))
    const waiting = followings.map((following) => following.next(10 * IDLE, stop.signal))
    await delay(IDLE / 10)
    const before = reads
    await delay(IDLE)
    const seen = ((reads - before) * 1_000) / IDLE
    stop.abort()
    await Promise.all(waiting)
    await Promise.all(followings.map((following) => following.close()))
    return seen
  }
  const [ours, bare] = [await counted(LISTENERS), await counted(1)]
  return {
    what: `looks at an idle space, ${LISTENERS} waiting`,
    floor: 'one waiting',
    ours,
    bare,
    unit: 'a second',
    ratio: ours / bare,
    goal: { of: 'ours', most: 10 },
  }
}
