/** Writes blocks offline below a block that an agent changes in the meantime, in one of two tabs. */
import type { Page } from 'playwright-core'
import {
  type EditingServer,
  expectSoon,
  openBrowser,
  shownBlocks,
  shownVersions,
  texts,
  waitUntilSaved,
} from './editing-server.ts'

const BEGIN = 'The quay close\n\nThe crane stays.'
/** Both change the last word, so that they cannot be merged. */
const MINE = 'The quay closes soon.'
const THEIRS = 'The quay closed in March.'
/** The expected blocks, with the typed words and those of the agent. */
const WANTED = [THEIRS, 'First', 'Second', 'Third', 'The crane stays.']

/** @returns the faults that it found */
export async function writeOffline(server: EditingServer): Promise<string[]> {
  const id = await server.addDocument('Without a connection', BEGIN)
  const browser = await openBrowser()
  try {
    const page = await server.visit(browser, id)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator('html.edits').waitFor()
    await page.bringToFront()
    await page.context().setOffline(true)
    await page.getByText('The quay').click()
    await page.keyboard.press('End')
    await page.keyboard.type('s soon.')
    for (const words of ['First', 'Second', 'Third']) {
      await page.keyboard.press('Enter')
      await page.keyboard.type(words)
    }
    const [block] = await server.blocks(id)
    await server.call('PUT /blocks', { blocks: [{ id: block?.id, markdown: THEIRS }] })
    await page.context().setOffline(false)
    await waitUntilSaved(page)
    const faults: string[] = []
    const expect = async (what: string, wanted: unknown, read: () => Promise<unknown>) => {
      const found = await expectSoon(what, wanted, read)
      faults.push(...found.map((fault) => `Without a connection: ${fault}`))
    }
    const written = async () => texts(await server.blocks(id))
    await expect('blocks', WANTED, written)
    const expectShown = async (tab: Page, moment: string) => {
      await tab.locator('.versions').first().waitFor()
      await expect(`blocks that are shown ${moment}`, WANTED, async () => texts(await shownBlocks(tab)))
      await expect(`versions ${moment}`, MINE, () => shownVersions(tab))
    }
    await expectShown(page, 'at once')
    await page.reload()
    await expectShown(page, 'after a reload')
    // The other tab updates once it is visible.
    await other.bringToFront()
    await other.getByText('Third').waitFor()
    await expectShown(other, 'in another tab')
    await other.getByRole('button', { name: 'Keep mine' }).click()
    await waitUntilSaved(other)
    await expect('blocks after the choice', WANTED.with(0, MINE), written)
    await expect('versions after the choice', '', () => shownVersions(other))
    await page.bringToFront()
    await page.getByText(MINE).waitFor()
    await expect('versions in the tab without the choice', '', () => shownVersions(page))
    return faults
  } finally {
    await browser.close()
  }
}
