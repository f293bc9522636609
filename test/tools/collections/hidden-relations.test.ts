/** Calls over a narrow link neither change nor count what is out of its reach. */
import { describe, expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Answer, type Connected, connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'

const to = (...ids: string[]) => ({ relations: ids.map((blockId) => ({ blockId })) })

/** Creates tasks related to people in a collection out of reach, and a connection that reaches only the tasks. */
async function narrow(access?: 'no-delete') {
  const full = await connect()
  const people = await collectionOf(full, [{ type: 'text', name: 'Note' }], 'People')
  const who = { type: 'relation', name: 'Who', targetCollectionId: people }
  const tasks = await collectionOf(full, [{ type: 'text', name: 'Note' }, who], 'Tasks')
  const named = [{ title: 'Ada', properties: { note: 'a' } }, { title: 'Bob' }]
  const [ada = '', bob = ''] = await itemsOf(full, people, named)
  const [one = '', two = ''] = await itemsOf(full, tasks, [
    { title: 'One', properties: { who: to(ada, bob) } },
    { title: 'Two', properties: { who: to(ada) } },
  ])
  const other = await documentOf(full)
  const { items } = await full.call('collections_list')
  const own = items.find(({ name }: Answer) => name === 'Tasks').documentId
  const selected = await connect('selected', { to: full, documents: [own, other], ...(access && { access }) })
  return { full: { ...full, people, tasks, ada, bob, one, two, own, other }, selected }
}

/** Returns the values of one property, by item title. */
async function textOf({ call }: Pick<Connected, 'call'>, collectionId: string, key: string) {
  const { items } = await call('items_list', { collectionId, maxDepth: 0 })
  return Object.fromEntries(
    items.map(({ title, properties }: Answer) => [
      title,
      (properties[key]?.relations ?? []).map(({ blockId }: Answer) => blockId),
    ]),
  )
}

describe('a schema without a relation that leads out of reach', () => {
  const without = { name: 'Tasks', properties: [{ type: 'text', name: 'Note', key: 'note' }] }

  test('keeps the other side as a relation of its own, with its values, and counts none of them', async () => {
    const { full, selected } = await narrow()
    const { tasks: collectionId, people, one, two } = full
    const answer = await selected.call('schema_update', { collectionId, schema: without })
    expect(answer).not.toHaveProperty('droppedValues')
    expect(answer.schema.properties.map(({ key }: Answer) => key)).toEqual(['note'])
    const schema = await full.call('schema_get', { collectionId: people, format: 'schema' })
    expect(schema.properties.map(({ key }: Answer) => key)).toEqual(['note', 'tasks'])
    expect(await textOf(full, people, 'tasks')).toEqual({ Ada: [one, two], Bob: [one] })
    // Writing the schema back does not create a reverse property, and the items remain writable.
    await full.call('schema_update', { collectionId: people, schema })
    expect((await full.call('schema_get', { collectionId, format: 'schema' })).properties).toHaveLength(1)
    const { items } = await full.call('items_list', { collectionId: people, maxDepth: 0 })
    const itemsToUpdate = [{ id: items[0].id, properties: { tasks: to(two) } }]
    await full.call('items_update', { collectionId: people, itemsToUpdate })
    expect(await textOf(full, people, 'tasks')).toEqual({ Ada: [two], Bob: [one] })
    await full.call('schema_update', { collectionId: people, schema: { name: 'People', properties: [] } })
  })

  test('counts links to blocks only if they lead to one within reach', async () => {
    const full = await connect()
    const collectionId = await collectionOf(full, [{ type: 'blockLink', name: 'See' }])
    const hidden = await collectionOf(full, [])
    await itemsOf(full, collectionId, [
      { title: 'a', properties: { see: { blockId: hidden } } },
      { title: 'b', properties: { see: { blockId: collectionId } } },
    ])
    const { items } = await full.call('collections_list')
    const selected = await connect('selected', { to: full, documents: [items[0].documentId] })
    const schema = { name: 'Collection', properties: [] }
    expect(await selected.call('schema_update', { collectionId, schema })).toMatchObject({ droppedValues: 1 })
  })

  test('is rejected if the link may not delete, with or without values', async () => {
    const response = `Expected a schema that keeps the properties whose values may lead to blocks out of reach, since this link has access no-delete, found who left out; keep those that schema_get shows, or ask the person who made the link for another.`
    const { full, selected } = await narrow('no-delete')
    const { tasks: collectionId, people, one, two } = full
    expect(await selected.refused('schema_update', { collectionId, schema: without })).toBe(response)
    expect(await textOf(full, people, 'tasks')).toEqual({ Ada: [one, two], Bob: [one] })
    const itemsToUpdate = [one, two].map((id) => ({ id, properties: { who: null } }))
    await full.call('items_update', { collectionId, itemsToUpdate })
    expect(await selected.refused('schema_update', { collectionId, schema: without })).toBe(response)
  })
})

describe('with a relation out of reach', () => {
  /** Reads the whole hidden collection. */
  const hiddenSide = async ({ call }: Connected, collectionId: string) => {
    const { items } = await call('items_list', { collectionId })
    const { properties } = await call('schema_get', { collectionId, format: 'schema' })
    return { items, properties }
  }

  test('a deleted item leaves the hidden values that led to it, and nothing else, and reveals nothing', async () => {
    const { full, selected } = await narrow()
    const { tasks: collectionId, people, ada, bob, one, two } = full
    const before = await hiddenSide(full, people)
    const answer = await selected.call('items_delete', { collectionId, idsToDelete: [one] })
    expect(answer).toEqual({ items: [{ id: one }] })
    const after = await hiddenSide(full, people)
    expect(after.properties).toEqual(before.properties)
    expect(after.items.map(({ id, title }: Answer) => [id, title])).toEqual([
      [ada, 'Ada'],
      [bob, 'Bob'],
    ])
    expect(after.items[0].properties).toEqual({ note: 'a', tasks: to(two) })
    expect(await textOf(full, people, 'tasks')).toEqual({ Ada: [two], Bob: [] })
  })

  test('a deleted collection removes the relations that led to it, and no item, value or other property', async () => {
    const { full, selected } = await narrow()
    const { tasks, people, ada, bob } = full
    expect(await selected.call('blocks_delete', { blockIds: [tasks] })).toEqual({ items: [{ id: tasks }] })
    const { items, properties } = await hiddenSide(full, people)
    expect(properties.map(({ key }: Answer) => key)).toEqual(['note'])
    expect(items.map(({ id, properties }: Answer) => [id, properties])).toEqual([
      [ada, { note: 'a' }],
      [bob, {}],
    ])
  })

  test('a moved collection and changed items leave the hidden side unchanged', async () => {
    const { full, selected } = await narrow()
    const { tasks: collectionId, people, one, other } = full
    const before = await hiddenSide(full, people)
    const position = { position: 'end', pageId: other }
    const moved = await selected.call('blocks_move', { blockIds: [collectionId], position })
    expect(moved).toEqual({ items: [{ id: collectionId }] })
    const itemsToUpdate = [{ id: one, title: 'New', properties: { note: 'x', who: null } }]
    const { items } = await selected.call('items_update', { collectionId, itemsToUpdate })
    expect(items).toEqual([{ id: one, title: 'New', properties: { note: 'x' } }])
    expect(await hiddenSide(full, people)).toEqual(before)
  })
})
