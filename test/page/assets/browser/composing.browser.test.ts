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
  const anna = await openDocument('words to link\n\n```js\nconst a = 1\n```')
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
  expect([page.url(), written.filter((url) => !url.includes('/people'))]).toEqual([before, []])
  expect(await anna.stored()).toContain('words to link')
})
