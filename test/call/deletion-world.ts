/** A space with one of everything that can be deleted, a link that must not delete, and the content of the space. */
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { TEST_DATABASE } from '../build.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { rowsOf as tableRows } from '../sqlite.ts'
import { preparedSpace } from '../support/prepared-space.ts'

export interface World {
  /** A connection with full access. */
  full: Connected
  /** A connection with access no-delete. */
  link: Connected
  ids: Record<
    | 'page'
    | 'text'
    | 'table'
    | 'file'
    | 'task'
    | 'other'
    | 'trashed'
    | 'inTrash'
    | 'folder'
    | 'board'
    | 'collection'
    | 'item'
    | 'view'
    | 'reminder'
    | 'comment',
    string
  >
  /** The schema of the collection, as returned by the tool. */
  schema: Answer
  /** Reads the page as Markdown, and its revision. */
  read(): Promise<{ markdown: string; revision: string }>
  /** Reads every row of every table with people's content. Two dumps are equal if nothing was written. */
  dump(): Promise<Record<string, object[]>>
  /** Names everything that exists. A change without deletion keeps all of the names. */
  things(): Promise<Set<string>>
}

const filledSpace = preparedSpace(async (to) => {
  const full = await connect('full', { to })
  const first = async (tool: string, args: object) => (await full.call(tool, args)).items[0].id as string
  const page = await first('documents_add', { documents: [{ title: 'Plan' }] })
  const position = { position: 'end', pageId: page }
  const { items } = await full.call('blocks_add', {
    markdown: 'words\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n\n- [ ] a task',
    position,
  })
  const [text, table, task] = items.map(({ id }: { id: string }) => id)
  const { blockId: file } = await full.call('files_add', { text: 'bytes', fileName: 'a.txt', position })
  const { commentId: comment } = await full.call('comments_add', {
    comments: [{ blockId: text, content: 'mind this' }],
  })
  const reminder = await first('reminders_add', { reminders: [{ blockId: text, remindAt: '2026-12-01T09:00:00Z' }] })
  const [other, trashed] = [
    await first('documents_add', { documents: [{ title: 'Other' }] }),
    await first('documents_add', { documents: [{ title: 'Old', markdown: 'thrown away' }] }),
  ]
  const inTrash = (await full.call('blocks_get', { id: trashed, format: 'json' })).content[0].id
  await full.call('documents_delete', { documentIds: [trashed] })
  const folder = await first('folders_add', { folders: [{ name: 'Folder' }] })
  const { whiteboardBlockId: board } = await full.call('whiteboards_add', { position })
  await full.call('elements_add', {
    whiteboardBlockId: board,
    elements: [
      { id: 'box', type: 'rectangle' },
      { id: 'picture', type: 'image', fileId: 'p' },
    ],
    assets: { p: { id: 'p', mimeType: 'image/png', dataURL: 'data:image/png;base64,AAAA', lastRetrieved: 1 } },
  })
  const properties = [
    { name: 'Stage', type: 'singleSelect', options: [{ name: 'Lead' }, { name: 'Won' }] },
    { name: 'Price', type: 'number' },
    { name: 'Empty', type: 'text' },
  ]
  const made = await full.call('collections_add', { schema: { name: 'Deals', properties }, position })
  const collection = made.collectionBlockId
  const values = { stage: 'Lead', price: 5 }
  const item = await first('items_add', {
    collectionId: collection,
    items: ['A', 'B'].map((title) => ({ title, properties: values })),
  })
  const { id: view } = await full.call('views_add', { collectionId: collection, view: { name: 'V', type: 'table' } })
  await full.call('views_add', { collectionId: collection, view: { name: 'W', type: 'table' } })
  return {
    schema: made.schema as Answer,
    ids: {
      page,
      text,
      table,
      file,
      task,
      other,
      trashed,
      inTrash,
      folder,
      board,
      collection,
      item,
      view,
      reminder,
      comment,
    },
  }
})

export async function buildWorld(): Promise<World> {
  const {
    made: { ids, schema },
    ...to
  } = await filledSpace()
  const full = await connect('full', { to })
  const link = await connect('full', { to, access: 'no-delete' })
  const rowsOf = (sql: string) =>
    full.space.read(OPERATOR_LINK, ({ tx }) => tableRows<Record<string, unknown>>(tx, sql))
  return {
    ...{ full, link, schema, ids },
    async read() {
      const { revision } = await full.call('blocks_get', { id: ids.other, format: 'json' })
      return { markdown: (await full.call('blocks_get', { id: ids.other, format: 'markdown' })) as string, revision }
    },
    async dump() {
      const dumped: Record<string, object[]> = {}
      for (const table of TABLES) dumped[table] = inOrder(await rowsOf(`SELECT * FROM ${table}`))
      return dumped
    },
    async things() {
      const found = new Set<string>()
      for (const [noun, sql] of Object.entries(THINGS)) {
        for (const row of await rowsOf(sql)) found.add([noun, ...Object.values(row)].join(' '))
      }
      return found
    },
  }
}

/** Rows in an order that does not depend on the engine. */
function inOrder<Row extends object>(rows: readonly Row[]): Row[] {
  const texts = new Map(rows.map((row) => [row, JSON.stringify(row)]))
  return rows.toSorted((one, other) => ((texts.get(one) ?? '') < (texts.get(other) ?? '') ? -1 : 1))
}

const TABLES = [
  ...['folder', 'document', 'block', 'collection', 'property', 'option', 'value', 'view', 'reminder', 'comment'],
  ...['element', 'board_asset', 'board_state', 'file', 'block_file', 'write_log'],
]

/** SQL for a field of the column `json`, as text. */
const field = (name: string): string =>
  TEST_DATABASE === undefined ? `CAST(json_extract(json, '$.${name}') AS TEXT)` : `json::json ->> '${name}'`

/** Queries for independent things, each with the value that identifies it. */
const THINGS: Record<string, string> = {
  folder: 'SELECT id FROM folder',
  document: "SELECT n FROM document WHERE location <> 'trash'",
  block: 'SELECT id FROM block',
  // For a person, a block in the trash is a deleted one.
  'block outside of the trash':
    "SELECT block.id FROM block JOIN document ON document.n = block.document WHERE document.location <> 'trash'",
  view: 'SELECT id FROM view',
  reminder: 'SELECT id FROM reminder',
  comment: 'SELECT id FROM comment',
  element: `SELECT board, id FROM element WHERE coalesce(${field('isDeleted')}, 'false') IN ('false', '0')`,
  picture: `SELECT board, id, ${field('dataURL')} FROM board_asset`,
  'shown file': 'SELECT block, file FROM block_file',
  file: 'SELECT n, hash FROM file',
  'column with values': 'SELECT DISTINCT property FROM value',
  'option with values': 'SELECT DISTINCT option FROM value WHERE option IS NOT NULL',
  // Rows of a table have no IDs, so they are numbered.
  'row of a table': `SELECT block.id, one.value FROM block, (SELECT 1 AS value UNION SELECT 2 UNION SELECT 3 UNION SELECT 4) AS one
    WHERE block.type = 'table' AND one.value < length(text) - length(replace(text, '\n', ''))`,
}
