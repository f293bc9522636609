/** Types and closes the tab at once, loses access, and has the document put into the trash: the words are there or shown. */
import type { Browser, Page } from 'playwright-core'
import { type EditingServer, expectSoon, openBrowser, shownVersions, texts } from './editing-server.ts'

type Expect = (what: string, wanted: unknown, look: () => Promise<unknown>) => Promise<void>

/** @returns the faults that it found */
export async function closeQuickly(server: EditingServer): Promise<string[]> {
  const browser = await openBrowser()
  const faults: string[] = []
  const expect: Expect = async (what, wanted, look) => {
    const found = await expectSoon(what, wanted, look)
    faults.push(...found.map((fault) => `When a tab is closed: ${fault}`))
  }
  try {
    await closeTab(server, browser, expect)
    await loseAccess(server, browser, expect)
    await loseDocument(server, browser, expect)
    return faults
  } finally {
    await browser.close()
  }
}

/** No page of the space is open afterwards, so the closing one must have sent what was typed. */
async function closeTab(server: EditingServer, browser: Browser, expect: Expect): Promise<void> {
  const id = await server.addDocument('Closing', 'The quay closes.\n\nThe crane stays.')
  const page = await server.visit(browser, id)
  await type(page, 'The quay', ' Soon.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('The diver comes')
  const { url, context } = { url: page.url(), context: page.context() }
  await page.close({ runBeforeUnload: true })
  const written = async () => texts(await server.blocks(id))
  const wanted = ['The quay closes. Soon.', 'The diver comes', 'The crane stays.']
  await expect('the words of a closed tab', wanted, written)
  const next = await context.newPage()
  await next.goto(url)
  await next.locator('html.edits').waitFor()
  await expect('what is left to send', [], () => next.evaluate(LEFT))
  await expect('the words after another visit', wanted, written)
  await expect('versions', '', () => shownVersions(next))
  await context.close()
}

async function loseAccess(server: EditingServer, browser: Browser, expect: Expect): Promise<void> {
  const id = await server.addDocument('Access', 'The quay closes.')
  const pages = await server.addPages('guest')
  const page = await (await browser.newContext()).newPage()
  await page.goto(pages)
  await page.goto(`${page.url().replace(/\/$/, '')}/d/${id}`)
  await page.locator('html.edits').waitFor()
  await server.revoke('guest')
  await type(page, 'The quay', ' Soon.')
  await page.locator('.connection').getByText('your access has ended').waitFor()
  await expect('the words without access', ['The quay closes. Soon.'], () =>
    page.locator('.connection blockquote:visible').allTextContents(),
  )
  await page.reload()
  await page.locator('.left-behind summary').click()
  await expect('the words after another visit without access', ['The quay closes. Soon.'], () =>
    page.locator('.left-behind blockquote:visible').allTextContents(),
  )
  await page.context().close()
}

async function loseDocument(server: EditingServer, browser: Browser, expect: Expect): Promise<void> {
  const id = await server.addDocument('Trash', 'The quay closes.')
  const page = await server.visit(browser, id)
  await type(page, 'The quay', ' Soon')
  await server.call('DELETE /documents', { documentIds: [id] })
  await page.keyboard.type(' enough.')
  await page.locator('#trashed').getByText('in the trash').waitFor()
  await expect('the words in the trash', ['The quay closes. Soon enough.'], async () => texts(await server.blocks(id)))
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.locator('html.edits').waitFor()
  await expect('notices of the restored document', 0, () => page.locator('#trashed .notice').count())
  await page.context().close()
}

async function type(page: Page, place: string, text: string): Promise<void> {
  await page.getByText(place).click()
  await page.keyboard.press('End')
  await page.keyboard.type(text)
}

/** A script that lists the drafts and calls that a page has stored. */
const LEFT = `Object.keys(localStorage).filter((key) => / (?:draft|last) /.test(key))`
