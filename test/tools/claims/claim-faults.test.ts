/** Claims at their edges: what repeats, contradicts itself, is gone or full, and names that were chosen to mislead. */
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Quotas } from '../../../src/space/model/quota.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { statement } from '../../../storage/statement.ts'
import { type BuiltSpace, buildSpace } from '../../build.ts'
import { type Connected, connect } from '../../connect.ts'
import { serveBuilt } from '../../http/serving.ts'

const STATUS = { name: 'Status', type: 'singleSelect', options: [{ name: 'To do' }, { name: 'Doing' }] }
const START = { status: 'Doing' }

const END = statement(() => sql`UPDATE lease SET ends_at = 0`)
/** Ends the time of all leases, on either engine, and what they hold. */
async function endLeases({ space }: BuiltSpace): Promise<void> {
  await space.write(OPERATOR_LINK, ({ tx }) => tx.run(END))
  await space.endLeases()
}

async function addCollection({ call }: Connected, pageId: string, schema: object, items: object[]) {
  const { collectionBlockId } = await call('collections_add', { schema, position: { position: 'end', pageId } })
  const added = await call('items_add', { collectionId: collectionBlockId, items })
  return { collectionId: collectionBlockId as string, ids: added.items.map(({ id }: { id: string }) => id) as string[] }
}

/** A board with one card, and two connections to it. */
async function board({ title = 'Title', properties = [STATUS] as object[], quotas = {} as Quotas } = {}) {
  const to = await buildSpace(undefined, { quotas })
  const one = await connect('full', { to })
  const two = await connect('full', { to })
  const { items } = await one.call('documents_add', { documents: [{ title: 'Board' }] })
  const schema = { name: 'Cards', contentPropDetails: { name: title }, properties }
  const cards = await addCollection(one, items[0].id, schema, [{ title: 'Card', properties: { status: 'To do' } }])
  return { ...to, one, two, documentId: items[0].id as string, ...cards, id: cards.ids[0] as string }
}

test('a row that comes twice in renew and release is refused', async () => {
  const { one, collectionId, id } = await board()
  const [{ fence }] = (await one.call('items_claim', { collectionId })).items
  const row = { id, fence }
  const message = `Expected each row once in renew and release, found ${id} again; leave one out.`
  expect(await one.refused('items_claim', { renew: [row], release: [row] })).toBe(`At release[0].id: ${message}`)
  expect(await one.refused('items_claim', { release: [row, row] })).toBe(`At release[1].id: ${message}`)
  expect(await one.refused('items_claim', { renew: [row, row] })).toBe(`At renew[1].id: ${message}`)
  expect((await one.call('items_list', { collectionId })).items[0].heldBy).toMatchObject({ fence })
})

test('a batch whose claim found nothing, or gave a row back, is answered again', async () => {
  const { one, ...to } = await board()
  const { ask } = await (await serveBuilt({ to })).link()
  const batch = (key: string, ...claims: object[]) =>
    ask(
      'POST /batch',
      { steps: claims.map((claim) => ({ tool: 'items_claim', arguments: claim })) },
      { 'idempotency-key': key },
    )
  const { collectionId, id } = to
  const none = await batch('none', { collectionId, count: 1 }, { collectionId })
  expect(none.json.items[1]).toEqual({ tool: 'items_claim', ids: [] })
  expect((await batch('none', { collectionId, count: 1 }, { collectionId })).json).toEqual(none.json)
  const { fence } = (await one.call('items_list', { collectionId })).items[0].heldBy
  const release = { release: [{ id, fence }] }
  const freed = await batch('freed', release)
  expect(freed.status).toBe(200)
  expect((await batch('freed', release)).json).toEqual(freed.json)
})

test('over REST, a title column named Fence does not hide the fence', async () => {
  const { collectionId, ...to } = await board({ title: 'Fence' })
  const { ask } = await (await serveBuilt({ to })).link()
  const { json } = await ask('POST /items/claim', { collectionId })
  expect(json.items).toMatchObject([{ title: 'Card', fence: expect.any(Number) }])
})

test('a held task can be written back as it was read', async () => {
  const { one } = await board()
  await one.call('tasks_add', { tasks: [{ markdown: 'First', taskInfo: { scheduleDate: 'today' } }] })
  await one.call('items_claim')
  const { items } = await one.call('tasks_list', { scope: 'active' })
  expect(items[0]).toHaveProperty('heldBy')
  await one.call('tasks_update', { tasksToUpdate: items })
  const [{ id: _, ...copy }] = items
  expect((await one.call('tasks_add', { tasks: [copy] })).items[0]).not.toHaveProperty('heldBy')
})

test('lists as Markdown and notes say who holds a task, without what a name hides', async () => {
  const to = await buildSpace()
  const link = {
    ...(await to.space.createAccessLink('full', [], 'Evil\u202e\u200bname')),
    connection: 'one',
  }
  const one = await connect('full', { to, caller: { link } })
  const two = await connect('full', { to })
  await one.call('tasks_add', { tasks: [{ markdown: 'First', taskInfo: { scheduleDate: 'today' } }] })
  const [{ id }] = (await one.call('items_claim')).items
  // The end depends on the clock of the database, if there is one.
  const held = String.raw`held by "Evil⟨U\+202E⟩⟨U\+200B⟩name \(tester\)" until 2026-11-20T09:1[45]:[\d.]+Z`
  expect(await two.call('tasks_list', { scope: 'active', format: 'markdown' })).toMatch(new RegExp(held))
  const { content } = await two.client.callTool({
    name: 'tasks_update',
    arguments: { tasksToUpdate: [{ id, taskInfo: { deadlineDate: 'today' } }] },
  })
  expect(content).toContainEqual({
    type: 'text',
    text: expect.stringMatching(new RegExp(`^${id} is ${held}; it was written all the same\\.$`)),
  })
})

test('in a full space, leases end and rows are given back', async () => {
  const quotas: Quotas = {}
  const built = await board({ quotas })
  const { one, collectionId, id } = built
  const status = async () => (await one.call('items_list', { collectionId })).items[0].properties.status
  const claim = async () => (await one.call('items_claim', { collectionId, set: START })).items[0].fence
  const first = await claim()
  quotas.space = 1
  expect(await one.refused('tasks_add', { tasks: [{ markdown: 'More' }] })).toContain('to stay within its quota')
  await one.call('items_claim', { release: [{ id, fence: first }] })
  expect(await status()).toBe('To do')
  delete quotas.space
  await claim()
  quotas.space = 1
  await endLeases(built)
  expect(await status()).toBe('To do')
})

test('tasks of a document are claimed with scope document or without scope', async () => {
  const { one, documentId } = await board()
  expect(await one.refused('items_claim', { documentId, scope: 'inbox' })).toBe(
    'At documentId: Expected documentId with scope document alone, found it with scope inbox; leave one out.',
  )
  expect(await one.call('items_claim', { documentId })).toEqual({ items: [] })
  expect(await one.refused('items_claim', { release: [{ id: documentId, fence: 0 }] })).toBe(
    'At release[0].fence: Expected at least 1, found 0.',
  )
})

test('more stars than a rating can have any more do not return', async () => {
  const built = await board({ properties: [STATUS, { name: 'Stars', type: 'rating', config: { max: 10 } }] })
  const { one, two, collectionId, id } = built
  await one.call('items_update', { collectionId, itemsToUpdate: [{ id, properties: { stars: 9 } }] })
  await one.call('items_claim', { collectionId, set: { stars: null } })
  const schema = await two.call('schema_get', { collectionId, format: 'schema' })
  const properties = schema.properties.map((property: { key: string }) =>
    property.key === 'stars' ? { ...property, config: { max: 5 } } : property,
  )
  await two.call('schema_update', { collectionId, schema: { ...schema, properties } })
  await endLeases(built)
  expect((await two.call('items_list', { collectionId })).items[0].properties).toEqual({ status: 'To do' })
})

// Otherwise a value that was written after the lease could be taken for that of the claim.
test.each([
  [
    'schema_update',
    ({ collectionId }: { collectionId: string }) => ({ collectionId, schema: { name: 'Cards', properties: [STATUS] } }),
  ],
  ['history_undo', ({ callId }: { callId: string }) => ({ calls: [callId] })],
] as const)('values of a lease whose time is over return before %s', async (tool, argumentsOf) => {
  const { one, two, space, documentId, collectionId } = await board()
  await one.call('items_claim', { collectionId, set: START })
  await two.call('blocks_add', { markdown: 'A line', position: { position: 'end', pageId: documentId } })
  const [{ callId }] = (await two.call('history_list', { format: 'json', documentId, limit: 1 })).items
  await space.write(OPERATOR_LINK, ({ tx }) => tx.run(END))
  expect((await one.call('items_list', { collectionId })).items[0].properties).toEqual({ status: 'Doing' })
  await two.call(tool, argumentsOf({ collectionId, callId }))
  expect((await one.call('items_list', { collectionId })).items[0].properties).toEqual({ status: 'To do' })
})
