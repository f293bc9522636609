/** Claims: who holds which item or task, and until when. */

import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { statement } from '../../../storage/statement.ts'
import { type BuiltSpace, buildSpace, NOW, TEST_DATABASE, withShortIds } from '../../build.ts'
import { type Connected, connect } from '../../connect.ts'
import { serveBuilt } from '../../http/serving.ts'

const PROPERTIES = [
  { name: 'Status', type: 'singleSelect', options: [{ name: 'To do' }, { name: 'Doing' }, { name: 'Done' }] },
  { name: 'Owner', type: 'text' },
]
const WAITING = [{ property: 'status', filterType: 'select_isAnyOf', filterValue: ['To do'] }]
const START = { status: 'Doing' }

/** A board with some cards to do, and two connections to it. */
async function board(count = 3, properties: object[] = PROPERTIES) {
  const to = await buildSpace()
  const one = await connect('full', { to, caller: { link: await linkOf(to, 'one') } })
  const two = await connect('full', { to, caller: { link: await linkOf(to, 'two') } })
  const { items: documents } = await one.call('documents_add', { documents: [{ title: 'Board' }] })
  const { collectionBlockId: collectionId } = await one.call('collections_add', {
    schema: { name: 'Cards', properties },
    position: { position: 'end', pageId: documents[0].id },
  })
  const cards = Array.from({ length: count }, (_, index) => ({
    title: `Card ${index + 1}`,
    properties: { status: 'To do' },
  }))
  const { items } = await one.call('items_add', { collectionId, items: cards })
  return {
    ...to,
    one,
    two,
    collectionId,
    documentId: documents[0].id,
    ids: items.map(({ id }: { id: string }) => id) as string[],
  }
}

const linkOf = async ({ space }: BuiltSpace, name: string) => ({
  ...(await space.createAccessLink('full', [], `Agent ${name}`)),
  connection: name,
})

const END = statement(() => sql`UPDATE lease SET ends_at = 0`)
/** Ends the time of all leases, on either engine. */
const endTime = ({ space }: Pick<BuiltSpace, 'space'>) => space.write(OPERATOR_LINK, ({ tx }) => tx.run(END))

const valuesOf = async ({ call }: Connected, collectionId: string, key: string) =>
  (await call('items_list', { collectionId })).items.map(
    ({ properties }: { properties: object }) => properties[key as never],
  )

test('a claim takes the first free items that match, sets values, and answers them with their content', async () => {
  const { one, two, collectionId, ids } = await board()
  await one.call('blocks_add', { position: { position: 'end', pageId: ids[0] }, markdown: 'Call the port' })
  const claimed = await one.call('items_claim', { collectionId, filters: WAITING, set: START, count: 2 })
  expect(claimed.items).toMatchObject([
    { id: ids[0], title: 'Card 1', properties: { status: 'Doing' }, content: [{ markdown: 'Call the port' }] },
    { id: ids[1], title: 'Card 2', properties: { status: 'Doing' } },
  ])
  expect(claimed.until).toBe('2026-11-20T09:15:00.000Z')
  const [first, second] = claimed.items.map(({ fence }: { fence: number }) => fence)
  expect(second).toBe(first + 1)
  const rest = await two.call('items_claim', { collectionId, filters: WAITING, set: START, count: 2 })
  expect(rest.items.map(({ id }: { id: string }) => id)).toEqual([ids[2]])
  expect(rest.items[0].fence).toBeGreaterThan(second)
  expect(await two.call('items_claim', { collectionId })).toEqual({ items: [] })
})

test('items_list says who holds what since when, and finds what the connection itself holds', async () => {
  const { one, two, collectionId, ids } = await board()
  const { items } = await one.call('items_claim', { collectionId })
  const shown = await two.call('items_list', { collectionId })
  expect(shown.items[0].heldBy).toEqual({
    ...{ name: 'Agent one', client: 'tester', fence: items[0].fence },
    ...{ since: '2026-11-20T09:00:00.000Z', until: expect.stringMatching(/^2026-11-20T09:1[45]/) },
  })
  expect(shown.items[1]).not.toHaveProperty('heldBy')
  const mine = await one.call('items_list', { collectionId, heldBy: 'me' })
  expect(mine.items).toMatchObject([{ id: ids[0], heldBy: { fence: items[0].fence, isMine: true } }])
  expect((await two.call('items_list', { collectionId, heldBy: 'me' })).items).toEqual([])
  const table = await two.client.callTool({ name: 'items_list', arguments: { collectionId, format: 'markdown' } })
  expect(JSON.stringify(table.content)).toContain(`${ids[0]} is held by \\"Agent one (tester)\\" until`)
})

test('when a lease ends, only the values that still stand as the claim wrote them return', async () => {
  const built = await board()
  const { one, two, collectionId, ids } = built
  const { items } = await one.call('items_claim', { collectionId, set: { status: 'Doing', owner: 'one' }, count: 2 })
  await one.call('items_update', {
    collectionId,
    itemsToUpdate: [{ id: ids[0], fence: items[0].fence, properties: { status: 'Done' } }],
  })
  await endTime(built)
  // Reads show the rows as free before anything is written.
  expect((await two.call('items_list', { collectionId })).items[0]).not.toHaveProperty('heldBy')
  expect(await valuesOf(two, collectionId, 'status')).toEqual(['Done', 'Doing', 'To do'])
  const taken = await two.call('items_claim', { collectionId, filters: WAITING })
  expect(taken.items).toMatchObject([{ id: ids[1], properties: { status: 'To do' } }])
  expect(await valuesOf(two, collectionId, 'status')).toEqual(['Done', 'To do', 'To do'])
  expect(await valuesOf(two, collectionId, 'owner')).toEqual([undefined, undefined, undefined])
  const { items: calls } = await two.call('history_list', { format: 'json' })
  expect(calls.map(({ tool, author }: { tool: string; author: string }) => `${author} ${tool}`).slice(0, 2)).toEqual([
    'Agent two items_claim',
    'scriptorium claim_ended',
  ])
})

test('an outdated fence is a conflict that says who holds the row, and a current one renews the lease', async () => {
  const built = await board()
  const { one, two, clock, collectionId, ids } = built
  const [{ fence }] = (await one.call('items_claim', { collectionId, lease: 60 })).items
  clock.now += 50_000
  const change = (properties: object, more: object = {}) => ({
    collectionId,
    itemsToUpdate: [{ id: ids[0], fence, properties, ...more }],
  })
  await one.call('items_update', change({ owner: 'one' }))
  clock.now += 50_000
  expect((await two.call('items_list', { collectionId })).items[0].heldBy).toMatchObject({ fence })
  await endTime(built)
  expect(await one.refused('items_update', change({ owner: 'late' }))).toBe(
    `At itemsToUpdate[0].fence: Expected ${fence} to be the current fence of item ${ids[0]}, found that its lease has ended; nothing was written, stop working on it or claim again.`,
  )
  const [{ fence: newer }] = (await two.call('items_claim', { collectionId })).items
  expect(newer).toBeGreaterThan(fence)
  expect(await one.refused('items_update', change({ owner: 'late' }))).toContain(
    'found that it is held by "Agent two (tester)" until',
  )
  expect(await valuesOf(two, collectionId, 'owner')).toEqual(['one', undefined, undefined])
  const both = {
    collectionId,
    partial: true,
    itemsToUpdate: [
      { id: ids[0], fence, properties: { owner: 'late' } },
      { id: ids[1], properties: { owner: 'one' } },
    ],
  }
  const { items, conflicts } = await one.call('items_update', both)
  expect(items.map(({ id }: { id: string }) => id)).toEqual([ids[1]])
  expect(conflicts).toMatchObject([{ index: 0, id: ids[0], found: { owner: 'one' } }])
})

test('release frees the row in the transaction of its last change, and keeps what was written', async () => {
  const { one, two, collectionId, ids } = await board(1)
  const [{ fence }] = (await one.call('items_claim', { collectionId, set: START })).items
  const done = { id: ids[0], fence, release: true, properties: { owner: 'one' } }
  await one.call('items_update', { collectionId, itemsToUpdate: [done] })
  expect((await two.call('items_list', { collectionId })).items).toMatchObject([
    { properties: { status: 'Doing', owner: 'one' } },
  ])
  expect((await two.call('items_claim', { collectionId })).items).toHaveLength(1)
  expect(await one.refused('items_update', { collectionId, itemsToUpdate: [done] })).toContain(
    'found that it is held by',
  )
  expect(await one.refused('items_update', { collectionId, itemsToUpdate: [{ id: ids[0], release: true }] })).toBe(
    `At itemsToUpdate[0].fence: Expected the fence of item ${ids[0]} with release, found none; send that of the claim.`,
  )
})

test('renew extends leases and release gives rows back as they were', async () => {
  const { one, two, clock, collectionId, ids } = await board()
  const { items } = await one.call('items_claim', { collectionId, set: START, count: 2, lease: 60 })
  const rows = items.map(({ id, fence }: { id: string; fence: number }) => ({ id, fence }))
  clock.now += 30_000
  expect(await one.call('items_claim', { renew: rows.slice(0, 1), release: rows.slice(1) })).toEqual({
    ...{ items: rows.slice(0, 1), until: '2026-11-20T09:01:30.000Z', released: [ids[1]] },
  })
  expect(await valuesOf(two, collectionId, 'status')).toEqual(['Doing', 'To do', 'To do'])
  expect(await one.refused('items_claim', { renew: rows })).toContain('Expected')
  const partly = await one.call('items_claim', { renew: rows, lease: 600, partial: true })
  expect(partly).toMatchObject({
    items: rows.slice(0, 1),
    until: '2026-11-20T09:10:30.000Z',
    conflicts: [{ index: 1, id: ids[1] }],
  })
  expect(await one.refused('items_claim', { renew: rows, collectionId })).toBe(
    'At collectionId: Expected renew and release without collectionId, found both; claim new rows in a call of its own.',
  )
})

test('a write without a fence goes through, and its answer names the holder', async () => {
  const { one, two, collectionId, ids } = await board()
  await one.call('items_claim', { collectionId })
  const update = { collectionId, itemsToUpdate: [{ id: ids[0], properties: { owner: 'two' } }] }
  const { content } = await two.client.callTool({ name: 'items_update', arguments: update })
  expect(JSON.stringify(content)).toContain(`${ids[0]} is held by`)
  expect(await valuesOf(two, collectionId, 'owner')).toEqual(['two', undefined, undefined])
  const own = await one.client.callTool({ name: 'items_update', arguments: update })
  expect(JSON.stringify(own.content)).not.toContain('is held by')
})

test('tasks are claimed without a collection, closed with their fence, and given back', async () => {
  const to = await buildSpace()
  const one = await connect('full', { to, caller: { link: await linkOf(to, 'one') } })
  const two = await connect('full', { to, caller: { link: await linkOf(to, 'two') } })
  const { items: added } = await one.call('tasks_add', {
    tasks: [{ markdown: 'First' }, { markdown: 'Second' }].map((task) => ({
      ...task,
      taskInfo: { scheduleDate: 'today' },
    })),
  })
  const { items } = await one.call('items_claim', { count: 1 })
  expect(items).toMatchObject([{ id: added[0].id, markdown: '- [ ] First' }])
  expect((await two.call('tasks_list', { scope: 'active' })).items[0].heldBy).toMatchObject({ name: 'Agent one' })
  expect((await two.call('items_claim', { count: 5, scope: 'inbox' })).items).toMatchObject([{ id: added[1].id }])
  const close = { id: added[0].id, fence: items[0].fence, release: true, taskInfo: { state: 'done' } }
  await one.call('tasks_update', { tasksToUpdate: [close] })
  expect(await one.refused('tasks_update', { tasksToUpdate: [close] })).toContain('found that its lease has ended')
  expect(await two.call('items_claim', { scope: 'inbox' })).toEqual({ items: [] })
})

test('a claim is refused where it makes no sense', async () => {
  const { one, space, collectionId, documentId, ...to } = await board()
  const refused = async (kind: 'full' | 'selected' | 'daily', access: 'full' | 'propose' | 'read', args: object) => {
    const documents = kind === 'selected' ? [documentId] : []
    const connection = await connect(kind, { to: { space, clock: to.clock }, access, documents })
    return connection.refused('items_claim', args)
  }
  expect(await refused('full', 'propose', { collectionId })).toBe(
    'Expected a link whose calls take effect at once, found one with access propose, which items_claim is not for; a row cannot be held while a person decides, so propose the change with items_update and expected.',
  )
  expect(await refused('full', 'read', { collectionId })).toContain('found one with access read')
  expect(await refused('selected', 'full', {})).toBe(
    'At collectionId: Expected the ID of a collection, found none; this connection reaches no other tasks.',
  )
  expect(await one.refused('items_claim', { filters: WAITING })).toBe(
    'At filters: Expected collectionId with filters, found none; without it, tasks are claimed by scope.',
  )
  expect(await one.refused('items_claim', { collectionId, set: { title: 'x' } })).toBe(
    'At set: Expected properties, found a title; a claim marks items, change titles with items_update.',
  )
  expect(await one.refused('items_claim', { collectionId, set: { status: 'Nope' } })).toContain('At set.status: ')
  expect(await one.refused('items_claim', { collectionId, lease: 86_401 })).toContain('At lease: ')
})

test('a narrow link neither sees nor claims what is out of its reach', async () => {
  const { one, space, clock, collectionId } = await board()
  const { items: others } = await one.call('documents_add', { documents: [{ title: 'Other' }] })
  const narrow = await connect('selected', { to: { space, clock }, documents: [others[0].id] })
  const missing = await narrow.refused('items_claim', { collectionId: '199999999999' })
  expect((await narrow.refused('items_claim', { collectionId })).replace(collectionId, '199999999999')).toBe(missing)
  const [{ id, fence }] = (await one.call('items_claim', { collectionId })).items
  const release = { release: [{ id, fence }] }
  expect(await narrow.refused('items_claim', release)).toBe(
    `At release[0].fence: Expected ${fence} to be the current fence of row ${id}, found that its lease has ended; nothing was written, stop working on it or claim again.`,
  )
  expect((await one.call('items_list', { collectionId, heldBy: 'me' })).items).toHaveLength(1)
})

test('a title column named Release can still be written under its key', async () => {
  const { one } = await board()
  const { items: documents } = await one.call('documents_add', { documents: [{ title: 'Releases' }] })
  const { collectionBlockId: collectionId } = await one.call('collections_add', {
    schema: { name: 'Releases', contentPropDetails: { name: 'Release' }, properties: [] },
    position: { position: 'end', pageId: documents[0].id },
  })
  const { items } = await one.call('items_add', { collectionId, items: [{ title: 'v1' }] })
  await one.call('items_update', { collectionId, itemsToUpdate: [{ id: items[0].id, release: 'v2' }] })
  expect((await one.call('items_list', { collectionId })).items[0].title).toBe('v2')
})

test('a claim that is repeated with its key gives the same rows, and never an outdated fence', async () => {
  const built = await board()
  const serving = await serveBuilt({ to: built })
  const { ask } = await serving.link()
  const claim = async (key: string, path = 'POST /items/claim', body: object = { collectionId: built.collectionId }) =>
    ask(path, body, { 'idempotency-key': key })
  const first = await claim('a')
  expect(first.json.items).toHaveLength(1)
  expect((await claim('a')).json).toEqual(first.json)
  const steps = { steps: [{ tool: 'items_claim', arguments: { collectionId: built.collectionId } }] }
  const batch = await claim('b', 'POST /batch', steps)
  expect(batch.json.items[0].answer.items[0].id).not.toBe(first.json.items[0].id)
  expect((await claim('b', 'POST /batch', steps)).json).toEqual(batch.json)
  await endTime(built)
  for (const again of [await claim('a'), await claim('b', 'POST /batch', steps)]) {
    expect(again.status).toBe(409)
    expect(again.json.error).toContain('has ended; nothing was written, claim again with another key.')
  }
})

test('undoing a claim releases it, and the feed says how leases ended', async () => {
  const built = await board()
  const { one, two, collectionId, ids } = built
  const serving = await serveBuilt({ to: built })
  const { ask } = await serving.link()
  const { cursor } = (await ask('GET /changes')).json
  await one.call('items_claim', { collectionId, set: START })
  const { items: calls } = await one.call('history_list', { format: 'json', limit: 1 })
  await two.call('history_undo', { calls: [calls[0].callId] })
  expect((await two.call('items_list', { collectionId })).items[0]).toMatchObject({ properties: { status: 'To do' } })
  const [{ fence }] = (await one.call('items_claim', { collectionId })).items
  await two.call('items_claim', { release: [{ id: ids[0], fence }] })
  await one.call('items_claim', { collectionId })
  await endTime(built)
  await built.space.endLeases()
  const { items } = (await ask(`GET /changes?cursor=${encodeURIComponent(cursor)}`)).json
  const ended = JSON.parse(withShortIds(JSON.stringify(items))).filter(
    ({ type }: { type: string }) => type === 'lease.ended',
  )
  expect(ended).toMatchObject(
    ['undone', 'takenBack', 'expired'].map((reason) => ({
      reason,
      blockId: ids[0],
      name: 'Agent one',
      client: 'tester',
    })),
  )
  expect(ended[1].fence).toBe(fence)
})

test('setting the time of day ends no lease and extends none', async () => {
  const steady = { now: 1_000 }
  const built = await buildSpace(':memory:', { steadyClock: () => steady.now })
  const { call } = await connect('full', { to: built })
  await call('tasks_add', { tasks: [{ markdown: 'First', taskInfo: { scheduleDate: 'today' } }] })
  await call('items_claim', { lease: 60 })
  const isHeld = async () => 'heldBy' in (await call('tasks_list', { scope: 'inbox' })).items[0]
  for (const minutes of [10, -10]) {
    built.clock.now = NOW + minutes * 60_000
    expect([minutes, await isHeld()]).toEqual([minutes, true])
    expect(await call('items_claim', { scope: 'inbox' })).toEqual({ items: [] })
  }
  if (TEST_DATABASE !== undefined) return
  // The machine has started again: what it showed before is no time that has passed.
  steady.now = 0
  await built.space.endLeases()
  steady.now = 59_000
  expect(await isHeld()).toBe(true)
  steady.now = 60_000
  expect(await isHeld()).toBe(false)
})

test('changes, moves and deletions without a fence name the holder', async () => {
  const { one, two, collectionId, ids, documentId } = await board()
  await one.call('items_claim', { collectionId, count: 3 })
  const notesOf = async (name: string, args: object) => {
    const { content } = await two.client.callTool({ name, arguments: args as Record<string, unknown> })
    return (content as { text: string }[]).slice(1).map(({ text }) => text)
  }
  const held = (id: string | undefined, done: string) => `${id} ${done} held by "Agent one (tester)" until `
  const position = { position: 'start', pageId: collectionId }
  const cases: [name: string, args: object, noted: string][] = [
    ['blocks_update', { blocks: [{ id: ids[0], markdown: 'Renamed' }] }, held(ids[0], 'is')],
    ['blocks_move', { blockIds: [ids[0]], position }, held(ids[0], 'is')],
    ['items_delete', { collectionId, idsToDelete: [ids[0]] }, held(ids[0], 'was')],
    ['blocks_delete', { blockIds: [ids[1]] }, held(ids[1], 'was')],
  ]
  for (const [name, args, noted] of cases) expect((await notesOf(name, args)).join(' '), name).toContain(noted)
  const { items } = await one.call('tasks_add', {
    tasks: [{ markdown: 'Dig', location: { type: 'document', documentId } }],
  })
  await one.call('items_claim', { documentId })
  expect((await notesOf('tasks_delete', { idsToDelete: [items[0].id] })).join(' ')).toContain(held(items[0].id, 'was'))
})

test('tasks_list finds the tasks that the connection itself holds', async () => {
  const { one, two } = await board()
  await one.call('tasks_add', { tasks: [{ markdown: 'Dig' }, { markdown: 'Pour' }] })
  const { items } = await one.call('items_claim', { scope: 'inbox' })
  const mine = { scope: 'inbox', heldBy: 'me' }
  expect((await one.call('tasks_list', mine)).items).toMatchObject([{ id: items[0].id, heldBy: { isMine: true } }])
  expect((await two.call('tasks_list', mine)).items).toEqual([])
})
