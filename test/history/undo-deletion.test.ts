/** Undo deletes nothing over a link that may not delete, whoever made the call, and whoever asks for the undo. */
import { expect, test } from 'vitest'
import { buildWorld, type World } from '../call/deletion-world.ts'
import { proposalOf, serveProposals } from '../call/serve-proposals.ts'
import type { Answer } from '../connect.ts'

/** A call with full access whose undo would delete something. */
interface Deleting {
  what: string
  /** Runs calls that come before the one to undo. */
  prepare?: (world: World) => Promise<unknown>
  call: (world: World) => Promise<readonly [tool: string, args: object]>
  /** The first thing that the undo would delete, as the refusal names it. IDs are cut out. */
  first: string
}

/** A call with full access whose undo changes or restores something. */
type Changing = Pick<Deleting, 'what' | 'prepare' | 'call'>

const asIs =
  (make: (ids: World['ids'], world: World) => readonly [string, object]): Deleting['call'] =>
  async (world) =>
    make(world.ids, world)

const picture = (data: string) => ({ p: { id: 'p', mimeType: 'image/png', dataURL: `data:image/png;base64,${data}` } })

const DELETING: readonly Deleting[] = [
  {
    what: 'a block that was added',
    call: asIs(({ page }) => ['blocks_add', { markdown: 'new', position: { position: 'end', pageId: page } }]),
    first: 'block ID',
  },
  {
    what: 'a row that was added to a table',
    call: asIs(({ table }) => [
      'blocks_update',
      { blocks: [{ id: table, markdown: '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |' }] },
    ]),
    first: 'a row of table ID',
  },
  {
    what: 'a column that was added to a table',
    call: asIs(({ table }) => [
      'blocks_update',
      { blocks: [{ id: table, markdown: '| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 3 | 4 | 5 |' }] },
    ]),
    first: 'a column of table ID',
  },
  {
    what: 'a block that was taken out of the trash',
    call: asIs(({ inTrash, page }) => [
      'blocks_move',
      { blockIds: [inTrash], position: { position: 'end', pageId: page } },
    ]),
    first: 'block ID, on the way into a document in the trash',
  },
  {
    what: 'a document that was taken out of the trash',
    call: asIs(({ trashed, folder }) => [
      'documents_move',
      { documentIds: [trashed], destination: { folderId: folder } },
    ]),
    first: 'a document on the way into the trash',
  },
  {
    what: 'a document that was added',
    call: async () => ['documents_add', { documents: [{ title: 'New', markdown: 'words' }] }],
    first: 'a document on the way into the trash',
  },
  {
    what: 'a folder that was added',
    call: async () => ['folders_add', { folders: [{ name: 'New' }] }],
    first: 'folder ID',
  },
  {
    what: 'an element that was restored by isDeleted',
    prepare: ({ full, ids }) =>
      full.call('elements_update', { whiteboardBlockId: ids.board, elements: [{ id: 'box', isDeleted: true }] }),
    call: asIs(({ board }) => [
      'elements_update',
      { whiteboardBlockId: board, elements: [{ id: 'box', isDeleted: false }] },
    ]),
    first: 'element box, by isDeleted',
  },
  {
    what: 'an element that was added',
    call: asIs(({ board }) => [
      'elements_add',
      { whiteboardBlockId: board, elements: [{ id: 'new', type: 'ellipse' }] },
    ]),
    first: 'element new',
  },
  {
    what: 'a picture of a whiteboard that replaced another',
    call: asIs(({ board }) => ['elements_add', { whiteboardBlockId: board, elements: [], assets: picture('BBBB') }]),
    first: 'picture p',
  },
  {
    what: 'a newer file of a block',
    call: async ({ full, ids }) => {
      const position = { position: 'end', pageId: ids.other }
      const { assetUrl } = await full.call('files_add', { text: 'newer', fileName: 'b.txt', position })
      return ['blocks_update', { blocks: [{ id: ids.file, url: assetUrl }] }]
    },
    first: 'a file, by another one in its block',
  },
  {
    what: 'a file that a block was given',
    prepare: ({ full, ids }) =>
      full.call('blocks_update', { blocks: [{ id: ids.file, url: 'https://example.com/b.txt' }] }),
    call: async ({ full, ids }) => {
      const position = { position: 'end', pageId: ids.other }
      const { assetUrl } = await full.call('files_add', { text: 'newer', fileName: 'b.txt', position })
      return ['blocks_update', { blocks: [{ id: ids.file, url: assetUrl }] }]
    },
    first: 'a file',
  },
  {
    what: 'an item that was added',
    call: asIs(({ collection }) => ['items_add', { collectionId: collection, items: [{ title: 'C' }] }]),
    first: 'block ID',
  },
  {
    what: 'a property that was added',
    call: asIs(({ collection }, { schema }) => [
      'schema_update',
      {
        collectionId: collection,
        schema: { ...schema, properties: [...schema.properties, { name: 'More', type: 'text' }] },
      },
    ]),
    first: 'property more',
  },
  {
    what: 'an option that was added',
    call: asIs(({ collection, item }) => [
      'items_update',
      {
        collectionId: collection,
        itemsToUpdate: [{ id: item, properties: { stage: 'Lost' } }],
        allowNewSelectOptions: true,
      },
    ]),
    first: 'option Lost',
  },
  {
    what: 'a view that was added',
    call: asIs(({ collection }) => ['views_add', { collectionId: collection, view: { name: 'X', type: 'table' } }]),
    first: 'view ID',
  },
  {
    what: 'a comment that was added',
    call: asIs(({ table }) => ['comments_add', { comments: [{ blockId: table, content: 'more' }] }]),
    first: 'comment ID',
  },
  {
    what: 'a reminder that was added',
    call: asIs(({ table }) => ['reminders_add', { reminders: [{ blockId: table }] }]),
    first: 'reminder ID',
  },
  {
    what: 'what a batch added',
    call: asIs(({ text, page }) => [
      'batch',
      {
        steps: [
          { tool: 'blocks_update', arguments: { blocks: [{ id: text, markdown: 'changed' }] } },
          { tool: 'blocks_add', arguments: { markdown: 'new', position: { position: 'end', pageId: page } } },
        ],
      },
    ]),
    first: 'block ID',
  },
  {
    what: 'what an undo restored',
    prepare: ({ full, ids }) => full.call('blocks_delete', { blockIds: [ids.text] }),
    call: async (world) => ['history_undo', { calls: [await lastCall(world)] }],
    first: 'block ID',
  },
]

const CHANGING: readonly Changing[] = [
  {
    what: 'the text of a block',
    call: asIs(({ text }) => ['blocks_update', { blocks: [{ id: text, markdown: 'changed' }] }]),
  },
  {
    what: 'a cell of a table',
    call: asIs(({ table }) => ['blocks_update', { blocks: [{ id: table, rows: [{ row: 1, cells: ['', ''] }] }] }]),
  },
  {
    what: 'a row that was removed from a table',
    call: asIs(({ table }) => ['blocks_update', { blocks: [{ id: table, rows: [{ row: 1, remove: true }] }] }]),
  },
  { what: 'a block that was deleted', call: asIs(({ text }) => ['blocks_delete', { blockIds: [text] }]) },
  { what: 'a document that was deleted', call: asIs(({ page }) => ['documents_delete', { documentIds: [page] }]) },
  {
    what: 'a move into another document',
    call: asIs(({ text, other }) => [
      'blocks_move',
      { blockIds: [text], position: { position: 'end', pageId: other } },
    ]),
  },
  {
    what: 'a move into another folder',
    call: asIs(({ page, folder }) => ['documents_move', { documentIds: [page], destination: { folderId: folder } }]),
  },
  {
    what: 'a value that an item was given',
    prepare: ({ full, ids }) => full.call('items_update', setPrice(ids, null)),
    call: asIs((ids) => ['items_update', setPrice(ids, 7)]),
  },
  { what: 'a value that was cleared', call: asIs((ids) => ['items_update', setPrice(ids, null)]) },
  {
    what: 'the settings of a view',
    call: asIs(({ collection, view }) => [
      'views_update',
      { collectionId: collection, viewId: view, view: { name: 'Y', sortBy: [{ property: 'price' }] } },
    ]),
  },
  {
    what: 'a comment that was resolved',
    call: asIs(({ comment }) => ['comments_update', { comments: [{ commentId: comment, resolved: true }] }]),
  },
  {
    what: 'the time of a reminder',
    call: asIs(({ reminder }) => ['reminders_update', { remindersToUpdate: [{ id: reminder, remindAt: null }] }]),
  },
  {
    what: 'an element that was deleted by isDeleted',
    call: asIs(({ board }) => [
      'elements_update',
      { whiteboardBlockId: board, elements: [{ id: 'box', isDeleted: true }] },
    ]),
  },
  {
    what: 'the background that a whiteboard was given',
    call: asIs(({ board }) => [
      'elements_add',
      { whiteboardBlockId: board, elements: [], appState: { viewBackgroundColor: '#ffffff' } },
    ]),
  },
]

const setPrice = ({ collection, item }: World['ids'], price: number | null) => ({
  collectionId: collection,
  itemsToUpdate: [{ id: item, properties: { price } }],
})

const lastCall = async ({ full }: Pick<World, 'full'>): Promise<string> =>
  (await full.call('history_list', { limit: 1, format: 'json' })).items[0].callId

const withoutIds = (text: string): string => text.replaceAll(/\b[1-9]\d{11}\b/g, 'ID')

async function callOf({ prepare, call }: Changing): Promise<{ world: World; id: string }> {
  const world = await buildWorld()
  await prepare?.(world)
  const [tool, args] = await call(world)
  await world.full.call(tool, args)
  return { world, id: await lastCall(world) }
}

const lost = async (before: ReadonlySet<string>, { things }: World): Promise<string[]> => {
  const after = await things()
  return [...before].filter((thing) => !after.has(thing))
}

test.each(DELETING)(
  '$what is deleted by undo, and its preview shown, only if the link may delete',
  async ({ first, ...deleting }) => {
    const { world, id } = await callOf(deleting)
    const before = await world.dump()
    for (const more of [{}, { dryRun: true }, { skipConflicts: true }]) {
      const refusal = withoutIds(await world.link.refused('history_undo', { calls: [id], ...more }))
      expect(refusal.replace(/found \d+/, 'found N')).toBe(
        `Expected calls whose undo deletes nothing, since this link has access no-delete, found N that would be deleted, the first ${first}; leave out the calls that added or restored it, or ask the person who made the link for another.`,
      )
    }
    expect(await world.dump()).toEqual(before)
    await world.full.call('history_undo', { calls: [id] })
    expect(await world.dump()).not.toEqual(before)
  },
)

test.each(CHANGING)('$what is undone by a link that may not delete', async (changing) => {
  const { world, id } = await callOf(changing)
  const [things, rows] = [await world.things(), await world.dump()]
  await world.link.call('history_undo', { calls: [id] })
  expect(await lost(things, world)).toEqual([])
  expect(await world.dump()).not.toEqual(rows)
})

test('an undo that was proposed deletes nothing when a link approves it that may not delete', async () => {
  const { agent, owner, person, approve, read } = await serveProposals({ access: 'no-delete' })
  const [{ callId }] = (await owner.ask('GET /history?ids=short')).json.items
  const proposed = await agent.ask('POST /history/undo?ids=short', { calls: [callId] })
  expect(proposed.status).toBe(202)
  const before = await read()
  const refused = await approve(person, proposalOf(proposed))
  expect(refused.status).toBe(403)
  expect(refused.json.error).toContain('Expected calls whose undo deletes nothing')
  expect(await read()).toBe(before)
  expect((await approve(owner, proposalOf(proposed))).status).toBe(200)
  const { json } = await owner.ask('GET /documents?ids=short')
  expect(json.items.map(({ isDeleted }: Answer) => isDeleted)).toEqual([true])
})
