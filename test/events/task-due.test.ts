/** Tasks that are due, as subscribers are received of them. The space is in the time zone of Budapest, an hour before UTC. */
import { expect, test } from 'vitest'
import { updateSettings } from '../../src/space/model/settings.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { drainEvents, pollEvents, subscribe } from './wire.ts'

const DUE = { name: 'task.due' }

/** Records what is due, as a process does while somebody listens. */
async function listen({ space }: Pick<Connected, 'space'>): Promise<void> {
  const listening = space.watch(() => {}, { includesFeed: true })
  await listening.ready
  await listening.stop()
}

async function taskOf(full: Connected, scheduleDate: string) {
  const documentId = await documentOf(full, '- [ ] call', 'Plan')
  const { '- [ ] call': taskId = '' } = await idsOf(full, documentId)
  await full.call('tasks_update', { tasksToUpdate: [{ id: taskId, taskInfo: { scheduleDate } }] })
  return {
    documentId,
    taskId,
    set: (taskInfo: object) => full.call('tasks_update', { tasksToUpdate: [{ id: taskId, taskInfo }] }),
  }
}

test('a task is due once for each of its dates, when the day begins in the time zone of the space', async () => {
  const full = await connect()
  const { documentId, taskId, set } = await taskOf(full, '2026-11-21')
  const next = await subscribe(full, DUE)
  full.clock.now = Date.parse('2026-11-20T22:59:59Z')
  await listen(full)
  expect(await next()).toEqual([])
  full.clock.now = Date.parse('2026-11-20T23:00:00Z')
  await listen(full)
  const received = await next()
  expect(received).toEqual([
    {
      eventId: expect.stringMatching(/^evt_/),
      name: 'task.due',
      timestamp: '2026-11-20T23:00:00.000Z',
      data: { blockId: taskId, date: '2026-11-21', documents: [{ documentId, title: 'Plan' }] },
    },
  ])
  await set({ scheduleDate: '2026-11-25' })
  await set({ scheduleDate: '2026-11-21' })
  await full.space.write(OPERATOR_LINK, (view) => updateSettings(view, { timezone: 'Asia/Tokyo' }))
  await listen(full)
  expect(await next()).toEqual([])
  await set({ scheduleDate: '2026-11-22' })
  full.clock.now = Date.parse('2026-11-22T09:00:00Z')
  await listen(full)
  expect(await next()).toMatchObject([{ timestamp: '2026-11-21T15:00:00.000Z', data: { date: '2026-11-22' } }])
})

test('if nobody listened, subscribers are received later, and only of dates since they subscribed', async () => {
  const full = await connect()
  const tasks = [await taskOf(full, '2026-11-19'), await taskOf(full, '2026-11-21'), await taskOf(full, '2026-11-22')]
  const early = await subscribe(full, DUE)
  await tasks[2]?.set({ state: 'done' })
  full.clock.now = Date.parse('2026-11-22T09:00:00Z')
  const late = await subscribe(full, DUE)
  await tasks[2]?.set({ state: 'todo' })
  await listen(full)
  const dates = async (next: typeof early) => (await next()).map(({ data }) => data.date)
  expect(await dates(early)).toEqual(['2026-11-21', '2026-11-22'])
  expect(await dates(late)).toEqual(['2026-11-22'])
  const all = await drainEvents(full.client, { ...DUE, cursor: 'start' })
  expect(all.events.map(({ data }) => data.date)).toEqual(['2026-11-19', '2026-11-21', '2026-11-22'])
})

test('tasks in the trash, and out of reach, are received to nobody', async () => {
  const full = await connect()
  const [shown, hidden, trashed] = [
    await taskOf(full, '2026-11-21'),
    await taskOf(full, '2026-11-21'),
    await taskOf(full, '2026-11-21'),
  ]
  const narrow = await connect('selected', { to: full, documents: [shown.documentId] })
  const asked = [full, narrow].map(({ client }) => pollEvents(client, DUE))
  const [ofFull, ofNarrow] = await Promise.all(asked)
  await full.call('documents_delete', { documentIds: [trashed.documentId] })
  full.clock.now = Date.parse('2026-11-21T09:00:00Z')
  await listen(full)
  const received = async ({ client }: Connected, cursor = '') =>
    (await drainEvents(client, { ...DUE, cursor })).events.map(({ data }) => data.blockId)
  expect(await received(full, ofFull?.cursor)).toEqual([shown.taskId, hidden.taskId])
  expect(await received(narrow, ofNarrow?.cursor)).toEqual([shown.taskId])
})
