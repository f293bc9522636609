/** Over MCP, writes return only IDs and what the caller cannot know. With `answer: "full"` they return everything. */
import { describe, expect, test } from 'vitest'
import { mcpDefaultsOf } from '../../src/endpoint.ts'
import { endpoints } from '../../tools/index.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'

/** Calls a tool like a client that does not set `answer`. */
async function brief({ client }: Connected, name: string, args: object): Promise<Answer> {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: { ...args } })
  if (isError) throw new Error(JSON.stringify(content))
  return structuredContent ?? (content as { text: string }[])[0]?.text
}

const id = expect.stringMatching(/^\d{12}$/)

test('every tool that adds or changes things has a short response, unless all of it is short', () => {
  const whole = endpoints.filter(({ effect, shorten }) => ['add', 'comment', 'change'].includes(effect) && !shorten)
  expect(whole.map(({ name }) => name)).toEqual([
    'items_claim',
    'comments_add',
    'comments_update',
    'for_me_update',
    'files_add',
    'whiteboards_add',
    'history_undo',
    'batch',
  ])
  for (const endpoint of endpoints) expect('answer' in mcpDefaultsOf(endpoint)).toBe(endpoint.shorten !== undefined)
})

describe('blocks', () => {
  test('added: their IDs, and once the day they went to', async () => {
    const connected = await connect()
    const pageId = await documentOf(connected)
    const markdown = 'one\n\ntwo'
    expect(await brief(connected, 'blocks_add', { markdown, position: { position: 'end', pageId } })).toEqual({
      items: [{ id }, { id }],
    })
    expect(await brief(connected, 'blocks_add', { markdown, position: { position: 'end', date: 'tomorrow' } })).toEqual(
      {
        items: [{ id }, { id }],
        documentId: id,
        dailyNoteDate: '2026-11-21',
      },
    )
  })

  test('changed and moved: their IDs, and those of an edited page only in lists', async () => {
    const connected = await connect()
    const pageId = await documentOf(connected, 'one\n\ntwo')
    const page = await connected.call('blocks_get', { id: pageId })
    const [first, second] = page.content
    const { revision } = page
    expect(await brief(connected, 'blocks_update', { pageId, markdown: 'one\n\ntwo\n\nthree', revision })).toEqual({
      ...{ added: [id], changed: [], moved: [], deleted: [], revision: expect.any(String) },
    })
    expect(await brief(connected, 'blocks_update', { blocks: [{ id: first.id, markdown: 'a\n\nb' }] })).toEqual({
      items: [{ id: first.id }, { id }],
    })
    const position = { position: 'end', pageId }
    expect(await brief(connected, 'blocks_move', { blockIds: [second.id], position })).toEqual({
      items: [{ id: second.id }],
    })
  })
})

test('documents and folders: their IDs', async () => {
  const connected = await connect()
  const documents = await brief(connected, 'documents_add', { documents: [{ title: 'A' }] })
  const folders = await brief(connected, 'folders_add', { folders: [{ name: 'F' }] })
  expect([documents, folders]).toEqual([{ items: [{ id }] }, { items: [{ id }] }])
  const [{ id: documentId }, { id: folderId }] = [documents.items[0], folders.items[0]]
  expect(await brief(connected, 'documents_move', { documentIds: [documentId], destination: { folderId } })).toEqual({
    items: [{ id: documentId }],
  })
  expect(
    await brief(connected, 'folders_move', { folderIds: [folderId], destination: { destination: 'root' } }),
  ).toEqual({ items: [{ id: folderId }] })
})

describe('collections', () => {
  test('the keys of new properties and of other sides', async () => {
    const connected = await connect()
    const pageId = await documentOf(connected)
    const properties = [
      { name: 'Unit price', type: 'number' },
      { name: 'Ties', type: 'relation' },
    ]
    const position = { position: 'end', pageId }
    const added = await brief(connected, 'collections_add', { schema: { name: 'Deals', properties }, position })
    expect(added).toEqual({
      collectionBlockId: id,
      keys: { 'Unit price': 'unit_price', Ties: 'ties', Deals: 'deals' },
    })
    const { collectionBlockId: collectionId } = added
    const schema = await connected.call('schema_get', { collectionId, format: 'schema' })
    expect(await brief(connected, 'schema_update', { collectionId, schema })).toEqual({
      collectionBlockId: collectionId,
    })
    schema.properties.push({ name: 'Closing day', type: 'date' })
    expect(await brief(connected, 'schema_update', { collectionId, schema })).toEqual({
      collectionBlockId: collectionId,
      keys: { 'Closing day': 'closing_day' },
    })
    const items = await brief(connected, 'items_add', { collectionId, items: [{ title: 'One' }] })
    expect(items).toEqual({ items: [{ id }] })
    const itemsToUpdate = [{ id: items.items[0].id, title: 'Two' }]
    expect(await brief(connected, 'items_update', { collectionId, itemsToUpdate })).toEqual(items)
    const view = await brief(connected, 'views_add', { collectionId, view: { name: 'All', type: 'table' } })
    expect(view).toEqual({ id })
    const viewId = view.id
    expect(await brief(connected, 'views_update', { collectionId, viewId, view: { name: 'Some' } })).toEqual(view)
    expect(await brief(connected, 'views_activate', { collectionId, viewId })).toEqual(view)
  })

  test('are listed in Markdown, one line each, and in JSON if requested', async () => {
    const connected = await connect()
    expect(await brief(connected, 'collections_list', {})).toBe('No collections.')
    const pageId = await documentOf(connected)
    const properties = [
      { name: 'Unit price', type: 'number', config: { format: 'currency', currency: 'EUR' } },
      { name: 'Stage', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Won, (late)' }] },
      { name: 'Größe', type: 'text' },
      { name: 'Ties', type: 'relation' },
    ]
    const position = { position: 'end', pageId }
    const { collectionBlockId } = await connected.call('collections_add', {
      schema: { name: 'Deals', properties },
      position,
    })
    await connected.call('items_add', { collectionId: collectionBlockId, items: [{ title: 'One' }] })
    expect(await brief(connected, 'collections_list', {})).toBe(
      `${collectionBlockId} Deals (1 item, document ${pageId}): unit_price number (currency, EUR), stage singleSelect (Open, "Won, (late)"), grosse "Größe" text, ties relation to ${collectionBlockId}, deals relation to ${collectionBlockId}`,
    )
    const { items } = await brief(connected, 'collections_list', { format: 'json' })
    expect(items).toMatchObject([{ name: 'Deals', itemCount: 1, schema: { name: 'Deals' } }])
  })
})

describe('tasks', () => {
  test('their IDs, and state, dates and location if they differ from the request', async () => {
    const connected = await connect()
    const tasks = [
      { markdown: 'a', taskInfo: { deadlineDate: '2026-11-25' } },
      { markdown: 'b', taskInfo: { scheduleDate: 'tomorrow' }, location: { type: 'dailyNote', date: 'today' } },
      { markdown: 'c', location: { type: 'dailyNote', date: '2026-11-22' } },
    ]
    const added = await brief(connected, 'tasks_add', { tasks })
    expect(added.items).toEqual([
      { id },
      {
        id,
        taskInfo: { scheduleDate: '2026-11-21' },
        location: { type: 'dailyNote', date: '2026-11-20' },
      },
      { id },
    ])
    const [first, second, third] = added.items.map((one: { id: string }) => one.id)
    const repeat = { type: 'fixed', frequency: 'daily' }
    expect(await brief(connected, 'tasks_update', { tasksToUpdate: [{ id: second, repeat }] })).toEqual({
      items: [{ id: second, taskInfo: { scheduleDate: '2026-11-21' } }],
    })
    const done = { taskInfo: { state: 'done' } }
    const tasksToUpdate = [first, second, third].map((one) => ({ id: one, ...done }))
    expect((await brief(connected, 'tasks_update', { tasksToUpdate })).items).toEqual([
      { id: first, location: { type: 'logbook' } },
      { id: second, taskInfo: { state: 'todo', scheduleDate: '2026-11-22' } },
      { id: third },
    ])
  })
})

describe('many', () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `words ${index}`)

  test('changes that say nothing of single ones are counted, and up to three are listed', async () => {
    const connected = await connect()
    const pageId = await documentOf(connected, words(5).join('\n\n'))
    const ids = (await connected.call('blocks_get', { id: pageId })).content.map((block: Answer) => block.id)
    const blocks = ids.map((one: string) => ({ id: one, listStyle: 'bullet' }))
    expect(await brief(connected, 'blocks_update', { blocks })).toEqual({ count: 5 })
    expect(await brief(connected, 'blocks_update', { blocks: blocks.slice(0, 3) })).toEqual({
      items: ids.slice(0, 3).map((one: string) => ({ id: one })),
    })
    const position = { position: 'start', pageId }
    expect(await brief(connected, 'blocks_move', { blockIds: ids, position })).toEqual({ count: 5 })
    // One of them becomes two, so their IDs are news.
    const split = blocks.map((block: object, index: number) => (index === 0 ? { ...block, markdown: 'a\n\nb' } : block))
    expect((await brief(connected, 'blocks_update', { blocks: split })).items).toHaveLength(6)
    const documents = words(4).map((title) => ({ title }))
    const documentIds = (await connected.call('documents_add', { documents })).items.map((one: Answer) => one.id)
    const destination = { destination: 'templates' }
    expect(await brief(connected, 'documents_move', { documentIds, destination })).toEqual({ count: 4 })
  })

  test('what is the same for all stands once', async () => {
    const connected = await connect()
    const tasks = words(4).map((markdown) => ({ markdown, taskInfo: { scheduleDate: 'today' } }))
    const added = await brief(connected, 'tasks_add', { tasks })
    expect(added).toEqual({ items: tasks.map(() => ({ id })), taskInfo: { scheduleDate: '2026-11-20' } })
    const tasksToUpdate = added.items.map((one: object) => ({ ...one, taskInfo: { state: 'done' } }))
    expect(await brief(connected, 'tasks_update', { tasksToUpdate })).toEqual({
      count: 4,
      location: { type: 'logbook' },
    })
  })

  test('what was not carried out is named beside the count', async () => {
    const connected = await connect()
    const pageId = await documentOf(connected, words(5).join('\n\n'))
    const { content } = await connected.call('blocks_get', { id: pageId })
    const blocks = content.map((block: Answer, index: number) => ({
      ...{ id: block.id, listStyle: 'bullet' },
      expectedMarkdown: index === 0 ? 'other words' : block.markdown,
    }))
    const answer = await brief(connected, 'blocks_update', { blocks, partial: true })
    expect(answer).toEqual({ count: 4, conflicts: [expect.objectContaining({ index: 0 })] })
  })
})

test('reminders, comments and elements: their IDs, each once', async () => {
  const connected = await connect()
  const pageId = await documentOf(connected, 'words')
  const [{ id: blockId }] = (await connected.call('blocks_get', { id: pageId })).content
  const reminders = await brief(connected, 'reminders_add', { reminders: [{ blockId }] })
  expect(reminders).toEqual({ items: [{ id }] })
  const remindersToUpdate = [{ id: reminders.items[0].id, isCompleted: true }]
  expect(await brief(connected, 'reminders_update', { remindersToUpdate })).toEqual(reminders)
  expect(await brief(connected, 'comments_add', { comments: [{ blockId, content: 'so' }] })).toEqual({
    commentId: id,
    items: [{ commentId: id }],
  })
  const position = { position: 'end', pageId }
  const { whiteboardBlockId } = await connected.call('whiteboards_add', { position })
  const elements = [{ id: 'e', type: 'ellipse', x: 0, y: 0 }]
  const short = { elements: [{ id: 'e' }] }
  expect(await brief(connected, 'elements_add', { whiteboardBlockId, elements })).toEqual(short)
  expect(await brief(connected, 'elements_update', { whiteboardBlockId, elements: [{ id: 'e', x: 2 }] })).toEqual(short)
})

test('a full response can be requested, and a retried call gets the first one', async () => {
  const connected = await connect()
  const documents = [{ title: 'A' }]
  const all = await brief(connected, 'documents_add', { documents, answer: 'full' })
  expect(all).toEqual({ items: [{ id, rootBlockId: id, title: 'A', clickableLink: expect.any(String) }] })
  const _meta = { 'scriptorium/idempotencyKey': 'k' }
  const again = async () =>
    (await connected.client.callTool({ name: 'documents_add', arguments: { documents }, _meta })).structuredContent
  expect(await again()).toEqual(await again())
})
