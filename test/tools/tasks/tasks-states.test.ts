import { describe, expect, test } from 'vitest'
import { connect } from '../../connect.ts'
import { contentOf, documentOf, outlineOf } from '../../document.ts'
import { add, scope, update } from '../../tasks.ts'

describe('transitions', () => {
  test('a completed or canceled task of the inbox moves to the logbook, and back when it is reopened', async () => {
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

  test('on a daily connection any completed task moves to the logbook', async () => {
    const connected = await connect('daily')
    const [a] = await add(connected, { markdown: 'a', location: { type: 'dailyNote', date: 'yesterday' } })
    const [done] = await update(connected, { id: a.id, markdown: '- [x] a' })
    expect(done).toMatchObject({ id: a.id, location: { type: 'logbook' } })
    const [again] = await update(connected, { id: a.id, markdown: 'changed' })
    expect(again).toMatchObject({ markdown: '- [x] changed', location: { type: 'logbook' } })
    const [open] = await update(connected, { id: a.id, taskInfo: { state: 'todo' } })
    expect(open.location).toEqual({ type: 'inbox' })
  })

  test('on a daily connection a location is accepted as it was read, and no other', async () => {
    const connected = await connect('daily')
    const [a] = await add(connected, { markdown: 'a', location: { type: 'dailyNote', date: 'yesterday' } })
    const [same] = await update(connected, { id: a.id, markdown: 'b', location: a.location })
    expect(same).toMatchObject({ markdown: '- [ ] b', location: { type: 'dailyNote', date: '2026-11-19' } })
    for (const location of [{ type: 'inbox' }, { type: 'dailyNote' }]) {
      expect(await connected.refused('tasks_update', { tasksToUpdate: [{ id: a.id, location }] })).toBe(
        'At tasksToUpdate[0].location: Expected no other location on a connection to daily notes, found one; move the task with blocks_move, or leave location out.',
      )
    }
  })

  test('between inbox, daily note and document a task keeps its ID and content, and moves to the top', async () => {
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
    // It is in that document already, so it does not move.
    expect(await outlineOf(connected, id)).toEqual(['words', '- [ ] a'])
  })

  test('a task moves with its parent, even if both are changed in one call', async () => {
    const connected = await connect()
    const holder = async () => {
      const [outer, inner] = await add(connected, { markdown: 'outer' }, { markdown: 'inner' })
      await connected.call('blocks_move', { blockIds: [inner.id], position: { position: 'end', pageId: outer.id } })
      return [outer.id, inner.id]
    }
    const [outer, inner] = await holder()
    const note = { type: 'dailyNote', date: '2026-11-20' }
    const places = (items: { location: object }[]) => items.map(({ location }) => location)
    expect(places(await update(connected, { id: inner, taskInfo: {} }, { id: outer, location: note }))).toEqual([
      note,
      note,
    ])
    const inbox = { id: outer, location: { type: 'inbox' } }
    await update(connected, inbox)
    const done = { id: inner, taskInfo: { state: 'done' } }
    expect(places(await update(connected, { id: outer, location: note }, done))).toEqual([note, note])

    const [second, held] = await holder()
    const state = { taskInfo: { state: 'done' } }
    await connected.call('blocks_update', {
      blocks: [
        { id: second, ...state },
        { id: held, ...state },
      ],
    })
    expect(await contentOf(connected, second)).toMatchObject([{ id: held, markdown: '- [x] inner' }])
  })

  test('a location and a state at once', async () => {
    const connected = await connect()
    const [a] = await add(connected, { markdown: 'a' })
    const [note] = await update(connected, { id: a.id, taskInfo: { state: 'done' }, location: { type: 'dailyNote' } })
    expect(note.location).toEqual({ type: 'dailyNote', date: '2026-11-20' })
    const [logbook] = await update(connected, { id: a.id, location: { type: 'inbox' } })
    expect(logbook.location).toEqual({ type: 'logbook' })
  })

  test('the completion time stays while it is done, and is removed by reopening', async () => {
    const connected = await connect()
    const [a] = await add(connected, { markdown: 'a' })
    await update(connected, { id: a.id, taskInfo: { state: 'done' } })
    connected.clock.now += 60_000
    const [kept] = await update(connected, { id: a.id, markdown: 'b' })
    expect(kept).toMatchObject({ markdown: '- [x] b', completedAt: '2026-11-20T09:00:00.000Z' })
    const [canceled] = await update(connected, { id: a.id, taskInfo: { state: 'canceled' } })
    expect(canceled.completedAt).toBeUndefined()
    expect(canceled.canceledAt).toBe('2026-11-20T09:01:00.000Z')
  })

  test('no completion time is invented for what is added as done', async () => {
    const connected = await connect()
    const [a] = await add(connected, { markdown: '- [x] a' })
    expect(a).not.toHaveProperty('completedAt')
    connected.clock.now += 60_000
    const [kept] = await update(connected, { id: a.id, markdown: '- [x] b' })
    expect(kept).not.toHaveProperty('completedAt')
    const [canceled] = await update(connected, { id: a.id, taskInfo: { state: 'canceled' } })
    expect(canceled.canceledAt).toBe('2026-11-20T09:01:00.000Z')
  })

  test('only given fields change, and null clears', async () => {
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

  test('gets its next date, and leaves a completed copy in the logbook', async () => {
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

  test('flexibly counts from today, and with only a deadline keeps that', async () => {
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
  ])('repeats with any tool: %s', async (_, change) => {
    const connected = await connect()
    const [a] = await add(connected, { markdown: 'a', taskInfo: { scheduleDate: 'today' }, repeat: daily })
    await connected.call('blocks_update', change(a.id))
    expect((await connected.call('blocks_get', { id: a.id })).taskInfo).toMatchObject({
      state: 'todo',
      scheduleDate: '2026-11-23',
    })
    expect(await scope(connected, 'logbook')).toEqual(['- [x] a'])
  })

  test('repeats if the text of its page is edited, and stays in place there', async () => {
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

  test('keeps its day through a shorter month', async () => {
    const connected = await connect()
    const repeat = { type: 'fixed', frequency: 'monthly' }
    const [a] = await add(connected, { markdown: 'a', taskInfo: { scheduleDate: '2027-01-31' }, repeat })
    const done = async () => (await update(connected, { id: a.id, taskInfo: { state: 'done' } }))[0]
    expect((await done()).taskInfo.scheduleDate).toBe('2027-02-28')
    // A second completion within a minute, by a caller that has not read the task since, would change nothing.
    await connected.call('tasks_list', { scope: 'all' })
    expect(await done()).toMatchObject({
      taskInfo: { scheduleDate: '2027-03-31' },
      repeat: { ...repeat, startDate: '2027-01-31' },
    })
  })

  test('has the first day of its rule if it has no date, which the answer says', async () => {
    const connected = await connect()
    const repeat = { type: 'fixed', frequency: 'monthly', monthly: { days: [28] } }
    const [a] = await add(connected, { markdown: 'a', repeat })
    expect(a.taskInfo.scheduleDate).toBe('2026-11-28')
    const [b, c] = await add(
      connected,
      { markdown: 'b' },
      { markdown: 'c', taskInfo: { deadlineDate: '2027-01-01' }, repeat },
    )
    expect(c.taskInfo).toEqual({ state: 'todo', deadlineDate: '2027-01-01' })
    const { content } = await connected.client.callTool({
      name: 'tasks_update',
      arguments: { tasksToUpdate: [{ id: b.id, repeat: { ...repeat, startDate: '2027-05-01' } }] },
    })
    expect(content).toContainEqual({ type: 'text', text: expect.stringContaining('got the first day of its rule') })
    expect(await scope(connected, 'upcoming')).toEqual(['- [ ] a', '- [ ] c', '- [ ] b'])
  })

  test('counts from the next matching day if today does not match', async () => {
    const connected = await connect()
    const repeat = { type: 'flexible', frequency: 'daily', interval: 7, daily: { skipWeekends: true } }
    const [a] = await add(connected, { markdown: 'a', repeat })
    connected.clock.now += 86_400_000
    const [again] = await update(connected, { id: a.id, taskInfo: { state: 'done' } })
    expect(again.taskInfo).toEqual({ state: 'todo', scheduleDate: '2026-11-30' })
  })

  test('ends if there is no next date, and when it is canceled', async () => {
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
