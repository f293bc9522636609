/** The calls of the growth bench that write, with different targets in each round. */
import { box } from './growth-by-hand.ts'
import type { GrowthCall } from './growth-calls.ts'
import { blockOf, type GrowthSpace, wordOf } from './growth-space.ts'

/** The document of a round, in which no other round writes. */
export const documentOf = ({ documents }: GrowthSpace, round: number): string => documents[30 + round * 8] ?? ''

export function writes(space: GrowthSpace): GrowthCall[] {
  const document = (round: number) => documentOf(space, round)
  const collection = (round: number) => space.collections[round] ?? ''
  const view = (round: number) => ({ collectionId: collection(round), viewId: space.views[round * 2] })
  const board = (round: number) => ({ whiteboardBlockId: space.boards[round] })
  const add = (round: number) => ({ position: 'end', pageId: document(round) })
  return [
    {
      tool: 'blocks_add',
      args: (round) => ({ blocks: [{ type: 'text', markdown: `New ${wordOf(round)}` }], position: add(round) }),
    },
    {
      tool: 'blocks_update',
      args: (round) => ({ blocks: [{ id: blockOf(document(round), 1), markdown: `Changed ${wordOf(round)}` }] }),
    },
    { tool: 'blocks_move', args: (round) => ({ blockIds: [blockOf(document(round), 2)], position: add(round + 1) }) },
    { tool: 'blocks_delete', args: (round) => ({ blockIds: [blockOf(document(round), 3)] }) },
    {
      tool: 'comments_add',
      args: (round) => ({ comments: [{ blockId: blockOf(document(round), 4), content: 'Seen.' }] }),
    },
    {
      tool: 'comments_update',
      args: (round) => ({ comments: [{ commentId: space.comments[round], resolved: true }] }),
    },
    {
      tool: 'reminders_update',
      args: (round) => ({ remindersToUpdate: [{ id: space.reminders[round], isCompleted: true }] }),
    },
    { tool: 'reminders_delete', args: (round) => ({ idsToDelete: [space.reminders[round]] }) },
    { tool: 'tasks_add', args: (round) => ({ tasks: [{ markdown: `Do ${wordOf(round)}` }] }) },
    {
      tool: 'tasks_update',
      args: (round) => ({ tasksToUpdate: [{ id: space.tasks[round], taskInfo: { state: 'done' } }] }),
    },
    { tool: 'tasks_delete', args: (round) => ({ idsToDelete: [space.tasks[round]] }) },
    { tool: 'reminders_add', args: (round) => ({ reminders: [{ blockId: blockOf(document(round), 5) }] }) },
    {
      tool: 'documents_add',
      args: (round) => ({ documents: [{ title: `New ${wordOf(round)}`, markdown: 'One line.' }] }),
    },
    {
      tool: 'documents_move',
      args: (round) => ({ documentIds: [document(round)], destination: { folderId: space.folders[round] } }),
    },
    { tool: 'documents_delete', args: (round) => ({ documentIds: [document(round)] }) },
    { tool: 'folders_add', args: (round) => ({ folders: [{ name: `New ${round}` }] }) },
    {
      tool: 'folders_move',
      args: (round) => ({ folderIds: [space.folders[36 + round]], destination: { destination: 'root' } }),
    },
    {
      tool: 'folders_update',
      args: (round) => ({ folders: [{ id: space.folders[36 + round], name: `Renamed ${round}` }] }),
    },
    // These folders have no documents, since deleting a folder moves each of its documents.
    { tool: 'folders_delete', args: (round) => ({ folderIds: [space.folders[11 + round * 2]] }) },
    {
      tool: 'items_add',
      args: (round) => ({
        collectionId: collection(round),
        items: [{ title: `New ${round}`, properties: { size: 5 } }],
      }),
    },
    {
      tool: 'items_update',
      args: (round) => ({
        collectionId: collection(round),
        itemsToUpdate: [{ id: blockOf(collection(round), 1), properties: { size: 100 + round } }],
      }),
    },
    {
      tool: 'items_claim',
      args: (round) => ({ collectionId: collection(round), set: { size: 200 + round } }),
    },
    {
      tool: 'items_delete',
      args: (round) => ({ collectionId: collection(round), idsToDelete: [blockOf(collection(round), 2)] }),
    },
    {
      tool: 'schema_update',
      args: (round) => ({
        collectionId: collection(round),
        schema: {
          name: `Changed ${round}`,
          properties: [
            { key: 'size', name: 'Size', type: 'number' },
            { name: 'Color', type: 'text' },
          ],
        },
      }),
    },
    {
      tool: 'views_add',
      args: (round) => ({ collectionId: collection(round), view: { name: `New ${round}`, type: 'table' } }),
    },
    {
      tool: 'views_update',
      args: (round) => ({ ...view(round), view: { name: `Changed ${round}` } }),
    },
    { tool: 'views_activate', args: view },
    { tool: 'views_delete', args: view },
    {
      tool: 'collections_add',
      args: (round) => ({ position: add(round + 1), schema: { name: `New ${round}`, properties: [] } }),
    },
    {
      tool: 'files_add',
      args: (round) => ({ position: add(round + 1), fileName: `new-${round}.txt`, text: `New ${wordOf(round)}` }),
    },
    { tool: 'for_me_update', args: () => ({ read: true }) },
    { tool: 'whiteboards_add', args: (round) => ({ position: add(round + 1) }) },
    {
      tool: 'elements_add',
      args: (round) => ({ ...board(round), elements: [box(`new-${round}`)], answer: 'changed' }),
    },
    { tool: 'elements_update', args: (round) => ({ ...board(round), elements: [{ id: 'box', x: 10 + round }] }) },
    { tool: 'elements_delete', args: (round) => ({ ...board(round), elementIds: ['other'] }) },
    {
      tool: 'batch',
      args: (round) => ({
        steps: [{ tool: 'blocks_add', arguments: { markdown: `New ${round}`, position: add(round + 1) } }],
      }),
    },
    {
      tool: 'history_undo',
      args: (round) => ({ since: '2000-01-01T00:00:00Z', documentId: document(round), skipConflicts: true }),
    },
  ]
}
