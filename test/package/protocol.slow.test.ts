/**
 * The Model Context Protocol of the installed package: over stdio and Streamable HTTP, with clients of each generation.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioOfV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpOfV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { CONNECTION_KINDS } from '../../src/space/model/space.ts'
import { callTool, clientAt } from '../http/serving.ts'
import { folder, type Program } from '../program.ts'
import { installedProgram } from '../support/installed-package.ts'
import { type SpawnedServer, spawnServer } from '../support/spawned-server.ts'

let program: Program
let server: SpawnedServer

beforeAll(async () => {
  program = await installedProgram()
  server = await spawnServer(program, 7)
}, 300_000)
afterAll(() => server?.close())

const snapshot = (kind: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../snapshots', `tools-${kind}.json`), 'utf8'))

const UNKNOWN_TOOL = {
  code: -32602,
  message: expect.stringContaining(
    'Expected a tool of this connection, found blok_get; did you mean blocks_get with {',
  ),
}

type Era = '2025' | '2026'

const overStdio = async (era: Era, ...flags: string[]): Promise<Client> => {
  const args = [program.script, 'stdio', '--space', join(folder(), 'space.sqlite'), '--no-welcome', ...flags]
  const mode = era === '2025' ? 'legacy' : ({ pin: '2026-07-28' } as const)
  const client = new Client({ name: 'tester', version: '1.0.0' }, { versionNegotiation: { mode } })
  const { cwd } = program
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, env: getDefaultEnvironment() }))
  onTestFinished(() => client.close())
  return client
}

const overHttp = async (era: Era): Promise<Client> => {
  const link = await (await server.freshSpace()).link()
  return clientAt(link.mcp, era, link.headers)
}

describe.each([
  ['stdio', '2025', overStdio],
  ['stdio', '2026', overStdio],
  ['Streamable HTTP', '2025', overHttp],
  ['Streamable HTTP', '2026', overHttp],
] as const)('over %s a client of %s', (_, era, connect) => {
  test('gets the tools, writes, reads, searches, gets readable errors, and reads resources', async () => {
    const client = await connect(era)
    expect((await client.listTools()).tools).toEqual(snapshot('full'))
    expect(client.getInstructions()?.length).toBeGreaterThan(500)
    const documents = [{ title: 'A', markdown: '# Heading\n\nunmistakable words' }]
    const { object } = await callTool(client, 'documents_add', { documents })
    const [{ id }] = object.items
    const read = await callTool(client, 'blocks_get', { id, format: 'markdown' })
    expect(read.text).toContain('# Heading\n\nunmistakable words')
    const found = await callTool(client, 'documents_search', { include: ['unmistakable'] })
    expect(found.object.items).toMatchObject([{ documentId: id }])
    const refused = await callTool(client, 'blocks_get', {})
    expect([refused.isRefused, refused.text]).toEqual([
      true,
      expect.stringMatching(/^Expected id or date, found neither/),
    ])
    await expect(client.callTool({ name: 'blok_get', arguments: {} })).rejects.toMatchObject(UNKNOWN_TOOL)
    const uri = `scriptorium://documents/${id}`
    const { resources } = await client.listResources()
    expect(resources[0]).toMatchObject({ uri, name: 'A', mimeType: 'text/markdown' })
    const skills = new SkillsClient(client)
    for (const entry of (await skills.list()).skills) expect((await skills.read(entry)).verified).toBe(true)
    expect((await client.readResource({ uri })).contents).toMatchObject([{ uri, text: read.text }])
  })
})

test.each(CONNECTION_KINDS.filter((kind) => kind !== 'full'))(
  'over HTTP a %s link has the tools of its kind',
  async (kind) => {
    const space = await server.freshSpace()
    const full = await (await space.link()).client()
    const { object } = await callTool(full, 'documents_add', { documents: [{ title: 'A' }] })
    const link = await space.link({ kind, documents: kind === 'selected' ? [object.items[0].id] : [] })
    for (const era of ['2025', '2026'] as const) {
      expect((await (await link.client(era)).listTools()).tools).toEqual(snapshot(kind))
    }
  },
)

test('the 1.x client works over both', async () => {
  const link = await (await server.freshSpace()).link()
  const args = [program.script, 'stdio', '--space', join(folder(), 'space.sqlite')]
  const transports = [
    new StdioOfV1({ command: process.execPath, args, cwd: program.cwd }),
    new HttpOfV1(new URL(link.mcp)) as Transport,
  ]
  for (const transport of transports) {
    const client = new ClientOfV1({ name: 'tester', version: '1.0.0' })
    await client.connect(transport)
    onTestFinished(() => client.close())
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
      snapshot('full').map(({ name }: { name: string }) => name),
    )
    const documents = [{ title: 'A' }]
    expect((await client.callTool({ name: 'documents_add', arguments: { documents } })).isError).not.toBe(true)
    await expect(client.callTool({ name: 'blok_get', arguments: {} })).rejects.toMatchObject(UNKNOWN_TOOL)
  }
})

test.each(['2025', '2026'] as const)('over HTTP a client of %s is notified of changes by another one', async (era) => {
  const link = await (await server.freshSpace()).link()
  const writing = await link.client()
  const { object } = await callTool(writing, 'documents_add', { documents: [{ title: 'A' }] })
  const [{ id: pageId }] = object.items
  const uri = `scriptorium://documents/${pageId}`
  const hearing = await link.client(era)
  const received = new Promise<string>((resolve) => {
    hearing.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri))
  })
  if (era === '2026') await hearing.listen({ resourceSubscriptions: [uri] })
  else await hearing.subscribeResource({ uri })
  await callTool(writing, 'blocks_add', { markdown: 'more', position: { position: 'end', pageId } })
  expect(await received).toBe(uri)
})

test('files can be added from allowed folders, even from the root', async () => {
  const path = join(folder(), 'a.txt')
  writeFileSync(path, 'words')
  const client = await overStdio('2026', '--files', '/')
  const position = { position: 'end', date: 'today' }
  expect(await callTool(client, 'files_add', { path, position })).toMatchObject({ isRefused: false })
  expect(await callTool(client, 'files_add', { path: '/dev/null', position })).toMatchObject({
    isRefused: true,
    text: 'Expected the path of a file below /, found /dev/null; name another.',
  })
})
