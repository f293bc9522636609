/** Claims, undo, copies and imports of items that depend on each other. */

import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type Tool, toolCatalogFor } from '../../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../../src/call/run.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { statement } from '../../../storage/statement.ts'
import { endpoints } from '../../../tools/index.ts'
import { buildSpace } from '../../build.ts'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Answer, type Connected, connect } from '../../connect.ts'

const PROPERTIES = [
  { name: 'Finished', type: 'boolean' },
  { name: 'Needs', type: 'relation', config: { dependsOn: true } },
]
const END = statement(() => sql`UPDATE lease SET ends_at = 0`)

async function work() {
  const built = await buildSpace()
  const connected = await connect('full', { to: built })
  const collectionId = await collectionOf(connected, PROPERTIES, 'Work')
  const [a = '', b = ''] = await itemsOf(connected, collectionId, [{ title: 'a' }, { title: 'b' }])
  const needs = (id: string, ...targets: string[]) => ({
    id,
    properties: { needs: { relations: targets.map((blockId) => ({ blockId })) } },
  })
  const update = (...itemsToUpdate: object[]) => connected.call('items_update', { collectionId, itemsToUpdate })
  return { ...connected, built, collectionId, a, b, needs, update }
}

const blocked = async ({ call }: Pick<Connected, 'call'>, collectionId: string) =>
  (await call('items_list', { collectionId })).items.flatMap(({ title, blockedBy }: Answer) =>
    blockedBy === undefined ? [] : `${title} by ${blockedBy.map((one: Answer) => one.title)}`,
  )

test('when a lease ends, dependencies do not return that would close a cycle', async () => {
  const { built, call, collectionId, a, b, needs, update } = await work()
  await update(needs(b, a))
  await call('items_update', { collectionId, itemsToUpdate: [{ id: a, properties: { finished: true } }] })
  const { items } = await call('items_claim', { collectionId, set: { needs: null } })
  expect(items).toMatchObject([{ id: b }])
  await update({ ...needs(a, b), properties: { ...needs(a, b).properties, finished: false } })
  await built.space.write(OPERATOR_LINK, ({ tx }) => tx.run(END))
  await update({ id: b, title: 'b' })
  expect(await blocked({ call }, collectionId)).toEqual(['a by b'])
})

test('an undo neither closes a cycle nor takes away what says which items are done', async () => {
  const { call, collectionId, a, b, needs, update } = await work()
  const last = async () => (await call('history_list', { format: 'json', limit: 1 })).items[0].callId as string
  await update(needs(b, a))
  await update(needs(b))
  const cleared = await last()
  await update(needs(a, b))
  await expect(call('history_undo', { calls: [cleared] })).rejects.toThrow('it changed later')
  const { conflicts } = await call('history_undo', { calls: [cleared], skipConflicts: true })
  expect(conflicts).toHaveLength(1)
  expect(await blocked({ call }, collectionId)).toEqual(['a by b'])
  // The same with a mark: a relation with a cycle, which is marked again.
  const schema = await call('schema_get', { collectionId, format: 'schema' })
  const withConfig = (dependsOn: unknown) => ({
    ...schema,
    properties: schema.properties.map((one: Answer) => (one.key === 'needs' ? { ...one, config: { dependsOn } } : one)),
  })
  await call('schema_update', { collectionId, schema: withConfig(false) })
  const unmarked = await last()
  await update(needs(b, a))
  await expect(call('history_undo', { calls: [unmarked] })).rejects.toThrow('it changed later')
  await update(needs(b))
  await call('history_undo', { calls: [unmarked] })
  expect(await blocked({ call }, collectionId)).toEqual(['a by b'])
  // A property that was added and then used as the rule.
  const added = { ...schema, properties: [...schema.properties, { name: 'Closed', type: 'boolean' }] }
  await call('schema_update', { collectionId, schema: added })
  const adding = await last()
  const now = await call('schema_get', { collectionId, format: 'schema' })
  const done = { property: 'closed', filterType: 'equals', filterValue: true }
  const used = now.properties.map((one: Answer) =>
    one.key === 'needs' ? { ...one, config: { dependsOn: { done } } } : one,
  )
  await call('schema_update', { collectionId, schema: { ...now, properties: used } })
  await expect(call('history_undo', { calls: [adding] })).rejects.toThrow('it changed later')
})

test('a proposal that closes a cycle by the time of its approval is refused, and links see what they reach', async () => {
  const { built, call, collectionId, a, b, needs, update } = await work()
  const proposer = await connect('full', { to: built, access: 'propose' })
  const { proposal } = await proposer.call('items_update', { collectionId, itemsToUpdate: [needs(b, a)] })
  await update(needs(a, b))
  const approve = toolCatalogFor(endpoints, 'full').find('proposals_approve') as Tool
  const caller = { space: built.space, link: await built.space.createAccessLink('full', [], 'person') }
  const approval = runCall(approve, { proposalId: proposal.proposalId }, caller)
  await expect(approval).rejects.toThrow('Expected dependencies without a cycle')
  expect(await blocked({ call }, collectionId)).toEqual(['a by b'])
  const { items } = await call('collections_list', { format: 'json' })
  const narrow = await connect('selected', { to: built, documents: [items[0].documentId] })
  expect(await blocked(narrow, collectionId)).toEqual(['a by b'])
  expect((await narrow.call('items_claim', { collectionId, count: 9 })).items).toMatchObject([{ id: b }])
})

test('a copy of a collection has dependencies of its own', async () => {
  const { call, collectionId, a, b, needs, update } = await work()
  await update(needs(b, a))
  const { items } = await call('collections_list', { format: 'json' })
  const { documentId } = items[0]
  await call('documents_move', { documentIds: [documentId], destination: 'templates' })
  await call('documents_add', { documents: [{ title: 'Copy', templateId: documentId }] })
  const { items: all } = await call('collections_list', { format: 'json' })
  const copy = all.find(({ id }: Answer) => id !== collectionId)
  expect(await blocked({ call }, copy.id)).toEqual(['b by a'])
  const { properties } = await call('schema_get', { collectionId: copy.id, format: 'schema' })
  const rest = properties.filter(({ key }: Answer) => key !== 'finished')
  // Of its own: the original keeps its rule whatever happens to the copy.
  const schema = { name: 'Copy', properties: rest.map(({ config: _, ...one }: Answer) => one) }
  await expect(call('schema_update', { collectionId: copy.id, schema })).rejects.toThrow('Expected what says when')
  const [first] = (await call('items_list', { collectionId: copy.id })).items
  await call('items_update', {
    collectionId: copy.id,
    itemsToUpdate: [{ id: first.id, properties: { finished: true } }],
  })
  expect(await blocked({ call }, copy.id)).toEqual([])
  expect(await blocked({ call }, collectionId)).toEqual(['b by a'])
})
