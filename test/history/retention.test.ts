/** How long and how much history is kept: what is removed, and what is not. */
import { expect, test } from 'vitest'
import { forgetHistory } from '../../src/space/forget-history.ts'
import { GivenId } from '../../src/space/model/ids.ts'
import { pruneHistory } from '../../src/space/model/prune-history.ts'
import { type AccessLink, OPERATOR_LINK } from '../../src/space/model/space.ts'
import { eventsAfter, insertEvent, PROPOSAL_WAITING } from '../../storage/events.ts'
import { forgetChangesBefore, forgetLargestHistory } from '../../storage/history-retention.ts'
import { buildSpace } from '../build.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { changeRows } from '../sqlite.ts'
import { writeOnDays } from '../support/written-days.ts'

const DAY = 24 * 3600 * 1000
const MIB = 1024 * 1024

const forgotten = (call: string): string =>
  `Expected calls whose changes are kept, found ${call}, of which they are not any more; leave it out.`

const prune = ({ space }: Connected) => space.write(OPERATOR_LINK, pruneHistory)

/** Changes the only block of a document. Returns the call. */
async function change(connected: Connected, block: string, markdown: string): Promise<string> {
  await connected.call('blocks_update', { blocks: [{ id: block, markdown }] })
  const { items } = await connected.call('history_list', { format: 'json', limit: 1 })
  return items[0].callId
}

async function blockOf(connected: Connected, text: string): Promise<string> {
  const ids = await idsOf(connected, await documentOf(connected, text))
  return ids[text] ?? ''
}

/** Connects to the same space with a separate link. */
async function connectAs(author: string, to: Connected): Promise<Connected> {
  const link: AccessLink = { ...(await to.space.createAccessLink('full', [], author)), id: `link of ${author}` }
  return connect('full', { to, caller: { link } })
}

/** Pretends that the changes of a call have this size. */
const setSize = ({ space }: Connected, call: string, bytes: number) =>
  space.write(OPERATOR_LINK, async ({ tx }) => {
    await changeRows(tx, 'UPDATE write_log SET change_bytes = ? WHERE id = ?', bytes, Number(call))
  })

test('entries older than --keep-history are removed, and younger ones can be undone without them', async () => {
  const built = await buildSpace(undefined, { historyRetention: DAY })
  const connected = await connect('full', { to: built })
  const block = await blockOf(connected, 'one')
  const old = await change(connected, block, 'two')
  await writeOnDays(built, 2)
  const young = await change(connected, block, 'three')
  await prune(connected)
  expect(await connected.refused('history_undo', { calls: [old] })).toBe(forgotten(old))
  await connected.call('history_undo', { calls: [young] })
  expect((await connected.call('blocks_get', { id: block })).markdown).toBe('two')
  // The call is still listed: only what it changed is gone.
  const { items } = await connected.call('history_list', { format: 'json' })
  expect(items.map(({ callId }: Answer) => callId)).toContain(old)
})

test('events are removed with the calls before which they were recorded, except the last, whose number counts', async () => {
  const connected = await connect()
  const record = (subject: number) =>
    connected.space.write(OPERATOR_LINK, ({ tx }) =>
      insertEvent(tx, { at: connected.clock.now, kind: PROPOSAL_WAITING, subject }),
    )
  const subjects = () =>
    connected.space.read(OPERATOR_LINK, async ({ tx }) =>
      (await eventsAfter(tx, 0, 10)).map(({ n, subject }) => ({ n, subject })),
    )
  for (const subject of [11, 12]) await record(subject)
  for (const title of ['A', 'B']) await documentOf(connected, 'words', title)
  await connected.space.write(OPERATOR_LINK, ({ tx }) => forgetChangesBefore(tx, connected.clock.now, 10))
  expect(await subjects()).toEqual([{ n: 2, subject: 12 }])
  await record(13)
  expect(await subjects()).toEqual([
    { n: 2, subject: 12 },
    { n: 3, subject: 13 },
  ])
})

test('a client that fills the history loses its own oldest changes, as few as needed, and others lose none', async () => {
  const anna = await connectAs('Anna', await connect())
  const ben = await connectAs('Ben', anna)
  const [hers, his] = [await blockOf(anna, 'hers'), await blockOf(ben, 'his')]
  const kept = await change(ben, his, 'his, changed')
  const calls: string[] = []
  for (const text of ['a', 'b', 'c', 'd']) calls.push(await change(anna, hers, text))
  for (const call of calls) await setSize(anna, call, 100 * MIB)
  await setSize(ben, kept, 10 * MIB)
  await prune(anna)
  // 410 MiB in total; removing the two oldest leaves less than 256.
  const [first = '', second = '', third = '', fourth = ''] = calls
  expect(await anna.refused('history_undo', { calls: [first] })).toBe(forgotten(first))
  expect(await anna.refused('history_undo', { calls: [second] })).toBe(forgotten(second))
  await anna.call('history_undo', { calls: [third, fourth] })
  expect((await anna.call('blocks_get', { id: hers })).markdown).toBe('b')
  await ben.call('history_undo', { calls: [kept] })
  expect((await ben.call('blocks_get', { id: his })).markdown).toBe('his')
})

test('no more is removed than the bytes that are wanted', async () => {
  const connected = await connect()
  const block = await blockOf(connected, 'words')
  const calls: string[] = []
  for (const text of ['a', 'b', 'c']) calls.push(await change(connected, block, text))
  const [adding] = (await connected.call('history_list', { format: 'json' })).items.slice(-1)
  await setSize(connected, adding.callId, 0)
  for (const call of calls) await setSize(connected, call, 100)
  await connected.space.write(OPERATOR_LINK, ({ tx }) => forgetLargestHistory(tx, 100, 10))
  const [first = '', second = '', third = ''] = calls
  expect(await connected.refused('history_undo', { calls: [first] })).toBe(forgotten(first))
  await connected.call('history_undo', { calls: [second, third] })
})

test('what came before a removed change is not undone over it', async () => {
  const anna = await connectAs('Anna', await connect())
  const ben = await connectAs('Ben', anna)
  const block = await blockOf(anna, 'one')
  const before = await change(anna, block, 'two')
  const large = await change(ben, block, 'three')
  await setSize(ben, large, 300 * MIB)
  await prune(anna)
  expect(await anna.refused('history_undo', { calls: [large] })).toBe(forgotten(large))
  expect(await anna.refused('history_undo', { calls: [before] })).toContain(
    `blocks_update "Document": 1 block changed (call ${large})`,
  )
  expect((await anna.call('blocks_get', { id: block })).markdown).toBe('three')
})

test('what is forgotten of one document leaves what the same call changed in another', async () => {
  const connected = await connect()
  const [one, two] = [await blockOf(connected, 'one'), await blockOf(connected, 'two')]
  const blocks = [one, two].map((id) => ({ id, markdown: 'changed' }))
  await connected.call('blocks_update', { blocks })
  const { items } = await connected.call('history_list', { format: 'json', limit: 1 })
  const { callId, documents } = items[0]
  // Of the document of the first block, which is the older one.
  await forgetHistory(connected.space, { documentId: new GivenId(documents[0].documentId) }, async () => {})
  await connected.call('history_undo', { calls: [callId], skipConflicts: true })
  const texts = await Promise.all([one, two].map(async (id) => (await connected.call('blocks_get', { id })).markdown))
  expect(texts).toEqual(['changed', 'two'])
})
