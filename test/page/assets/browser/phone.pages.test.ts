/** The pages on a phone: the bar at the lower edge, sheets, targets for fingers, and the bar above the keyboard. */
import { chromium, type Page } from 'playwright-core'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { createEntryToken } from '../../../../src/auth/browser-sessions/browser-session.ts'
import { readScript } from '../../../../src/page/scripts.ts'
import { examine } from '../../../prove/pages/browser.ts'
import { fillSampleSpace, program, type SampleSpace } from '../../sample-space.ts'
import { servePages } from '../../visiting.ts'

// A checkout bundles all scripts when the first one is asked for.
beforeAll(async () => {
  await readScript('none.js')
}, 120_000)

interface Opened {
  page: Page
  base: string
  sample: SampleSpace
  space: Parameters<typeof program>[0]
}

async function open(): Promise<Opened> {
  const { server, space, clock } = await servePages()
  const sample = await fillSampleSpace(space)
  const browser = await chromium.connect(inject('pageBrowser').endpoint)
  onTestFinished(() => browser.close())
  const window = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await (await browser.newContext({ ...window, bypassCSP: true })).newPage()
  await page.goto(`${server.origin}/enter/${createEntryToken(space.info, clock.now, 60_000)}`)
  return { page, base: page.url().replace(/(\/view\/[^/]+).*/, '$1'), sample, space }
}

/** Saves a picture in the folder named in PAGES. */
const picture = (page: Page, name: string) =>
  process.env.PAGES === undefined ? undefined : page.screenshot({ path: `${process.env.PAGES}/phone-${name}.png` })

/** Controls that a finger misses: a tap 20 px beside their middle meets something else. Links within sentences are text. */
const missed = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const inText =
      'p, .words, .who, figure, h1, h2, h3, .crumbs, figcaption, td, th, small, dd, .what, .item-text, .hidden'
    const controls = [...document.querySelectorAll('a[href], button, summary, input, select, textarea')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((one) => !(one.matches('a:not(.button)') && one.closest(inText)) && !one.matches('.hidden, .skip'))
      // The page itself is behind a sheet.
      .filter((one) => one.closest(document.querySelector('#beside:target, #nav:target') ? ':target' : 'body'))
    return controls.flatMap((one) => {
      one.scrollIntoView({ block: 'center', inline: 'center' })
      const label = one instanceof HTMLInputElement ? one.closest('label.choice') : null
      const { left, right, top, bottom } = (label ?? one).getBoundingClientRect()
      if (right - left <= 1) return []
      const [x, y] = [(left + right) / 2, (top + bottom) / 2]
      const meets = ([dx = 0, dy = 0]: number[]) => {
        const at = document.elementFromPoint(x + dx, y + dy)
        const isOwn = at !== null && (one.contains(at) || at.closest('label')?.control === one)
        return isOwn || x + dx < 0 || x + dx > innerWidth
      }
      const around = [
        [0, -20],
        [0, 20],
        [-20, 0],
        [20, 0],
      ].filter((place) => !meets(place))
      // What is as wide as its word may be narrower, if nothing else is there.
      const isMissed = around.some(([dx = 0]) => dx === 0) || around.length > 1
      return isMissed ? [`${one.outerHTML.slice(0, 90)} ${Math.round(right - left)}×${Math.round(bottom - top)}`] : []
    })
  })

test('a finger meets every control, and axe finds nothing, in both themes', async () => {
  const { page, base, sample } = await open()
  const paths = {
    ...{ home: '/', document: `/d/${sample.plan}`, tasks: '/tasks', now: '/now', today: '/days/today' },
    ...{ calendar: '/days/today?#beside', 'who-wrote': '/now?#beside', menu: '/tasks?#nav', waiting: '/waiting' },
    ...{ search: '/search?q=crane', documents: '/documents', board: `/collections/${sample.suppliers}` },
    ...{ 'new-link': '/links/new', settings: '/settings', history: `/d/${sample.plan}/history` },
  }
  const faults: string[] = []
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(`${base}${path}`)
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      await picture(page, `${name}-${theme}`)
      faults.push(...(await examine(page, theme)).faults.map((fault) => `${name}, ${theme}: ${fault}`))
    }
    faults.push(...(await missed(page)).map((fault) => `${name}: ${fault}`))
  }
  expect(faults).toEqual([])
}, 120_000)

test('the bar at the lower edge leads home, to the search, to a new document and to today', async () => {
  const { page, base, sample } = await open()
  await page.goto(`${base}/d/${sample.plan}`)
  const bar = page.getByRole('navigation', { name: 'Places' })
  expect(await bar.getByRole('link').allTextContents()).toEqual(['Home', 'Search', 'New', 'Today'])
  await bar.getByRole('link', { name: 'Search' }).tap()
  await page.locator('#find[open] input').fill('crane')
  await page.locator('#found a').first().waitFor()
  await page.keyboard.press('Escape')
  await bar.getByRole('link', { name: 'New' }).tap()
  await page.getByRole('dialog').getByLabel('Title').fill('From the phone')
  await page.keyboard.press('Escape')
  await bar.getByRole('link', { name: 'Today' }).tap()
  await page.waitForURL(`${base}/days/today`)
  expect(await bar.locator('[aria-current]').textContent()).toBe('Today')
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await bar.isVisible()).toBe(false)
})

/** The tops of what can be pressed above a document, which are the same if it is on one line. */
const rowsOf = (page: Page): Promise<number[]> =>
  page.locator('.bar').evaluate((bar) => [
    ...new Set(
      [...bar.querySelectorAll('.crumbs, a.button, button')]
        .filter((one) => one.closest('[popover]') === null && one.checkVisibility())
        .map((one) => one.getBoundingClientRect())
        .map(({ top, bottom }) => Math.round((top + bottom) / 2 / 4)),
    ),
  ])

test('what can be pressed above a document and a day is on one line, and the rest is in its menu', async () => {
  const { page, base, sample } = await open()
  const crane = `/d/${sample.crane}`
  for (const width of [1440, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of [crane, '/days/today']) {
      await page.goto(`${base}${path}`)
      await page.locator('html.edits').waitFor()
      expect(await rowsOf(page), `${path} at ${width}`).toHaveLength(1)
      const isWide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
      expect(isWide, `${path} at ${width}`).toBe(false)
    }
  }
  await page.goto(`${base}/days/today`)
  expect(await page.locator('.bar').getByRole('link', { name: 'History' }).isVisible()).toBe(false)
  await page.locator('[popovertarget="document-menu"]').first().tap()
  const menu = page.locator('#document-menu')
  const names = await menu.locator('.when-narrow').allTextContents()
  expect(names.map((name) => name.trim())).toEqual(['Edit', 'Suggest', 'Who wrote what', 'Share', 'History'])
  await picture(page, 'more')
  // On a small phone, it ends within the window, and scrolls.
  await page.setViewportSize({ width: 390, height: 600 })
  const { y = 0, height = 0 } = (await menu.boundingBox()) ?? {}
  expect(y + height).toBeLessThanOrEqual(600)
  await page.setViewportSize({ width: 390, height: 844 })
  await menu.getByRole('button', { name: 'Who wrote what' }).tap()
  await menu.waitFor({ state: 'hidden' })
  await page.locator('#main.show-who').waitFor()
  await page.getByRole('link', { name: 'Yesterday' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Thursday, November 19, 2026' }).waitFor()
  await page.getByRole('link', { name: 'Next day: Today' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Friday, November 20, 2026' }).waitFor()
})

test('long words of what was found stay within the window', async () => {
  const { page, base, space } = await open()
  const long = `quay ${'nopqrstuvw'.repeat(30)}`
  await program(space, 'editor')('documents_add', {
    documents: [{ title: long }, { title: 'Short', markdown: long }],
  })
  for (const path of ['/search?q=quay', '/documents']) {
    await page.goto(`${base}${path}`)
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(390)
  }
  await page.keyboard.press('Control+k')
  await page.locator('#find[open] input').fill('quay')
  await page.locator('#found small').first().waitFor()
  const over = await page.locator('#found').evaluate((found) => {
    const { right } = found.getBoundingClientRect()
    return [...found.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > right).length
  })
  expect(over).toBe(0)
})

test('what is beside a page on a wide window opens as a sheet, and nothing stands at the end', async () => {
  const { page, base } = await open()
  await page.goto(`${base}/days/today`)
  const calendar = page.getByRole('region', { name: 'Days' })
  expect(await calendar.isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Calendar', exact: true }).tap()
  await calendar.waitFor()
  await page.getByRole('link', { name: 'Close' }).tap()
  await calendar.waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await calendar.waitFor()
})

test('the formatting bar stands above the keyboard while one writes, in place of the other bar', async () => {
  const { page, base, sample } = await open()
  await page.goto(`${base}/d/${sample.crane}`)
  await page.locator('html.edits').waitFor()
  await page.locator('.part .block p').first().tap()
  const bar = page.getByRole('toolbar', { name: 'Format' })
  await bar.waitFor()
  expect(await page.locator('.places').isVisible()).toBe(false)
  await picture(page, 'writing')
  const [box, { height }] = [await bar.boundingBox(), page.viewportSize() ?? { height: 0 }]
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(height)
  // As a keyboard of 300 px does it.
  await page.evaluate(() => {
    Object.defineProperty(window.visualViewport, 'height', { get: () => innerHeight - 300 })
    window.visualViewport?.dispatchEvent(new Event('resize'))
  })
  expect((await bar.boundingBox())?.y).toBe((box?.y ?? 0) - 300)
  await bar.getByRole('button', { name: 'Bold' }).tap()
  await page.keyboard.type('bold ')
  await page.locator('.part .block strong', { hasText: 'bold' }).waitFor()
  await bar.getByRole('button', { name: 'Task', exact: true }).tap()
  await page.locator('.part .block.task', { hasText: 'bold' }).waitFor()
  expect(await missed(page).then((all) => all.filter((one) => one.includes('text-toolbar')))).toEqual([])
  await page.locator('header.top').tap({ position: { x: 200, y: 10 } })
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await bar.waitFor({ state: 'hidden' })
})

test('the bar for selected blocks has two rows, and the page leaves room for it', async () => {
  const { page, base, sample } = await open()
  await page.setViewportSize({ width: 360, height: 740 })
  for (const language of ['en', 'de']) {
    await page.setExtraHTTPHeaders({ 'accept-language': language })
    await page.goto(`${base}/d/${sample.crane}`)
    await page.locator('html.edits').waitFor()
    await page.locator('[popovertarget="document-menu"]').first().tap()
    await page.locator('[data-select]').first().tap()
    const bar = page.locator('.selection-bar')
    await bar.waitFor()
    const { height = Number.POSITIVE_INFINITY } = (await bar.boundingBox()) ?? {}
    expect(height, language).toBeLessThanOrEqual(118)
  }
})

test('the pages can be installed, by a name that everybody may know', async () => {
  const { page, base } = await open()
  const { origin } = new URL(base)
  await page.goto(`${base}/`)
  const href = await page.locator('link[rel="manifest"]').getAttribute('href')
  const response = await fetch(`${origin}${href}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/manifest+json; charset=utf-8',
  ])
  const path = new URL(base).pathname
  const manifest = await response.json()
  expect(manifest).toMatchObject({
    ...{ name: 'Scriptorium', start_url: `${path}/`, scope: `${path}/`, id: `${path}/`, display: 'standalone' },
  })
  for (const { src, type } of manifest.icons) {
    expect((await fetch(`${origin}${src}`)).headers.get('content-type')).toBe(type)
  }
  const devtools = await page.context().newCDPSession(page)
  const { errors } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
})
