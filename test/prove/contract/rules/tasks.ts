/** Rules about tasks: their lists, their states, and where they stand. */
import type { Thing } from '../answer.ts'
import { DAILY, FULL, FULL_AND_DAILY, type RuleGroup, SELECTED } from '../rule.ts'
import { has, holds, idsOf, inPage, one, type RuleContext, reads, same, withId } from '../rule-context.ts'

const addTask = async (at: RuleContext, task: object): Promise<Thing> =>
  one((await at.done('tasks_add', { tasks: [task] })).items)
const update = async (at: RuleContext, id: string, changes: object): Promise<Thing> =>
  one((await at.done('tasks_update', { tasksToUpdate: [{ id, ...changes }] })).items)

/** The lists of a connection in which a task stands. */
async function scopesOf(at: RuleContext, id: string, scopes: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const scope of scopes) {
    const { items } = await at.done('tasks_list', { scope, limit: 1_000 })
    if (idsOf(items).includes(id)) found.push(scope)
  }
  return found
}
const SCOPES = ['active', 'upcoming', 'inbox', 'logbook']

const dated = (dates: object) => ({ markdown: 'dated', taskInfo: dates })

const taskInDocument = async (
  at: RuleContext,
  markdown = '- [ ] in a document',
): Promise<{ documentId: string; id: string }> => {
  const documentId = await at.document('with tasks')
  const { items } = await at.setup('blocks_add', { markdown, position: inPage(documentId) })
  return { documentId, id: one(items).id }
}

export const tasks: RuleGroup = {
  title: 'tasks',
  rules: [
    {
      statement: 'active lists open tasks whose date is today or before.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        for (const scheduleDate of ['today', 'yesterday', '2025-01-01']) {
          const { id } = await addTask(at, dated({ scheduleDate }))
          same(await scopesOf(at, id, SCOPES), ['active', 'inbox'])
        }
      },
    },
    {
      statement: 'upcoming lists open tasks whose date is tomorrow or later.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        for (const scheduleDate of ['tomorrow', '2027-05-05']) {
          const { id } = await addTask(at, dated({ scheduleDate }))
          same(await scopesOf(at, id, SCOPES), ['upcoming', 'inbox'])
        }
      },
    },
    {
      statement: 'The date of a task is the scheduled one, or else the deadline.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        const both = await addTask(at, dated({ scheduleDate: 'tomorrow', deadlineDate: 'yesterday' }))
        same(await scopesOf(at, both.id, SCOPES), ['upcoming', 'inbox'])
        const deadline = await addTask(at, dated({ deadlineDate: 'yesterday' }))
        same(await scopesOf(at, deadline.id, SCOPES), ['active', 'inbox'])
      },
    },
    {
      statement: 'inbox lists the tasks of the inbox.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        const { id } = await addTask(at, { markdown: 'in the inbox' })
        const elsewhere = await addTask(at, { markdown: 'elsewhere', location: { type: 'dailyNote', date: 'today' } })
        const { items } = await at.done('tasks_list', { scope: 'inbox', limit: 1_000 })
        const task = withId(items, id)
        has(task, { location: { type: 'inbox' } })
        reads(task.markdown, /in the inbox$/)
        holds(!idsOf(items).includes(elsewhere.id), 'Expected no task of a daily note')
      },
    },
    {
      statement: 'logbook lists completed and cancelled tasks.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        for (const state of ['done', 'canceled']) {
          const { id } = await addTask(at, { markdown: state })
          await update(at, id, { taskInfo: { state } })
          has(withId((await at.done('tasks_list', { scope: 'logbook', limit: 1_000 })).items, id), {
            taskInfo: { state },
          })
        }
      },
    },
    {
      statement: 'document lists the tasks of one document, which documentId names.',
      kinds: FULL,
      async check(at) {
        const { documentId, id } = await taskInDocument(at)
        same(idsOf((await at.done('tasks_list', { scope: 'document', documentId })).items), [id])
        await at.refused('tasks_list', { scope: 'document' })
      },
    },
    {
      statement: 'all lists every task of the space, in all documents and states, dated or not.',
      kinds: FULL,
      async check(at) {
        const undated = await taskInDocument(at)
        const done = await taskInDocument(at, '- [x] done')
        const inbox = await addTask(at, { markdown: 'in the inbox' })
        const { items } = await at.done('tasks_list', { scope: 'all', limit: 1_000 })
        for (const id of [undated.id, done.id, inbox.id]) withId(items, id)
        // An undated task of a document is in no other list.
        same(await scopesOf(at, undated.id, SCOPES), [])
      },
    },
    {
      statement: 'The scopes document and all are not there.',
      kinds: DAILY,
      async check(at) {
        for (const scope of ['document', 'all']) await at.refused('tasks_list', { scope })
      },
    },
    {
      statement: 'scope is required.',
      kinds: FULL_AND_DAILY,
      check: async (at) => void (await at.refused('tasks_list', {})),
    },
    {
      statement: 'Without a limit in the call, GET /tasks answers with all tasks.',
      kinds: FULL,
      over: ['REST'],
      async check(at) {
        const markdown = Array.from({ length: 150 }, (_, index) => `- [ ] task ${index}`).join('\n')
        const documentId = await at.document('many tasks')
        await at.setup('blocks_add', { markdown, position: inPage(documentId) })
        const { items, pagination } = await at.done('tasks_list', { scope: 'document', documentId })
        same([items.length, pagination], [150, undefined])
      },
    },
    {
      statement: 'There are no endpoints of tasks.',
      kinds: SELECTED,
      async check(at) {
        const tools = await at.connection.tools()
        same(
          tools.filter((name) => name.startsWith('tasks_')),
          [],
        )
        await at.refused('tasks_list', { scope: 'inbox' }, 'NOT_AVAILABLE')
      },
    },
    {
      statement: 'A new task stands at the top of its place.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        const date = at.world.nextDay()
        const first = await addTask(at, { markdown: 'first', location: { type: 'dailyNote', date } })
        const second = await addTask(at, { markdown: 'second', location: { type: 'dailyNote', date } })
        same(idsOf((await at.done('blocks_get', { date })).content), [second.id, first.id])
        const inbox = await addTask(at, { markdown: 'in the inbox' })
        same((await at.done('tasks_list', { scope: 'inbox', limit: 1_000 })).items[0]?.id, inbox.id)
      },
    },
    {
      statement: 'A task is added to the inbox, or to a daily note by its date.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        has(await addTask(at, { markdown: 'a', location: { type: 'inbox' } }), { location: { type: 'inbox' } })
        const location = { type: 'dailyNote', date: '2026-11-05' }
        has(await addTask(at, { markdown: 'a', location }), { location })
      },
    },
    {
      statement: 'A task is added to a document by its ID.',
      kinds: FULL,
      async check(at) {
        const documentId = await at.document('for a task')
        const { id, location } = await addTask(at, { markdown: 'a', location: { type: 'document', documentId } })
        has(location, { type: 'document', documentId })
        same((await at.read(documentId)).content[0]?.id, id)
      },
    },
    {
      statement: 'No task is added to a document.',
      kinds: DAILY,
      async check(at) {
        const location = { type: 'document', documentId: at.world.hidden }
        await at.refused('tasks_add', { tasks: [{ markdown: 'a', location }] })
      },
    },
    {
      statement: 'A task may have a scheduled date and a deadline.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        const dates = { scheduleDate: '2026-11-24', deadlineDate: '2026-11-30' }
        has(await addTask(at, dated(dates)), { taskInfo: { state: 'todo', ...dates } })
        has(await addTask(at, dated({ scheduleDate: 'tomorrow' })), { taskInfo: { scheduleDate: '2026-11-21' } })
      },
    },
    {
      statement: 'PUT changes the words of a task.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        const { id } = await addTask(at, dated({ scheduleDate: '2026-11-24' }))
        const task = await update(at, id, { markdown: 'other words' })
        has(task, { taskInfo: { state: 'todo', scheduleDate: '2026-11-24' } })
        reads(task.markdown, /other words$/)
      },
    },
    {
      statement: 'PUT changes the state of a task: todo, done or canceled.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        const { id } = await addTask(at, { markdown: 'a' })
        for (const state of ['done', 'canceled', 'todo'])
          has(await update(at, id, { taskInfo: { state } }), { taskInfo: { state } })
        await at.refused('tasks_update', { tasksToUpdate: [{ id, taskInfo: { state: 'blocked' } }] })
      },
    },
    {
      statement: 'PUT changes the dates of a task; null clears one.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        const { id } = await addTask(at, dated({ scheduleDate: '2026-11-24', deadlineDate: '2026-11-30' }))
        const task = await update(at, id, { taskInfo: { scheduleDate: '2026-11-25', deadlineDate: null } })
        same(task.taskInfo, { state: 'todo', scheduleDate: '2026-11-25' })
      },
    },
    {
      statement: 'PUT moves a task to the inbox, a daily note or a document.',
      kinds: FULL,
      async check(at) {
        const { id } = await addTask(at, { markdown: 'moves' })
        const documentId = await at.document('for a task')
        for (const location of [
          { type: 'document', documentId },
          { type: 'dailyNote', date: '2026-11-06' },
          { type: 'inbox' },
        ]) {
          has((await update(at, id, { location })).location, location)
        }
      },
    },
    {
      statement: 'PUT moves no task.',
      kinds: DAILY,
      async check(at) {
        const { id } = await addTask(at, { markdown: 'stays' })
        await at.refused('tasks_update', {
          tasksToUpdate: [{ id, location: { type: 'dailyNote', date: '2026-11-06' } }],
        })
        has(withId((await at.done('tasks_list', { scope: 'inbox', limit: 1_000 })).items, id), {
          location: { type: 'inbox' },
        })
      },
    },
    {
      statement: 'An inbox task that is done or canceled moves to the logbook.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        for (const state of ['done', 'canceled']) {
          const { id } = await addTask(at, { markdown: state })
          has(await update(at, id, { taskInfo: { state } }), { location: { type: 'logbook' } })
          same(await scopesOf(at, id, SCOPES), ['logbook'])
        }
      },
    },
    {
      statement: 'Any task that is done or canceled is in the logbook.',
      kinds: DAILY,
      async check(at) {
        for (const state of ['done', 'canceled']) {
          const { id } = await addTask(at, { markdown: state, location: { type: 'dailyNote', date: '2026-11-07' } })
          await update(at, id, { taskInfo: { state } })
          same(await scopesOf(at, id, SCOPES), ['logbook'])
        }
      },
    },
    {
      statement: 'A task of the logbook that is open again moves to the inbox.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        const { id } = await addTask(at, { markdown: 'again' })
        await update(at, id, { taskInfo: { state: 'done' } })
        has(await update(at, id, { taskInfo: { state: 'todo' } }), { location: { type: 'inbox' } })
        same(await scopesOf(at, id, SCOPES), ['inbox'])
      },
    },
    {
      statement: 'Other transitions of tasks.',
      cannot: 'The contract says that it does not show them.',
    },
    {
      statement: 'DELETE deletes tasks of any place, and answers with their IDs.',
      kinds: FULL,
      async check(at) {
        const { id } = await taskInDocument(at)
        const inbox = await addTask(at, { markdown: 'a' })
        same(idsOf((await at.done('tasks_delete', { idsToDelete: [id, inbox.id] })).items), [id, inbox.id])
        await at.refused('blocks_get', { id }, 'NOT_FOUND_ERROR')
      },
    },
    {
      statement: 'DELETE deletes tasks of the inbox, the logbook and daily notes alone.',
      kinds: DAILY,
      async check(at) {
        const inbox = await addTask(at, { markdown: 'a' })
        const note = await addTask(at, { markdown: 'a', location: { type: 'dailyNote', date: '2026-11-08' } })
        const closed = await addTask(at, { markdown: 'a' })
        await update(at, closed.id, { taskInfo: { state: 'done' } })
        const ids = [inbox.id, note.id, closed.id]
        same(idsOf((await at.done('tasks_delete', { idsToDelete: ids })).items), ids)
        const { id } = await taskInDocument(at)
        await at.refused('tasks_delete', { idsToDelete: [id] }, 'NOT_FOUND_ERROR')
        same((await at.setup('blocks_get', { id })).id, id)
      },
    },
    {
      statement: 'The dates of tasks notify in applications alone, and stand in for no reminder.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        const { id } = await addTask(at, dated({ scheduleDate: 'today' }))
        const { items } = await at.done('reminders_list', { status: 'all', limit: 200 })
        same(
          items.filter(({ blockId }) => blockId === id),
          [],
        )
      },
    },
  ],
}
