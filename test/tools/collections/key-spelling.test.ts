import { expect, test } from 'vitest'
import { collectionOf } from '../../collection.ts'
import { type Answer, connect } from '../../connect.ts'

test('a key in another spelling is that of the only property that it fits', async () => {
  const connected = await connect()
  const collectionId = await collectionOf(connected, [
    { type: 'date', name: 'Due date' },
    { type: 'text', name: 'Note' },
    { type: 'text', name: 'No te' },
  ])
  const add = (properties: object) => ({ collectionId, items: [{ title: 'A', properties }] })
  for (const key of ['dueDate', 'Due date', 'DUE-DATE']) await connected.call('items_add', add({ [key]: '2026-11-20' }))
  const { items } = await connected.call('items_list', { collectionId })
  expect(items.map(({ properties }: Answer) => properties)).toEqual(Array(3).fill({ due_date: '2026-11-20' }))
  expect(await connected.refused('items_add', add({ NOTE: 'x' }))).toContain('found the unknown key "NOTE"')
})

test('a schema that is written with a key in another spelling keeps the property', async () => {
  const connected = await connect()
  const collectionId = await collectionOf(connected, [{ type: 'date', name: 'Due date' }])
  const property = { type: 'date', name: 'Deadline', key: 'dueDate' }
  await connected.call('schema_update', { collectionId, schema: { name: 'C', properties: [property] } })
  const found = JSON.stringify(await connected.call('schema_get', { collectionId }))
  expect(found).toContain('"due_date"')
  expect(found).toContain('Deadline')
})
