/** Pages without a connection: what was opened is read and written in, and nothing stays once access has ended. */
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { revokeAccessLink } from '../../../../src/auth/access-links/access-links.ts'
import { readScript } from '../../../../src/page/scripts.ts'
import { OPERATOR_LINK } from '../../../../src/space/model/space.ts'
import type { Serving } from '../../../http/serving.ts'
import { examine } from '../../../prove/pages/browser.ts'
import { fillSampleSpace, type Program, program, type SampleSpace } from '../../sample-space.ts'
import { servePages } from '../../visiting.ts'

// A checkout bundles all scripts when the first one is asked for.
beforeAll(async () => {
  await readScript('none.js')
}, 120_000)

/** Milliseconds of a test, on a machine that is busy. */
const PATIENCE = 90_000

interface Opened {
  serving: Serving
  context: BrowserContext
  page: Page
  base: string
  sample: SampleSpace
  agent: Program
  /** The ID of the link. */
  link: string
}

async function open(serviceWorkers: 'allow' | 'block' = 'allow'): Promise<Opened> {
  const serving = await servePages()
  const sample = await fillSampleSpace(serving.space)
  const browser = await chromium.connect(inject('pageBrowser').endpoint)
  onTestFinished(() => browser.close())
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, bypassCSP: true, serviceWorkers })
  const page = await context.newPage()
  const { secret, info } = await serving.link({ name: 'Anna' })
  await page.goto(`${serving.server.origin}/links/${secret}/view`)
  if (serviceWorkers === 'allow') await running(page)
  const base = page.url().replace(/(\/view\/[^/]+).*/, '$1')
  return { serving, context, page, base, sample, agent: program(serving.space, 'robot'), link: info.id }
}

const running = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller !== null) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  })

/** The addresses that are kept, without the base address, and the number of sessions for which any are. */
async function kept({ page, base }: Pick<Opened, 'page' | 'base'>) {
  return page.evaluate(async (address) => {
    const names = (await caches.keys()).filter((name) => name.startsWith('scriptorium pages '))
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return { sessions: names.length, paths: keys.flat().map(({ url }) => url.slice(address.length)) }
  }, base)
}

/** Opens a page, and waits until it is kept. */
async function keep(opened: Opened, path: string): Promise<void> {
  await opened.page.goto(`${opened.base}${path}`)
  await expect.poll(async () => (await kept(opened)).paths).toContain(path)
}

/** As without a connection: the server cannot be reached from any page of the browser. */
async function disconnect({ context }: Opened): Promise<void> {
  await context.setOffline(true)
}

test(
  'a page that was opened is read without a connection, and says since when it is',
  async () => {
    const opened = await open()
    const { page, base, sample, agent, context } = opened
    await keep(opened, `/d/${sample.plan}`)
    // All that the page has loaded is kept as well.
    await page.goto(`${base}/offline`)
    await keep(opened, `/d/${sample.plan}`)
    await disconnect(opened)
    await page.reload()
    await page.getByRole('status').getByText('No connection. This is what was saved at').waitFor()
    await page.locator('html.edits').waitFor()
    expect(await page.locator('h1').textContent()).toBe('Harbour plan')
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('15px')
    await page.emulateMedia({ colorScheme: 'light' })
    expect((await examine(page, 'light')).faults).toEqual([])
    if (process.env.PAGES !== undefined) await page.screenshot({ path: `${process.env.PAGES}/offline-document.png` })
    // With a connection it is never stale.
    await agent('blocks_add', { markdown: 'Written meanwhile.', position: { position: 'end', pageId: sample.plan } })
    await context.setOffline(false)
    await page.getByText('Written meanwhile.').waitFor()
    await expect.poll(() => page.getByText('No connection').count()).toBe(0)
  },
  PATIENCE,
)

test(
  'what a page loads when it is first needed is kept with it, and opens without a connection',
  async () => {
    const opened = await open()
    const { page, base, sample } = opened
    await keep(opened, `/d/${sample.plan}`)
    await page.goto(`${base}/offline`)
    await keep(opened, `/d/${sample.plan}`)
    const files = () =>
      page.evaluate(async () => {
        const [name = ''] = (await caches.keys()).filter((one) => one.startsWith('scriptorium files '))
        return (await (await caches.open(name)).keys()).map(({ url }) => url.replace(/.*\/|-[\w-]{8,10}\.\w+$/g, ''))
      })
    await expect
      .poll(files, { timeout: 20_000 })
      .toEqual(
        expect.arrayContaining(['activity', 'tree', 'pictures', 'editing-tools', 'document-choice', 'pointer-tools']),
      )
    await disconnect(opened)
    await page.reload()
    await page.locator('html.edits').waitFor()
    await page.locator('.part p').first().hover()
    await page.locator('.block-handle').waitFor()
    await page.locator('a[href="#nav"]').click()
    await page.locator('nav#nav a[aria-current]').first().focus()
    await page.keyboard.press('F2')
    await page.locator('.entry-name').waitFor()
  },
  PATIENCE,
)

test(
  'a button whose script cannot be loaded leads to the page of its link',
  async () => {
    const { page, base, sample } = await open('block')
    await page.route(/\/activity-[^/]*\.js$/, (route) => route.abort())
    await page.goto(`${base}/d/${sample.plan}`)
    await page.locator('#badge').click()
    await page.waitForURL(`${base}/activity`)
  },
  PATIENCE,
)

test(
  'what is asked for in a text, and whose script cannot be loaded, says so',
  async () => {
    const { page, base, sample } = await open('block')
    await page.route(/\/(?:around-editor|pointer-tools)-[^/]*\.js$/, (route) => route.abort())
    await page.goto(`${base}/d/${sample.crane}`)
    await page.locator('html.edits').waitFor()
    const message = page.locator('.announcement').getByText('You are offline. Try again later.')
    await page.locator('[popovertarget="document-menu"]').first().click()
    await page.locator('[data-select]').click()
    await message.waitFor()
    await page.reload()
    await page.locator('.part p').first().click()
    await page.locator('html.edits').waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/file')
    await page.locator('#kinds:visible').waitFor()
    await page.keyboard.press('Enter')
    await message.waitFor()
  },
  PATIENCE,
)

test(
  'another page lists those that were saved',
  async () => {
    const opened = await open()
    const { page, base, sample } = opened
    await keep(opened, `/d/${sample.crane}`)
    await expect.poll(async () => (await kept(opened)).paths).toContain('/offline')
    await disconnect(opened)
    await page.goto(`${base}/d/${sample.plan}`)
    await page.getByText('No connection, and this page was not saved in this browser.').waitFor()
    if (process.env.PAGES !== undefined) await page.screenshot({ path: `${process.env.PAGES}/offline-list.png` })
    expect((await examine(page, 'light')).faults).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'Crane inspection' }).click()
    await page.getByText('No connection. This is what was saved at').waitFor()
  },
  PATIENCE,
)

test(
  'what is shared without a connection is shown, and can be added once there is one',
  async () => {
    const opened = await open()
    const { page, base, sample, context } = opened
    await keep(opened, `/d/${sample.crane}`)
    await expect.poll(async () => (await kept(opened)).paths).toContain('/offline')
    await disconnect(opened)
    await page.goto(`${base}/share?${new URLSearchParams({ title: 'Cranes', text: 'Read <this>' })}`)
    await page.getByText('No connection. Keep this page open').waitFor()
    expect(await page.locator('main pre').textContent()).toBe('Cranes\nRead <this>')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Add it' }).waitFor()
    expect(await page.locator('textarea').inputValue()).toBe('Cranes\nRead <this>')
  },
  PATIENCE,
)

test(
  'what is written without a connection is sent once there is one',
  async () => {
    const opened = await open()
    const { page, sample, agent, context } = opened
    await keep(opened, `/d/${sample.crane}`)
    await page.goto(`${opened.base}/offline`)
    await keep(opened, `/d/${sample.crane}`)
    await disconnect(opened)
    await page.reload()
    await page.locator('html.edits').waitFor()
    await page.locator('.part .block p').first().click()
    await page.keyboard.press('End')
    await page.keyboard.type(' Typed on the train.')
    await page.locator('.connection', { hasText: '1 change waits in this browser' }).waitFor()
    // Opened again without a connection, the page is as it was saved, and the line says what waits.
    await page.reload()
    await page.locator('.connection', { hasText: '1 change waits in this browser' }).waitFor()
    expect(await page.locator('.connection').textContent()).toContain('Typed on the train.')
    await context.setOffline(false)
    const words = async () => JSON.stringify(await agent('blocks_get', { id: sample.crane }))
    await expect.poll(words, { timeout: 20_000 }).toContain('Typed on the train.')
    await page.locator('.part .block', { hasText: 'Typed on the train.' }).waitFor()
  },
  PATIENCE,
)

test(
  'signing out deletes what was kept',
  async () => {
    const opened = await open()
    const { page, base, sample } = opened
    await keep(opened, `/d/${sample.plan}`)
    await page.goto(`${base}/tasks#nav`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Signed out' }).waitFor()
    await expect.poll(() => kept(opened)).toEqual({ sessions: 0, paths: [] })
    await disconnect(opened)
    const failed = await page.goto(`${base}/d/${sample.plan}`).catch((error: Error) => error.message)
    expect(failed).toContain('net::ERR_FAILED')
  },
  PATIENCE,
)

test(
  'a link that was revoked deletes it with the next answer',
  async () => {
    const opened = await open()
    const { page, base, sample, serving, link } = opened
    await keep(opened, `/d/${sample.plan}`)
    await serving.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, link))
    expect((await page.goto(`${base}/tasks`))?.status()).toBe(401)
    await expect.poll(() => kept(opened)).toEqual({ sessions: 0, paths: [] })
  },
  PATIENCE,
)

test(
  'another session begins with nothing of the one before',
  async () => {
    const opened = await open()
    const { page, base, sample, serving } = opened
    await keep(opened, `/d/${sample.plan}`)
    const { secret } = await serving.link({ name: 'Ben' })
    await page.goto(`${serving.server.origin}/links/${secret}/view`)
    await expect.poll(() => kept(opened)).toEqual({ sessions: 0, paths: [] })
    await page.getByRole('button', { name: 'Change' }).click()
    await keep({ ...opened }, `/d/${sample.crane}`)
    const { sessions, paths } = await kept(opened)
    expect([sessions, paths.includes(`/d/${sample.plan}`)]).toEqual([1, false])
    await disconnect(opened)
    await page.goto(`${base}/d/${sample.plan}`).catch(() => undefined)
    expect(await page.getByRole('heading', { name: 'Harbour plan' }).count()).toBe(0)
  },
  PATIENCE,
)

test(
  'a pinned document is kept without being opened, and pages that manage access never are',
  async () => {
    const opened = await open()
    const { page, base, sample } = opened
    await page.goto(`${base}/d/${sample.suppliersDocument}`)
    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('button', { name: 'Pin to Home' }).click()
    await page.evaluate(() => caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name)))))
    await page.goto(`${base}/settings`)
    await page.goto(`${base}/share?text=secret`)
    await page.goto(`${base}/tasks`)
    await expect.poll(async () => (await kept(opened)).paths).toContain(`/d/${sample.suppliersDocument}`)
    expect((await kept(opened)).paths.filter((path) => /settings|share/.test(path))).toEqual([])
  },
  PATIENCE,
)

test(
  'a script that the server does not send at first is asked for again, and the text can be written in',
  async () => {
    const { page, base, sample } = await open('block')
    let isStarting = true
    await page.route('**/page/edit-*.js', (route) => {
      if (!isStarting) return route.continue()
      isStarting = false
      return route.fulfill({ status: 503 })
    })
    await page.goto(`${base}/d/${sample.plan}`)
    await page.locator('html.edits').waitFor()
    expect(isStarting).toBe(false)
  },
  PATIENCE,
)

test(
  'scripts are loaded where the browser cannot keep them',
  async () => {
    const opened = await open()
    const { page, base, sample, context } = opened
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    await worker.evaluate(() => {
      CacheStorage.prototype.open = () => Promise.reject(new DOMException('The disk is full.', 'UnknownError'))
    })
    await page.goto(`${base}/d/${sample.plan}`)
    await page.locator('html.edits').waitFor()
  },
  PATIENCE,
)

test(
  'what was typed after signing out in another tab stands below the text of the page that says so',
  async () => {
    const { page, base, sample, context } = await open('block')
    await page.goto(`${base}/d/${sample.crane}`)
    await page.locator('html.edits').waitFor()
    const other = await context.newPage()
    await other.goto(`${base}/tasks`)
    await other.locator('form.leave button').evaluate((button) => (button as HTMLButtonElement).click())
    await other.getByRole('heading', { name: 'Signed out' }).waitFor()
    await page.locator('.part .block p').first().click()
    await page.keyboard.type('typed later ')
    await page.getByText('You are signed out, or your access has ended.').waitFor()
    await page.goto(`${base}/tasks`)
    await page.getByRole('heading', { name: 'Open this space first' }).waitFor()
    await page.locator('.page > p + .left-behind').getByText('1 change in this browser could not be sent').waitFor()
  },
  PATIENCE,
)

test(
  'what is typed in a new document before its editor is there is its text',
  async () => {
    const { page, base, agent } = await open('block')
    const { items } = (await agent('documents_add', { documents: [{ title: 'New' }] })) as { items: [{ id: string }] }
    let letLoad = () => {}
    const isTyped = new Promise<void>((resolve) => {
      letLoad = resolve
    })
    await page.route('**/page/edit-*.js', async (route) => {
      await isTyped
      await route.continue()
    })
    await page.goto(`${base}/d/${items[0].id}#write`, { waitUntil: 'commit' })
    await page.locator('html.scripted').waitFor()
    await page.keyboard.type('c / was')
    letLoad()
    await page.locator('html.edits').waitFor()
    await page.keyboard.type(' typed')
    await expect.poll(() => page.locator('.part p').first().textContent()).toBe('c / was typed')
  },
  PATIENCE,
)

test(
  'htmx that could not be loaded is loaded once, when it is next needed',
  async () => {
    const { page, base, sample } = await open('block')
    const asked: string[] = []
    await page.route('**/page/htmx-*.js', (route) => {
      if (asked.push('once') > 1) return route.continue()
      return route.fulfill({ status: 503 })
    })
    await page.clock.install()
    await page.goto(`${base}/d/${sample.plan}`)
    await page.locator('html.edits').waitFor()
    const need = () => page.evaluate(() => (globalThis as unknown as { htmxReady(): Promise<void> }).htmxReady())
    await need()
    expect(asked).toHaveLength(1)
    await page.clock.runFor(20_000)
    expect([asked.length, await page.evaluate(() => 'htmx' in globalThis)]).toEqual([1, false])
    await Promise.all([need(), page.clock.runFor(1_000)])
    expect([asked.length, await page.evaluate(() => 'htmx' in globalThis)]).toEqual([2, true])
  },
  PATIENCE,
)
