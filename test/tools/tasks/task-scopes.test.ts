import { describe, expect, test } from 'vitest'
import { type Answer, type Connected, connect } from '../../connect.ts'
import { contentOf, documentOf } from '../../document.ts'
import { add, scope } from '../../tasks.ts'

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
    expect(await scope(connected, 'undated')).toEqual(['- [ ] undated'])
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

  test('of a daily connection omit tasks in documents', async () => {
    const connected = await connect('daily', { to: await space() })
    expect(await scope(connected, 'active')).toEqual(['- [ ] later deadline', '- [ ] today'])
    expect(await scope(connected, 'upcoming')).toEqual(['- [ ] inbox, tomorrow'])
    expect(await scope(connected, 'undated')).toEqual([])
    await connected.call('tasks_add', {
      tasks: [{ markdown: 'some day', location: { type: 'dailyNote', date: 'today' } }],
    })
    expect(await scope(connected, 'undated')).toEqual(['- [ ] some day'])
    expect(await scope(connected, 'inbox')).toHaveLength(3)
    expect(await scope(connected, 'logbook')).toEqual(['- [x] done'])
  })

  test('use today in the time zone of the space, and follow it over midnight', async () => {
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

  test.each(['active', 'upcoming', 'undated', 'inbox', 'logbook', 'document', 'all'])(
    '%s is listed in parts',
    async (name) => {
      const connected = await connect()
      const id = await documentOf(connected)
      const scheduleDate = name === 'upcoming' ? 'tomorrow' : 'today'
      const state = name === 'logbook' ? 'done' : 'todo'
      const isInDocument = name === 'document' || name === 'undated'
      const location = isInDocument ? { type: 'document', documentId: id } : { type: 'inbox' }
      const tasks = Array.from({ length: 7 }, (_, index) => ({
        markdown: `task ${index}`,
        taskInfo:
          index % 2 === 0 && name === 'all'
            ? { state: 'done' }
            : { ...(name !== 'undated' && { scheduleDate }), state },
        location,
      }))
      await connected.call('tasks_add', { tasks })
      const input = { scope: name, ...(name === 'document' && { documentId: id }) }
      const { items: whole, pagination: none } = await connected.call('tasks_list', input)
      expect(none).toBeUndefined()
      expect(whole).toHaveLength(7)
      const parts: Answer[] = []
      let cursor: string | undefined
      for (const left of [4, 1, undefined]) {
        const { items, pagination } = await connected.call('tasks_list', { ...input, limit: 3, cursor })
        parts.push(...items)
        expect(pagination?.remaining).toBe(left)
        cursor = pagination?.cursor
      }
      expect(parts).toEqual(whole)
    },
  )

  test('a long rest is counted up to a limit', async () => {
    const connected = await connect()
    const tasks = Array.from({ length: 1000 }, () => ({ markdown: 'a' }))
    await connected.call('tasks_add', { tasks })
    await connected.call('tasks_add', { tasks })
    for (const scope of ['inbox', 'all']) {
      expect((await connected.call('tasks_list', { scope })).pagination).toMatchObject({
        remaining: 1000,
        message: 'At least 1,000 tasks are left: repeat the call with this cursor.',
      })
    }
  })

  test('a cursor belongs to its scope', async () => {
    const connected = await connect()
    await add(connected, ...['a', 'b'].map((markdown) => ({ markdown, taskInfo: { scheduleDate: 'today' } })))
    const { pagination } = await connected.call('tasks_list', { scope: 'active', limit: 1 })
    expect(pagination.message).toBe('1 task is left: repeat the call with this cursor.')
    expect(await connected.refused('tasks_list', { scope: 'inbox', cursor: pagination.cursor })).toBe(
      'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.',
    )
  })
})
