/** Suggestions in the text of a document: deciding on them, typing beside them, and making them. */
import { afterEach, expect, test } from 'vitest'
import { agent, type OpenedDocument, openDocument, type Person, robot } from './opened-document.ts'

const opened: OpenedDocument[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})
const open = async (markdown: string) => {
  const anna = await openDocument(markdown)
  opened.push(anna)
  return anna
}
const beside = async (anna: OpenedDocument, person: Person) => {
  const other = await anna.inAnotherBrowser(person)
  opened.push(other)
  return other
}

/** The suggestion below a block, or in place of one. */
const suggestion = ({ page }: OpenedDocument, does: string) => page.locator('.suggestion', { hasText: does })
const decide = (anna: OpenedDocument, verb: 'Accept' | 'Reject', does: string) =>
  suggestion(anna, does)
    .first()
    .getByRole('button', { name: new RegExp(`^${verb}`) })
    .click()
/** Words of a kind that are drawn in the text. */
const words = ({ page }: OpenedDocument, tag: 'ins.new' | 'del.old') => page.locator(`.block ${tag}`).allTextContents()

test('words are drawn in the text while somebody types beside them, and are text once they are accepted', async () => {
  const anna = await open('Permits take six weeks.\n\nThe end.')
  const [first] = await anna.ids()
  await robot('PUT /blocks', { blocks: [{ id: first, markdown: 'Permits take nine weeks.' }] })
  await suggestion(anna, 'changes words').waitFor()
  expect(await words(anna, 'ins.new')).toEqual(['nine'])
  expect(await words(anna, 'del.old')).toEqual(['six'])
  const heard = 'Suggestion by agent: strike “six”, insert “nine”'
  expect(await anna.page.getByRole('group', { name: heard, exact: true }).count()).toBe(1)
  const shown = () => suggestion(anna, 'changes words').locator('[name="part"]').first().getAttribute('value')
  const before = await shown()
  await anna.caretAt('Permits', 'Home')
  await anna.type('Most ')
  await anna.expectStored('Most Permits take six weeks.', 'The end.')
  await expect.poll(shown).not.toBe(before)
  await expect.poll(() => words(anna, 'ins.new')).toEqual(['nine'])
  await anna.press('Control+a')
  expect((await anna.copied()).text).toBe('Most Permits take six weeks.')
  await decide(anna, 'Accept', 'changes words')
  await anna.expectStored('Most Permits take nine weeks.', 'The end.')
  await anna.expectShown('Most Permits take nine weeks.', 'The end.')
  await expect.poll(() => suggestion(anna, 'changes words').count()).toBe(0)
})

test('new blocks, removed ones and rows of a table are decided on one by one', async () => {
  const anna = await open('one\n\ntwo\n\n| A |\n| --- |\n| 1 |')
  const [one, two, table] = await anna.ids()
  await robot('POST /blocks', { markdown: 'three\n\nfour', position: { position: 'after', siblingId: one } })
  await robot('DELETE /blocks', { blockIds: [two] })
  await robot('PUT /blocks', { blocks: [{ id: table, markdown: '| A |\n| --- |\n| 1 |\n| 2 |' }] })
  await expect.poll(() => suggestion(anna, 'adds this').count()).toBe(2)
  await decide(anna, 'Reject', 'adds this')
  await expect.poll(() => suggestion(anna, 'adds this').count()).toBe(1)
  await decide(anna, 'Accept', 'adds this')
  await anna.expectShown('one', 'four', 'two', 'A1')
  await decide(anna, 'Accept', 'removes this')
  await anna.expectShown('one', 'four', 'A1')
  await decide(anna, 'Accept', 'changes this')
  await anna.expectStored('one', 'four', '| A |\n| --- |\n| 1 |\n| 2 |')
})

test('what is suggested for a picture, a link and a line is drawn once', async () => {
  const anna = await open('![A](https://a.example/a.png)\n\n[B](https://b.example/)\n\n---')
  const [picture, link, line] = await anna.ids()
  await robot('PUT /blocks', { blocks: [{ id: picture, markdown: '![C](https://a.example/c.png)' }] })
  await robot('PUT /blocks', { blocks: [{ id: link, markdown: '[D](https://b.example/)' }] })
  await robot('DELETE /blocks', { blockIds: [line] })
  await suggestion(anna, 'removes this').waitFor()
  await anna.page.reload()
  // Those of the server stand in the block, and those of the editor beside it.
  await expect.poll(() => anna.page.locator('.part[contenteditable] > .suggested-below .suggestion').count()).toBe(3)
  expect(await anna.page.locator('.suggestion').count()).toBe(3)
})

test('a suggestion is as wide as the page, however long its words are', async () => {
  const anna = await open('one')
  const [one] = await anna.ids()
  const long = 'w'.repeat(400)
  const markdown = `${long}\n\n<callout title="${long}">\n${long}\n</callout>\n\n| A |\n| --- |\n| ${long} |`
  await robot('POST /blocks', { markdown, position: { position: 'after', siblingId: one } })
  await expect.poll(() => suggestion(anna, 'adds this').count()).toBe(3)
  expect(await anna.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
})

test('words of a callout, a quote and a toggle are marked in them, and stay in them when they are accepted', async () => {
  const anna = await open(
    '<callout title="Mind">\nThe tide is low.\n</callout>\n\n> The tide is low.\n\n+ The tide is low.',
  )
  const [callout, quote, toggle] = await anna.ids()
  await robot('PUT /blocks', {
    blocks: [
      { id: callout, markdown: '<callout>The tide is high.</callout>' },
      { id: quote, markdown: '> The tide is high.' },
      { id: toggle, markdown: '+ The tide is high.' },
    ],
  })
  await expect.poll(() => suggestion(anna, 'changes words').count()).toBe(3)
  expect(await words(anna, 'ins.new')).toEqual(['high', 'high', 'high'])
  expect(await words(anna, 'del.old')).toEqual(['low', 'low', 'low'])
  expect(await anna.page.locator('.block.callout del.old').count()).toBe(1)
  expect(await anna.page.locator('.proposed').count()).toBe(0)
  for (let left = 2; left >= 0; left--) {
    await decide(anna, 'Accept', 'changes words')
    await expect.poll(() => suggestion(anna, 'changes words').count()).toBe(left)
  }
  await anna.expectShown('The tide is high.', 'The tide is high.', 'The tide is high.')
  expect(await anna.page.locator('.block.callout .callout-title').textContent()).toBe('Mind')
})

test('what is suggested for comments stands below their block, and is decided there', async () => {
  const anna = await open('Permits take six weeks.\n\nThe end.')
  const [first, last] = await anna.ids()
  const comments = [{ blockId: first, content: 'Who says so?', words: 'six weeks' }]
  const { commentId } = (await agent('POST /comments', { comments })) as unknown as { commentId: string }
  await robot('PUT /comments', { comments: [{ commentId, resolved: true }] })
  await robot('POST /comments', { comments: [{ blockId: last, content: 'Is it?\nReally?' }] })
  const changes = suggestion(anna, 'changes comments')
  await expect.poll(() => changes.count()).toBe(2)
  const { PICTURES } = process.env
  if (PICTURES) await anna.page.screenshot({ path: `${PICTURES}-comments.png`, fullPage: true })
  const sentence = anna.page.locator('.block', { hasText: 'Permits' }).locator('+ .suggested-below .details')
  expect(await sentence.textContent()).toBe(
    'Resolves the comment by Anna on six weeks in Permits take six weeks.: Who says so?',
  )
  await decide(anna, 'Accept', 'Resolves the comment')
  await expect.poll(() => changes.count()).toBe(1)
  await decide(anna, 'Reject', 'Adds a comment')
  await expect.poll(() => changes.count()).toBe(0)
  const { items } = await agent(`GET /comments?documentId=${anna.id}`)
  expect(items).toEqual([])
})

test('who may only propose suggests by typing: what is accepted stays, and what is rejected goes', async () => {
  const anna = await open('one two\n\nthree')
  const other = await beside(anna, 'Robot')
  await other.caretAt('one two')
  await other.type(' and a half')
  await other.press('Enter')
  await other.type('new')
  await other.caretAt('three')
  await other.type(' point one')
  await expect.poll(() => suggestion(anna, 'Robot').count()).toBe(3)
  await anna.expectStored('one two', 'three')
  await expect.poll(() => words(other, 'ins.new')).toEqual([' and a half', ' point one'])
  // What is left after a decision waits as another proposal.
  const left = () => suggestion(anna, 'changes words').last().locator('[name="part"]').first().getAttribute('value')
  const proposal = async () => (await left())?.split(' ')[0]
  const accept = async (does: string) => {
    const before = await proposal()
    await decide(anna, 'Accept', does)
    await expect.poll(proposal).not.toBe(before)
  }
  await accept('adds this')
  await anna.expectStored('one two', 'new', 'three')
  await accept('changes words')
  await anna.expectStored('one two and a half', 'new', 'three')
  await other.expectShown('one two and a half', 'new', 'three point one')
  await expect.poll(() => words(other, 'ins.new')).toEqual([' point one'])
  await decide(anna, 'Reject', 'changes words')
  await other.expectShown('one two and a half', 'new', 'three')
  await anna.expectStored('one two and a half', 'new', 'three')
})

test('whoever may write suggests, too, and takes it back', async () => {
  const anna = await open('one two')
  await anna.page.getByRole('link', { name: 'Suggest', exact: true }).click()
  await anna.page.locator('.suggesting').waitFor()
  await anna.page.locator('html.edits').waitFor()
  await anna.caretAt('one two')
  await anna.type(' three')
  const waiting = async () =>
    (await agent('GET /proposals')).items.filter((item) => JSON.stringify(item).includes('"Anna"'))
  await expect.poll(async () => (await waiting()).length).toBe(1)
  await anna.expectStored('one two')
  for (let at = 0; at < ' three'.length; at++) await anna.press('Backspace')
  await expect.poll(async () => (await waiting()).length).toBe(0)
})

/** The waiting proposals of an author that change this document. */
const waitingOf = async ({ id }: OpenedDocument) => {
  const { items } = (await agent(`GET /proposals/parts?documentId=${id}`)) as unknown as {
    items: { proposalId: string; part: string; fingerprint: string; after?: string }[]
  }
  return {
    items,
    proposals: [...new Set(items.map(({ proposalId }) => proposalId))],
    texts: items.map(({ after }) => after),
  }
}
const reload = async ({ page }: OpenedDocument) => {
  await page.reload()
  await page.locator('html.edits').waitFor()
}

test('what somebody suggested is theirs to change after the page is loaded again, as the same proposal', async () => {
  const anna = await open('one\n\ntwo\n\nthree\n\nfour')
  const other = await beside(anna, 'Robot')
  await other.caretAt('one')
  await other.type(' more')
  await other.press('Enter')
  await other.type('new')
  await other.caretAt('three')
  await other.press('Shift+Home', 'Backspace', 'Backspace')
  await expect.poll(async () => (await waitingOf(anna)).texts).toEqual(['one more', 'new', undefined])
  const { proposals } = await waitingOf(anna)
  expect(proposals).toHaveLength(1)
  await reload(other)
  await other.expectShown('one more', 'new', 'two', 'four')
  expect(await words(other, 'ins.new')).toEqual([' more'])
  expect(await other.page.locator('.block.is-added').allTextContents()).toEqual(['new'])
  expect(await other.page.locator('.is-removed del').allTextContents()).toEqual(['three'])
  await other.caretAt('one more')
  await other.type(' and more')
  await other.caretAt('new')
  await other.type('er')
  await expect.poll(async () => (await waitingOf(anna)).texts).toEqual(['one more and more', 'newer', undefined])
  expect((await waitingOf(anna)).proposals).toEqual(proposals)
  await anna.expectStored('one', 'two', 'three', 'four')
  await reload(other)
  await other.expectShown('one more and more', 'newer', 'two', 'four')
  const [, { proposalId, fingerprint, part } = {}] = (await waitingOf(anna)).items
  const shown = suggestion(anna, 'adds this').first().locator('[name="part"]').first()
  await expect.poll(() => shown.getAttribute('value')).toBe(`${proposalId} ${fingerprint} ${part}`)
  await decide(anna, 'Accept', 'adds this')
  await anna.expectStored('one', 'newer', 'two', 'three', 'four')
  await other.expectShown('one more and more', 'newer', 'two', 'four')
  await expect.poll(() => other.page.locator('.block.is-added').count()).toBe(0)
})

test('one button takes back what was suggested for a block, and one takes back everything', async () => {
  const anna = await open('one\n\ntwo\n\nthree')
  const other = await beside(anna, 'Robot')
  await other.page.locator('article > h1').click()
  await other.press('End')
  await other.type(' B')
  await other.caretAt('one')
  await other.type(' more')
  await other.caretAt('two')
  await other.type(' more')
  await expect.poll(async () => (await waitingOf(anna)).texts.length).toBe(3)
  await reload(other)
  const button = (name: string) => other.page.getByRole('button', { name, exact: true })
  await button('Withdraw what you suggest here').first().click()
  await expect.poll(async () => (await waitingOf(anna)).texts).toEqual(['Plan B', 'two more'])
  await other.expectShown('one', 'two more', 'three')
  await button('Withdraw all').click()
  await expect.poll(async () => (await waitingOf(anna)).texts).toEqual([])
  await other.expectShown('one', 'two', 'three')
  await expect.poll(() => other.page.locator('article > h1').textContent()).toBe('Plan')
  await expect.poll(() => button('Withdraw all').count()).toBe(0)
  await reload(other)
  await other.expectShown('one', 'two', 'three')
})

test('proposals of one person for one page become one once they go on', async () => {
  const anna = await open('one\n\ntwo')
  const other = await beside(anna, 'Robot')
  await other.caretAt('one')
  await other.type(' more')
  await expect.poll(async () => (await waitingOf(anna)).texts).toEqual(['one more'])
  const tab = await other.inAnotherTab()
  await reload(other)
  await tab.expectShown('one more', 'two')
  await tab.caretAt('two')
  await tab.type(' more')
  await expect.poll(async () => (await waitingOf(anna)).texts).toEqual(['one more', 'two more'])
  expect((await waitingOf(anna)).proposals).toHaveLength(1)
  await other.expectShown('one more', 'two more')
})

test('a title is suggested with the text below it, and is the old one again when it is rejected', async () => {
  const anna = await open('one two')
  const other = await beside(anna, 'Robot')
  const before = await anna.title()
  const title = other.page.locator('article > h1')
  const suggest = async () => {
    await title.click()
    await other.press('End')
    await other.type(' B')
    await other.press('Enter')
  }
  await suggest()
  await other.caretAt('one two')
  await other.type(' three')
  await expect.poll(() => suggestion(anna, 'changes').count()).toBe(2)
  expect(await anna.title()).toBe(before)
  expect(await title.getAttribute('class')).toContain('suggested')
  await decide(anna, 'Reject', 'changes')
  await expect.poll(() => title.textContent()).toBe(before)
  expect(await title.getAttribute('class')).toBe('editable')
  await expect.poll(() => suggestion(anna, 'changes').count()).toBe(1)
  await suggest()
  await expect.poll(() => suggestion(anna, 'changes').count()).toBe(2)
  await decide(anna, 'Accept', 'changes')
  await expect.poll(() => anna.title()).toBe(`${before} B`)
  await expect.poll(() => title.getAttribute('class')).toBe('editable')
  await anna.expectStored('one two')
  await other.expectShown('one two three')
})

test('where the text changes meanwhile, a suggestion moves with its words, and shows both where they are gone', async () => {
  const anna = await open('the crane is red\n\nthe quay is closed')
  const [first, second] = await anna.ids()
  const base = ['the crane is red', 'the quay is closed']
  await robot('PUT /blocks', {
    blocks: [
      { id: first, markdown: 'the crane is blue', base: base[0] },
      { id: second, markdown: 'the quay is open', base: base[1] },
    ],
  })
  await expect.poll(() => suggestion(anna, 'changes words').count()).toBe(2)
  await agent('PUT /blocks', {
    blocks: [
      { id: first, markdown: 'in the harbour the crane is red' },
      { id: second, markdown: 'the quay is flooded' },
    ],
  })
  await suggestion(anna, 'words that are gone').waitFor()
  expect(await suggestion(anna, 'words that are gone').locator('.proposed').textContent()).toContain(
    'the quay is flooded',
  )
  await decide(anna, 'Accept', 'changes words')
  await anna.expectStored('in the harbour the crane is blue', 'the quay is flooded')
})

test('values of a collection are drawn in its table, and are values once they are accepted', async () => {
  const anna = await open('one')
  const schema = { name: 'Jobs', properties: [{ name: 'Cost', type: 'number' }] }
  const { collectionBlockId } = await agent('POST /collections', {
    schema,
    position: { position: 'end', pageId: anna.id },
  })
  const path = `/collections/${collectionBlockId}/items`
  const { items } = await agent(`POST ${path}`, { items: [{ title: 'Dig', properties: { Cost: 1 } }] })
  const row = anna.page.locator(`[data-item="${items[0]?.id}"]`)
  await row.waitFor()
  await robot(`PUT ${path}`, { itemsToUpdate: [{ id: items[0]?.id, properties: { Cost: 2 } }] })
  await row.locator('ins.new').waitFor()
  expect(await row.locator('del.old').allTextContents()).toEqual(['1'])
  expect(await row.locator('ins.new').allTextContents()).toEqual(['2'])
  expect(await anna.page.locator('.elsewhere').count()).toBe(0)
  await anna.page
    .locator('.suggested-row')
    .getByRole('button', { name: /^Accept/ })
    .click()
  await expect.poll(() => row.locator('[data-key="cost"]').textContent()).toBe('2')
  await expect.poll(() => anna.page.locator('.suggested-row').count()).toBe(0)
})

test('those who only read see nothing of it', async () => {
  const anna = await open('one two')
  const [first] = await anna.ids()
  await robot('PUT /blocks', { blocks: [{ id: first, markdown: 'one secret' }] })
  await suggestion(anna, 'changes words').waitFor()
  const rita = await beside(anna, 'Rita')
  expect(await rita.page.content()).not.toContain('secret')
  expect(await rita.page.locator('.suggestion, .suggestions, ins, #nav .dot.waits').count()).toBe(0)
})
