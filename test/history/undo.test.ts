/** Undo in practice: what is restored, what conflicts, and what a link may see of it. */
import { describe, expect, test } from 'vitest'
import { UNDO_CHANGES } from '../../src/base/limits.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { collectionOf, itemsOf } from '../collection.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { changeRows } from '../sqlite.ts'
import { callsOf, connectAs, lastCall, textsOf } from './history-calls.ts'

describe('history_undo', () => {
  test('restores deleted blocks with their comments, in order', async () => {
    const connected = await connect()
    const document = await documentOf(connected, 'one\n\ntwo\n\nthree')
    const { two: block = '', one = '' } = await idsOf(connected, document)
    await connected.call('comments_add', { comments: [{ blockId: block, content: 'mind this' }] })
    await connected.call('blocks_delete', { blockIds: [one, block] })
    const call = await lastCall(connected)
    expect(await connected.call('history_undo', { calls: [call] })).toEqual({
      calls: [call],
      summary: '"Document": 2 blocks restored, 1 comment restored',
    })
    expect(await textsOf(connected, document)).toEqual(['one', expect.stringContaining('>two<'), 'three'])
    expect((await connected.call('documents_search', { include: ['two'] })).items).toHaveLength(1)
    expect((await connected.call('blocks_get', { id: block, fetchMetadata: true })).metadata.comments).toMatchObject([
      { content: 'mind this' },
    ])
  })

  test('undoes the addition of items whose values were changed, and changed back by undo', async () => {
    const connected = await connect()
    const collectionId = await collectionOf(connected, [{ name: 'Words', type: 'text' }])
    const [id = ''] = await itemsOf(connected, collectionId, [{ title: 'an item', properties: { words: 'one' } }])
    const adding = await lastCall(connected)
    await connected.call('items_update', { collectionId, itemsToUpdate: [{ id, properties: { words: 'two' } }] })
    const changing = await lastCall(connected)
    expect(await connected.refused('history_undo', { calls: [adding] })).toContain(`(call ${changing})`)
    await connected.call('history_undo', { calls: [changing] })
    expect((await connected.call('history_undo', { calls: [adding] })).summary).toBe('"Document": 1 block deleted')
    expect((await connected.call('items_list', { collectionId })).items).toEqual([])
  })

  test('overwrites nothing that another changed later, and names that call', async () => {
    const anna = await connectAs('Anna', await connect())
    const ben = await connectAs('Ben', anna)
    const document = await documentOf(anna, 'words\n\nothers')
    const { words = '', others = '' } = await idsOf(anna, document)
    await anna.call('blocks_update', {
      blocks: [
        { id: words, markdown: 'hers' },
        { id: others, markdown: 'changed' },
      ],
    })
    const hers = await lastCall(anna)
    await ben.call('blocks_update', { blocks: [{ id: words, markdown: 'his' }] })
    const his = await lastCall(ben)
    expect(await anna.refused('history_undo', { calls: [hers] })).toBe(
      `Expected what these calls changed to be as they left it, found it changed later: 2026-11-20T09:00:00Z Ben (tester) blocks_update "Document": 1 block changed (call ${his}). Nothing was written; name those calls as well, or pass skipConflicts to leave these places as they are.`,
    )
    expect(await textsOf(anna, document)).toEqual(['his', 'changed'])
    const dry = await anna.call('history_undo', { calls: [hers], skipConflicts: true, dryRun: true })
    expect(dry.summary).toBe('"Document": 1 block changed')
    expect(await textsOf(anna, document)).toEqual(['his', 'changed'])
    await anna.call('history_undo', { calls: [hers], skipConflicts: true })
    expect(await textsOf(anna, document)).toEqual(['his', 'others'])
    await anna.call('history_undo', { calls: [his] })
    expect(await textsOf(anna, document)).toEqual(['hers', 'others'])
  })

  test('of a connection undoes only its own calls, and repeated goes further back', async () => {
    const base = await connect()
    const anna = await connectAs('Anna', base)
    const ben = await connectAs('Ben', base)
    const document = await documentOf(base, 'words\n\nothers')
    const { words = '', others = '' } = await idsOf(base, document)
    await anna.call('blocks_update', { blocks: [{ id: words, markdown: 'first' }] })
    await ben.call('blocks_delete', { blockIds: [others] })
    const since = await lastCall(ben)
    await anna.call('blocks_update', { blocks: [{ id: words, markdown: 'second' }] })
    await ben.call('history_undo', { connection: 'Anna', since })
    expect(await textsOf(base, document)).toEqual(['first'])
    await ben.call('history_undo', { connection: 'Anna' })
    expect(await textsOf(base, document)).toEqual(['words'])
    await anna.call('history_undo', { connection: 'Ben' })
    expect(await textsOf(base, document)).toEqual(['words', 'others'])
  })

  test('does not restore a value that another call cleared after it was replaced', async () => {
    const anna = await connectAs('Anna', await connect())
    const ben = await connectAs('Ben', anna)
    const collectionId = await collectionOf(anna, [{ name: 'Words', type: 'text' }])
    const [id = ''] = await itemsOf(anna, collectionId, [{ title: 'an item', properties: { words: 'one' } }])
    const set = (by: Connected, words: string | null) =>
      by.call('items_update', { collectionId, itemsToUpdate: [{ id, properties: { words } }] })
    await set(anna, 'two')
    const hers = await lastCall(anna)
    await set(ben, null)
    const his = await lastCall(ben)
    expect(await anna.refused('history_undo', { calls: [hers] })).toContain(`(call ${his})`)
    await anna.call('history_undo', { calls: [hers, his] })
    expect((await anna.call('items_list', { collectionId })).items[0].properties).toEqual({ words: 'one' })
  })

  test('succeeds where another call wrote the old value again', async () => {
    const anna = await connectAs('Anna', await connect())
    const ben = await connectAs('Ben', anna)
    const document = await documentOf(anna, 'one\n\nother')
    const { one: id = '', other = '' } = await idsOf(anna, document)
    await anna.call('blocks_update', {
      blocks: [
        { id, markdown: 'two' },
        { id: other, markdown: 'changed' },
      ],
    })
    const hers = await lastCall(anna)
    await ben.call('blocks_update', { blocks: [{ id, markdown: 'one' }] })
    expect((await anna.call('history_undo', { calls: [hers] })).conflicts).toBeUndefined()
    expect(await textsOf(anna, document)).toEqual(['one', 'other'])
  })

  test('skips all that is inside of what cannot be restored', async () => {
    const anna = await connectAs('Anna', await connect())
    const ben = await connectAs('Ben', anna)
    const document = await documentOf(anna, 'stays')
    const inner = { type: 'page', title: 'inner', content: [{ type: 'text', markdown: 'deep' }] }
    const { items } = await anna.call('blocks_add', {
      blocks: [{ type: 'page', title: 'outer', content: [{ type: 'page', title: 'middle', content: [inner] }] }],
      position: { position: 'end', pageId: document },
    })
    const [{ id: outer, content }] = items
    await anna.call('blocks_delete', { blockIds: [content[0].id] })
    const hers = await lastCall(anna)
    await ben.call('blocks_delete', { blockIds: [outer] })
    const his = await lastCall(ben)
    const undone = await anna.call('history_undo', { calls: [hers], skipConflicts: true })
    expect(undone.summary).toBe('Nothing: all is as it was before.')
    expect(undone.conflicts[0]).toContain(`(call ${his})`)
    expect(undone.laterCalls).toEqual([his])
    await anna.call('history_undo', { calls: [hers, his] })
    expect(Object.keys(await idsOf(anna, document)).sort()).toEqual(['deep', 'inner', 'middle', 'outer', 'stays'])
  })

  test('lists twenty of the later calls that are in its way, and says how many more there are', async () => {
    const anna = await connectAs('Anna', await connect())
    const ben = await connectAs('Ben', anna)
    const { words: id = '' } = await idsOf(anna, await documentOf(anna, 'words'))
    await anna.call('blocks_update', { blocks: [{ id, markdown: 'hers' }] })
    const hers = await lastCall(anna)
    for (let count = 1; count <= 22; count++) {
      await ben.call('blocks_update', { blocks: [{ id, markdown: `his ${count}` }] })
    }
    const message = await anna.refused('history_undo', { calls: [hers] })
    expect(message.match(/blocks_update "Document": 1 block changed/g)).toHaveLength(20)
    expect(message).toContain('; and 2 more calls. Nothing was written')
  })

  test('keeps a document that others wrote to, where it was added, and removes what the calls added to it', async () => {
    const anna = await connectAs('Anna', await connect())
    const ben = await connectAs('Ben', anna)
    const document = await documentOf(anna, 'hers')
    const adding = await lastCall(anna)
    const { items } = await anna.call('folders_add', { folders: [{ name: 'Folder' }] })
    await anna.call('documents_move', { documentIds: [document], destination: { folderId: items[0].id } })
    const moving = await lastCall(anna)
    await ben.call('blocks_add', { markdown: 'his', position: { position: 'end', pageId: document } })
    await anna.call('history_undo', { calls: [adding, moving], skipConflicts: true })
    expect(await textsOf(anna, document)).toEqual(['his'])
    expect((await anna.call('documents_list', { location: 'unsorted' })).items).toMatchObject([{ id: document }])
  })

  test('leaves no block in the inbox that is not a task', async () => {
    const anna = await connectAs('Anna', await connect())
    const document = await documentOf(anna, 'words')
    const { words: id = '' } = await idsOf(anna, document)
    await anna.call('blocks_update', { blocks: [{ id, listStyle: 'task' }] })
    const making = await lastCall(anna)
    await anna.call('tasks_update', { tasksToUpdate: [{ id, location: { type: 'inbox' } }] })
    const moving = await lastCall(anna)
    expect(await anna.refused('history_undo', { calls: [making] })).toContain(`(call ${moving})`)
    await anna.call('history_undo', { calls: [making], skipConflicts: true })
    expect((await anna.call('tasks_list', { scope: 'inbox' })).items).toMatchObject([{ id }])
    await anna.call('history_undo', { calls: [making, moving] })
    expect(await textsOf(anna, document)).toEqual(['words'])
  })

  test('restores no daily note for a day that has another one', async () => {
    const anna = await connectAs('Anna', await connect())
    const add = async () => {
      const position = { position: 'end', date: 'tomorrow' }
      return (await anna.call('blocks_add', { markdown: 'words', position })).items[0].documentId
    }
    const first = await add()
    await anna.call('documents_delete', { documentIds: [first] })
    const deleting = await lastCall(anna)
    const second = await add()
    const adding = await lastCall(anna)
    expect(await anna.refused('history_undo', { calls: [deleting] })).toContain(`(call ${adding})`)
    await anna.call('documents_delete', { documentIds: [second] })
    await anna.call('history_undo', { calls: [deleting] })
    expect((await anna.call('documents_list', { location: 'daily_notes' })).items).toMatchObject([{ id: first }])
  })

  test('rejects calls that were undone already or do not exist, and a request without calls', async () => {
    const connected = await connect()
    const document = await documentOf(connected, 'words')
    const call = await lastCall(connected)
    await connected.call('history_undo', { calls: [call] })
    const undo = await lastCall(connected)
    expect((await connected.call('documents_list', { location: 'trash' })).items).toMatchObject([{ id: document }])
    expect(await connected.refused('history_undo', { calls: [call] })).toBe(
      `Expected calls that still stand, found ${call}, which call ${undo} took back; name that one to have it again.`,
    )
    expect(await connected.refused('history_undo', { calls: ['123456789012'] })).toBe(
      'Expected the ID of a call that this connection sees, found 123456789012; read IDs with history_list and name one of those.',
    )
    expect(await connected.refused('history_undo', { documentId: document })).toBe(
      'Expected calls, or since, connection, link or participant, found both or a document alone; name the calls that are to be taken back.',
    )
    expect(await connected.refused('history_undo', { participant: 'Nobody' })).toBe(
      'Expected calls to take back, found none that still stand; read them with history_list, and name their IDs, a connection, a link or a participant.',
    )
  })

  test('without any names, takes back the last call of the session that is neither an undo nor undone', async () => {
    const space = await connect()
    const session = { hasSession: true as const, connection: 'a' }
    const link = await space.space.createAccessLink('full', [], 'tester')
    const own = await connect('full', { to: space, caller: { link: { ...link, ...session } } })
    const other = await connect('full', { to: space, caller: { link: { ...link, connection: 'b', hasSession: true } } })
    const titles = async () =>
      (await own.call('documents_list')).items
        .filter(({ isDeleted }: Answer) => !isDeleted)
        .map((one: Answer) => one.title)
    for (const title of ['One', 'Two']) await own.call('documents_add', { documents: [{ title }] })
    await other.call('documents_add', { documents: [{ title: 'Of another' }] })
    expect(await own.call('history_undo', { dryRun: true })).toMatchObject({ summary: expect.stringContaining('Two') })
    await own.call('history_undo', {})
    expect(await titles()).toEqual(['One', 'Of another'])
    await own.call('history_undo')
    expect(await titles()).toEqual(['Of another'])
    const last = (await other.call('history_list', { limit: 3 })).items.at(-1)
    expect(await own.refused('history_undo', {})).toBe(
      `Expected calls to take back, found none of this session that still stands; the last ones of this link: ${last.callId} (documents_add, ${last.at}); name those that are meant in calls.`,
    )
    await other.call('history_undo', { skipConflicts: true })
    expect(await titles()).toEqual([])
    expect(await other.refused('history_undo', {})).toBe(
      'Expected calls to take back, found none of this session that still stands; the last ones of this link: there is none.',
    )
  })

  test('without any names and without a session, is refused with the last three calls of the link', async () => {
    const connected = await connect()
    for (const title of ['One', 'Two', 'Three', 'Four'])
      await connected.call('documents_add', { documents: [{ title }] })
    const [four, three, two] = (await connected.call('history_list', {})).items
    const named = [four, three, two].map(({ callId, at }: Answer) => `${callId} (documents_add, ${at})`).join(', ')
    expect(await connected.refused('history_undo', {})).toBe(
      `Expected calls to take back, found none named, and no session whose last call is meant; the last ones of this link: ${named}; name those that are meant in calls.`,
    )
    expect((await connected.call('documents_list')).items).toHaveLength(4)
  })

  test('makes a retried call report that it was undone', async () => {
    const connected = await connect()
    const documents = [{ title: 'Once' }]
    const add = () =>
      connected.client.callTool({
        name: 'documents_add',
        arguments: { documents },
        _meta: { 'scriptorium/idempotencyKey': 'once' },
      })
    await add()
    await connected.call('history_undo', { calls: [await lastCall(connected)] })
    const undo = await lastCall(connected)
    const again = await add()
    expect(again.isError).toBe(true)
    expect((again.content as { text: string }[])[0]?.text).toContain(
      `Expected a call that still stands with the idempotency key "once", found that it was carried out and taken back since, by call ${undo}; nothing was written now, send the call with another key to carry it out again.`,
    )
    expect((await connected.call('documents_list')).items.filter(({ isDeleted }: Answer) => !isDeleted)).toEqual([])
  })

  test('restores a collection with relations, options and views', async () => {
    const connected = await connect()
    const document = await documentOf(connected)
    const position = { position: 'end', pageId: document }
    const made = await connected.call('collections_add', {
      schema: { name: 'People', properties: [{ name: 'Role', type: 'multiSelect', options: [{ name: 'Lead' }] }] },
      position,
    })
    const people = made.collectionBlockId
    const { items } = await connected.call('items_add', {
      collectionId: people,
      items: [{ title: 'Ada', properties: { role: ['Lead'] } }],
    })
    const books = await connected.call('collections_add', {
      schema: { name: 'Books', properties: [{ name: 'Author', type: 'relation', targetCollectionId: people }] },
      position,
    })
    await connected.call('items_add', {
      collectionId: books.collectionBlockId,
      items: [{ title: 'Notes', properties: { author: { relations: [{ blockId: items[0].id }] } } }],
    })
    await connected.call('views_add', { collectionId: people, view: { name: 'All', type: 'table' } })
    const before = await connected.call('blocks_get', { id: document, format: 'markdown' })
    await connected.call('blocks_delete', { blockIds: [people] })
    await connected.call('history_undo', { calls: [await lastCall(connected)] })
    expect(await connected.call('blocks_get', { id: document, format: 'markdown' })).toBe(before)
    expect((await connected.call('views_list', { collectionId: people })).views).toHaveLength(1)
  })
})

test("another participant's reminders are neither shown nor undone, but return with their block", async () => {
  const connected = await connect()
  await connected.space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Ben'))
  const signIn = async (participant: number, name: string) => {
    const link = await connected.space.createAccessLink('full', [], name)
    return connect('full', { to: connected, caller: { link: { ...link, participant, isSignedIn: true } } })
  }
  const [anna, ben] = [await signIn(1, 'Anna'), await signIn(2, 'Ben')]
  const document = await documentOf(anna, 'one')
  const { one: blockId = '' } = await idsOf(anna, document)
  await ben.call('reminders_add', { reminders: [{ blockId, remindAt: '2026-11-25T09:30:00Z' }] })
  const his = await lastCall(ben)
  expect(await callsOf(ben, { limit: 1 })).toMatchObject([{ summary: '"Document": 1 reminder added' }])
  expect(await callsOf(anna, { limit: 1 })).toMatchObject([{ summary: '' }])
  expect(await anna.call('history_undo', { calls: [his] })).toEqual({
    calls: [his],
    summary: 'Nothing: all is as it was before.',
  })
  // The call is still in effect, so he can undo it himself, and redo it.
  expect((await ben.call('history_undo', { calls: [his] })).summary).toBe('"Document": 1 reminder deleted')
  await ben.call('history_undo', { calls: [await lastCall(ben)] })
  await anna.call('blocks_delete', { blockIds: [blockId] })
  const hers = await lastCall(anna)
  expect(await callsOf(anna, { limit: 1 })).toMatchObject([{ summary: '"Document": 1 block deleted' }])
  await anna.call('history_undo', { calls: [hers] })
  expect((await ben.call('reminders_list')).items).toMatchObject([{ blockId }])
})

test('a call stands for the participant whose reminder was left, and for no one else who sees that document', async () => {
  const connected = await connect()
  await connected.space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Ben'))
  const document = await documentOf(connected, 'one')
  const { one: blockId = '' } = await idsOf(connected, document)
  const signIn = async (participant: number) => {
    const link = await connected.space.createAccessLink('selected', [document])
    return connect('selected', {
      ...{ to: connected, documents: [document] },
      caller: { link: { ...link, participant, isSignedIn: true } },
    })
  }
  const [anna, ben] = [await signIn(1), await signIn(2)]
  await ben.call('batch', {
    steps: [
      { tool: 'reminders_add', arguments: { reminders: [{ blockId, remindAt: '2026-11-25T09:30:00Z' }] } },
      { tool: 'blocks_update', arguments: { blocks: [{ id: blockId, markdown: 'two' }] } },
    ],
  })
  const his = await lastCall(ben)
  expect((await anna.call('history_undo', { calls: [his] })).summary).toBe('"Document": 1 block changed')
  expect(await anna.refused('history_undo', { calls: [his] })).toContain('Expected calls that still stand')
  expect((await ben.call('history_undo', { calls: [his] })).summary).toBe('"Document": 1 reminder deleted')
  expect((await ben.call('reminders_list')).items).toEqual([])
  expect(await ben.refused('history_undo', { calls: [his] })).toContain('Expected calls that still stand')
})

test('calls that changed too much are refused, and nothing is undone', async () => {
  const connected = await connect()
  const [document, large] = [await documentOf(connected, 'one'), await documentOf(connected, 'many', 'Large')]
  const { one: id = '' } = await idsOf(connected, document)
  await connected.call('blocks_update', { blocks: [{ id, markdown: 'two' }] })
  const call = await lastCall(connected)
  await connected.space.write(OPERATOR_LINK, ({ tx }) =>
    changeRows(
      tx,
      `INSERT INTO change (call, tbl, kind, row, document)
       WITH RECURSIVE entry (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM entry WHERE i <= ?)
       SELECT (SELECT n FROM write_log WHERE id = ?), 'view', 'insert', i + 1000000000,
         (SELECT n FROM block WHERE id = ?) FROM entry`,
      UNDO_CHANGES,
      ...[Number(call), Number(large)],
    ),
  )
  const refusal =
    'Expected calls that changed at most 200,000 things together, found more; take back fewer of them at once.'
  expect(await connected.refused('history_undo', { calls: [call] })).toBe(refusal)
  expect(await connected.refused('history_undo', { calls: [call], documentId: large })).toBe(refusal)
  expect(await textsOf(connected, document)).toEqual(['two'])
  // What it changed in another document is not counted.
  const within = await connected.call('history_undo', { calls: [call], documentId: document })
  expect(within.summary).toBe('"Document": 1 block changed')
})
