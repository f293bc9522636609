/** What assistive technology gets of a document that is edited, and how large its controls are. */
import { afterEach, expect, test } from 'vitest'
import { agent, type OpenedDocument, openDocument } from './opened-document.ts'

let opened: OpenedDocument | undefined
afterEach(async () => {
  await opened?.page.setViewportSize({ width: 1280, height: 900 })
  await opened?.close()
})
const open = async (markdown: string) => {
  opened = await openDocument(markdown)
  return opened
}

const EVERYTHING = [
  '## Next steps',
  'Text with a [link](https://example.org) and $x^2$',
  '- one\n- two\n  - nested',
  '1. first',
  '- [ ] task',
  '+ toggle\n  - inside',
  '> spoken',
  '<callout>Careful</callout>',
  '| A | B |\n| --- | --- |\n| 1 | 2 |',
  '```js\nconst a = 1\n```',
  '$$\nx\n$$',
  '---',
  '<page><pageTitle>Within</pageTitle><content>\n\ntext\n\n</content></page>',
].join('\n\n')

interface AxNode {
  ignored: boolean
  role?: { value: string }
  name?: { value: string }
  properties?: { name: string; value: { value: unknown } }[]
}

/** The nodes of the accessibility tree, as `role name`. */
async function treeOf({ page }: OpenedDocument): Promise<string[]> {
  const browser = await page.context().newCDPSession(page)
  const { nodes } = (await browser.send('Accessibility.getFullAXTree')) as { nodes: AxNode[] }
  await browser.detach()
  return nodes.filter(({ ignored }) => !ignored).map(({ role, name }) => `${role?.value} ${name?.value ?? ''}`.trim())
}

test('the editor is one labelled text box, in which headings, tasks, tables and pages are what they are', async () => {
  const anna = await open(EVERYTHING)
  const tree = await treeOf(anna)
  expect(tree.filter((line) => line.startsWith('textbox'))).toEqual(
    expect.arrayContaining(['textbox Text of the document']),
  )
  expect(tree.filter((line) => line === 'textbox Text of the document')).toHaveLength(1)
  for (const line of ['heading Next steps', 'link link', 'checkbox task', 'columnheader A', 'cell 1', 'link Within'])
    expect(tree).toContain(line)
  const nameless = /^(?:button|link|textbox|checkbox|combobox|switch|menuitem)$/
  expect(tree.filter((line) => nameless.test(line))).toEqual([])
})

test.each([1440, 360])(
  'at %i pixels, every control is 24 pixels large, or has that much room around it',
  async (width) => {
    const anna = await open(EVERYTHING)
    await anna.page.setViewportSize({ width, height: 900 })
    await anna.caretAt('1', 'End')
    await anna.page.locator('td').first().hover()
    const small = await anna.page.evaluate(() => {
      const inText = 'p, li, td, th, .words, h1, h2, h3, .who, .crumbs, .now, figcaption'
      const controls = [
        ...document.querySelectorAll('a[href], button, summary, input, select, textarea, [role="button"]'),
      ]
        .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .map((one) => ({ one, box: one.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && box.height > 1)
      // WCAG 2.2, target size (minimum): inline links are exempt, and so is what has no other target within 24 pixels.
      const middle = ({ left, right, top, bottom }: DOMRect) => [(left + right) / 2, (top + bottom) / 2] as const
      const isFree = (box: DOMRect, own: Element) =>
        controls.every(({ one, box: other }) => {
          if (one === own || one.contains(own) || own.contains(one)) return true
          const [x, y] = middle(box)
          const dx = Math.max(other.left - x, 0, x - other.right)
          const dy = Math.max(other.top - y, 0, y - other.bottom)
          return Math.hypot(dx, dy) >= 12
        })
      return controls
        .filter(({ one, box }) => (box.width < 24 || box.height < 24) && !(one.matches('a') && one.closest(inText)))
        .filter(({ one, box }) => !isFree(box, one))
        .map(({ one, box }) => `${one.outerHTML.slice(0, 80)} ${Math.round(box.width)}×${Math.round(box.height)}`)
    })
    expect(small).toEqual([])
  },
)

/** What is spoken from now on. */
async function listen({ page }: OpenedDocument): Promise<() => Promise<string[]>> {
  // A script adds it, which may come after the editor.
  await page.locator('#spoken').waitFor({ state: 'attached' })
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    const region = document.getElementById('spoken')
    if (region === null) throw new Error('Expected a region that is spoken, found none.')
    new MutationObserver(() => region.textContent && heard.push(region.textContent)).observe(region, {
      childList: true,
    })
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
}

test('a burst of changes of others is spoken once, politely, and what one writes is not', async () => {
  const anna = await open('one\n\ntwo\n\nthree')
  const [one, two] = await anna.ids()
  const heard = await listen(anna)
  await anna.caretAt('three')
  await anna.type(' mine')
  await anna.expectStored('one', 'two', 'three mine')
  await agent('PUT /blocks', { blocks: [{ id: one, markdown: 'one, changed' }] })
  await agent('PUT /blocks', { blocks: [{ id: two, markdown: 'two, changed' }] })
  await agent('POST /blocks', { markdown: 'four', position: { position: 'end', pageId: anna.id } })
  await expect.poll(heard).toEqual(['agent changed 3 blocks'])
  expect(await anna.page.locator('#spoken').getAttribute('role')).toBe('status')
  const live = await anna.page.locator('[aria-live="polite"]:visible').evaluateAll((all) => all.map((a) => a.outerHTML))
  expect(live).toEqual([])
})

test('blocks in which no caret can stand are selected one after another', async () => {
  const anna = await open('## Head\n\ntext\n\n$$\nx\n$$\n\n---')
  const heard = await listen(anna)
  // The browser tells of its caret after a frame.
  const drawn = () =>
    anna.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await anna.caretAt('text')
  for (const key of ['Escape', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) {
    await anna.press(key)
    await drawn()
  }
  expect(await heard()).toEqual([
    'Text: text. Enter edits it.',
    'Formula: x. Enter edits it.',
    'Line.',
    'Formula: x. Enter edits it.',
  ])
})

test('a selected block says what it is, and what Enter does', async () => {
  const anna = await open(
    '## Next steps\n\n- [x] paint\n\n<page><pageTitle>Within</pageTitle><content>\n\ntext\n\n</content></page>',
  )
  const heard = await listen(anna)
  await anna.caretAt('Next steps')
  await anna.press('Escape', 'ArrowDown', 'ArrowDown')
  expect(await heard()).toEqual([
    'Heading 2: Next steps. Enter edits it.',
    'Done task: paint. Enter edits it.',
    'Page: Within. Enter opens it.',
  ])
})

test('Escape in a form that was opened from a menu returns to the button of the menu', async () => {
  const { page } = await open('text')
  const more = page.locator('.bar').getByRole('button', { name: 'More' })
  await more.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Move…' }).click()
  await page.locator('#panel[open] h1').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('#panel[open]').count()).toBe(0)
  expect(await more.evaluate((one) => one === document.activeElement)).toBe(true)
})
