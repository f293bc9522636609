/** Callouts as others write them are callouts in text that is added. */
import { expect, test } from 'vitest'
import { withCallouts } from '../../src/markdown/foreign-callouts.ts'
import { type Answer, connect } from '../connect.ts'
import { documentOf } from '../document.ts'

/** What a document holds after Markdown was added to it. */
async function added(markdown: string): Promise<string> {
  const connected = await connect()
  const id = await documentOf(connected, markdown)
  const text: string = await connected.call('blocks_get', { id, format: 'markdown' })
  return text.slice(text.indexOf('<content>') + '<content>'.length, text.indexOf('</content>')).trim()
}

test('of Obsidian and GitHub: the kind is the icon, unless it is a note', async () => {
  expect(await added('> [!note]\n> text')).toBe('<callout>text</callout>')
  expect(await added('> [!WARNING] Mind the gap\n> one\n>\n> two')).toBe(
    '<callout title="Mind the gap" icon="WARNING">\none\n\ntwo\n</callout>',
  )
  expect(await added('> [!tip]- Folded\n> text')).toBe(
    '<callout title="Folded" icon="tip" folded="true">\ntext\n</callout>',
  )
  expect(await added('> [!note] With *marks*\n> text')).toBe('<callout>\n**With *marks***\n\ntext\n</callout>')
  expect(await added('> [!note] Outer\n> > [!tip] Inner\n> > text')).toContain('title="Inner" icon="tip"')
})

test('of Notion, on lines of their own or around their words', async () => {
  for (const text of [
    '<aside>\nhello\n</aside>',
    '<aside>hello</aside>',
    '<aside>hello\n</aside>',
    '<aside>\nhello</aside>',
  ]) {
    expect(await added(text), text).toBe('<callout>hello</callout>')
  }
  expect(await added('<aside>hello</aside>\n\n```js\n<aside>\n```')).toBe(
    '<callout>hello</callout>\n\n```js\n<aside>\n```',
  )
})

test('not in code, in quotes of other words, and in the middle of a line', () => {
  for (const text of [
    '```\n> [!note] a\n<aside>\n```',
    '> words [!note]',
    'a <aside>b</aside>',
    '> [!note]',
    '    x',
  ]) {
    expect(withCallouts(text)).toBe(text)
  }
})

test('in items, pages and documents', async () => {
  const connected = await connect()
  const pageId = await documentOf(connected)
  const position = { position: 'end', pageId }
  const markdown = '> [!note] T\n> text'
  const blocks = [{ type: 'page', title: 'P', markdown }]
  const page = await connected.call('blocks_add', { blocks, position })
  expect(page.items[0].content[0].decorations.callout).toEqual([{ starts: true, title: 'T' }])
  const schema = { name: 'C', properties: [] }
  const { collectionBlockId: collectionId } = await connected.call('collections_add', { schema, position })
  const item = await connected.call('items_add', { collectionId, items: [{ title: 'I', markdown }] })
  const contentOfItem = async ({ items }: Answer) => (await connected.call('blocks_get', { id: items[0].id })).content
  expect((await contentOfItem(item))[0].decorations.callout).toEqual([{ starts: true, title: 'T' }])
  const fenced = '```markdown\n# A\n```'
  expect(
    await connected.refused('items_add', { collectionId, items: [{ title: 'I', markdown: '---\na: b\n---\n' }] }),
  ).toContain('found front matter')
  const unwrapped = await connected.call('items_add', { collectionId, items: [{ title: 'I', markdown: fenced }] })
  expect((await contentOfItem(unwrapped))[0].markdown).toBe('# A')
})
