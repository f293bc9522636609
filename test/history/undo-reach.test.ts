/** Undo over a connection that reaches only a part of the space neither changes nor reveals anything else. */
import { describe, expect, test } from 'vitest'
import { type Answer, connect } from '../connect.ts'
import { idsOf } from '../document.ts'
import { itemIn, related, SCENARIOS, to } from './undo-reach-scenarios.ts'
import { answerOf, buildTwin, lastCall, readAll, type Twin } from './undo-twins.ts'

/** Where relations that lead to an item come back with it, or links to a block go with it, as they do with tools. */
const LOSES_LINKS = new Set([
  'a deleted item had relations that lead out of reach',
  'a deleted item had a relation that leads to what was deleted out of reach since',
  'an added block is linked to by an item out of reach',
])

/** What is found by a rehearsal, by an undo, and by one that skips conflicts: see {@link outcomeOf}. */
const refused = (
  why: string,
  skipped = `Nothing: all is as it was before. | ${why.replace('it changed later: ', '')}`,
) => [why, why, skipped]
const done = (summary: string) => [summary, summary, '#, which call # took back']
/** The call is not seen once what it added is gone. */
const removed = (summary: string) => [summary, summary, '#']
const MOVED = 'it changed later: blocks_move D: 1 block moved (call #)'
const UNSEEN = "it changed later: changed later, outside of this connection's reach"
const RELATION = "a relation that leads out of this connection's reach"
const CHANGED_AND_MOVED = [
  'blocks_update D: 1 block changed (call #)',
  'blocks_move D: 1 block moved (call #)',
] as const

const OUTCOMES: Record<string, string[]> = {
  'a block was changed, moved out of reach, and deleted there': refused(MOVED),
  'a block was moved, moved out of reach, and deleted there': refused(MOVED),
  'a block was moved out of reach by the call itself, and deleted there': refused(UNSEEN),
  'a block came from out of reach with the call, after it was changed there': ['#', '#', '#'],
  'a block was changed, and moved elsewhere out of reach before it came back': done('D: 1 block changed'),
  'a deleted block was restored, moved out of reach, and deleted there': Array(3).fill('#, which call # took back'),
  'a deleted block was restored while the call stood, moved out of reach, and deleted there': refused(
    `it changed later: ${CHANGED_AND_MOVED[0]}`,
    ['Nothing: all is as it was before.', ...CHANGED_AND_MOVED].join(' | '),
  ),
  'a deleted comment was restored while the call stood, and moved out of reach with its block': refused(
    `it changed later: ${CHANGED_AND_MOVED[0]}`,
    [
      'Nothing: all is as it was before.',
      CHANGED_AND_MOVED[0],
      'history_undo D: 1 block changed, 1 comment added (call #)',
      CHANGED_AND_MOVED[1],
    ].join(' | '),
  ),
  'the parent of a deleted block was moved out of reach, and deleted there': refused(MOVED),
  'a comment was changed, and deleted with its block out of reach': refused(UNSEEN),
  'an added block is linked to by an item out of reach': removed('D: 1 block deleted'),
  'the call also deleted something out of reach': done('D: 1 block restored'),
  'the call was undone out of reach': done('D: 1 block restored'),
  'the call also changed a relation that leads out of reach': done('D: 1 block changed'),
  'a deleted item had relations that lead out of reach': done('D: 1 block restored'),
  'a deleted item had a relation that leads to what was deleted out of reach since': done('D: 1 block restored'),
  'a relation that leads out of reach was removed, and what it led to was deleted': refused(RELATION),
  'a collection was deleted to which a relation out of reach led': refused(
    RELATION,
    `D: 2 blocks restored, 1 property restored | ${RELATION}`,
  ),
  'a link to a block was set beside one that leads out of reach': done('D: 1 block changed'),
  'a link to a block was replaced by one that leads out of reach': refused(
    UNSEEN,
    "D: 1 block changed | changed later, outside of this connection's reach",
  ),
  'a link to a block was cleared, and one set that leads out of reach': done('D: 1 block changed'),
  'the call also moved the document among folders': removed('D: 1 block deleted'),
  'an added block got a reminder of somebody else': removed('D: 1 block deleted'),
}

/** Daily notes are in no folder. */
const ONLY_SELECTED = ['the call also moved the document among folders']

describe.each(['selected', 'daily'] as const)('undo over a %s connection answers the same where', (kind) => {
  const scenarios = Object.entries(SCENARIOS).filter(([what]) => kind === 'selected' || !ONLY_SELECTED.includes(what))

  test.each(scenarios)('%s, and changes nothing there', async (what, scenario) => {
    const twins = [await buildTwin(false, kind), await buildTwin(true, kind)] as const
    const calls = [await scenario(twins[0]), await scenario(twins[1])] as const
    expect(calls[1]).toEqual(calls[0])
    expect(await readAll(twins[1])).toEqual(await readAll(twins[0]))
    const outcomes: string[] = []
    const hidden = await readHidden(twins[1])
    // Within its document, the connection undoes what it undoes anyway.
    const within = { documentId: twins[0].visible, dryRun: true }
    for (const more of [within, { dryRun: true }, {}, { skipConflicts: true }]) {
      const [one, other] = [
        await answerOf(twins[0], 'history_undo', { calls: calls[0], ...more }),
        await answerOf(twins[1], 'history_undo', { calls: calls[1], ...more }),
      ]
      expect({ more, answer: other }).toEqual({ more, answer: one })
      outcomes.push(outcomeOf(one))
      expect(await readAll(twins[1])).toEqual(await readAll(twins[0]))
    }
    const expected = OUTCOMES[what] ?? []
    expect(outcomes).toEqual([expected[0], ...expected])
    if (!LOSES_LINKS.has(what)) expect(await readHidden(twins[1])).toEqual(hidden)
  })
})

/** The summary and the conflicts, or what was found in place of what was expected; without IDs, times and titles. */
function outcomeOf(answer: Answer): string {
  const text =
    typeof answer === 'string'
      ? (/(?<=, found ).*?(?=\. Nothing|;)/.exec(answer)?.[0] ?? answer)
      : [answer.summary, ...(answer.conflicts ?? [])].join(' | ')
  return text
    .replace(/\d{12}/g, '#')
    .replace(/"[^"]*"/g, 'D')
    .replace(/\d{4}-\S+Z tester \(tester\) /g, '')
}

/** What a full connection reads out of the narrow connection's reach. */
async function readHidden({ full, hidden, visible }: Twin): Promise<Answer> {
  const { items: collections } = await full.call('collections_list', {})
  const away = collections.filter(({ documentId }: Answer) => documentId === hidden)
  const document = await full.call('blocks_get', { id: hidden, format: 'json', fetchMetadata: true, maxDepth: -1 })
  return {
    content: document.content,
    collections: await Promise.all(
      away.map(async ({ id }: Answer) => [
        await full.call('schema_get', { collectionId: id, format: 'schema' }),
        await full.call('items_list', { collectionId: id }),
      ]),
    ),
    place: (await full.call('documents_list', { documentIds: [visible] })).items,
  }
}

const undo = ({ link }: Twin, calls: string[]) => link.call('history_undo', { calls })

test('what a connection undoes as far as it sees it stands for connections that see more, and only for those', async () => {
  const twin = await buildTwin(true, 'selected')
  const { full, link, ids } = twin
  await full.call('blocks_delete', { blockIds: [ids.two, ids.far] })
  const call = await lastCall(full)
  await undo(twin, [call])
  const undoing = await lastCall(full)
  expect(await link.refused('history_undo', { calls: [call] })).toBe(
    `Expected calls that still stand, found ${call}, which call ${undoing} took back; name that one to have it again.`,
  )
  const answer = await full.call('history_undo', { calls: [call] })
  expect(answer.summary).toContain('"Hidden": 1 block restored')
  expect(Object.keys(await idsOf(full, twin.hidden))).toContain('far')
})

test.each([
  ['everywhere', () => ({})],
  ['within its document', ({ visible }: Twin) => ({ documentId: visible })],
])('an item that was deleted comes back with its relations to what is out of reach, undone %s', async (_, within) => {
  const twin = await buildTwin(true, 'selected')
  const { tasks, item, people, ada, bob } = await related(twin)
  const { full } = twin
  const itemsToUpdate = [{ id: item, properties: { who: to(ada, bob) } }]
  await full.call('items_update', { collectionId: tasks, itemsToUpdate })
  const before = await readHidden(twin)
  await twin.link.call('items_delete', { collectionId: tasks, idsToDelete: [item] })
  const call = await lastCall(twin.link)
  // The place of a value that led to the item is taken meanwhile.
  const other = await twin.hide(() => itemIn(twin, tasks, { title: 'Other', properties: { who: to(ada) } }))
  await twin.link.call('history_undo', { calls: [call], ...within(twin) })
  const [taskItems, peopleItems] = await Promise.all(
    [tasks, people].map(async (collectionId) => (await full.call('items_list', { collectionId })).items),
  )
  const relationsOf = (items: Answer[], id: string, key: string) =>
    items.find((one) => one.id === id).properties[key].relations.map(({ blockId }: Answer) => blockId)
  expect(relationsOf(taskItems, item, 'who')).toEqual([ada, bob])
  expect(relationsOf(peopleItems, ada as string, 'tasks')).toEqual([other, item])
  expect(relationsOf(peopleItems, bob as string, 'tasks')).toEqual([item])
  expect((await readHidden(twin)).content.length).toBe(before.content.length)
})

test('a daily note that a daily connection added stays, without what it added to it', async () => {
  const twin = await buildTwin(false, 'daily')
  const { link } = twin
  const position = { position: 'end', date: 'tomorrow' }
  const { items } = await link.call('blocks_add', { markdown: 'new', position })
  const [{ documentId }] = items
  const answer = await undo(twin, [await lastCall(link)])
  expect(answer.summary).toBe('"Saturday, November 21, 2026": 1 block deleted')
  expect((await link.call('blocks_get', { id: documentId })).content ?? []).toEqual([])
  await undo(twin, [await lastCall(link)])
  expect((await link.call('blocks_get', { id: documentId })).content).toMatchObject([{ markdown: 'new' }])
})

test('documents are neither moved nor thrown away by undo over a connection without tools for them', async () => {
  const twin = await buildTwin(false, 'selected')
  const { full, visible } = twin
  const made = await full.space.createAccessLink('selected', [visible], 'everything')
  const { historyFrom: _, ...link } = made
  const caller = { link: { ...link, historyFrom: 0 } }
  const since = await connect('selected', { to: full, documents: [visible], caller })
  const items = (await full.call('history_list', { format: 'json', documentId: visible })).items as Answer[]
  const adding = items.at(-1)?.callId
  expect((await since.call('history_undo', { calls: [adding] })).summary).toBe('"Visible": 4 blocks deleted')
  const [document] = (await full.call('documents_list', { documentIds: [visible] })).items
  expect(document).toMatchObject({ isDeleted: false })
})
