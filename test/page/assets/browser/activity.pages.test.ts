/** What waits and what happens, beside the text: the badge, the panel, and lists that follow what agents write. */
import { chromium, type Locator, type Page } from 'playwright-core'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { createEntryToken } from '../../../../src/auth/browser-sessions/browser-session.ts'
import { readScript } from '../../../../src/page/scripts.ts'
import type { Serving } from '../../../http/serving.ts'
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
  const serving = await servePages()
  const sample = await fillSampleSpace(serving.space)
  const browser = await chromium.connect(inject('pageBrowser').endpoint)
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  await page.goto(entryOf(serving))
  const base = page.url().replace(/(\/view\/[^/]+).*/, '$1')
  return { page, base, sample, agent: program(serving.space, 'robot') }
}

const entryOf = ({ server, space, clock }: Serving) =>
  `${server.origin}/enter/${createEntryToken(space.info, clock.now, 60_000)}`

test('the badge opens what waits and what happens, Escape closes it, and it goes on while it is open', async () => {
  const { page, base, sample, agent } = await open()
  await page.goto(`${base}/d/${sample.plan}`)
  const panel = page.locator('#activity')
  expect(await panel.count()).toBe(0)
  await page.locator('#badge').click()
  await panel.getByText('nightly-research').first().waitFor()
  expect(await page.locator('#badge').getAttribute('aria-expanded')).toBe('true')
  await agent('blocks_add', { markdown: 'Written meanwhile.', position: { position: 'end', pageId: sample.crane } })
  await panel.getByText('robot added a block to Crane inspection').waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('badge')
})

test('what the person does waits silently under the pointer, and what others do offers itself', async () => {
  const { page, base, sample, agent } = await open()
  await page.goto(`${base}/d/${sample.crane}`)
  await page.locator('html.edits').waitFor()
  await page.locator('#badge').click()
  const list = page.locator('#now')
  await list.waitFor()
  await page.evaluate(() => {
    const offers: string[] = []
    Object.assign(globalThis, { offers })
    const note = () =>
      offers.push(...[...document.querySelectorAll('.held')].map(({ textContent }) => textContent ?? ''))
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true })
  })
  await page.locator('.part .block p').first().click()
  await list.hover()
  await page.keyboard.type(' Typed here.')
  const stored = async () => JSON.stringify(await agent('blocks_get', { id: sample.crane }))
  await expect.poll(stored).toContain('Typed here.')
  await agent('blocks_add', { markdown: 'By a robot.', position: { position: 'end', pageId: sample.plan } })
  await page.locator('.held').waitFor()
  expect(new Set(await page.evaluate(() => (globalThis as unknown as { offers: string[] }).offers))).toEqual(
    new Set(['Show 1 new']),
  )
  await page.locator('.held').click()
  await list.getByText('robot added a block to Harbour plan').waitFor()
  await list.getByText('You').first().waitFor()
})

test('the panel can be pinned beside all pages, and let go', async () => {
  const { page, base, sample } = await open()
  await page.goto(`${base}/d/${sample.plan}`)
  await page.locator('#badge').click()
  await page.getByRole('button', { name: 'Pin' }).click()
  const boxes = async () => {
    const [main, panel] = [await page.locator('main').boundingBox(), await page.locator('#activity').boundingBox()]
    return { end: (main?.x ?? 0) + (main?.width ?? 0), start: panel?.x }
  }
  const pinned = await boxes()
  expect(pinned.start).toBe(pinned.end)
  await page.goto(`${base}/tasks`)
  expect(await boxes()).toEqual(pinned)
  // It is there before any script runs, and its buttons work.
  await page.getByRole('button', { name: 'Close' }).last().click()
  await page.goto(`${base}/tasks`)
  expect(await page.locator('#activity').count()).toBe(0)
})

test('a board of four columns fits beside the navigation', async () => {
  const { page, base, sample, agent } = await open()
  const status = { type: 'singleSelect', name: 'State', options: ['in', 'asked', 'late'].map((name) => ({ name })) }
  const { collectionBlockId } = await agent('collections_add', {
    schema: { name: 'Offers', properties: [status] },
    position: { position: 'end', pageId: sample.suppliersDocument },
  })
  await agent('views_add', {
    collectionId: collectionBlockId,
    view: { name: 'Board', type: 'kanban', groupBy: [{ property: 'state' }] },
  })
  await page.goto(`${base}/collections/${collectionBlockId}`)
  const columns = page.locator('.board-view > section')
  await expect.poll(() => columns.count()).toBe(4)
  for (const box of await columns.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))) {
    expect(box.right).toBeLessThanOrEqual(1440)
    expect(box.width).toBeGreaterThan(250)
  }
})

test('Now asks once for each change, and is answered what changed', async () => {
  const { page, base, sample, agent } = await open()
  const write = () =>
    agent('blocks_add', { markdown: 'Written meanwhile.', position: { position: 'end', pageId: sample.crane } })
  await write()
  await page.goto(`${base}/now`)
  const row = page.locator('#feed li', { hasText: 'Crane inspection' }).first()
  await row.getByText('robot added a block').waitFor()
  const answers: { path: string; text: Promise<string> }[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.endsWith('/changes')) answers.push({ path: pathname.slice(-9), text: response.text() })
  })
  await write()
  await row.getByText('worked on Crane inspection: 2 blocks added').waitFor()
  expect(answers.map(({ path }) => path.replace(/.*\//, ''))).toEqual(['news'])
  expect((await answers[0]?.text)?.length).toBeLessThan(4_000)
  // What was folded out stays so.
  await row.getByText('2 changes').click()
  await write()
  await row.getByText('3 blocks added').waitFor()
  expect(await row.locator('details[open]').count()).toBe(1)
})

test('a day begins on Home: a document is pinned to it, and what is due is ticked there', async () => {
  const { page, base, sample } = await open()
  await page.goto(`${base}/d/${sample.plan}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Pin to Home' }).click()
  await page.waitForLoadState()
  await page.goto(`${base}/`)
  await page.locator('.pins').getByRole('link', { name: 'Harbour plan' }).waitFor()
  const due = page.locator('.home .task', { hasText: 'Renew the insurance' })
  // A new notice takes the place of the one before.
  await page.goto(`${base}/?notice=undone`)
  await page.getByText('Taken back.').waitFor()
  await due.getByRole('checkbox').click()
  await due.waitFor({ state: 'detached' })
  await page.locator('#ticked').getByText('Done.').waitFor()
  expect(await page.getByText('Taken back.').count()).toBe(0)
})

test('an entry of the tree is renamed in place, has a menu, and what was done is taken back', async () => {
  const { page, base, sample } = await open()
  await page.goto(`${base}/folders/${sample.projects}`)
  const entry = page.locator('#nav .tree a:not(.entry-menu)', { hasText: 'Crane inspection' })
  await entry.focus()
  await page.keyboard.press('F2')
  const field = page.locator('.entry-name')
  await field.fill('Crane report')
  await field.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Renamed to Crane report.' }).waitFor()
  await page.locator('#list a', { hasText: 'Crane report' }).waitFor()
  await page.locator('#moved').getByRole('button', { name: 'Undo' }).click()
  await page.locator('#list a', { hasText: 'Crane inspection' }).waitFor()
  await page.locator('#nav').getByRole('link', { name: 'Actions for Crane inspection' }).click()
  const menu = page.locator('#entry-menu')
  await menu.getByRole('link', { name: 'Move…' }).waitFor()
  expect((await examine(page, 'light')).faults).toEqual([])
  await page.keyboard.press('ArrowDown')
  expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Rename…')
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
})

test('a document is dragged to another folder of the navigation', async () => {
  const { page, base, sample } = await open()
  await page.goto(`${base}/folders/${sample.projects}`)
  const meetings = page.locator('#nav a', { hasText: 'Meetings' })
  // By the events that browsers dispatch: a browser that serves several tests at once drags nothing by its mouse.
  const drag = (type: string, link: Locator) =>
    link.evaluate((element, type) => {
      const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() })
      element.dispatchEvent(event)
      return event.defaultPrevented
    }, type)
  await drag('dragstart', page.locator('#list a', { hasText: 'Crane inspection' }))
  // The script is loaded once the name is picked up.
  await expect.poll(() => drag('dragover', meetings), { timeout: 10_000 }).toBe(true)
  expect(await meetings.getAttribute('class')).toBe('drop')
  await drag('drop', meetings)
  await page.getByRole('status').filter({ hasText: 'Moved to Meetings.' }).waitFor()
  // The list and the counts follow by themselves.
  await page.locator('#list a', { hasText: 'Crane inspection' }).waitFor({ state: 'detached' })
  await meetings.filter({ hasText: '15' }).waitFor()
})

test('a folder and a page within a document are dragged in the tree, and a double click renames in place', async () => {
  const { page, base, sample, agent } = await open()
  const { items } = await agent('blocks_add', {
    ...{ markdown: '<page><pageTitle>Rope</pageTitle></page>', position: { position: 'end', pageId: sample.crane } },
  })
  const drag = (type: string, link: Locator) =>
    link.evaluate((element, type) => {
      const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() })
      element.dispatchEvent(event)
      return event.defaultPrevented
    }, type)
  const carry = async (what: Locator, where: Locator) => {
    await drag('dragstart', what)
    await expect.poll(() => drag('dragover', where), { timeout: 10_000 }).toBe(true)
    await drag('drop', where)
  }
  await page.goto(`${base}/d/${sample.crane}`)
  const entry = (name: string) => page.locator('#nav a[href]:not(.entry-menu)', { hasText: name }).first()
  await carry(entry('Rope'), entry('Harbour plan'))
  await page.getByRole('status').filter({ hasText: 'Moved to Harbour plan.' }).waitFor()
  const pathOf = async () =>
    (await agent('blocks_get', { id: items[0].id, maxDepth: 0, fetchMetadata: true })).pageBlockPath[0].id
  expect(await pathOf()).toBe(sample.plan)
  await carry(entry('Meetings'), entry('Projects'))
  await page.getByRole('status').filter({ hasText: 'Moved to Projects.' }).waitFor()
  const inProjects = async () =>
    (await agent('folders_list')).items
      .find(({ id }: { id: string }) => id === sample.projects)
      .folders.map(({ name }: { name: string }) => name)
  await expect.poll(inProjects).toEqual(['Meetings'])

  // Of what is open: a click on anything else leads to it.
  await page.goto(`${base}/folders/${sample.projects}`)
  await entry('Projects').dblclick()
  const field = page.locator('#nav input[type="text"]')
  await field.fill('Works')
  await field.press('Enter')
  await entry('Works').waitFor()
})

test('an open menu stays while others write, and what they wrote is shown once it is closed', async () => {
  const { page, base, sample, agent } = await open()
  await page.goto(`${base}/d/${sample.crane}`)
  await page.locator('html.edits').waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  const entry = page.locator('#document-menu').getByRole('link', { name: 'Print…' })
  await entry.waitFor()
  const heard = page.evaluate(() => new Promise((resolve) => document.body.addEventListener('spaceheard', resolve)))
  await agent('documents_add', { documents: [{ title: 'Meanwhile' }] })
  await heard
  const before = await page.locator('#nav').getAttribute('data-had')
  expect(await entry.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('#nav').getAttribute('data-had')).not.toBe(before)
})

test.each([
  ['once is shown', 1],
  ['for long is shown, although the feed is read from now on', 3],
])('what happens while the server refuses the stream of changes %s', async (_, refusals) => {
  const { page, base, sample, agent } = await open()
  let left = refusals
  // The stream of the page before would go on.
  await page.clock.install()
  await page.context().route('**/changes*', (route) => (left-- > 0 ? route.fulfill({ status: 503 }) : route.continue()))
  await page.goto(`${base}/d/${sample.plan}`)
  await page.locator('html.edits').waitFor()
  await agent('blocks_add', { markdown: 'Written meanwhile.', position: { position: 'end', pageId: sample.plan } })
  for (let turn = 0; turn < refusals; turn++) {
    await expect.poll(() => refusals - left).toBeGreaterThan(turn)
    await page.clock.runFor(32_000)
  }
  await page.getByText('Written meanwhile.').waitFor()
})

test('what a busy server did not send of a page is asked for again', async () => {
  const { page, base, agent } = await open()
  await page.goto(`${base}/documents`)
  let refused = 0
  await page.route('**/documents*', (route) => {
    const isFirst = route.request().headers()['hx-request'] !== undefined && refused === 0
    if (!isFirst) return route.continue()
    refused++
    return route.fulfill({ status: 429 })
  })
  await agent('documents_add', { documents: [{ title: 'Seldom seen' }] })
  await expect.poll(() => refused).toBe(1)
  await page.getByRole('main').getByText('Seldom seen').waitFor()
})
