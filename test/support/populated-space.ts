/** A space with one of each kind of thing, and its contents. */
import { type ConnectionKind, OPERATOR_LINK } from '../../src/space/model/space.ts'
import { HISTORY_TABLES } from '../../storage/history-tables.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { rowsOf } from '../sqlite.ts'
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

/** Every row of the content of a space. It says more than what tools return of it, for a tenth of the work. */
export const contentsOf = ({ space }: Pick<Connected, 'space'>): Promise<object> =>
  space.read(OPERATOR_LINK, async ({ tx }) => {
    const contents: Record<string, object[]> = {}
    for (const table of TABLES) {
      const rows = await rowsOf<Record<string, unknown>>(tx, `SELECT * FROM ${table} ORDER BY 1, 2`)
      contents[table] = rows.map(withObjects)
    }
    return contents
  })

/** A row with its JSON as objects, whose fields may come in any order. */
const withObjects = (row: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const isJson = typeof value === 'string' && value.startsWith('{"')
      return [name, isJson ? JSON.parse(value) : value]
    }),
  )

const TABLES = [...Object.keys(HISTORY_TABLES), 'file']
