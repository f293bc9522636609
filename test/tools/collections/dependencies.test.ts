/** Dependencies between the items of a collection: which are ready, which are blocked, and cycles, which are refused. */

import { expect, test } from 'vitest'
import { buildSpace } from '../../build.ts'
import { connect } from '../../connect.ts'

const STATUS = { name: 'Status', type: 'singleSelect', options: [{ name: 'To do' }, { name: 'Done' }] }
const BLOCKED_BY = { name: 'Blocked by', type: 'relation', config: { dependsOn: true } }
const READY = [{ property: 'blocked_by', filterType: 'isReady' }]
const BLOCKED = [{ property: 'blocked_by', filterType: 'isBlocked' }]
const IS_DONE = { property: 'status', filterType: 'select_isAnyOf', filterValue: ['Done'] }

/** A board with cards by title; the arrows say what each depends on: `B>A`. */
async function board(cards: string, properties: object[] = [STATUS, BLOCKED_BY]) {
  const to = await buildSpace()
  const connected = await connect('full', { to })
  const { call } = connected
  const { items: documents } = await call('documents_add', { documents: [{ title: 'Board' }] })
  const added = await call('collections_add', {
    schema: { name: 'Cards', properties },
    position: { position: 'end', pageId: documents[0].id },
  })
  const collectionId = added.collectionBlockId as string
  const names = cards.split(' ').map((card) => card.split('>'))
  const { items } = await call('items_add', {
    collectionId,
    items: names.map(([title]) => ({ title, properties: { status: 'To do' } })),
  })
  const ids: Record<string, string> = Object.fromEntries(
    items.map(({ id, title }: { id: string; title: string }) => [title, id]),
  )
  const dependent = names.filter(([, needed]) => needed !== undefined)
  const on = (title: string, needed: string, key = 'blocked_by') => ({
    id: ids[title],
    properties: { [key]: { relations: [...needed].map((one) => ({ blockId: ids[one] })) } },
  })
  const update = (...itemsToUpdate: object[]) => call('items_update', { collectionId, itemsToUpdate })
  if (dependent.length > 0) await update(...dependent.map(([title = '', needed = '']) => on(title, needed)))
  const done = (title: string) => update({ id: ids[title], properties: { status: 'Done' } })
  return { ...to, ...connected, schema: added.schema, documentId: documents[0].id, collectionId, ids, on, update, done }
}

type Board = Awaited<ReturnType<typeof board>>
const titles = async ({ call, collectionId }: Pick<Board, 'call' | 'collectionId'>, filters: object[]) =>
  (await call('items_list', { collectionId, filters })).items.map(({ title }: { title: string }) => title).join('')

const errorOf = async (work: Promise<unknown>) =>
  String(
    await work.then(
      () => 'no error',
      (error: Error) => error.message,
    ),
  )

test('an item is ready once all that it depends on is done, and done items are neither ready nor blocked', async () => {
  const built = await board('A B>A C>AB D')
  expect(await titles(built, READY)).toBe('AD')
  expect(await titles(built, BLOCKED)).toBe('BC')
  await built.done('A')
  expect(await titles(built, READY)).toBe('BD')
  expect(await titles(built, BLOCKED)).toBe('C')
  await built.done('B')
  expect(await titles(built, READY)).toBe('CD')
  expect(await titles(built, BLOCKED)).toBe('')
})

test('dependencies never form a cycle: it is refused with its path, whichever side is written', async () => {
  const built = await board('A B>A C>B')
  const { call, collectionId, ids, on, update } = built
  const way = `"A" (${ids.A}) → "C" (${ids.C}) → "B" (${ids.B}) → "A" (${ids.A})`
  expect(await errorOf(update(on('A', 'C')))).toBe(
    `items_update: At itemsToUpdate[0].properties.blocked_by: Expected dependencies without a cycle, found ${way}, each of which depends on the next by blocked_by; leave one of them out.`,
  )
  const [, , other] = (await call('schema_get', { collectionId, format: 'schema' })).properties
  expect(await errorOf(update(on('C', 'A', other.key)))).toContain(
    `"C" (${ids.C}) → "B" (${ids.B}) → "A" (${ids.A}) → "C" (${ids.C})`,
  )
  expect(await errorOf(update(on('A', 'A')))).toContain(`found "A" (${ids.A}) → "A" (${ids.A}), each`)
  // Both changes are right on their own.
  const two = await board('A B')
  expect(await errorOf(two.update(two.on('A', 'B'), two.on('B', 'A')))).toContain('without a cycle')
  // A new item between two others.
  const { properties: between } = on('A', 'C')
  const added = call('items_add', {
    collectionId,
    items: [{ title: 'D', properties: { ...between, [other.key]: on('A', 'A').properties.blocked_by } }],
  })
  expect(await errorOf(added)).toContain('At items[0].properties.')
  // One call may turn a dependency round.
  await update(on('B', ''), on('A', 'B'))
  expect(await titles(built, READY)).toBe('B')
})

test('cycles are refused in batches and in proposals, and when an undo would close one', async () => {
  const built = await board('A B>A')
  const { call, collectionId, on, update } = built
  const steps = [{ tool: 'items_update', arguments: { collectionId, itemsToUpdate: [on('A', 'B')] } }]
  expect(await errorOf(call('batch', { steps }))).toContain('without a cycle')
  await update(on('B', ''))
  const { items: calls } = await call('history_list', { format: 'json' })
  await update(on('A', 'B'))
  const undo = (more: object = {}) => call('history_undo', { calls: [calls[0].callId], ...more })
  expect(await errorOf(undo())).toContain('changed later')
  expect((await undo({ skipConflicts: true })).conflicts[0]).toContain('items_update')
  expect(await titles(built, BLOCKED)).toBe('A')
  const proposer = await connect('full', {
    to: built,
    caller: { link: await built.space.createAccessLink('full', [], 'Eve', 'propose') },
  })
  const proposed = await proposer.call('items_update', { collectionId, itemsToUpdate: [on('B', 'A')] }).catch(String)
  expect(String(JSON.stringify(proposed))).toContain('without a cycle')
})

test('dependsOn takes the only property that can say what is done, and says which', async () => {
  const built = await board('A')
  const { schema, call, collectionId, client } = built
  expect(schema.properties[1]).toMatchObject({ config: { dependsOn: { done: IS_DONE } } })
  const written = await call('schema_get', { collectionId, format: 'schema' })
  expect(written.properties[1].config).toEqual({ dependsOn: { done: IS_DONE } })
  // Names in place of numbers, which no two spaces share.
  const proposer = await connect('full', { to: built, access: 'propose' })
  const { proposal } = await proposer.call('collections_add', {
    schema: { name: 'More', properties: [STATUS, BLOCKED_BY] },
    position: { position: 'end', pageId: built.documentId },
  })
  const { items: proposals } = await call('proposals_list', { proposalId: proposal.proposalId })
  expect(JSON.stringify(proposals)).toContain(
    'depends on: {done: \\"Status\\", filter type: select_isAnyOf, filter value: [\\"Done\\"]}',
  )
  // A schema that was read can be written back, and what it leaves out stays.
  await call('schema_update', { collectionId, schema: written })
  const plain = {
    ...written,
    properties: written.properties.map(({ config: _, ...property }: { config?: object }) => property),
  }
  expect((await call('schema_update', { collectionId, schema: plain })).schema).toEqual(written)
  const list = await client.callTool({ name: 'collections_list', arguments: {} })
  expect(JSON.stringify(list.content)).toContain('blocked_by relation')
  expect(JSON.stringify(list.content)).toContain('(dependsOn, done: status select_isAnyOf \\"Done\\")')
  const position = { position: 'end', date: 'today' }
  const add = (...properties: object[]) =>
    errorOf(call('collections_add', { schema: { name: 'More', properties }, position }))
  expect(await add(BLOCKED_BY)).toBe(
    'collections_add: At schema.properties[0].config.dependsOn: Expected one checkbox, or one select with an option Done, to say when an item is done, found none; give dependsOn { "done": {"property":"KEY","filterType":"select_isAnyOf","filterValue":["OPTION"]} } with the one that is meant.',
  )
  expect(await add(STATUS, { name: 'Finished', type: 'boolean' }, BLOCKED_BY)).toContain(
    'found status and finished; give',
  )
  expect(await add({ name: 'Finished', type: 'boolean' }, BLOCKED_BY)).toBe('no error')
  const other = { name: 'Cards', type: 'relation', targetCollectionId: collectionId, config: { dependsOn: true } }
  expect(await add(STATUS, other)).toContain('Expected dependsOn on a relation of the collection with itself')
  expect(await add(STATUS, { name: 'Note', type: 'text', config: { dependsOn: true } })).toContain(
    'Expected config on a',
  )
  expect(await add(STATUS, BLOCKED_BY, { ...BLOCKED_BY, name: 'Parent' })).toContain(
    'Expected one relation with dependsOn',
  )
  const text = { done: { property: 'title', filterType: 'equals', filterValue: 'Done' } }
  expect(await add(STATUS, { ...BLOCKED_BY, config: { dependsOn: text } })).toContain('Expected a filter on a checkbox')
})

test('what says which items are done stays while a relation needs it', async () => {
  const built = await board('A B>A', [
    STATUS,
    { name: 'Finished', type: 'boolean' },
    { name: 'Blocked by', type: 'relation' },
  ])
  const { call, collectionId, on, update } = built
  const read = () => call('schema_get', { collectionId, format: 'schema' })
  const write = async (change: (property: Record<string, unknown>) => object[]) => {
    const schema = await read()
    return errorOf(
      call('schema_update', { collectionId, schema: { ...schema, properties: schema.properties.flatMap(change) } }),
    )
  }
  const mark = (dependsOn: unknown) =>
    write((property) => [property.key === 'blocked_by' ? { ...property, config: { dependsOn } } : property])
  // A relation with cycles cannot be marked.
  await update(on('A', 'B'))
  expect(await mark({ done: IS_DONE })).toContain('Expected items that do not depend on themselves, found "A"')
  await update(on('A', ''))
  const { items: earlier } = await call('history_list', { format: 'json' })
  expect(await errorOf(call('items_list', { collectionId, filters: READY }))).toContain('config { dependsOn: true }')
  expect(await mark({ done: { property: 'Finished', filterType: '=', filterValue: true } })).toBe('no error')
  expect(await titles(built, BLOCKED)).toBe('B')
  const without = (key: string) => write(({ config: _, ...property }) => (property.key === key ? [] : [property]))
  expect(await without('finished')).toContain('Expected what says when the items that blocked_by leads to are done')
  expect(await mark({ done: { property: 'status', filterType: 'select_isNoneOf', filterValue: ['To do'] } })).toBe(
    'no error',
  )
  expect(
    await write((property) => [
      { ...property, config: undefined, ...(property.key === 'status' && { options: ['Done'] }) },
    ]),
  ).toContain('Expected what says when the items')
  expect(await titles(built, BLOCKED)).toBe('B')
  expect(earlier.length).toBeGreaterThan(0)
  expect(await mark(false)).toBe('no error')
  expect((await read()).properties.find(({ key }: { key: string }) => key === 'blocked_by')).not.toHaveProperty(
    'config',
  )
})

test('views filter by isReady', async () => {
  const built = await board('A B>A')
  const { call, collectionId } = built
  await call('views_add', { collectionId, view: { name: 'Next', type: 'table', filters: READY } })
  const { views } = await call('views_list', { collectionId })
  const view = views.find(({ name }: { name: string }) => name === 'Next')
  expect(view.filters).toMatchObject([{ property: 'blocked_by', filterType: 'isReady' }])
  const { items: shown } = await call('items_list', { collectionId, viewId: view.id })
  expect(shown.map(({ title }: { title: string }) => title)).toEqual(['A'])
})

test('items say what blocks them, and the list can be written back', async () => {
  const { call, client, collectionId, ids, update } = await board('A B>A')
  const { items } = await call('items_list', { collectionId })
  expect(items[0]).not.toHaveProperty('blockedBy')
  expect(items[1].blockedBy).toEqual([{ id: ids.A, title: 'A' }])
  const { content: _, ...item } = items[1]
  await update(item)
  expect(await errorOf(update({ id: ids.B, blockedBy: [ids.A] }))).toContain('blockedBy')
  const table = await client.callTool({ name: 'items_list', arguments: { collectionId, format: 'markdown' } })
  expect(JSON.stringify(table.content)).toContain(`${ids.B} is blocked by ${ids.A}.`)
})

test('claims take only items that are ready, and say why there is none', async () => {
  const { call, client, collectionId, done } = await board('A B>A C>B')
  const claim = async (more: object = {}) =>
    (await call('items_claim', { collectionId, count: 9, ...more })).items.map(({ title }: { title: string }) => title)
  expect(await claim()).toEqual(['A'])
  const none = await client.callTool({ name: 'items_claim', arguments: { collectionId } })
  expect(JSON.stringify(none)).toContain(
    'Nothing was claimed: of the free items that match, 2 blocked, since what they depend on by blocked_by is not done.',
  )
  await done('A')
  expect(await claim()).toEqual(['B'])
  await done('B')
  // Done items are claimed by name only.
  const { items } = await call('items_list', { collectionId, heldBy: 'me' })
  const release = items.map(({ id, heldBy }: { id: string; heldBy: { fence: number } }) => ({
    id,
    fence: heldBy.fence,
  }))
  await call('items_claim', { release })
  expect(await claim()).toEqual(['C'])
  expect(await claim({ filters: [IS_DONE] })).toEqual(['A', 'B'])
})
