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
  expect(notes).toContain('Kept what others have added since this connection last read the schema: the property owner.')
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
