/** For each tool the calls that it takes, over things that are there: what other calls of the proofs are made from. */
import type { ConnectionKind } from '../../../src/space/model/space.ts'
import type { Things } from './things.ts'

export type Args = Record<string, unknown>
export type ToolCall = readonly [tool: string, args: Args]

/** Every argument of every tool that takes an ID stands in one of them. */
export function validCalls(kind: ConnectionKind, own: Things): ToolCall[] {
  const { page, block, task, table, image, collection, item, view, reminder, board, element } = own
  const end = { position: 'end', pageId: own.document }
  const after = { position: 'after', siblingId: block }
  const shared: ToolCall[] = [
    ['blocks_get', { id: own.document }],
    ['blocks_get', { id: own.document, format: 'markdown', fetchMetadata: true }],
    ['blocks_get', { id: page, maxDepth: 0 }],
    ['blocks_get', { id: own.document, maxBlocks: 2 }],
    ['blocks_get', { id: own.document, fetchMetadata: true, maxDepth: 1 }],
    ['blocks_add', { markdown: `new [words](block://${block})`, position: end }],
    ['blocks_add', { blocks: newBlocks(own), position: after, answer: 'blocks' }],
    ['blocks_update', { blocks: [{ id: block, markdown: `more [words](block://${task})` }] }],
    ['blocks_update', { blocks: [{ id: table, rows: [{ row: 1, column: 1, markdown: `[at](block://${page})` }] }] }],
    ['blocks_update', { blocks: [{ id: page, title: titleTo(block) }] }],
    ['blocks_update', { blocks: [{ id: image, url: `scriptorium://files/${own.file}`, altText: 'picture' }] }],
    ['blocks_update', { pageId: page, markdown: `inside\n\nand [more](block://${block})`, revision: own.revision }],
    ['blocks_move', { blockIds: [task], position: end }],
    ['blocks_move', { blockIds: [task], position: after }],
    ['blocks_delete', { blockIds: [task] }],
    ['collections_list', { limit: 1 }],
    ['collections_add', { schema: schemaTo(collection), position: end }],
    ['collections_add', { schema: { name: 'Plain', properties: [] }, position: after }],
    ['schema_get', { collectionId: collection }],
    ['schema_get', { collectionId: collection, format: 'schema' }],
    ['schema_update', { collectionId: collection, schema: schemaTo(collection) }],
    ['items_list', { collectionId: collection, viewId: view }],
    ['items_list', { collectionId: collection, filters: filtersOn(own), limit: 1 }],
    ['items_list', { collectionId: collection, filters: filtersOn(own), format: 'markdown', properties: ['price'] }],
    ['items_add', { collectionId: collection, items: [newItem(own)] }],
    [
      'items_update',
      { collectionId: collection, itemsToUpdate: [{ id: item, title: 'new', properties: values(own) }] },
    ],
    ['items_delete', { collectionId: collection, idsToDelete: [item] }],
    ['views_list', { collectionId: collection }],
    ['views_add', { collectionId: collection, view: { name: 'New', type: 'table', filters: filtersOn(own) } }],
    ['views_update', { collectionId: collection, viewId: view, view: { name: 'Other', filters: filtersOn(own) } }],
    ['views_delete', { collectionId: collection, viewId: view }],
    ['views_activate', { collectionId: collection, viewId: view }],
    ['reminders_list', { limit: 1 }],
    ['reminders_add', { reminders: [{ blockId: block }] }],
    ['reminders_update', { remindersToUpdate: [{ id: reminder, isCompleted: true }] }],
    ['reminders_delete', { idsToDelete: [reminder] }],
    ['comments_add', { comments: [{ blockId: block, content: 'a remark' }] }],
    ['connection_get', {}],
    ['files_add', { text: 'x', fileName: 'x.txt', position: end }],
    ['files_add', { text: 'x', fileName: 'x.txt', position: 'end', pageId: own.document }],
    ['files_add', { text: 'x', fileName: 'x.txt', position: 'after', siblingId: block }],
    ['whiteboards_add', { position: end }],
    ['whiteboards_add', { position: after }],
    ['elements_list', { whiteboardBlockId: board }],
    [
      'elements_add',
      { whiteboardBlockId: board, elements: [{ id: 'new', type: 'ellipse', link: `block://${block}` }] },
    ],
    ['elements_update', { whiteboardBlockId: board, elements: [{ id: element, x: 5 }], answer: 'changed' }],
    ['elements_delete', { whiteboardBlockId: board, elementIds: [element] }],
  ]
  return [...shared, ...OF_KIND[kind](own)]
}

const OF_KIND: Record<ConnectionKind, (own: Things) => ToolCall[]> = {
  full: (own) => [
    ['blocks_get', { date: 'today', format: 'markdown' }],
    ['blocks_add', { markdown: 'to the day', position: { position: 'start', date: 'tomorrow' } }],
    ['blocks_search', { blockId: own.document, pattern: 'wo(?=rd)' }],
    ['collections_list', { documentIds: [own.document] }],
    ['documents_list', { documentIds: [own.document], fetchMetadata: true }],
    ['documents_list', { folderId: own.folder }],
    ['documents_list', { limit: 1 }],
    ['documents_add', { documents: [{ title: 'New', markdown: `new [words](block://${own.block})` }] }],
    [
      'documents_add',
      { documents: [{ title: 'New', templateId: own.template }], destination: { folderId: own.folder } },
    ],
    ['documents_move', { documentIds: [own.document], destination: { folderId: own.folder } }],
    ['documents_move', { documentIds: [own.document], destination: { destination: 'templates' } }],
    ['documents_delete', { documentIds: [own.document] }],
    ['documents_search', { include: ['words'], documentIds: [own.document], fetchBlocks: true }],
    ['documents_search', { regexps: ['^i'], folderIds: [own.folder] }],
    ['folders_list', {}],
    ['folders_add', { folders: [{ name: 'New', parentFolderId: own.folder }] }],
    ['folders_move', { folderIds: [own.folder], destination: { destination: 'root' } }],
    ['folders_move', { folderIds: [own.folder], destination: { parentFolderId: own.outerFolder } }],
    ['folders_delete', { folderIds: [own.folder] }],
    ['tasks_list', { scope: 'document', documentId: own.document }],
    ['tasks_list', { scope: 'all', limit: 1 }],
    ['tasks_add', { tasks: [{ markdown: 'to do', location: { type: 'document', documentId: own.document } }] }],
    ['tasks_update', { tasksToUpdate: [{ id: own.task, location: { type: 'document', documentId: own.document } }] }],
    ...ofDays(own),
  ],
  selected: (own) => [
    ['blocks_search', { documentId: own.document, pattern: '[a-z]+', limit: 2, fetchBlocks: true }],
    ['collections_list', { documentIds: [own.document] }],
    ['collections_list', { documentIds: [own.document], documentFilterMode: 'exclude' }],
    ['documents_list', { limit: 1, fetchMetadata: true }],
    ['documents_search', { include: ['words'], documentIds: [own.document], fetchBlocks: true }],
    ['documents_search', { regexps: ['i'], documentIds: [own.document], documentFilterMode: 'exclude' }],
  ],
  daily: (own) => [
    ['blocks_get', {}],
    ['blocks_get', { date: '2026-11-20', format: 'markdown' }],
    ['blocks_add', { markdown: 'to the day', position: { position: 'start', date: 'tomorrow' } }],
    ['blocks_search', { pattern: 'wo(?=rd)', limit: 1 }],
    ['collections_list', { startDate: '2026-11-01', endDate: 'tomorrow' }],
    ['daily_notes_search', { include: ['words'], fetchBlocks: true }],
    ['daily_notes_search', { regexps: ['i'], startDate: 'yesterday' }],
    ...ofDays(own),
  ],
}

const ofDays = ({ task }: Things): ToolCall[] => [
  ['tasks_list', { scope: 'active' }],
  ['tasks_list', { scope: 'inbox', limit: 1 }],
  ['tasks_list', { scope: 'logbook' }],
  ['tasks_add', { tasks: [{ markdown: 'to do', taskInfo: { deadlineDate: '2026-11-25' }, repeat: WEEKLY }] }],
  ['tasks_add', { tasks: [{ markdown: 'to do', location: { type: 'dailyNote', date: 'today' } }] }],
  ['tasks_update', { tasksToUpdate: [{ id: task, markdown: 'other', taskInfo: { state: 'done' } }] }],
  ['tasks_delete', { idsToDelete: [task] }],
]

const WEEKLY = { type: 'fixed', frequency: 'weekly', interval: 2, weekly: { days: ['monday', 'friday'] } }

const titleTo = (blockId: string) => ({
  value: 'Title',
  attributes: [{ start: 0, end: 3, type: 'blockLink', blockId }],
})

const newBlocks = ({ block, file, comment, page }: Things) => [
  { type: 'text', markdown: `see [it](block://${block}) and <comment id="${comment}">this</comment>` },
  { type: 'page', title: titleTo(block), content: [{ type: 'text', markdown: `[in](block://${page})` }] },
  { type: 'image', url: `scriptorium://files/${file}` },
]

const schemaTo = (targetCollectionId: string) => ({
  name: 'Deals',
  properties: [
    { name: 'Price', type: 'number', key: 'price' },
    { name: 'Stage', type: 'singleSelect', key: 'stage', options: [{ name: 'Open' }, { name: 'Won' }] },
    { name: 'Away', type: 'relation', targetCollectionId },
    { name: 'Leads', type: 'blockLink', key: 'leads' },
  ],
})

const values = ({ item, block }: Things) => ({
  price: 7,
  ties: { relations: [{ blockId: item }] },
  leads: { blockId: block },
})

const newItem = (own: Things) => ({
  title: 'New item',
  properties: values(own),
  content: [{ type: 'text', markdown: `[in](block://${own.block})` }],
})

const filtersOn = ({ item }: Things) => [
  { property: 'ties', filterType: 'relation_hasNoneOf', filterValue: { relations: [{ blockId: item }] } },
]
