/** Forms write what their person changed. What others changed since they were opened stays, and words are merged. */
import { beforeEach, expect, test } from 'vitest'
import { type Suppliers, serveSuppliers } from './suppliers.ts'
import { textOf } from './visiting.ts'

let served: Suppliers
beforeEach(async () => {
  served = await serveSuppliers()
})

async function taskOf(markdown: string) {
  const { visitor, anna } = served
  const { items } = await anna('tasks_add', { tasks: [{ markdown, taskInfo: { scheduleDate: '2026-11-21' } }] })
  const id: string = items[0].id
  return {
    open: () => visitor.get(`/tasks/${id}/edit?back=/tasks`),
    change: (fields: object) => anna('tasks_update', { tasksToUpdate: [{ id, ...fields }] }),
    read: async () => {
      const { markdown: text, taskInfo } = await anna('blocks_get', { id, maxDepth: 0 })
      return [text, taskInfo.scheduleDate]
    },
  }
}

test('of a task, only what the person changed is written', async () => {
  const { visitor } = served
  const { open, change, read } = await taskOf('Dig a hole')
  const form = await open()
  await change({ markdown: 'Dig two holes', taskInfo: { scheduleDate: '2026-11-22' } })
  await visitor.press(form, 'Save', { deadline: '2026-11-30' })
  expect(await read()).toEqual(['- [ ] Dig two holes', '2026-11-22'])
})

test('the words of a task are merged', async () => {
  const { visitor } = served
  const { open, change, read } = await taskOf('Dig a hole')
  const form = await open()
  await change({ markdown: 'Dig a deep hole' })
  await visitor.press(form, 'Save', { text: 'Dig a hole today' })
  expect(await read()).toEqual(['- [ ] Dig a deep hole today', '2026-11-21'])
})

test('where both changed the same words, the person sees both before theirs are replaced', async () => {
  const { visitor } = served
  const { open, change, read } = await taskOf('Dig a hole')
  const form = await open()
  await change({ markdown: 'Dig a trench' })
  const refused = await visitor.press(form, 'Save', { text: 'Dig a pit' })
  expect(refused.status).toBe(400)
  expect(textOf(refused)).toContain(
    'Others changed the same words to “Dig a trench” while you did. Save once more to replace them by yours.',
  )
  expect((await read())[0]).toBe('- [ ] Dig a trench')
  await visitor.press(refused, 'Save', { date: '2026-11-21' })
  expect((await read())[0]).toBe('- [ ] Dig a pit')
})

test('the name of a folder is merged, and its place is left alone', async () => {
  const { visitor, anna } = served
  const { items } = await anna('folders_add', { folders: [{ name: 'Old plans' }, { name: 'Archive' }] })
  const [{ id }, { id: parent }] = items
  const form = await visitor.get(`/folders/${id}/edit`)
  await anna('folders_update', { folders: [{ id, name: 'Old plans and notes' }] })
  await anna('folders_move', { folderIds: [id], destination: { parentFolderId: parent } })
  await visitor.press(form, 'Save', { name: 'Very old plans', parent: '' })
  const [archive] = (await anna('folders_list', {})).items.filter((one: { id: string }) => one.id === parent)
  expect(archive.folders).toMatchObject([{ id, name: 'Very old plans and notes' }])
})

test('the title and a text of a row are merged', async () => {
  const { visitor, anna, suppliers, addItem, itemsOf, formOf } = served
  const item = await addItem('Nordkran', { notes: 'calls on Monday' })
  const form = await formOf(item)
  await anna('items_update', {
    collectionId: suppliers,
    itemsToUpdate: [{ id: item, title: 'Nordkran AG', properties: { notes: 'calls on Friday' } }],
  })
  const refused = await visitor.press(form, 'Save', { title: 'The Nordkran', 'v.notes': 'calls on Tuesday' })
  expect(textOf(refused)).toContain('Others changed the same words to “calls on Friday”')
  expect((await itemsOf())[0]).toMatchObject({ title: 'Nordkran AG', properties: { notes: 'calls on Friday' } })
  await visitor.press(refused, 'Save', { title: 'The Nordkran', 'v.notes': 'calls on Tuesday' })
  expect((await itemsOf())[0]).toMatchObject({
    title: 'The Nordkran AG',
    properties: { notes: 'calls on Tuesday' },
  })
})
