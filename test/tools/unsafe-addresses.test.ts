/** Addresses that run scripts are refused wherever they can be written, and stored ones are not shown. */
import { describe, expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { collectionOf, itemsOf } from '../collection.ts'
import { type Connected, connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'
import { png } from '../picture.ts'
import { changeRows } from '../sqlite.ts'

const refusal = (address: string) =>
  `Expected an address that opens something, found ${JSON.stringify(address)}, which may run something; leave it out, or put it into code.`

async function world() {
  const connected = await connect()
  const pageId = await documentOf(connected, 'words')
  const [{ id }] = await contentOf(connected, pageId)
  const collectionId = await collectionOf(
    connected,
    ['url', 'text'].map((type) => ({ type, name: type })),
  )
  const [item = ''] = await itemsOf(connected, collectionId, [{ title: 'x' }])
  const position = { position: 'end', pageId }
  const { whiteboardBlockId } = await connected.call('whiteboards_add', { position })
  await connected.call('elements_add', { whiteboardBlockId, elements: [{ id: 'e', type: 'rectangle' }] })
  const blocks = [
    { type: 'richUrl', url: 'https://a.example' },
    { type: 'table', markdown: '| a |\n| --- |\n| b |' },
  ]
  const [card, table] = (await connected.call('blocks_add', { blocks, position })).items
  return { ...connected, pageId, id, collectionId, item, position, whiteboardBlockId, card: card.id, table: table.id }
}

type World = Awaited<ReturnType<typeof world>>

/** Every call that can write an address. */
const writers: [string, (world: World, url: string) => [name: string, args: object]][] = [
  ['a link in Markdown', ({ position }, url) => ['blocks_add', { markdown: `a\n\nb [c](<${url}>)`, position }]],
  ['a link by reference', ({ position }, url) => ['blocks_add', { markdown: `[c][d]\n\n[d]: <${url}>`, position }]],
  ['a link in a table', ({ position }, url) => ['blocks_add', { markdown: `| [c](<${url}>) |\n| --- |`, position }]],
  [
    'a link in a new text',
    ({ position }, url) => ['blocks_add', { blocks: [{ type: 'text', markdown: `[c](<${url}>)` }], position }],
  ],
  ['a card', ({ position }, url) => ['blocks_add', { blocks: [{ type: 'richUrl', url }], position }]],
  ['a picture', ({ position }, url) => ['blocks_add', { blocks: [{ type: 'image', url }], position }]],
  ['a video', ({ position }, url) => ['blocks_add', { blocks: [{ type: 'video', url }], position }]],
  ['a file', ({ position }, url) => ['blocks_add', { blocks: [{ type: 'file', url, fileName: 'a' }], position }]],
  ['a whiteboard', ({ position }, url) => ['blocks_add', { blocks: [{ type: 'whiteboard', url }], position }]],
  [
    'words of a card',
    ({ position }, url) => [
      'blocks_add',
      { blocks: [{ type: 'richUrl', url: 'https://a.example', title: `[c](<${url}>)` }], position },
    ],
  ],
  [
    'a cover',
    ({ position }, url) => [
      'blocks_add',
      { blocks: [{ type: 'page', title: 'a', styling: { coverImage: { url } } }], position },
    ],
  ],
  [
    'a title',
    ({ position }, url) => [
      'blocks_add',
      {
        blocks: [{ type: 'page', title: { value: 'a', attributes: [{ start: 0, end: 1, type: 'link', url }] } }],
        position,
      },
    ],
  ],
  [
    'a link in a page in a page',
    ({ position }, url) => [
      'blocks_add',
      { blocks: [{ type: 'page', title: 'a', content: [{ type: 'text', markdown: `[c](<${url}>)` }] }], position },
    ],
  ],
  ['changed words', ({ id }, url) => ['blocks_update', { blocks: [{ id, markdown: `[c](<${url}>)` }] }]],
  ['a changed card', ({ card }, url) => ['blocks_update', { blocks: [{ id: card, url }] }]],
  [
    'a changed cover',
    ({ pageId }, url) => ['blocks_update', { blocks: [{ id: pageId, styling: { coverImage: { url } } }] }],
  ],
  [
    'a changed title',
    ({ pageId }, url) => [
      'blocks_update',
      { blocks: [{ id: pageId, title: { value: 'a', attributes: [{ start: 0, end: 1, type: 'link', url }] } }] },
    ],
  ],
  [
    'a changed cell',
    ({ table }, url) => [
      'blocks_update',
      { blocks: [{ id: table, rows: [{ row: 1, column: 0, markdown: `[c](<${url}>)` }] }] },
    ],
  ],
  ['an edited page', ({ pageId }, url) => ['blocks_update', { pageId, markdown: `[c](<${url}>)`, revision: 'any' }]],
  ['a document', (_, url) => ['documents_add', { documents: [{ title: 'a', markdown: `[c](<${url}>)` }] }]],
  ['a task', (_, url) => ['tasks_add', { tasks: [{ markdown: `[c](<${url}>)` }] }]],
  ['a comment', ({ id }, url) => ['comments_add', { comments: [{ blockId: id, content: `[c](<${url}>)` }] }]],
  [
    'a value',
    ({ collectionId }, url) => [
      'items_add',
      { collectionId, items: [{ title: 'a', properties: { text: `[c](<${url}>)` } }] },
    ],
  ],
  [
    'the content of an item',
    ({ collectionId }, url) => ['items_add', { collectionId, items: [{ title: 'a', markdown: `[c](<${url}>)` }] }],
  ],
  [
    'a changed value',
    ({ collectionId, item }, url) => [
      'items_update',
      { collectionId, itemsToUpdate: [{ id: item, properties: { url } }] },
    ],
  ],
  [
    'an element',
    ({ whiteboardBlockId }, link) => [
      'elements_add',
      { whiteboardBlockId, elements: [{ id: 'f', type: 'text', link }] },
    ],
  ],
  [
    'a changed element',
    ({ whiteboardBlockId }, link) => ['elements_update', { whiteboardBlockId, elements: [{ id: 'e', link }] }],
  ],
  [
    'an asset',
    ({ whiteboardBlockId }, dataURL) => [
      'elements_add',
      { whiteboardBlockId, elements: [], assets: { a: { dataURL } } },
    ],
  ],
]

const ADDRESSES = ['javascript:alert(1)', 'JaVaScRiPt:alert', 'vbscript:a', 'data:text/html,b', 'java\tscript:c']

describe.each(writers)('%s', (_, write) => {
  test('rejects addresses that execute code', async () => {
    const there = await world()
    for (const address of ADDRESSES) {
      const [name, args] = write(there, address)
      expect(await there.refused(name, args), address).toContain(refusal(address))
    }
  })
})

test('addresses of apps, text that looks like such addresses, and images as data are accepted', async () => {
  const { call, collectionId, item, position, id } = await world()
  const data = `data:image/png;base64,${png(1, 1).toString('base64')}`
  const markdown = `[a](obsidian://open) \`[b](javascript:c)\` javascript: the good parts, data: 5\n\n![](${data})`
  const { items } = await call('blocks_add', { markdown, position })
  expect(items).toMatchObject([{ markdown: markdown.split('\n')[0] }, { type: 'image', url: data }])
  await call('comments_add', { comments: [{ blockId: id, content: 'JavaScript: The Good Parts' }] })
  const properties = { text: 'JavaScript: The Good Parts', url: 'mailto:a@example.org' }
  await call('items_update', { collectionId, itemsToUpdate: [{ id: item, properties }] })
})

/** Writes to a column without any checks, as an earlier version could have done. */
const insert = ({ space }: Connected, sql: string, ...values: string[]) =>
  space.write(OPERATOR_LINK, ({ tx }) => changeRows(tx, sql, ...values))

test('an older one is not shown, and does not prevent other changes', async () => {
  const there = await world()
  const { call, pageId, id, card, collectionId, item, whiteboardBlockId } = there
  const connected = { ...there } as Connected
  await insert(
    connected,
    'UPDATE block SET text = ? WHERE id = ?',
    '[a](JAVASCRIPT:b) <vbscript:c> ![d](<data\t:e>)',
    id,
  )
  await insert(connected, 'UPDATE block SET text = ? WHERE id = ?', '[a](javascript:b)', pageId)
  const attributes = JSON.stringify({ url: 'javascript:a', title: '[t](javascript:b)' })
  await insert(connected, 'UPDATE block SET attributes = ? WHERE id = ?', attributes, card)
  const itemsToUpdate = [{ id: item, properties: { url: 'https://a.example', text: 'b' } }]
  await call('items_update', { collectionId, itemsToUpdate })
  await insert(connected, "UPDATE value SET text = 'javascript:a' WHERE text = 'https://a.example'")
  await insert(connected, "UPDATE value SET text = '[b](javascript:a)' WHERE text = 'b'")
  await insert(connected, `UPDATE element SET json = '{"id":"e","type":"rectangle","link":"javascript:a"}'`)
  const answers = [
    await call('blocks_get', { id: pageId }),
    await call('blocks_get', { id: pageId, format: 'markdown' }),
    await call('items_list', { collectionId }),
    await call('items_list', { collectionId, format: 'markdown' }),
    await call('elements_list', { whiteboardBlockId }),
    await call('blocks_search', { blockId: pageId, pattern: '.' }),
  ]
  for (const answer of answers) expect(JSON.stringify(answer)).not.toMatch(/javascript:|vbscript:|data/i)
  expect((await contentOf(connected, pageId))[0].markdown).toBe(
    '[a](invalid:unsafe_address) <invalid:unsafe_address> ![d](invalid:unsafe_address)',
  )
  await call('blocks_update', {
    blocks: [
      { id: card, layout: 'card' },
      { id, color: '#ff0000' },
    ],
  })
  await call('elements_update', { whiteboardBlockId, elements: [{ id: 'e', x: 5 }] })
  const { markdown } = (await contentOf(connected, pageId))[0]
  await call('blocks_update', { blocks: [{ id, markdown: `${markdown} more` }] })
  expect((await contentOf(connected, pageId))[0].markdown).toBe(`${markdown} more`)
})
