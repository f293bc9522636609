/** What somebody meets who writes alone for the first time: an empty page, pages within it, tables, own changes. */
import { afterEach, expect, test } from 'vitest'
import { agent, type OpenedDocument, openDocument } from './opened-document.ts'

const opened: OpenedDocument[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})
const open = async (markdown: string) => {
  const anna = await openDocument(markdown)
  opened.push(anna)
  return anna
}

const insert = async (anna: OpenedDocument, kind: string) => {
  await anna.type(`/${kind}`)
  await anna.page.locator('#kinds:visible').waitFor()
  await anna.press('Enter')
}

test('an empty page says what to do, which is no part of its text', async () => {
  const anna = await open('')
  const text = anna.page.getByRole('textbox', { name: 'Text of the document' })
  const hint = () =>
    text.evaluate((one) => ({
      spoken: one.getAttribute('aria-placeholder'),
      shown: getComputedStyle(one, '::before').content,
      text: one.textContent,
    }))
  const sentence = 'Write, or press / for a block'
  expect(await hint()).toEqual({ spoken: sentence, shown: `"${sentence}"`, text: '' })
  await anna.page.locator('.part p').click()
  await anna.type('a')
  await anna.expectStored('a')
  expect(await hint()).toEqual({ spoken: null, shown: 'none', text: expect.stringContaining('a') })
  await anna.press('Backspace')
  await expect.poll(hint).toMatchObject({ spoken: sentence })
  await anna.press('-', 'Space')
  await expect.poll(hint).toMatchObject({ spoken: null })
})

test('a page that is made in the text takes its name at once, by Enter and by a click elsewhere', async () => {
  const anna = await open('above')
  await anna.caretAt('above')
  await anna.press('Enter')
  await insert(anna, 'page')
  await anna.type('Crane plan')
  await anna.press('Enter')
  await anna.type('below')
  await anna.expectStored('above', 'Crane plan', 'below')
  await anna.press('Enter')
  await insert(anna, 'card')
  await anna.type('Second')
  await anna.page.locator('.part p', { hasText: 'above' }).click()
  await expect.poll(async () => (await anna.stored()).join()).toContain('Second')
  await anna.page.locator('.page-card', { hasText: 'Crane plan' }).waitFor()
  await anna.page.locator('nav#nav .nested', { hasText: 'Second' }).waitFor()
})

test('a page whose name is left out stays, and the caret goes on in the text', async () => {
  const anna = await open('above')
  await anna.caretAt('above')
  await anna.press('Enter')
  await insert(anna, 'page')
  await anna.page.getByRole('textbox', { name: 'Name of the page' }).waitFor()
  await anna.press('Escape')
  await anna.type('below')
  await anna.expectStored('above', 'Untitled', 'below')
})

test('own changes are never said to be those of somebody else', async () => {
  const anna = await open('one\n\n- [ ] paint')
  const { page } = anna
  await page.locator('#spoken').waitFor({ state: 'attached' })
  await page.evaluate(() => {
    const messages: string[] = []
    Object.assign(globalThis, { messages })
    const note = () => messages.push(document.querySelector('#spoken')?.textContent ?? '')
    new MutationObserver(note).observe(document.querySelector('#spoken') as Element, { childList: true })
  })
  const changes = () =>
    page.evaluate(() => (globalThis as unknown as { messages: string[] }).messages.filter((one) => /changed/.test(one)))
  // By a form, by the slash menu, by keys, and in another tab.
  await page.locator('.part .block', { hasText: 'paint' }).hover()
  await page.locator('a.due', { hasText: 'Edit' }).click()
  await page.locator('#panel [name="title"], #panel [name="text"]').first().fill('paint it')
  await page.locator('#panel button.go').click()
  await page.locator('.part .block', { hasText: 'paint it' }).waitFor()
  await anna.caretAt('one')
  await anna.press('Enter')
  await insert(anna, 'whiteb')
  await page.locator('.block a[href*="/whiteboards/"]').first().waitFor()
  const other = await anna.inAnotherTab()
  await other.caretAt('paint it')
  await other.type(' green')
  await other.expectStored(...(await other.stored()).slice(0, -1), '- [ ] paint it green')
  await page.bringToFront()
  await page.locator('.part .block', { hasText: 'paint it green' }).waitFor()
  const [first] = await anna.ids()
  await agent('PUT /blocks', { blocks: [{ id: first, markdown: 'one by an agent' }] })
  await expect.poll(changes).toHaveLength(1)
  expect(await changes()).toEqual([expect.stringMatching(/^agent changed/)])
})

test('a task that is edited by its form on Home shows at once, without a question', async () => {
  const anna = await open('')
  const { page } = anna
  const today = new Date().toISOString().slice(0, 10)
  await agent('POST /tasks', {
    tasks: [
      {
        markdown: '- [ ] Oil the crane',
        taskInfo: { scheduleDate: today },
        location: { type: 'document', documentId: anna.id },
      },
    ],
  })
  await page.goto(page.url().replace(/\/d\/.*/, '/'))
  const row = page.locator('#home .task', { hasText: 'Oil the' })
  await row.locator('a.due').click()
  await page.locator('#panel [name="title"], #panel [name="text"]').first().fill('Oil the winch')
  await page.evaluate(() => {
    const offers: string[] = []
    Object.assign(globalThis, { offers })
    new MutationObserver(() => {
      for (const held of document.querySelectorAll('.held')) offers.push(held.textContent ?? '')
    }).observe(document.body, { childList: true, subtree: true })
  })
  await page.locator('#panel button.go').click()
  await page.locator('#home .task', { hasText: 'Oil the winch' }).waitFor()
  expect(await page.evaluate(() => (globalThis as unknown as { offers: string[] }).offers)).toEqual([])
})

test('the handles of a table stand at the cell under the pointer, also while it changes, and nowhere else', async () => {
  const anna = await open('')
  await anna.page.locator('.part p').click()
  await insert(anna, 'table')
  await anna.page.locator('.part table').waitFor()
  await anna.page.locator('.table-grip').first().waitFor({ state: 'attached' })
  await anna.page.mouse.move(5, 600)
  await anna.type('a')
  expect(await anna.page.locator('.table-grip:visible').count()).toBe(0)
  const cell = anna.page.locator('.part :is(td, th)').nth(0)
  await cell.hover()
  const gap = async () => {
    const [box, grip] = await Promise.all([cell.boundingBox(), anna.page.locator('.table-grip.column').boundingBox()])
    if (box === null || grip === null) return undefined
    return Math.round(Math.abs(box.x + box.width / 2 - (grip.x + grip.width / 2)))
  }
  await expect.poll(gap).toBe(0)
  await anna.type(' word that makes the column wider')
  await expect.poll(async () => (await cell.textContent())?.length).toBe(34)
  await expect.poll(gap).toBe(0)
})

test('who else comes to the document moves nothing in it', async () => {
  const anna = await open('one')
  const { page } = anna
  const top = () => page.locator('article > h1').evaluate((one) => one.getBoundingClientRect().top)
  await page.locator('.edited').waitFor()
  const before = await top()
  expect(await page.locator('.bar').evaluate((bar) => bar.clientHeight)).toBeLessThan(40)
  const ben = await anna.inAnotherBrowser()
  opened.push(ben)
  // A page asks again once somebody has written.
  await ben.caretAt('one')
  await ben.type(' two')
  await anna.expectShown('one two')
  await page.locator('.people li:not(.program)').first().waitFor()
  expect(await top()).toBe(before)
})
