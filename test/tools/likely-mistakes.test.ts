/**
 * Calls that models are likely to make, and that are not as our tools have them. Each is either carried out as the call that
 * it means, on a space of its own, or refused with a sentence that names what to do.
 */
import { describe, expect, test } from 'vitest'
import type { ConnectionKind } from '../../src/space/model/space.ts'
import { connect } from '../connect.ts'
import { contentsOf, furnished, type Ids } from '../support/furnished.ts'

type Args = Record<string, unknown>
type Meaning = (ids: Ids) => Args
type Row = readonly [what: string, tool: string, wrong: Meaning, right: Meaning]

/** What a space says after a call: its answer, and what stands in it. */
async function outcome(tool: string, meaning: Meaning, kind?: ConnectionKind): Promise<unknown> {
  const sameIds = idsByKind.get(kind)
  const known = sameIds && outcomes.get(JSON.stringify([kind, tool, meaning(sameIds)]))
  if (known !== undefined) return known
  const { connected, ids } = await furnished(kind)
  idsByKind.set(kind, ids)
  const answer = await connected.call(tool, meaning(ids))
  const contents = await contentsOf(connected, ids)
  const all = JSON.stringify({ answer, ...contents })
  // Each space seals its own cursors.
  const said = JSON.parse(all.replace(/(cursor(?:"|\\"| )+:?(?:"|\\")*)[\w-]{20,}/g, '$1…'))
  outcomes.set(JSON.stringify([kind, tool, meaning(ids)]), said)
  return said
}

/** By the call: furnished spaces are all the same, and many mistakes mean the same call. */
const outcomes = new Map<string, unknown>()
const idsByKind = new Map<ConnectionKind | undefined, Ids>()

const end = (pageId: string) => ({ position: 'end', pageId })

const MEANT: readonly Row[] = [
  [
    'a position by document',
    'blocks_add',
    ({ document }) => ({ markdown: 'x', position: { position: 'end', documentId: document } }),
    ({ document }) => ({ markdown: 'x', position: end(document) }),
  ],
  [
    'a position by parent',
    'blocks_add',
    ({ document }) => ({ markdown: 'x', position: { position: 'start', parentId: document } }),
    ({ document }) => ({ markdown: 'x', position: { position: 'start', pageId: document } }),
  ],
  [
    'a position by block',
    'blocks_add',
    ({ document }) => ({ markdown: 'x', position: { position: 'end', blockId: document } }),
    ({ document }) => ({ markdown: 'x', position: end(document) }),
  ],
  [
    'beside a block by its ID',
    'blocks_add',
    ({ block }) => ({ markdown: 'x', position: { position: 'after', blockId: block } }),
    ({ block }) => ({ markdown: 'x', position: { position: 'after', siblingId: block } }),
  ],
  [
    'a position and a page beside it',
    'blocks_add',
    ({ document }) => ({ markdown: 'x', position: 'end', pageId: document }),
    ({ document }) => ({ markdown: 'x', position: end(document) }),
  ],
  [
    'a document beside the position',
    'blocks_add',
    ({ document }) => ({ markdown: 'x', position: { position: 'end' }, documentId: document }),
    ({ document }) => ({ markdown: 'x', position: end(document) }),
  ],
  [
    'where for position',
    'blocks_add',
    ({ document }) => ({ markdown: 'x', position: { where: 'start', pageId: document } }),
    ({ document }) => ({ markdown: 'x', position: { position: 'start', pageId: document } }),
  ],
  [
    'a position in capitals',
    'blocks_add',
    ({ document }) => ({ markdown: 'x', position: { position: 'END', pageId: document } }),
    ({ document }) => ({ markdown: 'x', position: end(document) }),
  ],
  [
    'content for markdown',
    'blocks_add',
    ({ document }) => ({ content: 'x', position: end(document) }),
    ({ document }) => ({ markdown: 'x', position: end(document) }),
  ],
  [
    'text for markdown',
    'blocks_add',
    ({ document }) => ({ text: 'x', position: end(document) }),
    ({ document }) => ({ markdown: 'x', position: end(document) }),
  ],
  [
    'content for blocks',
    'blocks_add',
    ({ document }) => ({ content: [{ type: 'text', markdown: 'x' }], position: end(document) }),
    ({ document }) => ({ blocks: [{ type: 'text', markdown: 'x' }], position: end(document) }),
  ],
  [
    'one block for a list',
    'blocks_add',
    ({ document }) => ({ blocks: { type: 'text', markdown: 'x' }, position: end(document) }),
    ({ document }) => ({ blocks: [{ type: 'text', markdown: 'x' }], position: end(document) }),
  ],
  [
    'block for blocks',
    'blocks_add',
    ({ document }) => ({ block: { type: 'text', markdown: 'x' }, position: end(document) }),
    ({ document }) => ({ blocks: [{ type: 'text', markdown: 'x' }], position: end(document) }),
  ],
  [
    'text of a block',
    'blocks_add',
    ({ document }) => ({ blocks: [{ type: 'text', text: 'x' }], position: end(document) }),
    ({ document }) => ({ blocks: [{ type: 'text', markdown: 'x' }], position: end(document) }),
  ],
  [
    'content of a block',
    'blocks_add',
    ({ document }) => ({ blocks: [{ type: 'text', content: 'x' }], position: end(document) }),
    ({ document }) => ({ blocks: [{ type: 'text', markdown: 'x' }], position: end(document) }),
  ],
  [
    'a type in capitals',
    'blocks_add',
    ({ document }) => ({ blocks: [{ type: 'Text', markdown: 'x' }], position: end(document) }),
    ({ document }) => ({ blocks: [{ type: 'text', markdown: 'x' }], position: end(document) }),
  ],
  [
    'a list style in capitals',
    'blocks_add',
    ({ document }) => ({ blocks: [{ type: 'text', markdown: 'x', listStyle: 'Bullet' }], position: end(document) }),
    ({ document }) => ({ blocks: [{ type: 'text', markdown: 'x', listStyle: 'bullet' }], position: end(document) }),
  ],
  [
    'a checked task',
    'blocks_add',
    ({ document }) => ({
      blocks: [{ type: 'text', markdown: 'x', listStyle: 'task', checked: true }],
      position: end(document),
    }),
    ({ document }) => ({
      blocks: [{ type: 'text', markdown: 'x', listStyle: 'task', taskInfo: { state: 'done' } }],
      position: end(document),
    }),
  ],
  [
    'a task with a due date',
    'blocks_add',
    ({ document }) => ({
      blocks: [{ type: 'text', markdown: 'x', listStyle: 'task', dueDate: '2026-12-01' }],
      position: end(document),
    }),
    ({ document }) => ({
      blocks: [{ type: 'text', markdown: 'x', listStyle: 'task', taskInfo: { deadlineDate: '2026-12-01' } }],
      position: end(document),
    }),
  ],
  [
    'code for rawCode',
    'blocks_add',
    ({ document }) => ({ blocks: [{ type: 'code', code: 'x = 1' }], position: end(document) }),
    ({ document }) => ({ blocks: [{ type: 'code', rawCode: 'x = 1' }], position: end(document) }),
  ],
  [
    'blocks as JSON text',
    'blocks_add',
    ({ document }) => ({ blocks: '[{"type":"text","markdown":"x"}]', position: end(document) }),
    ({ document }) => ({ blocks: [{ type: 'text', markdown: 'x' }], position: end(document) }),
  ],
  [
    'an ID as a number',
    'blocks_add',
    ({ document }) => ({ markdown: 'x', position: { position: 'end', pageId: Number(document) } }),
    ({ document }) => ({ markdown: 'x', position: end(document) }),
  ],
  ['a block by blockId', 'blocks_get', ({ document }) => ({ blockId: document }), ({ document }) => ({ id: document })],
  [
    'a document by documentId',
    'blocks_get',
    ({ document }) => ({ documentId: document }),
    ({ document }) => ({ id: document }),
  ],
  [
    'a page by pageId',
    'blocks_get',
    ({ document }) => ({ pageId: document, format: 'markdown' }),
    ({ document }) => ({ id: document, format: 'markdown' }),
  ],
  [
    'a format in capitals',
    'blocks_get',
    ({ document }) => ({ id: document, format: 'Markdown' }),
    ({ document }) => ({ id: document, format: 'markdown' }),
  ],
  [
    'depth for maxDepth',
    'blocks_get',
    ({ document }) => ({ id: document, depth: 0 }),
    ({ document }) => ({ id: document, maxDepth: 0 }),
  ],
  [
    'limit for maxBlocks',
    'blocks_get',
    ({ document }) => ({ id: document, limit: '2' }),
    ({ document }) => ({ id: document, maxBlocks: 2 }),
  ],
  [
    'an address for an ID',
    'blocks_get',
    ({ document }) => ({ id: `block://${document}` }),
    ({ document }) => ({ id: document }),
  ],
  [
    'a block changed alone',
    'blocks_update',
    ({ block }) => ({ id: block, markdown: 'changed' }),
    ({ block }) => ({ blocks: [{ id: block, markdown: 'changed' }] }),
  ],
  [
    'a block by blockId, with text',
    'blocks_update',
    ({ block }) => ({ blockId: block, text: 'changed' }),
    ({ block }) => ({ blocks: [{ id: block, markdown: 'changed' }] }),
  ],
  [
    'one block for a list of changes',
    'blocks_update',
    ({ block }) => ({ blocks: { id: block, content: 'changed' } }),
    ({ block }) => ({ blocks: [{ id: block, markdown: 'changed' }] }),
  ],
  [
    'blockId in a change',
    'blocks_update',
    ({ block }) => ({ blocks: [{ blockId: block, text: 'changed' }] }),
    ({ block }) => ({ blocks: [{ id: block, markdown: 'changed' }] }),
  ],
  [
    'checked of a task',
    'blocks_update',
    ({ task }) => ({ blocks: [{ id: task, checked: true }] }),
    ({ task }) => ({ blocks: [{ id: task, taskInfo: { state: 'done' } }] }),
  ],
  [
    'state of a task',
    'blocks_update',
    ({ task }) => ({ blocks: [{ id: task, state: 'Done' }] }),
    ({ task }) => ({ blocks: [{ id: task, taskInfo: { state: 'done' } }] }),
  ],
  [
    'ids for blockIds',
    'blocks_move',
    ({ block, other }) => ({ ids: [block], position: end(other) }),
    ({ block, other }) => ({ blockIds: [block], position: end(other) }),
  ],
  [
    'one blockId, to a document',
    'blocks_move',
    ({ block, other }) => ({ blockId: block, position: { position: 'end', documentId: other } }),
    ({ block, other }) => ({ blockIds: [block], position: end(other) }),
  ],
  [
    'one ID for blockIds',
    'blocks_move',
    ({ block, other }) => ({ blockIds: block, position: end(other) }),
    ({ block, other }) => ({ blockIds: [block], position: end(other) }),
  ],
  [
    'ids for blockIds to delete',
    'blocks_delete',
    ({ block }) => ({ ids: [block] }),
    ({ block }) => ({ blockIds: [block] }),
  ],
  ['one id to delete', 'blocks_delete', ({ block }) => ({ id: block }), ({ block }) => ({ blockIds: [block] })],
  [
    'blocks with their IDs to delete',
    'blocks_delete',
    ({ block }) => ({ blocks: [{ id: block }] }),
    ({ block }) => ({ blockIds: [block] }),
  ],
  [
    'query for pattern',
    'blocks_search',
    ({ document }) => ({ blockId: document, query: 'first' }),
    ({ document }) => ({ blockId: document, pattern: 'first' }),
  ],
  [
    'documentId for blockId',
    'blocks_search',
    ({ document }) => ({ documentId: document, pattern: 'first' }),
    ({ document }) => ({ blockId: document, pattern: 'first' }),
  ],
  [
    'regex for pattern',
    'blocks_search',
    ({ document }) => ({ id: document, regex: 'f.rst' }),
    ({ document }) => ({ blockId: document, pattern: 'f.rst' }),
  ],
  [
    'content of a document',
    'documents_add',
    () => ({ documents: [{ title: 'New', content: 'words' }] }),
    () => ({ documents: [{ title: 'New', markdown: 'words' }] }),
  ],
  [
    'text and name of a document',
    'documents_add',
    () => ({ documents: [{ name: 'New', text: 'words' }] }),
    () => ({ documents: [{ title: 'New', markdown: 'words' }] }),
  ],
  [
    'a document alone',
    'documents_add',
    () => ({ title: 'New', markdown: 'words' }),
    () => ({ documents: [{ title: 'New', markdown: 'words' }] }),
  ],
  [
    'a document alone, with content in a folder',
    'documents_add',
    ({ folder }) => ({ title: 'New', content: 'words', folderId: folder }),
    ({ folder }) => ({ documents: [{ title: 'New', markdown: 'words' }], destination: { folderId: folder } }),
  ],
  [
    'one document for a list',
    'documents_add',
    () => ({ documents: { title: 'New' } }),
    () => ({ documents: [{ title: 'New' }] }),
  ],
  [
    'document for documents',
    'documents_add',
    () => ({ document: { title: 'New', body: 'words' } }),
    () => ({ documents: [{ title: 'New', markdown: 'words' }] }),
  ],
  [
    'folderId beside documents',
    'documents_add',
    ({ folder }) => ({ documents: [{ title: 'New' }], folderId: folder }),
    ({ folder }) => ({ documents: [{ title: 'New' }], destination: { folderId: folder } }),
  ],
  [
    'folderId of each document',
    'documents_add',
    ({ folder }) => ({
      documents: [
        { title: 'New', folderId: folder },
        { title: 'More', folderId: folder },
      ],
    }),
    ({ folder }) => ({ documents: [{ title: 'New' }, { title: 'More' }], destination: { folderId: folder } }),
  ],
  [
    'a folder as the destination',
    'documents_add',
    ({ folder }) => ({ documents: [{ title: 'New' }], destination: folder }),
    ({ folder }) => ({ documents: [{ title: 'New' }], destination: { folderId: folder } }),
  ],
  [
    'templates as the destination',
    'documents_add',
    () => ({ documents: [{ title: 'New' }], destination: 'Templates' }),
    () => ({ documents: [{ title: 'New' }], destination: { destination: 'templates' } }),
  ],
  [
    'unsorted as a folder',
    'documents_add',
    () => ({ documents: [{ title: 'New' }], folderId: 'Unsorted' }),
    () => ({ documents: [{ title: 'New' }], destination: { destination: 'unsorted' } }),
  ],
  [
    'documents as JSON text',
    'documents_add',
    () => ({ documents: '[{"title":"New","content":"words"}]' }),
    () => ({ documents: [{ title: 'New', markdown: 'words' }] }),
  ],
  ['a folder by name folder', 'documents_list', ({ folder }) => ({ folder }), ({ folder }) => ({ folderId: folder })],
  ['the trash as a folder', 'documents_list', () => ({ folderId: 'trash' }), () => ({ location: 'trash' })],
  ['Templates as a folder', 'documents_list', () => ({ folderId: 'Templates' }), () => ({ location: 'templates' })],
  [
    'daily notes as a folder',
    'documents_list',
    () => ({ folderId: 'Daily Notes' }),
    () => ({ location: 'daily_notes' }),
  ],
  ['a location in capitals', 'documents_list', () => ({ location: 'Unsorted' }), () => ({ location: 'unsorted' })],
  [
    'one documentId',
    'documents_list',
    ({ document }) => ({ documentId: document }),
    ({ document }) => ({ documentIds: [document] }),
  ],
  ['a limit as text', 'documents_list', () => ({ limit: '1' }), () => ({ limit: 1 })],
  [
    'folderId to move to',
    'documents_move',
    ({ document, folder }) => ({ documentIds: [document], folderId: folder }),
    ({ document, folder }) => ({ documentIds: [document], destination: { folderId: folder } }),
  ],
  [
    'a document and a folder',
    'documents_move',
    ({ document, folder }) => ({ documentId: document, targetFolderId: folder }),
    ({ document, folder }) => ({ documentIds: [document], destination: { folderId: folder } }),
  ],
  [
    'the destination as text',
    'documents_move',
    ({ document }) => ({ documentIds: [document], destination: 'templates' }),
    ({ document }) => ({ documentIds: [document], destination: { destination: 'templates' } }),
  ],
  [
    'a built-in folder to move to',
    'documents_move',
    ({ document }) => ({ documentIds: [document], destination: { folderId: 'templates' } }),
    ({ document }) => ({ documentIds: [document], destination: { destination: 'templates' } }),
  ],
  [
    'ids to delete',
    'documents_delete',
    ({ document }) => ({ ids: [document] }),
    ({ document }) => ({ documentIds: [document] }),
  ],
  [
    'one documentId to delete',
    'documents_delete',
    ({ document }) => ({ documentId: document }),
    ({ document }) => ({ documentIds: [document] }),
  ],
  ['query for include', 'documents_search', () => ({ query: 'needle' }), () => ({ include: ['needle'] })],
  ['q for include', 'documents_search', () => ({ q: 'needle' }), () => ({ include: ['needle'] })],
  ['search for include', 'documents_search', () => ({ search: 'needle' }), () => ({ include: ['needle'] })],
  [
    'keywords for include',
    'documents_search',
    () => ({ keywords: ['needle', 'here'] }),
    () => ({ include: ['needle', 'here'] }),
  ],
  [
    'include as JSON text',
    'documents_search',
    () => ({ include: '["needle","here"]' }),
    () => ({ include: ['needle', 'here'] }),
  ],
  ['regex for regexps', 'documents_search', () => ({ regex: 'n..dle' }), () => ({ regexps: ['n..dle'] })],
  ['regexps as JSON text', 'documents_search', () => ({ regexps: '["n..dle"]' }), () => ({ regexps: ['n..dle'] })],
  [
    'one folderId',
    'documents_search',
    ({ folder }) => ({ include: 'needle', folderId: folder }),
    ({ folder }) => ({ include: ['needle'], folderIds: [folder] }),
  ],
  [
    'the trash as a folder of a search',
    'documents_search',
    () => ({ include: 'needle', folderIds: ['trash'] }),
    () => ({ include: ['needle'], location: 'trash' }),
  ],
  [
    'one document of a search',
    'documents_search',
    ({ other }) => ({ query: 'needle', documentId: other }),
    ({ other }) => ({ include: ['needle'], documentIds: [other] }),
  ],
  ['a folder alone', 'folders_add', () => ({ name: 'New' }), () => ({ folders: [{ name: 'New' }] })],
  ['a folder by title', 'folders_add', () => ({ folders: [{ title: 'New' }] }), () => ({ folders: [{ name: 'New' }] })],
  [
    'folders as texts',
    'folders_add',
    () => ({ folders: ['New', 'More'] }),
    () => ({ folders: [{ name: 'New' }, { name: 'More' }] }),
  ],
  [
    'parentId of a folder',
    'folders_add',
    ({ folder }) => ({ folders: [{ name: 'New', parentId: folder }] }),
    ({ folder }) => ({ folders: [{ name: 'New', parentFolderId: folder }] }),
  ],
  [
    'folderId of a folder',
    'folders_add',
    ({ folder }) => ({ name: 'New', parentFolderId: folder }),
    ({ folder }) => ({ folders: [{ name: 'New', parentFolderId: folder }] }),
  ],
  [
    'one folder to move to the top',
    'folders_move',
    ({ folder }) => ({ folderId: folder, destination: 'root' }),
    ({ folder }) => ({ folderIds: [folder], destination: { destination: 'root' } }),
  ],
  [
    'one folder to delete',
    'folders_delete',
    ({ folder }) => ({ folderId: folder }),
    ({ folder }) => ({ folderIds: [folder] }),
  ],
  ['a task alone', 'tasks_add', () => ({ markdown: 'Call' }), () => ({ tasks: [{ markdown: 'Call' }] })],
  [
    'a task alone, with a title and a due date',
    'tasks_add',
    () => ({ title: 'Call', dueDate: '2026-12-01' }),
    () => ({ tasks: [{ markdown: 'Call', taskInfo: { deadlineDate: '2026-12-01' } }] }),
  ],
  [
    'one task for a list',
    'tasks_add',
    () => ({ tasks: { markdown: 'Call' } }),
    () => ({ tasks: [{ markdown: 'Call' }] }),
  ],
  [
    'the title of a task',
    'tasks_add',
    () => ({ tasks: [{ title: 'Call' }] }),
    () => ({ tasks: [{ markdown: 'Call' }] }),
  ],
  [
    'the content of a task',
    'tasks_add',
    () => ({ tasks: [{ content: 'Call' }] }),
    () => ({ tasks: [{ markdown: 'Call' }] }),
  ],
  [
    'dueDate',
    'tasks_add',
    () => ({ tasks: [{ markdown: 'Call', dueDate: '2026-12-01' }] }),
    () => ({ tasks: [{ markdown: 'Call', taskInfo: { deadlineDate: '2026-12-01' } }] }),
  ],
  [
    'due',
    'tasks_add',
    () => ({ tasks: [{ markdown: 'Call', due: 'tomorrow' }] }),
    () => ({ tasks: [{ markdown: 'Call', taskInfo: { deadlineDate: 'tomorrow' } }] }),
  ],
  [
    'deadline in taskInfo',
    'tasks_add',
    () => ({ tasks: [{ markdown: 'Call', taskInfo: { deadline: '2026-12-01' } }] }),
    () => ({ tasks: [{ markdown: 'Call', taskInfo: { deadlineDate: '2026-12-01' } }] }),
  ],
  [
    'a full timestamp for a deadline',
    'tasks_add',
    () => ({ tasks: [{ markdown: 'Call', deadlineDate: '2026-12-01T00:00:00Z' }] }),
    () => ({ tasks: [{ markdown: 'Call', taskInfo: { deadlineDate: '2026-12-01' } }] }),
  ],
  [
    'scheduleDate',
    'tasks_add',
    () => ({ tasks: [{ markdown: 'Call', scheduleDate: '2026-12-01' }] }),
    () => ({ tasks: [{ markdown: 'Call', taskInfo: { scheduleDate: '2026-12-01' } }] }),
  ],
  [
    'scheduledDate',
    'tasks_add',
    () => ({ tasks: [{ markdown: 'Call', scheduledDate: '2026-12-01' }] }),
    () => ({ tasks: [{ markdown: 'Call', taskInfo: { scheduleDate: '2026-12-01' } }] }),
  ],
  [
    'state',
    'tasks_add',
    () => ({ tasks: [{ markdown: 'Call', state: 'done' }] }),
    () => ({ tasks: [{ markdown: 'Call', taskInfo: { state: 'done' } }] }),
  ],
  [
    'a completed task',
    'tasks_add',
    () => ({ tasks: [{ markdown: 'Call', completed: true }] }),
    () => ({ tasks: [{ markdown: 'Call', taskInfo: { state: 'done' } }] }),
  ],
  [
    'a location as text',
    'tasks_add',
    () => ({ tasks: [{ markdown: 'Call', location: 'inbox' }] }),
    () => ({ tasks: [{ markdown: 'Call', location: { type: 'inbox' } }] }),
  ],
  [
    'a document as the location',
    'tasks_add',
    ({ document }) => ({ tasks: [{ markdown: 'Call', documentId: document }] }),
    ({ document }) => ({ tasks: [{ markdown: 'Call', location: { type: 'document', documentId: document } }] }),
  ],
  [
    'tasks for tasksToUpdate',
    'tasks_update',
    ({ task }) => ({ tasks: [{ id: task, taskInfo: { state: 'done' } }] }),
    ({ task }) => ({ tasksToUpdate: [{ id: task, taskInfo: { state: 'done' } }] }),
  ],
  [
    'a task changed alone',
    'tasks_update',
    ({ task }) => ({ id: task, state: 'done' }),
    ({ task }) => ({ tasksToUpdate: [{ id: task, taskInfo: { state: 'done' } }] }),
  ],
  [
    'taskId',
    'tasks_update',
    ({ task }) => ({ taskId: task, completed: true }),
    ({ task }) => ({ tasksToUpdate: [{ id: task, taskInfo: { state: 'done' } }] }),
  ],
  [
    'a state in capitals',
    'tasks_update',
    ({ task }) => ({ tasksToUpdate: [{ id: task, taskInfo: { state: 'Done' } }] }),
    ({ task }) => ({ tasksToUpdate: [{ id: task, taskInfo: { state: 'done' } }] }),
  ],
  [
    'completed for done',
    'tasks_update',
    ({ task }) => ({ tasksToUpdate: [{ id: task, taskInfo: { state: 'completed' } }] }),
    ({ task }) => ({ tasksToUpdate: [{ id: task, taskInfo: { state: 'done' } }] }),
  ],
  [
    'cancelled for canceled',
    'tasks_update',
    ({ task }) => ({ tasksToUpdate: [{ id: task, status: 'cancelled' }] }),
    ({ task }) => ({ tasksToUpdate: [{ id: task, taskInfo: { state: 'canceled' } }] }),
  ],
  [
    'a new title',
    'tasks_update',
    ({ task }) => ({ tasksToUpdate: [{ id: task, title: 'renamed' }] }),
    ({ task }) => ({ tasksToUpdate: [{ id: task, markdown: 'renamed' }] }),
  ],
  [
    'a new due date',
    'tasks_update',
    ({ task }) => ({ tasksToUpdate: { id: task, dueDate: '2026-12-01' } }),
    ({ task }) => ({ tasksToUpdate: [{ id: task, taskInfo: { deadlineDate: '2026-12-01' } }] }),
  ],
  ['ids of tasks to delete', 'tasks_delete', ({ task }) => ({ ids: [task] }), ({ task }) => ({ idsToDelete: [task] })],
  ['taskIds', 'tasks_delete', ({ task }) => ({ taskIds: [task] }), ({ task }) => ({ idsToDelete: [task] })],
  ['status for scope', 'tasks_list', () => ({ status: 'all' }), () => ({ scope: 'all' })],
  ['a scope in capitals', 'tasks_list', () => ({ scope: 'Active' }), () => ({ scope: 'active' })],
  [
    'a collection by its name and columns',
    'collections_add',
    ({ document }) => ({ name: 'New', properties: [{ name: 'A', type: 'text' }], position: end(document) }),
    ({ document }) => ({ schema: { name: 'New', properties: [{ name: 'A', type: 'text' }] }, position: end(document) }),
  ],
  [
    'the title of a collection',
    'collections_add',
    ({ document }) => ({ schema: { title: 'New', columns: [{ name: 'A', type: 'text' }] }, position: end(document) }),
    ({ document }) => ({ schema: { name: 'New', properties: [{ name: 'A', type: 'text' }] }, position: end(document) }),
  ],
  [
    'options as texts',
    'collections_add',
    ({ document }) => ({
      schema: { name: 'New', properties: [{ name: 'A', type: 'singleSelect', options: ['a', 'b'] }] },
      position: end(document),
    }),
    ({ document }) => ({
      schema: {
        name: 'New',
        properties: [{ name: 'A', type: 'singleSelect', options: [{ name: 'a' }, { name: 'b' }] }],
      },
      position: end(document),
    }),
  ],
  [
    'a type of a property in capitals',
    'collections_add',
    ({ document }) => ({ schema: { name: 'New', properties: [{ name: 'A', type: 'Text' }] }, position: end(document) }),
    ({ document }) => ({ schema: { name: 'New', properties: [{ name: 'A', type: 'text' }] }, position: end(document) }),
  ],
  [
    'one documentId of collections',
    'collections_list',
    ({ other }) => ({ documentId: other }),
    ({ other }) => ({ documentIds: [other] }),
  ],
  [
    'id for collectionId',
    'schema_get',
    ({ collection }) => ({ id: collection }),
    ({ collection }) => ({ collectionId: collection }),
  ],
  [
    'collection for collectionId',
    'schema_get',
    ({ collection }) => ({ collection }),
    ({ collection }) => ({ collectionId: collection }),
  ],
  [
    'an item alone',
    'items_add',
    ({ collection }) => ({ collectionId: collection, title: 'New', properties: { amount: 3 } }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { amount: 3 } }] }),
  ],
  [
    'rows for items',
    'items_add',
    ({ collection }) => ({ collectionId: collection, rows: [{ title: 'New' }] }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New' }] }),
  ],
  [
    'values for properties',
    'items_add',
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', values: { amount: 3 } }] }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { amount: 3 } }] }),
  ],
  [
    'one item for a list',
    'items_add',
    ({ collection }) => ({ collectionId: collection, items: { title: 'New' } }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New' }] }),
  ],
  [
    'a number as text',
    'items_add',
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { amount: '12' } }] }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { amount: 12 } }] }),
  ],
  [
    'one tag as text',
    'items_add',
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { tags: 'a' } }] }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { tags: ['a'] } }] }),
  ],
  [
    'a full timestamp for a date property',
    'items_add',
    ({ collection }) => ({
      collectionId: collection,
      items: [{ title: 'New', properties: { day: '2026-12-01T10:00:00Z' } }],
    }),
    ({ collection }) => ({ collectionId: collection, items: [{ title: 'New', properties: { day: '2026-12-01' } }] }),
  ],
  [
    'items for itemsToUpdate',
    'items_update',
    ({ collection, item }) => ({ collectionId: collection, items: [{ id: item, properties: { amount: 5 } }] }),
    ({ collection, item }) => ({ collectionId: collection, itemsToUpdate: [{ id: item, properties: { amount: 5 } }] }),
  ],
  [
    'an item changed alone',
    'items_update',
    ({ collection, item }) => ({ collectionId: collection, itemId: item, properties: { amount: 5 } }),
    ({ collection, item }) => ({ collectionId: collection, itemsToUpdate: [{ id: item, properties: { amount: 5 } }] }),
  ],
  [
    'values of an item',
    'items_update',
    ({ collection, item }) => ({ collection, itemsToUpdate: [{ id: item, values: { amount: 5 } }] }),
    ({ collection, item }) => ({ collectionId: collection, itemsToUpdate: [{ id: item, properties: { amount: 5 } }] }),
  ],
  [
    'itemIds to delete',
    'items_delete',
    ({ collection, item }) => ({ collectionId: collection, itemIds: [item] }),
    ({ collection, item }) => ({ collectionId: collection, idsToDelete: [item] }),
  ],
  [
    'id of the collection',
    'items_list',
    ({ collection }) => ({ id: collection }),
    ({ collection }) => ({ collectionId: collection }),
  ],
  [
    'sort with a direction',
    'items_list',
    ({ collection }) => ({ collectionId: collection, sort: [{ property: 'amount', direction: 'desc' }] }),
    ({ collection }) => ({ collectionId: collection, sortBy: [{ property: 'amount', ascending: false }] }),
  ],
  [
    'one sort for a list',
    'items_list',
    ({ collection }) => ({ collectionId: collection, sortBy: { property: 'amount', order: 'DESC' } }),
    ({ collection }) => ({ collectionId: collection, sortBy: [{ property: 'amount', ascending: false }] }),
  ],
  [
    'descending',
    'items_list',
    ({ collection }) => ({ collectionId: collection, sortBy: [{ field: 'amount', descending: true }] }),
    ({ collection }) => ({ collectionId: collection, sortBy: [{ property: 'amount', ascending: false }] }),
  ],
  [
    'filter with an operator',
    'items_list',
    ({ collection }) => ({
      collectionId: collection,
      filter: [{ property: 'amount', operator: 'number_greater', value: 1 }],
    }),
    ({ collection }) => ({
      collectionId: collection,
      filters: [{ property: 'amount', filterType: 'number_greater', filterValue: 1 }],
    }),
  ],
  [
    'one filter for a list',
    'items_list',
    ({ collection }) => ({ collectionId: collection, filters: { property: 'stage', filterType: 'isNotEmpty' } }),
    ({ collection }) => ({ collectionId: collection, filters: [{ property: 'stage', filterType: 'isNotEmpty' }] }),
  ],
  [
    'one property',
    'items_list',
    ({ collection }) => ({ collectionId: collection, properties: 'amount' }),
    ({ collection }) => ({ collectionId: collection, properties: ['amount'] }),
  ],
  [
    'id for viewId',
    'views_activate',
    ({ collection, view }) => ({ collectionId: collection, id: view }),
    ({ collection, view }) => ({ collectionId: collection, viewId: view }),
  ],
  [
    'a type of a view in capitals',
    'views_add',
    ({ collection }) => ({ collectionId: collection, view: { name: 'V', type: 'Table' } }),
    ({ collection }) => ({ collectionId: collection, view: { name: 'V', type: 'table' } }),
  ],
  [
    'a reminder alone',
    'reminders_add',
    ({ second }) => ({ blockId: second, remindAt: '2026-12-02T09:00:00Z' }),
    ({ second }) => ({ reminders: [{ blockId: second, remindAt: '2026-12-02T09:00:00Z' }] }),
  ],
  [
    'the date of a reminder',
    'reminders_add',
    ({ second }) => ({ reminders: [{ blockId: second, date: '2026-12-02T09:00:00Z' }] }),
    ({ second }) => ({ reminders: [{ blockId: second, remindAt: '2026-12-02T09:00:00Z' }] }),
  ],
  [
    'a reminder of a task',
    'reminders_add',
    ({ task }) => ({ reminders: { taskId: task, at: '2026-12-02T09:00:00Z' } }),
    ({ task }) => ({ reminders: [{ blockId: task, remindAt: '2026-12-02T09:00:00Z' }] }),
  ],
  [
    'a reminder completed alone',
    'reminders_update',
    ({ reminder }) => ({ id: reminder, completed: true }),
    ({ reminder }) => ({ remindersToUpdate: [{ id: reminder, isCompleted: true }] }),
  ],
  [
    'reminders for remindersToUpdate',
    'reminders_update',
    ({ reminder }) => ({ reminders: [{ id: reminder, isCompleted: true }] }),
    ({ reminder }) => ({ remindersToUpdate: [{ id: reminder, isCompleted: true }] }),
  ],
  [
    'reminderIds',
    'reminders_delete',
    ({ reminder }) => ({ reminderIds: [reminder] }),
    ({ reminder }) => ({ idsToDelete: [reminder] }),
  ],
  [
    'a comment alone',
    'comments_add',
    ({ block }) => ({ blockId: block, text: 'Good' }),
    ({ block }) => ({ comments: [{ blockId: block, content: 'Good' }] }),
  ],
  [
    'the text of a comment',
    'comments_add',
    ({ block }) => ({ comments: [{ id: block, text: 'Good' }] }),
    ({ block }) => ({ comments: [{ blockId: block, content: 'Good' }] }),
  ],
  [
    'a page of a whiteboard',
    'whiteboards_add',
    ({ document }) => ({ documentId: document, position: 'end' }),
    ({ document }) => ({ position: end(document) }),
  ],
  ['boardId', 'elements_list', ({ board }) => ({ boardId: board }), ({ board }) => ({ whiteboardBlockId: board })],
  ['id of a board', 'elements_list', ({ board }) => ({ id: board }), ({ board }) => ({ whiteboardBlockId: board })],
  [
    'one element for a list',
    'elements_add',
    ({ board }) => ({ whiteboardId: board, elements: { id: 'f', type: 'ellipse' } }),
    ({ board }) => ({ whiteboardBlockId: board, elements: [{ id: 'f', type: 'ellipse' }] }),
  ],
  [
    'ids of elements to delete',
    'elements_delete',
    ({ board }) => ({ whiteboardBlockId: board, ids: ['e'] }),
    ({ board }) => ({ whiteboardBlockId: board, elementIds: ['e'] }),
  ],
]

describe('means what it should have been', () => {
  test.each(MEANT)('%s: %s', async (_, tool, wrong, right) => {
    expect(await outcome(tool, wrong)).toEqual(await outcome(tool, right))
  })

  test.each([
    [
      'blockId for documentId',
      'blocks_search',
      ({ document }: Ids) => ({ blockId: document, query: 'first' }),
      ({ document }: Ids) => ({ documentId: document, pattern: 'first' }),
    ],
  ] as const)('on a selected connection: %s', async (_, tool, wrong, right) => {
    expect(await outcome(tool, wrong, 'selected')).toEqual(await outcome(tool, right, 'selected'))
  })

  test.each([
    ['query for include', 'daily_notes_search', () => ({ query: 'needle' }), () => ({ include: ['needle'] })],
    [
      'a date beside the position',
      'blocks_add',
      () => ({ markdown: 'x', position: 'end', date: 'tomorrow' }),
      () => ({ markdown: 'x', position: { position: 'end', date: 'tomorrow' } }),
    ],
  ] as const)('on a daily connection: %s', async (_, tool, wrong, right) => {
    expect(await outcome(tool, wrong, 'daily')).toEqual(await outcome(tool, right, 'daily'))
  })
})

describe('is refused with what to do', () => {
  test('folders of documents that differ', async () => {
    const { connected, ids } = await furnished()
    const documents = [{ title: 'A', folderId: ids.folder }, { title: 'B' }]
    expect(await connected.refused('documents_add', { documents })).toBe(
      'Expected documents[].folderId to be the same in all entries, found others; make one call for each, with destination.folderId.',
    )
    await connected.call('documents_add', { documents: [{ title: 'A' }], destination: { folderId: ids.folder } })
  })

  test('a key with no other meaning says which there are, ten at most', async () => {
    const { connected, ids } = await furnished()
    const refusal = await connected.refused('documents_list', { flavour: 'x', documentIds: [ids.document] })
    expect(refusal).toBe(
      'Expected one of location, folderId, documentIds, orderBy, createdDateGte, createdDateLte, fetchMetadata, format, limit, cursor, found the unknown key "flavour"; say with these what it was to say.',
    )
  })

  test('an object where a text is wanted is shown', async () => {
    const { connected } = await furnished()
    expect(await connected.refused('documents_add', { documents: [{ title: { value: 'A' } }] })).toBe(
      'At documents[0].title: Expected a string, found { value: "A" }.',
    )
  })

  test('an unknown key in a position is never the reason to write into another place', async () => {
    const { connected } = await furnished('daily')
    expect(
      await connected.refused('blocks_add', { markdown: 'x', position: { position: 'end', somewhere: 'a' } }),
    ).toMatch(/found the unknown key "somewhere"/)
  })
})

describe('a tool that there is not', () => {
  test.each([
    ['tasks_complete', 'tasks_update'],
    ['complete_task', 'tasks_update'],
    ['documents_update', 'blocks_update'],
    ['documents_rename', 'blocks_update'],
    ['document_update', 'blocks_update'],
    ['documents_get', 'blocks_get'],
    ['get_document', 'blocks_get'],
    ['read_page', 'blocks_get'],
    ['create_document', 'documents_add'],
    ['createDocument', 'documents_add'],
    ['documents.create', 'documents_add'],
    ['search', 'documents_search'],
    ['find_documents', 'documents_search'],
    ['list_documents', 'documents_list'],
    ['tasks_get', 'tasks_list'],
    ['create_task', 'tasks_add'],
    ['todo_add', 'tasks_add'],
    ['reminders_complete', 'reminders_update'],
    ['items_get', 'items_list'],
    ['rows_add', 'items_add'],
    ['collections_create', 'collections_add'],
    ['collections_rename', 'blocks_update'],
    ['folders_create', 'folders_add'],
    ['whiteboards_get', 'elements_list'],
    ['files_upload', 'files_add'],
    ['views_edit', 'views_update'],
    ['blocks_append', 'blocks_add'],
    ['documents_remove', 'documents_delete'],
    ['delete_task', 'tasks_delete'],
    ['blok_get', 'blocks_get'],
  ])('%s leads to %s', async (name, meant) => {
    const connected = await connect()
    expect(await connected.refused(name)).toMatch(
      new RegExp(
        `^Expected a tool of this connection, found ${name}; did you mean ${meant}( with \\{ [\\w?, ]+ \\})?\\?$`,
      ),
    )
  })

  test('that is like none', async () => {
    const connected = await connect()
    expect(await connected.refused('weather')).toBe(
      'Expected a tool of this connection, found weather; tools/list shows which there are.',
    )
  })
})
