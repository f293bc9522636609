/** A space with one of each kind of thing, and its contents. */
import type { ConnectionKind } from '../../src/space/model/space.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { preparedSpace } from './prepared-space.ts'

export interface Ids {
  document: string
  other: string
  folder: string
  block: string
  second: string
  task: string
  template: string
  collection: string
  item: string
  board: string
  view: string
  reminder: string
  habit: string
  /** The requested kind of connection. */
  connection: ConnectionKind
}

/** Opens a space with one of each kind of thing, the same every time. */
export async function populatedSpace(kind: ConnectionKind = 'full'): Promise<{ connected: Connected; ids: Ids }> {
  const { made, ...to } = await spaceWithAll()
  const documents = kind === 'selected' ? [made.document] : []
  return { connected: await connect(kind, { to, documents }), ids: { ...made, connection: kind } }
}

const spaceWithAll = preparedSpace(async (to): Promise<Omit<Ids, 'connection'>> => {
  const full = await connect('full', { to })
  const call = full.call
  const folder = (await call('folders_add', { folders: [{ name: 'Folder' }] })).items[0].id
  const document = await documentOf(full, 'first\n\nsecond\n\n- [ ] task', 'Document')
  const other = await documentOf(full, 'needle here', 'Other')
  const { content } = await call('blocks_get', { id: document })
  const [block, second, task] = content.map(({ id }: { id: string }) => id)
  const template = (
    await call('documents_add', { documents: [{ title: 'Template' }], destination: { destination: 'templates' } })
  ).items[0].id
  const schema = {
    name: 'Deals',
    properties: [
      { name: 'Amount', type: 'number' },
      { name: 'Stage', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Won' }] },
      { name: 'Tags', type: 'multiSelect', options: [{ name: 'a' }, { name: 'b' }] },
      { name: 'Day', type: 'date' },
    ],
  }
  const position = { position: 'end', pageId: other }
  const collection = (await call('collections_add', { schema, position })).collectionBlockId
  const items = [
    { title: 'One', properties: { amount: 1, stage: 'Open' } },
    { title: 'Two', properties: { amount: 2 } },
  ]
  const item = (await call('items_add', { collectionId: collection, items })).items[0].id
  const view = (await call('views_add', { collectionId: collection, view: { name: 'All', type: 'table' } })).id
  await call('views_add', { collectionId: collection, view: { name: 'More', type: 'table' } })
  const repeat = { type: 'fixed', frequency: 'daily' }
  const tasks = [{ markdown: 'Stretch', taskInfo: { scheduleDate: '2026-11-20' }, repeat }]
  const habit = (await call('tasks_add', { tasks })).items[0].id
  const board = (await call('whiteboards_add', { position })).whiteboardBlockId
  await call('elements_add', { whiteboardBlockId: board, elements: [{ id: 'e', type: 'rectangle' }] })
  const reminder = (await call('reminders_add', { reminders: [{ blockId: block, remindAt: '2026-12-01T09:00:00Z' }] }))
    .items[0].id
  return {
    document,
    other,
    folder,
    block,
    second,
    task,
    template,
    collection,
    item,
    board,
    view,
    reminder,
    habit,
  }
})

/** All contents of a space, as a full connection reads them. */
export async function contentsOf(connected: Connected, ids: Ids): Promise<object> {
  const full = ids.connection === 'full' ? connected : await connect('full', { to: connected })
  const documents = await full.call('documents_list', {})
  const texts = []
  for (const { id } of documents.items) texts.push(await full.call('blocks_get', { id, format: 'markdown' }))
  const folders = await full.call('folders_list')
  const items = await full.call('items_list', { collectionId: ids.collection, format: 'markdown' })
  const reminders = await full.call('reminders_list', { status: 'all' })
  const tasks = await full.call('tasks_list', { scope: 'all' })
  const views = await full.call('views_list', { collectionId: ids.collection })
  return { documents, texts, folders, items, reminders, tasks, views }
}
