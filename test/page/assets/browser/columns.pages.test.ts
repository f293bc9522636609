/** The columns of collections are resized and moved by mouse, keys and touch, and stored in the view. */
import type { CDPSession, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { agent, type OpenedDocument, openDocument } from './opened-document.ts'

let opened: OpenedDocument | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

interface View {
  id: string
  columnWidth: Record<string, string>
  customPropertyOrder: { propertyKey: string }[]
}

/** A table with the columns Title, A, B and C on a page of its own, and within a document. */
async function openTable(place: 'page' | 'document') {
  const anna = await openDocument('text')
  opened = anna
  const properties = ['A', 'B', 'C'].map((name) => ({ name, type: 'text' }))
  const { collectionBlockId: id } = (await agent('POST /collections', {
    schema: { name: 'Table', properties },
    position: { position: 'end', pageId: anna.id },
  })) as unknown as { collectionBlockId: string }
  await agent(`POST /collections/${id}/items`, { items: [{ title: 'One', properties: { a: 'x', b: 'y', c: 'z' } }] })
  if (place === 'page') await anna.page.goto(anna.page.url().replace(`/d/${anna.id}`, `/collections/${id}`))
  else await anna.page.reload()
  await anna.page.locator('.column-edge').first().waitFor()
  const view = async (): Promise<View> => {
    const { views } = (await agent(`GET /collections/${id}/views`)) as unknown as { views: [View] }
    return views[0]
  }
  return {
    page: anna.page,
    shown: () => shownColumns(anna.page),
    order: async () => (await view()).customPropertyOrder.map(({ propertyKey }) => propertyKey),
    widths: async () => (await view()).columnWidth,
  }
}

/** The names of the columns and the cells below them, from left to right. */
const shownColumns = (page: Page) =>
  page.evaluate(() => {
    const [head, row] = [...document.querySelectorAll('table[data-view] tr')]
    const texts = (line: Element | undefined, cells: string) =>
      [...(line?.querySelectorAll(cells) ?? [])].map((cell) => cell.textContent?.trim())
    return [texts(head, 'th[data-column]').join(' '), texts(row, '[data-key]').join(' ')]
  })

async function center(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(selector).first().boundingBox()
  if (box === null) throw new Error(`Expected ${selector} on the page.`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

const EDGE_OF_A = 'th[data-column="a"] .column-edge'
const widthOf = async (page: Page, key: string) =>
  Math.round((await page.locator(`th[data-column="${key}"]`).boundingBox())?.width ?? 0)

test.each(['page', 'document'] as const)('a column is resized by mouse and keys, on a %s', async (place) => {
  const { page, widths } = await openTable(place)
  const edge = await center(page, EDGE_OF_A)
  const before = await widthOf(page, 'a')
  await page.mouse.move(edge.x, edge.y)
  await page.mouse.down()
  await page.mouse.move(edge.x + 30, edge.y)
  await page.mouse.move(edge.x + 60, edge.y)
  expect(await widthOf(page, 'a')).toBe(before + 60)
  await page.mouse.up()
  await expect.poll(async () => (await widths()).a).toBe(`${before + 60}px`)
  await expect.poll(() => page.locator('colgroup').count()).toBe(1)
  await expect.poll(() => widthOf(page, 'a')).toBe(before + 60)
  await page.locator(EDGE_OF_A).focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await widths()).a).toBe(`${before + 28}px`)
  await page.reload()
  await page.locator(EDGE_OF_A).waitFor()
  expect(await widthOf(page, 'a')).toBe(before + 28)
  await page.locator(EDGE_OF_A).focus()
  await page.keyboard.press('Delete')
  await expect.poll(widths).toEqual({})
  await expect.poll(() => page.locator('colgroup').count()).toBe(0)
})

test('a column is moved by mouse and by keys, with its cells', async () => {
  const { page, shown, order } = await openTable('page')
  const from = await center(page, 'th[data-column="a"] a')
  const to = await center(page, 'th[data-column="c"]')
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, from.y)
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.move(to.x + 12, to.y)
  // The library looks where the pointer is at intervals.
  await expect.poll(async () => (await shown())[0]).toBe('Title B C A')
  await page.mouse.up()
  await expect.poll(order).toEqual(['b', 'c', 'a'])
  await expect.poll(shown).toEqual(['Title B C A', 'One y z x'])
  await page.locator('th[data-column="a"] a').focus()
  await page.keyboard.press('Control+ArrowLeft')
  await expect.poll(order).toEqual(['b', 'a', 'c'])
  await expect.poll(shown).toEqual(['Title B A C', 'One y x z'])
  // The focus stays on the column.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('A')
})

test('a finger resizes a column, and moves one after it rested on it', async () => {
  const { page, order, shown, widths } = await openTable('page')
  const cdp = await page.context().newCDPSession(page)
  const before = await widthOf(page, 'a')
  const edge = await center(page, EDGE_OF_A)
  await touch(cdp, edge, { x: edge.x + 40, y: edge.y })
  await expect.poll(async () => (await widths()).a).toBe(`${before + 40}px`)
  await expect.poll(() => page.locator('colgroup').count()).toBe(1)
  const from = await center(page, 'th[data-column="c"] a')
  const to = await center(page, 'th[data-column="a"]')
  await touch(
    cdp,
    from,
    { x: to.x - 12, y: to.y },
    {
      rest: () => page.locator('th.chosen').waitFor(),
      settled: () => expect.poll(async () => (await shown())[0]).toBe('Title C A B'),
    },
  )
  await expect.poll(order).toEqual(['c', 'a', 'b'])
})

type Point = { x: number; y: number }

/** Moves a finger from place to place. `rest` resolves once it has rested long enough, `settled` before it is lifted. */
async function touch(
  cdp: CDPSession,
  from: Point,
  to: Point,
  { rest = async () => {}, settled = async () => {} } = {},
): Promise<void> {
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', from)
  await rest()
  for (const part of [0.25, 0.5, 0.75, 1])
    await send('touchMove', { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part })
  await settled()
  await send('touchEnd')
}

test('a column is hidden by dragging its name to the place that appears, and shown again', async () => {
  const { page, shown } = await openTable('page')
  const from = await center(page, 'th[data-column="b"] a')
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, from.y)
  const to = await center(page, '.hides-column')
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.move(to.x + 8, to.y)
  await expect.poll(() => page.locator('.hides-column th').count()).toBe(1)
  await page.mouse.up()
  await expect.poll(shown).toEqual(['Title A C', 'One x z'])
  await page.getByRole('button', { name: 'Columns 1 hidden' }).click()
  await page.getByLabel('B', { exact: true }).check()
  await page.getByRole('button', { name: 'Show these' }).click()
  await expect.poll(shown).toEqual(['Title A B C', 'One x y z'])
})

test('a click on a name sorts, a chip removes that, and + adds a column beside the button', async () => {
  const { page, shown } = await openTable('page')
  await page.locator('th[data-column="a"] a').click()
  await page.waitForURL(/sort=a$/)
  expect(await page.locator('th[data-column="a"]').getAttribute('aria-sort')).toBe('ascending')
  await page.getByRole('link', { name: 'Remove: Sorted by A' }).click()
  await page.waitForURL(/collections\/\d+$/)
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.locator('.rules .menu').getByRole('link', { name: 'B', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Text').fill('nothing')
  await form.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('link', { name: 'B is nothing', exact: true }).waitFor()
  expect(await page.locator('tbody tr:not(.new-row)').count()).toBe(0)
  await page.getByRole('link', { name: 'Remove: B is nothing' }).click()
  const plus = page.getByRole('link', { name: 'New column' })
  const { x = 0 } = (await plus.boundingBox()) ?? {}
  await plus.click()
  await form.getByLabel('Name').fill('D')
  const box = await page.locator('#panel').boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(x)
  await form.getByRole('button', { name: 'Add it' }).click()
  await expect.poll(shown).toEqual(['Title A B C D', 'One x y z '])
})
