/** An unknown tool is a protocol error, for each generation of clients and each transport. */
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpOfV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../connect.ts'
import { serveBuilt } from '../http/serving.ts'

const SENTENCE = 'Expected a tool of this connection, found block_list; did you mean blocks_get with '
const ERROR = { error: expect.stringContaining(SENTENCE), code: 'NOT_AVAILABLE' }

interface Caller {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>
}

const inMemory = (era: '2025' | '2026') => async (): Promise<Caller> => (await connect('full', { era })).client

const overHttp = (era: '2025' | '2026') => async (): Promise<Caller> => (await (await serveBuilt()).link()).client(era)

const overHttpOfV1 = async (): Promise<Caller> => {
  const { mcp } = await (await serveBuilt()).link()
  const client = new ClientOfV1({ name: 'tester', version: '1.0.0' })
  await client.connect(new HttpOfV1(new URL(mcp)) as Transport)
  onTestFinished(() => client.close())
  return client
}

describe.each([
  ['in memory, of 2025', inMemory('2025')],
  ['in memory, of 2026', inMemory('2026')],
  ['over HTTP, of 2025', overHttp('2025')],
  ['over HTTP, of 2026', overHttp('2026')],
  ['over HTTP, of the first SDK', overHttpOfV1],
])('for a client %s', (_, connected) => {
  test('an unknown tool is error -32602, which names the nearest tool', async () => {
    const client = await connected()
    const error = await client.callTool({ name: 'block_list', arguments: {} }).catch((thrown) => thrown)
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(SENTENCE),
      data: { 'scriptorium/error': ERROR },
    })
  })

  test('any other failing call is a result that a model can read', async () => {
    const client = await connected()
    expect(await client.callTool({ name: 'blocks_get', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Expected id or date, found neither/) }],
    })
  })
})

test('the error has the remaining limits', async () => {
  const serving = await serveBuilt({ limits: { requests: 10, blocks: 0 } })
  const client = await (await serving.link()).client()
  const before = (await serving.budget.acquire({})).requests?.remaining ?? 0
  await expect(client.callTool({ name: 'block_list', arguments: {} })).rejects.toMatchObject({
    data: { 'scriptorium/limits': { requests: { remaining: before - 1 } }, 'scriptorium/error': ERROR },
  })
})

test('a long name is shortened in the error', async () => {
  const { unknownTool } = await connect()
  expect(await unknownTool('x'.repeat(100_000))).toBe(
    `Expected a tool of this connection, found ${'x'.repeat(60)}…; tools/list shows which there are.`,
  )
})
