/** Titles are limited in length, no matter how they are set, since lists read a thousand titles. */
import { expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Connected, connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'

const LONG = 'w'.repeat(6_001)
const REFUSAL = 'Expected a title of at most 6,000 characters of Markdown, found 6,001; put long texts into content.'

interface World {
  connected: Connected
  id: string
  itemId: string
  textId: string
}

async function withThings(text = 'w'): Promise<World> {
  const connected = await connect()
  const id = await documentOf(connected, text)
  const { content } = await connected.call('blocks_get', { id })
  const [itemId = ''] = await itemsOf(connected, await collectionOf(connected, []), [{ title: 'A' }])
  return { connected, id, itemId, textId: content[0].id }
}

test.each<[what: string, at: string, tool: string, args: (world: World, text: string) => object]>([
  ['a document', '', 'blocks_update', ({ id }, markdown) => ({ blocks: [{ id, markdown }] })],
  ['an item', '', 'blocks_update', ({ itemId: id }, markdown) => ({ blocks: [{ id, markdown }] })],
  [
    'a page',
    'At blocks[0]: ',
    'blocks_add',
    ({ id }, markdown) => ({ blocks: [{ type: 'page', markdown }], position: { position: 'end', pageId: id } }),
  ],
  [
    'a page in Markdown',
    'At line 2, column 1: ',
    'blocks_add',
    ({ id }, title) => ({
      markdown: `<page>\n<pageTitle>${title}</pageTitle>\n</page>`,
      position: { position: 'end', pageId: id },
    }),
  ],
  [
    'a text with content',
    'At blocks[0]: ',
    'blocks_add',
    ({ id }, markdown) => ({
      blocks: [{ type: 'text', markdown, content: [{ type: 'text', markdown: 'inside' }] }],
      position: { position: 'end', pageId: id },
    }),
  ],
])('the title of %s is rejected if it is too long', async (_, at, tool, args) => {
  const world = await withThings()
  expect(await world.connected.refused(tool, args(world, LONG))).toBe(`${at}${REFUSAL}`)
  await world.connected.call(tool, args(world, LONG.slice(1)))
})

test('a long text cannot become a page', async () => {
  const long = await withThings(LONG)
  const add = ({ textId: pageId }: World) => ({ markdown: 'inside', position: { position: 'end', pageId } })
  expect(await long.connected.refused('blocks_add', add(long))).toBe(REFUSAL)
  const text = await withThings(LONG.slice(1))
  await text.connected.call('blocks_add', add(text))
  expect(await text.connected.call('blocks_get', { id: text.textId })).toMatchObject({
    type: 'page',
    markdown: LONG.slice(1),
  })
})

test('an existing long title can be written back with the text of its page', async () => {
  const { connected, id } = await withThings()
  const title = {
    value: 'link',
    attributes: [{ start: 0, end: 4, type: 'link', url: `https://x.y/${'z'.repeat(6_000)}` }],
  }
  expect(await connected.refused('blocks_update', { blocks: [{ id, title }] })).toBe(
    'Expected a title of at most 6,000 characters of Markdown, found 6,020; put long texts into content.',
  )
  await connected.call('blocks_update', { blocks: [{ id, markdown: '[a](b)'.repeat(857) }] })
  const text = await connected.call('blocks_get', { id, format: 'markdown' })
  const { revision } = await connected.call('blocks_get', { id })
  const edit = { pageId: id, markdown: text.replace('\nw\n', '\nother\n'), revision }
  expect((await connected.call('blocks_update', edit)).changed).toHaveLength(1)
  expect(await connected.refused('blocks_update', { blocks: [{ id, markdown: '[a](b)'.repeat(858) }] })).toBe(
    'Expected a title of at most 6,000 characters of Markdown, found 6,006; put long texts into content.',
  )
})

test('a comment on a title of maximum length does not prevent its use', async () => {
  const { connected, id } = await withThings()
  await connected.call('blocks_update', { blocks: [{ id, markdown: LONG.slice(1) }] })
  await connected.call('comments_add', { comments: [{ blockId: id, content: 'Long.' }] })
  const text = await connected.call('blocks_get', { id, format: 'markdown' })
  expect(text).toMatch(/<pageTitle><comment id="\d{12}">w{6000}<\/comment><\/pageTitle>/)
  const { revision } = await connected.call('blocks_get', { id })
  const edit = (before: string, after: string) => ({ pageId: id, markdown: text.replace(before, after), revision })
  expect(await connected.refused('blocks_update', edit('www', 'wwww'))).toBe(`At line 2, column 12: ${REFUSAL}`)
  expect((await connected.call('blocks_update', edit('\nw\n', '\nother\n'))).changed).toHaveLength(1)
})
