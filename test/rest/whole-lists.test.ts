/** Over REST, lists without a limit are whole. A caller that gives a limit or a cursor gets a part, with a cursor. */
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { askerOf } from './rest-asker.ts'

const COUNT = 150
const numbered = (make: (index: number) => object, count = COUNT) =>
  Array.from({ length: count }, (_, index) => make(index))

test('GET /tasks returns all tasks, and over MCP the first ones', async () => {
  const connected = await connect()
  await connected.call('tasks_add', { tasks: numbered((index) => ({ markdown: `task ${index}` })) })
  const { ask } = await askerOf({ to: connected })
  const whole = (await ask('GET /tasks?scope=inbox')).json
  expect(whole.items).toHaveLength(COUNT)
  expect(whole).not.toHaveProperty('pagination')
  const part = (await ask('GET /tasks?scope=inbox&limit=100')).json
  expect(part.items).toHaveLength(100)
  const rest = (await ask(`GET /tasks?scope=inbox&cursor=${part.pagination.cursor}`)).json
  expect([...part.items, ...rest.items]).toEqual(whole.items)
  expect(await connected.call('tasks_list', { scope: 'inbox' })).toMatchObject({ pagination: { remaining: 50 } })
})

async function withItems(items: readonly object[]) {
  const connected = await connect()
  const { collectionBlockId: collectionId } = await connected.call('collections_add', {
    schema: { name: 'Things', properties: [] },
    position: { position: 'end', pageId: await documentOf(connected) },
  })
  await connected.call('items_add', { collectionId, items })
  const { ask } = await askerOf({ to: connected })
  return { ...connected, collectionId, list: (more = '') => ask(`GET /collections/${collectionId}/items${more}`) }
}

test('GET …/items returns all items, and over MCP the first ones', async () => {
  const { list, call, collectionId } = await withItems(numbered((index) => ({ title: `item ${index}` })))
  const whole = (await list()).json
  expect(whole.items).toHaveLength(COUNT)
  expect(whole).not.toHaveProperty('pagination')
  const part = (await list('?limit=100')).json
  expect(part.items).toHaveLength(100)
  expect((await list(`?cursor=${part.pagination.cursor}`)).json.items).toHaveLength(50)
  expect(await call('items_list', { collectionId })).toMatchObject({ pagination: { remaining: 50 } })
})

test('without a limit, items have all of their content', async () => {
  const markdown = numbered((index) => [`line ${index}`], 600).join('\n\n')
  const { list } = await withItems([
    { title: 'a', markdown },
    { title: 'b', markdown },
    { title: 'c', markdown: 'end' },
  ])
  const lengths = ({ items }: { items: { content: unknown[] }[] }) => items.map(({ content }) => content.length)
  expect(lengths((await list()).json)).toEqual([600, 600, 1])
  expect(lengths((await list('?limit=3')).json)).toEqual([600])
})
