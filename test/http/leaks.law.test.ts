/** If one of two IDs in a call is out of reach, the response reveals nothing about it, and nothing is written. */
import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { TABLES } from '../../storage/tables.ts'
import { rowsOf as tableRows } from '../sqlite.ts'
import { callTool, documentBy, serveBuilt } from './serving.ts'

/** The things on a page, one for each kind that a call can name. */
interface Things {
  page: string
  block: string
  task: string
  collection: string
  item: string
  view: string
  reminder: string
  board: string
}

async function thingsIn(client: Client, page: string): Promise<Things> {
  const position = { position: 'end', pageId: page }
  const call = async (name: string, args: object) => {
    const { isRefused, object, text } = await callTool(client, name, args)
    if (isRefused) throw new Error(`${name}: ${text}`)
    return object
  }
  const { items } = await call('blocks_add', { markdown: 'words\n\n- [ ] a task', position })
  const [block, task] = items.map(({ id }: { id: string }) => id)
  const properties = [{ name: 'Price', type: 'number' }]
  const { collectionBlockId: collection } = await call('collections_add', {
    schema: { name: 'Deals', properties },
    position,
  })
  const item = (await call('items_add', { collectionId: collection, items: [{ title: 'A' }] })).items[0].id
  await call('views_add', { collectionId: collection, view: { name: 'Second', type: 'table' } })
  const view = (await call('views_list', { collectionId: collection })).views[0].id
  const reminder = (await call('reminders_add', { reminders: [{ blockId: task }] })).items[0].id
  const board = (await call('whiteboards_add', { position })).whiteboardBlockId
  await call('elements_add', { whiteboardBlockId: board, elements: [{ id: 'e', type: 'rectangle' }] })
  return { page, block, task, collection, item, view, reminder, board }
}

/** IDs of things that never existed. */
const nowhere = Object.fromEntries(
  ['page', 'block', 'task', 'collection', 'item', 'view', 'reminder', 'board'].map((key, index) => [
    key,
    `01000000-0000-7000-8000-00000000000${index}`,
  ]),
) as unknown as Things

type Call = [name: string, args: object]

/** Calls that name a thing within reach and another one. Each could do a part of its work. */
function mixed(own: Things, other: Things): Call[] {
  const here = { position: 'end', pageId: own.page }
  const there = { position: 'end', pageId: other.page }
  const beside = { position: 'after', siblingId: other.block }
  const schema = { name: 'New', properties: [] }
  const relation = { name: 'Away', type: 'relation', targetCollectionId: other.collection }
  const both = (mine: string, theirs: string) => [
    [mine, theirs],
    [theirs, mine],
  ]
  const calls: Call[] = [
    ['blocks_get', { id: other.block }],
    ['blocks_add', { markdown: 'x', position: there }],
    ['blocks_add', { markdown: 'x', position: beside }],
    ['blocks_move', { blockIds: [own.block], position: there }],
    ['blocks_move', { blockIds: [own.block], position: beside }],
    ['blocks_update', { pageId: other.page, markdown: 'x', revision: '1' }],
    ['collections_add', { schema, position: there }],
    ['collections_add', { schema: { ...schema, properties: [relation] }, position: here }],
    ['schema_get', { collectionId: other.collection }],
    ['schema_update', { collectionId: other.collection, schema }],
    ['schema_update', { collectionId: own.collection, schema: { ...schema, properties: [relation] } }],
    ['items_add', { collectionId: other.collection, items: [{ title: 'x' }] }],
    ['items_list', { collectionId: other.collection }],
    ['items_list', { collectionId: own.collection, viewId: other.view }],
    ['views_update', { collectionId: own.collection, viewId: other.view, view: { name: 'x' } }],
    ['views_update', { collectionId: other.collection, viewId: own.view, view: { name: 'x' } }],
    ['views_delete', { collectionId: own.collection, viewId: other.view }],
    ['views_activate', { collectionId: own.collection, viewId: other.view }],
    ['views_list', { collectionId: other.collection }],
    ['whiteboards_add', { position: there }],
    ['elements_list', { whiteboardBlockId: other.board }],
    ['elements_add', { whiteboardBlockId: other.board, elements: [{ id: 'x', type: 'ellipse' }] }],
    ['elements_update', { whiteboardBlockId: other.board, elements: [{ id: 'e', x: 5 }] }],
    ['elements_delete', { whiteboardBlockId: other.board, elementIds: ['e'] }],
    ['files_add', { text: 'x', fileName: 'x.txt', position: there }],
    ['files_add', { text: 'x', fileName: 'x.txt', position: beside }],
  ]
  for (const blockIds of both(own.block, other.block)) {
    calls.push(
      ['blocks_move', { blockIds, position: here }],
      ['blocks_delete', { blockIds }],
      ['blocks_update', { blocks: blockIds.map((id) => ({ id, markdown: 'x' })) }],
      ['comments_add', { comments: blockIds.map((blockId) => ({ blockId, content: 'x' })) }],
      ['reminders_add', { reminders: blockIds.map((blockId) => ({ blockId })) }],
    )
  }
  for (const ids of both(own.reminder, other.reminder)) {
    calls.push(
      ['reminders_update', { remindersToUpdate: ids.map((id) => ({ id, isCompleted: true })) }],
      ['reminders_delete', { idsToDelete: ids }],
    )
  }
  for (const ids of both(own.item, other.item)) {
    const { collection: collectionId } = own
    calls.push(
      ['items_update', { collectionId, itemsToUpdate: ids.map((id) => ({ id, title: 'x' })) }],
      ['items_delete', { collectionId, idsToDelete: ids }],
    )
  }
  return calls
}

const onlySelected = (own: Things, other: Things): Call[] => [
  ['documents_search', { include: ['words'], documentIds: [own.page, other.page] }],
  ['collections_list', { documentIds: [own.page, other.page] }],
  ['blocks_search', { documentId: other.page, pattern: 'words' }],
]

const onlyDaily = (own: Things, other: Things): Call[] =>
  [
    [own.task, other.task],
    [other.task, own.task],
  ].flatMap((ids): Call[] => [
    ['tasks_update', { tasksToUpdate: ids.map((id) => ({ id, markdown: 'x' })) }],
    ['tasks_delete', { idsToDelete: ids }],
  ])

/** Returns every row of every table. */
const rowsOf = (space: OpenSpace): Promise<[table: string, rows: string[]][]> =>
  space.read(OPERATOR_LINK, async ({ tx }) => {
    const all: [string, string[]][] = []
    for (const name of TABLES.keys()) {
      if (name === 'unindexed_block') continue
      const rows = await tableRows(tx, `SELECT * FROM ${name}`)
      all.push([name, rows.map((row) => JSON.stringify(row)).sort()])
    }
    return all
  })

describe.each(['selected', 'daily'] as const)('a %s link', (kind) => {
  test('learns nothing by naming its own things together with hidden ones', async () => {
    const serving = await serveBuilt()
    const full = await serving.link()
    const client = await full.client()
    const hidden = await thingsIn(client, await documentBy(full, 'hidden'))
    const day = await callTool(client, 'blocks_add', { markdown: 'today', position: { position: 'end' } })
    const page = kind === 'daily' ? day.object.items[0].documentId : await documentBy(full, 'own')
    const own = await thingsIn(client, page)
    const link = await serving.link({ kind, documents: kind === 'selected' ? [page] : [] })
    const narrow = await link.client()
    const callsOf = (other: Things) => [
      ...mixed(own, other),
      ...(kind === 'daily' ? onlyDaily : onlySelected)(own, other),
    ]
    const known = [...Object.values(hidden), ...Object.values(nowhere)]
    const plain = (text: string) => known.reduce((rest, id) => rest.replaceAll(id, '(ID)'), text)
    const before = await rowsOf(serving.space)
    const refused: string[] = []
    for (const [index, [name, args]] of callsOf(hidden).entries()) {
      const response = await callTool(narrow, name, args)
      const [, missing = {}] = callsOf(nowhere)[index] ?? []
      const expectNone = await callTool(narrow, name, missing)
      expect({ name, args, text: plain(response.text) }).toEqual({ name, args, text: plain(expectNone.text) })
      expect({ name, args, isRefused: response.isRefused }).toEqual({ name, args, isRefused: expectNone.isRefused })
      if (response.isRefused) {
        // The refusal must be about the ID, not about another error in the call.
        expect({ name, text: plain(response.text) }).toEqual({ name, text: expect.stringContaining('(ID)') })
        refused.push(name)
      }
    }
    expect(await rowsOf(serving.space)).toEqual(before)
    // Only filters may ignore IDs that do not exist.
    const passed = callsOf(hidden)
      .map(([name]) => name)
      .filter((name) => !refused.includes(name))
    expect(passed.filter((name) => !['documents_search', 'collections_list'].includes(name))).toEqual([])
  })
})
