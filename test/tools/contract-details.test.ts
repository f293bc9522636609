/** Small promises of the interface that are easily broken. */
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { askerOf } from '../rest/rest-asker.ts'

test('a daily note in the trash has its former date', async () => {
  const { call } = await connect()
  const position = { position: 'end', date: '2026-11-20' }
  const { items } = await call('blocks_add', { markdown: 'words', position })
  const { documentId } = items[0]
  await call('documents_delete', { documentIds: [documentId] })
  expect((await call('documents_list', { location: 'trash' })).items).toMatchObject([
    { id: documentId, isDeleted: true, dailyNoteDate: '2026-11-20' },
  ])
})

test('a daily note that is restored returns to its day, unless the day has another by now', async () => {
  const { call } = await connect()
  const write = async (markdown: string): Promise<string> =>
    (await call('blocks_add', { markdown, position: { position: 'end', date: '2026-11-20' } })).items[0].documentId
  const restore = (...documentIds: string[]) =>
    call('documents_move', { documentIds, destination: { destination: 'unsorted' } })
  const first = await write('first')
  await call('documents_delete', { documentIds: [first] })
  const destination = { destination: 'daily_notes', dailyNoteDate: '2026-11-20' }
  expect(await restore(first)).toEqual({ items: [{ id: first, destination }] })
  expect(await call('blocks_get', { date: '2026-11-20' })).toMatchObject({
    id: first,
    content: [{ markdown: 'first' }],
  })
  await call('documents_delete', { documentIds: [first] })
  const second = await write('second')
  expect(await restore(first)).toEqual({ items: [{ id: first, destination: { destination: 'unsorted' } }] })
  const { items } = await call('documents_list', { documentIds: [first, second] })
  expect(items).toMatchObject([
    { id: first, location: 'unsorted' },
    { id: second, dailyNoteDate: '2026-11-20' },
  ])
  // If several documents of one day are restored, only one becomes its daily note again.
  await call('documents_delete', { documentIds: [second] })
  const third = await write('third')
  await call('documents_delete', { documentIds: [third] })
  expect(await restore(second, third)).toMatchObject({
    items: [{ destination }, { destination: { destination: 'unsorted' } }],
  })
})

test('a file that was sent without a name has none', async () => {
  const connected = await connect()
  const id = await documentOf(connected, '')
  await connected.call('files_add', { position: { position: 'end', pageId: id }, text: 'a;b', mimeType: 'text/csv' })
  const [file] = (await connected.call('blocks_get', { id })).content
  expect(file.type).toBe('file')
  expect(file.fileName).toBeUndefined()
})

test('an upload needs its position besides its page', async () => {
  const connected = await connect()
  const id = await documentOf(connected, '')
  const { refused } = await askerOf({ to: connected })
  expect(await refused(400, `POST /upload?pageId=${id}`, new Blob(['a']), { 'content-type': 'text/plain' })).toBe(
    'Expected position as start, end, before or after beside pageId, found none; say which.',
  )
})

test('an empty object clears the settings of a gallery', async () => {
  const connected = await connect()
  const id = await documentOf(connected, '')
  const schema = { name: 'Things', properties: [{ name: 'Note', type: 'text' }] }
  const { collectionBlockId: collectionId } = await connected.call('collections_add', {
    schema,
    position: { position: 'end', pageId: id },
  })
  const view = { name: 'Cards', type: 'gallery', gallery: { cardSize: 'small' } }
  const { id: viewId } = await connected.call('views_add', { collectionId, view })
  const update = (gallery: object) => connected.call('views_update', { collectionId, viewId, view: { gallery } })
  const note = { propertyId: 'note', propertyKey: 'note', propertyName: 'Note' }
  expect((await update({ visibleFields: ['note'] })).gallery).toEqual({ cardSize: 'small', visibleFields: [note] })
  expect((await update({})).gallery).toEqual({})
})

const ignored = (what: string) =>
  `Ignored taskInfo of what is no task: ${what}; listStyle "task" beside it makes a task.`

test('taskInfo of a block that is no task is ignored, with a note', async () => {
  const connected = await connect()
  const pageId = await documentOf(connected, 'words')
  const add = { position: { position: 'end', pageId } }
  const taskInfo = { state: 'done' }
  const noted = async (name: string, args: object) => {
    const { content, isError } = await connected.client.callTool({ name, arguments: { ...args } })
    expect(isError).toBeFalsy()
    return (content as { text: string }[])[1]?.text
  }
  const blocks = [
    { type: 'text', markdown: 'buy', taskInfo },
    { type: 'page', title: 'Page', taskInfo: { scheduleDate: 'today' } },
    { type: 'text', markdown: '- item', taskInfo },
    { type: 'text', markdown: '- [ ] task', taskInfo },
    { type: 'text', markdown: 'plain', taskInfo: { scheduleDate: null } },
  ]
  expect(await noted('blocks_add', { ...add, blocks })).toBe(ignored('blocks[0], blocks[1], blocks[2]'))
  const { content } = await connected.call('blocks_get', { id: pageId })
  const taskInfos = content.map((block: { taskInfo?: object }) => block.taskInfo)
  expect(taskInfos).toEqual([undefined, undefined, undefined, undefined, { state: 'done' }, undefined])
  const [{ id }] = content
  const update = (more: object) => ({ blocks: [{ id, taskInfo: { scheduleDate: 'today' }, ...more }] })
  expect(await noted('blocks_update', update({}))).toBe(ignored(id))
  // What was ignored does not come to light when the block becomes a task.
  const [plain] = (await connected.call('blocks_update', { blocks: [{ id, listStyle: 'task' }] })).items
  expect(plain.taskInfo).toEqual({ state: 'todo' })
  const [task] = (await connected.call('blocks_update', update({ listStyle: 'task' }))).items
  expect(task).toMatchObject({ markdown: '- [ ] words', taskInfo: { state: 'todo', scheduleDate: '2026-11-20' } })
})

test('over REST, the note about ignored taskInfo stands in a header', async () => {
  const connected = await connect()
  const pageId = await documentOf(connected, 'words')
  const { ask } = await askerOf({ to: connected })
  const blocks = [{ type: 'text', markdown: 'buy', taskInfo: { state: 'done' } }]
  const response = await ask('POST /blocks', { blocks, position: { position: 'end', pageId } })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-scriptorium-note')).toBe(ignored('blocks[0]'))
})

test('with metadata, comments are next to the Markdown', async () => {
  const connected = await connect()
  const id = await documentOf(connected, 'one\n\ntwo')
  const [, two] = (await connected.call('blocks_get', { id })).content
  const comments = [{ blockId: two.id, content: 'a "word" of mine' }]
  await connected.call('comments_add', { comments })
  const ask = { id, format: 'markdown', fetchMetadata: true }
  const { content } = await connected.client.callTool({ name: 'blocks_get', arguments: ask })
  const [, note] = content as { text: string }[]
  expect(note?.text).toMatch(
    new RegExp(
      `^Revision \\S+\\.\nComment \\d{12} on block://${two.id} by \\S.*, 2026-11-20T09:00:00.000Z: "a \\\\"word\\\\" of mine"$`,
    ),
  )
})

test('a date property accepts today, tomorrow and yesterday, and stores the date', async () => {
  const connected = await connect()
  const pageId = await documentOf(connected, '')
  const schema = { name: 'Things', properties: [{ name: 'Due', type: 'date' }] }
  const position = { position: 'end', pageId }
  const { collectionBlockId: collectionId } = await connected.call('collections_add', { schema, position })
  const add = (due: string) => ({ collectionId, items: [{ title: due, properties: { due } }] })
  for (const [word, day] of [
    ['today', '2026-11-20'],
    ['Tomorrow', '2026-11-21'],
    ['yesterday', '2026-11-19'],
  ] as const) {
    expect((await connected.call('items_add', add(word))).items).toMatchObject([{ properties: { due: day } }])
  }
  expect(await connected.refused('items_add', add('Soon'))).toBe(
    'At items[0].properties.due: Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "Soon".',
  )
})
