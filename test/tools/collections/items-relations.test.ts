import { describe, expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Answer, type Connected, connect } from '../../connect.ts'

const to = (...ids: string[]) => ({ relations: ids.map((blockId) => ({ blockId })) })

/** Creates people, and tasks related to some of them, each in a document of its own. */
async function world() {
  const connected = await connect()
  const people = await collectionOf(connected, [], 'People')
  const who = { type: 'relation', name: 'Who', targetCollectionId: people }
  const tasks = await collectionOf(connected, [{ type: 'text', name: 'Note' }, who], 'Tasks')
  const [ada = '', bob = ''] = await itemsOf(connected, people, [{ title: 'Ada' }, { title: 'Bob' }])
  const [one = '', two = ''] = await itemsOf(connected, tasks, [
    { title: 'One', properties: { who: to(ada, bob) } },
    { title: 'Two', properties: { who: to(ada) } },
  ])
  return { ...connected, connected, people, tasks, ada, bob, one, two }
}

/** Opens a connection that reaches the tasks but none of the people. */
async function narrow() {
  const full = await world()
  const { items } = await full.call('collections_list')
  const documents = items.filter(({ name }: Answer) => name === 'Tasks').map(({ documentId }: Answer) => documentId)
  return { full, selected: await connect('selected', { to: full, documents }) }
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

describe('a relation', () => {
  test('creates its other side, named after its collection', async () => {
    const { call, people, tasks } = await world()
    expect((await call('schema_get', { collectionId: people, format: 'schema' })).properties).toEqual([
      { key: 'tasks', name: 'Tasks', type: 'relation', targetCollectionId: tasks, isBackReference: true },
    ])
    expect((await call('schema_get', { collectionId: tasks, format: 'schema' })).properties[1]).toEqual({
      ...{ key: 'who', name: 'Who', type: 'relation', targetCollectionId: people },
    })
  })

  test('is shown from both sides, whichever is written', async () => {
    const { call, people, tasks, ada, bob, one, two } = await world()
    expect(await textOf({ call }, people, 'tasks')).toEqual({ Ada: [one, two], Bob: [one] })
    await call('items_update', { collectionId: tasks, itemsToUpdate: [{ id: one, properties: { who: to(bob) } }] })
    expect(await textOf({ call }, people, 'tasks')).toEqual({ Ada: [two], Bob: [one] })
    await call('items_update', {
      collectionId: people,
      itemsToUpdate: [{ id: bob, properties: { tasks: to(two, one) } }],
    })
    expect(await textOf({ call }, tasks, 'who')).toEqual({ One: [bob], Two: [ada, bob] })
    await call('items_update', { collectionId: people, itemsToUpdate: [{ id: bob, properties: { tasks: null } }] })
    expect(await textOf({ call }, tasks, 'who')).toEqual({ One: [], Two: [ada] })
  })

  test('leads to its own collection by default', async () => {
    const connected = await connect()
    const collectionId = await collectionOf(connected, [{ type: 'relation', name: 'After' }], 'Steps')
    const [a = ''] = await itemsOf(connected, collectionId, [{ title: 'a' }])
    const [b = ''] = await itemsOf(connected, collectionId, [{ title: 'b', properties: { after: to(a) } }])
    expect(await textOf(connected, collectionId, 'after')).toEqual({ a: [], b: [a] })
    expect(await textOf(connected, collectionId, 'steps')).toEqual({ a: [b], b: [] })
  })

  test('stays consistent when items are deleted, and is removed with either side or collection', async () => {
    const { call, people, tasks, ada, one } = await world()
    await call('items_delete', { collectionId: people, idsToDelete: [ada] })
    await call('blocks_delete', { blockIds: [one] })
    expect(await textOf({ call }, tasks, 'who')).toEqual({ Two: [] })
    expect(await textOf({ call }, people, 'tasks')).toEqual({ Bob: [] })
    await call('schema_update', { collectionId: people, schema: { name: 'People', properties: [] } })
    const keys = async (collectionId: string) =>
      (await call('schema_get', { collectionId, format: 'schema' })).properties.map(({ key }: Answer) => key)
    expect(await keys(tasks)).toEqual(['note'])

    const relation = { type: 'relation', name: 'Who', targetCollectionId: people }
    await call('schema_update', { collectionId: tasks, schema: { name: 'Tasks', properties: [relation] } })
    expect(await keys(people)).toEqual(['tasks'])
    await call('blocks_delete', { blockIds: [tasks] })
    expect(await keys(people)).toEqual([])
  })

  test('keeps its target, and needs room for its other side', async () => {
    const { connected, people, tasks, refused } = await world()
    const update = (properties: object[]) =>
      refused('schema_update', { collectionId: tasks, schema: { name: 'Tasks', properties } })
    expect(await update([{ type: 'relation', name: 'Who', key: 'who', targetCollectionId: tasks }])).toBe(
      `At schema.properties[0].targetCollectionId: Expected the targetCollectionId that the relation who has, found ${tasks}; a relation keeps its target. Leave its key out and give it another name to add a new one.`,
    )
    const many = Array.from({ length: 20 }, (_, index) => ({ type: 'text', name: `P${index}` }))
    const full = await collectionOf(connected, many, 'Full')
    expect(await update([{ type: 'relation', name: 'More', targetCollectionId: full }])).toBe(
      'At schema.properties[0].targetCollectionId: Expected room for the other side of the relation in "Full", found 20 properties there; take one away with schema_update first.',
    )
    expect(await textOf(connected, people, 'tasks')).toMatchObject({ Ada: [expect.any(String), expect.any(String)] })
  })
})

describe('on a connection that reaches only one side', () => {
  test('the other is omitted, and is unknown in writes', async () => {
    const { full, selected } = await narrow()
    const { tasks: collectionId, people, ada, one } = full
    expect(await textOf(selected, collectionId, 'who')).toEqual({ One: [], Two: [] })
    const { properties } = await selected.call('schema_get', { collectionId, format: 'schema' })
    expect(properties[1]).toEqual({ key: 'who', name: 'Who', type: 'relation' })
    const update = (properties: object) => ({ collectionId, itemsToUpdate: [{ id: one, properties }] })
    for (const id of [ada, 'nobody']) {
      expect(await selected.refused('items_update', update({ who: to(id) }))).toBe(
        `At itemsToUpdate[0].properties.who: Expected the ID of an item of the related collection, found ${id}, which does not exist there; read IDs with items_list.`,
      )
    }
    const schema = { name: 'Tasks', properties: [{ type: 'relation', name: 'New', targetCollectionId: people }] }
    expect(await selected.refused('schema_update', { collectionId, schema })).toBe(
      `At schema.properties[0].targetCollectionId: Expected the ID of a collection within reach, found ${people}; read IDs with collections_list and name one of those.`,
    )
    for (const name of ['items_list', 'schema_get']) {
      expect(await selected.refused(name, { collectionId: people })).toBe(
        `Expected the ID of a collection within reach, found ${people}; read IDs with collections_list and name one of those.`,
      )
    }
  })

  test('hidden values are not overwritten', async () => {
    const { full, selected } = await narrow()
    const { tasks: collectionId, people, ada, bob, one, two } = full
    await selected.call('items_update', {
      ...{ collectionId, itemsToUpdate: [{ id: one, properties: { note: 'x', who: to() } }] },
    })
    const schema = await selected.call('schema_get', { collectionId, format: 'schema' })
    await selected.call('schema_update', { collectionId, schema })
    expect(await textOf(full, collectionId, 'who')).toEqual({ One: [ada, bob], Two: [ada] })
    expect(await textOf(full, people, 'tasks')).toEqual({ Ada: [one, two], Bob: [one] })
  })
})
