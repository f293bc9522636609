/** Claims of tasks that give them dates meanwhile. */
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { statement } from '../../../storage/statement.ts'
import { type BuiltSpace, buildSpace } from '../../build.ts'
import { connect } from '../../connect.ts'

const END = statement(() => sql`UPDATE lease SET ends_at = 0`)
/** Ends the time of all leases, and what is due with it. */
async function endLeases({ space, call }: Pick<BuiltSpace, 'space'> & { call: Call }): Promise<void> {
  await space.write(OPERATOR_LINK, ({ tx }) => tx.run(END))
  await call('items_claim', { scope: 'undated' })
}
type Call = Awaited<ReturnType<typeof connect>>['call']

/** A space with tasks of the inbox. */
async function inbox(...tasks: object[]) {
  const to = await buildSpace()
  const connected = await connect('full', { to })
  const { items } = await connected.call('tasks_add', { tasks })
  const ids: string[] = items.map(({ id }: { id: string }) => id)
  const dates = async () => {
    const listed = (await connected.call('tasks_list', { scope: 'all' })).items as { id: string; taskInfo: object }[]
    return ids.map((id) => listed.find((one) => one.id === id)?.taskInfo)
  }
  return { ...to, ...connected, ids, id: ids[0] as string, dates }
}

const open = { state: 'todo' }
const claim = { scope: 'inbox' }

test('set gives claimed tasks dates, which return when the lease ends where they still stand', async () => {
  const { call, dates, ids, space } = await inbox(
    { markdown: 'First', taskInfo: { deadlineDate: '2026-12-24' } },
    { markdown: 'Second' },
    { markdown: 'Third' },
  )
  const set = { scheduleDate: 'today', deadlineDate: '2026-12-01' }
  const { items } = await call('items_claim', { ...claim, count: 2, set })
  expect(items).toMatchObject([
    { id: ids[0], taskInfo: { scheduleDate: '2026-11-20', deadlineDate: '2026-12-01' } },
    { id: ids[1], taskInfo: { scheduleDate: '2026-11-20', deadlineDate: '2026-12-01' } },
  ])
  const changed = { id: ids[1], fence: items[1].fence, taskInfo: { scheduleDate: '2026-11-30' } }
  await call('tasks_update', { tasksToUpdate: [changed] })
  await endLeases({ space, call })
  expect(await dates()).toEqual([
    { ...open, deadlineDate: '2026-12-24' },
    { ...open, scheduleDate: '2026-11-30' },
    open,
  ])
  const { items: calls } = await call('history_list', { format: 'json' })
  expect(calls.map(({ tool }: { tool: string }) => tool)).toContain('claim_ended')
})

test('dates return when the task is given back, and stay when it is released with its last change', async () => {
  const { call, dates, ids } = await inbox({ markdown: 'First' }, { markdown: 'Second' })
  const { items } = await call('items_claim', { ...claim, count: 2, set: { taskInfo: { scheduleDate: 'tomorrow' } } })
  const [first, second] = items
  await call('items_claim', { release: [{ id: first.id, fence: first.fence }] })
  const done = { id: second.id, fence: second.fence, release: true, taskInfo: { state: 'done' } }
  await call('tasks_update', { tasksToUpdate: [done] })
  expect(ids).toEqual([first.id, second.id])
  expect(await dates()).toEqual([open, { state: 'done', scheduleDate: '2026-11-21' }])
})

test('undoing a claim releases the task with its dates of before', async () => {
  const { call, dates, id } = await inbox({ markdown: 'First', taskInfo: { scheduleDate: '2026-12-01' } })
  const [{ fence }] = (await call('items_claim', { ...claim, set: { scheduleDate: null } })).items
  expect(await dates()).toEqual([open])
  const { items } = await call('history_list', { format: 'json', limit: 1 })
  await call('history_undo', { calls: [items[0].callId] })
  expect(await dates()).toEqual([{ ...open, scheduleDate: '2026-12-01' }])
  const [again] = (await call('items_claim', claim)).items
  expect(again).toMatchObject({ id })
  expect(again.fence).toBeGreaterThan(fence)
})

test('the reminder of a repeating task follows its date there and back', async () => {
  const repeat = { type: 'fixed', frequency: 'weekly', reminder: { enabled: true } }
  const { call, dates, space } = await inbox({ markdown: 'Water', taskInfo: { scheduleDate: '2026-12-04' }, repeat })
  const remindAt = async () => (await call('reminders_list', { status: 'all' })).items[0].remindAt.slice(0, 10)
  const before = await remindAt()
  await call('items_claim', { ...claim, set: { scheduleDate: '2026-12-11' } })
  const meanwhile = await remindAt()
  await endLeases({ space, call })
  expect([before, meanwhile, await remindAt()]).toEqual([before, expect.not.stringMatching(before), before])
  expect(await dates()).toEqual([{ ...open, scheduleDate: '2026-12-04' }])
})

test('a repeating task that was done meanwhile keeps its next date, and one without another date its own', async () => {
  const weekly = { type: 'fixed', frequency: 'weekly' }
  const { call, dates, ids, space } = await inbox(
    { markdown: 'Done', taskInfo: { scheduleDate: '2026-11-20' }, repeat: weekly },
    { markdown: 'Begun' },
  )
  const { items } = await call('items_claim', { ...claim, count: 2, set: { scheduleDate: '2026-11-23' } })
  const [done, begun] = items
  await call('tasks_update', {
    tasksToUpdate: [
      { id: ids[0], fence: done.fence, taskInfo: { state: 'done' } },
      { id: ids[1], fence: begun.fence, repeat: weekly },
    ],
  })
  await endLeases({ space, call })
  expect(await dates()).toEqual([
    { ...open, scheduleDate: '2026-11-30' },
    { ...open, scheduleDate: '2026-11-23' },
  ])
})

test.each([
  [{ state: 'done' }, 'found "state"; change'],
  [{ taskInfo: { state: 'done' } }, 'found "state"; change'],
  [{ markdown: 'x' }, 'found "markdown"; change'],
  [{ scheduleDate: 'someday' }, 'At set.scheduleDate: Expected a date'],
])('the claim of tasks with set %j is refused', async (set, message) => {
  const { refused } = await inbox({ markdown: 'First' })
  expect(await refused('items_claim', { ...claim, set })).toContain(message)
})
