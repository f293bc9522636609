/** Members are offered behind `@` while a comment is written. */
import { afterEach, expect, test } from 'vitest'
import { examine } from '../../../prove/pages/browser.ts'
import { agent, type OpenedDocument, openDocument } from './opened-document.ts'

const opened: OpenedDocument[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

/** The form for an answer, in the dialog or on its own page. */
async function commenting(place: 'dialog' | 'page') {
  const anna = await openDocument('one two three')
  opened.push(anna)
  const { page } = anna
  const [blockId = ''] = await anna.ids()
  await agent('POST /comments', { comments: [{ blockId, content: 'Which?' }] })
  const answer = page.locator('.threads > .thread a', { hasText: 'Answer' })
  await answer.waitFor()
  if (place === 'dialog') await answer.click()
  else await page.goto(new URL((await answer.getAttribute('href')) ?? '', page.url()).href)
  const field = page.locator('textarea[name="text"]')
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  return { one: anna, page, field, list: page.getByRole('listbox', { name: 'Members to mention' }) }
}

test.each(['dialog', 'page'] as const)('a member is named by keys in a %s', async (place) => {
  const { one, page, field, list } = await commenting(place)
  await one.type('Ask @r')
  await list.waitFor()
  const options = () => list.getByRole('option').allTextContents()
  const offered = await options()
  expect(offered.length).toBeGreaterThan(1)
  expect(await field.getAttribute('aria-activedescendant')).toBe('mentions-0')
  // A list that appears is lighter for a moment.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
  expect((await examine(page, 'light')).faults).toEqual([])
  await one.press('ArrowDown')
  expect(await field.getAttribute('aria-activedescendant')).toBe('mentions-1')
  expect(await list.locator('[aria-selected="true"]').textContent()).toBe(offered[1])
  // Escape closes the list alone, and what is typed on opens it again.
  await one.press('Escape')
  await list.waitFor({ state: 'hidden' })
  expect(await field.isVisible()).toBe(true)
  await one.type('ob')
  await expect.poll(options).toEqual([expect.stringContaining('@Robot')])
  await one.press('Enter')
  await list.waitFor({ state: 'hidden' })
  // It has no handle, so it is named as mentions are stored.
  expect(await field.inputValue()).toMatch(/^Ask \[@Robot\]\(person:\/\/\d+\) $/)
  await one.type('about it')
  await one.press('Control+Enter')
  const sent = page.locator('.threads > .thread p', { hasText: 'about it' })
  await sent.waitFor()
  expect(await sent.textContent()).toBe('Ask @Robot about it')
})

test('@ alone offers members, which what is typed on narrows, and a space closes', async () => {
  const { one, field, list } = await commenting('dialog')
  const options = list.getByRole('option')
  await one.type('Ask @')
  await list.waitFor()
  expect(await options.count()).toBeGreaterThan(1)
  expect(await options.count()).toBeLessThanOrEqual(5)
  expect(await field.getAttribute('aria-controls')).toBe('mentions')
  await one.type('rob')
  await expect.poll(() => options.allTextContents()).toEqual([expect.stringContaining('@Robot')])
  await one.press('Backspace', 'Backspace', 'Backspace')
  await expect.poll(() => options.count()).toBeGreaterThan(1)
  await one.press('Escape')
  await list.waitFor({ state: 'hidden' })
  expect(await field.getAttribute('aria-controls')).toBeNull()
  expect(await field.isVisible()).toBe(true)
  // Enter is a new line again, and where a word follows there is nothing to complete.
  await one.press('Enter')
  expect(await field.inputValue()).toBe('Ask @\n')
  await one.type('@')
  await list.waitFor()
  await one.press('Tab')
  expect(await field.inputValue()).toMatch(/^Ask @\n(?:\[@.+\]\(person:\/\/\d+\)|@\S+) $/)
  await one.type('@')
  await list.waitFor()
  await one.type(' ')
  await list.waitFor({ state: 'hidden' })
})

test('a click names a member, and an address opens no list', async () => {
  const { one, field, list } = await commenting('dialog')
  await one.type('Mail anna@rob')
  await one.type(' or @rob')
  await list.waitFor()
  await list.getByRole('option').first().click()
  expect(await field.inputValue()).toMatch(/^Mail anna@rob or .*robot.* $/i)
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await list.isVisible()).toBe(false)
})
