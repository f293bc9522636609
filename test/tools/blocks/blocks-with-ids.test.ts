/** blocks_get with `ids: true` writes Markdown in which each block follows its ID. */
import { expect, test } from 'vitest'
import { type Answer, connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'

const TEXT = [
  '# Head',
  '- a\n  - b',
  '```js\n100000000099 x\n```',
  '<page><pageTitle>Inner</pageTitle><content>\ndeep\n</content></page>',
].join('\n\n')

test('each block begins a line with its ID, and no other line does', async () => {
  const connected = await connect()
  const { client, call } = connected
  const id = await documentOf(connected, TEXT, 'Plan')
  const { content: blocks } = await call('blocks_get', { id })
  const [head, a, b, code, inner] = blocks.map((block: Answer) => block.id)
  const [deep] = blocks.at(-1).content
  const { content } = await client.callTool({ name: 'blocks_get', arguments: { id, ids: true } })
  const [body = '', note = ''] = (content as { text: string }[]).map(({ text }) => text)
  expect(body.split('\n')).toEqual([
    `${id} Plan`,
    `${head} # Head`,
    `${a} - a`,
    `${b}   - b`,
    `${code} \`\`\`js`,
    '  100000000099 x',
    '  ```',
    `${inner} Inner`,
    `${deep.id}   deep`,
  ])
  // Such a text cannot be written back, so it comes without the revision that this needs.
  expect(note).not.toContain('Revision')
})

test('items have their values, and what a limit leaves out its beginning', async () => {
  const connected = await connect()
  const { client, call } = connected
  const id = await documentOf(connected, '<page><pageTitle>Inner</pageTitle><content>\ndeep\n</content></page>', 'Plan')
  const { collectionBlockId: collectionId } = await call('collections_add', {
    schema: { name: 'Deals', properties: [{ name: 'Price', type: 'number' }] },
    position: { position: 'end', pageId: id },
  })
  const { items } = await call('items_add', { collectionId, items: [{ title: 'One', properties: { price: 3 } }] })
  const read = async (args: object) => {
    const { content } = await client.callTool({ name: 'blocks_get', arguments: { id, ids: true, ...args } })
    return (content as { text: string }[])[0]?.text
  }
  expect(await read({})).toContain(`${items[0].id}   One (price: 3)`)
  expect(await read({ maxDepth: 1 })).toContain('Inner\n  … deep')
})

test('an ID or a list of one, which other services take as ids, is the block', async () => {
  const connected = await connect()
  const { call } = connected
  const id = await documentOf(connected, 'text', 'Plan')
  expect(await call('blocks_get', { ids: [id], format: 'markdown' })).toContain('text')
  expect(await call('blocks_get', { ids: id, format: 'markdown' })).toContain('text')
})
