/** Pages say who holds an item, and let people take it back. */
import { expect, test } from 'vitest'
import { serveSuppliers } from './suppliers.ts'
import { offers, textOf } from './visiting.ts'

test('a held item shows its holder, and can be taken back', async () => {
  const { visitor, suppliers, addItem, anna } = await serveSuppliers()
  await addItem('Nordkran', { status: 'asked' })
  const free = await visitor.get(`/collections/${suppliers}`)
  expect(textOf(free)).not.toContain('Held by')
  const { items } = await anna('items_claim', { collectionId: suppliers, set: { status: 'in' } })
  const held = await visitor.get(`/collections/${suppliers}`)
  expect(textOf(held)).toContain('Held by Anna (editor) since ')
  const after = await visitor.press(held, 'Take it back')
  expect(textOf(after)).toContain('The row is free again.')
  expect(offers(after, 'Take it back')).toBe(false)
  const [item] = (await anna('items_list', { collectionId: suppliers })).items
  expect(item).toMatchObject({ id: items[0].id, properties: { status: 'asked' } })
  expect(item).not.toHaveProperty('heldBy')
  // The page was shown before the row was claimed again: that claim stays.
  await anna('items_claim', { collectionId: suppliers })
  expect(textOf(await visitor.press(held, 'Take it back'))).toContain('to be the current fence of')
  expect((await anna('items_list', { collectionId: suppliers })).items[0]).toHaveProperty('heldBy')
})

test('a blocked item says what it waits for, on cards and in tables', async () => {
  const { visitor, anna, document } = await serveSuppliers()
  const properties = [
    { name: 'Finished', type: 'boolean' },
    { name: 'Needs', type: 'relation', config: { dependsOn: true } },
  ]
  const position = { position: 'end', pageId: document }
  const { collectionBlockId: collectionId } = await anna('collections_add', {
    schema: { name: 'Work', properties },
    position,
  })
  const { items } = await anna('items_add', { collectionId, items: [{ title: 'Dig <b>deep</b>' }, { title: 'Build' }] })
  const needs = { needs: { relations: [{ blockId: items[0].id }] } }
  await anna('items_update', { collectionId, itemsToUpdate: [{ id: items[1].id, properties: needs }] })
  const table = await visitor.get(`/collections/${collectionId}`)
  expect(textOf(table)).toContain('Blocked by Dig <b>deep</b>')
  await anna('views_add', { collectionId, view: { name: 'Cards', type: 'gallery' } })
  const { views } = await anna('views_list', { collectionId })
  const cards = await visitor.get(`/collections/${collectionId}?view=${views.at(-1).id}`)
  expect(textOf(cards)).toContain('Blocked by Dig <b>deep</b>')
  await anna('items_update', { collectionId, itemsToUpdate: [{ id: items[0].id, properties: { finished: true } }] })
  expect(textOf(await visitor.get(`/collections/${collectionId}`))).not.toContain('Blocked by')
})

test('lists of tasks say who holds a task and what it waits for, and let people take it back', async () => {
  const { visitor, anna } = await serveSuppliers()
  const { items } = await anna('tasks_add', { tasks: [{ markdown: 'Dig' }] })
  await anna('tasks_add', { tasks: [{ markdown: 'Build', blockedBy: [items[0].id] }] })
  await anna('items_claim', { scope: 'inbox' })
  const held = await visitor.get('/tasks?scope=inbox')
  expect(textOf(held)).toContain('Held by Anna (editor) since ')
  expect(textOf(held)).toContain('Blocked by Dig')
  const after = await visitor.press(held, 'Take it back')
  expect(textOf(after)).toContain('The row is free again.')
  expect((await anna('tasks_list', { scope: 'inbox' })).items[1]).not.toHaveProperty('heldBy')
  await anna('tasks_update', { tasksToUpdate: [{ id: items[0].id, taskInfo: { state: 'done' } }] })
  expect(textOf(await visitor.get('/tasks?scope=inbox'))).not.toContain('Blocked by')
})
