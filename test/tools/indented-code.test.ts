/** Text that standard Markdown reads as code, because of the spaces before it, and that is nested text here. */
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { contentOf } from '../document.ts'

const CODE = 'Run it:\n\n  step\n\n    npm start'
const NOTE = expect.stringContaining('was read as nested blocks, not as code')
type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['client']['callTool']>>
const notesOf = ({ content }: Answer): unknown => content

test.each([
  ['blocks_add', (pageId: string) => ({ markdown: CODE, position: { position: 'end', pageId } })],
  ['documents_add', () => ({ documents: [{ title: 'Title', markdown: CODE }] })],
] as const)('%s says that it is nested text', async (tool, argumentsOf) => {
  const { call, client } = await connect()
  const { items } = await call('documents_add', { documents: [{ title: 'Document' }] })
  const answer = await client.callTool({ name: tool, arguments: argumentsOf(items[0].id) })
  expect(notesOf(answer)).toContainEqual({ type: 'text', text: NOTE })
})

test('blocks_update says it of a block that gets another level, and not of one that keeps its own', async () => {
  const connected = await connect()
  const { call, client } = connected
  const { items } = await call('documents_add', { documents: [{ title: 'Document', markdown: 'a' }] })
  const [{ id }] = await contentOf(connected, items[0].id)
  const update = (markdown: string) =>
    client.callTool({ name: 'blocks_update', arguments: { blocks: [{ id, markdown }] } })
  expect(notesOf(await update('    npm start'))).toContainEqual({ type: 'text', text: NOTE })
  expect(notesOf(await update('    npm test'))).not.toContainEqual({ type: 'text', text: NOTE })
})

test('the text of a page says it of its new blocks, and not of those that were there', async () => {
  const connected = await connect()
  const { call, client } = connected
  const { items } = await call('documents_add', { documents: [{ title: 'Document', markdown: 'first' }] })
  const pageId = items[0].id
  const write = async (markdown: string) => {
    const { revision } = await call('blocks_get', { id: pageId })
    return client.callTool({ name: 'blocks_update', arguments: { pageId, markdown, revision } })
  }
  expect(notesOf(await write(CODE))).toContainEqual({ type: 'text', text: NOTE })
  expect(notesOf(await write(`${CODE}\n\nlast`))).not.toContainEqual({ type: 'text', text: NOTE })
})

test.each([
  ['blocks_add', { blocks: [{ type: 'text', markdown: '    deep', indentationLevel: 2 }] }],
  ['tasks_add', { tasks: [{ markdown: '    task' }] }],
])('%s says nothing of spaces that mean a level the caller names, or none', async (name, input) => {
  const { call, client } = await connect()
  const { items } = await call('documents_add', { documents: [{ title: 'Document' }] })
  const position = { position: 'end', pageId: items[0].id }
  const answer = await client.callTool({
    name,
    arguments: { ...input, ...(name === 'blocks_add' && { position }) },
  })
  expect(answer).toMatchObject({ content: [{ type: 'text' }] })
  expect(notesOf(answer)).not.toContainEqual({ type: 'text', text: NOTE })
})

test('items of an outline are nested without a note', async () => {
  const { client } = await connect()
  const documents = [{ title: 'Outline', markdown: '- a\n    - b\n        - c\n\n          d' }]
  const answer = await client.callTool({ name: 'documents_add', arguments: { documents } })
  expect(notesOf(answer)).not.toContainEqual({ type: 'text', text: NOTE })
})
