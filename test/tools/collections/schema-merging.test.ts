/** Two connections that change one schema: neither deletes what the other has added since it read the schema. */
import { expect, test } from 'vitest'
import { type Answer, type Connected, connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'

const STATUS = { name: 'Status', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Done' }] }

async function twoOnOneBoard() {
  const one = await connect()
  const link = { ...(await one.space.createAccessLink('full', [], 'other')), connection: 'other' }
  const other = await connect('full', { to: one, caller: { link } })
  const pageId = await documentOf(one)
  const schema = { name: 'Board', properties: [STATUS] }
  const { collectionBlockId } = await one.call('collections_add', { schema, position: { position: 'end', pageId } })
  return { one, other, collectionId: collectionBlockId as string }
}

const read = (connected: Connected, collectionId: string) =>
  connected.call('schema_get', { collectionId, format: 'schema' })

/** Sends a schema that was read, with something added. */
async function change(
  { client }: Connected,
  collectionId: string,
  { properties, ...schema }: Answer,
  added: object[] = [],
) {
  const named = { ...schema, properties: [...properties, ...added] }
  const { content, isError } = await client.callTool({
    name: 'schema_update',
    arguments: { collectionId, schema: named },
  })
  return { notes: JSON.stringify(content), isError: isError === true }
}

const keysOf = async (connected: Connected, collectionId: string) =>
  (await read(connected, collectionId)).properties.map(({ key }: { key: string }) => key)

test('a property that another connection added stays, with its values, and is named', async () => {
  const { one, other, collectionId } = await twoOnOneBoard()
  const [seen, theirs] = [await read(one, collectionId), await read(other, collectionId)]
  await change(other, collectionId, theirs, [{ name: 'Owner', type: 'text' }])
  const { items } = await other.call('items_add', {
    collectionId,
    items: [{ title: 'a', properties: { owner: 'Anna' } }],
  })
  const { notes } = await change(one, collectionId, seen, [{ name: 'Due', type: 'date' }])
  expect(notes).toContain('Kept what was added since this connection last read the schema: the property owner.')
  expect(await keysOf(one, collectionId)).toEqual(['status', 'due', 'owner'])
  const list = await one.call('items_list', { collectionId })
  expect(list.items).toMatchObject([{ id: items[0].id, properties: { owner: 'Anna' } }])
})

test('options that another connection added stay', async () => {
  const { one, other, collectionId } = await twoOnOneBoard()
  const seen = await read(one, collectionId)
  await read(other, collectionId)
  const options = [...STATUS.options, { name: 'Blocked' }]
  await change(other, collectionId, { name: 'Board', properties: [{ ...STATUS, options }] })
  const { notes } = await change(one, collectionId, seen)
  expect(notes).toContain('the option \\"Blocked\\" of status')
  expect((await read(one, collectionId)).properties[0].options.map(({ name }: { name: string }) => name)).toEqual([
    ...['Open', 'Done', 'Blocked'],
  ])
})

test('what a connection has seen or added itself is deleted if it is left out', async () => {
  const { one, other, collectionId } = await twoOnOneBoard()
  const first = await read(one, collectionId)
  await change(other, collectionId, await read(other, collectionId), [{ name: 'Owner', type: 'text' }])
  // The answer of the first change shows the property, so that it is left out on purpose the second time.
  await change(one, collectionId, first)
  expect((await change(one, collectionId, first)).notes).not.toContain('Kept')
  expect(await keysOf(other, collectionId)).toEqual(['status'])
})

test('a connection that never read the schema replaces it', async () => {
  const { one, other, collectionId } = await twoOnOneBoard()
  await change(one, collectionId, await read(one, collectionId), [{ name: 'Owner', type: 'text' }])
  await change(other, collectionId, { name: 'Board', properties: [STATUS] })
  expect(await keysOf(one, collectionId)).toEqual(['status'])
})

test('a new property may not have the name of one that another connection added', async () => {
  const { one, other, collectionId } = await twoOnOneBoard()
  const seen = await read(one, collectionId)
  await change(other, collectionId, await read(other, collectionId), [{ name: 'Due', type: 'text' }])
  const refused = await change(one, collectionId, seen, [{ name: 'Due', type: 'date' }])
  expect(refused).toMatchObject({ isError: true, notes: expect.stringContaining('Expected a name that is free') })
  expect(await keysOf(other, collectionId)).toEqual(['status', 'due'])
})

test('a new property gets a key of its own beside one that another connection added and renamed', async () => {
  const { one, other, collectionId } = await twoOnOneBoard()
  const seen = await read(one, collectionId)
  const added = await read(other, collectionId)
  await change(other, collectionId, added, [{ name: 'Due', type: 'text' }])
  await change(other, collectionId, added, [{ key: 'due', name: 'Until', type: 'text' }])
  const { notes } = await change(one, collectionId, seen, [{ name: 'Due', type: 'date' }])
  expect(notes).toContain('the property due')
  expect(await keysOf(other, collectionId)).toEqual(['status', 'due_2', 'due'])
})

test('an option that undo restored stays, since the connection has not read the schema after that', async () => {
  const { one, collectionId } = await twoOnOneBoard()
  const schema = { name: 'Board', properties: [{ ...STATUS, options: [{ name: 'Open' }] }] }
  await change(one, collectionId, schema)
  const { items } = await one.call('history_list', { limit: 1 })
  await one.call('history_undo', { calls: [items[0].callId] })
  expect((await change(one, collectionId, schema)).notes).toContain(
    'Kept what was added since this connection last read the schema: the option \\"Done\\" of status.',
  )
})

test('what a dry run shows was not seen', async () => {
  const { one, other, collectionId } = await twoOnOneBoard()
  const seen = await read(one, collectionId)
  await one.client.callTool({
    name: 'schema_update',
    arguments: { collectionId, schema: { ...seen, properties: [...seen.properties, { name: 'Draft', type: 'text' }] } },
    _meta: { 'scriptorium/dryRun': true },
  })
  await change(other, collectionId, await read(other, collectionId), [{ name: 'Owner', type: 'text' }])
  await change(one, collectionId, seen)
  expect(await keysOf(one, collectionId)).toEqual(['status', 'owner'])
})

test('what a failed call has added was not seen', async () => {
  const { one, other, collectionId } = await twoOnOneBoard()
  const seen = await read(one, collectionId)
  const schema = { ...seen, properties: [...seen.properties, { name: 'Draft', type: 'text' }] }
  const failed = await one.client.callTool({
    name: 'batch',
    arguments: {
      steps: [
        { tool: 'schema_update', arguments: { collectionId, schema } },
        { tool: 'blocks_delete', arguments: { blockIds: ['999'] } },
      ],
    },
  })
  expect(failed.isError).toBe(true)
  // It gets the number that the draft had.
  await change(other, collectionId, await read(other, collectionId), [{ name: 'Owner', type: 'text' }])
  await change(one, collectionId, seen)
  expect(await keysOf(one, collectionId)).toEqual(['status', 'owner'])
})

test('a later step of a batch deletes what an earlier one added', async () => {
  const { one, collectionId } = await twoOnOneBoard()
  const seen = await read(one, collectionId)
  const schema = { ...seen, properties: [...seen.properties, { name: 'Draft', type: 'text' }] }
  const step = (schema: object) => ({ tool: 'schema_update', arguments: { collectionId, schema } })
  await one.call('batch', { steps: [step(schema), step(seen)] })
  expect(await keysOf(one, collectionId)).toEqual(['status'])
})

test('a connection that has read the JSON Schema of the items has seen the properties', async () => {
  const { one, other, collectionId } = await twoOnOneBoard()
  await other.call('schema_get', { collectionId })
  await change(one, collectionId, await read(one, collectionId), [{ name: 'Owner', type: 'text' }])
  await change(other, collectionId, { name: 'Board', properties: [STATUS] })
  expect(await keysOf(one, collectionId)).toEqual(['status', 'owner'])
})

const withOptions = (options: object[]) => ({ name: 'Board', properties: [{ ...STATUS, key: 'status', options }] })
const numbered = (word: string) => Array.from({ length: 300 }, (_, index) => ({ name: `${word} ${index}` }))

test('an option may not get the name of one that another connection added', async () => {
  const { one, other, collectionId } = await twoOnOneBoard()
  await Promise.all([read(one, collectionId), read(other, collectionId)])
  await change(other, collectionId, withOptions([...STATUS.options, { name: 'Closed' }]))
  const refused = await change(
    one,
    collectionId,
    withOptions([{ name: 'Open' }, { name: 'Closed', renamedFrom: 'Done' }]),
  )
  expect(refused).toMatchObject({
    isError: true,
    notes: expect.stringContaining(
      'At schema.properties[0].options: Expected a name that is free, found \\"Closed\\", which somebody has given to a new option of status since this connection last read the schema',
    ),
  })
})

test('the options that stay count for the limit, and the note names the first', async () => {
  const { one, other, collectionId } = await twoOnOneBoard()
  await Promise.all([read(one, collectionId), read(other, collectionId)])
  await change(other, collectionId, withOptions(numbered('theirs')))
  const refused = await change(one, collectionId, withOptions(numbered('own')))
  expect(refused).toMatchObject({ isError: true, notes: expect.stringContaining('found 600; read it again') })
  const { notes } = await change(one, collectionId, withOptions([{ name: 'own' }]))
  expect(notes).toContain('the option \\"theirs 19\\" of status and 280 more. To delete it')
})
