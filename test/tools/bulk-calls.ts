/** Calls that read or write many rows, one for each tool that takes a list. */
import type { Answer, Connected } from '../connect.ts'
import { documentOf } from '../document.ts'

export const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
export const idsIn = ({ items }: Answer): string[] => items.map(({ id }: { id: string }) => id)

/** Prepares and returns the arguments of a call on this number of rows. */
type BulkCall = (connected: Connected, rows: number) => Promise<object>

const tasks = async (connected: Connected, rows: number, indentation = ''): Promise<string[]> => {
  const position = { position: 'end', pageId: await documentOf(connected) }
  const markdown = list(rows, (index) => `${indentation}- [ ] task ${index}`).join('\n')
  return idsIn(await connected.call('blocks_add', { markdown, position }))
}
const documents = async ({ call }: Connected, rows: number): Promise<string[]> =>
  idsIn(await call('documents_add', { documents: list(rows, (index) => ({ title: `D${index}`, markdown: 'words' })) }))
const collection = async (connected: Connected): Promise<string> => {
  const properties = [
    { name: 'A', type: 'number' },
    { name: 'S', type: 'multiSelect' },
  ]
  const position = { position: 'end', pageId: await documentOf(connected) }
  return (await connected.call('collections_add', { schema: { name: 'C', properties }, position })).collectionBlockId
}
const addItems = async (collectionId: string, rows: number) => ({
  collectionId,
  allowNewSelectOptions: true,
  items: list(rows, (index) => ({ title: `i${index}`, properties: { a: index, s: [`o${index}`] }, markdown: 'text' })),
})
const items = async (connected: Connected, rows: number) => {
  const collectionId = await collection(connected)
  return { collectionId, ids: idsIn(await connected.call('items_add', await addItems(collectionId, rows))) }
}
const elementsOf = (rows: number) =>
  list(rows, (index) => ({ id: `e${index}`, type: 'text', text: 'x', x: index, y: 0, width: 10, height: 10 }))
const board = async (connected: Connected, rows: number): Promise<string> => {
  const position = { position: 'end', pageId: await documentOf(connected) }
  const { whiteboardBlockId } = await connected.call('whiteboards_add', { position })
  if (rows > 0) await connected.call('elements_add', { whiteboardBlockId, elements: elementsOf(rows) })
  return whiteboardBlockId
}
const reminders = async (connected: Connected, rows: number): Promise<string[]> =>
  idsIn(await connected.call('reminders_add', await BULK.reminders_add?.(connected, rows)))

/** Folders with a subfolder and two documents each. */
const folders = async ({ call }: Connected, rows: number): Promise<string[]> => {
  const nested = list(rows, (index) => ({ name: `F${index}`, folders: [{ name: 'inner' }] }))
  const { items } = await call('folders_add', { folders: nested })
  const outer = items.filter(({ parentFolderId }: Answer) => parentFolderId === undefined)
  for (const { id } of outer.slice(0, 2))
    await call('documents_add', { documents: [{ title: 'D' }], destination: { folderId: id } })
  return outer.map(({ id }: Answer) => id)
}

export const BULK: Readonly<Record<string, BulkCall>> = {
  folders_add: async (connected, rows) => {
    const parents = await folders(connected, rows)
    return { folders: parents.map((parentFolderId) => ({ name: 'A', parentFolderId, folders: [{ name: 'B' }] })) }
  },
  folders_update: async (connected, rows) => ({
    folders: (await folders(connected, rows)).map((id, index) => ({
      ...{ id, name: `renamed ${index}`, expected: { name: `F${index}` } },
    })),
  }),
  folders_move: async (connected, rows) => {
    const folderIds = await folders(connected, rows)
    const [parentFolderId] = await folders(connected, 1)
    return { folderIds, destination: { parentFolderId } }
  },
  folders_delete: async (connected, rows) => ({ folderIds: await folders(connected, rows) }),
  folders_list: async (connected, rows) => {
    await folders(connected, rows)
    return {}
  },
  documents_add: async (_, rows) => ({
    documents: list(rows, (index) => ({ title: `D${index}`, markdown: 'one\n\ntwo' })),
  }),
  documents_list: async (connected, rows) => ({ documentIds: await documents(connected, rows) }),
  documents_move: async (connected, rows) => ({
    documentIds: await documents(connected, rows),
    destination: { destination: 'templates' },
  }),
  documents_delete: async (connected, rows) => ({ documentIds: await documents(connected, rows) }),
  documents_search: async (connected, rows) => {
    await documents(connected, rows)
    return { include: 'words' }
  },
  blocks_add: async (connected, rows) => ({
    markdown: list(rows, (index) => `line ${index}`).join('\n\n'),
    position: { position: 'end', pageId: await documentOf(connected) },
  }),
  blocks_update: async (connected, rows) => ({
    blocks: (await tasks(connected, rows)).map((id) => ({ id, markdown: 'changed' })),
  }),
  blocks_move: async (connected, rows) => ({
    blockIds: await tasks(connected, rows),
    position: { position: 'end', pageId: await documentOf(connected) },
  }),
  blocks_delete: async (connected, rows) => ({ blockIds: await tasks(connected, rows) }),
  tasks_add: async (_, rows) => ({ tasks: list(rows, (index) => ({ markdown: `t${index}` })) }),
  tasks_list: async (connected, rows) => {
    await tasks(connected, rows)
    return { scope: 'all', limit: rows }
  },
  tasks_delete: async (connected, rows) => ({ idsToDelete: await tasks(connected, rows) }),
  tasks_update: async (connected, rows) => ({
    tasksToUpdate: (await tasks(connected, rows)).map((id) => ({
      id,
      markdown: 'changed',
      taskInfo: { state: 'done' },
    })),
  }),
  collections_list: async (connected, rows) => {
    const documentIds = await documents(connected, rows)
    for (const pageId of documentIds) {
      const schema = { name: 'C', properties: [{ name: 'S', type: 'singleSelect', options: [{ name: 'o' }] }] }
      await connected.call('collections_add', { schema, position: { position: 'end', pageId } })
    }
    return { documentIds }
  },
  history_undo: async (connected, rows) => {
    for (let index = 0; index < rows; index++) await documents(connected, 1)
    const { items } = await connected.call('history_list', { limit: rows })
    return { calls: items.map(({ callId }: Answer) => callId) }
  },
  items_add: async (connected, rows) => addItems(await collection(connected), rows),
  items_update: async (connected, rows) => {
    const { collectionId, ids } = await items(connected, rows)
    return { collectionId, itemsToUpdate: ids.map((id) => ({ id, title: 'new', properties: { a: 5 } })) }
  },
  items_claim: async (connected, rows) => ({
    collectionId: (await items(connected, rows)).collectionId,
    count: Math.min(rows, 100),
    set: { a: 5 },
  }),
  items_list: async (connected, rows) => ({ collectionId: (await items(connected, rows)).collectionId, limit: rows }),
  items_delete: async (connected, rows) => {
    const { collectionId, ids } = await items(connected, rows)
    return { collectionId, idsToDelete: ids }
  },
  elements_add: async (connected, rows) => ({
    whiteboardBlockId: await board(connected, 0),
    elements: elementsOf(rows),
  }),
  elements_update: async (connected, rows) => ({
    whiteboardBlockId: await board(connected, rows),
    elements: elementsOf(rows).map(({ id }) => ({ id, x: 7 })),
  }),
  elements_delete: async (connected, rows) => ({
    whiteboardBlockId: await board(connected, rows),
    elementIds: elementsOf(rows).map(({ id }) => id),
  }),
  comments_add: async (connected, rows) => ({
    comments: (await tasks(connected, rows)).map((blockId) => ({ blockId, content: 'c' })),
  }),
  comments_update: async (connected, rows) => {
    const blocks = await tasks(connected, rows)
    const { items } = await connected.call('comments_add', {
      comments: blocks.map((blockId) => ({ blockId, content: 'c' })),
    })
    return { comments: items.map(({ commentId }: Answer) => ({ commentId, content: 'd', resolved: true })) }
  },
  reminders_add: async (connected, rows) => ({
    reminders: (await tasks(connected, rows)).map((blockId) => ({ blockId, remindAt: '2026-11-25T10:00:00Z' })),
  }),
  reminders_update: async (connected, rows) => ({
    remindersToUpdate: (await reminders(connected, rows)).map((id) => ({ id, isCompleted: true })),
  }),
  reminders_delete: async (connected, rows) => ({ idsToDelete: await reminders(connected, rows) }),
}
