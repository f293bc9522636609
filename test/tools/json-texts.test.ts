/**
 * Arguments that the list of tools describes as JSON texts. They are accepted in that form: with keys of the caller's
 * own, or as in another tool.
 */
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'

const json = JSON.stringify

async function withCollection() {
  const connected = await connect()
  const pageId = await documentOf(connected)
  const { collectionBlockId: collectionId, schema } = await connected.call('collections_add', {
    schema: {
      name: 'Deals',
      properties: [
        { name: 'Price', type: 'number' },
        { name: 'Won', type: 'boolean' },
        { name: 'Stage', type: 'singleSelect', options: ['Open', 'Closed'] },
      ],
      contentPropDetails: json({ name: 'Deal' }),
    },
    position: json({ position: 'end', pageId }),
  })
  return { ...connected, pageId, collectionId, schema }
}

test('values of items', async () => {
  const { call, collectionId } = await withCollection()
  const properties = json({ price: 3, stage: 'Open' })
  const { items } = await call('items_add', { collectionId, items: [{ title: 'a', properties }] })
  expect(items).toMatchObject([{ title: 'a', properties: { price: 3, stage: 'Open' } }])
  const changes = [{ id: items[0].id, properties: json({ price: null, stage: 'Closed' }) }]
  const updated = await call('items_update', { collectionId, itemsToUpdate: changes })
  expect(updated.items).toMatchObject([{ properties: { stage: 'Closed' } }])
  expect(updated.items[0].properties).not.toHaveProperty('price')
})

test.each([
  [{ property: 'price', filterType: 'number_greater', filterValue: '2' }, ['b']],
  [{ property: 'won', filterType: 'equals', filterValue: 'true' }, ['a']],
  [{ property: 'stage', filterType: 'select_isAnyOf', filterValue: '["Closed"]' }, ['b']],
  [{ property: 'title', filterType: 'equals', filterValue: 'a' }, ['a']],
])('the filter %j finds %j', async (filter, titles) => {
  const { call, collectionId } = await withCollection()
  await call('items_add', {
    collectionId,
    items: [
      { title: 'a', properties: { price: 1, won: true, stage: 'Open' } },
      { title: 'b', properties: { price: 3, won: false, stage: 'Closed' } },
    ],
  })
  const { items } = await call('items_list', { collectionId, filters: [filter] })
  expect(items.map(({ title }: { title: string }) => title)).toEqual(titles)
  const view = json({ name: 'View', type: 'table', filters: json([filter]) })
  const { id: viewId } = await call('views_add', { collectionId, view })
  const byView = await call('items_list', { collectionId, viewId })
  expect(byView.items.map(({ title }: { title: string }) => title)).toEqual(titles)
})

test('rules, calculations and settings of views', async () => {
  const { call, collectionId } = await withCollection()
  const view = {
    name: 'View',
    type: 'kanban',
    sortBy: json([{ property: 'price', ascending: false }]),
    groupBy: json([{ property: 'stage' }]),
    calculations: json({ price: 'number_sum' }),
    fields: json({ hidden: ['won'] }),
    kanban: json({ cardSize: 'small' }),
  }
  const added = await call('views_add', { collectionId, view })
  expect(added).toMatchObject({
    sortBy: [{ property: 'price', ascending: false }],
    groupBy: [{ property: 'stage', ascending: true }],
    calculations: { price: { propertyName: 'Price', type: 'number_sum' } },
    hiddenProperties: [{ propertyKey: 'won' }],
    kanban: { cardSize: 'small' },
  })
  const updated = await call('views_update', { collectionId, viewId: added.id, view: json({ name: 'Other' }) })
  expect(updated).toEqual({ ...added, name: 'Other' })
})

test('a schema as it was read', async () => {
  const { call, collectionId, schema } = await withCollection()
  const read = await call('schema_get', { collectionId, format: 'schema' })
  expect((await call('schema_update', { collectionId, schema: json(read) })).schema).toEqual(schema)
})

test('repeat rules and locations of tasks', async () => {
  const { call, pageId } = await withCollection()
  const repeat = { type: 'fixed', frequency: 'daily', interval: 2 }
  const [task] = (await call('tasks_add', { tasks: [{ markdown: 'a', repeat: json(repeat) }] })).items
  expect(task.repeat).toMatchObject(repeat)
  const location = json({ type: 'document', documentId: pageId })
  const [moved] = (await call('tasks_update', { tasksToUpdate: [{ id: task.id, location }] })).items
  expect(moved.location).toMatchObject({ type: 'document', documentId: pageId })
})

test('nested blocks', async () => {
  const { call, pageId } = await withCollection()
  const content = [json({ type: 'text', markdown: 'inner' })]
  const blocks = [{ type: 'page', title: 'Page', content }]
  await call('blocks_add', { blocks, position: { position: 'end', pageId } })
  const { content: read } = await call('blocks_get', { id: pageId })
  expect(read.at(-1).content).toMatchObject([{ markdown: 'inner' }])
})

test('elements and their parts', async () => {
  const { call, pageId } = await withCollection()
  const { whiteboardBlockId } = await call('whiteboards_add', { position: json({ position: 'end', pageId }) })
  const elements = [{ id: 'a', type: 'rectangle', x: 0, y: 0, width: 10, height: 10 }]
  await call('elements_add', { whiteboardBlockId, elements, appState: json({ viewBackgroundColor: '#fff' }) })
  await call('elements_update', { whiteboardBlockId, elements: json([{ id: 'a', x: 5 }]) })
  expect(await call('elements_list', { whiteboardBlockId })).toMatchObject({
    elements: [{ id: 'a', x: 5, width: 10 }],
    appState: { viewBackgroundColor: '#fff' },
  })
})
