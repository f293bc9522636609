/** Ranges of cells are copied, pasted and cleared, and rows are changed at once, as in a spreadsheet. */
import { afterEach, expect, test } from 'vitest'
import { agent, type OpenedDocument, openDocument } from './opened-document.ts'

let opened: OpenedDocument | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

/** A table with the columns Title, A and B, and three rows. */
async function openTable() {
  const anna = await openDocument('text')
  opened = anna
  const properties = [
    { name: 'A', type: 'number' },
    { name: 'B', type: 'text' },
  ]
  const { collectionBlockId: id } = (await agent('POST /collections', {
    schema: { name: 'Table', properties },
    position: { position: 'end', pageId: anna.id },
  })) as unknown as { collectionBlockId: string }
  const items = ['One', 'Two', 'Three'].map((title, n) => ({ title, properties: { a: 1000 * (n + 1), b: `b${n}` } }))
  await agent(`POST /collections/${id}/items`, { items })
  await anna.page.goto(anna.page.url().replace(`/d/${anna.id}`, `/collections/${id}`))
  await anna.page.locator('.column-edge').first().waitFor()
  const stored = async () => {
    const { items } = (await agent(`GET /collections/${id}/items?maxDepth=0`)) as unknown as {
      items: { title: string; properties: { a?: number; b?: string } }[]
    }
    return items.map(({ title, properties: { a = '', b = '' } }) => `${title} ${a} ${b}`)
  }
  const cell = (row: string, key: string) =>
    anna.page
      .locator('tr', { has: anna.page.getByRole('link', { name: row, exact: true }) })
      .locator(`[data-key="${key}"]`)
  return { anna, page: anna.page, stored, cell }
}

test('a range is copied by Shift and arrows, with plain values', async () => {
  const { anna, page, cell } = await openTable()
  await cell('One', 'a').focus()
  await anna.press('Shift+ArrowRight', 'Shift+ArrowDown')
  expect(await page.locator('.in-range').count()).toBe(4)
  const { text, html } = await anna.copied()
  expect(text).toBe('1000\tb0\n2000\tb1')
  expect(html).toContain('<td>1000</td><td>b0</td>')
})

test('cells are pasted, also below the last row, and taken back', async () => {
  const { anna, page, stored, cell } = await openTable()
  await cell('Three', 'a').focus()
  await anna.paste({ 'text/plain': '7\t"two\nlines"\r\n8\tnew row\r\n' })
  await expect.poll(stored).toEqual(['One 1000 b0', 'Two 2000 b1', 'Three 7 two\nlines', 'Untitled 8 new row'])
  await page.getByRole('status').filter({ hasText: '4 cells pasted.' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back.').waitFor()
  expect(await stored()).toEqual(['One 1000 b0', 'Two 2000 b1', 'Three 3000 b2'])
})

test('one value fills a range, Delete clears it, and what is no value is said', async () => {
  const { anna, page, stored, cell } = await openTable()
  await cell('One', 'a').focus()
  await anna.press('Shift+ArrowDown')
  await anna.paste({ 'text/plain': '5' })
  await expect.poll(stored).toEqual(['One 5 b0', 'Two 5 b1', 'Three 3000 b2'])
  await cell('One', 'b').focus()
  await anna.press('Shift+ArrowDown', 'Delete')
  await expect.poll(stored).toEqual(['One 5 ', 'Two 5 ', 'Three 3000 b2'])
  await cell('Two', 'a').focus()
  await anna.paste({ 'text/plain': 'many' })
  await page.getByText('Expected number for A, found “many”').waitFor()
})

test('selected rows get a value at once', async () => {
  const { page, stored } = await openTable()
  await page.getByLabel('Select One').check()
  await page.getByLabel('Select Three').check()
  await page.getByRole('button', { name: 'Change the selected rows…' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Column').selectOption('B')
  await form.getByLabel('B', { exact: true }).fill('same')
  await form.getByRole('button', { name: 'Set for 2 rows' }).click()
  await expect.poll(stored).toEqual(['One 1000 same', 'Two 2000 b1', 'Three 3000 same'])
})

test('what is typed right after a click is all there, a letter opens a cell, and none is a command of the page', async () => {
  const { anna, page, stored, cell } = await openTable()
  await cell('One', 'a').click()
  await anna.type('39000')
  await anna.press('Enter')
  await expect.poll(stored).toEqual(['One 39000 b0', 'Two 2000 b1', 'Three 3000 b2'])
  await cell('Two', 'b').focus()
  await anna.type('calm')
  await anna.press('Enter')
  await expect.poll(stored).toEqual(['One 39000 b0', 'Two 2000 calm', 'Three 3000 b2'])
  // The field closes once the answer is back, which may be after the text is stored.
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})
