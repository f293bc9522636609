/** Rows are added where they will be: row after row below a table, in a column of a board, on a day of a month. */
import { afterEach, expect, test } from 'vitest'
import { examine } from '../../../prove/pages/browser.ts'
import { agent, type OpenedDocument, openDocument, robot } from './opened-document.ts'

let opened: OpenedDocument | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

interface Row {
  title: string
  properties: Record<string, unknown>
}

/** A document with a collection in it. */
async function withCollection(view?: object) {
  const anna = await openDocument('text')
  opened = anna
  const { collectionBlockId: id = '' } = await agent('POST /collections', {
    schema: {
      name: 'Table',
      properties: [
        { name: 'Status', type: 'singleSelect', options: [{ name: 'open' }, { name: 'done' }] },
        { name: 'Day', type: 'date' },
      ],
    },
    position: { position: 'end', pageId: anna.id },
  })
  await agent(`POST /collections/${id}/items`, { items: [{ title: 'One', properties: { status: 'open' } }] })
  if (view !== undefined) await agent(`POST /collections/${id}/views`, { view })
  const { page } = anna
  const rows = async (): Promise<Row[]> => {
    const { items } = (await agent(`GET /collections/${id}/items?maxDepth=0`)) as unknown as { items: Row[] }
    return items
  }
  const titles = async () => (await rows()).map(({ title }) => title)
  const goTo = async (path = '') => {
    await page.goto(anna.page.url().replace(/\/(?:d|collections)\/.*/, `/collections/${id}${path}`))
    await page.locator('.moves').waitFor()
  }
  return { anna, page, id, rows, titles, goTo, field: page.locator('.new-row-editor input') }
}

test('Enter adds row after row, and Escape ends it and keeps what was typed', async () => {
  const { anna, page, titles, goTo, field } = await withCollection()
  await goTo()
  await page.getByRole('link', { name: 'New row', exact: true }).click()
  expect(await field.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
  expect((await examine(page, 'light')).faults).toEqual([])
  await anna.type('Two')
  await anna.press('Enter')
  await anna.type('Three')
  await anna.press('Enter')
  await anna.type('Four')
  await anna.press('Escape')
  await field.waitFor({ state: 'detached' })
  await expect.poll(titles).toEqual(['One', 'Two', 'Three', 'Four'])
  await expect
    .poll(() => page.locator('tr[data-item] [data-key="title"]').allTextContents())
    .toEqual(['One', 'Two', 'Three', 'Four'])
  expect(await page.locator('.coming-row').count()).toBe(0)
  await expect.poll(() => page.locator('.new-row a').evaluate((one) => one === document.activeElement)).toBe(true)
})

test('by keys alone: below the last row stands New row, and an empty title stores nothing', async () => {
  const { anna, page, titles, goTo, field } = await withCollection()
  await goTo()
  await page.locator('tr[data-item] [data-key="status"]').focus()
  await anna.press('ArrowDown')
  expect(await page.locator('.new-row a').evaluate((one) => one === document.activeElement)).toBe(true)
  await anna.press('Enter')
  await field.waitFor()
  await anna.press('Enter')
  await field.waitFor({ state: 'detached' })
  await anna.press('Enter')
  await field.waitFor()
  await anna.type('Two')
  await anna.press('Tab')
  await expect.poll(titles).toEqual(['One', 'Two'])
  await page.getByRole('link', { name: 'Two', exact: true }).waitFor()
  await expect.poll(() => page.locator('.new-row a').evaluate((one) => one === document.activeElement)).toBe(true)
  await anna.press('ArrowUp')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Two')
})

test('within a document, a click elsewhere keeps what was typed', async () => {
  const { anna, page, titles, field } = await withCollection()
  const link = page.locator('article .new-row a')
  await link.click()
  await field.waitFor()
  await anna.type('Two')
  await page.locator('article h1').click()
  await expect.poll(titles).toEqual(['One', 'Two'])
  await page.locator('article tr[data-item]', { hasText: 'Two' }).waitFor()
})

test('a column of a board makes cards of that column', async () => {
  const { anna, page, rows, goTo } = await withCollection({
    name: 'Board',
    type: 'kanban',
    groupBy: [{ property: 'status' }],
  })
  await goTo()
  await page.getByRole('link', { name: 'New row in done' }).click()
  await anna.type('Two')
  await anna.press('Enter')
  await anna.type('Three')
  await anna.press('Enter', 'Escape')
  await expect
    .poll(async () => (await rows()).map(({ title, properties }) => [title, properties.status]))
    .toEqual([
      ['One', 'open'],
      ['Two', 'done'],
      ['Three', 'done'],
    ])
  const done = page.locator('[data-board] section', { hasText: 'done' })
  await expect.poll(() => done.locator('.item b').allTextContents()).toEqual(['Two', 'Three'])
})

test('a day of a month makes rows on that day', async () => {
  const { anna, page, rows, goTo } = await withCollection()
  await goTo('?by=day&month=2026-11')
  await page.getByRole('link', { name: /New row on .*November 17/ }).click()
  await anna.type('Two')
  await anna.press('Escape')
  await expect
    .poll(async () => (await rows()).at(-1))
    .toMatchObject({ title: 'Two', properties: { day: '2026-11-17' } })
  await page.locator('[data-date="2026-11-17"]', { hasText: 'Two' }).waitFor()
})

test('a row that the view hides is said to be there, and what is refused stays in the field', async () => {
  const { anna, page, id, titles, goTo, field } = await withCollection({
    name: 'Dated',
    type: 'table',
    filters: [{ property: 'day', filterType: 'isNotEmpty' }],
  })
  await goTo()
  await page.getByText('A filter may hide new rows').waitFor()
  await page.getByRole('link', { name: 'New row', exact: true }).click()
  await anna.type('Two')
  await anna.press('Enter')
  await page.getByText('“Two” was added, and is not among the rows that are shown here.').waitFor()
  expect(await titles()).toEqual(['One', 'Two'])
  await anna.type('Three')
  await agent('DELETE /blocks', { blockIds: [id] })
  await anna.press('Enter')
  await page.getByText('“Three” was not added:').waitFor()
  expect(await field.inputValue()).toBe('Three')
})

test('a link whose calls wait proposes the row', async () => {
  const { anna, id, titles } = await withCollection()
  const robots = await anna.inAnotherBrowser('Robot')
  const { page } = robots
  await page.goto(page.url().replace(/\/d\/.*/, `/collections/${id}`))
  await page.locator('.moves').waitFor()
  await page.getByRole('link', { name: 'New row', exact: true }).click()
  await robots.type('Two')
  await robots.press('Enter', 'Escape')
  await page.getByText('“Two” waits for approval.').waitFor()
  expect(await titles()).toEqual(['One'])
  await robots.close()
  expect((await robot('GET /proposals?state=waiting')).items.length).toBeGreaterThan(0)
})

test('rows that are added without a connection are shown as waiting, and stored once there is one', async () => {
  const { anna, page, titles, goTo } = await withCollection()
  await goTo()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'New row', exact: true }).click()
  await anna.type('Two')
  await anna.press('Enter')
  await anna.type('Three')
  await anna.press('Escape')
  await expect.poll(() => page.locator('.coming-row').allTextContents()).toEqual(['Two', 'Three'])
  expect(await titles()).toEqual(['One'])
  await page.context().setOffline(false)
  await expect.poll(titles).toEqual(['One', 'Two', 'Three'])
  await expect
    .poll(() => page.locator('tr[data-item] [data-key="title"]').allTextContents())
    .toEqual(['One', 'Two', 'Three'])
  await expect.poll(() => page.locator('.coming-row').count()).toBe(0)
})
