/** The feed over HTTP: requests that wait, and streams of events. */
import { expect, test } from 'vitest'
import { exposeDocuments, revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { serveBuilt, type TestLink } from '../http/serving.ts'
import { openEvents } from './event-source.ts'
import { cursorNow, readAll } from './reading-feed.ts'

const MANY = { requests: 1_000, blocks: 0 }

test('a request waits until there is an event, and returns it', async () => {
  const serving = await serveBuilt()
  const { ask } = await serving.link()
  const full = await connect('full', { to: serving })
  const cursor = await cursorNow(ask)
  const waiting = ask(`GET /changes?wait=25&cursor=${cursor}`)
  await documentOf(full, '', 'Plan')
  const { status, json, headers } = await waiting
  expect([status, json.items.map(({ summary }: { summary: string }) => summary)]).toEqual([200, ['"Plan": added']])
  expect(headers.get('vary')).toBe('Accept, Accept-Encoding')
  const atOnce = await ask(`GET /changes?wait=25&cursor=${cursor}`)
  expect(atOnce.json.items).toHaveLength(1)
})

test('changes out of reach wake no one', async () => {
  const serving = await serveBuilt()
  const full = await connect('full', { to: serving })
  const [shown, hidden] = [await documentOf(full, '', 'Shown'), await documentOf(full, '', 'Hidden')]
  const { ask } = await serving.link({ kind: 'selected', documents: [shown] })
  const waiting = ask(`GET /changes?wait=25&cursor=${await cursorNow(ask)}`)
  const add = (pageId: string) => full.call('blocks_add', { markdown: 'x', position: { position: 'end', pageId } })
  for (let call = 0; call < 3; call++) await add(hidden)
  await add(shown)
  const { items } = (await waiting).json
  expect(items).toMatchObject([{ summary: '"Shown": 1 block added' }])
})

test('a waiting request is charged only when it gets its response', async () => {
  const serving = await serveBuilt({ limits: MANY })
  const { ask } = await serving.link()
  const full = await connect('full', { to: serving })
  const left = async () => Number((await ask('GET /connection')).headers.get('x-ratelimit-remaining'))
  const cursor = await cursorNow(ask)
  const before = await left()
  const waiting = ask(`GET /changes?wait=25&cursor=${cursor}`)
  expect(await left()).toBe(before - 1)
  await documentOf(full)
  const { headers } = await waiting
  expect(Number(headers.get('x-ratelimit-remaining'))).toBe(before - 2)
  expect((await ask('GET /changes?wait=26')).status).toBe(400)
  expect(await left()).toBe(before - 4)
})

test('a stream has each call as it is committed, and continues where a client was interrupted', async () => {
  const serving = await serveBuilt({ limits: MANY })
  const { ask, rest } = await serving.link()
  const full = await connect('full', { to: serving })
  const stream = await openEvents(`${rest}/changes`)
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  expect(stream.headers.get('x-ratelimit-remaining')).toBe('999')
  await stream.moved('')
  const begun = stream.lastEventId()
  await documentOf(full, '', 'a')
  const first = await stream.next()
  expect(first).toMatchObject({ type: 'call.committed', data: { summary: '"a": added' } })
  stream.cut()
  await documentOf(full, '', 'b')
  await documentOf(full, '', 'c')
  const again = await openEvents(`${rest}/changes?cursor=${begun}`, { 'last-event-id': first?.lastEventId ?? '' })
  expect((await again.next())?.data.summary).toBe('"b": added')
  expect((await again.next())?.data.summary).toBe('"c": added')
  await documentOf(full, '', 'd')
  const last = await again.next()
  expect(last?.data.summary).toBe('"d": added')
  expect(last?.data.cursor).toBeUndefined()
  expect(await readAll(ask, last?.lastEventId ?? '')).toEqual([])
  // Opening a stream costs a call, and its events cost nothing.
  expect((await ask('GET /connection')).headers.get('x-ratelimit-remaining')).toBe('996')
})

test('a stream that catches up pays for each further page, and waits for the limit instead of ending', async () => {
  const serving = await serveBuilt({ limits: { requests: 3, blocks: 0 } })
  const { rest } = await serving.link()
  const full = await connect('full', { to: serving })
  for (const title of ['a', 'b', 'c']) await documentOf(full, '', title)
  const stream = await openEvents(`${rest}/changes?cursor=start&limit=1`)
  for (const title of ['a', 'b', 'c']) expect((await stream.next())?.data.summary).toBe(`"${title}": added`)
  expect((await fetch(`${rest}/changes`)).status).toBe(429)
})

test('HEAD opens no stream, and clients that do not prefer one get JSON', async () => {
  const serving = await serveBuilt()
  const { rest } = await serving.link()
  const accept = 'text/event-stream'
  const head = await fetch(`${rest}/changes`, { method: 'HEAD', headers: { accept } })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/json'])
  const json = await fetch(`${rest}/changes`, { headers: { accept: 'application/json, text/event-stream' } })
  expect(json.headers.get('content-type')).toBe('application/json')
})

test('a link whose reach changes learns so, on a stream and at its next request', async () => {
  const serving = await serveBuilt()
  const { space } = serving
  const full = await connect('full', { to: serving })
  const [one, other] = [await documentOf(full, '', 'one'), await documentOf(full, '', 'other')]
  const { ask, rest, info } = await serving.link({ kind: 'selected', documents: [one] })
  const expose = (documents: string[]) =>
    space.write(OPERATOR_LINK, (view) => exposeDocuments(view, info.id, documents))
  const cursor = await cursorNow(ask)
  await expose([one])
  expect(await readAll(ask, cursor)).toEqual([])
  const stream = await openEvents(`${rest}/changes?cursor=${cursor}`)
  await stream.moved('')
  await expose([one, other])
  await full.call('blocks_add', { markdown: 'x', position: { position: 'end', pageId: one } })
  const error =
    'Expected a cursor from after the last change to what this link reaches, found an older one; call again without cursor to begin now, then read what the link reaches.'
  expect(await stream.next()).toMatchObject({ type: 'refused', data: { error, code: 'CURSOR_INVALID' } })
  expect(await stream.next()).toBeUndefined()
  expect((await ask(`GET /changes?cursor=${cursor}`)).json).toEqual({ error, code: 'CURSOR_INVALID' })
  expect((await ask(`GET /changes?cursor=${await cursorNow(ask)}`)).status).toBe(200)
})

test('a stream whose link ends says so, and ends', async () => {
  const serving = await serveBuilt()
  const { space } = serving
  const full = await connect('full', { to: serving })
  const { rest, info } = await serving.link()
  const stream = await openEvents(`${rest}/changes`)
  await stream.moved('')
  await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, info.id))
  await documentOf(full)
  expect(await stream.next()).toMatchObject({
    type: 'refused',
    data: {
      error:
        'Expected a link that stands, found that it was revoked or has expired meanwhile; ask the person who made the link for another.',
      code: 'INVALID_AUTH_HEADER',
    },
  })
  expect(await stream.next()).toBeUndefined()
})

test('a server that stops responds to waiting requests and ends streams without waiting', async () => {
  const serving = await serveBuilt()
  const { ask, rest } = await serving.link()
  const stream = await openEvents(`${rest}/changes`)
  await stream.moved('')
  const waiting = ask(`GET /changes?wait=25&cursor=${await cursorNow(ask)}`)
  // It has started once another request of the same connection pool has its response.
  await ask('GET /connection')
  await serving.server.close()
  expect((await waiting).json.items).toEqual([])
  expect(await stream.next()).toBeUndefined()
})

test('waiting requests of one link are limited like streams', async () => {
  const serving = await serveBuilt()
  const { rest, client } = await serving.link()
  const other = await serving.link()
  const open = (link: Pick<TestLink, 'rest'>) => openEvents(`${link.rest}/changes`)
  // Streams of the protocol count as well.
  await (await client()).listen({ resourcesListChanged: true })
  const streams = await Promise.all(Array.from({ length: 99 }, () => open({ rest })))
  expect(streams.every(({ status }) => status === 200)).toBe(true)
  const refused = await fetch(`${rest}/changes?wait=1`)
  expect([refused.status, await refused.json()]).toEqual([
    429,
    {
      error:
        'Expected at most 100 requests of one link that wait and streams at once, found that many; end one first. Retry after 1 second.',
      code: 'RATE_LIMITED',
    },
  ])
  expect((await fetch(`${rest}/changes`)).status).toBe(200)
  expect((await open(other)).status).toBe(200)
})
