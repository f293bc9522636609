/** A document of 20,000 blocks, and a hundred open pages. */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { program } from '../../page/sample-space.ts'
import { enterPages } from '../../support/enter-pages.ts'
import { type ProofContext, type ProofResult, times } from '../proof.ts'
import { type PageServer, startPageServer, visit } from './page-server.ts'

const BLOCKS = 20_000
const BLOCKS_PER_CALL = 5_000
const FIRST_SCREEN_MS = 500
/** On slow machines, the limit is instead this many times the time of a short document in the same browser. */
const FIRST_SCREENS_OF_SHORT = 5
const TRIES = 3

const OPEN_PAGES = 100
const MOST_MEGABYTES = 50
const MOST_CORES = 0.2

/** Clock ticks per second in which Linux counts the CPU time of a process. */
const CLOCK_TICKS = 100

/** Measures the time until the first screen of a long document is painted, and checks that its end can be reached. */
export async function longDocument(
  browser: Browser,
  { space, entry, sample }: PageServer,
  { log }: ProofContext,
): Promise<ProofResult> {
  const faults: string[] = []
  const id = await writeLong(program(space, 'editor'))
  const { context, page, base } = await visit(browser, entry(), { viewport: { width: 1280, height: 900 } })
  const timesOf = async (document: string) => {
    await page.goto(`${base}/d/${document}`)
    return (await page.evaluate(TIMES)) as [number, number, number]
  }
  let [fastest, loaded, shown, fastestOfShort] = [Infinity, Infinity, 0, Infinity]
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const [painted, whole, blocks] = await timesOf(id)
    fastest = Math.min(fastest, painted)
    loaded = Math.min(loaded, whole)
    shown = blocks
    const [paintedShort] = await timesOf(sample.plan)
    fastestOfShort = Math.min(fastestOfShort, paintedShort)
  }
  if (shown !== BLOCKS) faults.push(`Expected ${BLOCKS} blocks, found ${shown}.`)
  const limit = Math.max(FIRST_SCREEN_MS, FIRST_SCREENS_OF_SHORT * fastestOfShort)
  if (fastest > limit) {
    faults.push(`Expected the first screen within ${limit.toFixed(0)} ms, found ${fastest.toFixed(0)} ms.`)
  }
  await page.goto(`${base}/d/${id}`)
  const frame = (await page.evaluate(SCROLL)) as number
  if (!(await page.getByText(`Line ${BLOCKS - 1} `).isVisible())) faults.push('Expected the last line at the end.')
  await context.close()
  log('a long document was read')
  const figures = {
    'ms until the first screen of 20,000 blocks': Math.round(fastest),
    'ms until that of a short document': Math.round(fastestOfShort),
    'ms until all of them': Math.round(loaded),
    'ms of a frame while scrolling': Math.round(frame),
  }
  return { figures, faults }
}

/**
 * Waits until the first screen is painted, which may be after the page has loaded.
 *
 * @returns the times and the number of blocks
 */
const TIMES = `(async () => [
  await new Promise((resolve) =>
    new PerformanceObserver((list) => list.getEntriesByName('first-contentful-paint').map(({ startTime }) => resolve(startTime)))
      .observe({ type: 'paint', buffered: true })),
  performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd,
  document.querySelectorAll('article .block').length,
])()`
/** Scrolls to the end screen by screen. Returns the median time of a frame. */
const SCROLL = `(async () => {
  const frames = []
  let last = performance.now()
  for (let step = 0; step < 60; step++) {
    scrollBy(0, innerHeight)
    await new Promise(requestAnimationFrame)
    frames.push(performance.now() - last)
    last = performance.now()
  }
  scrollTo(0, document.documentElement.scrollHeight)
  await new Promise(requestAnimationFrame)
  return frames.sort((one, other) => one - other)[30]
})()`

async function writeLong(agent: ReturnType<typeof program>): Promise<string> {
  const line = (number: number) => `Line ${number} about cranes, quays and what each of them **carries** in winter.`
  const { items } = await agent('documents_add', { documents: [{ title: 'Survey of everything' }] })
  const pageId = items[0].id
  for (let from = 0; from < BLOCKS; from += BLOCKS_PER_CALL) {
    const markdown = Array.from({ length: BLOCKS_PER_CALL }, (_, index) => line(from + index)).join('\n\n')
    await agent('blocks_add', { markdown, position: { position: 'end', pageId } })
  }
  return pageId
}

/** Measures the cost of a hundred open pages while nothing happens. Each listens as if it were alone in its browser. */
export async function openPages(context: ProofContext): Promise<ProofResult> {
  const seconds = times(context, 4, 60)
  const faults: string[] = []
  const { sample, pid, entry, close } = await startPageServer(context.folder, 'open-pages')
  const { cookie, base } = await enterPages(entry())
  const read = async () => {
    const answer = await fetch(`${base}/d/${sample.plan}`, { headers: { cookie } })
    return /data-cursor="([^"]+)"/.exec(await answer.text())?.[1] ?? ''
  }
  // Warm-up, to allocate the memory that the program needs only once for all pages.
  for (let page = 0; page < OPEN_PAGES / 5; page++) await read()
  const memoryBefore = megabytesOf(pid)
  const closing = new AbortController()
  for (let page = 0; page < OPEN_PAGES; page++) {
    const headers = { cookie, accept: 'text/event-stream' }
    const query = new URLSearchParams({ cursor: await read() })
    const stream = await fetch(`${base}/changes?${query}`, { headers, signal: closing.signal })
    if (stream.status !== 200) faults.push(`Expected a stream, found ${stream.status}.`)
    await stream.body?.getReader().read()
  }
  const [ticks, from] = [ticksOf(pid), performance.now()]
  await delay(seconds * 1_000)
  const cores = (ticksOf(pid) - ticks) / CLOCK_TICKS / ((performance.now() - from) / 1_000)
  const memory = megabytesOf(pid) - memoryBefore
  closing.abort()
  await close()
  if (memory > MOST_MEGABYTES) faults.push(`Expected at most ${MOST_MEGABYTES} MB more, found ${memory.toFixed(0)} MB.`)
  if (cores > MOST_CORES) faults.push(`Expected at most ${MOST_CORES} of a core, found ${cores.toFixed(2)}.`)
  context.log(`${OPEN_PAGES} pages were open`)
  return { figures: { 'MB of 100 open pages': Math.round(memory), 'of a core': cores.toFixed(3) }, faults }
}

const megabytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

/** CPU time of a process in clock ticks, in user and kernel mode. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}
