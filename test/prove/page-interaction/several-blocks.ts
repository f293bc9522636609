/** Several blocks of a document at once: dragged by a handle, and selected one by one, as on a touch screen. */
import type { Page } from 'playwright-core'
import { program } from '../../page/sample-space.ts'
import { examine, saveScreenshot, THEMES } from '../pages/browser.ts'
import type { Interaction } from './interactions.ts'
import { middleOf } from './pointer.ts'
import type { Report } from './report.ts'

const BLOCKS = ['One', 'Two', 'Three', 'Four', 'Five']
const BAR = '.selection-bar'
/** The texts of the blocks of the page, each with an angle bracket for each level. */
const SHOWN = `[...document.querySelectorAll('.part > .block')].map((block) =>
  '>'.repeat(/level-(\\d+)/.exec(block.className)?.[1] ?? 0) + (block.querySelector('p')?.textContent ?? ''))`
/** Milliseconds in which the page must say what it did. */
const MESSAGE_MS = 5_000

export async function moveSeveralBlocks({ page, base, office, isTouch }: Interaction, report: Report): Promise<void> {
  const call = program(office.space, 'checker')
  const documents = [{ title: 'Blocks', markdown: BLOCKS.join('\n\n') }]
  const { id } = (await call('documents_add', { documents })).items[0]
  const stored = async () =>
    (await call('blocks_get', { id })).content.map(
      ({ markdown, indentationLevel: level = 0 }: { markdown: string; indentationLevel?: number }) =>
        `${'>'.repeat(level)}${markdown.trim()}`,
    )
  await page.goto(`${base}/d/${id}`)
  await page.locator('.edits article').waitFor()
  /** Waits until the space has these blocks and the page shows them: a press in between could meet another block. */
  const expectBlocks = async (what: string, wanted: readonly string[]) => {
    await report.expect(what, stored, wanted)
    await report.expect(`${what}, on the page`, () => page.evaluate(SHOWN), wanted)
  }
  const press = (selector: string) => {
    const element = page.locator(selector).first()
    return isTouch ? element.tap() : element.click()
  }
  const block = (text: string) => `.part > .block:has-text("${text}")`

  await press(block('Four'))
  await page.locator(`${block('Four')}.open`).waitFor()
  const what = 'a block is dragged by its handle'
  const { y } = await middleOf(page, block('Two'))
  const from = await middleOf(page, '.block-handle')
  if (!(await report.drag(what, from, { x: from.x + 40, y: y - 4 }, { over: '.drop-line:not([hidden])' }))) return
  await expectBlocks(what, ['One', 'Four', 'Two', 'Three', 'Five'])
  await report.expect('the handle stays beside it', () => rowsOf(page, ['.block-handle', block('Four')]), true)

  // Selection starts with a tap on the handle. With a mouse it starts in the document's menu.
  if (isTouch) await press('.block-handle')
  else {
    await press('[popovertarget="document-menu"]')
    await press('[data-select]')
    await press(block('Four'))
  }
  await press(block('Three'))
  await press(block('One'))
  await press(block('One'))
  const textOf = () => page.locator(`${BAR} [role="status"]`).textContent()
  await report.expect('blocks are selected, and one of them no longer', textOf, '2 blocks selected')
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme })
    await saveScreenshot(page, `${isTouch ? 'phone' : 'desktop'}-${theme}`, 'selected-blocks')
    for (const fault of (await examine(page, theme)).faults) report.blame('blocks are selected', fault)
  }
  await press(`${BAR} [aria-label="Move down"]`)
  await expectBlocks('selected blocks are moved together', ['One', 'Two', 'Five', 'Four', 'Three'])
  await press(`${BAR} [aria-label="One level in"]`)
  await expectBlocks('they are nested', ['One', 'Two', 'Five', '>Four', '>Three'])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
  await press(`${BAR} button:text-is("Copy")`)
  await report.expect('they are copied, without the level that they share', clipboard, 'Four\n\nThree')
  await press(`${BAR} button:text-is("Delete")`)
  await expectBlocks('they are deleted', ['One', 'Two', 'Five'])
  for (const wanted of [
    ['One', 'Two', 'Five', '>Four', '>Three'],
    ['One', 'Two', 'Five', 'Four', 'Three'],
    ['One', 'Four', 'Two', 'Three', 'Five'],
  ]) {
    await press(`${BAR} button:text-is("Undo")`)
    await expectBlocks('what was done with them is taken back at once', wanted)
  }
  await press(`${BAR} button:text-is("Done")`)
  await press(block('Two'))
  await report.expect('a block is written in again', () => page.locator(`${block('Two')}.open`).count(), 1)
  if (isTouch) return
  await cutByKeys()
  await press(block('One'))
  await page.keyboard.press('Control+Alt+r')
  const headings = () => page.locator('#panel h1').allTextContents()
  await report.expect('the form of a reminder opens by keys', headings, ['Remind me about “One”'])

  async function cutByKeys(): Promise<void> {
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expectBlocks('a block is nested by keys', ['One', 'Four', '>Two', 'Three', 'Five'])
    await press(block('Four'))
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+x')
    await expectBlocks('a block is cut with what is nested below it', ['One', 'Three', 'Five'])
    await page.keyboard.press('ControlOrMeta+v')
    await expectBlocks('both are pasted', ['One', 'Three', 'Four', '>Two', 'Five'])
    const board = (await call('whiteboards_add', { position: { position: 'end', pageId: id } })).whiteboardBlockId
    const kept = page.locator(`#b${board}`)
    await kept.waitFor()
    await press(block('Five'))
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('ControlOrMeta+x')
    await report.expect('a whiteboard is copied', clipboard, 'Five\n\n<whiteboard/>')
    await page
      .locator('.announcement')
      .getByText('Copied, but not deleted: pages, whiteboards and collections cannot be pasted.')
      .waitFor({ timeout: MESSAGE_MS })
      .catch(() => report.blame('a whiteboard is not cut', 'The page does not say so.'))
    const all = ['One', 'Three', 'Four', '>Two', 'Five', '<whiteboard/>']
    await report.expect('nothing is cut together with it', stored, all)
    const shown = async () => [await page.evaluate(SHOWN), await kept.locator('img, svg, a').first().isVisible()]
    await report.expect('the page still shows all of it', shown, [[...all.slice(0, -1), ''], true])
  }
}

/** True if the elements' tops are at the same height. */
async function rowsOf(page: Page, selectors: readonly string[]): Promise<boolean> {
  const tops = await Promise.all(selectors.map(async (one) => (await page.locator(one).boundingBox())?.y ?? -1))
  return Math.max(...tops) - Math.min(...tops) < 2
}
