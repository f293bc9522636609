/** Writing in a document: what is typed, and what keys do. */
import { afterEach, expect, test } from 'vitest'
import { agent, type OpenedDocument, openDocument } from './opened-document.ts'

let opened: OpenedDocument | undefined
afterEach(() => opened?.close())
const open = async (markdown: string) => {
  opened = await openDocument(markdown)
  return opened
}

test('typed text is stored after a pause, and marks are marks', async () => {
  const anna = await open('first')
  await anna.caretAt('first')
  await anna.type(' and **bold** and `code` more')
  await anna.expectStored('first and **bold** and `code` more')
  expect(await anna.page.locator('.part strong').textContent()).toBe('bold')
})

test('in a new document, Enter after the title is enough to write', async () => {
  const anna = await open('')
  await anna.page.locator('article > h1').click()
  await anna.press('End')
  await anna.type(' of work')
  await anna.press('Enter')
  await anna.type('cold letters: e g d t c h w ?')
  await anna.expectStored('cold letters: e g d t c h w ?')
  expect(await anna.title()).toBe('Plan of work')
})

test('an empty page has the caret when it is opened, and no letter of what is typed is a command', async () => {
  const anna = await open('')
  await anna.type('New oven')
  await anna.expectStored('New oven')
})

test('an empty page that somebody only looks at shows what others write there, and nothing else', async () => {
  const anna = await open('')
  await anna.page.locator('.part:focus').waitFor()
  const position = { position: 'end', pageId: anna.id }
  await agent('POST /blocks', { blocks: [{ markdown: 'one' }, { markdown: 'two' }], position })
  await anna.expectShown('one', 'two')
  await anna.press('Control+End')
  await anna.type('!')
  await expect.poll(async () => (await anna.stored()).length).toBe(2)
  await expect.poll(async () => (await anna.stored()).join('')).toContain('!')
})

test('Enter in a title writes above what has no place for text, and ArrowDown selects it', async () => {
  const anna = await open('---\n\nbelow')
  await anna.page.locator('article > h1').click()
  await anna.press('ArrowDown')
  await anna.page.locator('.part > .block.selected').waitFor()
  await anna.expectStored('*****', 'below')
  await anna.page.locator('article > h1').click()
  await anna.press('Enter')
  await anna.type('end')
  await anna.expectStored('end', '*****', 'below')
})

test('what is typed while a block is selected is a text below it', async () => {
  const anna = await open('---\n\nbelow')
  await anna.page.locator('article > h1').click()
  await anna.press('ArrowDown')
  await anna.type('New words')
  await anna.expectStored('*****', 'New words', 'below')
  await anna.caretAt('below')
  await anna.press('Escape')
  await anna.type('/table')
  await anna.page.locator('#kinds:visible').waitFor()
  await anna.press('Escape')
  await anna.expectStored('*****', 'New words', 'below', '/table')
})

test('New document asks for a title, and then the caret is in the text', async () => {
  const anna = await open('x')
  const title = `Notes ${anna.id}`
  await anna.page.evaluate(() =>
    location.assign(document.querySelector<HTMLAnchorElement>('nav a[href$="/unsorted"]')?.href ?? ''),
  )
  await anna.page.locator('a:text-is("New document…")').waitFor()
  await anna.press('c')
  await anna.page.locator('#panel[open] [name="title"]:focus').waitFor()
  await anna.type(title)
  await anna.press('Enter')
  await anna.page.locator(`article > h1:has-text("${title}")`).waitFor()
  await anna.page.locator('.part.ProseMirror-focused').waitFor()
  await anna.type('e g d t c h w')
  await expect.poll(() => anna.shown()).toEqual(['e g d t c h w'])
  await anna.page.reload()
  await anna.expectShown('e g d t c h w')
})

test('a press on the empty page below a text that ends with code begins a text', async () => {
  const anna = await open('```\ncode\n```')
  await anna.page.locator('.part .block').first().waitFor()
  const { height } = anna.page.viewportSize() ?? { height: 0 }
  await anna.page.locator('main').click({ position: { x: 300, y: height - 40 } })
  await anna.type('after it')
  await expect.poll(async () => (await anna.shown()).at(-1)).toBe('after it')
})

test('the text of an empty document begins above the links to it', async () => {
  const anna = await open('')
  const linking = `[Plan](block://${anna.id})`
  await agent('POST /documents', { documents: [{ title: 'Linking', markdown: linking }] })
  await anna.page.reload()
  await anna.page.locator('.backlinks').waitFor()
  await anna.page.locator('[aria-label="Text of the document"]').waitFor()
  expect(await anna.page.locator('.part ~ .backlinks').count()).toBe(1)
})

test('a title can have marks, and stays one line', async () => {
  const anna = await open('text')
  await anna.page.locator('article > h1').click()
  await anna.press('End', 'Control+b')
  await anna.type(' now')
  await anna.press('Enter')
  await expect.poll(() => anna.title()).toBe('Plan now')
  expect(await anna.page.locator('article > h1 strong').textContent()).toContain('now')
})

test('Enter divides a block, Backspace joins it again, and the first half keeps its ID', async () => {
  const anna = await open('one two')
  const [id] = await anna.ids()
  await anna.caretAt('one two', 'Home')
  await anna.press(...Array(4).fill('ArrowRight'), 'Enter')
  await anna.expectStored('one', 'two')
  expect((await anna.ids())[0]).toBe(id)
  await anna.press('Backspace')
  await anna.expectStored('one two')
})

test('lists go on, are nested by Tab, and end with an empty item', async () => {
  const anna = await open('')
  await anna.page.locator('.part p').click()
  await anna.type('- one\ntwo')
  await anna.press('Tab', 'Enter')
  await anna.type('three')
  await anna.press('Enter', 'Enter', 'Enter')
  await anna.type('after')
  await anna.expectStored('- one', '  - two', '  - three', 'after')
})

test('numbers of lists count, and a date at the start is text', async () => {
  const anna = await open('')
  await anna.page.locator('.part p').click()
  await anna.type('1. one\ntwo')
  await anna.press('Enter', 'Enter')
  await anna.type('24. Dezember')
  await anna.expectStored('1. one', '1. two', '24\\. Dezember')
  const numbers = await anna.page.locator('.block.numbers').evaluateAll((all) => all.map((one) => one.dataset.number))
  expect(numbers).toEqual(['1.', '2.'])
})

test.each([
  ['[] milk', '- [ ] milk'],
  ['- [ ] milk', '- [ ] milk'],
  ['## Head', '## Head'],
  ['> said', '> said'],
])('%s becomes %s', async (typed, stored) => {
  const anna = await open('')
  await anna.page.locator('.part p').click()
  await anna.type(typed)
  await anna.expectStored(stored)
})

test('a task is ticked by its box and by a key', async () => {
  const anna = await open('- [ ] one\n- [ ] two')
  await anna.page.locator('.box').first().click()
  await anna.expectStored('- [x] one', '- [ ] two')
  await anna.caretAt('two')
  await anna.press('Control+Enter')
  await anna.expectStored('- [x] one', '- [x] two')
})

test('the slash menu makes a table, whose cells are reached by Tab', async () => {
  const anna = await open('')
  await anna.page.locator('.part p').click()
  await anna.type('/table')
  await anna.page.locator('#kinds:visible').waitFor()
  await anna.press('Enter')
  // What edits tables is loaded with the first one.
  await anna.page.locator('.part table').waitFor()
  await anna.type('a')
  await anna.press('Tab')
  await anna.type('b')
  await anna.press('Tab', 'Tab', 'Tab')
  await anna.type('last')
  await expect
    .poll(async () => (await anna.stored())[0], { timeout: 10_000 })
    .toBe('| a | b |\n| --- | --- |\n|  |  |\n| last |  |')
})

test('columns and rows of a table are moved by mouse and by the menu, each as one call that keeps the block', async () => {
  const anna = await open('| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |')
  const [id] = await anna.ids()
  const drag = async (cell: string, grip: string, to: string) => {
    const { mouse } = anna.page
    await anna.page.locator(`td:text-is("${cell}"), th:text-is("${cell}")`).hover()
    const middle = async (selector: string) => {
      const box = await anna.page.locator(selector).boundingBox()
      if (box === null) throw new Error(`Expected ${selector} to be shown.`)
      return [box.x + box.width / 2, box.y + box.height / 2] as const
    }
    await mouse.move(...(await middle(`.table-grip.${grip}`)))
    await mouse.down()
    await mouse.move(...(await middle(`:is(td, th):text-is("${to}")`)), { steps: 4 })
    await mouse.up()
  }
  await drag('a', 'column', 'c')
  await anna.expectStored('| b | c | a |\n| --- | --- | --- |\n| 2 | 3 | 1 |\n| 5 | 6 | 4 |')
  await drag('6', 'row', '3')
  await anna.expectStored('| b | c | a |\n| --- | --- | --- |\n| 5 | 6 | 4 |\n| 2 | 3 | 1 |')
  await anna.page.locator('td:text-is("4")').click()
  await anna.press('Alt+ArrowDown', ...Array(6).fill('ArrowDown'), 'Enter')
  await anna.expectStored('| b | a | c |\n| --- | --- | --- |\n| 5 | 4 | 6 |\n| 2 | 1 | 3 |')
  expect(await anna.ids()).toEqual([id])
  await anna.press('Control+z')
  await anna.expectStored('| b | c | a |\n| --- | --- | --- |\n| 5 | 6 | 4 |\n| 2 | 3 | 1 |')
})

test('code keeps its lines and its colors', async () => {
  const anna = await open('```js\nconst a = 1\n```')
  await anna.page.locator('pre code .hljs-keyword').waitFor()
  await anna.page.locator('pre code').click()
  await anna.press('Control+End', 'Enter')
  await anna.type('**not bold**')
  await anna.expectStored('```js\nconst a = 1\n**not bold**\n```')
})

test('[[ links a document, and the link leads there', async () => {
  const { items } = await agent('POST /documents', { documents: [{ title: 'Harbour crane' }] })
  const anna = await open('see')
  await anna.caretAt('see')
  await anna.type(' [[harbour cr')
  await anna.page.locator('#links-to [role="option"]:has-text("Harbour crane")').waitFor()
  await anna.press('Enter')
  await anna.expectStored(`see [Harbour crane](block://${items[0]?.id})`)
  expect(await anna.page.locator('.part a.md-link').getAttribute('href')).toMatch(new RegExp(`/d/${items[0]?.id}$`))
})

test('a link to another site opens beside the page, and one that is clicked while writing can be edited and removed', async () => {
  const anna = await open('first\n\nsee [the docs](http://127.0.0.1:9/docs) there')
  const link = anna.page.locator('.part a.md-link')
  const address = anna.page.url()
  const [other] = await Promise.all([anna.page.context().waitForEvent('page'), link.click()])
  await other.close()
  expect(anna.page.url()).toBe(address)
  await anna.caretAt(' there')
  await link.click()
  await anna.page.locator('#link-bar a[target="_blank"]:text-is("Open the link")').waitFor()
  await anna.page.locator('#link-bar button:text-is("Edit the link…")').click()
  await anna.page.locator('.text-field input:focus').fill('http://127.0.0.1:9/other')
  await anna.press('Enter')
  await anna.expectStored('first', 'see [the docs](http://127.0.0.1:9/other) there')
  await link.click()
  await anna.page.locator('#link-bar button:text-is("Remove the link")').click()
  await anna.expectStored('first', 'see the docs there')
})

test('a tag becomes a link as it is typed, and leads to its list', async () => {
  const anna = await open('see')
  await anna.caretAt('see')
  await anna.type(' #harbour/crane and `#code`')
  await anna.expectStored('see #harbour/crane and `#code`')
  const tags = anna.page.locator('.part a.hashtag')
  expect(await tags.allTextContents()).toEqual(['#harbour/crane'])
  expect(await tags.getAttribute('href')).toMatch(/\/tags\?tag=harbour%2Fcrane$/)
})

test('an emoji is found by its name', async () => {
  const anna = await open('so')
  await anna.caretAt('so')
  await anna.type(' :rocke')
  await anna.page.locator('#emoji:visible').waitFor()
  await anna.press('Enter')
  await anna.expectStored('so 🚀')
  await anna.type(' at 10:30:15, :Tada:!')
  await anna.expectStored('so 🚀 at 10:30:15, 🎉!')
})

test('a whiteboard is made by the slash menu, and taken out by undo', async () => {
  const anna = await open('above')
  await anna.caretAt('above')
  await anna.press('Enter')
  await anna.type('/whiteb')
  await anna.page.locator('#kinds:visible').waitFor()
  await anna.press('Enter')
  await anna.page.locator('.block a[href*="/whiteboards/"]').waitFor()
  await anna.press('Control+z')
  await expect.poll(async () => (await anna.stored()).join()).not.toContain('whiteboard')
})

test('a page within the document is made, stands in the tree, and is opened by Enter', async () => {
  const anna = await open('above')
  await anna.caretAt('above')
  await anna.press('Enter')
  await anna.type('/page')
  await anna.page.locator('#kinds:visible').waitFor()
  await anna.press('Enter')
  await anna.page.locator('nav#nav .nested a').first().waitFor()
  await anna.page.locator('.part .block').nth(1).locator('a').first().waitFor()
  await anna.caretAt('above')
  await anna.press('Escape', 'ArrowDown', 'Enter')
  await anna.page.locator('nav#nav .nested a[aria-current]').waitFor()
  expect(await anna.page.locator('.crumbs').textContent()).toContain('Plan')
})

test('composed text is stored once it is complete', async () => {
  const anna = await open('start')
  await anna.caretAt('start')
  const browser = await anna.page.context().newCDPSession(anna.page)
  for (const text of ['に', 'にほ', '日本'])
    await browser.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  await browser.send('Input.insertText', { text: '日本' })
  await anna.expectStored('start日本')
})

test('Hebrew is written from the right', async () => {
  const anna = await open('')
  await anna.page.locator('.part p').click()
  await anna.type('שלום')
  await anna.expectStored('שלום')
  const direction = await anna.page.locator('.part p').evaluate((one) => getComputedStyle(one).direction)
  expect(direction).toBe('rtl')
  const title = anna.page.locator('article > h1')
  await title.click()
  await anna.press('Control+a')
  await anna.type('שלום')
  expect(await title.evaluate((one) => getComputedStyle(one).direction)).toBe('rtl')
})

test('a key changes its own block, in a long document with numbers, headings and code', async () => {
  const parts = Array.from(
    { length: 60 },
    (_, n) => `# Head ${n}\n\n1. one\n1. two\n\ntext ${n}\n\n\`\`\`js\nlet a = ${n}\n\`\`\``,
  )
  const anna = await open(parts.join('\n\n'))
  await anna.caretAt('text 7')
  await anna.type('a')
  await anna.page.evaluate(() => {
    const changed = new Set<string>()
    Object.assign(globalThis, { changed })
    new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement
        changed.add(element?.closest('.part > .block')?.textContent ?? 'the document')
      }
    }).observe(document.querySelector('.part') as Element, { subtree: true, childList: true, characterData: true })
  })
  await anna.type('bc')
  await expect.poll(async () => (await anna.stored()).includes('text 7abc')).toBe(true)
  const changed = await anna.page.evaluate(() => [...(globalThis as unknown as { changed: Set<string> }).changed])
  expect(changed.length).toBeGreaterThan(0)
  expect(changed.filter((text) => !text.startsWith('text 7'))).toEqual([])
})

test('a field for a date takes words once a letter is typed', async () => {
  const anna = await open('x')
  const text = `Dive ${anna.id}`
  await anna.page.locator('nav a[href$="/tasks"]').click()
  const date = anna.page.locator('.new-task [name="date"]')
  await anna.page.goto(`${anna.page.url()}?scope=inbox`)
  await anna.page.locator('.new-task [name="text"]').fill(text)
  expect(await date.getAttribute('type')).toBe('date')
  await date.focus()
  await anna.page.keyboard.type('in 3 Tagen')
  expect(await date.inputValue()).toBe('in 3 Tagen')
  // Emptied, it offers the calendar again.
  await date.fill('')
  await anna.page.locator('.new-task [name="text"]').focus()
  expect(await date.getAttribute('type')).toBe('date')
  await date.focus()
  await anna.page.keyboard.type('morgen')
  await anna.page.keyboard.press('Enter')
  const due = async () => {
    const { items } = (await agent('GET /tasks?scope=upcoming')) as unknown as {
      items: { markdown: string; taskInfo: { scheduleDate?: string } }[]
    }
    return items.find(({ markdown }) => markdown.includes(text))?.taskInfo.scheduleDate
  }
  await expect.poll(due).toMatch(/^\d{4}-\d\d-\d\d$/)
})

test('a title is stored after a pause, with the caret still in it', async () => {
  const anna = await open('text')
  await anna.page.locator('article > h1').click()
  await anna.press('End')
  await anna.type(' of March')
  await expect.poll(() => anna.title()).toBe('Plan of March')
  await anna.type(', April')
  await expect.poll(() => anna.title()).toBe('Plan of March, April')
})
