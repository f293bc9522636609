/** The tree of the navigation in a browser: opened and closed in place, by keyboard alone, and without a connection. */
import { chromium, type Locator, type Page } from 'playwright-core'
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

/** By the events that browsers dispatch: a browser that serves several tests at once drags nothing by its mouse. */
const drag = (type: string, link: Locator): Promise<boolean> =>
  link.evaluate((element, type) => {
    const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() })
    element.dispatchEvent(event)
    return event.defaultPrevented
  }, type)

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

test('pages within a document that is not open are shown, renamed, dragged, and have their menu', async () => {
  const { page, base, sample, agent } = await open()
  const nested = (title: string, content = '') =>
    `<page><pageTitle>${title}</pageTitle><content>\n\n${content}\n\n</content></page>`
  const documents = [
    { title: 'Quays', markdown: `${nested('North', nested('Slipway', 'x'))}\n\n${nested('South', 'x')}` },
    { title: 'Ships', markdown: nested('Ferry', 'x') },
  ]
  const destination = { folderId: sample.projects }
  const [quays, ships] = (await agent('documents_add', { documents, destination })).items.map(
    ({ id }: { id: string }) => id,
  )
  await page.goto(`${base}/folders/${sample.projects}`)
  const button = (name: string) => page.locator('#nav').getByRole('button', { name: `Pages in ${name}` })
  const entry = (name: string) => page.locator('#nav .nested').getByRole('link', { name, exact: true })
  await button('Quays').focus()
  await page.keyboard.press('Enter')
  await entry('South').waitFor()
  await button('North').click()
  await entry('Slipway').waitFor()
  expect((await examine(page, 'light')).faults).toEqual([])
  // They stay so on other pages, and while their document is open.
  await page.goto(`${base}/tags`)
  expect(await page.locator('#nav .nested .name').allTextContents()).toEqual([])
  await buttonOf(page, sample.projects).click()
  await entry('Slipway').waitFor()
  expect(await page.locator('#nav .nested .name').allTextContents()).toEqual(['North', 'Slipway', 'South'])

  await entry('North').focus()
  await page.keyboard.press('F2')
  await page.locator('.entry-name').fill('North quay')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Renamed to North quay.' }).waitFor()
  await button('North quay').waitFor()

  const target = page.locator(`#nav .tree a[href$="/d/${ships}"]`)
  await drag('dragstart', entry('South'))
  await expect.poll(() => drag('dragover', target), { timeout: 10_000 }).toBe(true)
  await drag('drop', target)
  await page.getByRole('status').filter({ hasText: 'Moved to Ships.' }).waitFor()
  await entry('South').waitFor({ state: 'detached' })
  await button('Ships').click()
  await entry('Ferry').waitFor()
  await entry('South').waitFor()

  await page.locator('#nav').getByRole('link', { name: 'Actions for Slipway' }).click()
  await page.locator('#entry-menu').getByRole('link', { name: 'Move…' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('#entry-menu').waitFor({ state: 'detached' })

  await page.goto(`${base}/d/${quays}`)
  expect(await buttonOf(page, quays).getAttribute('aria-expanded')).toBe('true')
  await buttonOf(page, quays).click()
  await entry('Slipway').waitFor({ state: 'hidden' })
  await expect
    .poll(async () => (await page.context().cookies()).find(({ name }) => name === 'scriptorium-tree')?.value)
    .toContain(`-${quays}`)
  await page.reload()
  expect(await buttonOf(page, quays).getAttribute('aria-expanded')).toBe('false')
})

test('the script that moves is there before a drag begins, and one that ended early moves nothing later', async () => {
  const { page, base, sample } = await open()
  await page.goto(`${base}/folders/${sample.projects}`)
  const link = page.locator('#nav .tree a:not(.entry-menu)', { hasText: 'Crane inspection' })
  const script = await page.locator('#nav').getAttribute('data-tree')
  const dragged = () => page.evaluate(() => document.body.dataset.dragged)
  await page.route(`**${script}`, (route) => route.abort())
  await drag('dragstart', link)
  expect(await dragged()).toBe(`/d/${sample.crane}`)
  await drag('dragend', link)
  expect(await dragged()).toBeUndefined()

  await page.unroute(`**${script}`)
  const loaded = page.waitForResponse((response) => new URL(response.url()).pathname === script)
  await page.reload()
  await link.hover()
  expect((await loaded).ok()).toBe(true)
})
