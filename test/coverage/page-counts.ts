/** Counts which statements of the scripts run in pages of a browser. */
import type { BrowserContext } from 'playwright-core'
import { countsFolder, writeCounts } from './counted-scripts.ts'

/** Runs in each page: when it is left, it adds what it counted to the storage of its browser. */
const KEEP = `
  globalThis.keepCounts = () => {
    const own = Object.entries(globalThis.__coverage__ ?? {}).map(([path, { s, f, b }]) => [path, { s, f, b }])
    if (own.length > 0)
      localStorage.setItem('counts ' + performance.timeOrigin + ' ' + Math.random(), JSON.stringify(Object.fromEntries(own)))
  }
  addEventListener('pagehide', keepCounts)`

/** Runs in a page of the browser: takes what its pages have kept out of its storage. */
const TAKE = `(() => {
  globalThis.keepCounts?.()
  return Object.keys(localStorage).filter((name) => name.startsWith('counts ')).map((name) => {
    const text = localStorage.getItem(name)
    localStorage.removeItem(name)
    return text
  })
})()`

/** Lets the pages of a context count. Call it before the first one is opened. */
export async function countPages(context: BrowserContext): Promise<void> {
  if (countsFolder() !== undefined) await context.addInitScript(KEEP)
}

/** Writes what the pages of a context have counted. */
export async function takeCounts(context: BrowserContext): Promise<void> {
  if (countsFolder() === undefined) return
  for (const page of context.pages())
    for (const text of (await page.evaluate(TAKE)) as string[]) writeCounts(JSON.parse(text))
}
