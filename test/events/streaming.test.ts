/** Streams of events, in memory and over HTTP, for clients of both generations. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exposeDocuments, revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { STREAMS_PER_LINK } from '../../src/base/limits.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { serveBuilt } from '../http/serving.ts'
import { openStream, pollEvents } from './wire.ts'

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId'
const DELETED = { name: 'document.changed', arguments: { quietSeconds: 0 } }
async function overHttp(era: '2025' | '2026') {
  const served = await serveBuilt()
  const link = await served.link({})
  return { served, link, client: await link.client(era) }
}

const writerOf = async (served: Awaited<ReturnType<typeof serveBuilt>>) => connect('full', { to: served })
const edit = (writer: Awaited<ReturnType<typeof connect>>, pageId: string) =>
  writer.call('blocks_add', { markdown: 'x', position: { position: 'end', pageId } })

describe.each(['2025', '2026'] as const)('over HTTP, a client of %s', (era) => {
  test('is sent events as they happen, each with the cursor after it, until it goes', async () => {
    const { served, client } = await overHttp(era)
    const writer = await writerOf(served)
    const plan = await documentOf(writer, 'a', 'Plan')
    const stream = openStream(client, DELETED)
    expect(await stream.until(1)).toEqual([
      { kind: 'active', cursor: expect.any(String), truncated: false, _meta: { [SUBSCRIPTION]: expect.any(Number) } },
    ])
    await edit(writer, plan)
    await edit(writer, plan)
    const [active, one, two] = await stream.until(3)
    expect(two).toMatchObject({
      kind: 'event',
      name: 'document.changed',
      data: { documentId: plan },
      _meta: active?._meta,
    })
    stream.end()
    const missed = await pollEvents(client, { ...DELETED, cursor: one?.cursor as string })
    expect(missed.events.map(({ eventId }) => eventId)).toEqual([two?.eventId])
    const all = await pollEvents(client, { ...DELETED, cursor: active?.cursor as string })
    expect(all.events.map(({ eventId }) => eventId)).toEqual([one?.eventId, two?.eventId])
  })

  test('is told when its link ends', async () => {
    const { served, client, link } = await overHttp(era)
    const writer = await writerOf(served)
    const plan = await documentOf(writer)
    const stream = openStream(client, DELETED)
    await stream.until(1)
    await served.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, link.info.id))
    await edit(writer, plan)
    expect((await stream.until(2))[1]).toMatchObject({ kind: 'terminated', error: { code: -32012 } })
    await stream.ended
  })
})

test('a stream, and a poll that waits, say that the reach of the link has changed meanwhile', async () => {
  const served = await serveBuilt()
  const writer = await writerOf(served)
  const [shown, hidden] = [await documentOf(writer, 'a', 'Shown'), await documentOf(writer, 'a', 'Hidden')]
  const link = await served.link({ kind: 'selected', documents: [shown, hidden] })
  const client = await link.client('2026')
  const stream = openStream(client, DELETED)
  const [active] = await stream.until(1)
  const params = { ...DELETED, cursor: active?.cursor, _meta: { 'scriptorium/waitSeconds': 20 } }
  const waiting = client.request({ method: 'events/poll', params }, z.looseObject({}))
  await served.space.write(OPERATOR_LINK, (view) => exposeDocuments(view, link.info.id, [shown]))
  await edit(writer, hidden)
  await edit(writer, shown)
  const frames = await stream.until(3)
  // Which comes first depends on which change woke the stream.
  const byKind = frames.slice(1).toSorted((one, other) => one.kind.localeCompare(other.kind))
  expect(byKind).toMatchObject([
    { kind: 'active', truncated: true },
    { kind: 'event', data: { title: 'Shown' } },
  ])
  expect(await waiting).toMatchObject({ truncated: true })
  expect(JSON.stringify(frames)).not.toContain('Hidden')
})

describe('a stream ends once what it names', () => {
  test('is a document out of reach, of which it says before that it is gone', async () => {
    const full = await connect()
    const [shown, other] = [await documentOf(full, 'a', 'Shown'), await documentOf(full, 'a', 'Other')]
    const asked = { name: 'document.changed', arguments: { documentId: shown, quietSeconds: 0 } }
    const open = async (about: object) => {
      const narrow = await connect('selected', { to: full, documents: [shown, other] })
      const stream = openStream(narrow.client, about)
      await stream.until(1)
      return stream
    }
    const [changes, comments] = [
      await open(asked),
      await open({ ...asked, name: 'comment.created', arguments: { documentId: shown } }),
    ]
    await full.call('documents_delete', { documentIds: [shown] })
    expect((await changes.until(2))[1]).toMatchObject({ kind: 'event', data: { documentId: shown, gone: true } })
    await edit(full, other)
    const end = { kind: 'terminated', error: { code: -32011, data: { kind: 'argument' } } }
    expect((await changes.until(3))[2]).toMatchObject(end)
    expect((await comments.until(2))[1]).toMatchObject(end)
    await Promise.all([changes.ended, comments.ended])
  })

  test('is a folder that was deleted', async () => {
    const full = await connect()
    const { items } = await full.call('folders_add', { folders: [{ name: 'Work' }] })
    const folderId = items[0].id
    const stream = openStream(full.client, { name: 'document.added', arguments: { folderId } })
    await stream.until(1)
    await full.call('folders_delete', { folderIds: [folderId] })
    expect((await stream.until(2))[1]).toMatchObject({ kind: 'terminated', error: { code: -32011 } })
  })
})

test('a stream skips what is older than it wants, however many pages of the feed that takes', async () => {
  const full = await connect()
  const plan = await documentOf(full, 'a')
  const narrow = await connect('selected', { to: full, documents: [plan] })
  const { cursor } = await pollEvents(narrow.client, DELETED)
  for (let change = 0; change < 101; change++) await edit(full, plan)
  full.clock.now += 10_000
  await edit(full, plan)
  const stream = openStream(narrow.client, { ...DELETED, cursor, maxAgeMs: 5_000 })
  const frames = await stream.until(4)
  expect(frames.map(({ kind, truncated }) => [kind, truncated])).toEqual([
    ['active', true],
    ['active', true],
    ['event', undefined],
    ['active', true],
  ])
  expect(frames[2]).toMatchObject({ timestamp: new Date(full.clock.now).toISOString() })
})

test('a poll counts as one request, as does a stream', async () => {
  const served = await serveBuilt({ limits: { requests: 1_000, blocks: 0 } })
  const link = await served.link({})
  const client = await link.client('2026')
  const left = async () => Number((await link.ask('GET /connection')).headers.get('x-ratelimit-remaining'))
  const before = await left()
  await pollEvents(client, DELETED)
  expect(await left()).toBe(before - 2)
  await openStream(client, DELETED).until(1)
  expect(await left()).toBe(before - 4)
})

test('over standard input and output, several streams share the connection until they are cancelled', async () => {
  const full = await connect()
  const plan = await documentOf(full, 'a')
  const stream = openStream(full.client, DELETED)
  await stream.until(1)
  await edit(full, plan)
  expect((await stream.until(2))[1]).toMatchObject({ kind: 'event', data: { documentId: plan } })
  stream.end()
  await expect(stream.ended).rejects.toThrow()
})

test('a link has a limited number of streams, and each that ends makes room for another', async () => {
  let isRevoked = false
  const built = await buildSpace()
  const link = await built.space.createAccessLink('full', [], 'tester')
  const currentLink = async () => (isRevoked ? undefined : link)
  const full = await connect('full', { to: built, caller: { currentLink } })
  const writer = await connect('full', { to: built })
  const document = await documentOf(writer)
  const streams = Array.from({ length: STREAMS_PER_LINK }, () => openStream(full.client, DELETED))
  await expect(openStream(full.client, DELETED).ended).rejects.toMatchObject({
    ...{ code: -32013, data: { limit: 'streams', max: STREAMS_PER_LINK } },
  })
  isRevoked = true
  await edit(writer, document)
  for (const { ended } of streams) await ended.catch(() => {})
  isRevoked = false
  await openStream(full.client, DELETED).until(1)
})

test('a stream of an event that does not exist is refused, and none is opened', async () => {
  const { client } = await connect()
  await expect(openStream(client, { name: 'nothing' }).ended).rejects.toMatchObject({ code: -32011 })
})
