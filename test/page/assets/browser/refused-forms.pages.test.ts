/** A form that is refused says why, and what was typed stays in it. */
import { chromium } from 'playwright-core'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { readScript } from '../../../../src/page/scripts.ts'
import { servePages } from '../../visiting.ts'

// A checkout bundles all scripts when the first one is asked for.
beforeAll(async () => {
  await readScript('none.js')
}, 120_000)

/** Milliseconds of a test, on a machine that is busy. */
const PATIENCE = 90_000

test(
  'a refused form says nothing of what was typed before, and one that is opened again does',
  async () => {
    const serving = await servePages()
    const browser = await chromium.connect(inject('pageBrowser').endpoint)
    onTestFinished(() => browser.close())
    const page = await (await browser.newContext({ bypassCSP: true, serviceWorkers: 'block' })).newPage()
    const { secret } = await serving.link({ name: 'Anna' })
    await page.goto(`${serving.server.origin}/links/${secret}/view`)
    const form = `${page.url().replace(/(\/view\/[^/]+).*/, '$1')}/documents/new`
    await page.goto(form)
    await page.getByLabel('Title', { exact: true }).fill('   ')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('alert').getByText('A title is missing.').waitFor()
    expect(await page.locator('.kept').count()).toBe(0)
    await page.getByLabel('Title', { exact: true }).fill('Harbour')
    await page.goto(form)
    await page.locator('.kept').getByText('What you typed before was not saved.').waitFor()
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Harbour')
  },
  PATIENCE,
)
