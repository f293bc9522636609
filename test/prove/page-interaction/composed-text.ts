/** Composes text with an input method: the keys that choose its characters neither save, discard nor open anything. */
import type { CDPSession } from 'playwright-core'
import { program } from '../../page/sample-space.ts'
import type { Interaction } from './interactions.ts'
import type { Report } from './report.ts'

const SOUNDS = 'にほん'
const TEXT = '日本'
const MORE = '語'
/** What browsers report for keys within a composition. */
const KEY_CODE = 229

export async function composeText({ page, base, office }: Interaction, report: Report): Promise<void> {
  const call = program(office.space, 'checker')
  const browser = await page.context().newCDPSession(page)
  const focused = () => page.evaluate('document.activeElement.value')

  const document = (await call('documents_add', { documents: [{ title: `${TEXT} 計画` }] })).items[0]
  const { collectionBlockId: collectionId } = await call('collections_add', {
    schema: { name: 'Composed', properties: [{ type: 'text', name: 'Note' }] },
    position: { position: 'end', pageId: document.id },
  })
  await call('items_add', { collectionId, items: [{ title: 'One' }] })
  await page.goto(`${base}/collections/${collectionId}`)
  await page.locator('table[role="grid"] [data-key="note"]').focus()
  await page.keyboard.press('Enter')
  await page.locator('.cell-editor :focus').waitFor()
  await compose(browser)
  await report.expect('a cell stays open while text is composed', focused, TEXT)
  await page.keyboard.insertText(MORE)
  await page.keyboard.press('Enter')
  const note = async () => (await call('items_list', { collectionId })).items[0].properties.note
  await report.expect('composed text of a cell is saved as a whole', note, `${TEXT}${MORE}`)

  await page.goto(`${base}/whiteboards/${office.sample.board}`)
  await page.locator('[id="element-quay"]').focus()
  await page.keyboard.press('Enter')
  await page.locator('textarea.board-text:focus').waitFor()
  await compose(browser)
  await report.expect('the text of an element stays open while it is composed', focused, TEXT)
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+k')
  await page.locator('#find input:focus').waitFor()
  // Enter opens what was found for the text so far.
  await compose(browser, () => page.locator(`#found ul[data-query="${TEXT}"] a`).first().waitFor())
  await report.expect('no document is opened while its name is composed', focused, TEXT)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/d/${document.id}`)
  await browser.detach()
}

/** Composes a text with trusted events, and presses the keys that choose its characters. @param isReady  waited for before that */
async function compose(browser: CDPSession, isReady = async (): Promise<void> => {}): Promise<void> {
  await browser.send('Input.imeSetComposition', {
    text: SOUNDS,
    selectionStart: SOUNDS.length,
    selectionEnd: SOUNDS.length,
  })
  await browser.send('Input.imeSetComposition', { text: TEXT, selectionStart: TEXT.length, selectionEnd: TEXT.length })
  await isReady()
  const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: KEY_CODE }
  await browser.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key })
  await browser.send('Input.insertText', { text: TEXT })
  await browser.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
}
