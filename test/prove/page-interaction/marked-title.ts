/** Formats a title by keys, the same way as a text, while an agent writes in the document. */
import { writeTitle } from '../../../src/markdown/inline-title.ts'
import { program } from '../../page/sample-space.ts'
import { examine, saveScreenshot } from '../pages/browser.ts'
import type { Interaction } from './interactions.ts'
import type { Report } from './report.ts'

export async function markTitle({ page, base, office, isTouch }: Interaction, report: Report): Promise<void> {
  const call = program(office.space, 'checker')
  const { id } = (await call('documents_add', { documents: [{ title: 'North quay' }] })).items[0]
  const title = async () => {
    const { title } = await call('blocks_get', { id, maxDepth: 0 })
    return typeof title === 'string' ? title : writeTitle(title)
  }
  const { keyboard } = page
  await page.goto(`${base}/d/${id}`)
  await page.locator('.edits article').waitFor()
  const heading = page.locator('article > h1 > .ProseMirror')
  await heading.focus()
  await page.locator('article > h1 > .ProseMirror-focused').waitFor()
  await keyboard.press('End')
  for (let letter = 0; letter < 4; letter++) await keyboard.press('Shift+ArrowLeft')
  await keyboard.press('Control+b')
  await page.locator('article > h1 strong:text-is("quay")').waitFor()
  // An incoming change must not remove formatting that is not sent yet.
  const position = { position: 'end', pageId: id }
  await call('blocks_add', { markdown: 'The crane stands.', position })
  await page.getByText('The crane stands.').waitFor()
  await keyboard.press('End')
  await keyboard.press('Control+b')
  await keyboard.press('Control+i')
  await keyboard.type(' soon')
  await keyboard.press('Control+i')
  await keyboard.type(' ')
  await keyboard.press('Control+e')
  await keyboard.type('v2')
  await saveScreenshot(page, isTouch ? 'phone-light' : 'desktop-light', 'marked-title')
  for (const fault of (await examine(page, 'light')).faults) report.blame('a title is marked', fault)
  await keyboard.press('Escape')
  await report.expect('a title is marked by keys', title, 'North **quay** *soon* `v2`')
  await heading.focus()
  await keyboard.press('Control+a')
  const keys = ['e', 'e', 'i', 'i', 'b', 'b']
  for (const key of keys) await keyboard.press(`Control+${key}`)
  await keyboard.press('Escape')
  await report.expect('all marks are taken off', title, 'North quay soon v2')
  for (const _ of keys) await keyboard.press('Control+z')
  await report.expect('that is undone', title, 'North **quay** *soon* `v2`')
}
