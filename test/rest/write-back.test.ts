/** Read-only fields of tasks, reminders, documents, collections and whiteboards, as of blocks (`write-back-blocks.test.ts`). */
import { describe, expect, test } from 'vitest'
import type { Answer } from '../connect.ts'
import { type Asker, askerOf, documentBy } from './rest-asker.ts'

describe('a task', () => {
  const STAMP = 'leave it out and change state, which stamps it'
  const addTo = async ({ ask }: Asker, task: object): Promise<Answer> =>
    (await ask('POST /tasks', { tasks: [task] })).json.items[0]

  test('to update keeps the timestamps of the space, and its state decides about the logbook', async () => {
    const asker = await askerOf()
    const added = await addTo(asker, { markdown: 'done' })
    const completed = { tasksToUpdate: [{ id: added.id, taskInfo: { state: 'done' } }] }
    const [done] = (await asker.ask('PUT /tasks', completed)).json.items
    const open = await addTo(asker, { markdown: 'open' })
    const change = (task: object) => asker.refused(400, 'PUT /tasks', { tasksToUpdate: [task] })
    const at = '2026-11-19T09:00:00.000Z'
    const otherTime = `Expected completedAt as it is ("2026-11-20T09:00:00.000Z"), found "${at}"; ${STAMP}.`
    expect(await change({ id: done.id, completedAt: at })).toBe(`At tasksToUpdate[0].completedAt: ${otherTime}`)
    expect(await change({ id: done.id, taskInfo: { completedAt: at } })).toBe(
      `At tasksToUpdate[0].taskInfo.completedAt: ${otherTime}`,
    )
    expect(await change({ id: open.id, canceledAt: at })).toBe(
      `At tasksToUpdate[0].canceledAt: Expected canceledAt as it is (none), found "${at}"; ${STAMP}.`,
    )
    expect(await change({ id: open.id, location: { type: 'logbook' } })).toBe(
      'At tasksToUpdate[0].location: Expected another location, found the logbook; tasks get there by being marked done or canceled: give state, and leave location out.',
    )
    const reopened = { ...done, taskInfo: { state: 'todo' }, markdown: undefined }
    expect((await asker.ask('PUT /tasks', { tasksToUpdate: [reopened] })).json.items[0].location).toEqual({
      type: 'inbox',
    })
    expect(
      await asker.refused(400, 'PUT /blocks', {
        blocks: [{ id: open.id, taskInfo: { state: 'done', completedAt: at } }],
      }),
    ).toBe(`At blocks[0].taskInfo.completedAt: Expected completedAt as it is (none), found "${at}"; ${STAMP}.`)
  })

  test('to add has no timestamps, and is refused with one', async () => {
    const asker = await askerOf()
    const at = '2020-01-01T00:00:00.000Z'
    const stamp = { completedAt: at }
    const location = { type: 'logbook' }
    const done = await addTo(asker, { markdown: 'a', taskInfo: { state: 'done' }, location })
    expect(done).toMatchObject({ location, taskInfo: { state: 'done' } })
    expect(done).not.toHaveProperty('completedAt')
    const add = (task: object) => asker.refused(400, 'POST /tasks', { tasks: [{ markdown: 'a', ...task }] })
    const refusal = `Expected completedAt as it is (none), found "${at}"; leave it out, since only tasks that are closed here are stamped.`
    expect(await add({ taskInfo: { state: 'done' }, ...stamp })).toBe(`At tasks[0].completedAt: ${refusal}`)
    expect(await add({ taskInfo: { state: 'done', ...stamp } })).toBe(`At tasks[0].taskInfo.completedAt: ${refusal}`)
    expect(await add({ location })).toBe(
      'At tasks[0].location: Expected another location, found the logbook; tasks get there by being marked done or canceled: give state, and leave location out.',
    )
    const blocks = [{ type: 'text', listStyle: 'task', markdown: 'a', taskInfo: { state: 'done', ...stamp } }]
    expect(await asker.refused(400, 'POST /blocks', { blocks, position: { position: 'end', date: 'today' } })).toBe(
      `At blocks[0].taskInfo.completedAt: ${refusal}`,
    )
  })
})

test('a reminder keeps its block, the text of that, and its completion time', async () => {
  const asker = await askerOf()
  const [blockId, other] = [await documentBy(asker, '', 'One'), await documentBy(asker)]
  const set = (reminder: object) => asker.refused(400, 'POST /reminders', { reminders: [{ blockId, ...reminder }] })
  const words = 'title as it is ("One"), found "Two"; change the block with blocks_update.'
  expect(await set({ title: 'Two' })).toBe(`At reminders[0].title: Expected ${words}`)
  const completed =
    'At reminders[0]: Expected a reminder to set, found one that is completed; leave isCompleted and completedAt out, and complete it with reminders_update.'
  expect(await set({ isCompleted: true })).toBe(completed)
  expect(await set({ completedAt: '2026-11-20T09:00:00.000Z' })).toBe(completed)
  const [{ id }] = (await asker.ask('POST /reminders', { reminders: [{ blockId, title: 'One', isCompleted: false }] }))
    .json.items
  const change = (reminder: object) =>
    asker.refused(400, 'PUT /reminders', { remindersToUpdate: [{ id, isCompleted: true, ...reminder }] })
  expect(await change({ title: 'Two' })).toBe(`At remindersToUpdate[0].title: Expected ${words}`)
  expect(await change({ blockId: other })).toBe(
    `At remindersToUpdate[0].blockId: Expected blockId as it is ("${blockId}"), found "${other}"; set a reminder on another block with reminders_add.`,
  )
  expect(await change({ completedAt: '2026-11-20T09:00:00.000Z' })).toBe(
    'At remindersToUpdate[0].completedAt: Expected completedAt as it is (none), found "2026-11-20T09:00:00.000Z"; leave it out and change isCompleted, which stamps it.',
  )
  expect((await asker.ask('GET /reminders')).json.items).toMatchObject([{ id, isCompleted: false }])
})

test('documents to add go where they were read, if documents can be added there', async () => {
  const { ask, refused } = await askerOf()
  const [{ id: folderId }] = (await ask('POST /folders', { folders: [{ name: 'F' }] })).json.items
  const add = (documents: object[], destination?: object) => {
    return { documents: documents.map((document) => ({ title: 'D', ...document })), destination }
  }
  const places = async (documents: object[], destination?: object) => {
    const { json } = await ask('POST /documents', add(documents, destination))
    const [{ id }] = json.items
    const [{ location, folderId }] = (await ask(`GET /documents?documentIds=${id}`)).json.items
    return location ?? folderId
  }
  expect(await places([{ folderId }, { folderId, isDeleted: false }])).toBe(folderId)
  expect(await places([{ location: 'templates', isDeleted: false }])).toBe('templates')
  expect(await places([{ folderId }], { folderId })).toBe(folderId)
  const refusedFor = (documents: object[], destination?: object) =>
    refused(400, 'POST /documents', add(documents, destination))
  const trash =
    'At documents[0]: Expected a document to add, found one of the trash; restore that with documents_move, or leave location and isDeleted out.'
  expect(await refusedFor([{ isDeleted: true }])).toBe(trash)
  expect(await refusedFor([{ location: 'trash' }])).toBe(trash)
  expect(await refusedFor([{ dailyNoteDate: '2026-11-20' }])).toBe(
    'At documents[0]: Expected a document to add, found a daily note; add blocks with position { date }, which makes the note, or leave location and dailyNoteDate out.',
  )
  expect(await refusedFor([{ location: 'templates' }, { location: 'unsorted' }])).toBe(
    'At documents[1]: Expected documents of one place (templates), found one of unsorted; leave location and folderId out, or add it in another call.',
  )
  expect(await refusedFor([{ location: 'unsorted' }], { folderId })).toBe(
    `At documents[0]: Expected documents of one place (folder ${folderId}), found one of unsorted; leave location and folderId out, or add it in another call.`,
  )
})

test('folders are added with subfolders, as many as a call may add', async () => {
  const { ask, refused } = await askerOf()
  const folders = (names: number) => Array.from({ length: names }, (_, index) => ({ name: `${index}` }))
  const { items } = (await ask('POST /folders', { folders: [{ name: 'A', folders: folders(2), documentCount: 3 }] }))
    .json
  expect(items.map(({ name, parentFolderId }: Answer) => [name, parentFolderId])).toEqual([
    ['A', undefined],
    ['0', items[0].id],
    ['1', items[0].id],
  ])
  const tooMany = { folders: [{ name: 'B', folders: [{ name: 'C', folders: folders(999) }] }] }
  expect(await refused(400, 'POST /folders', tooMany)).toBe(
    'Expected at most 1000 folders in one call, found 1001; add the rest in further calls.',
  )
})

describe('of a collection', () => {
  async function build() {
    const asker = await askerOf()
    const pageId = await documentBy(asker)
    const schema = { name: 'C', properties: [{ name: 'n', type: 'number' }], contentPropDetails: { name: 'Name' } }
    const position = { position: 'end', pageId }
    const path = `/collections/${(await asker.ask('POST /collections', { schema, position })).json.collectionBlockId}`
    await asker.ask(`POST ${path}/items`, { items: [{ title: 'One', markdown: 'inside' }] })
    const [item] = (await asker.ask(`GET ${path}/items`)).json.items
    return { ...asker, path, item }
  }

  test('items keep their content, and a changed title takes precedence', async () => {
    const { ask, refused, path, item } = await build()
    const { id, content } = item
    const change = (item: object) => ({ itemsToUpdate: [{ id, ...item }] })
    expect(await refused(400, `PUT ${path}/items`, change({ content: [{ ...content[0], markdown: 'x' }] }))).toBe(
      'At itemsToUpdate[0].content: Expected content[0].markdown as it is ("inside"), found "x"; leave it out, and change the blocks inside by entries of their own, with blocks_add, blocks_move and blocks_delete.',
    )
    const titleAfter = async (item: object) =>
      (await ask(`PUT ${path}/items`, change({ content, ...item }))).json.items[0].title
    expect(await titleAfter({ title: 'One', name: 'Two' })).toBe('Two')
    expect(await titleAfter({ title: 'Three', name: 'Two' })).toBe('Three')
    expect(await titleAfter({ title: 'Three', name: 'Three' })).toBe('Three')
    expect(await refused(400, `PUT ${path}/items`, change({ title: 'Four', name: 'Five' }))).toBe(
      'At itemsToUpdate[0].title: Expected one title, found "Four" and "Five"; give one of them.',
    )
  })

  test('items have their title under the key of its column, and list empty properties', async () => {
    const { ask, path, item } = await build()
    expect(item).toMatchObject({ title: 'One', name: 'One', content: [{ markdown: 'inside' }] })
    const [added] = (await ask(`POST ${path}/items`, { items: [{ name: 'Two' }] })).json.items
    const { id, title, name, properties } = added
    expect(added).toEqual({ id, title: 'Two', name: 'Two', properties: {} })
    expect((await ask(`GET ${path}/items`)).json.items[1]).toEqual({ id, title, name, properties, content: [] })
    expect((await ask(`GET ${path}/items?maxDepth=0`)).json.items[1]).toEqual({ id, title, name, properties })
    const [updated] = (await ask(`PUT ${path}/items`, { itemsToUpdate: [{ id, properties: { n: 1 } }] })).json.items
    expect(updated).toEqual({ id, title, name, properties: { n: 1 } })
  })

  test('a title column named like another field of items is shown only as the title', async () => {
    const { ask } = await askerOf()
    const { collectionBlockId } = (
      await ask('POST /collections', {
        schema: { name: 'C', properties: [], contentPropDetails: { name: 'ID' } },
        position: { position: 'end', date: 'today' },
      })
    ).json
    const [item] = (await ask(`POST /collections/${collectionBlockId}/items`, { items: [{ title: 'x' }] })).json.items
    expect(item).toEqual({ id: expect.stringContaining('-'), title: 'x', properties: {} })
  })

  test('views keep their ID, and are activated by another call', async () => {
    const { ask, refused, path } = await build()
    const [one, two] = [
      (await ask(`POST ${path}/views`, { view: { name: 'One', type: 'table', isActive: false } })).json,
      (await ask(`POST ${path}/views`, { view: { name: 'Two', type: 'table', isActive: true } })).json,
    ]
    expect([one.isActive, two.isActive]).toEqual([true, false])
    expect(await refused(400, `PUT ${path}/views/${two.id}`, { view: { ...two, isActive: true } })).toBe(
      'Expected isActive as it is (false), found true; make a view the active one with views_activate.',
    )
    expect(await refused(400, `PUT ${path}/views/${two.id}`, { view: one })).toBe(
      `Expected id as it is ("${two.id}"), found "${one.id}"; name the view as viewId.`,
    )
  })
})

test('a whiteboard keeps its assets and state when its elements are updated, and elements that were read keep their version', async () => {
  const { ask, refused } = await askerOf()
  const pageId = await documentBy({ ask } as Asker)
  const { whiteboardBlockId } = (await ask('POST /whiteboards', { position: { position: 'end', pageId } })).json
  const path = `/whiteboards/${whiteboardBlockId}/elements`
  const drawn = { id: 'a', type: 'rectangle', x: 0, y: 0, width: 9, height: 9, version: 3 }
  await ask(`POST ${path}`, { elements: [drawn], appState: { gridSize: 20 } })
  const board = (await ask(`GET ${path}`)).json
  expect((await ask(`PUT ${path}`, board)).json).toEqual(board)
  expect((await ask(`PUT ${path}`, { elements: [{ ...drawn, x: 5 }] })).json.elements).toMatchObject([
    { x: 5, version: 4 },
  ])
  expect(await refused(400, `PUT ${path}`, { elements: [drawn], appState: { gridSize: 10 } })).toBe(
    'Expected appState.gridSize as it is (20), found 10; leave it out, and send it with elements_add.',
  )
  expect(await refused(400, `PUT ${path}`, { elements: [drawn], assets: { f: { id: 'f' } } })).toBe(
    'Expected assets.f as it is (none), found {"id":"f"}; leave it out, and send it with elements_add.',
  )
})
