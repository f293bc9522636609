/** Counts which statements of the scripts run in pages: see test/coverage. */
import type { BrowserContext } from 'playwright-core'
import { type Counts, countsFolder, writeCounts } from '../../../coverage/counted-scripts.ts'

/** Lets each page of a context add what it counted to the storage of its browser when it is left. */
export async function countPages(context: BrowserContext): Promise<void> {
  if (countsFolder() === undefined) return
  await context.addInitScript(() => {
    const keep = () => {
      const own = (globalThis as { __coverage__?: Counts }).__coverage__ ?? {}
      const counts = Object.entries(own).map(([path, { s, f, b }]) => [path, { s, f, b }] as const)
      localStorage.setItem(
        `counts ${performance.timeOrigin} ${Math.random()}`,
        JSON.stringify(Object.fromEntries(counts)),
      )
    }
    addEventListener('pagehide', keep)
    Object.assign(globalThis, { keepCounts: keep })
  })
}

/** Writes what the pages of a context have counted. */
export async function takeCounts(context: BrowserContext): Promise<void> {
  if (countsFolder() === undefined) return
  for (const page of context.pages()) {
    const kept = await page.evaluate(() => {
      const { keepCounts } = globalThis as { keepCounts?: () => void }
      keepCounts?.()
      const names = Object.keys(localStorage).filter((name) => name.startsWith('counts '))
      return names.map((name) => {
        const text = localStorage.getItem(name) ?? '{}'
        localStorage.removeItem(name)
        return text
      })
    })
    for (const text of kept) writeCounts(JSON.parse(text))
  }
}
