/** Events over MCP, as a client that polls sees them. */
import { describe, expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { forgetChangesBefore } from '../../storage/history-retention.ts'
import { eventTypes } from '../../tools/events.ts'
import { collectionOf, itemsOf } from '../collection.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { drainEvents, listEventTypes, pollEvents, subscribe } from './wire.ts'

const STATE = [{ name: 'State', type: 'text' }]

const edit = ({ call }: Connected, pageId: string, markdown = 'more') =>
  call('blocks_add', { markdown, position: { position: 'end', pageId } })

test('the types of events say what narrows them and what they contain', async () => {
  const { client } = await connect()
  const types = await listEventTypes(client)
  expect(types.map(({ name }) => name)).toEqual(eventTypes.map(({ name }) => name))
  for (const { name, delivery, inputSchema, payloadSchema } of types) {
    expect([name, delivery]).toEqual([name, ['poll', 'push']])
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(payloadSchema).toMatchObject({ type: 'object' })
  }
  expect(types.find(({ name }) => name === 'document.added')?.inputSchema.properties).toHaveProperty('folderId')
  const { client: narrow } = await connect('daily')
  const ofNarrow = await listEventTypes(narrow)
  expect(ofNarrow.some(({ inputSchema }) => 'folderId' in (inputSchema.properties as object))).toBe(false)
})

describe('a comment', () => {
  test('is one event with IDs and who wrote it, and without its text', async () => {
    const full = await connect()
    const [plan, other] = [await documentOf(full, 'call Ben', 'Plan'), await documentOf(full, 'else', 'Other')]
    const { 'call Ben': blockId } = await idsOf(full, plan)
    const { else: otherId } = await idsOf(full, other)
    const next = await subscribe(full, { name: 'comment.created', arguments: { documentId: plan } })
    await full.call('comments_add', { comments: [{ blockId: otherId, content: 'elsewhere' }] })
    const { commentId } = await full.call('comments_add', { comments: [{ blockId, content: 'Secret?' }] })
    const [event, ...others] = await next()
    expect(others).toEqual([])
    expect(event).toEqual({
      eventId: expect.stringMatching(/^evt_/),
      name: 'comment.created',
      timestamp: '2026-11-20T09:00:00.000Z',
      data: {
        ...{ commentId, blockId, documentId: plan, title: 'Plan' },
        ...{ author: 'tester', client: 'tester', callId: expect.any(String) },
      },
    })
    expect(await next()).toEqual([])
  })

  test('is not created again when an undo brings it back', async () => {
    const full = await connect()
    const plan = await documentOf(full, 'a', 'Plan')
    const next = await subscribe(full, { name: 'comment.created' })
    const changes = await subscribe(full, { name: 'document.changed', arguments: { quietSeconds: 0 } })
    await full.call('comments_add', { comments: [{ blockId: plan, content: 'Please' }] })
    expect(await next()).toHaveLength(1)
    for (const summary of ['1 comment deleted', '1 comment restored']) {
      const calls = [(await changes()).at(-1)?.data.callId]
      expect(await full.call('history_undo', { calls })).toMatchObject({ summary: expect.stringContaining(summary) })
    }
    expect(await next()).toEqual([])
  })

  test('is resolved once', async () => {
    const full = await connect()
    const { x: blockId } = await idsOf(full, await documentOf(full, 'x'))
    const { commentId } = await full.call('comments_add', { comments: [{ blockId, content: 'why?' }] })
    const next = await subscribe(full, { name: 'comment.resolved' })
    await full.call('comments_update', { comments: [{ commentId, content: 'why, then?' }] })
    await full.call('comments_update', { comments: [{ commentId, resolved: true }] })
    expect(await next()).toMatchObject([{ name: 'comment.resolved', data: { commentId } }])
  })
})

describe('changes of a document', () => {
  test('are one event for each call if the quiet time is 0', async () => {
    const full = await connect()
    const plan = await documentOf(full, 'a', 'Plan')
    const next = await subscribe(full, { name: 'document.changed', arguments: { documentId: plan, quietSeconds: 0 } })
    for (const text of ['b', 'c']) await edit(full, plan, text)
    const events = await next()
    expect(events.map(({ data }) => data)).toMatchObject([{ documentId: plan, title: 'Plan' }, { documentId: plan }])
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(2)
  })

  test('are one event for a burst, once it has been quiet', async () => {
    const full = await connect()
    const plan = await documentOf(full, 'a', 'Plan')
    const asked = { name: 'document.changed', arguments: { quietSeconds: 60 } }
    const next = await subscribe(full, asked)
    for (let change = 0; change < 40; change++) {
      await edit(full, plan)
      full.clock.now += 1_000
      if (change % 10 === 0) expect(await next()).toEqual([])
    }
    full.clock.now += 58_000
    expect(await next()).toEqual([])
    full.clock.now += 1_000
    expect(await next()).toMatchObject([{ data: { documentId: plan, changes: 40 } }])
    expect(await next()).toEqual([])
  })

  test('are told in the end, even if they never stop', async () => {
    const full = await connect()
    const plan = await documentOf(full, 'a')
    const next = await subscribe(full, { name: 'document.changed', arguments: { quietSeconds: 10 } })
    let count = 0
    for (let change = 0; change < 40; change++) {
      await edit(full, plan)
      full.clock.now += 5_000
      count += (await next()).length
    }
    expect(count).toBe(2)
  })

  test('of more documents than a cursor holds are all told', async () => {
    const full = await connect()
    const documents: string[] = []
    for (let index = 0; index < 30; index++) documents.push(await documentOf(full, '', `Page ${index}`))
    const next = await subscribe(full, { name: 'document.changed', arguments: { quietSeconds: 600 } })
    for (const document of documents) await edit(full, document)
    const early = await next()
    full.clock.now += 600_000
    const events = [...early, ...(await next())]
    expect(events.map(({ data }) => data.documentId)).toEqual(documents)
  })

  test('in one call are told page by page', async () => {
    const full = await connect()
    const documents = [await documentOf(full, 'a'), await documentOf(full, 'a'), await documentOf(full, 'a')]
    const asked = { name: 'document.changed', arguments: { quietSeconds: 0 } }
    const { cursor } = await pollEvents(full.client, asked)
    const position = (pageId: string) => ({ position: 'end', pageId })
    await full.call('batch', {
      calls: documents.map((id) => ({ tool: 'blocks_add', args: { markdown: 'x', position: position(id) } })),
    })
    const { events } = await drainEvents(full.client, { ...asked, cursor, maxEvents: 1 })
    expect(events.map(({ data }) => data.documentId)).toEqual(documents)
  })

  test('by its own link are left out if the subscriber wants none of its own', async () => {
    const one = await connect()
    const other = await connect('full', {
      to: one,
      caller: { link: { ...(await one.space.createAccessLink('full', [], 'other')) } },
    })
    const plan = await documentOf(one, 'a')
    const next = await subscribe(one, { name: 'document.changed', arguments: { mine: false, quietSeconds: 0 } })
    await edit(one, plan)
    await edit(other, plan)
    expect(await next()).toMatchObject([{ data: { author: 'other' } }])
  })

  test('are left out for each of several clients in one process, which ask at the same time', async () => {
    const one = await connect()
    const link = await one.space.createAccessLink('full', [], 'other')
    const other = await connect('full', { to: one, caller: { link } })
    const plan = await documentOf(one, 'a')
    const asked = { name: 'document.changed', arguments: { mine: false, quietSeconds: 0 } }
    const { cursor } = await pollEvents(one.client, asked)
    await edit(one, plan)
    const [own, seen] = await Promise.all([one, other].map(({ client }) => pollEvents(client, { ...asked, cursor })))
    expect([own?.events, seen?.events]).toMatchObject([[], [{ data: { author: 'tester' } }]])
  })

  test('end with one that says that it is gone, without its title', async () => {
    const full = await connect()
    const [shown, hidden] = [await documentOf(full, 'a', 'Shown'), await documentOf(full, 'a', 'Hidden')]
    const narrow = await connect('selected', { to: full, documents: [shown] })
    const next = await subscribe(narrow, { name: 'document.changed', arguments: { quietSeconds: 60 } })
    await edit(full, hidden)
    await edit(full, shown)
    await full.call('documents_delete', { documentIds: [shown] })
    const events = await next()
    expect(events.map(({ data }) => data)).toEqual([
      { ...{ documentId: shown, gone: true }, author: 'tester', client: 'tester', callId: expect.any(String) },
    ])
    full.clock.now += 60_000
    expect(await next()).toEqual([])
  })
})

test('an ID may have any spelling, and the events of each have the same IDs', async () => {
  const full = await connect()
  const document = await documentOf(full, 'a', 'Plan')
  const asked = (documentId: string) => ({ name: 'document.changed', arguments: { documentId, quietSeconds: 0 } })
  const long = `${full.space.info.addressKey.idPrefix}-${document}`
  const subscribers = [await subscribe(full, asked(document)), await subscribe(full, asked(long))]
  await edit(full, document)
  const [one, other] = await Promise.all(subscribers.map((next) => next()))
  expect(one).toHaveLength(1)
  expect(one).toEqual(other)
})

test('documents that are added in a folder, or below it', async () => {
  const full = await connect()
  const { items } = await full.call('folders_add', { folders: [{ name: 'Work' }, { name: 'Home' }] })
  const [work, home] = items.map(({ id }: { id: string }) => id)
  const below = (await full.call('folders_add', { folders: [{ name: 'Below', parentFolderId: work }] })).items[0].id
  const next = await subscribe(full, { name: 'document.added', arguments: { folderId: work } })
  for (const [title, folderId] of [
    ['a', work],
    ['b', home],
    ['c', below],
  ])
    await full.call('documents_add', { documents: [{ title }], destination: { folderId } })
  expect((await next()).map(({ data }) => data.title)).toEqual(['a', 'c'])
})

test('items whose values change are events of their collection', async () => {
  const full = await connect()
  const [tasks, others] = [await collectionOf(full, STATE), await collectionOf(full, STATE)]
  const [item] = await itemsOf(full, tasks, [{ title: 'Write' }])
  const [foreign] = await itemsOf(full, others, [{ title: 'Else' }])
  const next = await subscribe(full, { name: 'item.changed', arguments: { collectionId: tasks, quietSeconds: 0 } })
  await itemsOf(full, tasks, [{ title: 'New' }])
  const set = (collectionId: string, id?: string) =>
    full.call('items_update', { collectionId, itemsToUpdate: [{ id, properties: { State: 'done' } }] })
  await set(others, foreign)
  await set(tasks, item)
  expect(await next()).toMatchObject([{ data: { itemId: item, collectionId: tasks } }])
})

describe('a subscriber is told that events were skipped', () => {
  const asked = { name: 'document.changed', arguments: { quietSeconds: 0 } }

  test('if history no longer keeps them', async () => {
    const full = await connect()
    const plan = await documentOf(full, 'a')
    const { cursor } = await pollEvents(full.client, asked)
    await edit(full, plan)
    full.clock.now += 1_000
    await full.space.write(OPERATOR_LINK, ({ tx, now }) => forgetChangesBefore(tx, now, 100))
    const page = await pollEvents(full.client, { ...asked, cursor })
    expect(page).toMatchObject({ events: [], truncated: true })
    await edit(full, plan)
    expect(await pollEvents(full.client, { ...asked, cursor: page.cursor })).toMatchObject({
      events: [{}],
      truncated: false,
    })
  })

  test('if they are older than it wants', async () => {
    const full = await connect()
    const plan = await documentOf(full, 'a')
    const { cursor } = await pollEvents(full.client, asked)
    await edit(full, plan)
    full.clock.now += 10_000
    await edit(full, plan)
    expect(await pollEvents(full.client, { ...asked, cursor, maxAgeMs: 5_000 })).toMatchObject({
      ...{ events: [{}], truncated: true },
    })
    expect(await pollEvents(full.client, { ...asked, cursor, maxAgeMs: 60_000 })).toMatchObject({
      ...{ events: [{}, {}], truncated: false },
    })
  })
})

describe('an age', () => {
  const asked = { name: 'document.changed', arguments: { quietSeconds: 0 } }

  test('holds from the beginning of history', async () => {
    const full = await connect()
    const plan = await documentOf(full, 'a')
    await edit(full, plan)
    full.clock.now += 10_000
    await edit(full, plan)
    const page = await pollEvents(full.client, { ...asked, cursor: 'start', maxAgeMs: 5_000 })
    expect(page).toMatchObject({ events: [{}], truncated: true })
  })

  test('holds for what is recorded beside calls', async () => {
    const full = await connect('full', { access: 'propose' })
    const waiting = { name: 'proposal.waiting' }
    const { cursor } = await pollEvents(full.client, waiting)
    await full.call('documents_add', { documents: [{ title: 'Plan' }] })
    full.clock.now += 10_000
    expect(await pollEvents(full.client, { ...waiting, cursor, maxAgeMs: 5_000 })).toMatchObject({
      ...{ events: [], truncated: true },
    })
    expect(await pollEvents(full.client, { ...waiting, cursor, maxAgeMs: 60_000 })).toMatchObject({
      ...{ events: [{}], truncated: false },
    })
  })

  test('does not reveal what happens out of reach', async () => {
    const full = await connect()
    const [shown, hidden] = [await documentOf(full, 'a', 'Shown'), await documentOf(full, 'a', 'Hidden')]
    const narrow = await connect('selected', { to: full, documents: [shown] })
    const { cursor } = await pollEvents(narrow.client, asked)
    await edit(full, hidden)
    full.clock.now += 10_000
    const late = { ...asked, cursor, maxAgeMs: 0 }
    expect(await pollEvents(narrow.client, late)).toMatchObject({ events: [], truncated: false })
    await edit(full, shown)
    full.clock.now += 10_000
    expect(await pollEvents(narrow.client, late)).toMatchObject({ events: [], truncated: true })
  })
})

describe('the most that is asked for', () => {
  test('is kept when several bursts end at once', async () => {
    const full = await connect()
    const documents = [await documentOf(full, 'a'), await documentOf(full, 'a'), await documentOf(full, 'a')]
    const asked = { name: 'document.changed', maxEvents: 1 }
    let { cursor } = await pollEvents(full.client, asked)
    for (const document of documents) await edit(full, document)
    full.clock.now += 60_000
    const pages = []
    for (let hasMore = true; hasMore; ) {
      const page = await pollEvents(full.client, { ...asked, cursor })
      pages.push(page.events.map(({ data }) => data.documentId))
      ;({ cursor, hasMore } = page)
    }
    expect(pages).toEqual(documents.map((id) => [id]))
  })

  test('is kept when bursts end before the next change', async () => {
    const full = await connect()
    const documents = [await documentOf(full, 'a'), await documentOf(full, 'a'), await documentOf(full, 'a')]
    const asked = { name: 'document.changed', maxEvents: 1 }
    const { cursor } = await pollEvents(full.client, asked)
    for (const document of documents) await edit(full, document)
    full.clock.now += 60_000
    for (const document of documents) await edit(full, document)
    full.clock.now += 60_000
    const first = await pollEvents(full.client, { ...asked, cursor })
    expect([first.events.length, first.hasMore]).toEqual([1, true])
    const { events } = await drainEvents(full.client, { ...asked, cursor })
    expect(events.map(({ data }) => data.documentId)).toEqual([...documents, ...documents])
  })
})

describe('refuses', () => {
  test.each([
    ['an event that does not exist', { name: 'comment.deleted' }, -32011],
    ['an argument that does not exist', { name: 'comment.created', arguments: { text: 'x' } }, -32602],
    ['an argument of another event', { name: 'comment.created', arguments: { quietSeconds: 1 } }, -32602],
    ['the author of what time alone causes', { name: 'reminder.due', arguments: { author: 'Anna' } }, -32602],
    ['the author of a claim that ended', { name: 'lease.ended', arguments: { author: 'Anna' } }, -32602],
    ['a document that does not exist', { name: 'comment.created', arguments: { documentId: '100000000999' } }, -32011],
    ['a cursor that was made up', { name: 'comment.created', cursor: 'abc' }, -32602],
    ['a cursor among the arguments', { name: 'comment.created', arguments: { cursor: 'start' } }, -32602],
    ['a limit among the arguments', { name: 'comment.created', arguments: { wait: 1 } }, -32602],
    ['an empty cursor', { name: 'comment.created', cursor: '' }, -32602],
    ['a quiet time that is too long', { name: 'document.changed', arguments: { quietSeconds: 601 } }, -32602],
  ])('%s', async (_, asked, code) => {
    const { client } = await connect()
    await expect(pollEvents(client, asked)).rejects.toMatchObject({ code })
  })

  test('a cursor of another subscription, and one of another link', async () => {
    const full = await connect()
    const { cursor } = await pollEvents(full.client, { name: 'comment.created' })
    await expect(pollEvents(full.client, { name: 'comment.resolved', cursor })).rejects.toMatchObject({ code: -32602 })
    const narrow = await connect('daily', { to: full })
    await expect(pollEvents(narrow.client, { name: 'comment.created', cursor })).rejects.toMatchObject({ code: -32602 })
  })

  test('a document out of reach, as one that does not exist', async () => {
    const full = await connect()
    const [shown, hidden] = [await documentOf(full), await documentOf(full)]
    const { client } = await connect('selected', { to: full, documents: [shown] })
    const refusals = [hidden, '100000000999'].map((documentId) =>
      pollEvents(client, { name: 'comment.created', arguments: { documentId } }).catch(({ code, message }) => [
        code,
        message.replaceAll(documentId, 'ID'),
      ]),
    )
    const [one, other] = await Promise.all(refusals)
    expect(one).toEqual(other)
  })
})
