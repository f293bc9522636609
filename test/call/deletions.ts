/**
 * Defines deletion for each tool that writes: a change after which an independent thing no longer exists. The fields of
 * a thing may be changed and emptied. See `src/space/model/access.ts` for the exact definition.
 */
import type { World } from './deletion-world.ts'

/** A call that would delete something, and the full text of its refusal. */
export interface Attempt {
  args: object
  refusal: string
  /** Set if the call also adds something, so that the number of things would stay the same. */
  addsAsMuch?: true
}

export interface Row {
  /** Which changes of the tool count as deletion. */
  deletion: string
  /** Calls that must be refused; none if the tool cannot delete. */
  attempts: (world: World) => Attempt[] | Promise<Attempt[]>
  /** Calls that change something and must succeed; none for tools that are refused entirely. */
  changes: (world: World) => object[] | Promise<object[]>
}

const refused = (expected: string, found: string, instead: string): string =>
  `Expected ${expected}, since this link has access no-delete, found ${found}; ${instead}, or ask the person who made the link for another.`

/** A tool that only deletes. */
const all = (tool: string, args: (ids: World['ids']) => object): Row => ({
  deletion: 'every call',
  attempts: ({ ids }) => [
    {
      args: args(ids),
      refusal: `Expected a link that may delete, found one with access no-delete, which ${tool} is not for; ask the person who made the link for another.`,
    },
  ],
  changes: () => [],
})

/** A tool that only adds, and cannot change existing content. */
const none = (why: string, changes: (ids: World['ids']) => object[]): Row => ({
  deletion: `none: ${why}`,
  attempts: () => [],
  changes: ({ ids }) => changes(ids),
})

const TABLE = 'a table that keeps its rows and columns'
const CELLS = 'keep them and change what their cells say'
const FILE = 'leave url as it is and add the other file with files_add'

export const DELETIONS: Record<string, Row> = {
  blocks_add: none('blocks come beside those that are there', ({ text, table }) => [
    { markdown: 'more', position: { position: 'end', pageId: text } },
    { markdown: 'more', position: { position: 'before', siblingId: table } },
  ]),
  blocks_update: {
    deletion:
      'another file or none in a block that shows one; fewer rows or columns of a table; a page’s text without some of its blocks',
    attempts: async ({ ids, full, read }) => {
      const { items } = await full.call('blocks_add', {
        markdown: 'one\n\ntwo\n\n| a |\n| --- |\n| 1 |\n| 2 |',
        position: { position: 'end', pageId: ids.other },
      })
      const [, two, table] = items.map(({ id }: { id: string }) => id)
      const { blockId: shown } = await full.call('files_add', {
        ...{ text: 'others', fileName: 'b.txt', position: { position: 'end', pageId: ids.other } },
      })
      const { markdown, revision } = await read()
      const edited = (from: string | RegExp, to: string) => {
        const changed = markdown.replace(from, to)
        if (changed === markdown) throw new Error(`Expected ${from} in ${markdown}`)
        return { pageId: ids.other, markdown: changed, revision }
      }
      const other = (id: string) => refused('a block that keeps its file', `another url on ${id}`, FILE)
      const fewer = (found: string) => refused(TABLE, found, CELLS)
      return [
        { args: { blocks: [{ id: ids.file, url: 'https://example.com/files/b.txt' }] }, refusal: other(ids.file) },
        {
          args: { blocks: [{ id: ids.file, markdown: '[b.txt](https://example.com/files/b.txt)' }] },
          refusal: other(ids.file),
        },
        { args: edited(/\[b\.txt\]\([^)]*\)/, '[b.txt](https://example.com/files/b.txt)'), refusal: other(shown) },
        {
          args: { blocks: [{ id: ids.table, rows: [{ row: 1, remove: true }] }] },
          refusal: fewer(`1 row to remove from ${ids.table}`),
        },
        {
          // The number of rows is the same, and yet one was removed.
          args: {
            blocks: [
              {
                id: ids.table,
                rows: [
                  { row: 1, remove: true },
                  { row: 2, cells: ['5', '6'] },
                ],
              },
            ],
          },
          refusal: fewer(`1 row to remove from ${ids.table}`),
          addsAsMuch: true,
        },
        {
          args: { blocks: [{ id: ids.table, markdown: '| a |\n| --- |\n| 1 |' }] },
          refusal: fewer(`1 row and 1 column fewer in ${ids.table}`),
        },
        { args: edited('| 2 |\n', ''), refusal: fewer(`1 row fewer in ${table}`) },
        {
          args: edited(/two\n\n/, ''),
          refusal: refused(
            'a text that keeps all blocks of the page',
            `1 left out, the first ${two}`,
            'put back what you left out',
          ),
        },
      ]
    },
    changes: async ({ ids, read, full }) => {
      const { url } = await full.call('blocks_get', { id: ids.file, format: 'json' })
      const { revision } = await read()
      return [
        // Text may be changed and emptied.
        { blocks: [{ id: ids.text, markdown: 'other words' }] },
        { blocks: [{ id: ids.text, markdown: '' }] },
        { blocks: [{ id: ids.file, url, fileName: 'renamed.txt' }] },
        { blocks: [{ id: ids.table, markdown: '| a | b |\n| --- | --- |\n| 5 | 6 |\n| | |\n| 7 | 8 |' }] },
        { blocks: [{ id: ids.table, rows: [{ row: 1, cells: ['', ''] }] }] },
        { blocks: [{ id: ids.task, listStyle: 'none' }] },
        { pageId: ids.other, markdown: 'more', revision },
      ]
    },
  },
  blocks_move: {
    deletion: 'into a document in the trash, unless the blocks are in the trash already',
    attempts: ({ ids }) => {
      const refusal = (count: number, first: string) =>
        refused(
          'a place outside of the trash',
          `${count} on the way into a document in the trash, the first ${first}`,
          'name another place',
        )
      return [
        {
          args: { blockIds: [ids.text, ids.table], position: { position: 'end', pageId: ids.trashed } },
          refusal: refusal(2, ids.text),
        },
        {
          args: { blockIds: [ids.inTrash, ids.board], position: { position: 'start', pageId: ids.trashed } },
          refusal: refusal(1, ids.board),
        },
        {
          args: { blockIds: [ids.collection], position: { position: 'before', siblingId: ids.inTrash } },
          refusal: refusal(1, ids.collection),
        },
      ]
    },
    changes: ({ ids }) => [
      { blockIds: [ids.inTrash], position: { position: 'start', pageId: ids.trashed } },
      { blockIds: [ids.inTrash, ids.text], position: { position: 'end', pageId: ids.other } },
    ],
  },
  blocks_delete: all('blocks_delete', ({ text }) => ({ blockIds: [text] })),
  documents_add: none('documents come beside those that are there', () => [{ documents: [{ title: 'New' }] }]),
  documents_move: none('no destination is the trash; out of it, a document comes back', ({ page, trashed, folder }) => [
    { documentIds: [page, trashed], destination: { folderId: folder } },
  ]),
  documents_delete: all('documents_delete', ({ page }) => ({ documentIds: [page] })),
  folders_add: none('folders come beside those that are there', ({ folder }) => [
    { folders: [{ name: 'New', parentFolderId: folder }] },
  ]),
  folders_move: none('folders keep what they hold', ({ folder }) => [
    { folderIds: [folder], destination: { destination: 'root' } },
  ]),
  folders_update: none('folders keep what they hold', ({ folder }) => [{ folders: [{ id: folder, name: 'Renamed' }] }]),
  folders_delete: all('folders_delete', ({ folder }) => ({ folderIds: [folder] })),
  collections_add: none('a collection comes beside what is there', ({ page }) => [
    { schema: { name: 'New', properties: [] }, position: { position: 'end', pageId: page } },
  ]),
  schema_update: {
    deletion: 'without properties or options on which items say something',
    attempts: ({ ids, schema }) => {
      const refusal = (count: number) =>
        refused(
          'a schema that keeps all values',
          `${count} that would go with the properties, options and stars left out`,
          'keep those that schema_get shows',
        )
      const [stage, price, empty] = schema.properties
      const won = { ...stage, options: [{ name: 'Won' }] }
      const schemaInput = (...properties: object[]) => ({
        collectionId: ids.collection,
        schema: { ...schema, properties },
      })
      return [
        { args: schemaInput(stage, empty), refusal: refusal(2) },
        { args: schemaInput(won, price, empty), refusal: refusal(2) },
        { args: schemaInput(), refusal: refusal(4) },
      ]
    },
    changes: ({ ids, schema }) => {
      const [stage, price] = schema.properties
      const renamed = { ...stage, options: [{ name: 'First', renamedFrom: 'Lead' }] }
      // A property without values may be removed.
      return [{ collectionId: ids.collection, schema: { ...schema, name: 'Other', properties: [renamed, price] } }]
    },
  },
  items_add: none('items come beside those that are there', ({ collection }) => [
    { collectionId: collection, items: [{ title: 'B' }] },
  ]),
  items_update: none(
    'a value is what an item says of itself: it may be changed and cleared',
    ({ collection, item }) => [
      {
        collectionId: collection,
        itemsToUpdate: [{ id: item, title: 'B', properties: { stage: 'Won', price: null } }],
      },
    ],
  ),
  items_claim: none('a value is what an item says of itself', ({ collection }) => [
    { collectionId: collection, set: { price: null } },
  ]),
  items_delete: all('items_delete', ({ collection, item }) => ({ collectionId: collection, idsToDelete: [item] })),
  views_add: none('views come beside those that are there', ({ collection }) => [
    { collectionId: collection, view: { name: 'X', type: 'table' } },
  ]),
  views_update: none('settings are what a view says of itself: they may be changed and cleared', (ids) => [
    { collectionId: ids.collection, viewId: ids.view, view: { sortBy: [{ property: 'price' }] } },
    { collectionId: ids.collection, viewId: ids.view, view: { name: 'Y', sortBy: [], filters: [] } },
  ]),
  views_delete: all('views_delete', ({ collection, view }) => ({ collectionId: collection, viewId: view })),
  views_activate: none('the others stay', ({ collection, view }) => [{ collectionId: collection, viewId: view }]),
  tasks_add: none('tasks come beside those that are there', () => [{ tasks: [{ markdown: 'another' }] }]),
  tasks_update: {
    deletion: 'into a document in the trash',
    attempts: ({ ids }) => [
      {
        args: {
          tasksToUpdate: [{ id: ids.task, location: { type: 'document', documentId: ids.trashed } }],
        },
        refusal: refused(
          'a place outside of the trash',
          `1 on the way into a document in the trash, the first ${ids.task}`,
          'name another place',
        ),
      },
    ],
    changes: ({ ids }) => [
      { tasksToUpdate: [{ id: ids.task, markdown: '- [ ] reworded', taskInfo: { scheduleDate: '2026-12-01' } }] },
      { tasksToUpdate: [{ id: ids.task, taskInfo: { scheduleDate: null }, location: { type: 'inbox' } }] },
      { tasksToUpdate: [{ id: ids.task, taskInfo: { state: 'done' } }] },
    ],
  },
  tasks_delete: all('tasks_delete', ({ task }) => ({ idsToDelete: [task] })),
  reminders_add: {
    deletion: 'on a block that has a reminder, which would be replaced',
    attempts: ({ ids }) => [
      {
        args: { reminders: [{ blockId: ids.table }, { blockId: ids.text }] },
        refusal: refused(
          'blocks without a reminder',
          `1 with one, the first ${ids.text}`,
          'change what they have with reminders_update',
        ),
      },
    ],
    changes: ({ ids }) => [{ reminders: [{ blockId: ids.table }] }],
  },
  reminders_update: none(
    'the time is what a reminder says of itself: it may be changed and cleared',
    ({ reminder }) => [
      { remindersToUpdate: [{ id: reminder, remindAt: null }] },
      { remindersToUpdate: [{ id: reminder, isCompleted: true }] },
    ],
  ),
  reminders_delete: all('reminders_delete', ({ reminder }) => ({ idsToDelete: [reminder] })),
  comments_add: none('comments join those that are there', ({ text }) => [
    { comments: [{ blockId: text, content: 'another' }] },
  ]),
  comments_update: {
    deletion: 'with delete',
    attempts: ({ ids }) => [
      {
        args: { comments: [{ commentId: ids.comment, delete: true }] },
        refusal: refused('comments to change or resolve', '1 to delete', 'resolve them'),
      },
    ],
    changes: ({ ids }) => [
      { comments: [{ commentId: ids.comment, resolved: true }] },
      { comments: [{ commentId: ids.comment, content: 'other words', resolved: false }] },
    ],
  },
  files_add: none('a file comes beside what is there', ({ file }) => [
    { text: 'other bytes', fileName: 'a.txt', position: { position: 'after', siblingId: file } },
  ]),
  whiteboards_add: none('a board comes beside what is there', ({ page }) => [
    { position: { position: 'end', pageId: page } },
  ]),
  elements_add: {
    deletion: 'with an asset that puts another picture in the place of one',
    attempts: ({ ids }) => {
      const refusal = refused(
        'assets that keep the pictures of the whiteboard',
        '1 with another picture, the first p',
        'give other pictures IDs of their own',
      )
      const assetInput = (p: unknown) => ({
        ...{ whiteboardBlockId: ids.board, elements: [{ id: 'new', type: 'ellipse' }], assets: { q: { id: 'q' }, p } },
      })
      return [
        { args: assetInput({ id: 'p', mimeType: 'image/png', dataURL: 'data:image/png;base64,BBBB' }), refusal },
        { args: assetInput({}), refusal },
        { args: assetInput(null), refusal },
      ]
    },
    changes: ({ ids }) => [
      {
        whiteboardBlockId: ids.board,
        elements: [{ id: 'new', type: 'ellipse' }],
        assets: {
          p: { id: 'p', mimeType: 'image/png', dataURL: 'data:image/png;base64,AAAA', lastRetrieved: 2 },
          q: { id: 'q', mimeType: 'image/png', dataURL: 'data:image/png;base64,BBBB' },
        },
        appState: { viewBackgroundColor: '#ffffff' },
      },
    ],
  },
  elements_update: {
    deletion: 'with isDeleted on elements that are there',
    attempts: ({ ids }) =>
      [true, 1].map((isDeleted) => ({
        args: {
          whiteboardBlockId: ids.board,
          elements: [
            { id: 'picture', x: 1 },
            { id: 'box', isDeleted },
          ],
        },
        refusal: refused(
          'elements that stay on the whiteboard',
          '1 with isDeleted, the first box',
          'leave isDeleted out',
        ),
      })),
    changes: ({ ids }) => [
      { whiteboardBlockId: ids.board, elements: [{ id: 'box', type: 'ellipse', isDeleted: false, x: 5 }] },
    ],
  },
  history_undo: {
    deletion: 'of calls that added or restored something; test/history/undo-deletion.test.ts has more of them',
    attempts: async ({ ids, full }) => {
      const { items } = await full.call('history_list', { limit: 100, format: 'json' })
      const callOf = (name: string) => items.find(({ tool }: { tool: string }) => tool === name).callId
      const attempt = (name: string, found: string): Attempt => ({
        args: { calls: [callOf(name)] },
        refusal: refused('calls whose undo deletes nothing', found, 'leave out the calls that added or restored it'),
      })
      return [
        attempt('items_add', `2 that would be deleted, the first block ${ids.item}`),
        attempt('reminders_add', `1 that would be deleted, the first reminder ${ids.reminder}`),
        attempt('comments_add', `1 that would be deleted, the first comment ${ids.comment}`),
      ]
    },
    changes: async ({ ids, full }) => {
      await full.call('blocks_update', { blocks: [{ id: ids.text, markdown: 'other words' }] })
      const { items } = await full.call('history_list', { limit: 1, format: 'json' })
      return [{ calls: [items[0].callId] }]
    },
  },
  batch: {
    deletion: 'of a step that deletes',
    attempts: ({ ids }) => [
      {
        args: { steps: [{ tool: 'blocks_delete', arguments: { blockIds: [ids.text] } }] },
        refusal:
          'At steps[0]: Expected a link that may delete, found one with access no-delete, which blocks_delete is not for; ask the person who made the link for another.',
      },
    ],
    changes: ({ ids }) => [
      { steps: [{ tool: 'blocks_update', arguments: { blocks: [{ id: ids.text, markdown: 'other words' }] } }] },
    ],
  },
  elements_delete: all('elements_delete', ({ board }) => ({ whiteboardBlockId: board, elementIds: ['box'] })),
}
