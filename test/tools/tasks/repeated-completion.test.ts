/** A repeating task that two callers complete at once moves by one date. */
import { expect, test } from 'vitest'
import { type BuiltSpace, buildSpace } from '../../build.ts'
import { type Connected, connect } from '../../connect.ts'

const linkOf = async ({ space }: BuiltSpace, name: string) => ({
  ...(await space.createAccessLink('full', [], `Agent ${name}`)),
  connection: name,
})

/** A task that is due each day, and two connections. */
async function dailyTask() {
  const to = await buildSpace()
  const one = await connect('full', { to, caller: { link: await linkOf(to, 'one') } })
  const other = await connect('full', { to, caller: { link: await linkOf(to, 'two') } })
  const task = { markdown: 'Water the plants', taskInfo: { scheduleDate: '2026-11-20' }, repeat: 'daily' }
  const { items } = await one.call('tasks_add', { tasks: [task] })
  const id: string = items[0].id
  const done = (more: object = {}) => ({ tasksToUpdate: [{ id, taskInfo: { state: 'done' }, ...more }] })
  const dateOf = async () =>
    (
      await to.space.read({ ...(await linkOf(to, 'reader')) }, (view) =>
        view.readId(id).then((given) => view.getBlock(given)),
      )
    ).attributes
  return { ...to, one, other, id, done, dateOf }
}

async function answerOf({ client }: Connected, name: string, args: object) {
  const { content, isError } = await client.callTool({ name, arguments: args as Record<string, unknown> })
  const [text = '', ...notes] = (content as { text: string }[]).map((part) => part.text)
  return { text, notes: notes.join(' '), isError: isError === true }
}

const logbookOf = async ({ call }: Connected) => (await call('tasks_list', { scope: 'logbook' })).items.length

test('a second completion within a minute by a caller that has not read the task since changes nothing', async () => {
  const { one, other, id, done, dateOf, clock } = await dailyTask()
  expect((await answerOf(one, 'tasks_update', done())).notes).toBe('')
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-21"')
  clock.now += 59_000
  const note = `Task ${id} was completed by "Agent one (tester)" at 2026-11-20T09:00:00.000Z and is due on 2026-11-21 now, so it was not completed again; to do so, read it first or send expected: { scheduleDate }.`
  expect((await answerOf(other, 'tasks_update', done())).notes).toBe(note)
  // The same caller repeats its call, with another tool.
  expect((await answerOf(one, 'blocks_update', { blocks: [{ id, taskInfo: { state: 'done' } }] })).notes).toBe(note)
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-21"')
  expect(await logbookOf(one)).toBe(1)
})

test('a client that was shown the next date by its own call completes the task again', async () => {
  const { one, done, dateOf, ...built } = await dailyTask()
  const link = { ...(await linkOf(built, 'three')), hasSession: true as const }
  const { call } = await connect('full', { to: built, caller: { link } })
  const dates = []
  for (let count = 0; count < 3; count++) {
    dates.push((await call('tasks_update', { ...done(), answer: 'full' })).items[0].taskInfo.scheduleDate)
  }
  expect(dates).toEqual(['2026-11-21', '2026-11-22', '2026-11-23'])
  // Another one has not seen it.
  expect((await answerOf(one, 'tasks_update', done())).notes).toContain('was completed by')
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-23"')
})

test('what else the call changes is changed', async () => {
  const { one, other, done, dateOf } = await dailyTask()
  await one.call('tasks_update', done())
  const answer = await other.call('tasks_update', done({ markdown: 'Water all plants' }))
  expect(answer.items).toMatchObject([{ markdown: '- [ ] Water all plants', taskInfo: { state: 'todo' } }])
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-21"')
})

test('whoever has read the task since, or names its date, completes it', async () => {
  const { one, other, done, dateOf, id } = await dailyTask()
  await one.call('tasks_update', done())
  await other.call('tasks_list', { scope: 'all' })
  expect((await answerOf(other, 'tasks_update', done())).notes).not.toContain('was completed by')
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-22"')
  const named = await answerOf(one, 'tasks_update', done({ expected: { scheduleDate: '2026-11-22' } }))
  expect(named).toMatchObject({ isError: false })
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-23"')
  expect((await answerOf(other, 'tasks_update', done({ expected: { scheduleDate: '2026-11-22' } }))).text).toContain(
    `Expected task ${id} with scheduleDate "2026-11-22", found "2026-11-23"`,
  )
  expect(await logbookOf(one)).toBe(3)
})

test('after a minute a completion counts as a new one, and a change of the date is none', async () => {
  const { one, other, done, dateOf, id, clock } = await dailyTask()
  await one.call('tasks_update', { tasksToUpdate: [{ id, taskInfo: { scheduleDate: '2026-11-21' } }] })
  await other.call('tasks_update', done())
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-22"')
  clock.now += 61_000
  await one.call('tasks_update', done())
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-23"')
})

test('a call that gives the task another date and closes other tasks has not completed it', async () => {
  const { one, other, done, dateOf, id } = await dailyTask()
  const tasks = [
    { markdown: 'Sweep' },
    { markdown: 'Feed the cat', taskInfo: { scheduleDate: 'today' }, repeat: 'daily' },
  ]
  const { items } = await one.call('tasks_add', { tasks })
  const closed = items.map((task: { id: string }) => ({ id: task.id, taskInfo: { state: 'done' } }))
  const moved = { id, taskInfo: { scheduleDate: '2026-11-22' } }
  await one.call('tasks_update', { tasksToUpdate: [moved, ...closed] })
  expect((await answerOf(other, 'tasks_update', done())).notes).not.toContain('was completed by')
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-23"')
  // A completion that changes the text, too, is one.
  await one.call('tasks_update', done({ markdown: 'Water the roses', expected: { scheduleDate: '2026-11-23' } }))
  expect((await answerOf(other, 'tasks_update', done())).notes).toContain('was completed by "Agent one (tester)"')
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-24"')
})

test('a completion stays one if the text of the task, or the copy in the logbook, is changed afterwards', async () => {
  const { one, other, id, done, dateOf, clock } = await dailyTask()
  const written = async (markdown: string) => one.call('tasks_update', { tasksToUpdate: [{ id, markdown }] })
  await one.call('tasks_update', done({ markdown: 'Water the roses' }))
  await written('Water the tulips')
  await written('Water the lilies')
  expect((await answerOf(other, 'tasks_update', done())).notes).toContain('was completed by')
  clock.now += 61_000
  await one.call('tasks_update', done())
  const [{ id: copy }] = (await one.call('tasks_list', { scope: 'logbook' })).items
  await one.call('tasks_update', { tasksToUpdate: [{ id: copy, markdown: 'Watered' }] })
  expect((await answerOf(other, 'tasks_update', done())).notes).toContain('was completed by')
  await one.call('tasks_delete', { idsToDelete: [copy] })
  expect((await answerOf(other, 'tasks_update', done())).notes).toContain('was completed by')
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-22"')
})

test('steps of one batch complete a task once, unless they name its date', async () => {
  const { one, id, done, dateOf } = await dailyTask()
  const again = { tool: 'blocks_update', arguments: { blocks: [{ id, taskInfo: { state: 'done' } }] } }
  const { notes } = await answerOf(one, 'batch', { steps: [{ tool: 'tasks_update', arguments: done() }, again] })
  expect(notes).toBe(
    `Task ${id} was completed earlier in this call and is due on 2026-11-21 now, so it was not completed again; to do so, send expected: { scheduleDate }.`,
  )
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-21"')
  const dates = ['2026-11-21', '2026-11-22']
  const steps = dates.map((scheduleDate) => ({ tool: 'tasks_update', arguments: done({ expected: { scheduleDate } }) }))
  expect((await answerOf(one, 'batch', { steps })).isError).toBe(false)
  expect(await dateOf()).toContain('"scheduleDate":"2026-11-23"')
  expect(await logbookOf(one)).toBe(3)
})
