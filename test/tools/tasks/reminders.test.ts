import { describe, expect, test } from 'vitest'
import { addParticipant, removeParticipant } from '../../../src/space/participants/participants.ts'
import { type Answer, type Connected, connect } from '../../connect.ts'
import { contentOf, documentOf } from '../../document.ts'

const LATER = '2026-11-20T12:00:00.000Z'

/** Creates a document with this number of lines, and returns the IDs of its blocks. */
async function lines(connected: Connected, count = 3): Promise<string[]> {
  const markdown = Array.from({ length: count }, (_, index) => `line **${index}**`).join('\n\n')
  return (await contentOf(connected, await documentOf(connected, markdown))).map(({ id }) => id)
}

const titles = async ({ call }: Connected, status?: string): Promise<string[]> =>
  (await call('reminders_list', { status })).items.map(({ title }: Answer) => title)

async function withParticipants(connected: Connected, ...names: string[]): Promise<void> {
  const link = await connected.space.createAccessLink('full', [], 'test')
  for (const name of names) await connected.space.write(link, (space) => addParticipant(space, name))
}

describe('reminders', () => {
  test('are set on blocks, with a time or for later, and listed by status', async () => {
    const connected = await connect()
    const [a, b, c] = await lines(connected)
    const { items } = await connected.call('reminders_add', {
      reminders: [
        { blockId: a, remindAt: '2026-11-20T13:00:00+01:00' },
        { blockId: b },
        { blockId: c, remindAt: null },
      ],
    })
    expect(items).toEqual([
      { id: items[0].id, title: 'line 0', blockId: a, isCompleted: false, remindAt: LATER },
      { id: items[1].id, title: 'line 1', blockId: b, isCompleted: false },
      { id: items[2].id, title: 'line 2', blockId: c, isCompleted: false },
    ])
    await connected.call('reminders_update', { remindersToUpdate: [{ id: items[1].id, isCompleted: true }] })
    expect(await titles(connected)).toEqual(['line 0', 'line 2'])
    expect(await titles(connected, 'upcoming')).toEqual(['line 0', 'line 2'])
    expect(await titles(connected, 'completed')).toEqual(['line 1'])
    expect(await titles(connected, 'all')).toEqual(['line 0', 'line 1', 'line 2'])
    connected.clock.now = Date.parse(LATER)
    expect(await titles(connected)).toEqual(['line 0', 'line 2'])
    expect(await titles(connected, 'upcoming')).toEqual(['line 2'])
  })

  test('a second one on a block replaces the first', async () => {
    const connected = await connect()
    const [blockId] = await lines(connected)
    const first = await connected.call('reminders_add', { reminders: [{ blockId, remindAt: LATER }] })
    const second = await connected.call('reminders_add', { reminders: [{ blockId }] })
    expect((await connected.call('reminders_list')).items).toEqual(second.items)
    expect(await connected.refused('reminders_delete', { idsToDelete: [first.items[0].id] })).toBe(
      `Expected the ID of a reminder within reach, found ${first.items[0].id}; read IDs with reminders_list and name one of those.`,
    )
  })

  test('every transition: completing, reopening, and a new time, which reopens', async () => {
    const connected = await connect()
    const [blockId] = await lines(connected)
    const { items } = await connected.call('reminders_add', { reminders: [{ blockId, remindAt: LATER }] })
    const set = items[0]
    const change = async (fields: object) =>
      (await connected.call('reminders_update', { remindersToUpdate: [{ id: set.id, ...fields }] })).items[0]
    const completed = { ...set, isCompleted: true, completedAt: '2026-11-20T09:00:00.000Z' }
    expect(await change({ isCompleted: true })).toEqual(completed)
    connected.clock.now += 60_000
    // Completing it again keeps the first time.
    expect(await change({ isCompleted: true })).toEqual(completed)
    expect(await change({ isCompleted: false })).toEqual(set)
    await change({ isCompleted: true })
    const time = '2026-11-21T08:00:00.000Z'
    expect(await change({ remindAt: time })).toEqual({ ...set, remindAt: time })
    const other = '2026-11-22T08:00:00.000Z'
    expect(await change({ remindAt: other, isCompleted: true })).toMatchObject({ remindAt: other, isCompleted: true })
    const { remindAt: _time, ...later } = set
    expect(await change({ remindAt: null })).toEqual(later)
    await change({ remindAt: time })
    connected.clock.now = Date.parse(time) + 1
    // Writing back a time that has passed changes nothing.
    expect(await change({ remindAt: time, isCompleted: true })).toMatchObject({ remindAt: time, isCompleted: true })
  })

  test('are independent of tasks', async () => {
    const connected = await connect()
    const [task] = (
      await connected.call('tasks_add', { tasks: [{ markdown: 'task', taskInfo: { scheduleDate: 'tomorrow' } }] })
    ).items
    const { items } = await connected.call('reminders_add', { reminders: [{ blockId: task.id, remindAt: LATER }] })
    await connected.call('reminders_update', { remindersToUpdate: [{ id: items[0].id, isCompleted: true }] })
    expect((await connected.call('tasks_list', { scope: 'upcoming' })).items).toEqual([task])
    await connected.call('tasks_update', { tasksToUpdate: [{ id: task.id, taskInfo: { state: 'done' } }] })
    expect((await connected.call('reminders_list', { status: 'completed' })).items).toMatchObject([{ remindAt: LATER }])
  })

  test('are deleted with their blocks, and leave them when they are deleted', async () => {
    const connected = await connect()
    const [a = '', b = ''] = await lines(connected)
    const { items } = await connected.call('reminders_add', { reminders: [{ blockId: a }, { blockId: b }] })
    expect(await connected.call('reminders_delete', { idsToDelete: [items[0].id] })).toEqual({ items: [items[0].id] })
    expect(await connected.call('blocks_get', { id: a })).toMatchObject({ id: a })
    await connected.call('blocks_delete', { blockIds: [b] })
    expect(await titles(connected, 'all')).toEqual([])
  })

  test('are listed in parts, in order of creation', async () => {
    const connected = await connect()
    const ids = await lines(connected, 7)
    for (const blockId of ids) {
      await connected.call('reminders_add', { reminders: [{ blockId }] })
      connected.clock.now += blockId === ids[3] ? 1 : 0
    }
    const { items: whole } = await connected.call('reminders_list')
    expect(whole.map(({ blockId }: Answer) => blockId)).toEqual(ids)
    const parts: Answer[] = []
    let cursor: string | undefined
    do {
      const { items, pagination } = await connected.call('reminders_list', { limit: 2, cursor })
      parts.push(...items)
      cursor = pagination?.cursor
      if (cursor !== undefined) expect(cursor.length).toBeLessThanOrEqual(256)
    } while (cursor !== undefined)
    expect(parts).toEqual(whole)
  })

  test('a cursor that was changed, or has another status, is rejected', async () => {
    const connected = await connect()
    const ids = await lines(connected)
    await connected.call('reminders_add', { reminders: ids.map((blockId) => ({ blockId })) })
    const { cursor } = (await connected.call('reminders_list', { limit: 1 })).pagination
    const refused =
      'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.'
    expect(await connected.refused('reminders_list', { status: 'all', cursor })).toBe(refused)
    const changed = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`
    expect(await connected.refused('reminders_list', { cursor: changed })).toBe(refused)
    expect(await connected.refused('reminders_list', { cursor: cursor.repeat(9) })).toBe(refused)
  })
})

describe('reach', () => {
  test('reminders are those on blocks within it', async () => {
    const full = await connect()
    const [a] = await lines(full)
    const document = await documentOf(full, 'exposed')
    const [b] = (await contentOf(full, document)).map(({ id }) => id)
    const { items } = await full.call('blocks_add', { markdown: 'day', position: { position: 'end', date: 'today' } })
    const reminders = [a, b, items[0].id].map((blockId) => ({ blockId }))
    const set = await full.call('reminders_add', { reminders })
    const selected = await connect('selected', { to: full, documents: [document] })
    const daily = await connect('daily', { to: full })
    expect(await titles(full)).toEqual(['line 0', 'exposed', 'day'])
    expect(await titles(selected)).toEqual(['exposed'])
    expect(await titles(daily)).toEqual(['day'])
    const hidden = set.items[0].id
    const none = `Expected the ID of a reminder within reach, found ${hidden}; read IDs with reminders_list and name one of those.`
    for (const { refused } of [selected, daily]) {
      expect(await refused('reminders_delete', { idsToDelete: [hidden] })).toBe(none)
      const change = { remindersToUpdate: [{ id: hidden, isCompleted: true }] }
      expect(await refused('reminders_update', change)).toBe(none)
      expect(await refused('reminders_add', { reminders: [{ blockId: a }] })).toBe(
        `Expected the ID of a block within reach, found ${a}; read IDs with blocks_get and name one of those.`,
      )
    }
    await full.call('documents_delete', { documentIds: [document] })
    expect(await titles(selected)).toEqual([])
  })
})

describe('owners', () => {
  const UNAVAILABLE =
    'Expected a connection whose reminders are one person’s, found an ordinary link of a space with 2 participants; use a connection that a participant signed in to.'

  test('in a space of several participants an ordinary link has no reminder tools, and a call says why', async () => {
    const connected = await connect()
    const [blockId] = await lines(connected)
    await connected.call('reminders_add', { reminders: [{ blockId, remindAt: LATER }] })
    await withParticipants(connected, 'Anna')
    const names = (await connected.client.listTools()).tools.map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('reminders_'))).toEqual([])
    expect(names).toContain('comments_add')
    for (const [tool, args] of [
      ['reminders_list', {}],
      ['reminders_add', { reminders: [{ blockId }] }],
      ['reminders_update', { remindersToUpdate: [{ id: 'x', isCompleted: true }] }],
      ['reminders_delete', { idsToDelete: ['x'] }],
    ] as const) {
      expect(await connected.refused(tool, args)).toBe(UNAVAILABLE.replace('’', "'"))
    }
    connected.clock.now = Date.parse(LATER)
    expect((await connected.call('connection_get')).dueReminders).toBeUndefined()
    const link = await connected.space.createAccessLink('full', [], 'test')
    await connected.space.write(link, (space) => removeParticipant(space, 'Anna'))
    expect(await titles(connected)).toEqual(['line 0'])
  })

  test('a link of a participant who is not the only one has none either', async () => {
    const connected = await connect()
    await withParticipants(connected, 'Anna')
    const link = await connected.space.createAccessLink('full', [], 'test')
    await connected.space.write(link, (space) => removeParticipant(space, 'Owner'))
    const owners = { ...link, participant: 1 }
    const { resolveReminderScope: reminderScope } = await import('../../../src/space/reminders/reminders.ts')
    await expect(connected.space.read(owners, reminderScope)).rejects.toThrow(/^Expected a connection whose reminders/)
    expect(await connected.space.read({ ...link, participant: 2 }, reminderScope)).toMatchObject({ participant: 2 })
  })

  test('participants who signed in have their own, with any number of others', async () => {
    const connected = await connect()
    const [blockId = ''] = await lines(connected)
    await withParticipants(connected, 'Anna')
    const link = await connected.space.createAccessLink('full', [], 'test')
    const { addReminders, listReminders } = await import('../../../src/space/reminders/reminders.ts')
    const [owner, anna] = [1, 2].map((participant) => ({ ...link, participant, isSignedIn: true }))
    if (owner === undefined || anna === undefined) throw new Error('two links')
    const set = await connected.space.write(anna, (space) => addReminders(space, [{ blockId: Number(blockId) }]))
    const listing = { status: 'all', limit: 50 } as const
    expect(await connected.space.read(anna, (space) => listReminders(space, listing))).toEqual(set)
    expect(await connected.space.read(owner, (space) => listReminders(space, listing))).toEqual({ items: [] })
  })
})

describe('a due reminder', () => {
  test('is announced once with the next response, and listed by connection_get while it is due', async () => {
    const connected = await connect()
    const [a, b] = await lines(connected)
    const { items } = await connected.call('reminders_add', {
      reminders: [
        { blockId: a, remindAt: LATER },
        { blockId: b, remindAt: '2026-11-20T12:00:01Z' },
      ],
    })
    const meta = async (name = 'reminders_list', args = {}) =>
      (await connected.client.callTool({ name, arguments: args }))._meta
    expect(await meta()).not.toHaveProperty(['scriptorium/dueReminders'])
    connected.clock.now = Date.parse(LATER)
    expect(await meta('blocks_get', { id: a, format: 'markdown' })).toMatchObject({
      'scriptorium/dueReminders': [items[0]],
    })
    expect(await meta()).not.toHaveProperty(['scriptorium/dueReminders'])
    connected.clock.now += 1000
    expect(await meta()).toMatchObject({ 'scriptorium/dueReminders': [items[1]] })
    expect((await connected.call('connection_get')).dueReminders).toEqual(items)
    await connected.call('reminders_update', { remindersToUpdate: [{ id: items[0].id, isCompleted: true }] })
    expect((await connected.call('connection_get')).dueReminders).toEqual([items[1]])
  })

  test('is announced again with a new time, and never after its deletion', async () => {
    const connected = await connect()
    const document = await documentOf(connected, 'a')
    const [block] = await contentOf(connected, document)
    const due = async () =>
      (await connected.client.callTool({ name: 'reminders_list', arguments: {} }))._meta?.['scriptorium/dueReminders']
    const { items } = await connected.call('reminders_add', { reminders: [{ blockId: block.id, remindAt: LATER }] })
    connected.clock.now = Date.parse(LATER)
    expect(await due()).toHaveLength(1)
    await connected.call('reminders_update', {
      remindersToUpdate: [{ id: items[0].id, remindAt: '2026-11-20T13:00:00Z' }],
    })
    connected.clock.now += 3_600_000
    expect(await due()).toHaveLength(1)
    await connected.call('reminders_update', {
      remindersToUpdate: [{ id: items[0].id, remindAt: '2026-11-20T14:00:00Z' }],
    })
    await connected.call('documents_delete', { documentIds: [document] })
    connected.clock.now += 3_600_000
    expect(await due()).toBeUndefined()
    expect((await connected.call('connection_get')).dueReminders).toBeUndefined()
  })
})

describe('rejected', () => {
  test.each<[string, object, string]>([
    [
      'a time that is past',
      { remindAt: '2026-11-20T09:00:00Z' },
      'Expected a time to come, found 2026-11-20T09:00:00.000Z, which is past (it is 2026-11-20T09:00:00.000Z); leave remindAt out to save for later.',
    ],
    [
      'a time without a zone',
      { remindAt: '2026-11-21T09:00:00' },
      'At reminders[0].remindAt: Expected a time with Z or an offset such as +01:00, found "2026-11-21T09:00:00" without; connection_get tells the offset of the space.',
    ],
    [
      'words for a time',
      { remindAt: 'tomorrow morning' },
      'At reminders[0].remindAt: Expected a time such as 2026-11-21T09:00:00+01:00, found "tomorrow morning"; write date, time and offset.',
    ],
    [
      'a day that does not exist',
      { remindAt: '2026-11-31T09:00:00Z' },
      'At reminders[0].remindAt: Expected a day that exists, found "2026-11-31"; that month has 30 days.',
    ],
    [
      'an hour that does not exist',
      { remindAt: '2026-11-30T24:30:00Z' },
      'At reminders[0].remindAt: Expected a time that exists, found "2026-11-30T24:30:00Z"; hours go from 00 to 23, minutes and seconds to 59.',
    ],
  ])('%s', async (_, fields, message) => {
    const connected = await connect()
    const [blockId] = await lines(connected)
    expect(await connected.refused('reminders_add', { reminders: [{ blockId, ...fields }] })).toBe(message)
    expect(await titles(connected, 'all')).toEqual([])
  })

  test('a duplicate block or reminder, an empty update, and a block for a reminder', async () => {
    const connected = await connect()
    const [blockId] = await lines(connected)
    expect(await connected.refused('reminders_add', { reminders: [{ blockId }, { blockId }] })).toBe(
      `Expected each block once, found ${blockId} twice; leave one out.`,
    )
    const { items } = await connected.call('reminders_add', { reminders: [{ blockId }] })
    const [{ id }] = items
    const twice = {
      remindersToUpdate: [
        { id, isCompleted: true },
        { id, isCompleted: false },
      ],
    }
    expect(await connected.refused('reminders_update', twice)).toBe(
      `Expected each reminder once, found ${id} twice; leave one out.`,
    )
    expect(await connected.refused('reminders_update', { remindersToUpdate: [{ id }] })).toBe(
      'At remindersToUpdate[0]: Expected remindAt or isCompleted, found neither; give what is to change.',
    )
    expect(await connected.refused('reminders_delete', { idsToDelete: [blockId] })).toBe(
      `Expected the ID of a reminder, found ${blockId}, which is a block's; reminders_list gives the ID of its reminder.`,
    )
    expect(await connected.refused('reminders_list', { limit: 201 })).toBe('At limit: Expected at most 200, found 201.')
  })
})
