import { describe, expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Answer, type Connected, connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'

const STATUS = { type: 'singleSelect', name: 'Status', options: [{ name: 'Open' }, { name: 'Done' }] }
const TAGS = { type: 'multiSelect', name: 'Tags', options: [{ name: 'a' }, { name: 'b' }] }
const NOTE = { type: 'text', name: 'Note' }

const schemaOf = ({ call }: Connected, collectionId: string): Promise<Answer> =>
  call('schema_get', { collectionId, format: 'schema' })
const itemsIn = async ({ call }: Connected, collectionId: string): Promise<Answer[]> =>
  (await call('items_list', { collectionId })).items

async function withCollection(...properties: object[]) {
  const connected = await connect()
  const collectionId = await collectionOf(connected, properties)
  const update = (schema: object): Promise<Answer> => connected.call('schema_update', { collectionId, schema })
  const refused = (properties: object[], schema: object = {}) =>
    connected.refused('schema_update', { collectionId, schema: { name: 'Collection', properties, ...schema } })
  return { connected, collectionId, update, refused }
}

describe('the schema of a collection', () => {
  test('is read in the form in which it is written, and writing it back changes nothing', async () => {
    const { connected, collectionId, update } = await withCollection(STATUS, TAGS, NOTE, {
      ...{ type: 'number', name: 'Price', config: { format: 'currency', currency: 'EUR' } },
    })
    await itemsOf(connected, collectionId, [{ title: 'A', properties: { status: 'Open', tags: ['b', 'a'], price: 1 } }])
    const schema = await schemaOf(connected, collectionId)
    expect(schema).toEqual({
      key: 'collection',
      name: 'Collection',
      contentPropDetails: { key: 'name', name: 'Name' },
      properties: [
        {
          ...{ key: 'status', name: 'Status', type: 'singleSelect' },
          options: [
            { name: 'Open', color: 'yellow' },
            { name: 'Done', color: 'lime' },
          ],
        },
        {
          ...{ key: 'tags', name: 'Tags', type: 'multiSelect' },
          options: [
            { name: 'a', color: 'yellow' },
            { name: 'b', color: 'lime' },
          ],
        },
        { key: 'note', name: 'Note', type: 'text' },
        { key: 'price', name: 'Price', type: 'number', config: { format: 'currency', currency: 'EUR' } },
      ],
    })
    const before = await itemsIn(connected, collectionId)
    expect(await update(schema)).toEqual({ collectionBlockId: collectionId, schema })
    expect(await itemsIn(connected, collectionId)).toEqual(before)
  })

  test('can be renamed without changing an item: the collection, the titles, properties and options', async () => {
    const { connected, collectionId, update } = await withCollection(STATUS, TAGS)
    await itemsOf(connected, collectionId, [{ title: 'A', properties: { status: 'Open', tags: ['a', 'b'] } }])
    const { schema } = await update({
      name: 'Work',
      contentPropDetails: { name: 'Task' },
      properties: [
        { key: 'tags', type: 'multiSelect', name: 'Labels', options: [{ name: 'b' }, { name: 'a' }] },
        {
          ...{ key: 'status', type: 'singleSelect', name: 'State' },
          options: [
            { name: 'Doing', renamedFrom: 'Open' },
            { name: 'Done', color: 'gray' },
          ],
        },
      ],
    })
    expect(schema).toMatchObject({
      name: 'Work',
      contentPropDetails: { key: 'name', name: 'Task' },
      properties: [
        { key: 'tags', name: 'Labels' },
        {
          ...{ key: 'status', name: 'State' },
          options: [
            { name: 'Doing', color: 'yellow' },
            { name: 'Done', color: 'gray' },
          ],
        },
      ],
    })
    expect(await itemsIn(connected, collectionId)).toMatchObject([
      { properties: { status: 'Doing', tags: ['a', 'b'] } },
    ])
  })

  test('loses the values of removed properties and options, and says how many', async () => {
    const { connected, collectionId, update } = await withCollection(STATUS, TAGS, NOTE)
    await itemsOf(connected, collectionId, [
      { title: 'A', properties: { status: 'Open', tags: ['a', 'b'], note: 'x' } },
      { title: 'B', properties: { status: 'Done', tags: ['b'], note: 'y' } },
    ])
    const answer = await update({
      name: 'Collection',
      properties: [
        { key: 'tags', type: 'multiSelect', name: 'Tags', options: [{ name: 'a' }] },
        { key: 'status', type: 'singleSelect', name: 'Status' },
      ],
    })
    expect(answer.droppedValues).toBe(4)
    expect((await itemsIn(connected, collectionId)).map(({ properties }) => properties)).toEqual([
      { tags: ['a'], status: 'Open' },
      { status: 'Done' },
    ])
  })

  test('keeps a property without its key if name and type match, and replaces one of another type', async () => {
    const { connected, collectionId, update } = await withCollection(STATUS, NOTE)
    await itemsOf(connected, collectionId, [{ title: 'A', properties: { status: 'Open', note: 'x' } }])
    const same = await update({ name: 'Collection', properties: [STATUS, NOTE] })
    expect(same).not.toHaveProperty('droppedValues')
    const other = await update({ name: 'Collection', properties: [STATUS, { type: 'number', name: 'Note' }] })
    expect(other).toMatchObject({
      droppedValues: 1,
      schema: { properties: [{ key: 'status' }, { key: 'note', type: 'number' }] },
    })
    expect(await itemsIn(connected, collectionId)).toMatchObject([{ properties: { status: 'Open' } }])
  })

  test('has keys derived from names: folded, numbered if taken, never changed', async () => {
    const names = [
      'Überfällig am',
      'Straße',
      'A b',
      'a-b',
      'a_b',
      '__proto__',
      'constructor',
      '🎉',
      '日付',
      'title',
      'Name!',
    ]
    const { connected, collectionId } = await withCollection(...names.map((name) => ({ type: 'text', name })))
    const { properties } = await schemaOf(connected, collectionId)
    expect(properties.map(({ key }: Answer) => key)).toEqual([
      ...['uberfallig_am', 'strasse', 'a_b', 'ab', 'a_b_2', 'proto', 'constructor_2', 'property', 'property_2'],
      ...['title_2', 'name_2'],
    ])
    expect(properties.map(({ name }: Answer) => name)).toEqual(names)
  })

  test.each(['__proto__', 'constructor', 'toString', '🎉', 'x'.repeat(300), 'a\nb', '<b>"|&'])(
    'accepts %j as the name of a property, whose values can be written and read',
    async (name) => {
      const { connected, collectionId } = await withCollection({ type: 'text', name })
      const [{ key }] = (await schemaOf(connected, collectionId)).properties
      await itemsOf(connected, collectionId, [{ title: 'A', properties: { [key]: 'words' } }])
      expect((await itemsIn(connected, collectionId))[0].properties).toEqual({ [key]: 'words' })
      expect(await connected.call('items_list', { collectionId, format: 'markdown' })).toContain(`|id|title|${key}|`)
    },
  )
})

describe('a schema is rejected, and nothing of it is written', () => {
  const refusals: [string, object[], string][] = [
    [
      'two properties of one name',
      [NOTE, { type: 'date', name: ' Note' }],
      'At schema.properties[1].name: Expected each name once, found "Note" on another property as well; give this one another name.',
    ],
    [
      'a property named as the titles are',
      [{ type: 'date', name: 'Name' }],
      'At schema.properties[0].name: Expected each name once, found "Name" on the title column as well; give this one another name.',
    ],
    [
      'a name of spaces',
      [{ type: 'date', name: ' ' }],
      'At schema.properties[0].name: Expected a name, found none; give it.',
    ],
    [
      'a changed key',
      [{ ...STATUS, key: 'state' }, NOTE],
      'At schema.properties[0].key: Expected key status of the property "Status", found "state"; keys never change, leave it as it is.',
    ],
    [
      'an unknown key',
      [{ type: 'date', name: 'Due', key: 'due' }],
      'At schema.properties[0].key: Expected a key of this collection (status, note), found "due"; leave key out for a new property.',
    ],
    [
      'a key twice',
      [
        { ...NOTE, key: 'note' },
        { type: 'text', name: 'More', key: 'note' },
      ],
      'At schema.properties[1].key: Expected each key once, found "note" twice; leave it out on the new property.',
    ],
    [
      'a changed type',
      [{ type: 'number', name: 'Note', key: 'note' }],
      'At schema.properties[0].type: Expected type text of the property note, found number; a property keeps its type. Leave its key out to put a new one in its place, which drops its values.',
    ],
    [
      'options on a text',
      [{ ...NOTE, options: [{ name: 'a' }] }],
      'At schema.properties[0].options: Expected options on a singleSelect or multiSelect property alone, found it on one of type text; leave it out.',
    ],
    [
      'an option twice',
      [{ ...STATUS, options: [{ name: 'a' }, { name: 'a ' }] }],
      'At schema.properties[0].options[1].name: Expected each option once, found "a" twice; leave one of them out.',
    ],
    [
      'an option renamed from none',
      [{ ...STATUS, options: [{ name: 'a', renamedFrom: 'b' }] }],
      'At schema.properties[0].options[0].renamedFrom: Expected an option that the property has (Open, Done), found "b"; leave renamedFrom out for a new option.',
    ],
    [
      'an option renamed twice',
      [
        {
          ...STATUS,
          options: [
            { name: 'a', renamedFrom: 'Open' },
            { name: 'b', renamedFrom: 'Open' },
          ],
        },
      ],
      'At schema.properties[0].options[1].renamedFrom: Expected each option renamed once, found "Open" twice; leave renamedFrom out on one of them.',
    ],
    [
      'an unknown color',
      [{ ...STATUS, options: [{ name: 'a', color: 'green' }] }],
      'At schema.properties[0].options[0].color: Expected one of yellow, lime, mint-green, aqua-blue, sky-blue, lavender, pink, red, gray, found "green".',
    ],
    [
      'an unknown currency',
      [{ type: 'number', name: 'Price', config: { format: 'currency', currency: 'EURO' } }],
      'At schema.properties[0].config.currency: Expected a currency by its three letters of ISO 4217 such as EUR, found "EURO".',
    ],
    [
      'a currency without its format',
      [{ type: 'number', name: 'Price', config: { currency: 'EUR' } }],
      'At schema.properties[0].config.currency: Expected a currency with format currency alone, found it with format none; give the format, or leave it out.',
    ],
    [
      'a relation to a collection that there is not',
      [{ type: 'relation', name: 'Who', targetCollectionId: 'nobody' }],
      'At schema.properties[0].targetCollectionId: Expected the ID of a collection within reach, found nobody; read IDs with collections_list and name one of those.',
    ],
    [
      'a back reference of its own',
      [{ type: 'relation', name: 'Who', isBackReference: true }],
      'At schema.properties[0].isBackReference: Expected isBackReference on a property that there is, found it on a new one; leave this property out: the other side of a relation is made with it.',
    ],
    [
      'more than 20 properties',
      Array.from({ length: 21 }, (_, index) => ({ type: 'text', name: `P${index}` })),
      'At schema.properties: Expected at most 20 entries, found 21.',
    ],
  ]
  test.each(refusals)('%s', async (_, properties, message) => {
    const { connected, collectionId, refused } = await withCollection(STATUS, NOTE)
    const before = await schemaOf(connected, collectionId)
    expect(await refused(properties)).toBe(message)
    expect(await schemaOf(connected, collectionId)).toEqual(before)
  })

  test('a changed key of the titles', async () => {
    const { refused } = await withCollection(NOTE)
    expect(await refused([], { contentPropDetails: { name: 'Name', key: 'title' } })).toBe(
      'At schema.contentPropDetails.key: Expected key name of the title column, found "title"; keys never change, leave it out.',
    )
  })

  test('all its errors, each with its path', async () => {
    const { connected, collectionId } = await withCollection(STATUS)
    const properties = [{ ...NOTE, key: 'x' }, { ...NOTE }, { type: 'number', name: 'Status', key: 'status' }]
    const { details } = await connected.faults('schema_update', { collectionId, schema: { name: 'C', properties } })
    expect(details?.map(({ path }) => path)).toEqual([
      'schema.properties[1].name',
      'schema.properties[0].key',
      'schema.properties[2].type',
    ])
  })

  test('of a block that is not a collection, and of an unknown one', async () => {
    const connected = await connect()
    const document = await documentOf(connected)
    const refused = (collectionId: string) => connected.refused('schema_get', { collectionId })
    expect(await refused(document)).toBe(
      `Expected the ID of a collection, found ${document} of type page; collections_list lists collections.`,
    )
    expect(await refused('nothing')).toBe(
      'Expected the ID of a collection within reach, found nothing; read IDs with collections_list and name one of those.',
    )
  })
})

test('the other side of a relation gets a name and a key that its collection does not have', async () => {
  const { connected, collectionId: targetCollectionId } = await withCollection(NOTE)
  for (const name of ['Note', 'Note', 'Name']) {
    await collectionOf(connected, [{ type: 'relation', name: 'To', targetCollectionId }], name)
  }
  const { properties } = await schemaOf(connected, targetCollectionId)
  const named = properties.map(({ name, key }: Answer) => `${name} ${key}`)
  expect(named).toEqual(['Note note', 'Note 2 note_2', 'Note 3 note_3', 'Name 2 name_2'])
})

test('names with line ends are stored in one line', async () => {
  const { connected, collectionId } = await withCollection({ type: 'text', name: ' First \r\n second\nthird ' })
  expect((await schemaOf(connected, collectionId)).properties).toMatchObject([{ name: 'First second third' }])
})

describe('a key that is given to a new collection', () => {
  const added = async (key: string) => {
    const connected = await connect()
    const pageId = await documentOf(connected)
    const schema = { name: 'Boats', properties: [{ name: 'Crew', key, type: 'number' }] }
    const args = { schema, position: { position: 'end', pageId } }
    return { connected, args }
  }

  test('is kept', async () => {
    const { connected, args } = await added('crew_size')
    const { collectionBlockId: collectionId } = await connected.call('collections_add', args)
    await connected.call('items_add', { collectionId, items: [{ title: 'Argo', properties: { crew_size: 50 } }] })
    const { items } = await connected.call('items_list', { collectionId })
    expect(items[0].properties).toMatchObject({ crew_size: 50 })
  })

  test('is not that of titles', async () => {
    const { connected, args } = await added('title')
    expect(await connected.refused('collections_add', args)).toContain(
      'Expected a key other than "title", which is that of titles; leave it out.',
    )
  })

  test('has letters, digits and underscores alone', async () => {
    const { connected, args } = await added('Crew size!')
    expect(await connected.refused('collections_add', args)).toContain('"Crew size!"')
  })
})
