/**
 * Calls that read or write a lot let other calls in. Counted are the rows that are read and written between two points at
 * which a call may yield. How many milliseconds that takes is measured by `npm run bench -- pauses`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDocument, newBlocks, openWorkbench, type Workbench } from '../bench/workbench.ts'
import { longestRunOfValues } from '../support/steps.ts'

const list = <Entry>(length: number, entry: (index: number) => Entry) => Array.from({ length }, (_, at) => entry(at))

interface Added {
  items: { id: string }[]
}

let bench: Workbench
let made: Awaited<ReturnType<typeof fill>>

/** Makes 7,000 blocks in a page, 4,000 items in a collection, 3,000 documents, half of them in a folder, and 1,000 tasks. */
async function fill({ call }: Workbench) {
  const add = (tool: string, args: object) => call<Added>(tool, { ...args, answer: 'ids' })
  const { cursor } = await call<{ cursor: string }>('changes_list', {})
  const page = await addDocument(bench, 'Page')
  const other = await addDocument(bench, 'Other')
  const { items } = await add('blocks_add', {
    ...{ blocks: [{ type: 'page', title: 'Many' }], position: { position: 'end', pageId: page } },
  })
  const [{ id: pageId } = { id: '' }] = items
  await add('blocks_add', { blocks: newBlocks(7_000), position: { position: 'end', pageId } })
  const folder = (await add('folders_add', { folders: [{ name: 'Full' }] })).items[0]?.id ?? ''
  const documents: string[] = []
  for (const destination of [{ folderId: folder }, { folderId: folder }, undefined]) {
    const titles = list(1_000, (at) => ({ title: `${at}` }))
    const added = await add('documents_add', { documents: titles, ...(destination && { destination }) })
    documents.push(...added.items.map(({ id }) => id))
  }
  const schema = {
    name: 'Things',
    properties: [
      { type: 'text', name: 'Note' },
      { type: 'number', name: 'Price' },
    ],
  }
  const { collectionBlockId: collectionId } = await call<{ collectionBlockId: string }>('collections_add', {
    ...{ schema, position: { position: 'end', pageId: other } },
  })
  for (let round = 0; round < 4; round++) {
    const many = list(1_000, (at) => ({ title: `${at}`, properties: { note: `words ${at} ${round}`, price: at } }))
    await add('items_add', { collectionId, items: many })
  }
  await add('tasks_add', { tasks: list(1_000, (at) => ({ markdown: `${at}`, location: { type: 'inbox' } })) })
  return {
    cursor,

    page,
    pageId,
    other,
    folder,
    documents,
    collectionId,
    schema: await call<object>('schema_get', { collectionId, format: 'schema' }),
  }
}

beforeAll(async () => {
  bench = await openWorkbench(':memory:')
  made = await fill(bench)
})
afterAll(() => bench.close())

const unlisted = { answer: 'ids' }

async function json<Answer>(tool: string, args: object): Promise<Answer> {
  const answer = await bench.call<string | Answer>(tool, { ...args, format: 'json' })
  return typeof answer === 'string' ? JSON.parse(answer) : answer
}

/** Each calls a tool. Later ones change what earlier ones read. */
const CALLS: readonly (readonly [what: string, most: number, tool: string, args: () => object | Promise<object>])[] = [
  ['a page as JSON', 36_000, 'blocks_get', () => ({ id: made.pageId, maxBlocks: 20_000, format: 'json' })],
  ['a page as Markdown', 36_000, 'blocks_get', () => ({ id: made.pageId, maxBlocks: 20_000, format: 'markdown' })],
  ['a pattern in a page', 31_000, 'blocks_search', () => ({ blockId: made.page, pattern: 'agents' })],
  ['a pattern in all documents', 31_000, 'documents_search', () => ({ regexps: ['agents'] })],
  ['tasks', 16_000, 'tasks_list', () => ({ scope: 'inbox', limit: 1_000 })],
  [
    'items by a text',
    23_000,
    'items_list',
    () => ({ collectionId: made.collectionId, maxDepth: 0, sortBy: [{ property: 'note' }] }),
  ],
  [
    'items in groups, with calculations',
    23_000,
    'items_list',
    () => ({
      ...{ collectionId: made.collectionId, maxDepth: 0, groupBy: [{ property: 'note', ascending: false }] },
      calculations: { price: 'number_median', note: 'count_unique' },
    }),
  ],
  [
    'items that are added',
    31_000,
    'items_add',
    () => ({
      ...{ collectionId: made.collectionId, ...unlisted },
      items: list(1_000, (at) => ({ title: `${at}`, properties: { note: 'words', price: at } })),
    }),
  ],
  [
    'items that change',
    31_000,
    'items_update',
    async () => {
      const { items } = await json<Added>('items_list', { collectionId: made.collectionId, limit: 1_000, maxDepth: 0 })
      return {
        collectionId: made.collectionId,
        itemsToUpdate: items.map(({ id }) => ({ id, properties: { note: 'other', price: 1 } })),
        ...unlisted,
      }
    },
  ],
  [
    'comments',
    45_000,
    'comments_add',
    () => ({ comments: made.documents.slice(0, 1_000).map((blockId) => ({ blockId, content: 'why' })) }),
  ],
  [
    'reminders',
    32_000,
    'reminders_add',
    () => ({ reminders: made.documents.slice(0, 1_000).map((blockId) => ({ blockId })) }),
  ],
  ['calls of the history', 40_000, 'history_list', () => ({ limit: 100 })],
  [
    'a page that moves to another document',
    46_000,
    'blocks_move',
    () => ({ blockIds: [made.pageId], position: { position: 'end', pageId: made.other } }),
  ],
  [
    'a text of a page that leaves out what stood there',
    46_000,
    'blocks_update',
    async () => {
      const page = { id: made.pageId, maxBlocks: 20_000 }
      const { revision } = await json<{ revision: string }>('blocks_get', page)
      return { pageId: made.pageId, revision, markdown: 'one line', ...unlisted }
    },
  ],
  [
    'tasks that change',
    31_000,
    'tasks_update',
    async () => {
      const { items } = await json<Added>('tasks_list', { scope: 'inbox', limit: 1_000 })
      return { tasksToUpdate: items.map(({ id }) => ({ id, taskInfo: { state: 'done' } })), ...unlisted }
    },
  ],
  [
    'a property that is dropped',
    // Its changes are read again for the hash of its entry in the log, 200 at once.
    4_000,
    'schema_update',
    () => ({ collectionId: made.collectionId, schema: { ...made.schema, properties: [] } }),
  ],
  ['a collection that is deleted', 46_000, 'blocks_delete', () => ({ blockIds: [made.collectionId] })],
  [
    'a deletion that is undone',
    46_000,
    'history_undo',
    async () => {
      const { items } = await json<{ items: { callId: string }[] }>('history_list', { limit: 1 })
      return { calls: [items[0]?.callId] }
    },
  ],
  ['changes', 46_000, 'changes_list', () => ({ cursor: made.cursor })],
  ['a folder whose documents move out', 4_000, 'folders_delete', () => ({ folderIds: [made.folder] })],
]

test.each(CALLS)('%s: at most %i values at once', async (_, most, tool, args) => {
  const given = await args()
  const { longest, all } = await longestRunOfValues(() => bench.call(tool, given))
  expect(longest).toBeLessThanOrEqual(most)
  // Otherwise, a call that never yields would pass.
  expect(all).toBeGreaterThan(most)
})
