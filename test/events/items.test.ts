/** Events of items that begin to match a view or filters, and of items that change. */
import { describe, expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../collection.ts'
import { type Connected, connect } from '../connect.ts'
import { countStatements } from '../support/count-statements.ts'
import { drainEvents, openStream, pollEvents, subscribe } from './wire.ts'

const BOARD = [
  { name: 'State', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Review' }] },
  { name: 'Due', type: 'date' },
  { name: 'Notes', type: 'text' },
]
const IN_REVIEW = [{ property: 'State', filterType: 'equals', filterValue: 'Review' }]

/** A board with one open card, and what changes it. */
async function boardOf(full: Connected) {
  const collectionId = await collectionOf(full, BOARD)
  const [card = ''] = await itemsOf(full, collectionId, [{ title: 'Card', properties: { State: 'Open' } }])
  const set = (properties: object, id = card) =>
    full.call('items_update', { collectionId, itemsToUpdate: [{ id, properties }] })
  return { collectionId, card, set }
}

const asked = (more: object) => ({ name: 'item.entered', arguments: more })
const viewOf = async ({ call }: Connected, collectionId: string, filters: object[] = IN_REVIEW): Promise<string> =>
  (await call('views_add', { collectionId, view: { name: 'Review', type: 'table', filters } })).id

type Properties = { name: string; options?: { name: string }[] }[]

/** Changes the schema of a collection. @returns the call that did */
async function changeSchema(full: Connected, collectionId: string, change: (properties: Properties) => Properties) {
  const schema = await full.call('schema_get', { collectionId, format: 'schema' })
  await full.call('schema_update', { collectionId, schema: { ...schema, properties: change(schema.properties) } })
  return (await full.call('history_list', { limit: 1 })).items[0]
}

const withoutOption = (full: Connected, collectionId: string, option: string) =>
  changeSchema(full, collectionId, (properties) =>
    properties.map((one) => {
      const options = one.options?.filter(({ name }) => name !== option)
      return options === undefined ? one : { ...one, options }
    }),
  )

/** The document of a collection. */
const documentWith = async ({ call }: Connected, collectionId: string): Promise<string> =>
  (await call('collections_list', {})).items.find(({ id }: { id: string }) => id === collectionId).documentId

describe('an item enters', () => {
  test('once it begins to match the filters, and not again while it matches', async () => {
    const full = await connect()
    const { collectionId, card, set } = await boardOf(full)
    const next = await subscribe(full, asked({ collectionId, filters: IN_REVIEW }))
    await set({ Notes: 'x' })
    expect(await next()).toEqual([])
    await set({ State: 'Review' })
    const { call } = full
    expect(await next()).toEqual([
      {
        ...{ eventId: expect.stringMatching(/^evt_/), name: 'item.entered', timestamp: '2026-11-20T09:00:00.000Z' },
        data: {
          ...{ itemId: card, collectionId, documentId: expect.any(String), title: 'Document' },
          ...{ author: 'tester', client: 'tester', callId: expect.any(String) },
        },
      },
    ])
    await set({ Notes: 'y' })
    expect(await next()).toEqual([])
    await set({ State: 'Open' })
    await call('batch', {
      calls: ['Review', 'Open', 'Review'].map((State) => ({
        tool: 'items_update',
        args: { collectionId, itemsToUpdate: [{ id: card, properties: { State } }] },
      })),
    })
    expect(await next()).toMatchObject([{ data: { itemId: card } }])
  })

  test('a view, which counts as it is when the events are read', async () => {
    const full = await connect()
    const { collectionId, card, set } = await boardOf(full)
    const viewId = await viewOf(full, collectionId)
    const next = await subscribe(full, asked({ collectionId, viewId }))
    const [added] = await itemsOf(full, collectionId, [{ title: 'New', properties: { State: 'Review' } }])
    await set({ State: 'Review' })
    expect((await next()).map(({ data }) => data.itemId)).toEqual([added, card])
    const filters = [{ property: 'State', filterType: 'equals', filterValue: 'Open' }]
    await full.call('views_update', { collectionId, viewId, view: { filters } })
    await set({ State: 'Open' })
    expect((await next()).map(({ data }) => data.itemId)).toEqual([card])
  })

  test('a collection without rules, when it is added', async () => {
    const full = await connect()
    const { collectionId, set } = await boardOf(full)
    const next = await subscribe(full, asked({ collectionId }))
    await set({ State: 'Review' })
    const [added] = await itemsOf(full, collectionId, [{ title: 'New' }])
    expect((await next()).map(({ data }) => data.itemId)).toEqual([added])
  })

  test('by dates of the call, not by passing days', async () => {
    const full = await connect()
    const { collectionId, card, set } = await boardOf(full)
    const filters = [{ property: 'Due', filterType: 'date_isBefore', filterValue: 'tomorrow' }]
    const subscription = asked({ collectionId, filters })
    const { cursor } = await pollEvents(full.client, subscription)
    await set({ Due: '2026-11-21' })
    full.clock.now += 24 * 3_600_000
    await set({ Notes: 'x' })
    expect(await drainEvents(full.client, { ...subscription, cursor })).toMatchObject({ events: [] })
    await set({ Due: '2026-11-20' })
    expect(await drainEvents(full.client, { ...subscription, cursor })).toMatchObject({ events: [] })
    await set({ Due: '2027-01-01' })
    await set({ Due: '2026-11-21' })
    const { events } = await drainEvents(full.client, { ...subscription, cursor })
    expect(events).toMatchObject([{ data: { itemId: card } }])
    full.clock.now += 240 * 3_600_000
    expect((await drainEvents(full.client, { ...subscription, cursor })).events).toEqual(events)
  })

  test('not because the schema changed, nor because that was undone', async () => {
    const full = await connect()
    const { collectionId, card, set } = await boardOf(full)
    const filters = [{ property: 'State', filterType: 'isEmpty' }]
    const next = await subscribe(full, asked({ collectionId, filters }))
    const { callId } = await withoutOption(full, collectionId, 'Open')
    await full.call('history_undo', { callIds: [callId] })
    expect((await full.call('items_list', { collectionId, maxDepth: 0 })).items[0].properties.state).toBe('Open')
    expect(await next()).toEqual([])
    await set({ State: null })
    expect((await next()).map(({ data }) => data.itemId)).toEqual([card])
  })
})

describe('a subscription to items ends', () => {
  const gone = { code: -32011, data: { kind: 'argument' } }

  test('with its view, its property and its collection', async () => {
    const full = await connect()
    const { collectionId } = await boardOf(full)
    const viewId = await viewOf(full, collectionId)
    const kept = await viewOf(full, collectionId)
    const ofView = await subscribe(full, asked({ collectionId, viewId }))
    const ofFilters = await subscribe(full, asked({ collectionId, filters: IN_REVIEW }))
    const stream = openStream(full.client, asked({ collectionId, filters: IN_REVIEW }))
    await stream.until(1)
    await full.call('views_delete', { collectionId, viewId })
    await expect(ofView()).rejects.toMatchObject(gone)
    expect(await ofFilters()).toEqual([])
    const ofKept = await subscribe(full, asked({ collectionId, viewId: kept }))
    await changeSchema(full, collectionId, (properties) => properties.filter(({ name }) => name !== 'State'))
    await expect(ofFilters()).rejects.toMatchObject(gone)
    await expect(ofKept()).rejects.toMatchObject({ ...gone, message: expect.stringContaining('no longer exists') })
    expect((await stream.until(2)).at(-1)).toMatchObject({ kind: 'terminated', error: { code: -32011 } })
    const ofAll = await subscribe(full, { name: 'item.changed', arguments: { collectionId } })
    await full.call('blocks_delete', { blockIds: [collectionId] })
    await expect(ofAll()).rejects.toMatchObject(gone)
  })

  test('before it began, if its rules cannot be tested on the past', async () => {
    const full = await connect()
    const collectionId = await collectionOf(full, [
      { name: 'Needs', type: 'relation', config: { dependsOn: true } },
      { name: 'Done', type: 'boolean' },
    ])
    const refusal = (connected: Connected, more: object) =>
      pollEvents(connected.client, asked({ collectionId, ...more })).catch(({ code, message }) => [code, message])
    const onNeeds = (filterType: string) => ({ filters: [{ property: 'Needs', filterType }] })
    expect(await refusal(full, onNeeds('isReady'))).toMatchInlineSnapshot(`
      [
        -32602,
        "Expected filters that read the values of one item, found isReady on the relation property "Needs"; use another view, or follow item.changed and read the items.",
      ]
    `)
    expect(await refusal(full, onNeeds('isNotEmpty'))).toMatchObject({ events: [] })
    const narrow = await connect('selected', { to: full, documents: [await documentWith(full, collectionId)] })
    expect(await refusal(narrow, onNeeds('isNotEmpty'))).toMatchInlineSnapshot(`
      [
        -32602,
        "Expected filters on other properties than relations, found isNotEmpty on the relation property "Needs"; use another view, or follow item.changed and read the items.",
      ]
    `)
    expect(await refusal(full, { ...onNeeds('isEmpty'), viewId: collectionId })).toMatchInlineSnapshot(`
      [
        -32602,
        "Expected a viewId or filters, found both; give one of them.",
      ]
    `)
    expect(await pollEvents(full.client, asked({})).catch(({ message }) => message)).toMatchInlineSnapshot(
      `"At collectionId: Expected collectionId with item.entered, found none; name it."`,
    )
  })
})

test('a narrow link is told of the items of its documents, also of values that are set for the first time', async () => {
  const full = await connect()
  const { collectionId, card, set } = await boardOf(full)
  const narrow = await connect('selected', { to: full, documents: [await documentWith(full, collectionId)] })
  const filters = [{ property: 'Notes', filterType: 'isNotEmpty' }]
  const [entered, changed] = [
    await subscribe(narrow, asked({ collectionId, filters })),
    await subscribe(narrow, { name: 'item.changed', arguments: { collectionId, property: 'Notes', quietSeconds: 0 } }),
  ]
  await set({ State: 'Review' })
  await set({ Notes: 'x' })
  expect(await entered()).toMatchObject([{ data: { itemId: card } }])
  expect(await changed()).toMatchObject([{ data: { itemId: card } }])
})

test('changes are told of one property, and of items that match', async () => {
  const full = await connect()
  const { collectionId, card, set } = await boardOf(full)
  const changes = (more: object) =>
    subscribe(full, { name: 'item.changed', arguments: { collectionId, quietSeconds: 0, ...more } })
  const [ofNotes, ofTitle, ofReview] = [
    await changes({ property: 'notes' }),
    await changes({ property: 'title' }),
    await changes({ filters: IN_REVIEW }),
  ]
  await set({ State: 'Review' })
  await set({ Notes: 'x' })
  await full.call('items_update', { collectionId, itemsToUpdate: [{ id: card, title: 'Other' }] })
  await set({ State: 'Open' })
  const counts = await Promise.all([ofNotes, ofTitle, ofReview].map(async (next) => (await next()).length))
  expect(counts).toEqual([1, 1, 3])
})

test('fifty items that enter take hardly more statements than five', async () => {
  const counter = countStatements()
  const counts: number[] = []
  for (const rows of [5, 50]) {
    const full = await connect('full', { era: '2025' })
    const { collectionId } = await boardOf(full)
    const subscription = asked({ collectionId, filters: IN_REVIEW })
    const { cursor } = await pollEvents(full.client, subscription)
    await itemsOf(full, collectionId, Array(rows).fill({ title: 'Card', properties: { State: 'Review' } }))
    counter.reset()
    expect((await pollEvents(full.client, { ...subscription, cursor })).events).toHaveLength(rows)
    counts.push(counter.count)
  }
  expect(counts[1]).toBeLessThanOrEqual((counts[0] ?? 0) + 3)
})
