/** Enter and Escape within a composition choose characters: they save, send and discard nothing, on any page. */
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { agent, type OpenedDocument, openDocument } from './opened-document.ts'

let opened: OpenedDocument | undefined
afterEach(() => opened?.close())

const FIELDS = 'input, textarea, [contenteditable="true"]'

/** Composes in each of these fields that is shown, with a key. @returns how many fields there were */
const composeIn = (page: Page, selector: string, key: 'Enter' | 'Escape'): Promise<number> =>
  page.locator(selector).evaluateAll((all, pressed) => {
    const fields = (all as HTMLElement[]).filter(
      (one) => one.checkVisibility() && !one.matches(':disabled, [type="checkbox"], [type="radio"], [type="file"]'),
    )
    for (const field of fields) {
      field.focus()
      field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
      const event = { key: pressed, code: pressed, bubbles: true, cancelable: true }
      for (const inComposition of [{ isComposing: true }, { keyCode: 229 }])
        field.dispatchEvent(new KeyboardEvent('keydown', { ...event, ...inComposition }))
      field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
    }
    return fields.length
  }, key)

/** Composes in the field with the focus as an input method does: with trusted events, whose Enter and Escape are its own. */
async function composeAsPerson(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 })
  for (const key of ['Enter', 'Escape'])
    for (const windowsVirtualKeyCode of [229, key === 'Enter' ? 13 : 27])
      await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode })
  await cdp.send('Input.insertText', { text: '日本' })
  await cdp.detach()
}

/** The text of the field with the focus. */
const focusedText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: field } = document
    const isInput = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    return isInput ? field.value : (field?.textContent ?? '')
  })

interface Place {
  path: (document: string) => Promise<string>
  /** Opens a field. */
  act?: (page: Page) => Promise<unknown>
  /** What stays. */
  field: string
}

const PLACES: Readonly<Record<string, Place>> = {
  'the title and the text': { path: async (id) => `/d/${id}`, field: '.part.ProseMirror' },
  'the language of code': {
    path: async (id) => `/d/${id}`,
    act: (page) => page.locator('pre code').click(),
    field: '.code-language input:visible',
  },
  'the address of a link': {
    path: async (id) => `/d/${id}`,
    act: async (page) => {
      await page.locator('.part p').first().dblclick()
      await page.keyboard.press('Control+k')
    },
    field: '[aria-label^="Address of the link"]',
  },
  'Ctrl K': {
    path: async (id) => `/d/${id}`,
    act: async (page) => {
      await page.locator('html.edits').waitFor()
      await page.keyboard.press('Control+k')
    },
    field: '#find[open] input:visible',
  },
  'a new task': { path: async () => '/tasks', field: 'form input[type="text"]:visible, form textarea:visible' },
  'a form': {
    path: async () => '/unsorted',
    act: async (page) => {
      await page.locator('a:text-is("New document…")').click()
      await page.locator('#panel[open] [name="title"]').waitFor()
    },
    field: '#panel[open] [name="title"]',
  },
  'a comment': {
    path: async (id) => `/d/${id}`,
    act: async (page) => {
      await page.locator('.part p').first().click()
      await page.keyboard.press('Control+Alt+m')
      await page.locator('#panel[open] textarea').waitFor()
    },
    field: '#panel[open] textarea',
  },
  'a formula': {
    path: async (id) => `/d/${id}`,
    act: (page) => page.locator('.md-formula').click(),
    field: '[aria-label^="Source of the formula"]',
  },
  'the document to which blocks move': {
    path: async (id) => `/d/${id}`,
    act: async (page) => {
      await page.locator('.part p').first().hover()
      await page.locator('.block-handle').click()
      await page.getByText('Move to…').click()
    },
    field: 'dialog[open] input:visible',
  },
  'words on a board': {
    path: async (id) => {
      const made = (await agent('POST /whiteboards', {
        position: { position: 'end', pageId: id },
      })) as unknown as { whiteboardBlockId: string }
      await agent(`POST /whiteboards/${made.whiteboardBlockId}/elements`, {
        elements: [{ id: 'box', type: 'rectangle', x: 0, y: 0, width: 200, height: 100 }],
      })
      return `/whiteboards/${made.whiteboardBlockId}`
    },
    act: async (page) => {
      await page.locator('[data-element="box"], #board [tabindex="0"]').first().focus()
      await page.keyboard.press('Enter')
    },
    field: '.board-text',
  },
  'a cell of a collection': {
    path: async (id) => {
      const schema = {
        name: 'Ships',
        contentPropDetails: { name: 'Ship' },
        properties: [{ name: 'Port', type: 'text' }],
      }
      const made = (await agent('POST /collections', {
        schema,
        position: { position: 'end', pageId: id },
      })) as unknown as { collectionBlockId: string }
      const collection = made.collectionBlockId
      await agent(`POST /collections/${collection}/items`, {
        items: [{ title: 'Ferry', properties: { port: 'Kiel' } }],
      })
      return `/collections/${collection}`
    },
    act: async (page) => {
      await page.locator('td[data-key][tabindex]').first().click()
      await page.locator('.cell-editor :is(input, textarea):visible').first().waitFor()
    },
    field: '.cell-editor :is(input, textarea):visible',
  },
}

test.each(Object.entries(PLACES))('in %s', async (_, { path, act, field }) => {
  const anna = await openDocument('words to link\n\nof $x^2$\n\n```js\nconst a = 1\n```')
  opened = anna
  const { page } = anna
  const base = page.url().replace(/\/d\/\w+$/, '')
  await page.goto(base + (await path(anna.id)))
  await act?.(page)
  await page.locator(field).first().waitFor()
  const written: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && written.push(request.url()))
  const before = page.url()
  for (const key of ['Enter', 'Escape'] as const)
    expect(await composeIn(page, act === undefined ? FIELDS : field, key)).toBeGreaterThan(0)
  expect(await page.locator(field).first().isVisible()).toBe(true)
  await page.locator(field).first().focus()
  await composeAsPerson(page)
  expect(await page.locator(field).first().isVisible()).toBe(true)
  expect(await focusedText(page)).toContain('日本')
  expect([page.url(), written.filter((url) => !url.includes('/people'))]).toEqual([before, []])
  expect(await anna.stored()).toContain('words to link')
})
