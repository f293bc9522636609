/** Clients of both generations over HTTP, and what they accept. */
import { describe, expect, test } from 'vitest'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { callTool, documentBy, serveBuilt } from '../http/serving.ts'
import { INITIALIZE, LIST, send } from './session-messages.ts'

describe.each(['2025', '2026'] as const)('a client of %s over HTTP', (era) => {
  test('sees and hears the same as one over stdio', async () => {
    // Without an editor, links lead to the pages of this server.
    const serving = await serveBuilt({ to: await buildSpace(':memory:', { editorUrl: 'https://docs.example.org' }) })
    const link = await serving.link()
    const here = await connect('full', { to: serving, era })
    const there = await link.client(era)
    expect(await there.listTools()).toEqual(await here.client.listTools())
    const id = await documentBy(link, '# Head\n\n- one\n- two')
    for (const [name, args] of [
      ['blocks_get', { id }],
      ['blocks_get', { id, format: 'markdown' }],
      ['documents_list', {}],
      ['blocks_get', { id: 'none' }],
      ['blocks_get', { di: id }],
    ] as const) {
      const of = (client: typeof there) => client.callTool({ name, arguments: { ...args } })
      expect(await of(there)).toEqual(await of(here.client))
    }
  })

  test('can make many concurrent calls, and gets the right response for each', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const client = await link.client(era)
    const titles = Array.from({ length: 30 }, (_, index) => `Document ${index}`)
    const answers = await Promise.all(
      titles.map((title) => callTool(client, 'documents_add', { documents: [{ title }] })),
    )
    expect(answers.map(({ object }) => object.items[0].title)).toEqual(titles)
    expect(new Set(answers.map(({ object }) => object.items[0].id)).size).toBe(30)
  })

  test('writes in the name of its link', async () => {
    const serving = await serveBuilt()
    const link = await serving.link({ name: 'of the link' })
    const id = await documentBy(link, 'by the link')
    await callTool(await link.client(era), 'blocks_add', {
      markdown: 'by the client',
      position: { position: 'end', pageId: id },
    })
    const { json } = await link.ask(`GET /blocks?id=${id}&fetchMetadata=true`)
    expect(json.content.map(({ metadata }: { metadata: { createdBy: string } }) => metadata.createdBy)).toEqual([
      'of the link',
      'of the link',
    ])
  })
})

describe('a client that accepts', () => {
  const asked = async (accept: string | undefined, body: object, method = 'POST') => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const headers = { 'content-type': 'application/json', ...(accept !== undefined && { accept }), ...link.headers }
    return fetch(link.mcp, { method, headers, ...(method === 'POST' && { body: JSON.stringify(body) }) })
  }

  test.each(['*/*', 'application/json, text/event-stream', 'text/event-stream'])('%s gets a stream', async (accept) => {
    const response = await asked(accept, INITIALIZE)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('mcp-session-id')).not.toBeNull()
    expect(await response.text()).toContain('"protocolVersion":"2025-06-18"')
  })

  test.each(['application/json', 'application/*;q=0.5'])('%s gets JSON', async (accept) => {
    for (const body of [INITIALIZE, LIST]) {
      const response = await asked(accept, body)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: body.id, result: {} })
    }
  })

  test('only pages is refused, as is a subscription without streams', async () => {
    expect((await asked('text/html', LIST)).status).toBe(406)
    expect((await asked('application/json', {}, 'GET')).status).toBe(405)
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: {} } }
    expect((await asked('application/json', listen)).status).toBe(406)
  })
})

test('null for parameters or arguments is the same as none', async () => {
  const serving = await serveBuilt()
  const link = await serving.link()
  const list = await send(link, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null })
  expect(list.text).toContain('"blocks_get"')
  const params = { name: 'connection_get', arguments: null }
  const called = await send(link, { jsonrpc: '2.0', id: 2, method: 'tools/call', params })
  expect(called.text).toContain('"result"')
  expect(called.text).not.toContain('isError')
})
