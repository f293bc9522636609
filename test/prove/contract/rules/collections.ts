/** Rules about collections, their schemas and items. */

import { DAILY, FULL, REST, type RuleGroup, SELECTED } from '../rule.ts'
import { has, holds, idsOf, inPage, one, type RuleContext, reads, same, withId } from '../rule-context.ts'

const PROPERTIES = [
  { name: 'Price', type: 'number' },
  { name: 'Stage', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Won' }] },
  { name: 'Tags', type: 'multiSelect', options: [{ name: 'a' }] },
  { name: 'Due Date', type: 'date' },
]

const addItem = async (at: RuleContext, collectionId: string, item: object) =>
  one((await at.done('items_add', { collectionId, items: [item] })).items)

const items = async (at: RuleContext, collectionId: string, more: object = {}) =>
  (await at.done('items_list', { collectionId, ...more })).items

const madeIn = async (at: RuleContext, pageId: string) =>
  (await at.setup('collections_add', { schema: { name: 'Placed', properties: [] }, position: inPage(pageId) }))
    .collectionBlockId

export const collections: RuleGroup = {
  title: 'collections',
  rules: [
    {
      statement: 'GET /collections lists the collections of all documents.',
      kinds: ['full', 'selected'],
      async check(at) {
        const id = await madeIn(at, await at.page())
        const { items } = await at.done('collections_list', at.isRest ? {} : { limit: 1_000 })
        has(withId(items, id), {
          name: 'Placed',
          itemCount: 0,
          documentId: at.root,
        })
      },
    },
    {
      statement: 'documentIds, a text or a list, limits GET /collections to documents.',
      kinds: ['full', 'selected'],
      async check(at) {
        const there = await madeIn(at, at.world.secondExposed)
        const elsewhere = await madeIn(at, at.root)
        for (const documentIds of [at.world.secondExposed, [at.world.secondExposed]]) {
          const found = idsOf((await at.done('collections_list', { limit: 1_000, documentIds })).items)
          same([found.includes(there), found.includes(elsewhere)], [true, false])
        }
      },
    },
    {
      statement: 'documentFilterMode exclude leaves those documents out.',
      kinds: SELECTED,
      async check(at) {
        const there = await madeIn(at, at.world.secondExposed)
        const elsewhere = await madeIn(at, at.root)
        const documentIds = [at.world.secondExposed]
        const found = idsOf(
          (await at.done('collections_list', { limit: 1_000, documentIds, documentFilterMode: 'exclude' })).items,
        )
        same([found.includes(there), found.includes(elsewhere)], [false, true])
        const included = idsOf(
          (await at.done('collections_list', { limit: 1_000, documentIds, documentFilterMode: 'include' })).items,
        )
        same([included.includes(there), included.includes(elsewhere)], [true, false])
      },
    },
    {
      statement: 'startDate and endDate, dates or words, limit GET /collections to daily notes.',
      kinds: DAILY,
      async check(at) {
        const id = await madeIn(at, at.root)
        const list = async (range: object) =>
          idsOf((await at.done('collections_list', { limit: 1_000, ...range })).items).includes(id)
        same(await list({}), true)
        same(await list({ startDate: '2026-11-10', endDate: '2026-11-10' }), true)
        same(await list({ startDate: '2026-11-11', endDate: 'today' }), false)
        same(await list({ endDate: 'yesterday' }), true)
      },
    },
    {
      statement: 'POST /collections makes a collection at a position, and answers with its ID, name and schema.',
      async check(at) {
        const page = await at.page()
        const schema = { name: 'Deals', properties: PROPERTIES }
        const made = await at.done('collections_add', { schema, position: inPage(page) })
        has(made, { name: 'Deals', schema: { name: 'Deals' } })
        same(
          (made.schema.properties as unknown as { key: string }[]).map(({ key }) => key),
          ['price', 'stage', 'tags', 'due_date'],
        )
        same(one((await at.read(page)).content).id, made.collectionBlockId)
      },
    },
    {
      statement: 'The schema names the column of titles.',
      async check(at) {
        const schema = { name: 'Deals', contentPropDetails: { name: 'Deal' }, properties: [] }
        const made = await at.done('collections_add', { schema, position: inPage(await at.page()) })
        has(made.schema, { contentPropDetails: { name: 'Deal' } })
      },
    },
    {
      statement: 'GET /items lists the items with their properties and content.',
      async check(at) {
        const collectionId = await at.collection(PROPERTIES)
        const { id } = await addItem(at, collectionId, { title: 'one', properties: { price: 5 }, markdown: 'inside' })
        const item = withId(await items(at, collectionId), id)
        has(item, { title: 'one', properties: { price: 5 }, content: [{ markdown: 'inside' }] })
      },
    },
    {
      statement: 'maxDepth 0 reads the properties of items alone.',
      async check(at) {
        const collectionId = await at.collection(PROPERTIES)
        await addItem(at, collectionId, { title: 'one', properties: { price: 5 }, markdown: 'inside' })
        const item = one(await items(at, collectionId, { maxDepth: 0 }))
        same([item.properties.price as unknown, item.content], [5, undefined])
      },
    },
    {
      statement: 'Without a limit in the call, GET /items answers with all items.',
      over: REST,
      async check(at) {
        const collectionId = await at.collection()
        const many = Array.from({ length: 150 }, (_, index) => ({ title: `item ${index}` }))
        await at.setup('items_add', { collectionId, items: many })
        const { items, pagination } = await at.done('items_list', { collectionId })
        same([items.length, pagination], [150, undefined])
      },
    },
    {
      statement: 'POST /items adds items that match the schema, and answers with them.',
      async check(at) {
        const collectionId = await at.collection(PROPERTIES)
        const properties = { price: 5, stage: 'Open', tags: ['a'], due_date: '2026-11-24' }
        const item = await addItem(at, collectionId, { title: 'one', properties })
        has(item, { title: 'one', properties })
        has(one(await items(at, collectionId)), { id: item.id, title: 'one', properties })
      },
    },
    {
      statement: 'Properties are checked against the schema; nothing of a refused request is written.',
      async check(at) {
        const collectionId = await at.collection(PROPERTIES)
        const wrong = [
          { price: 'five' },
          { color: 'red' },
          { stage: 'Lost' },
          { due_date: 'some day' },
          { tags: ['b'] },
        ]
        for (const properties of wrong) {
          await at.refused('items_add', { collectionId, items: [{ title: 'right' }, { title: 'wrong', properties }] })
        }
        same(await items(at, collectionId), [])
      },
    },
    {
      statement: 'An option that the schema lacks is refused, unless allowNewSelectOptions is true: then it is added.',
      async check(at) {
        const collectionId = await at.collection(PROPERTIES)
        const item = { title: 'one', properties: { stage: 'Lost', tags: ['b'] } }
        await at.refused('items_add', { collectionId, items: [item] })
        await at.refused('items_add', { collectionId, items: [item], allowNewSelectOptions: false })
        const { items } = await at.done('items_add', { collectionId, items: [item], allowNewSelectOptions: true })
        has(one(items), { properties: { stage: 'Lost', tags: ['b'] } })
        const schema = await at.done('schema_get', { collectionId, format: 'schema' })
        reads(JSON.stringify(schema), /"Lost"/)
      },
    },
    {
      statement: 'A key in another spelling that matches only one property is that property.',
      async check(at) {
        const collectionId = await at.collection(PROPERTIES)
        has(await addItem(at, collectionId, { title: 'one', properties: { dueDate: '2026-11-24' } }), {
          properties: { due_date: '2026-11-24' },
        })
      },
    },
    {
      statement: 'PUT /items changes only the given properties, and answers with the items.',
      async check(at) {
        const collectionId = await at.collection(PROPERTIES)
        const { id } = await addItem(at, collectionId, { title: 'one', properties: { price: 5, stage: 'Open' } })
        const itemsToUpdate = [{ id, properties: { stage: 'Won' } }]
        has(one((await at.done('items_update', { collectionId, itemsToUpdate })).items), { id })
        has(one(await items(at, collectionId)), { title: 'one', properties: { price: 5, stage: 'Won' } })
      },
    },
    {
      statement: 'PUT /items adds options only with allowNewSelectOptions.',
      async check(at) {
        const collectionId = await at.collection(PROPERTIES)
        const { id } = await addItem(at, collectionId, { title: 'one' })
        const itemsToUpdate = [{ id, properties: { stage: 'Lost' } }]
        await at.refused('items_update', { collectionId, itemsToUpdate })
        await at.done('items_update', { collectionId, itemsToUpdate, allowNewSelectOptions: true })
        same(one(await items(at, collectionId)).properties, { stage: 'Lost' })
      },
    },
    {
      statement: 'null clears a property.',
      async check(at) {
        const collectionId = await at.collection(PROPERTIES)
        const { id } = await addItem(at, collectionId, {
          title: 'one',
          properties: { price: 5, due_date: '2026-11-24' },
        })
        await at.done('items_update', { collectionId, itemsToUpdate: [{ id, properties: { due_date: null } }] })
        same(one(await items(at, collectionId)).properties, { price: 5 })
      },
    },
    {
      statement: 'DELETE /items deletes items with their content, and answers with their IDs.',
      async check(at) {
        const collectionId = await at.collection()
        const { id } = await addItem(at, collectionId, { title: 'one', markdown: 'inside' })
        const inner = one((await at.read(id)).content).id
        same((await at.done('items_delete', { collectionId, idsToDelete: [id] })).items as unknown, [{ id }])
        same(await items(at, collectionId), [])
        for (const gone of [id, inner]) await at.refused('blocks_get', { id: gone }, 'NOT_FOUND_ERROR')
      },
    },
    {
      statement: 'GET /schema answers by default with a JSON Schema of what POST /items takes.',
      async check(at) {
        const collectionId = await at.collection(PROPERTIES)
        const byDefault = await at.done('schema_get', { collectionId })
        same(byDefault, await at.done('schema_get', { collectionId, format: 'json-schema-items' }))
        has(byDefault, {
          type: 'object',
          required: ['items'],
          properties: { items: { type: 'array', items: { required: ['title'] } } },
        })
        reads(JSON.stringify(byDefault), /"enum":\["Open","Won"/)
      },
    },
    {
      statement: 'GET /schema with the format schema answers with what can be edited and written back.',
      async check(at) {
        const collectionId = await at.collection(PROPERTIES)
        await addItem(at, collectionId, { title: 'one', properties: { price: 5 } })
        const read = await at.done('schema_get', { collectionId, format: 'schema' })
        has(read, { name: 'Things' })
        const { schema } = await at.done('schema_update', { collectionId, schema: read })
        same(schema, read)
        same(one(await items(at, collectionId)).properties, { price: 5 })
      },
    },
    {
      statement: 'PUT /schema replaces the whole schema, and answers with the ID and the schema.',
      async check(at) {
        const collectionId = await at.collection(PROPERTIES)
        await addItem(at, collectionId, { title: 'one', properties: { price: 5, stage: 'Open' } })
        const schema = {
          name: 'Others',
          properties: [
            { name: 'Cost', key: 'price', type: 'number' },
            { name: 'Note', type: 'text' },
          ],
        }
        const replaced = await at.done('schema_update', { collectionId, schema })
        same(replaced.collectionBlockId, collectionId)
        same(
          (replaced.schema.properties as unknown as { key: string }[]).map(({ key }) => key),
          ['price', 'note'],
        )
        same(one(await items(at, collectionId)).properties, { price: 5 })
      },
    },
    {
      statement: 'A relation to both sides is kept in step by the service, when one side is set.',
      async check(at) {
        const targetCollectionId = await at.collection()
        const collectionId = await at.collection([{ name: 'Tie', type: 'relation', targetCollectionId }])
        const target = await addItem(at, targetCollectionId, { title: 'target' })
        const properties = { tie: { relations: [{ blockId: target.id }] } }
        const { id } = await addItem(at, collectionId, { title: 'source', properties })
        holds(
          JSON.stringify(one(await items(at, targetCollectionId)).properties).includes(id),
          'Expected the other side',
        )
      },
    },
    {
      statement: 'New options are only added where people asked for them.',
      cannot: 'It advises callers; the service cannot know what people asked for. The switch is off by default.',
    },
    {
      statement: 'A collection outside the reach of the connection is not found.',
      kinds: ['selected', 'daily'],
      async check(at) {
        const collectionId = await madeIn(at, at.world.hidden)
        for (const [tool, args] of Object.entries({
          items_list: {},
          items_add: { items: [{ title: 'a' }] },
          schema_get: {},
          views_list: {},
        })) {
          await at.refused(tool, { collectionId, ...args }, 'NOT_FOUND_ERROR')
        }
      },
    },
    {
      statement: 'A full connection lists all collections when documentIds is left out.',
      kinds: FULL,
      async check(at) {
        const ids = [
          await madeIn(at, at.world.hidden),
          await madeIn(at, at.world.secondExposed),
          await madeIn(at, at.world.roots.daily),
        ]
        const found = idsOf((await at.done('collections_list', { limit: 1_000 })).items)
        for (const id of ids) holds(found.includes(id), `Expected the collection ${id}`)
      },
    },
  ],
}
