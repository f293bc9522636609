/** Selecting, copying, moving, and taking back. */
import { afterEach, expect, test } from 'vitest'
import { agent, type OpenedDocument, openDocument } from './opened-document.ts'

let opened: OpenedDocument | undefined
afterEach(() => opened?.close())
const open = async (markdown: string) => {
  opened = await openDocument(markdown)
  return opened
}

async function drag(anna: OpenedDocument, from: string, to: string): Promise<void> {
  const [start, end] = await Promise.all(
    [from, to].map((text) => anna.page.locator('.part').getByText(text, { exact: true }).boundingBox()),
  )
  await anna.page.mouse.move((start?.x ?? 0) + 1, (start?.y ?? 0) + (start?.height ?? 0) / 2)
  await anna.page.mouse.down()
  await anna.page.mouse.move((end?.x ?? 0) + 200, (end?.y ?? 0) + (end?.height ?? 0) / 2, { steps: 5 })
  await anna.page.mouse.up()
}

test('dragging the mouse over two blocks selects them, and writes nothing', async () => {
  const anna = await open('first line\n\nsecond line')
  await drag(anna, 'first line', 'second line')
  expect(await anna.page.evaluate('getSelection().toString().replace(/\\s+/g, " ")')).toContain('first line second')
  expect((await anna.copied()).text).toBe('first line\n\nsecond line')
  expect(await anna.stored()).toEqual(['first line', 'second line'])
})

test('what is copied has no authors, as Markdown and as HTML', async () => {
  const anna = await open('- **one**\n  - two\n\n| a |\n| --- |\n| b |')
  await anna.caretAt('one')
  await anna.press('Control+a', 'Control+a')
  const { text, html } = await anna.copied()
  expect(text).toBe('- **one**\n\n  - two\n\n| a |\n| --- |\n| b |')
  expect(html).toMatch(/<ul[^>]*><li><strong>one<\/strong><ul><li>two<\/li><\/ul><\/li><\/ul><table/)
  expect(html).not.toContain('agent')
})

test('a copy of a task keeps its dates and its look, and so does one that is cut and pasted', async () => {
  const anna = await open('- [ ] water\n\nend')
  const repeat = { type: 'fixed', frequency: 'weekly', interval: 1, weekly: { days: ['monday'] } }
  const taskInfo = { state: 'todo', scheduleDate: '2026-12-07', repeat }
  const [id] = await anna.ids()
  await agent('PUT /blocks', { blocks: [{ id, color: '#ff0000', taskInfo }] })
  await anna.page.locator('.due:has-text("every week")').waitFor()
  await anna.caretAt('water')
  await anna.press('Escape')
  const { html, text } = await anna.copied('cut')
  await anna.expectStored('end')
  await anna.paste({ 'text/html': html, 'text/plain': text })
  await anna.expectStored('end', '- [ ] water')
  await anna.page.locator('.due:has-text("every week")').waitFor()
  await anna.page.locator('.block', { hasText: 'water' }).hover()
  await anna.page.locator('.block-handle').click()
  await anna.page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await anna.expectStored('end', '- [ ] water', '- [ ] water')
  const { content = [] } = await agent(`GET /blocks?id=${anna.id}&maxDepth=1`)
  expect(content.slice(1)).toMatchObject(Array(2).fill({ color: '#ff0000', taskInfo }))
})

test('cut and pasted blocks are moved', async () => {
  const anna = await open('one\n\ntwo\n\nthree')
  await anna.caretAt('one')
  await anna.press('Escape')
  const { html, text } = await anna.copied('cut')
  await anna.expectStored('two', 'three')
  await anna.caretAt('three')
  await anna.paste({ 'text/html': html, 'text/plain': text })
  await anna.expectStored('two', 'three', 'one')
})

test('selected blocks move by keys, and keep their IDs', async () => {
  const anna = await open('one\n\ntwo\n\nthree')
  const ids = await anna.ids()
  await anna.caretAt('three')
  await anna.press('Escape', 'Shift+ArrowUp', 'Alt+ArrowUp')
  await anna.expectStored('two', 'three', 'one')
  expect(await anna.ids()).toEqual([ids[1], ids[2], ids[0]])
})

test('a block is dragged by its handle', async () => {
  const anna = await open('one\n\ntwo\n\nthree')
  const ids = await anna.ids()
  await anna.page.locator('.part').getByText('three').hover()
  const handle = await anna.page.locator('.block-handle').boundingBox()
  const target = await anna.page.locator('.part').getByText('one').boundingBox()
  await anna.page.mouse.move((handle?.x ?? 0) + 5, (handle?.y ?? 0) + 5)
  await anna.page.mouse.down()
  await anna.page.mouse.move((target?.x ?? 0) + 5, (target?.y ?? 0) - 4, { steps: 6 })
  await anna.page.mouse.up()
  await anna.expectStored('three', 'one', 'two')
  expect(await anna.ids()).toEqual([ids[2], ids[0], ids[1]])
})

test('deleting a selection over blocks joins what is left', async () => {
  const anna = await open('keep this\n\nand that')
  await anna.caretAt('keep', 'Home')
  await anna.press(...Array(5).fill('ArrowRight'))
  await anna.press('Shift+ArrowDown', 'Shift+Home', ...Array(4).fill('Shift+ArrowRight'), 'Delete')
  await anna.expectStored('keep that')
})

test('undo goes back in steps of words, and redo forward', async () => {
  const anna = await open('start')
  await anna.caretAt('start')
  await anna.type(' one two three')
  await anna.press('Control+z')
  await anna.expectShown('start one two')
  await anna.press('Control+z', 'Control+z')
  await anna.expectStored('start')
  await anna.press('Control+Shift+z', 'Control+Shift+z')
  await anna.expectStored('start one two')
  expect(await anna.page.locator('.versions').count()).toBe(0)
})

test('a space belongs to the word behind it, and a new block is a step of its own', async () => {
  const anna = await open('start')
  await anna.caretAt('start')
  await anna.type(' one')
  await anna.press('Shift+ArrowLeft', 'ArrowRight')
  await anna.type(' two')
  await anna.press('Enter')
  await anna.type('new words')
  const shown: string[][] = []
  for (let step = 0; step < 5; step++) {
    await anna.press('Control+z')
    shown.push(await anna.shown())
  }
  expect(shown).toEqual([['start one two', 'new'], ['start one two', ''], ['start one two'], ['start one'], ['start']])
})

test('undo works without a connection, and brings back a deleted block with its ID', async () => {
  const anna = await open('one\n\ntwo')
  const ids = await anna.ids()
  await anna.page.context().setOffline(true)
  await anna.caretAt('two')
  await anna.press('Escape', 'Delete')
  await anna.expectShown('one')
  await anna.press('Control+z')
  await anna.expectShown('one', 'two')
  await anna.page.context().setOffline(false)
  await expect.poll(() => anna.ids()).toEqual(ids)
})

test('after the page is opened again, undo takes back what was written before', async () => {
  const anna = await open('start')
  await anna.caretAt('start')
  await anna.type(' more')
  await anna.expectStored('start more')
  await anna.page.reload()
  await anna.page.locator('html.edits').waitFor()
  await anna.caretAt('start')
  await anna.press('Control+z')
  await anna.expectStored('start')
  await anna.press('Control+Shift+z')
  await anna.expectStored('start more')
})

test('the toolbar over a selection makes links and highlights', async () => {
  const anna = await open('one two')
  await anna.caretAt('one two', 'Home')
  await anna.press('Shift+End')
  await anna.page.locator('.text-toolbar .colors summary').click()
  await anna.page.locator('.text-toolbar .hl-green').click()
  await anna.expectStored('<highlight color="green">one two</highlight>')
  await anna.press('Control+k')
  await anna.page.locator('.text-field input').fill('example.org')
  await anna.press('Enter')
  await expect.poll(async () => (await anna.stored())[0]).toContain('https://example.org')
})

test('the toolbar comments on the selected words, which show their thread when they are clicked', async () => {
  const anna = await open('one two one')
  await anna.caretAt('one two one', 'End')
  for (let count = 0; count < 3; count++) await anna.press('Shift+ArrowLeft')
  await anna.page.locator('.text-toolbar').getByRole('button', { name: 'Comment' }).click()
  await anna.page.locator('#panel blockquote').getByText('one', { exact: true }).waitFor()
  await anna.page.locator('#panel textarea').fill('Which one?')
  await anna.page.locator('#panel button.go').click()
  await expect.poll(async () => (await anna.stored())[0]).toMatch(/^one two <comment id="\d+">one<\/comment>$/)
  await anna.page.locator('.threads q').getByText('one', { exact: true }).waitFor()
  await anna.page.locator('.part .commented').click()
  await anna.page.locator('.threads .shown').getByText('Which one?').waitFor()
})

test('who may only comment selects words in a page that cannot be edited, and comments on them', async () => {
  const anna = await open('- one two one\n- three')
  const { page } = await anna.inAnotherBrowser('Cora')
  const item = page.locator('.item-text').first()
  await item.waitFor()
  // A guest gives a name first.
  await page.getByRole('link', { name: /name/i }).first().click()
  await page.getByRole('textbox', { name: /name/i }).fill('Cora')
  await page.locator('form button.go').click()
  await page.getByText('You comment as').waitFor()
  await item.dblclick({ position: { x: 4, y: 8 } })
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.locator('#panel blockquote').getByText('one', { exact: true }).waitFor()
  await page.locator('#panel textarea').fill('The first?')
  await page.locator('#panel button.go').click()
  await expect.poll(async () => (await anna.stored())[0]).toMatch(/^- <comment id="\d+">one<\/comment> two one$/)
  await page.close()
})

test('the menu of the handle turns a block into another kind', async () => {
  const anna = await open('one\n\ntwo')
  await anna.page.locator('.part').getByText('two').hover()
  await anna.page.locator('.block-handle').click()
  await anna.page.locator('.handle-menu').getByText('Turn into: Heading 2').click()
  await anna.expectStored('one', '## two')
})

test('a block is moved to the document that is chosen', async () => {
  const anna = await open('stays\n\ngoes')
  const { items } = await agent('POST /documents', { documents: [{ title: `Target ${anna.id}` }] })
  await anna.page.locator('.part').getByText('goes').hover()
  await anna.page.locator('.block-handle').click()
  await anna.page.locator('.handle-menu').getByText('Move to…').click()
  await anna.page.locator('.document-choice input').fill(`Target ${anna.id}`)
  await anna.page.locator('.document-choice button', { hasText: `Target ${anna.id}` }).click()
  await anna.expectStored('stays')
  await anna.expectShown('stays')
  const moved = await agent(`GET /blocks?id=${items[0]?.id}&maxDepth=1`)
  expect(moved.content?.map(({ markdown }) => markdown)).toEqual(['goes'])
})

test('a page that is read copies as cleanly as one that is edited', async () => {
  const text = [
    '## Head',
    'one **two** and [three](https://example.org/)',
    '- a\n  - b\n- [x] c',
    '> said',
    '| A | B |\n| --- | --- |\n| 1 | *2* |',
    '7. seven\n8. eight',
    'of $x^2 < y$ and ==all== <highlight color="green">green</highlight> <u>u</u>',
    '$$\n\\frac{a}{b}\n$$',
    '```js\nconst a = 1\n```',
  ]
  const anna = await open(text.join('\n\n'))
  const [, id] = await anna.ids()
  await agent('POST /comments', { comments: [{ blockId: id, content: 'a remark' }] })
  // What is past is not edited.
  const at = new Date().toISOString()
  await agent('PUT /blocks', { blocks: [{ id: anna.id, title: 'Later' }] })
  await anna.page.goto(`${anna.page.url()}/at/${at}`)
  await anna.page.locator('.part .block').first().waitFor()
  expect(await anna.page.locator('html.edits').count()).toBe(0)
  const copyOf = async (selector: string) => {
    await anna.page
      .locator(selector)
      .first()
      .evaluate((one) => getSelection()?.selectAllChildren(one))
    return anna.copied()
  }
  const copied = await copyOf('.part')
  expect(copied.text).toBe(text.join('\n\n').replace('- [x] c', '\n- [x] c'))
  expect(copied.html).not.toMatch(/agent|remark|class="(?!hl-|tml-)|button/)
  expect(copied.html).toMatch(/<ol><li dir="auto" value="7">/)
  expect((await copyOf('.part p')).text).toBe('one **two** and [three](https://example.org/)')
})
