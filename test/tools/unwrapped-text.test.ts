/** Markdown that comes within a fence, as chat programs write it. */
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { contentOf } from '../document.ts'

const FENCED = '```markdown\n# Head\n\ntext\n```'
const NOTE = expect.stringContaining('The fence around the whole Markdown was left out')

test.each([
  ['blocks_add', (pageId: string) => ({ markdown: FENCED, position: { position: 'end', pageId } })],
  ['documents_add', () => ({ documents: [{ title: 'Title', markdown: FENCED }] })],
] as const)('%s says that the fence around its text is no block of code', async (tool, argumentsOf) => {
  const { call, client } = await connect()
  const { items } = await call('documents_add', { documents: [{ title: 'Document' }] })
  const { content } = await client.callTool({ name: tool, arguments: argumentsOf(items[0].id) })
  expect(content).toContainEqual({ type: 'text', text: NOTE })
})

test('a fence between other blocks, and one of another language, stay code', async () => {
  const connected = await connect()
  const { items } = await connected.call('documents_add', {
    documents: [
      { title: 'Between', markdown: `before\n\n${FENCED}` },
      { title: 'Script', markdown: '```sh\necho hi\n```' },
    ],
  })
  for (const { id } of items) {
    expect(await contentOf(connected, id)).toContainEqual(expect.objectContaining({ type: 'code' }))
  }
})
