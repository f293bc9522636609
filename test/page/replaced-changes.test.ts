/** A form that replaces what somebody else has changed since it was opened says so on the next page. */
import { expect, test } from 'vitest'
import { serveSuppliers } from './suppliers.ts'
import { textOf } from './visiting.ts'

test('a form says which newer change it replaced, once', async () => {
  const { visitor, anna } = await serveSuppliers()
  const { items } = await anna('tasks_add', { tasks: [{ markdown: 'Dig', taskInfo: { scheduleDate: '2026-11-21' } }] })
  const id: string = items[0].id
  const form = await visitor.get(`/tasks/${id}/edit?back=/tasks`)
  await anna('tasks_update', { tasksToUpdate: [{ id, taskInfo: { scheduleDate: '2026-11-22' } }] })
  const after = await visitor.press(form, 'Save', { text: 'Dig', date: '2026-11-23' })
  expect(textOf(after)).toContain(`Replaced scheduleDate of ${id}, which "Anna (editor)" changed at `)
  expect(textOf(await visitor.get('/tasks'))).not.toContain('Replaced')
  // A person who opens the form afterwards has seen the change.
  const next = await visitor.get(`/tasks/${id}/edit?back=/tasks`)
  expect(textOf(await visitor.press(next, 'Save', { text: 'Dig', date: '2026-11-24' }))).not.toContain('Replaced')
})

test('the box of a repeating task is refused for a date that was completed', async () => {
  const { visitor, anna } = await serveSuppliers()
  const task = { markdown: 'Water', taskInfo: { scheduleDate: '2026-11-20' }, repeat: 'daily' }
  const { items } = await anna('tasks_add', { tasks: [task] })
  const [, box = ''] =
    /name="task" value="(\d+ done 2026-11-20)"/.exec((await visitor.get('/tasks?scope=inbox')).text) ?? []
  await anna('tasks_update', { tasksToUpdate: [{ id: items[0].id, taskInfo: { state: 'done' } }] })
  expect((await visitor.post('/tasks', { task: box })).text).toContain('with scheduleDate')
  const [left] = (await anna('tasks_list', { scope: 'inbox' })).items
  expect(left.taskInfo).toMatchObject({ scheduleDate: '2026-11-21' })
})
