/** People and agents in one document at the same time. */
import type { Page, Route } from 'playwright-core'
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
const beside = async (anna: OpenedDocument) => {
  const other = await anna.inAnotherBrowser()
  opened.push(other)
  return other
}

test('two people write at the two ends of a paragraph', async () => {
  const anna = await open('one two three')
  const ben = await beside(anna)
  await Promise.all([anna.caretAt('one two', 'Home'), ben.caretAt('one two', 'End')])
  await Promise.all([anna.type('start '), ben.type(' end')])
  await anna.expectStored('start one two three end')
  await Promise.all([anna, ben].map((one) => one.expectShown('start one two three end')))
  expect(await anna.page.locator('.versions').count()).toBe(0)
})

test('two people begin in the same empty block, and the texts of both stay without a question', async () => {
  const anna = await open('above\n\n<br>\n\nbelow')
  const ben = await beside(anna)
  await anna.page.context().setOffline(true)
  for (const one of [anna, ben]) {
    await one.caretAt('above')
    await one.press('ArrowDown')
  }
  await ben.type('from Ben')
  await ben.expectStored('above', 'from Ben', 'below')
  await anna.type('from Anna')
  await anna.page.context().setOffline(false)
  await expect.poll(async () => (await anna.stored())[1]).toContain('Anna')
  const [, both = ''] = await anna.stored()
  expect([both, both.length]).toEqual([expect.stringContaining('from Ben'), 'from Ben from Anna'.length])
  await Promise.all([anna, ben].map((one) => one.expectShown('above', both, 'below')))
  expect(await anna.page.locator('.versions').count()).toBe(0)
})

test('an agent adds a block while a person types, and the caret stays', async () => {
  const anna = await open('one\n\ntwo')
  const [first] = await anna.ids()
  await anna.caretAt('two')
  await anna.type(' is')
  await agent('POST /blocks', { markdown: 'between', position: { position: 'after', siblingId: first } })
  await anna.expectShown('one', 'between', 'two is')
  await anna.type(' here')
  await anna.expectStored('one', 'between', 'two is here')
})

test('the same words changed by two are both shown, and the choice is stored', async () => {
  const anna = await open('the crane is red')
  const [id] = await anna.ids()
  await anna.page.context().setOffline(true)
  await anna.caretAt('crane')
  await anna.press('Control+Shift+ArrowLeft')
  await anna.type('blue')
  await agent('PUT /blocks', { blocks: [{ id, markdown: 'the crane is green' }] })
  await anna.page.context().setOffline(false)
  await anna.page.locator('.versions').waitFor()
  await anna.expectShown('the crane is green')
  expect(await anna.page.locator('.versions .mine').allTextContents()).toContain('the crane is blue')
  await anna.page.getByRole('button', { name: 'Keep mine' }).click()
  await anna.expectStored('the crane is blue')
  await expect.poll(() => anna.page.locator('.versions').count()).toBe(0)
})

test('a version that others change once more is shown before it is replaced', async () => {
  const anna = await open('the crane is red')
  const [id] = await anna.ids()
  const write = (markdown: string) => agent('PUT /blocks', { blocks: [{ id, markdown }] })
  const { page } = anna
  const versions = page.locator('.versions')
  const keepMine = page.getByRole('button', { name: 'Keep mine' })
  await page.context().setOffline(true)
  await anna.caretAt('crane')
  await anna.press('Control+Shift+ArrowLeft')
  await anna.type('blue')
  await write('the crane is green')
  await page.context().setOffline(false)
  await versions.waitFor()
  await anna.expectShown('the crane is green')
  expect(await versions.textContent()).toContain('Others changed this block while you did.')
  // The block changes on the page while she reads both.
  await write('the crane is white')
  await anna.expectShown('the crane is white')
  await keepMine.click()
  await expect.poll(() => versions.textContent()).toContain('The other version has changed since.')
  expect(await anna.stored()).toEqual(['the crane is white'])
  // The page has not read yet what they change next: the server refuses.
  const held: Route[] = []
  const isRead = /\/blocks\?/
  await page.route(isRead, (route) => void held.push(route))
  await write('the crane is black')
  const refused = answerOf(page, 409)
  await keepMine.click()
  await refused
  for (const route of held) await route.continue()
  await page.unroute(isRead)
  await anna.expectShown('the crane is black')
  await expect.poll(() => versions.locator('.mine').allTextContents()).toContain('the crane is blue')
  expect(await anna.stored()).toEqual(['the crane is black'])
  await keepMine.click()
  await anna.expectStored('the crane is blue')
  await expect.poll(() => versions.count()).toBe(0)
})

test('what is typed into the other version beside both counts as read', async () => {
  const anna = await open('the crane is red')
  const [id] = await anna.ids()
  await anna.page.context().setOffline(true)
  await anna.caretAt('crane')
  await anna.press('Control+Shift+ArrowLeft')
  await anna.type('blue')
  await agent('PUT /blocks', { blocks: [{ id, markdown: 'the crane is green' }] })
  await anna.page.context().setOffline(false)
  await anna.page.locator('.versions').waitFor()
  await anna.expectShown('the crane is green')
  await anna.caretAt('crane')
  await anna.type(' too')
  await anna.expectStored('the crane is green too')
  await anna.page.getByRole('button', { name: 'Keep mine' }).click()
  await anna.expectStored('the crane is blue')
})

test('two tabs of one browser in one block lose no word', async () => {
  const anna = await open('middle')
  const tab = await anna.inAnotherTab()
  await anna.caretAt('middle', 'Home')
  await anna.type('left ')
  await tab.caretAt('middle', 'End')
  await tab.type(' right')
  await anna.expectStored('left middle right')
})

test('what is written without a connection arrives later, in order', async () => {
  const anna = await open('one')
  await anna.page.context().setOffline(true)
  await anna.caretAt('one')
  await anna.type(' more')
  await anna.press('Enter')
  await anna.type('two')
  expect(await anna.stored()).toEqual(['one'])
  await anna.page.context().setOffline(false)
  await anna.expectStored('one more', 'two')
})

test('undo takes back only what this person wrote', async () => {
  const anna = await open('one two')
  const [id] = await anna.ids()
  await anna.caretAt('one two')
  await anna.type(' mine')
  await anna.expectStored('one two mine')
  await agent('PUT /blocks', { blocks: [{ id, markdown: 'their one two mine' }] })
  await anna.expectShown('their one two mine')
  await anna.press('Control+z')
  await anna.expectStored('their one two')
})

test('a block that is deleted by others while it is typed in is there again', async () => {
  const anna = await open('one\n\ntwo')
  const [, id] = await anna.ids()
  await anna.caretAt('two')
  await anna.page.context().setOffline(true)
  await anna.type(' words')
  await agent('DELETE /blocks', { blockIds: [id] })
  await anna.page.context().setOffline(false)
  await expect.poll(async () => (await anna.stored()).join('\n')).toContain('two words')
})

test('a block that is joined while an agent changes it has the words of both, once', async () => {
  const anna = await open('first words\n\nlast words')
  const [, id] = await anna.ids()
  await anna.caretAt('last words')
  await anna.press('Home')
  await anna.page.context().setOffline(true)
  await anna.press('Backspace')
  await anna.type(', ')
  await agent('PUT /blocks', { blocks: [{ id, markdown: '**last** words of Robot' }] })
  await anna.page.context().setOffline(false)
  await anna.expectStored('first words, **last** words of Robot')
  await anna.expectShown('first words, last words of Robot')
})

test('a title that an agent changes is shown, also while the caret is in it', async () => {
  const anna = await open('text')
  await anna.page.locator('article > h1').click()
  await anna.press('End')
  await agent('PUT /blocks', { blocks: [{ id: anna.id, title: { value: 'Big Plan', attributes: [] } }] })
  await expect.poll(() => anna.page.locator('article > h1').textContent()).toBe('Big Plan')
  await anna.type(' B')
  await anna.press('Enter')
  await expect.poll(() => anna.title()).toBe('Big Plan B')
})

test('a title that two change at once has the words of both; only of the same words are both shown', async () => {
  const anna = await open('text')
  const title = anna.page.locator('article > h1')
  const rename = (value: string) =>
    agent('PUT /blocks', { blocks: [{ id: anna.id, title: { value, attributes: [] } }] })
  await anna.page.context().setOffline(true)
  await title.click()
  await anna.press('Home')
  await anna.type('Our ')
  await anna.press('Enter')
  await rename('Plan of Ben')
  await anna.page.context().setOffline(false)
  await expect.poll(() => anna.title()).toBe('Our Plan of Ben')
  await expect.poll(() => title.textContent()).toBe('Our Plan of Ben')
  expect(await anna.page.locator('.versions').count()).toBe(0)
  await anna.page.context().setOffline(true)
  await title.dblclick()
  await anna.press('End', 'Control+Shift+ArrowLeft')
  await anna.type('Anna')
  await anna.press('Enter')
  await rename('Our Plan of Carl')
  // She decides before the page has read what Carl wrote.
  const isRead = /\/blocks\?/
  const held: Route[] = []
  await anna.page.route(isRead, (route) => void held.push(route))
  await anna.page.context().setOffline(false)
  const keepMine = anna.page.getByRole('button', { name: 'Keep mine' })
  await keepMine.waitFor()
  const refused = answerOf(anna.page, 409)
  await keepMine.click()
  await refused
  for (const route of held) await route.continue()
  await anna.page.unroute(isRead)
  await expect.poll(() => title.textContent()).toBe('Our Plan of Carl')
  expect(await anna.title()).toBe('Our Plan of Carl')
  await keepMine.click()
  await expect.poll(() => anna.title()).toBe('Our Plan of Anna')
  await expect.poll(() => title.textContent()).toBe('Our Plan of Anna')
})

test('words that were typed last are stored when the tab is closed at once', async () => {
  const anna = await open('one')
  await anna.caretAt('one')
  await anna.type(' last')
  await anna.page.close({ runBeforeUnload: false })
  await anna.expectStored('one last')
})

test('a key that moves the caret counts, although a change of others arrives at once', async () => {
  const anna = await open('one')
  const [id] = await anna.ids()
  await anna.caretAt('one', 'Home')
  // The browser tells of its caret later than the change is shown.
  await anna.page.evaluate(moveCaretWhileDrawing)
  await agent('PUT /blocks', { blocks: [{ id, markdown: 'one two', base: 'one' }] })
  await anna.expectShown('one two')
  await anna.type('!')
  await anna.expectStored('one! two')
})

const answerOf = (page: Page, status: number) => page.waitForResponse((response) => response.status() === status)

/** Moves the caret to the end of its line while the page draws what it has read of the document. */
function moveCaretWhileDrawing(): void {
  const { createElement } = document
  document.createElement = (name: string) => {
    if (name !== 'template') return createElement.call(document, name)
    document.createElement = createElement
    getSelection()?.modify('move', 'forward', 'lineboundary')
    return document.createElement(name)
  }
}

test('two versions stay at their block while others move blocks and change them', async () => {
  const anna = await open('first\n\nthe crane is red\n\nlast')
  const ids = await anna.ids()
  await anna.page.context().setOffline(true)
  await anna.caretAt('crane')
  await anna.press('Control+Shift+ArrowLeft')
  await anna.type('blue')
  await agent('PUT /blocks', { blocks: [{ id: ids[1], markdown: 'the crane is green' }] })
  await anna.page.context().setOffline(false)
  await anna.page.locator(`#b${ids[1]} .versions`).waitFor()
  const blocks = ids.map((id, index) => ({ id, markdown: ['first again', 'the crane is white', 'last again'][index] }))
  const move = { blockIds: [ids[1]], position: { position: 'end', pageId: anna.id } }
  await agent('POST /batch', {
    steps: [
      { tool: 'blocks_update', arguments: { blocks } },
      { tool: 'blocks_move', arguments: move },
    ],
  })
  await anna.expectShown('first again', 'last again', 'the crane is white')
  expect(await anna.page.locator(`#b${ids[1]} > .versions .mine`).allTextContents()).toContain('the crane is blue')
  expect(await anna.page.locator('.block > .who').count()).toBe(3)
})

test('undo takes back what a closed tab wrote without a connection, also if it arrives after the page was opened', async () => {
  const anna = await open('one')
  await anna.caretAt('one')
  await anna.type(' early')
  await anna.expectStored('one early')
  const spare = await anna.inAnotherTab()
  await anna.page.context().setOffline(true)
  await anna.caretAt('one early')
  await anna.type(' late')
  await anna.page.close()
  await anna.page.context().setOffline(false)
  await spare.page.reload()
  await spare.expectShown('one early late')
  await spare.press('Control+z')
  await spare.expectStored('one early')
})

test('two versions are shown although what shows them could not be loaded at first', async () => {
  const anna = await open('the crane is red')
  const [id] = await anna.ids()
  const isLate = /\bversions-/
  // A service worker has all scripts: this is a browser without one, or its first visit.
  await anna.page.evaluate(async () => {
    for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister()
  })
  await anna.page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  await anna.page.reload()
  await anna.page.locator('html.edits').waitFor()
  await anna.page.route(isLate, (route) => route.abort())
  await anna.page.context().setOffline(true)
  await anna.caretAt('crane')
  await anna.press('Control+Shift+ArrowLeft')
  await anna.type('blue')
  await agent('PUT /blocks', { blocks: [{ id, markdown: 'the crane is green' }] })
  const failed = anna.page.waitForEvent('requestfailed', (request) => isLate.test(request.url()))
  await anna.page.context().setOffline(false)
  await failed
  await anna.page.unroute(isLate)
  await anna.caretAt('crane', 'Home')
  await anna.type('Now ')
  await anna.page.locator('.versions').waitFor()
  expect(await anna.page.locator('.versions .mine').allTextContents()).toContain('the crane is blue')
})
