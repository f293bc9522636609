/** A page that was opened in Firefox, without a connection: in a tab that is opened anew, after the server has ended. */
import puppeteer, { type Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertInstalled, startPages } from '../../../support/page-browser.ts'

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr'
const PATIENCE = { timeout: 20_000, interval: 100 }

let browser: Browser
beforeAll(async () => {
  assertInstalled(FIREFOX, 'firefox-esr', 'FIREFOX')
  browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true })
}, 120_000)
afterAll(() => browser?.close())

test('a document that was opened is shown, in a new tab, and says that there is no connection', async () => {
  const { rest, close } = await startPages()
  const added = await fetch(`${rest}/documents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ documents: [{ title: 'Harbour plan', markdown: 'Both cranes stay.' }] }),
  })
  const { items } = (await added.json()) as { items: { id: string }[] }
  const tab = await browser.newPage()
  await tab.goto(rest.replace('/api/v1', '/view'))
  await tab.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller !== null) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  })
  const address = `${tab.url().replace(/(\/view\/[^/]+).*/, '$1')}/d/${items[0]?.id}`
  await tab.goto(address)
  await tab.waitForSelector('html.edits')
  const kept = () =>
    tab.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith('scriptorium pages '))
      const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return keys.flat().map(({ url }) => url)
    })
  await expect.poll(kept, PATIENCE).toContain(address)
  await tab.close()
  await close()

  const again = await browser.newPage()
  await again.goto(address)
  await again.waitForFunction(() => document.body.textContent?.includes('No connection. This is what was saved at'))
  expect(await again.evaluate(() => document.querySelector('h1')?.textContent)).toBe('Harbour plan')
  expect(await again.evaluate(() => document.querySelector('article')?.textContent)).toContain('Both cranes stay.')
  expect(await again.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('15px')
  await again.waitForSelector('html.edits')
  if (process.env.PAGES !== undefined) await again.screenshot({ path: `${process.env.PAGES}/firefox-offline.png` })
}, 120_000)
