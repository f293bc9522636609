/** What undo makes of later changes to the same thing, and how it says what it did. */
import { describe, expect, test } from 'vitest'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { connectAs, lastCall, textsOf } from './history-calls.ts'

const endOf = (pageId: string) => ({ position: 'end', pageId })

/** Two people in one space, and a document with three blocks. */
async function twoPeople() {
  const anna = await connectAs('Anna', await connect())
  const ben = await connectAs('Ben', anna)
  const document = await documentOf(anna, 'one\n\ntwo\n\nthree')
  return { anna, ben, document, ids: await idsOf(anna, document) }
}

/** Makes a call and returns its ID. */
async function callOf(by: Connected, tool: string, args: object): Promise<string> {
  await by.call(tool, args)
  return lastCall(by)
}

const undo = (by: Connected, calls: string[], more: object = {}): Promise<Answer> =>
  by.call('history_undo', { calls, ...more })

const summaryOf = async (by: Connected, calls: string[]): Promise<string> => (await undo(by, calls)).summary

const later = (call: string, what = 'blocks_update "Document": 1 block changed'): string =>
  `2026-11-20T09:00:00Z Ben (tester) ${what} (call ${call})`

describe('a later change of the same thing', () => {
  test('keeps a block that was added, unless it only moved among its siblings', async () => {
    const { anna, ben, document, ids } = await twoPeople()
    const add = async (markdown: string): Promise<readonly [call: string, id: string]> => {
      const { items } = await anna.call('blocks_add', { markdown, position: endOf(document) })
      return [await lastCall(anna), items[0].id]
    }
    const [adding, changed] = await add('four')
    const [addingMoved, moved] = await add('five')
    const his = await callOf(ben, 'blocks_update', { blocks: [{ id: changed, markdown: 'his' }] })
    const position = { position: 'before', siblingId: ids.one }
    await ben.call('blocks_move', { blockIds: [moved], position })
    expect(await undo(anna, [adding], { skipConflicts: true })).toMatchObject({
      summary: 'Nothing: all is as it was before.',
      conflicts: [later(his)],
      laterCalls: [his],
    })
    expect(await undo(anna, [addingMoved])).toEqual({ calls: [addingMoved], summary: '"Document": 1 block deleted' })
    expect(await textsOf(anna, document)).toEqual(['one', 'two', 'three', 'his'])
  })

  test('leaves nothing to undo of an added block that was changed and deleted', async () => {
    const { anna, ben, document } = await twoPeople()
    const { items } = await anna.call('blocks_add', { markdown: 'four', position: endOf(document) })
    const adding = await lastCall(anna)
    await ben.call('blocks_update', { blocks: [{ id: items[0].id, markdown: 'his' }] })
    await ben.call('blocks_delete', { blockIds: [items[0].id] })
    expect(await undo(anna, [adding])).toEqual({ calls: [adding], summary: 'Nothing: all is as it was before.' })
  })

  test('is named only if it changed the same part', async () => {
    const { anna, ben, document, ids } = await twoPeople()
    const hers = await callOf(anna, 'blocks_update', { blocks: [{ id: ids.one, markdown: 'hers' }] })
    await ben.call('blocks_update', { blocks: [{ id: ids.one, textStyle: 'h2' }] })
    const his = await callOf(ben, 'blocks_update', { blocks: [{ id: ids.one, markdown: 'his' }] })
    const { conflicts } = await undo(anna, [hers], { skipConflicts: true })
    expect(conflicts).toEqual([later(his)])
    await ben.call('history_undo', { calls: [his] })
    expect(await undo(anna, [hers])).toEqual({ calls: [hers], summary: '"Document": 1 block changed' })
    expect(await textsOf(anna, document)).toEqual(['## one', 'two', 'three'])
  })

  test('keeps a call in effect, so that the rest of it can be undone later', async () => {
    const { anna, ben, document, ids } = await twoPeople()
    const blocks = ['one', 'two'].map((text) => ({ id: ids[text], markdown: 'hers' }))
    const hers = await callOf(anna, 'blocks_update', { blocks })
    const his = await callOf(ben, 'blocks_update', { blocks: [{ id: ids.one, markdown: 'his' }] })
    await undo(anna, [hers], { skipConflicts: true })
    await undo(ben, [his])
    expect(await summaryOf(anna, [hers])).toBe('"Document": 1 block changed')
    expect(await textsOf(anna, document)).toEqual(['one', 'two', 'three'])
  })
})

describe('a block that was moved away', () => {
  test('returns to after the block that preceded it, wherever that is now', async () => {
    const { anna, ben, document, ids } = await twoPeople()
    const other = await documentOf(anna, '', 'Other')
    const away = await callOf(anna, 'blocks_move', { blockIds: [ids.two], position: endOf(other) })
    await ben.call('blocks_move', { blockIds: [ids.one], position: endOf(document) })
    expect(await summaryOf(anna, [away])).toBe('"Other": 1 block moved')
    expect(await textsOf(anna, document)).toEqual(['three', 'one', 'two'])
  })

  test('gives both documents a new revision when it returns', async () => {
    const { anna, document, ids } = await twoPeople()
    const other = await documentOf(anna, 'stays', 'Other')
    const revisions = () =>
      Promise.all([document, other].map(async (id) => (await anna.call('blocks_get', { id })).revision))
    const away = await callOf(anna, 'blocks_move', { blockIds: [ids.two], position: endOf(other) })
    const before = await revisions()
    await undo(anna, [away])
    const [first, second] = await revisions()
    expect(before).toEqual([expect.any(String), expect.any(String)])
    expect([first === before[0], second === before[1]]).toEqual([false, false])
  })
})

describe('the summary of an undo', () => {
  test('says whether documents and folders move, go to the trash, or come out of it', async () => {
    const { anna, document } = await twoPeople()
    const { items } = await anna.call('folders_add', { folders: [{ name: 'Outer' }, { name: 'Inner' }] })
    const [outer, inner] = items.map(({ id }: Answer) => id)
    const documentIds = [document]
    const moving = await callOf(anna, 'documents_move', { documentIds, destination: { folderId: outer } })
    expect(await summaryOf(anna, [moving])).toBe('"Document": moved')
    const deleting = await callOf(anna, 'documents_delete', { documentIds })
    expect(await summaryOf(anna, [deleting])).toBe('"Document": restored from the trash')
    expect(await summaryOf(anna, [await lastCall(anna)])).toBe('"Document": moved to the trash')
    const nesting = await callOf(anna, 'folders_move', { folderIds: [inner], destination: { parentFolderId: outer } })
    expect(await summaryOf(anna, [nesting])).toBe('1 folder moved')
  })

  test('says of a block whether it got another parent, or only another place or text', async () => {
    const { anna, document, ids } = await twoPeople()
    const page = await anna.call('blocks_add', { blocks: [{ type: 'page', title: 'p' }], position: endOf(document) })
    const nesting = { blockIds: [ids.one], position: endOf(page.items[0].id) }
    expect(await summaryOf(anna, [await callOf(anna, 'blocks_move', nesting)])).toBe('"Document": 1 block moved')
    const sorting = { blockIds: [ids.one], position: endOf(document) }
    expect(await summaryOf(anna, [await callOf(anna, 'blocks_move', sorting)])).toBe('"Document": 1 block changed')
  })
})
