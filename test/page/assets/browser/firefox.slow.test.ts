/** The main ways of editing in Firefox, over WebDriver BiDi: typing, selecting, undo, copying and pasting. */
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertInstalled, startPages } from '../../../support/page-browser.ts'

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr'
const PATIENCE = { timeout: 60_000, interval: 50 }

let pages: Awaited<ReturnType<typeof startPages>>
let browser: Browser
beforeAll(async () => {
  assertInstalled(FIREFOX, 'firefox-esr', 'FIREFOX')
  pages = await startPages()
  browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true })
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

async function call(
  line: string,
  body?: object,
): Promise<{ items: { id: string }[]; content?: { markdown: string }[] }> {
  const [method = '', path = ''] = line.split(' ')
  const response = await fetch(`${pages.rest}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return response.json()
}

/** Opens a document with the caret at the end of its first block. */
async function open(markdown: string): Promise<{ page: Page; id: string; stored: () => Promise<string[]> }> {
  const { items } = await call('POST /documents', { documents: [{ title: 'Plan', ...(markdown && { markdown }) }] })
  const id = items[0]?.id ?? ''
  const page = await browser.newPage()
  await page.goto(pages.rest.replace('/api/v1', '/view'))
  await page.goto(`${page.url().replace(/\/$/, '')}/d/${id}`)
  await page.waitForSelector('html.edits')
  await page.click('.part .block :is(p, .item-text)')
  await page.keyboard.press('End')
  const stored = async () =>
    ((await call(`GET /blocks?id=${id}&maxDepth=1`)).content ?? []).map((block) => block.markdown)
  return { page, id, stored }
}

async function chord(
  page: Page,
  modifier: 'Control' | 'Shift',
  key: 'z' | 'y' | 'a' | 'c' | 'x' | 'v' | 'Home' | 'ArrowUp',
): Promise<void> {
  await page.keyboard.down(modifier)
  await page.keyboard.press(key)
  await page.keyboard.up(modifier)
}

test('what is typed is stored, with marks, lists and new blocks', { timeout: 60_000 }, async () => {
  const { page, stored } = await open('start')
  await page.keyboard.type(' and **bold**')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- one')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('two')
  await expect.poll(stored, PATIENCE).toEqual(['start and **bold**', '- one', '  - two'])
})

test('undo and redo go in steps of words', { timeout: 60_000 }, async () => {
  const { page, stored } = await open('start')
  await page.keyboard.type(' one two')
  await chord(page, 'Control', 'z')
  await expect.poll(stored, PATIENCE).toEqual(['start one'])
  await chord(page, 'Control', 'y')
  await expect.poll(stored, PATIENCE).toEqual(['start one two'])
})

test('a selection over blocks is replaced by what is typed', { timeout: 60_000 }, async () => {
  const { page, stored } = await open('one\n\ntwo\n\nthree')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await chord(page, 'Shift', 'ArrowUp')
  await chord(page, 'Shift', 'Home')
  await page.keyboard.type('new')
  await expect.poll(stored, PATIENCE).toEqual(['new', 'three'])
})

test('what another page copies becomes blocks', { timeout: 60_000 }, async () => {
  const { page, stored } = await open('before')
  const other = await browser.newPage()
  await other.setContent('<h2>Head</h2><ul><li><b>one</b></ul>')
  await chord(other, 'Control', 'a')
  await chord(other, 'Control', 'c')
  await page.bringToFront()
  await chord(page, 'Control', 'v')
  await expect.poll(stored, PATIENCE).toEqual(['before', '## Head', '- **one**'])
})

test('composed text is stored as a whole', { timeout: 60_000 }, async () => {
  const { page, stored } = await open('start')
  await page.evaluate(() => {
    const editor = document.querySelector('.part.ProseMirror')
    const text = document.querySelector('.part p')?.firstChild
    if (!editor || !(text instanceof Text)) return
    editor.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    for (const composed of ['に', '日', '日本']) {
      text.data = `start${composed}`
      getSelection()?.collapse(text, text.length)
      editor.dispatchEvent(new CompositionEvent('compositionupdate', { bubbles: true, data: composed }))
    }
    editor.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '日本' }))
  })
  await expect.poll(stored, PATIENCE).toEqual(['start日本'])
})

/** Composes at the end of the only text, and presses keys within the composition. */
const composeWith = (page: Page, keys: readonly string[]): Promise<void> =>
  page.evaluate((pressed) => {
    const editor = document.querySelector('.part.ProseMirror')
    const text = document.querySelector('.part p')?.firstChild
    if (!editor || !(text instanceof Text)) return
    editor.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    text.data += 'に'
    getSelection()?.collapse(text, text.length)
    for (const key of pressed)
      editor.dispatchEvent(
        new KeyboardEvent('keydown', {
          key,
          code: key,
          isComposing: true,
          keyCode: 229,
          bubbles: true,
          cancelable: true,
        }),
      )
    text.data = text.data.replace('に', '日本')
    getSelection()?.collapse(text, text.length)
    editor.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '日本' }))
  }, keys)

test('Enter and Escape within a composition are its own, and writing goes on', { timeout: 60_000 }, async () => {
  const { page, stored } = await open('start')
  await composeWith(page, ['Enter', 'Escape'])
  await page.keyboard.type(' and more')
  await expect.poll(stored, PATIENCE).toEqual(['start日本 and more'])
})

test('an emoji is found by its name, and chosen by Enter', { timeout: 60_000 }, async () => {
  const { page, stored } = await open('start')
  await page.keyboard.type(' :rocke')
  await page.waitForSelector('#emoji:not([hidden]) [role="option"]')
  await page.keyboard.press('Enter')
  await page.keyboard.type(' off')
  await expect.poll(stored, PATIENCE).toEqual(['start 🚀 off'])
})

test('a selection is cut and pasted by keys, with its marks', { timeout: 60_000 }, async () => {
  const { page, stored } = await open('one **two**\n\nthree')
  await chord(page, 'Shift', 'Home')
  await chord(page, 'Control', 'x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.type(' ')
  await chord(page, 'Control', 'v')
  await expect.poll(stored, PATIENCE).toEqual(['', 'three one **two**'])
})

test('what is copied from a page that is read is its text alone', { timeout: 60_000 }, async () => {
  const { page: edited, stored } = await open('empty')
  const { page, id } = await open('## Head\n\none **two**\n\n- a\n  - b')
  const at = new Date().toISOString()
  await call('PUT /blocks', { blocks: [{ id, title: 'Later' }] })
  await page.goto(`${page.url()}/at/${at}`)
  await page.waitForSelector('.part .block')
  expect(await page.$('html.edits')).toBeNull()
  await page.evaluate(() => {
    const part = document.querySelector('.part')
    if (part !== null) getSelection()?.selectAllChildren(part)
  })
  await chord(page, 'Control', 'c')
  await edited.bringToFront()
  await edited.click('.part .block p')
  await edited.keyboard.press('End')
  await chord(edited, 'Control', 'v')
  await expect.poll(stored, PATIENCE).toEqual(['empty', '## Head', 'one **two**', '- a', '  - b'])
})
