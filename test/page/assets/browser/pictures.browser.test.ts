/** Pictures are dropped anywhere on the page of a document, and open as large as the window. */
import { afterEach, expect, test } from 'vitest'
import { png } from '../../../picture.ts'
import { type OpenedDocument, openDocument } from './opened-document.ts'

let opened: OpenedDocument | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

test('a picture that is dropped beside the text is added at its end, and a click shows it large', async () => {
  const anna = await openDocument('one\n\ntwo')
  opened = anna
  const { page } = anna
  await page
    .locator('main h1')
    .first()
    .evaluate(
      (target, data) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([bytes], 'quay.png', { type: 'image/png' }))
        target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      },
      png(640, 320, 0xa0).toString('base64'),
    )
  const picture = page.locator('article figure img')
  await picture.waitFor()
  await expect
    .poll(async () => (await anna.stored()).map((text) => text.replace(/\(.*/, '')))
    .toEqual(['one', 'two', '![]'])
  await picture.click()
  const large = page.locator('dialog.large')
  await large.locator('img').waitFor()
  const before = page.url()
  expect((await large.locator('img').boundingBox())?.width).toBeGreaterThan(600)
  await page.keyboard.press('Escape')
  await expect.poll(() => large.count()).toBe(0)
  expect(page.url()).toBe(before)
})
