import { describe, expect, test } from 'vitest'
import { type Answer, connect } from '../../connect.ts'
import { contentOf, documentOf, outlineOf } from '../../document.ts'
import { firstValue } from '../../sqlite.ts'
import { add, scope, update } from '../../tasks.ts'

describe('a task is a block', () => {
  test('the block tools show what the task tools add, and the other way round', async () => {
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

  test('a page that is a task is one, and so are tasks in it', async () => {
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

  test('a page that is a task keeps the marks of its Markdown when that is edited', async () => {
    const connected = await connect()
    const id = await documentOf(connected, '- [ ] one **two**')
    const [task] = await contentOf(connected, id)
    await connected.call('blocks_add', { markdown: 'inner', position: { position: 'end', pageId: task.id } })
    const [changed] = await update(connected, { id: task.id, markdown: '- [ ] one **two** *three*' })
    expect(changed.markdown).toBe('- [ ] one **two** *three*')
    expect((await contentOf(connected, id))[0]).toMatchObject({ type: 'page', markdown: 'one two three' })
  })

  test('inbox and logbook are not listed as documents', async () => {
    const connected = await connect()
    const [open] = await add(connected, { markdown: 'a' }, { markdown: 'b', taskInfo: { state: 'canceled' } })
    expect((await connected.call('documents_list')).items).toEqual([])
    const { items } = await connected.call('folders_list')
    expect(items.map(({ documentCount }: Answer) => documentCount)).toEqual([0, 0, 0])
    const root = await connected.space.read(await connected.space.createAccessLink('full', [], 'test'), ({ tx }) =>
      firstValue(tx, "SELECT id FROM block JOIN document USING (n) WHERE location = 'inbox'"),
    )
    const id = String(root)
    expect(await connected.call('blocks_get', { id })).toMatchObject({ content: [{ id: open.id }] })
    const none = `Expected the ID of a document within reach, found ${id}; read IDs with documents_list and name one of those.`
    expect(await connected.refused('documents_delete', { documentIds: [id] })).toBe(none)
    expect(await connected.refused('documents_list', { documentIds: [id] })).toBe(none)
    expect(await connected.refused('tasks_list', { scope: 'document', documentId: id })).toBe(none)
    await expect(connected.space.createAccessLink('selected', [String(id)], 'test')).rejects.toThrow(
      `Expected IDs of documents in this space, found ${id}, which is none.`,
    )
  })

  test('inbox and logbook contain only tasks', async () => {
    const connected = await connect()
    const [task] = await add(connected, { markdown: 'a' })
    const refusal = 'Expected tasks in the inbox, found a block that is none; put it into a document or a daily note.'
    const beside = { position: 'after', siblingId: task.id }
    expect(await connected.refused('blocks_add', { markdown: 'words', position: beside })).toBe(refusal)
    expect(await connected.refused('blocks_update', { blocks: [{ id: task.id, listStyle: 'none' }] })).toBe(refusal)
    const id = await documentOf(connected, 'words\n\n- [ ] b')
    const [words, other] = await contentOf(connected, id)
    expect(await connected.refused('blocks_move', { blockIds: [words.id], position: beside })).toBe(refusal)
    await connected.call('blocks_move', { blockIds: [other.id], position: beside })
    expect(await scope(connected, 'inbox')).toEqual(['- [ ] a', '- [ ] b'])
  })
})

describe('adding', () => {
  test('inserts at the top of each target, in order', async () => {
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

  test('accepts Markdown with or without the prefix of a task, marks and other list prefixes', async () => {
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
    expect(added[0]).not.toHaveProperty('completedAt')
  })
})

describe('deleting', () => {
  test('works for tasks anywhere on a full connection', async () => {
    const connected = await connect()
    const id = await documentOf(connected, '- [ ] a')
    const [a] = await contentOf(connected, id)
    const [b] = await add(connected, { markdown: 'b' })
    expect(await connected.call('tasks_delete', { idsToDelete: [a.id, b.id] })).toEqual({
      items: [{ id: a.id }, { id: b.id }],
    })
    expect(await scope(connected, 'all')).toEqual([])
  })

  test('does not affect tasks of documents on a daily connection, or reveal them', async () => {
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

describe('a rejected call changes nothing, and says what to do', () => {
  test.each<[string, string, object, string]>([
    [
      'an unknown scope',
      'tasks_list',
      { scope: 'someday' },
      'At scope: Expected one of active, upcoming, undated, inbox, logbook, document, all, found "someday".',
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
      'At tasks[0].location: Expected another location, found the logbook; tasks get there by being marked done or canceled: give state, and leave location out.',
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
      'Expected the ID of a document within reach, found x; that is no ID, so find it by its words with documents_search.',
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
      'At tasksToUpdate[1]: Expected each task once, found A twice; put its changes into one entry.',
    ],
  ])('%s', async (_, tool, args, message) => {
    const connected = await connect()
    expect(await connected.refused(tool, args)).toBe(message)
    expect(await scope(connected, 'all')).toEqual([])
  })

  test('full-only scopes and locations on a daily connection', async () => {
    const { refused } = await connect('daily')
    expect(await refused('tasks_list', { scope: 'all' })).toBe(
      'At scope: Expected one of active, upcoming, undated, inbox, logbook, found "all".',
    )
    const location = { type: 'document', documentId: 'x' }
    expect(await refused('tasks_add', { tasks: [{ markdown: 'a', location }] })).toBe(
      'At tasks[0].location: Expected a location as { type: "inbox" }, { type: "dailyNote", date }, found { type: document, documentId: x }; give one of these.',
    )
  })

  test('a block that is not a task gets an error', async () => {
    const connected = await connect()
    const [words] = await contentOf(connected, await documentOf(connected, 'words'))
    const message = `Expected the ID of a task, found ${words.id}, a block that is none; blocks_update with listStyle task makes it one.`
    expect(await connected.refused('tasks_delete', { idsToDelete: [words.id] })).toBe(message)
    expect(await connected.refused('tasks_update', { tasksToUpdate: [{ id: words.id, markdown: 'x' }] })).toBe(message)
  })

  test('a repeat rule without dates', async () => {
    const connected = await connect()
    const repeat = { type: 'fixed', frequency: 'yearly', yearly: { months: [2], days: [30] } }
    expect(await connected.refused('tasks_add', { tasks: [{ markdown: 'a', repeat }] })).toBe(
      'Expected a repeat that comes round, found no further day of it up to the year 9999 when counting from 2026-11-20; change repeat.interval or repeat.yearly.',
    )
    expect(await scope(connected, 'all')).toEqual([])
  })
})
