/** Imports that end, as subscribers are told of them. */
import { expect, test } from 'vitest'
import { runImport } from '../../src/import/run-import.ts'
import { connect } from '../connect.ts'
import { imported, obsidianFormat, sourceOf } from '../import/importing.ts'
import { drainEvents, pollEvents, subscribe } from './wire.ts'

const ENDED = { name: 'import.ended' }

test('an import is told with its counts, and to a narrow link with what it wrote within reach', async () => {
  const full = await imported({ 'a.md': 'one', 'b.md': 'two' })
  const next = await subscribe(full, ENDED)
  const narrow = await connect('selected', { to: full, documents: [await full.idOf('a')] })
  const { cursor } = await pollEvents(narrow.client, ENDED)
  full.clock.now += 1_000
  await full.again({ 'a.md': 'one', 'b.md': 'changed', 'c.md': 'three' })
  const changed = { documentId: await full.idOf('b'), title: 'b' }
  const added = { documentId: await full.idOf('c'), title: 'c' }
  const [event, ...others] = await next()
  expect(others).toEqual([])
  expect(event?.data).toEqual({
    ...{ author: 'scriptorium', source: 'notes', format: 'obsidian', outcome: 'done', losses: {}, written: 2 },
    counts: { added: 1, updated: 1, unchanged: 1, deleted: 0, conflicts: 0, failed: 0 },
    documents: expect.arrayContaining([changed, added]),
  })
  expect(await drainEvents(narrow.client, { ...ENDED, cursor })).toMatchObject({ events: [] })
  full.clock.now += 1_000
  await full.again({ 'a.md': 'also', 'b.md': 'again', 'c.md': 'three' })
  expect((await drainEvents(narrow.client, { ...ENDED, cursor })).events.map(({ data }) => data)).toEqual([
    {
      ...{ author: 'scriptorium', format: 'obsidian', outcome: 'done', written: 1 },
      documents: [{ documentId: await full.idOf('a'), title: 'a' }],
    },
  ])
  full.clock.now += 1_000
  await full.again({ 'a.md': 'dry' }, { isDryRun: true })
  expect(await next()).toHaveLength(1)
})

test('an import that is interrupted says so', async () => {
  const full = await imported({ 'a.md': 'one' })
  const next = await subscribe(full, ENDED)
  full.clock.now += 1_000
  await full.again({ 'a.md': 'two' }, { signal: AbortSignal.abort() })
  expect(await next()).toMatchObject([{ data: { outcome: 'interrupted', written: 0, documents: [] } }])
})

test('imports that end in one millisecond are an event each, also of one source, with the same IDs for each reader', async () => {
  const full = await imported({ 'a.md': 'one' })
  const next = await subscribe(full, ENDED)
  const narrow = await connect('selected', { to: full, documents: [await full.idOf('a')] })
  const { cursor } = await pollEvents(narrow.client, ENDED)
  full.clock.now += 1_000
  await full.again({ 'a.md': 'two' })
  const other = { format: obsidianFormat, into: null, isDryRun: false }
  await runImport(full.space, sourceOf({ 'c.md': 'three' }, '/other'), other)
  await full.again({ 'a.md': 'four' })
  const received = await next()
  const ids = received.map(({ eventId }) => eventId)
  expect(new Set(received.map(({ timestamp }) => timestamp)).size).toBe(1)
  expect([ids.length, new Set(ids).size]).toEqual([3, 3])
  const { events } = await drainEvents(narrow.client, { ...ENDED, cursor })
  expect(events.map(({ eventId }) => eventId)).toEqual([ids[0], ids[2]])
})
