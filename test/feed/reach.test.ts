/** What narrow links see in the feed: changes within their current reach, and nothing else. */
import { describe, expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { type BuiltSpace, buildSpace, counter } from '../build.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { serveBuilt } from '../http/serving.ts'
import { type Asker, askerOf } from '../rest/rest-asker.ts'
import { cursorNow, page, readAll, withoutCursors } from './reading-feed.ts'

const endOf = (pageId: string) => ({ position: 'end', pageId })
const TO_UNSORTED = { destination: { destination: 'unsorted' } }

/** A full connection that writes, and a selected one that reads the changes of one document. */
async function narrow(): Promise<{ full: Connected; shown: string; hidden: string; asker: Asker }> {
  const full = await connect()
  const [shown, hidden] = [await documentOf(full, 'seen', 'Shown'), await documentOf(full, 'secret', 'Hidden')]
  return { full, shown, hidden, asker: await askerOf({ to: full, kind: 'selected', documents: [shown] }) }
}

/** The part of an item that says where it happened. */
const placesOf = ({ documents, newDocuments, goneDocuments, made, changed, moved, deleted }: Answer): Answer =>
  JSON.parse(JSON.stringify({ documents, newDocuments, goneDocuments, made, changed, moved, deleted }))

describe('a selected link', () => {
  test('sees no running numbers of calls within its reach, and nothing of others', async () => {
    const { full, shown, hidden, asker } = await narrow()
    const cursor = await cursorNow(asker.ask)
    await full.call('blocks_add', { markdown: 'x', position: endOf(hidden) })
    await full.call('blocks_add', { markdown: 'y', position: endOf(shown) })
    await full.call('folders_add', { folders: [{ name: 'Work' }] })
    const [item, ...others] = await readAll(asker.ask, cursor)
    expect(others).toEqual([])
    expect(withoutCursors([item])).toEqual([
      {
        type: 'call.committed',
        callId: '900000000004',
        at: '2026-11-20T09:00:00.000Z',
        author: 'tester',
        client: 'tester',
        tool: 'blocks_add',
        summary: '"Shown": 1 block added',
        documents: [{ documentId: shown, title: 'Shown' }],
        made: [expect.any(String)],
      },
    ])
  })

  test('sees only its own part of a call that changed more', async () => {
    const { full, shown, hidden, asker } = await narrow()
    const [{ seen = '' }, { secret = '' }] = [await idsOf(full, shown), await idsOf(full, hidden)]
    const cursor = await cursorNow(asker.ask)
    await full.call('blocks_delete', { blockIds: [seen, secret] })
    expect((await readAll(asker.ask, cursor)).map(placesOf)).toEqual([
      { documents: [{ documentId: shown, title: 'Shown' }], deleted: [seen] },
    ])
  })

  test('sees blocks that come from a hidden document as created, and those that go there as moved', async () => {
    const { full, shown, hidden, asker } = await narrow()
    const [{ seen = '' }, { secret = '' }] = [await idsOf(full, shown), await idsOf(full, hidden)]
    const cursor = await cursorNow(asker.ask)
    await full.call('blocks_move', { blockIds: [secret], position: endOf(shown) })
    await full.call('blocks_move', { blockIds: [seen], position: endOf(hidden) })
    const response = await readAll(asker.ask, cursor)
    const documents = [{ documentId: shown, title: 'Shown' }]
    expect(response.map(placesOf)).toEqual([
      { documents, made: [secret] },
      { documents, moved: [seen] },
    ])
    expect(response[0].summary).toBe('"Shown": 1 block added')
    expect(JSON.stringify(response)).not.toContain('Hidden')
  })

  test('sees its document go to the trash without a title, nothing while it is there, and a new document when it returns', async () => {
    const { full, shown, asker } = await narrow()
    const cursor = await cursorNow(asker.ask)
    await full.call('documents_delete', { documentIds: [shown] })
    const gone = { documents: [], deleted: [shown], goneDocuments: [shown] }
    const response = await readAll(asker.ask, cursor)
    expect(response.map(placesOf)).toEqual([gone])
    expect(response[0].summary).toBe('a deleted document: moved to the trash')
    await full.call('blocks_add', { markdown: 'in the trash', position: endOf(shown) })
    expect(await readAll(asker.ask, response[0].cursor)).toEqual([])
    const trashed = (await page(asker.ask, `cursor=${response[0].cursor}`)).cursor
    await full.call('documents_move', { documentIds: [shown], ...TO_UNSORTED })
    expect((await readAll(asker.ask, trashed)).map(placesOf)).toEqual([
      { documents: [{ documentId: shown, title: 'Shown' }], newDocuments: [shown] },
    ])
  })

  test('sees nothing of another participant’s reminders on its blocks', async () => {
    const { full, shown, asker } = await narrow()
    const { seen: blockId = '' } = await idsOf(full, shown)
    await full.space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Ben'))
    const link = { ...(await full.space.createAccessLink('full', [], 'Ben')), participant: 2, isSignedIn: true }
    const ben = await connect('full', { to: full, caller: { link } })
    const cursor = await cursorNow(asker.ask)
    await ben.call('reminders_add', { reminders: [{ blockId }] })
    expect(await readAll(asker.ask, cursor)).toEqual([])
  })
})

describe('a daily link', () => {
  test('sees notes that are created, deleted and restored, tasks of the inbox, and no other document', async () => {
    const full = await connect()
    const other = await documentOf(full, 'words', 'Other')
    const asker = await askerOf({ to: full, kind: 'daily' })
    let cursor = await cursorNow(asker.ask)
    /** What a reader that keeps up sees of a call. */
    const eventOf = async (name: string, args: object): Promise<Answer> => {
      await full.call(name, args)
      const answer = await page(asker.ask, `cursor=${cursor}`)
      cursor = answer.cursor
      expect(JSON.stringify(answer)).not.toContain('Other')
      expect(JSON.stringify(answer)).not.toContain(other)
      return answer.items.map(({ newDocuments, goneDocuments }: Answer) => [newDocuments, goneDocuments])
    }
    const markdown = 'x'
    const made = await eventOf('blocks_add', { markdown, position: { position: 'end', date: '2026-11-20' } })
    const note = (await full.call('documents_list', { location: 'daily_notes' })).items[0].id
    expect(made).toEqual([[[note], undefined]])
    const documentIds = [note, other]
    expect(await eventOf('documents_delete', { documentIds })).toEqual([[undefined, [note]]])
    expect(await eventOf('blocks_add', { markdown, position: endOf(note) })).toEqual([])
    expect(await eventOf('documents_move', { documentIds, ...TO_UNSORTED })).toEqual([[[note], undefined]])
    expect(
      await eventOf('documents_move', { documentIds: [other], destination: { destination: 'templates' } }),
    ).toEqual([])
    expect(await eventOf('tasks_add', { tasks: [{ markdown: 'buy milk' }] })).toHaveLength(1)
  })
})

describe('a link whose reach changes', () => {
  test('sees changes of a newly reachable document from then on', async () => {
    const serving = await serveBuilt()
    const full = await connect('full', { to: serving })
    const [one, other] = [await documentOf(full, '', 'One'), await documentOf(full, '', 'Other')]
    const { ask } = await serving.link({ kind: 'selected', documents: [one] })
    await full.call('blocks_add', { markdown: 'before', position: endOf(other) })
    const cursor = await cursorNow(ask)
    await full.call('blocks_add', { markdown: 'in one', position: endOf(one) })
    const wide = await serving.link({ kind: 'selected', documents: [one, other] })
    await full.call('blocks_add', { markdown: 'after', position: endOf(other) })
    expect((await readAll(ask, cursor)).map(({ summary }) => summary)).toEqual(['"One": 1 block added'])
    // Nothing from before it was exposed, whatever the link requests.
    expect((await readAll(wide.ask, 'start')).map(({ summary }) => summary)).toEqual(['"Other": 1 block added'])
  })
})

describe('two spaces that differ only in hidden documents', () => {
  /** Visible calls have the same IDs in both; `hiddenCalls` is the number of hidden ones. */
  async function twin(hiddenCalls: number): Promise<{ built: BuiltSpace; asker: Asker; cursor: string }> {
    let isHidden = false
    const [seenIds, hiddenIds] = [counter(), counter()]
    const chosen = () => (isHidden ? hiddenIds : seenIds)
    const built = await buildSpace(':memory:', {
      newUuid: () => seenIds.newUuid(),
      generateIds: (count) =>
        chosen()
          .generateIds(count)
          .map((id) => (isHidden ? id + 500_000_000_000 : id)),
      generateCallId: () => chosen().generateCallId() + (isHidden ? 50_000_000_000 : 0),
    })
    built.space.info.secret = '5'.repeat(64)
    const full = await connect('full', { to: built })
    let hidden = ''
    const hide = async () => {
      isHidden = true
      hidden ||= await documentOf(full, 'secret', 'Hidden')
      for (let call = 0; call < hiddenCalls; call++) {
        await full.call('blocks_add', { markdown: `secret ${call}`, position: endOf(hidden) })
      }
      isHidden = false
    }
    const shown = await documentOf(full, 'seen', 'Shown')
    const asker = await askerOf({ to: built, kind: 'selected', documents: [shown] })
    const cursor = await cursorNow(asker.ask)
    await hide()
    await full.call('blocks_add', { markdown: 'x', position: endOf(shown) })
    await hide()
    await full.call('documents_delete', { documentIds: [shown] })
    await full.call('documents_move', { documentIds: [shown], ...TO_UNSORTED })
    await hide()
    const comments = [{ blockId: shown, content: 'words' }]
    await full.call('comments_add', { comments })
    return { built, asker, cursor }
  }

  test('return the same bytes, except for the sealed cursors, which have equal length', async () => {
    const messages: string[] = []
    for (const hiddenCalls of [1, 20]) {
      const { asker, cursor } = await twin(hiddenCalls)
      const pages: string[] = []
      for (let next = cursor, hasMore = true; hasMore; ) {
        const { text, json } = await asker.ask(`GET /changes?ids=short&limit=2&cursor=${next}`)
        pages.push(text.replaceAll(/"cursor":"([\w-]+)"/g, (_, sealed: string) => `"cursor":${sealed.length}`))
        next = json.cursor
        hasMore = json.hasMore
      }
      messages.push(pages.join('\n'))
    }
    expect(messages[0]).toBe(messages[1])
    expect(messages[0]).toContain('comments_add')
  })
})
