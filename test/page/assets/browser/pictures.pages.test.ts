/** Pictures are dropped anywhere on the page of a document, and open as large as the window. */
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { FILE_BYTES } from '../../../../src/base/limits.ts'
import { png } from '../../../picture.ts'
import { examine } from '../../../prove/pages/browser.ts'
import { type OpenedDocument, openDocument } from './opened-document.ts'

let opened: OpenedDocument | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const dropPicture = (page: Page, data: Buffer): Promise<void> =>
  page
    .locator('main h1')
    .first()
    .evaluate((target, encoded) => {
      const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([bytes], 'quay.png', { type: 'image/png' }))
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }, data.toString('base64'))

test('a picture that is dropped beside the text is added at its end, and a click shows it large', async () => {
  const anna = await openDocument('one\n\ntwo')
  opened = anna
  const { page } = anna
  await dropPicture(page, png(640, 320, 0xa0))
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
  expect((await examine(page, 'light')).faults).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => large.count()).toBe(0)
  expect(page.url()).toBe(before)
})

test('that a file is being added is said until it is there, and one that is too large is refused by its name', async () => {
  const anna = await openDocument('one')
  opened = anna
  const { page } = anna
  // No message goes by itself.
  await page.evaluate(() => {
    const later = setTimeout
    const isMessage = (ms: unknown) => ms === 6_000
    Object.assign(window, { setTimeout: (work: () => void, ms?: number) => (isMessage(ms) ? 0 : later(work, ms)) })
  })
  const message = page.locator('.announcement')
  await dropPicture(page, png(40, 20, 0xa0))
  await message.waitFor({ state: 'attached' })
  await page.locator('article figure img').waitFor()
  await expect.poll(() => message.textContent()).toBe('')
  await page
    .locator('main h1')
    .first()
    .evaluate((target, size) => {
      const dataTransfer = new DataTransfer()
      const file = new File(['x'], 'sea.mov', { type: 'video/quicktime' })
      dataTransfer.items.add(file)
      const [given] = dataTransfer.files
      const files = [Object.defineProperty(given as File, 'size', { value: size })]
      Object.defineProperty(dataTransfer, 'files', { value: files })
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }, FILE_BYTES + 1)
  await page
    .getByText(/sea\.mov/)
    .first()
    .waitFor()
  expect(await anna.stored()).toHaveLength(2)
})

test('the arrows lead from one large picture to the next', async () => {
  const [red = '', blue = ''] = [png(40, 20, 0xa0), png(60, 20, 0x20)].map((data) => data.toString('base64'))
  const anna = await openDocument('one')
  opened = anna
  const { page } = anna
  const drop = (files: { name: string; data: string }[]) =>
    page
      .locator('.part .block')
      .first()
      .evaluate((target, given) => {
        const dataTransfer = new DataTransfer()
        for (const { name, data } of given) {
          const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0))
          dataTransfer.items.add(new File([bytes], name, { type: 'image/png' }))
        }
        target.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }))
        const isMarked = document.querySelector('.takes-files') === target
        target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
        return [isMarked, document.querySelector('.takes-files') === null]
      }, files)
  expect(
    await drop([
      { name: 'red.png', data: red },
      { name: 'blue.png', data: blue },
    ]),
  ).toEqual([true, true])
  await expect.poll(() => page.locator('article figure img').count()).toBe(2)
  await page.locator('article figure img').first().click()
  const large = page.locator('dialog.large')
  await large.getByText('1 of 2').waitFor()
  const first = await large.locator('img').getAttribute('src')
  await page.keyboard.press('ArrowRight')
  await large.getByText('2 of 2').waitFor()
  expect(await large.locator('img').getAttribute('src')).not.toBe(first)
  await page.keyboard.press('ArrowRight')
  await large.getByText('1 of 2').waitFor()
})

test('a picture of the document and an uploaded one become its cover, and spans the window of a phone', async () => {
  const anna = await openDocument('one')
  opened = anna
  const { page } = anna
  await dropPicture(page, png(640, 320, 0xa0))
  await page.locator('article figure img').waitFor()
  await expect.poll(async () => (await anna.stored()).length).toBe(2)
  const open = async () => {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('link', { name: 'Cover…' }).click()
    await page.locator('dialog#panel[open] .pictures').waitFor()
  }
  const cover = page.locator('article > .page-cover')
  const widthOf = () => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)
  await open()
  await page.getByRole('radio').first().check()
  expect((await examine(page, 'light')).faults).toEqual([])
  await page.getByRole('button', { name: 'Make it the cover' }).click()
  await expect.poll(widthOf).toBe(640)
  expect((await cover.boundingBox())?.height).toBeLessThanOrEqual(220)

  await open()
  const file = { name: 'sea.png', mimeType: 'image/png', buffer: png(900, 300, 0x20) }
  await page.locator('dialog#panel input[type="file"]').setInputFiles(file)
  await page.getByRole('button', { name: 'Upload it as the cover' }).click()
  await expect.poll(widthOf).toBe(900)
  expect((await examine(page, 'dark')).faults).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await cover.evaluate((one) => one.getBoundingClientRect().width)).toBe(390)
})
