/** Measures how soon typed letters are visible in a long document while an agent adds to it. */
import { type EditingServer, openBrowser } from './editing-server.ts'

export interface Typed {
  blocks: number
  keys: number
  /** Milliseconds from a key press to the frame that shows it: the limit for 95 of 100 keys, and the slowest. */
  p95: number
  slowest: number
  /** Number of blocks that the agent added per second in the meantime. */
  addedPerSecond: number
}

/** Milliseconds from a key press to the frame that shows it, for 95 of 100 keys. */
const MOST_MS = 100

/** @returns a sentence if letters are shown too late */
export const letterFaults = ({ p95 }: Typed): string[] =>
  p95 > MOST_MS ? [`Expected letters within ${MOST_MS} ms, found ${p95} ms for 95 of 100.`] : []

const BLOCKS = 5_000
const CALLS_PER_SECOND = 10
const BLOCKS_PER_CALL = 10
const MEASURE = `
  globalThis.delays = []
  const channel = new MessageChannel()
  const waiting = []
  channel.port1.onmessage = () => { for (const begun of waiting.splice(0)) delays.push(performance.now() - begun) }
  document.addEventListener('keydown', (event) => {
    waiting.push(event.timeStamp)
    requestAnimationFrame(() => channel.port2.postMessage(0))
  }, true)`

/** @param slowed  a script with a planted fault, to run in the page */
export async function typeInLongDocument(server: EditingServer, keys: number, slowed?: string): Promise<Typed> {
  const id = await server.addDocument(
    'Long',
    Array.from({ length: BLOCKS }, (_, n) => `Line ${n} of a long document.`).join('\n\n'),
  )
  const browser = await openBrowser()
  try {
    const page = await server.visit(browser, id)
    await page.getByText('Line 40 of a long document.').click()
    await page.keyboard.press('End')
    await page.evaluate(MEASURE)
    if (slowed !== undefined) await page.evaluate(slowed)
    let isTyping = true
    let added = 0
    const begun = performance.now()
    const agent = async () => {
      const blocks = Array.from({ length: BLOCKS_PER_CALL }, (_, n) => ({ type: 'text', markdown: `Added ${n}.` }))
      for (let call = 0; isTyping; call++) {
        const position = call % 2 === 0 ? { position: 'end', pageId: id } : { position: 'start', pageId: id }
        await server.call('POST /blocks', { blocks, position, answer: 'ids' })
        added += BLOCKS_PER_CALL
        const next = begun + ((call + 1) * 1000) / CALLS_PER_SECOND
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())))
      }
    }
    const adding = agent()
    await page.keyboard.type('letters and words '.repeat(Math.ceil(keys / 18)).slice(0, keys), { delay: 60 })
    isTyping = false
    await adding
    const seconds = (performance.now() - begun) / 1000
    const delays = ((await page.evaluate('delays')) as number[]).toSorted((one, other) => one - other)
    return {
      blocks: BLOCKS,
      keys: delays.length,
      p95: Math.round(delays[Math.floor(delays.length * 0.95)] ?? 0),
      slowest: Math.round(delays.at(-1) ?? 0),
      addedPerSecond: Math.round(added / seconds),
    }
  } finally {
    await browser.close()
  }
}
