/** The package as a library: spaces for clients in the same process. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
// Otherwise the first call loads it, which takes longer than a test should.
import '../../tools/index.ts'
import { createServer, type ServerOptions, type SpaceServer } from '../../src/local/create-server.ts'

async function serverWith(options: Partial<ServerOptions> = {}): Promise<SpaceServer> {
  const server = await createServer({ space: ':memory:', ...options })
  onTestFinished(() => server.close())
  return server
}

async function clientOf(server: SpaceServer): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  server.connect(ours)
  const client = new Client({ name: 'tester', version: '1.0.0' })
  await client.connect(theirs)
  return client
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'space.sqlite')
}

test('clients of one server share its space', async () => {
  const server = await serverWith()
  const [one, other] = [await clientOf(server), await clientOf(server)]
  await one.callTool({ name: 'documents_add', arguments: { documents: [{ title: 'Shared' }] } })
  const { structuredContent } = await other.callTool({ name: 'documents_list', arguments: { format: 'json' } })
  expect(structuredContent).toMatchObject({ items: [{ title: 'Shared' }] })
})

test('a file stays for the next server, with its name and time zone', async () => {
  const space = newFile()
  const first = await serverWith({ space, name: 'Garden', timezone: 'Asia/Tokyo' })
  await (await clientOf(first)).callTool({ name: 'documents_add', arguments: { documents: [{ title: 'Roses' }] } })
  await first.close()
  const client = await clientOf(await serverWith({ space }))
  const [connection, list] = [
    await client.callTool({ name: 'connection_get' }),
    await client.callTool({ name: 'documents_list' }),
  ]
  expect(JSON.stringify(connection.content)).toMatch(/Garden.*Asia\/Tokyo/)
  expect(JSON.stringify(list.content)).toContain('Roses')
})

describe('a connection', () => {
  test('has typed answers if they are asked for', async () => {
    const client = await clientOf(await serverWith({ answers: 'typed' }))
    const { tools } = await client.listTools()
    expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([])
    const { structuredContent } = await client.callTool({
      name: 'documents_add',
      arguments: { documents: [{ title: 'A' }] },
    })
    expect(structuredContent).toMatchObject({ items: [{ title: 'A', rootBlockId: expect.any(String) }] })
  })

  test('has the tools of its kind and access, or a selection of them', async () => {
    expect(await namesOf(await clientOf(await serverWith({ access: 'read', tools: 'documents' })))).toEqual([
      'documents_list',
      'documents_search',
    ])
    expect(await namesOf(await clientOf(await serverWith({ kind: 'daily', tools: 'daily_notes' })))).toEqual([
      'daily_notes_search',
    ])
  })

  test('adds files from the given folders only', async () => {
    const space = newFile()
    const path = `${space}.txt`
    writeFileSync(path, 'words')
    const add = { name: 'files_add', arguments: { path, position: { position: 'end', date: 'today' } } }
    const allowed = await clientOf(await serverWith({ files: [join(path, '..')] }))
    expect(await allowed.callTool(add)).not.toMatchObject({ isError: true })
    expect(await (await clientOf(await serverWith())).callTool(add)).toMatchObject({ isError: true })
  })

  test('can be closed separately', async () => {
    const server = await serverWith()
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    const end = server.connect(ours)
    const client = new Client({ name: 'tester', version: '1.0.0' })
    await client.connect(theirs)
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve
    })
    await end()
    await closed
    expect(await namesOf(await clientOf(server))).toContain('documents_list')
  })
})

describe('invalid options are rejected, and the file is closed', () => {
  test.each([
    [{ tools: 'documants' }, 'Expected tools of this connection, found "documants"; did you mean documents?'],
    [
      { documents: ['100000000001'] },
      'Expected documents on a selected connection alone, found them on a full one; leave them out.',
    ],
  ])('%o', async (options, message) => {
    const space = newFile()
    await expect(createServer({ space, ...options })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message })
    expect(existsSync(`${space}-wal`)).toBe(false)
  })

  test('a file that is not a space', async () => {
    const space = newFile()
    writeFileSync(
      space,
      'a letter to a friend, longer than the header of a database, which has a hundred bytes at least',
    )
    await expect(createServer({ space })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})
