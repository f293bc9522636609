/** Sessions, streams and subscriptions keep nothing of their messages in memory. */
import { type ClientRequest, request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { documentBy, serveBuilt, type TestLink } from '../http/serving.ts'

const MIB = 1024 * 1024
const TIMES = 8

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function heap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Sends a message and leaves the response stream open. Returns its beginning, and the ID of the session. */
function post({ mcp }: TestLink, message: object, headers: Record<string, string>) {
  const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const httpRequest = request(mcp, { method: 'POST', headers: { ...accept, ...headers } })
  const answered = beginningOf(httpRequest)
  httpRequest.end(JSON.stringify(message))
  return answered
}

// A separate function, so that no closure keeps the message in memory.
function beginningOf(request: ClientRequest): Promise<{ text: string; session: string }> {
  return new Promise((resolve, reject) => {
    request.once('error', reject).once('response', (response) => {
      onTestFinished(() => void response.destroy())
      const session = String(response.headers['mcp-session-id'])
      response.setEncoding('utf8').once('data', (text) => resolve({ text, session }))
    })
  })
}

describe('eight messages of 2 MiB leave less than one in memory', () => {
  test('as streams of a client without a session', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const junk = 'x'.repeat(2 * MIB)
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      junk,
    }
    const notifications = { resourcesListChanged: true }
    const listen = async (id: number, method = 'subscriptions/listen') => {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
      const { text } = await post(link, { jsonrpc: '2.0', id, method, params: { _meta, notifications } }, headers)
      expect(text).toContain('notifications/subscriptions/acknowledged')
    }
    await listen(0)
    const before = heap()
    for (let id = 1; id <= TIMES; id++) await listen(id)
    expect(heap() - before).toBeLessThan(2 * MIB)
  })

  test('as sessions, and as subscriptions of one', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const document = await documentBy(link)
    const junk = 'x'.repeat(2 * MIB)
    const clientInfo = { name: junk, version: '1', icons: [{ src: 'https://example.org' }] }
    const params = { protocolVersion: '2025-06-18', capabilities: { experimental: {} }, clientInfo }
    const open = async (id: number) => post(link, { jsonrpc: '2.0', id, method: 'initialize', params }, {})
    const subscribe = (uri: string) =>
      post(
        link,
        { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } },
        { 'mcp-session-id': session },
      )
    const { session } = await open(0)
    await subscribe(`scriptorium://documents/${document}`)
    const before = heap()
    for (let id = 1; id <= TIMES; id++) {
      await open(id)
      await subscribe(`scriptorium://documents/${junk}${id}`)
    }
    expect(heap() - before).toBeLessThan(2 * MIB)
  })
})
