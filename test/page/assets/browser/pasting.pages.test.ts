/** What is pasted. What each program copies is converted in test/page/pasted.test.ts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { agent, type OpenedDocument, openDocument } from './opened-document.ts'

let opened: OpenedDocument | undefined
afterEach(() => opened?.close())
const open = async (markdown: string) => {
  opened = await openDocument(markdown)
  return opened
}
const sample = (name: string) => readFileSync(join(import.meta.dirname, '../../pasted', name), 'utf8')

test('HTML becomes blocks, one undo takes them out, and redo brings them back', async () => {
  const anna = await open('before')
  await anna.caretAt('before')
  await anna.paste({
    'text/html': '<h2>Head</h2><ul><li><b>one</b><li>two</ul><iframe srcdoc="&lt;p>in it">',
    'text/plain': 'x',
  })
  await anna.expectStored('before', '## Head', '- **one**', '- two', 'in it')
  await anna.press('Control+z')
  await anna.expectStored('before')
  await anna.press('Control+Shift+z')
  await anna.expectStored('before', '## Head', '- **one**', '- two', 'in it')
})

test('what is pasted over an empty line goes with one undo, and comes back with redo, twice', async () => {
  const anna = await open('before\n\nafter')
  await anna.caretAt('before')
  await anna.press('Enter')
  await anna.expectStored('before', '', 'after')
  await anna.paste({ 'text/html': '<h2>Head</h2><p>one</p>', 'text/plain': 'x' })
  await anna.expectStored('before', '## Head', 'one', 'after')
  for (const _ of [1, 2]) {
    await anna.press('Control+z')
    await anna.expectStored('before', '', 'after')
    await anna.press('Control+Shift+z')
    await anna.expectStored('before', '## Head', 'one', 'after')
  }
  expect(await anna.page.locator('[role="status"], [role="alert"]').allTextContents()).not.toContainEqual(
    expect.stringContaining('Expected'),
  )
})

test('all that was deleted comes back with undo, and goes again with redo', async () => {
  const anna = await open('one\n\ntwo')
  await anna.caretAt('one')
  await anna.press('Control+a', 'Control+a', 'Delete')
  await anna.expectShown('')
  await anna.press('Control+z')
  await anna.expectShown('one', 'two')
  await anna.expectStored('one', 'two')
  await anna.press('Control+Shift+z')
  await anna.expectShown('')
  await anna.press('Control+z')
  await anna.expectStored('one', 'two')
  expect(await anna.page.locator('[role="status"], [role="alert"]').allTextContents()).not.toContainEqual(
    expect.stringContaining('Expected'),
  )
})

test.each(['google-docs', 'word', 'chatgpt'])('what %s copies', async (name) => {
  const anna = await open('')
  await anna.page.locator('.part p').click()
  await anna.paste({ 'text/html': sample(`${name}.html`), 'text/plain': 'x' })
  await expect.poll(async () => (await anna.stored()).length).toBeGreaterThan(2)
  const [first = ''] = sample(`${name}.md`).split('\n\n')
  expect((await anna.stored())[0]).toBe(first)
})

test('Markdown becomes blocks between the halves of a text', async () => {
  const anna = await open('left right')
  await anna.caretAt('left right', 'Home')
  await anna.press(...Array(5).fill('ArrowRight'))
  await anna.paste({ 'text/plain': '# Head\n\n- a\n- b' })
  await anna.expectStored('left', '# Head', '- a', '- b', 'right')
})

test('text in a line stays in the line, with its marks', async () => {
  const anna = await open('so')
  await anna.caretAt('so')
  await anna.paste({ 'text/plain': ' it is **said**' })
  await anna.expectStored('so it is **said**')
})

test('in code, all is text', async () => {
  const anna = await open('```\na\n```')
  await anna.page.locator('pre code').click()
  await anna.press('Control+End')
  await anna.paste({ 'text/html': '<b>x</b>', 'text/plain': '\n# **x**' })
  await anna.expectStored('```\na\n# **x**\n```')
})

test('an address on a selection links it', async () => {
  const anna = await open('words')
  await anna.caretAt('words', 'Home')
  await anna.press('Shift+End')
  await anna.paste({ 'text/plain': 'https://example.org/a' })
  await expect
    .poll(async () => (await anna.stored())[0], { timeout: 10_000 })
    .toMatch(/^\[words\]\(<?https:\/\/example.org\/a>?\)$/)
})

test('the address of a page of the space becomes a link with its title', async () => {
  const { items } = await agent('POST /documents', { documents: [{ title: 'Pier *two*' }] })
  const anna = await open('see ')
  await anna.caretAt('see')
  await anna.type(' it: ')
  await anna.paste({ 'text/plain': anna.page.url().replace(anna.id, items[0]?.id ?? '') })
  await anna.expectStored(`see it: [Pier \\*two*](block://${items[0]?.id})`)
})

test('a picture is added as a file, and undo takes it out', async () => {
  const anna = await open('text')
  await anna.caretAt('text')
  await anna.page.evaluate(() => {
    const clipboardData = new DataTransfer()
    const bytes = Uint8Array.from(
      atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
      (one) => one.charCodeAt(0),
    )
    clipboardData.items.add(new File([bytes], 'dot.png', { type: 'image/png' }))
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  })
  await anna.page.locator('.part img').waitFor()
  expect(await anna.stored()).toHaveLength(2)
  await anna.press('Control+z')
  await anna.expectStored('text')
})

test('what could not be kept is said', async () => {
  const anna = await open('text')
  await anna.caretAt('text')
  await anna.paste({ 'text/html': '<p>a</p><img src="data:image/png;base64,AAAA">', 'text/plain': 'a' })
  await anna.page.locator('.announcement:not(:empty)').waitFor()
})
