/** Comments beside the text, and below the blocks of a narrow window. */
import { afterEach, expect, test } from 'vitest'
import { agent, type OpenedDocument, openDocument } from './opened-document.ts'

const opened: OpenedDocument[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) {
    await one.page.setViewportSize({ width: 1280, height: 900 })
    await one.close()
  }
})

async function commented(width = 1440) {
  const anna = await openDocument('one two three\n\nfour five\n\nsix seven\n\neight')
  opened.push(anna)
  await anna.page.setViewportSize({ width, height: 900 })
  const ids = await anna.ids()
  const comment = (given: object) => agent('POST /comments', { comments: [given] })
  await comment({ blockId: ids[0], words: 'two', content: 'Which two?' })
  await comment({ blockId: ids[1], words: 'five', content: 'Five what?\nAnd why?' })
  await comment({ blockId: ids[1], words: 'four', content: 'Not four.' })
  await comment({ blockId: ids[2], content: 'All of this.' })
  return { anna, page: anna.page, ids, comment }
}

test('threads stand beside their words and do not overlap, and the one whose words are clicked stands at them', async () => {
  const { page, anna } = await commented()
  const threads = page.locator('.threads > .thread')
  await expect.poll(() => threads.count()).toBe(4)
  const boxes = async () => Promise.all((await threads.all()).map(async (one) => (await one.boundingBox()) ?? fail()))
  const textEnd = await page.locator('article > h1').evaluate((title) => title.getBoundingClientRect().right)
  const tops = async () => (await boxes()).map(({ y }) => Math.round(y)).toSorted((one, other) => one - other)
  const expectApart = async () => {
    const sorted = (await boxes()).toSorted((one, other) => one.y - other.y)
    for (const [index, one] of sorted.entries()) {
      const before = sorted[index - 1]
      if (before !== undefined) expect(one.y).toBeGreaterThanOrEqual(before.y + before.height)
      expect(one.x).toBeGreaterThan(textEnd)
      expect(one.x + one.width).toBeLessThanOrEqual(1440)
    }
  }
  await page.locator('.threads').evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
  await expectApart()
  const last = page.locator('.threads > .thread', { hasText: 'All of this.' })
  await page.locator('.part .commented', { hasText: 'six seven' }).click()
  await expect.poll(() => last.getAttribute('class')).toContain('shown')
  const words = await page.locator('.part .commented', { hasText: 'six seven' }).boundingBox()
  await expect.poll(async () => Math.round(((await last.boundingBox()) ?? fail()).y - (words?.y ?? 0))).toBeLessThan(8)
  await page.locator('.threads').evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
  await expectApart()
  const before = await tops()
  // A line above moves them all.
  await anna.caretAt('one two three', 'Home')
  await anna.press('Enter')
  await expect.poll(async () => (await tops())[0] ?? 0).toBeGreaterThan(before[0] ?? 0)
})

test('a thread shows its words, and Esc leads back to the text', async () => {
  const { page, anna } = await commented()
  await anna.caretAt('eight')
  const thread = page.getByRole('region', { name: 'Comments on "five"' })
  const words = page.locator('.part .commented', { hasText: 'five' })
  const backgroundOf = () => words.evaluate((one) => getComputedStyle(one).backgroundColor)
  await thread.waitFor()
  expect(await backgroundOf()).toBe('rgba(0, 0, 0, 0)')
  await thread.focus()
  await expect.poll(backgroundOf).not.toBe('rgba(0, 0, 0, 0)')
  await anna.press('Escape')
  await expect.poll(backgroundOf).toBe('rgba(0, 0, 0, 0)')
  await anna.type('!')
  await expect.poll(async () => (await anna.stored()).at(-1)).toBe('eight!')
})

test('Ctrl Enter sends an answer, one button resolves the whole thread, and reopens it', async () => {
  const { page, anna, ids } = await commented()
  const openIn = async () => (await openComments(anna.id)).filter(({ blockId }) => blockId === ids[0]).length
  const thread = page.getByRole('region', { name: 'Comments on "two"' })
  await thread.getByRole('link', { name: 'Answer' }).click()
  await page.locator('#panel textarea').fill('The second.')
  await anna.press('Control+Enter')
  await thread.getByText('The second.').waitFor()
  expect(await openIn()).toBe(2)
  await thread.getByRole('button', { name: 'Resolve' }).click()
  await thread.getByRole('button', { name: 'Reopen' }).waitFor()
  expect(await openIn()).toBe(0)
  await thread.getByRole('button', { name: 'Reopen' }).click()
  await thread.getByRole('button', { name: 'Resolve' }).waitFor()
  expect(await openIn()).toBe(2)
})

test('what was sent is no draft when the next form on the block opens', async () => {
  const { page, anna } = await commented()
  const thread = page.getByRole('region', { name: 'Comments on "two"' })
  const field = page.locator('#panel textarea')
  for (const answer of ['The second.', 'Or the third.']) {
    await thread.getByRole('link', { name: 'Answer' }).click()
    await field.waitFor()
    expect([await field.inputValue(), await page.locator('#panel .kept').count()]).toEqual(['', 0])
    await anna.type(answer)
    await anna.press('Control+Enter')
    await thread.getByText(answer).waitFor()
    await field.waitFor({ state: 'hidden' })
  }
  // What was not sent is kept for this thread, and for no other one on the block.
  await thread.getByRole('link', { name: 'Answer' }).click()
  await field.waitFor()
  await anna.type('Not yet')
  await anna.press('Escape')
  await field.waitFor({ state: 'hidden' })
  await thread.getByRole('link', { name: 'Answer' }).click()
  await page.locator('#panel .kept').waitFor()
  expect(await field.inputValue()).toBe('Not yet')
})

test('a thread that is resolved without a connection is resolved once there is one', async () => {
  const { page, anna, ids } = await commented()
  const thread = page.getByRole('region', { name: 'Comments on "two"' })
  await thread.waitFor()
  await page.context().setOffline(true)
  await thread.getByRole('button', { name: 'Resolve' }).click()
  await page.locator('.announcement').getByText('You are offline.').waitFor()
  await page.context().setOffline(false)
  await expect.poll(async () => (await openComments(anna.id)).some(({ blockId }) => blockId === ids[0])).toBe(false)
  await thread.getByRole('button', { name: 'Reopen' }).waitFor()
})

test('in a narrow window, threads open from their number at the block, and close with Esc', async () => {
  const { page, ids, comment } = await commented(390)
  const numbers = page.locator('.comments > summary')
  await expect.poll(() => numbers.allTextContents()).toEqual(['1 comment', '2 comments', '1 comment'])
  expect(await page.locator('.threads').count()).toBe(0)
  const thread = page.getByRole('region', { name: 'Comments on "two"' })
  expect(await thread.isVisible()).toBe(false)
  await numbers.first().click()
  await thread.getByText('Which two?').waitFor()
  // It stays open when the block is drawn anew.
  await comment({ blockId: ids[0], words: 'three', content: 'Three?' })
  await page.getByText('Three?').waitFor()
  await thread.getByRole('link', { name: 'Answer' }).focus()
  await page.locator('.part .commented', { hasText: 'two' }).click()
  await expect.poll(() => thread.getAttribute('class')).toContain('shown')
  await thread.getByRole('link', { name: 'Answer' }).press('Escape')
  await expect.poll(() => thread.isVisible()).toBe(false)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('2 comments')
})

test('the list of open comments leads to the words of each, and resolves threads', async () => {
  const { page, anna, ids } = await commented()
  await page.getByRole('link', { name: 'Comments', exact: true }).click()
  await page.getByRole('heading', { name: 'Open comments' }).waitFor()
  expect(await page.locator('.thread').count()).toBe(4)
  const first = page.getByRole('region', { name: 'Comments on "two"' })
  await first.getByRole('button', { name: 'Resolve' }).click()
  await expect.poll(() => first.count()).toBe(0)
  expect((await openComments(anna.id)).some(({ blockId }) => blockId === ids[0])).toBe(false)
  await page.getByRole('region', { name: 'Comments on "four"' }).getByRole('link', { name: 'Show in the text' }).click()
  await page.locator('.threads > .shown').getByText('Not four.').waitFor()
})

const openComments = async (id: string) =>
  (await agent(`GET /comments?documentId=${id}`)).items as unknown as { blockId: string }[]

function fail(): never {
  throw new Error('Expected a thread with a box, found one that is not drawn.')
}
