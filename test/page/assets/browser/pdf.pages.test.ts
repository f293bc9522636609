/** PDF files open over the page, in the viewer of the browser, once somebody asks for them. */
import { afterEach, expect, inject, test } from 'vitest'
import { examine } from '../../../prove/pages/browser.ts'
import { type OpenedDocument, openDocument } from './opened-document.ts'

let opened: OpenedDocument | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]>>endobj
trailer<</Root 1 0 R>>`

async function openWith(content: string): Promise<OpenedDocument> {
  const anna = await openDocument('one')
  opened = anna
  const { rest } = inject('pageBrowser')
  const query = new URLSearchParams({ position: 'end', pageId: anna.id, fileName: 'quay.pdf' })
  const headers = { 'content-type': 'application/pdf' }
  await fetch(`${rest}/upload?${query}`, { method: 'POST', headers, body: content })
  await anna.page.locator('article .link-card').waitFor()
  return anna
}

/** A browser without windows has no viewer of its own. */
const setViewer = ({ page }: OpenedDocument, value: boolean): Promise<unknown> =>
  page.evaluate((given) => Object.defineProperty(navigator, 'pdfViewerEnabled', { value: given }), value)

test('a PDF is read once it is to be shown, by the viewer of the browser, and the dialog closes', async () => {
  const anna = await openWith(PDF)
  const { page } = anna
  await setViewer(anna, true)
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/files/') && asked.push(request.method()))
  const button = page.getByRole('link', { name: 'Show', exact: true })
  await button.click()
  const large = page.getByRole('dialog', { name: 'quay.pdf' })
  await large.locator('iframe').waitFor()
  // A frame that the policy of the page does not allow would ask for nothing.
  await expect.poll(() => asked.slice(0, 2)).toEqual(['HEAD', 'GET'])
  await large.getByRole('link', { name: 'Download' }).waitFor()
  await large.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.locator('dialog.large').count()).toBe(0)
  expect(await button.evaluate((one) => one === document.activeElement)).toBe(true)
})

test('what is no PDF is not framed, and the dialog says so', async () => {
  const anna = await openWith('<script>alert(1)</script>')
  const { page } = anna
  await setViewer(anna, true)
  await page.getByRole('link', { name: 'Show', exact: true }).click()
  const large = page.locator('dialog.large')
  await large.getByText('quay.pdf: This is no PDF, whatever its name says.').waitFor()
  expect(await large.locator('iframe').count()).toBe(0)
  expect((await examine(page, 'light')).faults).toEqual([])
  expect((await examine(page, 'dark')).faults).toEqual([])
})

test('a browser without a viewer offers to open and to download it', async () => {
  const anna = await openWith(PDF)
  const { page } = anna
  await setViewer(anna, false)
  await page.getByRole('link', { name: 'Show', exact: true }).click()
  const large = page.locator('dialog.large')
  await large.getByText('This browser does not show a PDF within a page.').waitFor()
  expect(await large.getByRole('link', { name: 'Open in a new tab' }).getAttribute('target')).toBe('_blank')
  expect(await large.locator('iframe').count()).toBe(0)
})
