/** The tree of the navigation in a browser: opened and closed in place, by keyboard alone, and without a connection. */
import { chromium, type Page } from 'playwright-core'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { createEntryToken } from '../../../../src/auth/browser-sessions/browser-session.ts'
import { readScript } from '../../../../src/page/scripts.ts'
import { examine } from '../../../prove/pages/browser.ts'
import { fillSampleSpace, type Program, program, type SampleSpace } from '../../sample-space.ts'
import { servePages } from '../../visiting.ts'

// A checkout bundles all scripts when the first one is asked for.
beforeAll(async () => {
  await readScript('none.js')
}, 120_000)

interface Opened {
  page: Page
  base: string
  sample: SampleSpace
  agent: Program
}

async function open(width = 1440): Promise<Opened> {
  const { server, space, clock } = await servePages()
  const sample = await fillSampleSpace(space)
  const browser = await chromium.connect(inject('pageBrowser').endpoint)
  onTestFinished(() => browser.close())
  const context = await browser.newContext({
    ...{ viewport: { width, height: 900 }, bypassCSP: true, serviceWorkers: 'block' },
  })
  const page = await context.newPage()
  await page.goto(`${server.origin}/enter/${createEntryToken(space.info, clock.now, 60_000)}`)
  const base = page.url().replace(/(\/view\/[^/]+).*/, '$1')
  return { page, base, sample, agent: program(space, 'robot') }
}

const buttonOf = (page: Page, place: string) => page.locator(`#fold-${place}`)
const entries = (page: Page, place: string) => page.locator(`li:has(> #fold-${place}) > ul > li > a:not(.entry-menu)`)

test('a folder is opened and closed with the keyboard, and stays so on other pages and in updates', async () => {
  const { page, base, sample, agent } = await open()
  await page.goto(`${base}/tasks`)
  const fold = buttonOf(page, sample.projects)
  expect(await fold.getAttribute('aria-expanded')).toBe('false')
  await fold.focus()
  await page.keyboard.press('Enter')
  await entries(page, sample.projects).getByText('Harbour plan').waitFor()
  expect(await fold.getAttribute('aria-expanded')).toBe('true')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe(`fold-${sample.projects}`)
  expect(page.url()).toBe(`${base}/tasks`)
  // The next stop is the folder, and then what is in it.
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toContain(
    `/folders/${sample.projects}`,
  )
  await agent('documents_add', { documents: [{ title: 'Brought' }], destination: { folderId: sample.projects } })
  await entries(page, sample.projects).getByText('Brought').waitFor()
  await page.goto(`${base}/tags`)
  await entries(page, sample.projects).getByText('Brought').waitFor()
  expect((await examine(page, 'light')).faults).toEqual([])
  await fold.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => fold.getAttribute('aria-expanded')).toBe('false')
  await entries(page, sample.projects).first().waitFor({ state: 'hidden' })
  // Two at once: each is kept.
  await fold.click()
  await buttonOf(page, 'unsorted').click()
  await entries(page, 'unsorted').first().waitFor()
  await entries(page, sample.projects).first().waitFor()
  await page.goto(`${base}/tasks`)
  await entries(page, 'unsorted').first().waitFor()
  await entries(page, sample.projects).first().waitFor()
})

test('what cannot be loaded or reached says so: opening a folder, F2, and the search', async () => {
  const { page, base, sample } = await open()
  await page.goto(`${base}/folders/${sample.projects}`)
  const notice = page.locator('#main [role="alert"]')
  await page.context().setOffline(true)
  const link = page.locator(`#nav .tree a[href$="/folders/${sample.projects}"]`)
  await link.focus()
  await page.keyboard.press('F2')
  await notice.getByText('This could not be loaded. Try again.').waitFor()
  await buttonOf(page, 'unsorted').click()
  await expect.poll(() => notice.count()).toBe(1)
  await page.keyboard.press('Control+k')
  await page.locator('#find').getByText('This could not be loaded. Try again.').waitFor()
  await page.keyboard.press('Escape')
  await page.context().setOffline(false)
  await buttonOf(page, 'unsorted').click()
  await entries(page, 'unsorted').first().waitFor()
  // Its script is there now, and the server is not.
  await page.context().setOffline(true)
  await buttonOf(page, sample.projects).click()
  await notice.getByText('You are offline. Try again later.').waitFor()
  expect(await buttonOf(page, sample.projects).getAttribute('aria-expanded')).toBe('true')
  await entries(page, sample.projects).first().waitFor()
  await page.context().setOffline(false)
  await link.focus()
  await page.keyboard.press('F2')
  await page.locator('.entry-name').waitFor()
})
