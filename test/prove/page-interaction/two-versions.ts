/**
 * A cell changed on both sides: the page shows the typed text as a table next to the other version until the user picks
 * one.
 */
import { program } from '../../page/sample-space.ts'
import { examine, saveScreenshot, THEMES } from '../pages/browser.ts'
import type { Interaction } from './interactions.ts'
import type { Report } from './report.ts'

const TABLE = '| Part | Weight |\n| --- | ---: |\n| **Hook** | 1,200 |\n| Rope | 340 |'

export async function chooseBetweenTables({ page, base, office, isTouch }: Interaction, report: Report): Promise<void> {
  const call = program(office.space, 'checker')
  const { id } = (await call('documents_add', { documents: [{ title: 'Parts', markdown: TABLE }] })).items[0]
  const blocks = async (): Promise<{ id: string; markdown: string }[]> => (await call('blocks_get', { id })).content
  await page.goto(`${base}/d/${id}`)
  await page.locator('.edits article').waitFor()
  await page.getByRole('cell', { name: '340' }).click()
  await page.locator('.ProseMirror-focused > .open td').first().waitFor()
  // The plugin for tables is added once there is one. The others begin again.
  const bold = () => page.locator('.text-toolbar [aria-label="Bold"]').count()
  await report.expect('the toolbar has each button once', bold, 1)
  await page.context().setOffline(true)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('350')
  const [table] = await blocks()
  const theirs = TABLE.replace('340', '360')
  await call('blocks_update', { blocks: [{ id: table?.id, markdown: theirs }] })
  await page.context().setOffline(false)
  const cells = async () => [
    await page.locator('.block > .wide td:visible').allTextContents(),
    await page.locator('.versions td:visible').allTextContents(),
  ]
  const [typed, other] = ['350', '360'].map((weight) => ['Hook', '1,200', 'Rope', weight])
  await report.expect('what was typed is shown below what others wrote', cells, [other, typed])
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme })
    await saveScreenshot(page, `${isTouch ? 'phone' : 'desktop'}-${theme}`, 'two-tables')
    for (const fault of (await examine(page, theme)).faults) report.blame('two tables are shown', fault)
  }
  await page.getByRole('button', { name: 'Keep both' }).click()
  const stored = async () => (await blocks()).map(({ markdown }) => markdown)
  await report.expect('both tables are kept', stored, [theirs, TABLE.replace('340', '350')])
}
