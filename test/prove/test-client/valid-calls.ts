/** Valid calls of each tool, on things that exist. The other calls of the proofs are derived from them. */
import type { ConnectionKind } from '../../../src/space/model/space.ts'
import { entered, entryOf, type ToolTable } from '../tool-table.ts'
import type { Things } from './things.ts'

export type Args = Record<string, unknown>
export type ToolCall = readonly [tool: string, args: Args]

/** Valid arguments of a tool: those for connections of every kind, and additional ones for one kind. */
type Entry = (own: Things) => Partial<Record<ConnectionKind | 'every', readonly Args[]>>

/** Covers every argument of every tool that accepts an ID. */
const CALLS: ToolTable<Entry> = {
  history_list: ({ document }) => ({
    every: [{ limit: 5 }, { documentId: document }, { participant: 'tester', format: 'json' }],
  }),
  changes_list: () => ({ every: [{ cursor: 'start', limit: 200 }, {}] }),
  events_list: ({ document }) => ({
    every: [
      { name: 'document.changed', documentId: document, quietSeconds: 0, cursor: 'start', limit: 200 },
      { name: 'document.added', author: 'tester', mine: false, cursor: 'start' },
      { name: 'comment.created', documentId: document, cursor: 'start' },
      { name: 'item.changed', quietSeconds: 600, cursor: 'start' },
      { name: 'lease.ended' },
    ],
  }),
  history_undo: ({ document }) => ({
    full: [
      { participant: 'tester', documentId: document, skipConflicts: true },
      { since: '2000-01-01T00:00:00Z', documentId: document, skipConflicts: true },
    ],
    // Undoes what the connection itself did before, which may be nothing.
    selected: [{ since: '2026-11-20T08:00:00Z', documentId: document, dryRun: true }],
    daily: [{ since: '2026-11-20T08:00:00Z', documentId: document, dryRun: true }],
  }),
  batch: (own) => ({
    every: [
      {
        steps: [
          { tool: 'blocks_add', as: 'made', arguments: { markdown: 'new', position: endOf(own) } },
          { tool: 'blocks_update', arguments: { blocks: [{ id: '$made', markdown: `[to](block://${own.block})` }] } },
          // Markdown over MCP, JSON over REST, unless a step says which.
          { tool: 'blocks_get', arguments: { id: own.page, format: 'json' } },
        ],
      },
      { steps: [{ tool: 'blocks_move', arguments: { blockIds: [own.task], position: afterBlock(own) } }] },
    ],
  }),
  proposals_list: ({ proposal }) => ({
    every: [{}, { state: 'all', format: 'json', limit: 1 }, { proposalId: proposal }],
  }),
  proposals_parts: ({ document, proposal }) => ({ every: [{}, { documentId: document }, { proposalId: proposal }] }),
  proposals_approve: (own) => ({
    every: [
      { proposalId: own.proposal },
      {
        proposalId: own.proposal,
        steps: [{ tool: 'blocks_add', arguments: { markdown: 'other words', position: endOf(own) } }],
      },
    ],
  }),
  proposals_reject: ({ otherProposal }) => ({ every: [{ proposalId: otherProposal, note: 'not now' }] }),
  blocks_get: ({ document, page }) => ({
    every: [
      { id: document },
      { id: document, format: 'markdown', fetchMetadata: true },
      { id: page, maxDepth: 0 },
      { id: document, maxBlocks: 2 },
      { id: document, fetchMetadata: true, maxDepth: 1 },
    ],
    full: [{ date: 'today', format: 'markdown' }],
    daily: [{}, { date: '2026-11-20', format: 'markdown' }],
  }),
  blocks_add: (own) => ({
    every: [
      { markdown: `new [words](block://${own.block})`, position: endOf(own) },
      { blocks: newBlocks(own), position: afterBlock(own), answer: 'full' },
    ],
    full: [TO_THE_DAY],
    daily: [TO_THE_DAY],
  }),
  blocks_update: ({ page, block, task, table, image, file, revision }) => ({
    every: [
      { blocks: [{ id: block, markdown: `more [words](block://${task})` }] },
      { blocks: [{ id: table, rows: [{ row: 1, column: 1, markdown: `[at](block://${page})` }] }] },
      { blocks: [{ id: page, title: titleTo(block) }] },
      { blocks: [{ id: image, url: `scriptorium://files/${file}`, altText: 'picture' }] },
      { pageId: page, markdown: `inside\n\nand [more](block://${block})`, revision },
      { pageId: page, replace: [{ old: 'inside', new: `inside [it](block://${block})` }] },
    ],
  }),
  blocks_move: (own) => ({
    every: [
      { blockIds: [own.task], position: endOf(own) },
      { blockIds: [own.task], position: afterBlock(own) },
    ],
  }),
  blocks_delete: ({ task }) => ({ every: [{ blockIds: [task] }] }),
  blocks_search: ({ document }) => ({
    full: [{ blockId: document, pattern: 'wo(?=rd)' }],
    selected: [{ documentId: document, pattern: '[a-z]+', limit: 2, fetchBlocks: true }],
    daily: [{ pattern: 'wo(?=rd)', limit: 1 }],
  }),
  documents_list: ({ document, folder }) => ({
    full: [
      { documentIds: [document], fetchMetadata: true },
      { folderId: folder },
      { limit: 1 },
      { orderBy: 'day' },
      { orderBy: 'modified', limit: 1 },
    ],
    selected: [{ limit: 1, fetchMetadata: true }],
  }),
  documents_add: ({ block, template, folder }) => ({
    full: [
      { documents: [{ title: 'New', markdown: `new [words](block://${block})` }] },
      { documents: [{ title: 'New', templateId: template }], destination: { folderId: folder } },
    ],
  }),
  documents_move: ({ document, folder }) => ({
    full: [
      { documentIds: [document], destination: { folderId: folder } },
      { documentIds: [document], destination: { destination: 'templates' } },
    ],
  }),
  documents_delete: ({ document }) => ({ full: [{ documentIds: [document] }] }),
  documents_search: ({ document, folder }) => ({
    full: [
      { include: ['words'], documentIds: [document], fetchBlocks: true },
      { regexps: ['^i'], folderIds: [folder] },
    ],
    selected: [
      { include: ['words'], documentIds: [document], fetchBlocks: true },
      { regexps: ['i'], documentIds: [document], documentFilterMode: 'exclude' },
    ],
  }),
  daily_notes_search: () => ({
    daily: [
      { include: ['words'], fetchBlocks: true },
      { regexps: ['i'], startDate: 'yesterday' },
    ],
  }),
  folders_list: () => ({ full: [{}] }),
  folders_add: ({ folder }) => ({ full: [{ folders: [{ name: 'New', parentFolderId: folder }] }] }),
  folders_move: ({ folder, outerFolder }) => ({
    full: [
      { folderIds: [folder], destination: { destination: 'root' } },
      { folderIds: [folder], destination: { parentFolderId: outerFolder } },
    ],
  }),
  folders_update: ({ folder }) => ({ full: [{ folders: [{ id: folder, name: 'Renamed' }] }] }),
  folders_delete: ({ folder }) => ({ full: [{ folderIds: [folder] }] }),
  collections_list: ({ document }) => ({
    every: [{ limit: 1 }],
    full: [{ documentIds: [document] }],
    selected: [{ documentIds: [document] }, { documentIds: [document], documentFilterMode: 'exclude' }],
    daily: [{ startDate: '2026-11-01', endDate: 'tomorrow' }],
  }),
  collections_add: (own) => ({
    every: [
      { schema: schemaTo(own.collection), position: endOf(own) },
      { schema: { name: 'Plain', properties: [] }, position: afterBlock(own) },
    ],
  }),
  schema_get: ({ collection: collectionId }) => ({ every: [{ collectionId }, { collectionId, format: 'schema' }] }),
  schema_update: ({ collection }) => ({ every: [{ collectionId: collection, schema: schemaTo(collection) }] }),
  items_list: (own) => ({
    every: [
      { collectionId: own.collection, viewId: own.view },
      { collectionId: own.collection, filters: filtersOn(own), limit: 1 },
      { collectionId: own.collection, filters: filtersOn(own), format: 'markdown', properties: ['price'] },
    ],
  }),
  items_add: (own) => ({ every: [{ collectionId: own.collection, items: [newItem(own)] }] }),
  items_update: (own) => ({
    every: [{ collectionId: own.collection, itemsToUpdate: [{ id: own.item, title: 'new', properties: values(own) }] }],
  }),
  items_claim: (own) => ({
    every: [
      { collectionId: own.collection, viewId: own.view, set: { price: 7 } },
      { collectionId: own.collection, filters: filtersOn(own), count: 2, lease: 60 },
    ],
  }),
  items_delete: ({ collection, item }) => ({ every: [{ collectionId: collection, idsToDelete: [item] }] }),
  views_list: ({ collection }) => ({ every: [{ collectionId: collection }] }),
  views_add: (own) => ({
    every: [{ collectionId: own.collection, view: { name: 'New', type: 'table', filters: filtersOn(own) } }],
  }),
  views_update: (own) => ({
    every: [{ collectionId: own.collection, viewId: own.view, view: { name: 'Other', filters: filtersOn(own) } }],
  }),
  views_delete: ({ collection, view }) => ({ every: [{ collectionId: collection, viewId: view }] }),
  views_activate: ({ collection, view }) => ({ every: [{ collectionId: collection, viewId: view }] }),
  tasks_list: ({ document }) => ({
    full: [{ scope: 'document', documentId: document }, { scope: 'all', limit: 1 }, ...TASK_SCOPES],
    daily: TASK_SCOPES,
  }),
  tasks_add: ({ document }) => ({
    full: [{ tasks: [{ markdown: 'to do', location: { type: 'document', documentId: document } }] }, ...TASKS_OF_DAYS],
    daily: TASKS_OF_DAYS,
  }),
  tasks_update: ({ document, task: id }) => {
    const done = { tasksToUpdate: [{ id, markdown: 'other', taskInfo: { state: 'done' } }] }
    const moved = { tasksToUpdate: [{ id, location: { type: 'document', documentId: document } }] }
    return { full: [moved, done], daily: [done] }
  },
  tasks_delete: ({ task }) => ({ full: [{ idsToDelete: [task] }], daily: [{ idsToDelete: [task] }] }),
  reminders_list: () => ({ every: [{ limit: 1 }] }),
  reminders_add: ({ block }) => ({ every: [{ reminders: [{ blockId: block }] }] }),
  reminders_update: ({ reminder }) => ({ every: [{ remindersToUpdate: [{ id: reminder, isCompleted: true }] }] }),
  reminders_delete: ({ reminder }) => ({ every: [{ idsToDelete: [reminder] }] }),
  comments_list: ({ document }) => ({ every: [{}, { documentId: document, limit: 1 }] }),
  comments_add: ({ block }) => ({ every: [{ comments: [{ blockId: block, content: 'a remark' }] }] }),
  comments_update: ({ comment }) => ({
    every: [{ comments: [{ commentId: comment, resolved: true }] }],
  }),
  connection_get: () => ({ every: [{}] }),
  for_me_list: () => ({ every: [{}, { limit: 1 }] }),
  for_me_update: ({ task, comment }) => ({ every: [{}, { ids: [task, comment], read: false }] }),
  files_add: (own) => ({
    every: [
      { text: 'x', fileName: 'x.txt', position: endOf(own) },
      { text: 'x', fileName: 'x.txt', position: 'end', pageId: own.document },
      { text: 'x', fileName: 'x.txt', position: 'after', siblingId: own.block },
    ],
  }),
  whiteboards_add: (own) => ({ every: [{ position: endOf(own) }, { position: afterBlock(own) }] }),
  elements_list: ({ board }) => ({ every: [{ whiteboardBlockId: board }] }),
  elements_add: ({ board, block }) => ({
    every: [{ whiteboardBlockId: board, elements: [{ id: 'new', type: 'ellipse', link: `block://${block}` }] }],
  }),
  elements_update: ({ board, element }) => ({
    every: [{ whiteboardBlockId: board, elements: [{ id: element, x: 5 }], answer: 'changed' }],
  }),
  elements_delete: ({ board, element }) => ({ every: [{ whiteboardBlockId: board, elementIds: [element] }] }),
}

/** Returns the calls of all tools that connections of this kind have. */
export function validCalls(kind: ConnectionKind, own: Things): ToolCall[] {
  const entries = entered(CALLS).map((tool) => [tool, entryOf(CALLS, tool)?.(own) ?? {}] as const)
  return (['every', kind] as const).flatMap((key) =>
    entries.flatMap(([tool, calls]) => (calls[key] ?? []).map((args): ToolCall => [tool, args])),
  )
}

const endOf = ({ document }: Things) => ({ position: 'end', pageId: document })
const afterBlock = ({ block }: Things) => ({ position: 'after', siblingId: block })

const TO_THE_DAY = { markdown: 'to the day', position: { position: 'start', date: 'tomorrow' } }

const TASK_SCOPES = [{ scope: 'active' }, { scope: 'inbox', limit: 1 }, { scope: 'logbook' }]

const WEEKLY = { type: 'fixed', frequency: 'weekly', interval: 2, weekly: { days: ['monday', 'friday'] } }

const TASKS_OF_DAYS = [
  { tasks: [{ markdown: 'to do', taskInfo: { deadlineDate: '2026-11-25' }, repeat: WEEKLY }] },
  { tasks: [{ markdown: 'to do', location: { type: 'dailyNote', date: 'today' } }] },
]

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
