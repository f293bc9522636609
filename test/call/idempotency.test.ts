import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createIdempotentCall } from '../../src/call/idempotency.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { callTool, documentBy, makeLink, serveBuilt } from '../http/serving.ts'
import { writeOnDays } from '../support/written-days.ts'

const DAY = 24 * 3600 * 1000
const add = (title: string) => ({ documents: [{ title }] })
const keyed = (key: string) => ({ 'idempotency-key': key })
const CONFLICT = (key: string) => ({
  error: `Expected the call that came with the idempotency key "${key}" before, found another; nothing was written, give every call a key of its own.`,
  code: 'CONFLICT',
})

describe('over REST', () => {
  test('the same call with the same key gets the same response, and runs once', async () => {
    const serving = await serveBuilt()
    const { ask } = await serving.link()
    const first = await ask('POST /documents', add('A'), keyed('k'))
    const second = await ask('POST /documents', add('A'), keyed('k'))
    expect([second.status, second.text]).toEqual([200, first.text])
    // Replays do not depend on how the JSON of the call is written.
    const spelled = await ask('POST /documents', '{ "documents" : [ { "title" : "\\u0041" } ] }', {
      ...keyed('k'),
      'content-type': 'application/json',
    })
    expect(spelled.text).toBe(first.text)
    expect((await ask('POST /documents', add('A'))).json.items[0].id).not.toBe(first.json.items[0].id)
    expect((await ask('GET /documents')).json.items).toHaveLength(2)
  })

  test('another call with the same key is a conflict, by its arguments or its route', async () => {
    const serving = await serveBuilt()
    const { ask } = await serving.link()
    await ask('POST /documents', add('A'), keyed('k'))
    for (const [line, body] of [
      ['POST /documents', add('B')],
      ['POST /folders', { folders: [{ name: 'A' }] }],
    ] as const) {
      const response = await ask(line, body, keyed('k'))
      expect([response.status, response.json]).toEqual([409, CONFLICT('k')])
    }
    expect((await ask('GET /documents')).json.items).toHaveLength(1)
  })

  test('a key belongs to its link, and is ignored by calls that read', async () => {
    const serving = await serveBuilt()
    const [one, other] = [await serving.link(), await serving.link()]
    const first = await one.ask('POST /documents', add('A'), keyed('k'))
    const second = await other.ask('POST /documents', add('A'), keyed('k'))
    expect(second.json.items[0].id).not.toBe(first.json.items[0].id)
    expect((await other.ask('POST /documents', add('B'), keyed('k'))).status).toBe(409)
    expect((await one.ask('GET /documents', undefined, keyed('k'))).json.items).toHaveLength(2)
    expect((await one.ask('GET /connection', undefined, keyed('k'))).status).toBe(200)
  })

  test('two concurrent calls run once', async () => {
    const serving = await serveBuilt()
    const { ask } = await serving.link()
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => ask('POST /documents', add('A'), keyed('k'))))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect((await ask('GET /documents')).json.items).toHaveLength(1)
  })

  test('a failed call can be retried, even with other arguments', async () => {
    const serving = await serveBuilt()
    const { ask } = await serving.link()
    expect((await ask('DELETE /blocks', { blockIds: ['none'] }, keyed('k'))).status).toBe(404)
    expect((await ask('POST /documents', { documents: 'A' }, keyed('k'))).status).toBe(400)
    expect((await ask('POST /documents', add('A'), keyed('k'))).status).toBe(200)
  })

  test('a key is stored for a day, and until the space was written on the next two', async () => {
    const serving = await serveBuilt()
    const { ask } = await serving.link()
    const first = await ask('POST /documents', add('A'), keyed('k'))
    serving.clock.now += DAY
    expect((await ask('POST /documents', add('A'), keyed('k'))).text).toBe(first.text)
    await writeOnDays(serving, 2)
    expect((await ask('POST /documents', add('A'), keyed('k'))).text).not.toBe(first.text)
    expect((await ask('GET /documents')).json.items).toHaveLength(2)
  })

  test('a retry counts as a request, but uses no blocks, even if none are left', async () => {
    const serving = await serveBuilt({ limits: { requests: 100, blocks: 10 } })
    const { ask } = await serving.link()
    const id = await documentBy({ ask })
    const markdown = 'one\n\ntwo\n\nthree\n\nfour\n\nfive\n\nsix'
    const body = { markdown, position: { position: 'end', pageId: id } }
    const first = await ask('POST /blocks', body, keyed('k'))
    expect(first.headers.get('x-blockbudget-remaining')).toBe('3')
    const again = await ask('POST /blocks', body, keyed('k'))
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers.get('x-ratelimit-remaining')).toBe('97')
    expect((await ask('POST /blocks', body)).status).toBe(429)
    const read = await ask(`GET /blocks?id=${id}&maxBlocks=1`)
    expect(Number(read.headers.get('x-blockbudget-remaining'))).toBeGreaterThanOrEqual(1)
  })

  test('an empty key and an overlong one are rejected', async () => {
    const serving = await serveBuilt()
    const { ask } = await serving.link()
    for (const key of ['', 'k'.repeat(256)]) {
      const response = await ask('POST /documents', add('A'), keyed(key))
      expect([response.status, response.json.error]).toEqual([
        400,
        `Expected an idempotency key of 1 to 255 characters, found ${key.length}; a UUID for every call will do.`,
      ])
    }
    expect((await ask('POST /documents', add('A'), keyed('k'.repeat(255)))).status).toBe(200)
  })
})

describe('over MCP', () => {
  const meta = (key: unknown) => ({ 'scriptorium/idempotencyKey': key })

  test.each(['2025', '2026'] as const)(
    'a client of %s sends the key in _meta, and shares it with REST',
    async (era) => {
      const serving = await serveBuilt()
      const link = await serving.link()
      const client = await link.client(era)
      const first = await callTool(client, 'documents_add', add('A'), meta('k'))
      expect((await callTool(client, 'documents_add', add('A'), meta('k'))).object).toEqual(first.object)
      const same = await link.ask('POST /documents', { ...add('A'), answer: 'full' }, keyed('k'))
      expect(same.json).toEqual(first.object)
      expect(await callTool(client, 'documents_add', add('B'), meta('k'))).toMatchObject({
        isRefused: true,
        text: CONFLICT('k').error,
      })
      expect((await link.ask('GET /documents')).json.items).toHaveLength(1)
    },
  )

  test('a key that is not a string is rejected, since the call could run twice', async () => {
    const serving = await serveBuilt()
    const client = await (await serving.link()).client()
    for (const key of [5, null, {}]) {
      expect((await callTool(client, 'documents_add', add('A'), meta(key))).text).toBe(
        `Expected text as scriptorium/idempotencyKey, found ${JSON.stringify(key)}; give the key in quotes.`,
      )
    }
    expect((await callTool(client, 'documents_list')).object.items).toEqual([])
  })
})

test('responses are stored on disk: they survive a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'space.sqlite')
  const before = await serveBuilt({ to: await buildSpace(file) })
  const link = await before.link()
  const first = await link.ask('POST /documents', add('A'), keyed('k'))
  await before.server.close()
  await before.space.close()
  const after = await serveBuilt({ to: await buildSpace(file) })
  const again = await after.ask(`POST ${new URL(link.rest).pathname}/documents`, add('A'), keyed('k'))
  expect([again.status, again.text]).toEqual([200, first.text])
})

test('the operator has separate keys', async () => {
  const built = await buildSpace()
  const { client } = await connect('full', { to: built })
  const { server } = await serveBuilt({ to: built })
  const link = await makeLink(built, server.origin)
  const first = await callTool(client, 'documents_add', add('A'), { 'scriptorium/idempotencyKey': 'k' })
  expect((await callTool(client, 'documents_add', add('A'), { 'scriptorium/idempotencyKey': 'k' })).object).toEqual(
    first.object,
  )
  expect((await link.ask('POST /documents', add('B'), keyed('k'))).status).toBe(200)
})

test('connections without a link share keys only if their reach is the same', async () => {
  const full = await connect('full')
  const to = { space: full.space, clock: full.clock }
  const daily = await connect('daily', { to })
  const position = { position: 'start', date: 'today' }
  const input = { blocks: [{ type: 'text', markdown: 'Here' }], position }
  const add = async ({ client }: typeof full) => {
    const response = await callTool(client, 'blocks_add', input, { 'scriptorium/idempotencyKey': 'k' })
    return response.object.items[0].id as string
  }
  const first = await add(full)
  expect(await add(daily)).not.toBe(first)
  expect(await add(await connect('full', { to }))).toBe(first)
})

describe('the fingerprint of a call', () => {
  const known = async (given: unknown) => (await createIdempotentCall('k', 'blocks_add', given)).fingerprint

  test('is the same in any order of keys', async () => {
    const call = await known({ a: [1, { b: 'x', c: [] }], d: null })
    expect(await known({ d: null, a: [1, { c: [], b: 'x' }] })).toBe(call)
  })

  test.each([
    ['entries that stand elsewhere', { a: [{ b: 1 }, 2] }, { a: [2, { b: 1 }] }],
    ['a list in a list', { a: [[1], 2] }, { a: [[1, 2]] }],
    ['none in place of an empty list', { a: {} }, { a: [] }],
    ['text in place of a number', { a: 1 }, { a: '1' }],
    ['a field further in', { a: { b: 1 }, c: 2 }, { a: { b: 1, c: 2 } }],
    ['marks of JSON in a text', { a: '1","b":"2' }, { a: '1', b: '2' }],
  ])('differs with %s', async (_, one, other) => {
    expect(await known(one)).not.toBe(await known(other))
  })
})
