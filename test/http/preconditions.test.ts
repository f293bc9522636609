/** Conditions in headers are checked or refused, never ignored. */
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../tools/index.ts'
import { serveBuilt } from './serving.ts'

const REFUSED = {
  error: expect.stringMatching(/^Expected no header If-[\w-]+, since only files have an ETag, found one; nothing was/),
  code: 'VALIDATION_ERROR',
}
const IF_MATCH = { 'if-match': '"1"' }
const IF_UNMODIFIED = { 'if-unmodified-since': 'Fri, 20 Nov 2026 09:00:00 GMT' }
const IF_NONE_MATCH = { 'if-none-match': '*' }

/** Every route of REST, with any ID in its path, and those that are not calls of endpoints. */
const ROUTES = [
  ...endpoints.map(({ route }) => route.replace(/\{\w+\}/g, '100000000001')),
  ...['GET /openapi.json', 'GET /export', 'POST /import', 'GET /nothing'],
]

describe('every route of REST', () => {
  test.each(ROUTES)('%s refuses conditions that it does not check', async (route) => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const isRead = route.startsWith('GET ')
    for (const headers of [IF_MATCH, IF_UNMODIFIED, ...(isRead ? [] : [IF_NONE_MATCH])]) {
      const { status, json } = await link.ask(route, isRead ? undefined : {}, headers)
      expect([status, json], Object.keys(headers)[0]).toEqual([400, REFUSED])
    }
  })
})

test('a write with a condition writes nothing', async () => {
  const serving = await serveBuilt()
  const { ask } = await serving.link()
  for (const headers of [IF_MATCH, IF_UNMODIFIED, IF_NONE_MATCH, { 'if-match': '' }]) {
    await ask('POST /documents', { documents: [{ title: 'Plan' }] }, headers)
  }
  expect((await ask('GET /documents')).json.items).toEqual([])
})

test('a client that has a response may say so when it reads', async () => {
  const { ask } = await (await serveBuilt()).link()
  expect((await ask('GET /documents', undefined, IF_NONE_MATCH)).status).toBe(200)
})

test('the addresses of MCP and of uploads refuse conditions, too', async () => {
  const serving = await serveBuilt()
  const { mcp } = await serving.link()
  const path = new URL(mcp).pathname
  for (const line of [`POST ${path}`, 'PUT /uploads/secret', 'POST /files/secret/a.txt']) {
    expect((await serving.ask(line, {}, IF_MATCH)).json, line).toEqual(REFUSED)
  }
})
