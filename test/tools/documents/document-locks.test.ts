/** A document that a person has locked: agents read it, and change nothing in it, whichever way they try. */
import { beforeEach, describe, expect, test } from 'vitest'
import { setDocumentLock } from '../../../src/space/documents/lock-documents.ts'
import { GivenId } from '../../../src/space/model/ids.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { type Connected, connect } from '../../connect.ts'

let connected: Connected
let id: string
let ids: { block: string; task: string; collection: string; item: string; board: string }
let other: string

const MARKDOWN = 'First words.\n\n- [ ] Call Ben\n\nLast words.'

/** A document with one of each thing that a call can change, and another document. */
beforeEach(async () => {
  connected = await connect()
  const { call } = connected
  const { items } = await call('documents_add', {
    documents: [
      { title: 'Plan', markdown: MARKDOWN },
      { title: 'Other', markdown: 'elsewhere' },
    ],
  })
  id = items[0].id
  other = items[1].id
  const { content } = await call('blocks_get', { id })
  const end = { position: 'end', pageId: id }
  const schema = { name: 'Boats', properties: [{ name: 'Crew', type: 'number' }] }
  const collection = (await call('collections_add', { schema, position: end })).collectionBlockId
  const added = await call('items_add', { collectionId: collection, items: [{ title: 'Argo' }] })
  const board = (await call('whiteboards_add', { position: end })).whiteboardBlockId
  await call('elements_add', { whiteboardBlockId: board, elements: [{ id: 'a', type: 'rectangle', x: 0, y: 0 }] })
  ids = {
    ...{ block: content[0].id, task: content[1].id, collection, item: added.items[0].id, board },
  }
})

const setLock = (isLocked: boolean, document = id) =>
  connected.space.write({ ...OPERATOR_LINK, author: 'Anna' }, async (view) => {
    const given = new GivenId(document)
    await view.resolveIds([given])
    return setDocumentLock(view, given, isLocked)
  })
const content = () => connected.call('blocks_get', { id, maxDepth: -1 })
const refusal = () =>
  `Expected a document that agents may change, found ${id}, which Anna has locked; nothing was written. Ask a person to unlock it on its page.`

const CHANGES: Readonly<Record<string, () => [tool: string, input: object]>> = {
  'blocks at its end': () => ['blocks_add', { markdown: 'more', position: { position: 'end', pageId: id } }],
  'blocks beside one of it': () => [
    'blocks_add',
    { markdown: 'x', position: { position: 'after', siblingId: ids.block } },
  ],
  'the text of a block': () => ['blocks_update', { blocks: [{ id: ids.block, markdown: 'changed' }] }],
  'the title': () => ['blocks_update', { blocks: [{ id, markdown: 'Another title' }] }],
  'a block out of it': () => ['blocks_move', { blockIds: [ids.block], position: { position: 'end', pageId: other } }],
  'a block deleted': () => ['blocks_delete', { blockIds: [ids.block] }],
  'a task done': () => ['tasks_update', { tasksToUpdate: [{ id: ids.task, taskInfo: { state: 'done' } }] }],
  'a task added': () => ['tasks_add', { tasks: [{ markdown: 'New', location: { type: 'document', documentId: id } }] }],
  'a task deleted': () => ['tasks_delete', { idsToDelete: [ids.task] }],
  'an item added': () => ['items_add', { collectionId: ids.collection, items: [{ title: 'Beagle' }] }],
  'a value of an item': () => [
    'items_update',
    { collectionId: ids.collection, itemsToUpdate: [{ id: ids.item, properties: { crew: 50 } }] },
  ],
  'an item deleted': () => ['items_delete', { collectionId: ids.collection, itemIds: [ids.item] }],
  'an item claimed': () => ['items_claim', { collectionId: ids.collection, count: 1 }],
  'a column': () => [
    'schema_update',
    {
      collectionId: ids.collection,
      schema: { name: 'Ships', properties: [{ name: 'Crew', key: 'crew', type: 'number' }] },
    },
  ],
  'a view added': () => ['views_add', { collectionId: ids.collection, view: { name: 'Big', type: 'table' } }],
  'a comment': () => ['comments_add', { blockId: ids.block, content: 'Hm' }],
  'a drawing': () => [
    'elements_add',
    { whiteboardBlockId: ids.board, elements: [{ id: 'b', type: 'ellipse', x: 0, y: 0 }] },
  ],
  'a drawing changed': () => ['elements_update', { whiteboardBlockId: ids.board, elements: [{ id: 'a', x: 9 }] }],
  'a drawing deleted': () => ['elements_delete', { whiteboardBlockId: ids.board, elementIds: ['a'] }],
  'a collection': () => [
    'collections_add',
    { schema: { name: 'C', properties: [] }, position: { position: 'end', pageId: id } },
  ],
  'a whiteboard': () => ['whiteboards_add', { position: { position: 'end', pageId: id } }],
  'itself moved': () => ['documents_move', { documentIds: [id], destination: { destination: 'templates' } }],
  'itself deleted': () => ['documents_delete', { documentIds: [id] }],
}

describe('an agent', () => {
  test.each(Object.entries(CHANGES))('changes nothing: %s', async (_what, change) => {
    const [tool, input] = change()
    await setLock(true)
    const before = await content()
    expect(await connected.refused(tool, input)).toBe(refusal())
    expect(await connected.refused('batch', { steps: [{ tool, arguments: input }] })).toContain(refusal())
    expect(await content()).toEqual(before)
    await setLock(false)
    // The call was refused because of the lock alone.
    await connected.call(tool, input)
  })

  test('takes back nothing in it, not even that it was made', async () => {
    await connected.call('blocks_update', { blocks: [{ id: ids.block, markdown: 'changed' }] })
    const { items } = await connected.call('history_list', { documentId: id })
    await setLock(true)
    const before = await content()
    for (const { callId } of [items[0], items.at(-1)]) {
      expect(await connected.refused('history_undo', { calls: [callId], skipConflicts: true })).toBe(refusal())
    }
    expect(await content()).toEqual(before)
  })

  test('reads, lists, copies and links to it', async () => {
    await setLock(true)
    expect((await content()).content.length).toBeGreaterThan(3)
    const { items } = await connected.call('documents_list', {})
    expect(items).toMatchObject([{ id, lockedBy: 'Anna' }, { id: other }])
    expect(items[1]).not.toHaveProperty('lockedBy')
    expect(await connected.call('documents_list', { format: 'markdown' })).toContain(`${id} Plan (locked by Anna)`)
    await connected.call('blocks_add', {
      markdown: `[go](block://${id})`,
      position: { position: 'end', pageId: other },
    })
    await connected.call('reminders_add', { reminders: [{ blockId: id, remindAt: '2031-01-01T00:00:00Z' }] })
  })

  test('cannot lock or unlock', async () => {
    const link = await connected.space.createAccessLink('full', [], 'Robot')
    for (const isLocked of [true, false]) {
      const given = new GivenId(id)
      const change = connected.space.write(link, async (view) => {
        await view.resolveIds([given])
        return setDocumentLock(view, given, isLocked)
      })
      await expect(change).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
    expect(await connected.unknownTool('documents_lock', { documentId: id, isLocked: true })).toContain(
      'documents_lock',
    )
  })
})

test('a second lock leaves the name of who locked it', async () => {
  await setLock(true)
  const again = await connected.space.write({ ...OPERATOR_LINK, author: 'Ben' }, async (view) => {
    const given = new GivenId(id)
    await view.resolveIds([given])
    return setDocumentLock(view, given, true)
  })
  expect(again).toMatchObject({ id, title: 'Plan', lockedBy: 'Anna' })
})
