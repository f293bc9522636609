/** Types into one word in two tabs that are closed at once, and drags the mouse over several blocks. */
import type { Page } from 'playwright-core'
import { mousePointer } from '../page-interaction/pointer.ts'
import { type EditingServer, expectSoon, openBrowser, shownVersions, texts, waitUntilSaved } from './editing-server.ts'

const BEGIN = ['The quay closes.', 'The crane stays.', 'The diver comes.']

/** @returns the faults that it found */
export async function useTwoTabs(server: EditingServer): Promise<string[]> {
  const id = await server.addDocument('Two tabs', BEGIN.join('\n\n'))
  const browser = await openBrowser()
  try {
    const faults: string[] = []
    const expect = async (what: string, wanted: unknown, read: () => Promise<unknown>) => {
      const found = await expectSoon(what, wanted, read)
      faults.push(...found.map((fault) => `In two tabs: ${fault}`))
    }
    const written = async () => texts(await server.blocks(id))
    const page = await server.visit(browser, id)
    await dragOver(page)
    await waitUntilSaved(page)
    await expect('the blocks after a drag', BEGIN, written)

    const home = await page.context().newPage()
    await home.goto(page.url().replace(/\/d\/.*/, '/tasks'))
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator('html.edits').waitFor()
    // Both change the first word, so that they cannot be merged.
    await type(page, 'One')
    await type(other, 'Other')
    // Typed text stays in the page until the person pauses.
    await Promise.all([page.close(), other.close()])
    await home.bringToFront()
    const versions = ['OneThe quay closes.', 'OtherThe quay closes.']
    const stored = async () => (await written()).filter((text) => !BEGIN.includes(text)).length
    await expect('changed blocks while another page is open', 1, stored)
    const [first = ''] = await written()
    await home.goto(`${home.url().replace(/\/tasks.*/, '')}/d/${id}`)
    await home.locator('html.edits').waitFor()
    const both = async () => [first, await shownVersions(home)].sort()
    await expect('the texts of both tabs', versions, both)
    return faults
  } finally {
    await browser.close()
  }
}

async function dragOver(page: Page): Promise<void> {
  const [from, to] = await Promise.all([BEGIN[0], BEGIN[1]].map((words = '') => page.getByText(words).boundingBox()))
  if (!from || !to) throw new Error('Expected two blocks on the screen, found fewer.')
  await mousePointer(page).drag({ x: from.x + 20, y: from.y + 8 }, { x: to.x + 60, y: to.y + 8 })
}

async function type(page: Page, text: string): Promise<void> {
  await page.bringToFront()
  await page.getByText(BEGIN[0] ?? '').click()
  await page.keyboard.press('Home')
  await page.keyboard.type(text)
}
