/** The content and order of the feed of changes, and where it continues. */
import { describe, expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { forgetChangesBefore } from '../../storage/history-retention.ts'
import { collectionOf, itemsOf } from '../collection.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { type Asker, askerOf } from '../rest/rest-asker.ts'
import { cursorNow, page, readAll, withoutCursors } from './reading-feed.ts'

/** A connection that writes, and one over REST that reads the feed. */
async function feed(): Promise<{ full: Connected; asker: Asker }> {
  const full = await connect()
  return { full, asker: await askerOf({ to: full }) }
}

describe('a call', () => {
  test('has its author, a summary in words, and the IDs of what it created', async () => {
    const { full, asker } = await feed()
    const cursor = await cursorNow(asker.ask)
    const document = await documentOf(full, 'one', 'Plan')
    expect(withoutCursors(await readAll(asker.ask, cursor))).toEqual([
      {
        type: 'call.committed',
        callId: '900000000001',
        number: 1,
        at: '2026-11-20T09:00:00.000Z',
        author: 'tester',
        client: 'tester',
        tool: 'documents_add',
        summary: '"Plan": added, 1 block added',
        documents: [{ documentId: document, title: 'Plan' }],
        made: [document, expect.stringMatching(/^\d{12}$/)],
        newDocuments: [document],
      },
    ])
  })

  test('has what it changed, moved and deleted, by the result', async () => {
    const { full, asker } = await feed()
    const document = await documentOf(full, 'one\n\ntwo\n\nthree')
    const { one = '', two = '', three = '' } = await idsOf(full, document)
    const eventOf = async (name: string, args: object): Promise<Answer> => {
      const cursor = await cursorNow(asker.ask)
      await full.call(name, args)
      const [item] = await readAll(asker.ask, cursor)
      const { made, changed, moved, deleted, newDocuments, goneDocuments } = item
      return JSON.parse(JSON.stringify({ made, changed, moved, deleted, newDocuments, goneDocuments }))
    }
    const other = await documentOf(full, 'other')
    expect(await eventOf('blocks_update', { blocks: [{ id: one, markdown: 'first' }] })).toEqual({ changed: [one] })
    const position = { position: 'end', pageId: other }
    expect(await eventOf('blocks_move', { blockIds: [two], position })).toEqual({ moved: [two] })
    expect(await eventOf('blocks_delete', { blockIds: [three] })).toEqual({ deleted: [three] })
    expect(
      await eventOf('documents_move', { documentIds: [other], destination: { destination: 'templates' } }),
    ).toEqual({ moved: [other] })
    expect(await eventOf('documents_delete', { documentIds: [other] })).toEqual({
      deleted: [other],
      goneDocuments: [other],
    })
    const destination = { destination: 'unsorted' }
    expect(await eventOf('documents_move', { documentIds: [other], destination })).toEqual({ newDocuments: [other] })
  })

  test('counts things without an ID of their own as a change of their block', async () => {
    const { full, asker } = await feed()
    const collectionId = await collectionOf(full, [
      { name: 'Stage', type: 'singleSelect', options: [{ name: 'Open' }] },
    ])
    const [item = ''] = await itemsOf(full, collectionId, [{ title: 'Deal' }])
    const position = { position: 'after', siblingId: collectionId }
    const { whiteboardBlockId } = await full.call('whiteboards_add', { position })
    const cursor = await cursorNow(asker.ask)
    await full.call('items_update', { collectionId, itemsToUpdate: [{ id: item, properties: { stage: 'Open' } }] })
    await full.call('elements_add', { whiteboardBlockId, elements: [{ id: 'box', type: 'rectangle' }] })
    const properties = [{ name: 'Stage', key: 'stage', type: 'singleSelect', options: [{ name: 'Won' }] }]
    await full.call('schema_update', { collectionId, schema: { name: 'Collection', properties } })
    const { views } = await full.call('views_list', { collectionId })
    const response = (await readAll(asker.ask, cursor)).map(({ tool, changed }) => [tool, changed])
    expect(response).toEqual([
      ['items_update', [item]],
      ['elements_add', [whiteboardBlockId]],
      ['schema_update', expect.arrayContaining([collectionId, item])],
    ])
    expect(views).toEqual([])
  })

  test('has the IDs of folders, views, comments and reminders', async () => {
    const { full, asker } = await feed()
    const collectionId = await collectionOf(full, [])
    const cursor = await cursorNow(asker.ask)
    const folder = (await full.call('folders_add', { folders: [{ name: 'Work' }] })).items[0].id
    const view = (await full.call('views_add', { collectionId, view: { name: 'All', type: 'table' } })).id
    const comments = [{ blockId: collectionId, content: 'see this' }]
    const comment = (await full.call('comments_add', { comments })).commentId
    const reminder = (await full.call('reminders_add', { reminders: [{ blockId: collectionId }] })).items[0].id
    await full.call('folders_delete', { folderIds: [folder] })
    const response = await readAll(asker.ask, cursor)
    expect(response.map(({ made, deleted }) => made ?? deleted)).toEqual([
      [folder],
      [view],
      [comment],
      [reminder],
      [folder],
    ])
    expect(JSON.stringify(response)).not.toContain('see this')
  })

  test('keeps the IDs of what was deleted since, and says how many of very many are omitted', async () => {
    const { full, asker } = await feed()
    const document = await documentOf(full)
    const cursor = await cursorNow(asker.ask)
    const position = { position: 'end', pageId: document }
    const markdown = Array.from({ length: 130 }, (_, index) => `block ${index}`).join('\n\n')
    await full.call('blocks_add', { markdown, position })
    const { items } = await full.call('blocks_add', { markdown: 'gone', position })
    await full.call('blocks_delete', { blockIds: [items[0].id] })
    const response = await readAll(asker.ask, cursor)
    expect(response.map(({ made, deleted, idsLeftOut }) => [made?.length, deleted?.length, idsLeftOut])).toEqual([
      [100, undefined, 30],
      [1, undefined, undefined],
      [undefined, 1, undefined],
    ])
    expect(response[1].made).toEqual(response[2].deleted)
  })

  test('that undoes others names them, and a failed one is absent', async () => {
    const { full, asker } = await feed()
    const cursor = await cursorNow(asker.ask)
    const document = await documentOf(full, 'one')
    await full.refused('blocks_add', { markdown: 'x', position: { position: 'end', pageId: '999999999999' } })
    await full.call('history_undo', { calls: ['900000000001'] })
    expect(await readAll(asker.ask, cursor)).toMatchObject([
      { tool: 'documents_add' },
      { tool: 'history_undo', undoes: ['900000000001'], goneDocuments: [document] },
    ])
  })
})

describe('reading', () => {
  test('continues at the cursor of a response or of any item, and returns each call once and in order', async () => {
    const { full, asker } = await feed()
    const cursor = await cursorNow(asker.ask)
    for (const title of ['a', 'b', 'c', 'd', 'e']) await documentOf(full, '', title)
    const titles = (items: readonly Answer[]) => items.map(({ documents }) => documents[0].title).join('')
    const all = await readAll(asker.ask, cursor)
    expect(titles(all)).toBe('abcde')
    expect(titles(await readAll(asker.ask, cursor, 2))).toBe('abcde')
    expect(titles(await readAll(asker.ask, all[1].cursor))).toBe('cde')
    expect(await page(asker.ask, `cursor=${cursor}&limit=5`)).toMatchObject({ hasMore: false })
    expect(await page(asker.ask, `cursor=${cursor}&limit=4`)).toMatchObject({ hasMore: true })
    expect(await readAll(asker.ask, all[4].cursor)).toEqual([])
  })

  test('begins now without a cursor, and with start at the oldest entry of the history', async () => {
    const { full, asker } = await feed()
    await documentOf(full, '', 'a')
    full.clock.now += 1000
    await documentOf(full, '', 'b')
    const cursor = await cursorNow(asker.ask)
    expect(await readAll(asker.ask, cursor)).toEqual([])
    const numbers = async () => (await readAll(asker.ask, 'start')).map(({ number }) => number)
    expect(await numbers()).toEqual([1, 2])
    await full.space.write(OPERATOR_LINK, ({ tx }) => forgetChangesBefore(tx, full.clock.now - 1, 100))
    expect(await numbers()).toEqual([2])
  })

  test('is rejected with a forged cursor, or one from before the retention', async () => {
    const { full, asker } = await feed()
    const cursor = await cursorNow(asker.ask)
    await documentOf(full)
    const after = await cursorNow(asker.ask)
    expect(await asker.refused(400, `GET /changes?cursor=${cursor}x`)).toBe(
      'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.',
    )
    await full.space.write(OPERATOR_LINK, ({ tx }) => forgetChangesBefore(tx, full.clock.now, 100))
    expect(await asker.refused(400, `GET /changes?cursor=${cursor}`)).toBe(
      'Expected a cursor from the time for which history is kept, found an older one; call again without cursor to begin now, or with cursor=start at the oldest that is kept, then read what this link reaches.',
    )
    expect(await readAll(asker.ask, after)).toEqual([])
  })

  test('with a cursor of another kind of link or of another space is rejected', async () => {
    const { asker } = await feed()
    const cursor = await cursorNow(asker.ask)
    const daily = await askerOf({ to: asker, kind: 'daily' })
    const other = await askerOf()
    const sentence =
      'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.'
    expect(await daily.refused(400, `GET /changes?cursor=${cursor}`)).toBe(sentence)
    expect(await other.refused(400, `GET /changes?cursor=${cursor}`)).toBe(sentence)
  })

  test('returns another cursor each time, all of the same length', async () => {
    const { full, asker } = await feed()
    const cursors = new Set<string>()
    for (let call = 0; call < 5; call++) {
      cursors.add(await cursorNow(asker.ask))
      await documentOf(full)
      cursors.add(await cursorNow(asker.ask))
      cursors.add((await page(asker.ask, 'cursor=start&limit=1')).cursor)
    }
    expect(cursors.size).toBe(15)
    expect(new Set([...cursors].map(({ length }) => length)).size).toBe(1)
  })
})

describe('a reminder', () => {
  const remind = (full: Connected, blockId: string, remindAt: string) =>
    full.call('reminders_add', { reminders: [{ blockId, remindAt }] })

  test('is an event once when it is due, in order with the calls', async () => {
    const { full, asker } = await feed()
    const watching = full.space.watch(() => {}, { includesFeed: true })
    const document = await documentOf(full, 'call Ben', 'Plan')
    const { 'call Ben': blockId = '' } = await idsOf(full, document)
    const reminder = (await remind(full, blockId, '2026-11-20T10:00:00Z')).items[0].id
    const cursor = await cursorNow(asker.ask)
    const readChanges = async () => {
      const again = full.space.watch(() => {}, { includesFeed: true })
      await again.ready
      await again.stop()
    }
    await readChanges()
    expect(await readAll(asker.ask, cursor)).toEqual([])
    full.clock.now = Date.parse('2026-11-20T10:00:01Z')
    await readChanges()
    await documentOf(full, '', 'Later')
    await readChanges()
    const response = withoutCursors(await readAll(asker.ask, cursor))
    expect(response).toMatchObject([{ type: 'reminder.due' }, { tool: 'documents_add' }])
    expect(response[0]).toEqual({
      type: 'reminder.due',
      at: '2026-11-20T10:00:00.000Z',
      reminderId: reminder,
      blockId,
      documents: [{ documentId: document, title: 'Plan' }],
    })
    await watching.stop()
  })

  test('of another participant, or of a block in the trash, is absent', async () => {
    const { full, asker } = await feed()
    const [shown, trashed] = [await documentOf(full, 'shown'), await documentOf(full, 'trashed')]
    const [{ shown: one = '' }, { trashed: other = '' }] = [await idsOf(full, shown), await idsOf(full, trashed)]
    for (const blockId of [one, other]) await remind(full, blockId, '2026-11-20T10:00:00Z')
    const cursor = await cursorNow(asker.ask)
    full.clock.now = Date.parse('2026-11-20T10:00:01Z')
    const watching = full.space.watch(() => {}, { includesFeed: true })
    await watching.ready
    await watching.stop()
    expect((await readAll(asker.ask, cursor)).map(({ blockId }) => blockId).sort()).toEqual([one, other].sort())
    const selected = await askerOf({ to: full, kind: 'selected', documents: [shown, trashed] })
    const ofSelected = await cursorNow(selected.ask)
    expect(await readAll(selected.ask, ofSelected)).toEqual([])
    await full.space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Ben'))
    // From here on it is unknown whose reminders an ordinary link shows.
    expect(await readAll(asker.ask, cursor)).toEqual([])
  })
})
