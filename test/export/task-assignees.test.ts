/** Who does tasks, in exports as Markdown. */
import { expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { type Connected, connect } from '../connect.ts'
import { exportOf, importOf } from './vault-exports.ts'

const NAME = 'Anna [x] *Kovács*'

/** A document with tasks for a person, for one who was removed, and for nobody. */
async function plan(): Promise<Connected & { id: string }> {
  const connected = await connect()
  const { call, space } = connected
  await space.write(OPERATOR_LINK, (view) => addParticipant(view, NAME))
  const { items } = await call('documents_add', {
    documents: [{ title: 'Plan', markdown: '- [ ] Dig\n- [x] Sow\n- [ ] a 👤 [@Bob](person://1) b' }],
  })
  const { content } = await call('blocks_get', { id: items[0].id })
  const assignee = NAME
  await call('tasks_update', {
    tasksToUpdate: [
      { id: content[0].id, taskInfo: { assignee, deadlineDate: '2026-12-01' } },
      { id: content[1].id, taskInfo: { assignee } },
    ],
  })
  const { members } = await call('connection_get')
  return { ...connected, id: members.find(({ name }: { name: string }) => name === NAME).id }
}

async function assignees({ call }: Pick<Connected, 'call'>): Promise<unknown[]> {
  const { items } = await call('tasks_list', { scope: 'all' })
  return items.map(({ markdown, taskInfo }: { markdown: string; taskInfo: { assignee?: { name: string } } }) => [
    markdown,
    taskInfo.assignee?.name,
  ])
}

test('who does a task is exported by name, and imported as a name where there is no such member', async () => {
  const planned = await plan()
  const before = await assignees(planned)
  const { path, read, report } = await exportOf(planned)
  expect(report.problems).toEqual([])
  expect(read('Plan.md')).toContain(`- [ ] Dig 📅 2026-12-01 👤 [@Anna \\[x\\] \\*Kovács\\*](person://${planned.id})\n`)
  const back = await importOf(path)
  expect(back.problems).toEqual([])
  expect(await assignees(back)).toEqual(before)
  const [task] = (await back.call('tasks_list', { scope: 'all' })).items
  expect(task.taskInfo.assignee).toEqual({ name: NAME })
  // It can be written back as it was read, and gets its ID once there is such a member.
  await back.space.write(OPERATOR_LINK, (view) => addParticipant(view, NAME))
  await back.call('tasks_update', { tasksToUpdate: [{ id: task.id, taskInfo: task.taskInfo }] })
  expect((await back.call('tasks_list', { scope: 'active' })).items).toHaveLength(0)
  expect((await back.call('tasks_list', { scope: 'all', assignee: NAME })).items).toHaveLength(1)
  const again = await importOf((await exportOf(back)).path)
  expect(await assignees(again)).toEqual(before)
})
