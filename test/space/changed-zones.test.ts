/** What keeps its day, and what its moment, when the time zone of a space changes. */
import { expect, test } from 'vitest'
import { updateSettings } from '../../src/space/model/settings.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { connect } from '../connect.ts'

const ZONES = ['America/Los_Angeles', 'Pacific/Kiritimati', 'Asia/Kolkata', 'UTC', 'Europe/Budapest']

async function moving() {
  const agent = await connect()
  const move = (timezone: string) => agent.space.write(OPERATOR_LINK, (view) => updateSettings(view, { timezone }))
  return { ...agent, move }
}

test('tasks, daily notes and dates of items keep their days', async () => {
  const { call, move } = await moving()
  const { items } = await call('tasks_add', {
    tasks: [{ markdown: 'Pay', taskInfo: { scheduleDate: '2026-12-01', deadlineDate: '2026-12-31' } }],
  })
  await call('blocks_add', { markdown: 'Noted', position: { position: 'end', date: '2026-11-20' } })
  for (const zone of ZONES) {
    await move(zone)
    const [task] = (await call('tasks_list', { scope: 'all' })).items
    expect(task).toMatchObject({
      id: items[0].id,
      taskInfo: { scheduleDate: '2026-12-01', deadlineDate: '2026-12-31' },
    })
    const notes = await call('documents_list', { location: 'daily_notes' })
    expect(notes.items.map(({ dailyNoteDate }: { dailyNoteDate: string }) => dailyNoteDate)).toEqual(['2026-11-20'])
  }
})

test('a repeat keeps its day of the month through changed zones and short months', async () => {
  const { call, move, clock } = await moving()
  const { items } = await call('tasks_add', {
    tasks: [
      {
        markdown: 'Rent',
        taskInfo: { state: 'todo', scheduleDate: '2027-01-31' },
        repeat: { type: 'fixed', frequency: 'monthly' },
      },
    ],
  })
  const days: string[] = []
  for (const zone of ZONES) {
    await move(zone)
    const [{ taskInfo }] = (await call('blocks_get', { id: items[0].id, maxDepth: 0 }))
      ? (await call('tasks_list', { scope: 'all' })).items
      : []
    days.push(taskInfo.scheduleDate)
    clock.now = Date.parse(`${taskInfo.scheduleDate}T12:00:00Z`)
    await call('tasks_update', { tasksToUpdate: [{ id: items[0].id, taskInfo: { state: 'done' } }] })
  }
  expect(days).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'])
})

test('what is due follows the day of the new zone', async () => {
  const { call, move, clock } = await moving()
  // It is the 21st in Budapest and the 20th in Los Angeles.
  clock.now = Date.parse('2026-11-20T23:30:00Z')
  await call('tasks_add', { tasks: [{ markdown: 'Pay', taskInfo: { scheduleDate: '2026-11-21' } }] })
  const active = async () => (await call('tasks_list', { scope: 'active' })).items.length
  expect(await active()).toBe(1)
  await move('America/Los_Angeles')
  expect(await active()).toBe(0)
  expect((await call('tasks_list', { scope: 'upcoming' })).items).toHaveLength(1)
  await move('Asia/Tokyo')
  expect(await active()).toBe(1)
})

test('a reminder keeps its moment', async () => {
  const { call, move } = await moving()
  const { items } = await call('tasks_add', { tasks: [{ markdown: 'Pay' }] })
  // Clocks show half past two twice on that day in Budapest.
  const moments = ['2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z']
  for (const remindAt of moments) {
    await call('reminders_add', { reminders: [{ blockId: items[0].id, remindAt }] })
    for (const zone of ZONES) {
      await move(zone)
      expect((await call('reminders_list', {})).items).toMatchObject([{ remindAt }])
    }
  }
})

test('in years 1 to 9999, days are kept, listed and moved on', async () => {
  const { call, move } = await moving()
  const add = (scheduleDate: string) =>
    call('tasks_add', { tasks: [{ markdown: scheduleDate, taskInfo: { scheduleDate } }] })
  for (const day of ['0001-01-01', '0099-12-31', '9999-12-31']) await add(day)
  for (const zone of ZONES) {
    await move(zone)
    const { items } = await call('tasks_list', { scope: 'all' })
    expect(items.map(({ taskInfo }: { taskInfo: { scheduleDate: string } }) => taskInfo.scheduleDate).sort()).toEqual([
      ...['0001-01-01', '0099-12-31', '9999-12-31'],
    ])
  }
  const refused = /Expected a day in the years 1 to 9999/
  await move('Europe/Budapest')
  await expect(add('0000-12-31')).rejects.toThrow(refused)
  await expect(add('10000-01-01')).rejects.toThrow('Expected a date')
  await expect(add('in 9000 years')).rejects.toThrow(refused)
  // On clocks of Budapest it is the year 10000.
  await expect(add('9999-12-31T23:30:00Z')).rejects.toThrow(refused)
})
