/** The change stream of a signed-in client lasts as long as the token. */
import { describe, expect, test } from 'vitest'
import { serveSigningIn } from './signing-in.ts'

describe('an event stream', () => {
  const listen = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { resourcesListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }
  const open = (mcp: string, token: string) =>
    fetch(mcp, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify(listen),
    })

  test('reports changes, and ends when its token expires', async () => {
    const { token, mcp, askAs, clock } = await serveSigningIn()
    // One second is left of the half minute of clock tolerance.
    const response = await open(mcp, await token({ claims: { exp: clock.now / 1000 - 29 } }))
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    await askAs(await token(), 'POST /documents', { documents: [{ title: 'A' }] })
    expect(await response.text()).toContain('notifications/resources/list_changed')
  })

  test('stays open as long as its token, and ends when no one listens', async () => {
    const { token, mcp, askAs } = await serveSigningIn()
    const response = await open(mcp, await token())
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
    await askAs(await token(), 'POST /documents', { documents: [{ title: 'A' }] })
    let output = ''
    while (!output.includes('list_changed')) output += (await reader.read()).value
    await reader.cancel()
  })
})
