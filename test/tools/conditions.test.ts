/** Conditions of changes: `expected` says what a caller believes to be there, on every tool that changes entries. */
import { describe, expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../collection.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { add } from '../tasks.ts'

const PROPERTIES = [
  { name: 'Status', type: 'singleSelect', options: [{ name: 'To do' }, { name: 'Doing' }] },
  { name: 'Owner', type: 'text' },
  { name: 'Points', type: 'number' },
  { name: 'Due', type: 'date' },
  { name: 'Ready', type: 'boolean' },
]

async function withItems(connected: Connected) {
  const collectionId = await collectionOf(connected, PROPERTIES)
  const ids = await itemsOf(connected, collectionId, [
    { title: 'one', properties: { status: 'To do', points: 3, due: '2026-12-01' } },
    { title: 'two', properties: { status: 'Doing', owner: 'Ada' } },
  ])
  const update = (itemsToUpdate: object[], more: object = {}) => ({ collectionId, itemsToUpdate, ...more })
  return { collectionId, one: ids[0] ?? '', two: ids[1] ?? '', update }
}

describe('items', () => {
  test('of two agents that take the same one, the second is told who was faster', async () => {
    const connected = await connect()
    const { one, update } = await withItems(connected)
    const take = (owner: string) =>
      update([{ id: one, properties: { status: 'Doing', owner }, expected: { status: 'To do', owner: null } }])
    await connected.call('items_update', take('Ada'))
    const { code, error, details } = await connected.faults('items_update', take('Grace'))
    expect(code).toBe('CONFLICT')
    expect(error).toBe(
      `Expected item ${one} with status "To do", found "Doing"; nothing was written, since it was changed: read it again.`,
    )
    expect(details).toEqual([
      { path: 'itemsToUpdate[0].expected.status', message: 'Expected "To do", found "Doing".' },
      { path: 'itemsToUpdate[0].expected.owner', message: 'Expected null, found "Ada".' },
    ])
  })

  test('are compared as they are read: by title, under properties or beside it, and empty is the same as none', async () => {
    const connected = await connect()
    const { one, update } = await withItems(connected)
    const expected = [
      { title: 'one', properties: { points: 3, due: '2026-12-01', owner: '' } },
      { name: 'one', points: '3', ready: false },
      { due: { start: '2026-12-01' }, status: 'To do' },
    ]
    for (const one_ of expected.slice(0, 2)) {
      const { items } = await connected.call('items_update', update([{ id: one, title: 'one', expected: one_ }]))
      expect(items).toHaveLength(1)
    }
    expect((await connected.faults('items_update', update([{ id: one, expected: { points: 4 } }]))).code).toBe(
      'CONFLICT',
    )
  })

  test('with a field that does not exist are refused, so that no typing error passes for none', async () => {
    const connected = await connect()
    const { one, update } = await withItems(connected)
    const { code, error } = await connected.faults('items_update', update([{ id: one, expected: { owner_: null } }]))
    expect(code).toBe('VALIDATION_ERROR')
    expect(error).toBe(
      'At itemsToUpdate[0].expected.owner_: Expected a field that the change could have, found "owner_"; did you mean owner?',
    )
  })

  test('partially: the others are changed, and the conflicts say what is there', async () => {
    const connected = await connect()
    const { one, two, collectionId, update } = await withItems(connected)
    const changes = [one, two].map((id) => ({ id, properties: { owner: 'Bob' }, expected: { owner: null } }))
    expect((await connected.faults('items_update', update(changes))).code).toBe('CONFLICT')
    for (const answer of ['ids', 'full']) {
      const answered = await connected.call('items_update', update(changes, { partial: true, answer }))
      expect(answered.conflicts[answer === 'ids' ? 0 : 1]).toEqual({
        ...{ index: 1, id: two },
        found: { owner: 'Ada' },
      })
      expect(answered.items).toHaveLength(answer === 'ids' ? 1 : 0)
    }
    const { items } = await connected.call('items_list', { collectionId })
    expect(items.map(({ properties }: { properties: { owner: string } }) => properties.owner)).toEqual(['Bob', 'Ada'])
  })
})

test('tasks: state, dates and text, with or without the prefix', async () => {
  const connected = await connect()
  const [task] = await add(connected, { markdown: 'write', taskInfo: { scheduleDate: '2026-12-01' } })
  const { id } = task
  const done = (expected: object) => ({ tasksToUpdate: [{ id, taskInfo: { state: 'done' }, expected }] })
  expect((await connected.faults('tasks_update', done({ scheduleDate: '2026-12-02' }))).code).toBe('CONFLICT')
  expect((await connected.faults('tasks_update', done({ deadlineDate: '2026-12-02' }))).code).toBe('CONFLICT')
  expect((await connected.faults('tasks_update', done({ markdown: 'read' }))).code).toBe('CONFLICT')
  for (const markdown of ['write', '- [ ] write']) {
    await connected.call('tasks_update', { tasksToUpdate: [{ id, markdown: 'write', expected: { markdown } }] })
  }
  const expected = { state: 'todo', taskInfo: { scheduleDate: '2026-12-01', deadlineDate: null } }
  await connected.call('tasks_update', done(expected))
  expect((await connected.faults('tasks_update', done(expected))).code).toBe('CONFLICT')
  const partial = await connected.call('tasks_update', { ...done(expected), partial: true, answer: 'ids' })
  expect(partial).toMatchObject({ items: [], conflicts: [{ index: 0, id, found: { state: 'done' } }] })
})

test('blocks: their Markdown, in both spellings, and partially', async () => {
  const connected = await connect()
  const pageId = await documentOf(connected, 'one\n\ntwo')
  const { content } = await connected.call('blocks_get', { id: pageId })
  const [one, two] = content.map(({ id }: { id: string }) => id)
  const change = (condition: object) => ({ blocks: [{ id: one, markdown: 'new', ...condition }] })
  for (const condition of [{ expected: { markdown: 'old' } }, { expectedMarkdown: 'old' }]) {
    const { code, error } = await connected.faults('blocks_update', change(condition))
    expect(code).toBe('CONFLICT')
    expect(error).toContain('with markdown "old", found "one"')
  }
  const blocks = [
    { id: one, markdown: 'new', expected: { markdown: 'old' } },
    { id: two, markdown: 'newer', expected: { markdown: 'two' } },
  ]
  const answered = await connected.call('blocks_update', { blocks, partial: true, answer: 'ids' })
  expect(answered).toEqual({ items: [{ id: two }], conflicts: [{ index: 0, id: one, found: { markdown: 'one' } }] })
})

test('folders, places of documents, views, schemas and elements', async () => {
  const connected = await connect()
  const { call, faults } = connected
  const { items } = await call('folders_add', { folders: [{ name: 'A' }] })
  const [{ id: folderId }] = items
  const rename = { folders: [{ id: folderId, name: 'B', expected: { name: 'A' } }] }
  await call('folders_update', rename)
  expect((await faults('folders_update', rename)).code).toBe('CONFLICT')
  expect(await call('folders_update', { ...rename, partial: true })).toEqual({
    items: [],
    conflicts: [{ index: 0, id: folderId, found: { name: 'B' } }],
  })

  const document = await documentOf(connected, 'text')
  const move = { documentIds: [document], destination: { folderId }, expected: { location: 'unsorted' } }
  await call('documents_move', move)
  const moved = await faults('documents_move', move)
  expect(moved).toMatchObject({ code: 'CONFLICT', details: [{ path: 'expected.location' }] })
  await call('documents_move', { ...move, destination: { destination: 'unsorted' }, expected: { folderId } })

  const collectionId = await collectionOf(connected, PROPERTIES)
  const { id: viewId } = await call('views_add', { collectionId, view: { name: 'Open', type: 'table' } })
  const view = { collectionId, viewId, view: { name: 'Mine' }, expected: { name: 'Open', sortBy: [], kanban: null } }
  await call('views_update', view)
  expect((await faults('views_update', view)).code).toBe('CONFLICT')

  const schema = await call('schema_get', { collectionId, format: 'schema' })
  const properties = [...schema.properties, { name: 'More', type: 'text' }]
  const replace = { collectionId, schema: { ...schema, properties }, expected: { properties: schema.properties } }
  await call('schema_update', replace)
  expect((await faults('schema_update', replace)).code).toBe('CONFLICT')

  const { whiteboardBlockId } = await call('whiteboards_add', { position: { position: 'end', pageId: document } })
  await call('elements_add', { whiteboardBlockId, elements: [{ id: 'box', type: 'rectangle', x: 1, y: 2 }] })
  const drag = { whiteboardBlockId, elements: [{ id: 'box', x: 5, expected: { x: 1 } }] }
  await call('elements_update', drag)
  expect((await faults('elements_update', drag)).code).toBe('CONFLICT')
  const { elements, conflicts } = await call('elements_update', { ...drag, partial: true, answer: 'ids' })
  expect([elements, conflicts]).toEqual([[], [{ index: 0, id: 'box', found: { x: 5 } }]])
})

test('a batch with a condition that does not hold writes nothing', async () => {
  const connected = await connect()
  const { one, two, collectionId, update } = await withItems(connected)
  const steps = [
    { tool: 'items_update', arguments: update([{ id: two, properties: { owner: 'Eve' } }]) },
    { tool: 'items_update', arguments: update([{ id: one, properties: { owner: 'Eve' }, expected: { points: 9 } }]) },
  ]
  expect((await connected.faults('batch', { steps })).code).toBe('CONFLICT')
  const { items } = await connected.call('items_list', { collectionId })
  expect(items[1].properties.owner).toBe('Ada')
})
