import { describe, expect, test } from 'vitest'
import { type Answer, type Connected, connect } from '../connect.ts'
import { contentOf, documentOf, outlineOf } from '../document.ts'

const add = async ({ call }: Connected, ...tasks: object[]): Promise<Answer[]> =>
  (await call('tasks_add', { tasks })).items
const update = async ({ call }: Connected, ...tasksToUpdate: object[]): Promise<Answer[]> =>
  (await call('tasks_update', { tasksToUpdate })).items
const scope = async ({ call }: Connected, scope: string, more: object = {}): Promise<string[]> =>
  (await call('tasks_list', { scope, ...more })).items.map(({ markdown }: Answer) => markdown)

describe('a task is a block', () => {
  test('what the task tools add, the block tools show, and the other way round', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'words\n\n- [ ] of blocks\n\n- [x] done')
    const [task] = await add(connected, { markdown: 'of tasks', location: { type: 'document', documentId: id } })
    expect(task).toEqual({
      id: task.id,
      markdown: '- [ ] of tasks',
      taskInfo: { state: 'todo' },
      location: { type: 'document', documentId: id, title: 'Document' },
    })
    expect(await outlineOf(connected, id)).toEqual(['- [ ] of tasks', 'words', '- [ ] of blocks', '- [x] done'])
    expect(await scope(connected, 'document', { documentId: id })).toEqual([
      '- [ ] of tasks',
      '- [ ] of blocks',
      '- [x] done',
    ])
    await connected.call('blocks_update', { blocks: [{ id: task.id, taskInfo: { deadlineDate: 'today' } }] })
    expect(await scope(connected, 'active')).toEqual(['- [ ] of tasks'])
    await connected.call('blocks_update', { blocks: [{ id: task.id, listStyle: 'bullet' }] })
    expect(await scope(connected, 'active')).toEqual([])
    await connected.call('blocks_delete', { blockIds: [(await contentOf(connected, id))[2].id] })
    expect(await scope(connected, 'all')).toEqual(['- [x] done'])
  })

  test('a page that is a task is one, and its tasks in it are too', async () => {
    const connected = await connect()
    const id = await documentOf(connected, '- [ ] outer')
    const [outer] = await contentOf(connected, id)
    await connected.call('blocks_add', { markdown: '- [ ] inner', position: { position: 'end', pageId: outer.id } })
    expect(await scope(connected, 'document', { documentId: id })).toEqual(['- [ ] outer', '- [ ] inner'])
    const [changed] = await update(connected, { id: outer.id, markdown: '- [x] page', location: { type: 'inbox' } })
    expect(changed).toMatchObject({ taskInfo: { state: 'done' }, location: { type: 'logbook' } })
    expect(await connected.call('blocks_get', { id: outer.id })).toMatchObject({
      type: 'page',
      content: [{ markdown: '- [ ] inner' }],
    })
  })

  test('inbox and logbook are documents that are listed and named by no one', async () => {
    const connected = await connect()
    const [open] = await add(connected, { markdown: 'a' }, { markdown: 'b', taskInfo: { state: 'canceled' } })
    expect((await connected.call('documents_list')).items).toEqual([])
    const { items } = await connected.call('folders_list')
    expect(items.map(({ documentCount }: Answer) => documentCount)).toEqual([0, 0, 0])
    const root = await connected.space.read(await connected.space.link('full', [], 'test'), async ({ tx }) =>
      tx.sql<{ id: string }>("SELECT id FROM block JOIN document USING (n) WHERE location = 'inbox'").get(),
    )
    const id = root?.id ?? ''
    expect(await connected.call('blocks_get', { id })).toMatchObject({ content: [{ id: open.id }] })
    const none = `Expected the ID of a document within reach, found ${id}; read IDs with documents_list and name one of those.`
    expect(await connected.refused('documents_delete', { documentIds: [id] })).toBe(none)
    expect(await connected.refused('documents_list', { documentIds: [id] })).toBe(none)
    expect(await connected.refused('tasks_list', { scope: 'document', documentId: id })).toBe(none)
    await expect(connected.space.link('selected', [id], 'test')).rejects.toThrow(
      `Expected IDs of documents in this space, found ${id}, which is none.`,
    )
  })

  test('inbox and logbook hold tasks alone: nothing else could be found there', async () => {
    const connected = await connect()
    const [task] = await add(connected, { markdown: 'a' })
    const stray = 'Expected tasks in the inbox, found a block that is none; put it into a document or a daily note.'
    const beside = { position: 'after', siblingId: task.id }
    expect(await connected.refused('blocks_add', { markdown: 'words', position: beside })).toBe(stray)
    expect(await connected.refused('blocks_update', { blocks: [{ id: task.id, listStyle: 'none' }] })).toBe(stray)
    const id = await documentOf(connected, 'words\n\n- [ ] b')
    const [words, other] = await contentOf(connected, id)
    expect(await connected.refused('blocks_move', { blockIds: [words.id], position: beside })).toBe(stray)
    await connected.call('blocks_move', { blockIds: [other.id], position: beside })
    expect(await scope(connected, 'inbox')).toEqual(['- [ ] a', '- [ ] b'])
  })
})

describe('adding', () => {
  test('goes to the top of each target, several in the order given', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'words')
    const document = { type: 'document', documentId: id }
    await add(connected, { markdown: 'old' }, { markdown: 'old too', location: document })
    const added = await add(
      connected,
      { markdown: 'one' },
      { markdown: 'two', location: document },
      { markdown: 'three', location: { type: 'inbox' } },
      { markdown: 'four', location: { type: 'dailyNote', date: 'tomorrow' } },
      { markdown: 'five', location: document },
      { markdown: 'six', location: { type: 'dailyNote' } },
    )
    expect(added.map(({ markdown, location }) => [markdown, location.date ?? location.type])).toEqual([
      ['- [ ] one', 'inbox'],
      ['- [ ] two', 'document'],
      ['- [ ] three', 'inbox'],
      ['- [ ] four', '2026-11-21'],
      ['- [ ] five', 'document'],
      ['- [ ] six', '2026-11-20'],
    ])
    expect(await scope(connected, 'inbox')).toEqual(['- [ ] one', '- [ ] three', '- [ ] old'])
    expect(await outlineOf(connected, id)).toEqual(['- [ ] two', '- [ ] five', '- [ ] old too', 'words'])
    expect((await connected.call('blocks_get', { date: 'tomorrow' })).content).toMatchObject([
      { markdown: '- [ ] four' },
    ])
  })

  test('takes Markdown with or without the prefix of a task, marks and other list prefixes', async () => {
    const connected = await connect()
    const added = await add(
      connected,
      { markdown: '- [x] *done*' },
      { markdown: '- bullet' },
      { markdown: '  - [ ] indented' },
      { markdown: '- [x] open all the same', taskInfo: { state: 'todo', scheduleDate: 'tomorrow' } },
    )
    expect(added.map(({ markdown, taskInfo, location }) => [markdown, taskInfo, location.type])).toEqual([
      ['- [x] *done*', { state: 'done' }, 'logbook'],
      ['- [ ] bullet', { state: 'todo' }, 'inbox'],
      ['- [ ] indented', { state: 'todo' }, 'inbox'],
      ['- [ ] open all the same', { state: 'todo', scheduleDate: '2026-11-21' }, 'inbox'],
    ])
    expect(added[0].completedAt).toBe('2026-11-20T09:00:00.000Z')
  })
})

describe('scopes', () => {
  async function space(): Promise<Connected> {
    const connected = await connect()
    const { call } = connected
    const id = await documentOf(connected, '- [ ] undated\n\n- [-] canceled')
    const document = { type: 'document', documentId: id }
    await add(
      connected,
      { markdown: 'inbox, undated' },
      { markdown: 'overdue', taskInfo: { deadlineDate: '2026-11-01' }, location: document },
      { markdown: 'today', taskInfo: { scheduleDate: 'today' }, location: { type: 'dailyNote' } },
      { markdown: 'inbox, tomorrow', taskInfo: { scheduleDate: 'tomorrow' } },
      // The schedule date counts, not the deadline.
      {
        markdown: 'deadline gone',
        taskInfo: { scheduleDate: '2026-12-24', deadlineDate: '2026-11-19' },
        location: document,
      },
      { markdown: 'later deadline', taskInfo: { scheduleDate: 'yesterday', deadlineDate: '2027-01-01' } },
      { markdown: 'done', taskInfo: { state: 'done', scheduleDate: 'today' }, location: { type: 'dailyNote' } },
    )
    const { items } = await call('documents_add', { documents: [{ title: 'Gone', markdown: '- [ ] thrown away' }] })
    const [gone] = await contentOf(connected, items[0].id)
    await call('blocks_update', { blocks: [{ id: gone.id, taskInfo: { scheduleDate: 'today' } }] })
    await call('documents_delete', { documentIds: [items[0].id] })
    return connected
  }

  test('of a full connection', async () => {
    const connected = await space()
    expect(await scope(connected, 'active')).toEqual(['- [ ] overdue', '- [ ] later deadline', '- [ ] today'])
    expect(await scope(connected, 'upcoming')).toEqual(['- [ ] inbox, tomorrow', '- [ ] deadline gone'])
    expect(await scope(connected, 'inbox')).toEqual([
      '- [ ] inbox, undated',
      '- [ ] inbox, tomorrow',
      '- [ ] later deadline',
    ])
    expect(await scope(connected, 'logbook')).toEqual(['- [x] done', '- [-] canceled'])
    expect(await scope(connected, 'all')).toEqual([
      '- [ ] overdue',
      '- [ ] later deadline',
      '- [ ] today',
      '- [ ] thrown away',
      '- [ ] inbox, tomorrow',
      '- [ ] deadline gone',
      '- [ ] undated',
      '- [ ] inbox, undated',
      '- [-] canceled',
      '- [x] done',
    ])
    const { items } = await connected.call('tasks_list', { scope: 'all' })
    expect(items[3].location).toMatchObject({ type: 'document', title: 'Gone', isDeleted: true })
  })

  test('of a daily connection leave out what stands in documents', async () => {
    const connected = await connect('daily', { to: await space() })
    expect(await scope(connected, 'active')).toEqual(['- [ ] later deadline', '- [ ] today'])
    expect(await scope(connected, 'upcoming')).toEqual(['- [ ] inbox, tomorrow'])
    expect(await scope(connected, 'inbox')).toHaveLength(3)
    expect(await scope(connected, 'logbook')).toEqual(['- [x] done'])
  })

  test('name the day that is today where the space is, and follow it over midnight', async () => {
    const connected = await connect()
    await add(connected, { markdown: 'tomorrow', taskInfo: { scheduleDate: 'tomorrow' } })
    const late = Date.parse('2026-11-20T22:59:59Z')
    connected.clock.now = late
    expect(await connected.call('tasks_list', { scope: 'active' })).toEqual({ items: [], today: '2026-11-20' })
    connected.clock.now = late + 1000
    expect(await connected.call('tasks_list', { scope: 'active' })).toMatchObject({
      items: [{ markdown: '- [ ] tomorrow' }],
      today: '2026-11-21',
    })
    expect(await scope(connected, 'upcoming')).toEqual([])
  })

  test.each(['active', 'upcoming', 'inbox', 'logbook', 'document', 'all'])('%s comes in parts', async (name) => {
    const connected = await connect()
    const id = await documentOf(connected)
    const scheduleDate = name === 'upcoming' ? 'tomorrow' : 'today'
    const state = name === 'logbook' ? 'done' : 'todo'
    const location = name === 'document' ? { type: 'document', documentId: id } : { type: 'inbox' }
    const tasks = Array.from({ length: 7 }, (_, index) => ({
      markdown: `task ${index}`,
      taskInfo: index % 2 === 0 && name === 'all' ? { state: 'done' } : { scheduleDate, state },
      location,
    }))
    await connected.call('tasks_add', { tasks })
    const asked = { scope: name, ...(name === 'document' && { documentId: id }) }
    const { items: whole, pagination: none } = await connected.call('tasks_list', asked)
    expect(none).toBeUndefined()
    expect(whole).toHaveLength(7)
    const parts: Answer[] = []
    let cursor: string | undefined
    for (const left of [4, 1, undefined]) {
      const { items, pagination } = await connected.call('tasks_list', { ...asked, limit: 3, cursor })
      parts.push(...items)
      expect(pagination?.remaining).toBe(left)
      cursor = pagination?.cursor
    }
    expect(parts).toEqual(whole)
  })

  test('of a long rest only so many are counted', async () => {
    const connected = await connect()
    const tasks = Array.from({ length: 1000 }, () => ({ markdown: 'a' }))
    await connected.call('tasks_add', { tasks })
    await connected.call('tasks_add', { tasks })
    for (const scope of ['inbox', 'all']) {
      expect((await connected.call('tasks_list', { scope })).pagination).toMatchObject({
        remaining: 1000,
        message: 'At least 1000 tasks are left: call tasks_list again with the same arguments and this cursor.',
      })
    }
  })

  test('a cursor goes with its scope', async () => {
    const connected = await connect()
    await add(connected, ...['a', 'b'].map((markdown) => ({ markdown, taskInfo: { scheduleDate: 'today' } })))
    const { pagination } = await connected.call('tasks_list', { scope: 'active', limit: 1 })
    expect(pagination.message).toBe('1 tasks are left: call tasks_list again with the same arguments and this cursor.')
    expect(await connected.refused('tasks_list', { scope: 'inbox', cursor: pagination.cursor })).toBe(
      'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.',
    )
  })
})

describe('transitions', () => {
  test('a task of the inbox that is done or canceled goes to the logbook, and back when it is reopened', async () => {
    const connected = await connect()
    const [a, b] = await add(connected, { markdown: 'a' }, { markdown: 'b' })
    expect(
      await update(connected, { id: a.id, taskInfo: { state: 'done' } }, { id: b.id, taskInfo: { state: 'canceled' } }),
    ).toEqual([
      {
        id: a.id,
        markdown: '- [x] a',
        taskInfo: { state: 'done' },
        location: { type: 'logbook' },
        completedAt: '2026-11-20T09:00:00.000Z',
      },
      {
        id: b.id,
        markdown: '- [-] b',
        taskInfo: { state: 'canceled' },
        location: { type: 'logbook' },
        canceledAt: '2026-11-20T09:00:00.000Z',
      },
    ])
    expect(await scope(connected, 'inbox')).toEqual([])
    const [reopened] = await update(connected, { id: a.id, taskInfo: { state: 'todo' } })
    expect(reopened).toEqual({
      id: a.id,
      markdown: '- [ ] a',
      taskInfo: { state: 'todo' },
      location: { type: 'inbox' },
    })
  })

  test('the block tools move it in the same way', async () => {
    const connected = await connect()
    const [a] = await add(connected, { markdown: 'a' })
    await connected.call('blocks_update', { blocks: [{ id: a.id, markdown: '- [x] a' }] })
    expect(await scope(connected, 'inbox')).toEqual([])
    await connected.call('blocks_update', { blocks: [{ id: a.id, taskInfo: { state: 'todo' } }] })
    expect(await scope(connected, 'inbox')).toEqual(['- [ ] a'])
  })

  test('on a full connection tasks of documents and daily notes stay where they are', async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    const [a, b] = await add(
      connected,
      { markdown: 'a', location: { type: 'document', documentId: id } },
      { markdown: 'b', location: { type: 'dailyNote' } },
    )
    const done = await update(connected, ...[a, b].map(({ id }) => ({ id, taskInfo: { state: 'done' } })))
    expect(done.map(({ location }) => location.type)).toEqual(['document', 'dailyNote'])
    expect(await scope(connected, 'logbook')).toHaveLength(2)
  })

  test('on a daily connection any task that is done goes to the logbook', async () => {
    const connected = await connect('daily')
    const [a] = await add(connected, { markdown: 'a', location: { type: 'dailyNote', date: 'yesterday' } })
    const [done] = await update(connected, { id: a.id, markdown: '- [x] a' })
    expect(done).toMatchObject({ id: a.id, location: { type: 'logbook' } })
    const [again] = await update(connected, { id: a.id, markdown: 'changed' })
    expect(again).toMatchObject({ markdown: '- [x] changed', location: { type: 'logbook' } })
    const [open] = await update(connected, {
      id: a.id,
      taskInfo: { state: 'todo' },
      location: { type: 'dailyNote', date: 'today' },
    })
    expect(open.location).toEqual({ type: 'dailyNote', date: '2026-11-20' })
  })

  test('between inbox, daily note and document a task keeps its ID and what it holds, and goes to the top', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'words')
    const [a] = await add(connected, { markdown: 'a', taskInfo: { deadlineDate: '2026-12-01' } })
    for (const location of [
      { type: 'dailyNote', date: 'tomorrow' },
      { type: 'document', documentId: id },
      { type: 'inbox' },
      { type: 'document', documentId: id },
    ]) {
      const [moved] = await update(connected, { id: a.id, location })
      expect(moved).toMatchObject({
        id: a.id,
        taskInfo: { deadlineDate: '2026-12-01' },
        location: { type: location.type },
      })
    }
    expect(await outlineOf(connected, id)).toEqual(['- [ ] a', 'words'])
    await connected.call('blocks_move', { blockIds: [a.id], position: { position: 'end', pageId: id } })
    await update(connected, { id: a.id, location: { type: 'document', documentId: id } })
    // Where it stands already, it stays.
    expect(await outlineOf(connected, id)).toEqual(['words', '- [ ] a'])
  })

  test('a place and a state at once', async () => {
    const connected = await connect()
    const [a] = await add(connected, { markdown: 'a' })
    const [note] = await update(connected, { id: a.id, taskInfo: { state: 'done' }, location: { type: 'dailyNote' } })
    expect(note.location).toEqual({ type: 'dailyNote', date: '2026-11-20' })
    const [logbook] = await update(connected, { id: a.id, location: { type: 'inbox' } })
    expect(logbook.location).toEqual({ type: 'logbook' })
  })

  test('the moment of being done stays while it is, and goes with reopening', async () => {
    const connected = await connect()
    const [a] = await add(connected, { markdown: 'a', taskInfo: { state: 'done' } })
    connected.clock.now += 60_000
    const [kept] = await update(connected, { id: a.id, markdown: 'b' })
    expect(kept).toMatchObject({ markdown: '- [x] b', completedAt: '2026-11-20T09:00:00.000Z' })
    const [canceled] = await update(connected, { id: a.id, taskInfo: { state: 'canceled' } })
    expect(canceled.completedAt).toBeUndefined()
    expect(canceled.canceledAt).toBe('2026-11-20T09:01:00.000Z')
  })

  test('only what is given changes, and null clears', async () => {
    const connected = await connect()
    const repeat = { type: 'fixed', frequency: 'daily' }
    const [a] = await add(connected, {
      markdown: 'a',
      taskInfo: { scheduleDate: 'today', deadlineDate: 'tomorrow' },
      repeat,
    })
    expect(a.repeat).toEqual(repeat)
    const [b] = await update(connected, { id: a.id, markdown: '- [ ] **b**' })
    expect(b).toEqual({ ...a, markdown: '- [ ] **b**' })
    const [c] = await update(connected, { id: a.id, taskInfo: { scheduleDate: null }, repeat: null })
    expect(c).toMatchObject({ taskInfo: { state: 'todo', deadlineDate: '2026-11-21' } })
    expect(c.taskInfo.scheduleDate).toBeUndefined()
    expect(c.repeat).toBeUndefined()
  })
})

describe('a repeating task that is completed', () => {
  const daily = { type: 'fixed', frequency: 'daily', interval: 3 }

  test('comes round again with its next date, and leaves a completed copy in the logbook', async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    const [a] = await add(connected, {
      markdown: 'water **the** plants',
      taskInfo: { scheduleDate: '2026-11-18', deadlineDate: '2026-11-19' },
      repeat: daily,
      location: { type: 'document', documentId: id },
    })
    const [again] = await update(connected, { id: a.id, taskInfo: { state: 'done' } })
    expect(again).toEqual({ ...a, taskInfo: { state: 'todo', scheduleDate: '2026-11-21', deadlineDate: '2026-11-22' } })
    const { items } = await connected.call('tasks_list', { scope: 'logbook' })
    expect(items).toEqual([
      {
        id: expect.not.stringMatching(a.id),
        markdown: '- [x] water **the** plants',
        taskInfo: { state: 'done', scheduleDate: '2026-11-18', deadlineDate: '2026-11-19' },
        location: { type: 'logbook' },
        completedAt: '2026-11-20T09:00:00.000Z',
      },
    ])
  })

  test('flexible counts from today, and a task with a deadline alone keeps to it', async () => {
    const connected = await connect()
    const repeat = { ...daily, type: 'flexible' }
    const [a] = await add(connected, { markdown: 'a', taskInfo: { deadlineDate: '2026-11-01' }, repeat })
    const [again] = await update(connected, { id: a.id, markdown: '- [x] a' })
    expect(again.taskInfo).toEqual({ state: 'todo', deadlineDate: '2026-11-23' })
    expect(again.location).toEqual({ type: 'inbox' })
  })

  test.each([
    ['by a block', (id: string) => ({ blocks: [{ id, taskInfo: { state: 'done' } }] })],
    ['by its Markdown', (id: string) => ({ blocks: [{ id, markdown: '- [x] a' }] })],
  ])('comes round whichever tool completes it: %s', async (_, change) => {
    const connected = await connect()
    const [a] = await add(connected, { markdown: 'a', taskInfo: { scheduleDate: 'today' }, repeat: daily })
    await connected.call('blocks_update', change(a.id))
    expect((await connected.call('blocks_get', { id: a.id })).taskInfo).toMatchObject({
      state: 'todo',
      scheduleDate: '2026-11-23',
    })
    expect(await scope(connected, 'logbook')).toEqual(['- [x] a'])
  })

  test('comes round when the text of its page is edited, and stays in its place there', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'before\n\n- [ ] a\n\nafter')
    const [, a] = await contentOf(connected, id)
    await update(connected, { id: a.id, taskInfo: { scheduleDate: 'today' }, repeat: daily })
    const { revision } = await connected.call('blocks_get', { id })
    const markdown = 'before\n\n- [x] a\n\nafter'
    await connected.call('blocks_update', { pageId: id, markdown, revision })
    expect(await outlineOf(connected, id)).toEqual(['before', '- [ ] a', 'after'])
    expect(await scope(connected, 'logbook')).toEqual(['- [x] a'])
  })

  test('counts from the next day that will do where today will not', async () => {
    const connected = await connect()
    const repeat = { type: 'flexible', frequency: 'daily', interval: 7, daily: { skipWeekends: true } }
    const [a] = await add(connected, { markdown: 'a', repeat })
    connected.clock.now += 86_400_000
    const [again] = await update(connected, { id: a.id, taskInfo: { state: 'done' } })
    expect(again.taskInfo).toEqual({ state: 'todo', scheduleDate: '2026-11-30' })
  })

  test('ends when it comes round no more, and when it is canceled', async () => {
    const connected = await connect()
    const [a] = await add(connected, { markdown: 'a', taskInfo: { scheduleDate: 'today' }, repeat: daily })
    const [ended] = await update(connected, { id: a.id, taskInfo: { state: 'canceled' } })
    expect(ended).toMatchObject({ taskInfo: { state: 'canceled' }, location: { type: 'logbook' } })
    expect(await scope(connected, 'logbook')).toEqual(['- [-] a'])
    const far = { type: 'flexible', frequency: 'yearly', interval: 1000, startDate: '2027-01-01' }
    const [b] = await add(connected, { markdown: 'b', repeat: far })
    connected.clock.now = Date.parse('9500-01-01T12:00:00Z')
    const [last] = await update(connected, { id: b.id, taskInfo: { state: 'done' } })
    expect(last).toMatchObject({ taskInfo: { state: 'done' }, location: { type: 'logbook' } })
  })
})

describe('deleting', () => {
  test('takes tasks anywhere on a full connection', async () => {
    const connected = await connect()
    const id = await documentOf(connected, '- [ ] a')
    const [a] = await contentOf(connected, id)
    const [b] = await add(connected, { markdown: 'b' })
    expect(await connected.call('tasks_delete', { idsToDelete: [a.id, b.id] })).toEqual({
      items: [{ id: a.id }, { id: b.id }],
    })
    expect(await scope(connected, 'all')).toEqual([])
  })

  test('leaves tasks of documents alone on a daily connection, and does not say that they are there', async () => {
    const full = await connect()
    const id = await documentOf(full, '- [ ] a')
    const [a] = await contentOf(full, id)
    const daily = await connect('daily', { to: full })
    const gone = (named: string) =>
      `Expected the ID of a task within reach, found ${named}; read IDs with tasks_list and name one of those.`
    expect(await daily.refused('tasks_delete', { idsToDelete: [a.id] })).toBe(gone(a.id))
    expect(await daily.refused('tasks_delete', { idsToDelete: ['nowhere'] })).toBe(gone('nowhere'))
    const change = { tasksToUpdate: [{ id: a.id, taskInfo: { state: 'done' } }] }
    expect(await daily.refused('tasks_update', change)).toBe(gone(a.id))
    expect(await outlineOf(full, id)).toEqual(['- [ ] a'])
  })
})

describe('what is refused changes nothing, and says what to do', () => {
  test.each<[string, string, object, string]>([
    [
      'an unknown scope',
      'tasks_list',
      { scope: 'someday' },
      'At scope: Expected one of active, upcoming, inbox, logbook, document, all, found "someday".',
    ],
    [
      'document without documentId',
      'tasks_list',
      { scope: 'document' },
      'Expected documentId with scope document, found none; give the ID of a document from documents_list.',
    ],
    [
      'documentId with another scope',
      'tasks_list',
      { scope: 'all', documentId: 'x' },
      'Expected documentId with scope document alone, found it with scope all; leave it out.',
    ],
    [
      'a date that does not exist',
      'tasks_add',
      { tasks: [{ markdown: 'a', taskInfo: { scheduleDate: '2027-02-29' } }] },
      'At tasks[0].taskInfo.scheduleDate: Expected a day that exists, found "2027-02-29"; that month has 28 days.',
    ],
    [
      'the logbook as a place',
      'tasks_add',
      { tasks: [{ markdown: 'a', location: { type: 'logbook' } }] },
      'At tasks[0].location: Expected a location as { type: "inbox" }, { type: "dailyNote", date }, { type: "document", documentId }, found the logbook; tasks get there by being marked done or canceled.',
    ],
    [
      'a document without its ID',
      'tasks_add',
      { tasks: [{ markdown: 'a', location: { type: 'document' } }] },
      'At tasks[0].location: Expected a location as { type: "inbox" }, { type: "dailyNote", date }, { type: "document", documentId }, found a document without documentId; give the ID of a document from documents_list.',
    ],
    [
      'a mixture of places',
      'tasks_add',
      { tasks: [{ markdown: 'a', location: { type: 'inbox', date: 'today' } }] },
      'At tasks[0].location: Expected a location as { type: "inbox" }, { type: "dailyNote", date }, { type: "document", documentId }, found { type: inbox, date: today }; give one of these.',
    ],
    [
      'a document that there is not',
      'tasks_add',
      { tasks: [{ markdown: 'a', location: { type: 'document', documentId: 'x' } }] },
      'Expected the ID of a document within reach, found x; read IDs with documents_list and name one of those.',
    ],
    [
      'several blocks as one task',
      'tasks_add',
      { tasks: [{ markdown: 'fine' }, { markdown: '- a\n- b' }] },
      'At tasks[1].markdown: Expected the Markdown of one task, found 2 blocks; give each task an entry of its own.',
    ],
    [
      'a line as a task',
      'tasks_add',
      { tasks: [{ markdown: '---' }] },
      'At tasks[0].markdown: Expected the Markdown of one task, found a block of type line; give each task an entry of its own.',
    ],
    [
      'no words',
      'tasks_add',
      { tasks: [{ markdown: '- [ ] ' }] },
      'At tasks[0].markdown: Expected the words of a task, found none; say what is to be done.',
    ],
    [
      'a task twice',
      'tasks_update',
      { tasksToUpdate: [{ id: 'a' }, { id: 'A' }] },
      'At tasksToUpdate[1]: Expected each task once, found a twice; put its changes into one entry.',
    ],
  ])('%s', async (_, tool, args, message) => {
    const connected = await connect()
    expect(await connected.refused(tool, args)).toBe(message)
    expect(await scope(connected, 'all')).toEqual([])
  })

  test('full-only scopes and places on a daily connection', async () => {
    const { refused } = await connect('daily')
    expect(await refused('tasks_list', { scope: 'all' })).toBe(
      'At scope: Expected one of active, upcoming, inbox, logbook, found "all".',
    )
    const location = { type: 'document', documentId: 'x' }
    expect(await refused('tasks_add', { tasks: [{ markdown: 'a', location }] })).toBe(
      'At tasks[0].location: Expected a location as { type: "inbox" }, { type: "dailyNote", date }, found { type: document, documentId: x }; give one of these.',
    )
  })

  test('a block that is no task is told so', async () => {
    const connected = await connect()
    const [words] = await contentOf(connected, await documentOf(connected, 'words'))
    const told = `Expected the ID of a task, found ${words.id}, a block that is none; blocks_update with listStyle task makes it one.`
    expect(await connected.refused('tasks_delete', { idsToDelete: [words.id] })).toBe(told)
    expect(await connected.refused('tasks_update', { tasksToUpdate: [{ id: words.id, markdown: 'x' }] })).toBe(told)
  })

  test('a repeat that never comes round', async () => {
    const connected = await connect()
    const repeat = { type: 'fixed', frequency: 'yearly', yearly: { months: [2], days: [30] } }
    expect(await connected.refused('tasks_add', { tasks: [{ markdown: 'a', repeat }] })).toBe(
      'Expected a repeat that comes round, found no further day of it up to the year 9999 when counting from 2026-11-20; change repeat.interval or repeat.yearly.',
    )
    expect(await scope(connected, 'all')).toEqual([])
  })
})
