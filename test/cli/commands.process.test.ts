/** Command-line management of a space: links, and the audit log. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectProcess, folder, PROGRAM, root, runHere, start, structured } from '../program.ts'

/** Runs commands on a new space, in Tokyo. */
function commands() {
  const space = join(folder(), 'space.sqlite')
  const at = (...args: string[]) => runHere([...args, '--space', space], { SCRIPTORIUM_TIMEZONE: 'Asia/Tokyo' })
  const json = async (...args: string[]) => JSON.parse((await at(...args, '--json')).output)
  return { space, at, json }
}

const ID = /^[0-9a-f]{22}$/

describe('links', () => {
  test('are created, listed, given other documents, and revoked', async () => {
    const { space, at, json } = commands()
    const client = await connectProcess(space)
    const { items } = await structured(client, 'documents_add', { documents: [{ title: 'A' }, { title: 'B' }] })
    const [a, b] = items.map(({ id }: { id: string }) => id)
    await client.close()
    const made = await json('links', 'add', '--kind', 'selected', '--documents', `${a}, ${b}`, '--name', 'Notes')
    expect(made).toEqual({
      id: expect.stringMatching(ID),
      secret: expect.stringMatching(/^[0-9a-f]{10}[\w-]{43}$/),
      kind: 'selected',
      access: 'full',
      restUrl: `http://127.0.0.1:4810/links/${made.secret}/api/v1`,
      mcpUrl: `http://127.0.0.1:4810/links/${made.secret}/mcp`,
      pageUrl: `http://127.0.0.1:4810/links/${made.secret}/view`,
    })
    const bearer = await json('links', 'add', '--bearer', '--access', 'read', '--public-url', 'https://docs.example/')
    expect(bearer).toMatchObject({
      kind: 'full',
      access: 'read',
      restUrl: `https://docs.example/links/${bearer.id}/api/v1`,
      mcpUrl: `https://docs.example/links/${bearer.id}/mcp`,
    })
    expect(bearer).not.toHaveProperty('pageUrl')
    const listed = await json('links', 'list')
    const standard = { isBearer: false, participant: 'Owner', createdAt: expect.any(String) }
    expect(listed).toEqual([
      { id: made.id, name: 'Notes', kind: 'selected', access: 'full', ...standard, documents: [a, b] },
      { id: bearer.id, name: 'full link', kind: 'full', access: 'read', ...standard, isBearer: true },
    ])
    expect((await json('links', 'expose', made.id, '--documents', b)).documents).toEqual([b])
    expect(await json('links', 'revoke', made.id.toUpperCase())).toMatchObject({
      id: made.id,
      revokedAt: expect.any(String),
    })
    expect((await at('links', 'list')).output.split('\n')).toEqual([
      `${made.id}\tNotes\tselected\tfull\tOwner\trevoked ${(await json('links', 'list'))[0].revokedAt}\t${b}`,
      `${bearer.id}\tfull link\tfull\tread\tbearer\tOwner`,
      '',
    ])
  })

  test('are printed in words, with the secret only once', async () => {
    const { at } = commands()
    await at('participants', 'add', 'Owner')
    expect((await at('links', 'list')).output).toBe('There are no links; links add makes one.\n')
    const { output } = await at('links', 'add', '--host', '::1', '--port', '8080')
    expect(output).toMatch(
      /^Made [0-9a-f]{22}\tfull link\tfull\tfull\tOwner\nIts secret is shown only this once:\n {2}MCP {3}http:\/\/\[::1\]:8080\/links\/[\w-]{53}\/mcp\n {2}REST {2}http:\/\/\[::1\]:8080\/links\/[\w-]{53}\/api\/v1\n {2}Page {2}http:\/\/\[::1\]:8080\/links\/[\w-]{53}\/view, for a person in a browser\n$/,
    )
    const bearer = await at('links', 'add', '--bearer')
    const [, secret = ''] = /\n {2}Authorization: Bearer ([\w-]{53})\n$/.exec(bearer.output) ?? []
    expect(secret).not.toBe('')
    expect(bearer.output.split(secret)).toHaveLength(2)
    expect((await at('links', 'list', '--json')).output).not.toContain(secret)
  })

  test('expire at a time, at the end of a day in the space, or after a while', async () => {
    const { json } = commands()
    for (const [expires, expiresAt] of [
      ['2099-01-01T00:00:00+09:00', '2098-12-31T15:00:00.000Z'],
      ['2099-01-01', '2099-01-01T14:59:59.999Z'],
    ] as const) {
      await json('links', 'add', '--expires', expires)
      expect((await json('links', 'list')).at(-1).expiresAt).toBe(expiresAt)
    }
    await json('links', 'add', '--expires', '30d')
    const { createdAt, expiresAt } = (await json('links', 'list')).at(-1)
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000)
  })

  test('errors are one sentence', async () => {
    const { at, json } = commands()
    const { id } = await json('links', 'add')
    const { id: owner } = (await json('participants', 'list'))[0]
    const missing = '00000000-0000-7000-8000-000000000000'
    for (const [line, message] of [
      ['links revoke', 'Expected one ID after links revoke, found none; put what has spaces in quotes.'],
      ['links revoke x', 'Expected the ID of a link, found x; run links list to see them.'],
      ['links add --kind half', 'Expected one of full, selected, daily as --kind, found half.'],
      ['links add --access write', 'Expected one of full, no-delete, propose, comment, read as --access, found write.'],
      [
        'links add --kind selected',
        'Expected the IDs of the documents that a selected link exposes as --documents, found none.',
      ],
      [
        'links add --kind daily --documents x',
        'Expected documents on a selected link alone, found them on a daily one; leave --documents out.',
      ],
      [
        `links add --kind selected --documents ${missing}`,
        `Expected the ID of a document within reach, found ${missing}; read IDs with documents_list and name one of those.`,
      ],
      [
        'links add --expires soon',
        'Expected a time such as 2027-01-01T00:00:00Z, a date, or a while such as 12h or 30d as --expires, found soon.',
      ],
      ['links add --expires 2026-02-30', 'Expected a day that exists, found "2026-02-30"; that month has 28 days.'],
      [
        'links add --participant Bob',
        `Expected whose link it is as --participant, found Bob; choose one of Owner (${owner}).`,
      ],
      [
        `links expose ${id} --documents ${missing}`,
        `Expected a selected link, found ${id}, a full one; it reaches what its kind says.`,
      ],
    ] as const) {
      expect({ line, ...(await at(...line.split(' '))) }).toEqual({ line, code: 2, output: '', errors: `${message}\n` })
    }
    expect((await runHere(['links'])).errors).toBe(
      'Expected a command (links add, links list, links revoke, links pause, links resume, links expose, links events), found links; see --help.\n',
    )
    expect((await at('links', 'add', '--expires', '2020-01-01')).errors).toMatch(
      /^Expected a time to come as --expires, found 2020-01-01T14:59:59\.999Z, which is past \(it is .*Z\)\.\n$/,
    )
    expect(await json('links', 'list')).toHaveLength(1)
  }, 60_000)
})

describe('log', () => {
  test('prints who wrote what, and when, in words and as JSON', async () => {
    const { space, at } = commands()
    const client = await connectProcess(space)
    expect(await at('log')).toEqual({ code: 0, output: '', errors: '' })
    const { items } = await structured(client, 'documents_add', { documents: [{ title: 'A' }, { title: 'B' }] })
    await client.close()
    const [a, b] = items.map(({ id }: { id: string }) => id)
    expect((await at('log')).output).toMatch(
      new RegExp(`^\\d{4}-.*Z\\there\\tOwner, via tester\\tdocuments_add\\t${a} and 1 more\\n$`),
    )
    expect(JSON.parse((await at('log', '--json')).output)).toEqual({
      at: expect.any(String),
      author: 'Owner',
      client: 'tester',
      endpoint: 'documents_add',
      ids: [a, b],
    })
  })

  test('follows new writes until it is stopped', async () => {
    const { space } = commands()
    const client = await connectProcess(space)
    await structured(client, 'documents_add', { documents: [{ title: 'A' }] })
    const log = start(['log', '--json', '--follow', '--space', space])
    await log.until(/documents_add/)
    await structured(client, 'folders_add', { folders: [{ name: 'F' }] })
    await log.until(/folders_add/)
    expect(log.output().trim().split('\n')).toHaveLength(2)
    expect(await log.end()).toBe(0)
    expect(log.errors()).toBe('')
  })

  test('ends quietly when its reader has gone', async () => {
    const { space } = commands()
    const client = await connectProcess(space)
    await structured(client, 'documents_add', { documents: [{ title: 'A' }] })
    const child = spawn(process.execPath, [PROGRAM.script, 'log', '--follow', '--space', space], { cwd: root })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.stdout.destroy()
    await structured(client, 'documents_add', { documents: [{ title: 'B' }] })
    expect(await ended).toBe(0)
    expect(errors).toBe('')
  })
})

test('stdio --access read --tools … offers the selected tools that read, and rejects the rest', async () => {
  const chosen = 'blocks,tasks_list,documents_add'
  const client = await connectProcess(join(folder(), 'space.sqlite'), '--access', 'read', '--tools', chosen)
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(['blocks_get', 'blocks_search', 'tasks_list'])
  const response = await client.callTool({ name: 'documents_add', arguments: { documents: [{ title: 'A' }] } })
  expect(response).toMatchObject({
    isError: true,
    content: [
      {
        text: 'Expected a link that may write, found one with access read, which documents_add is not for; ask the person who made the link for another.',
      },
    ],
  })
})

test('stdio --answers typed answers JSON alone, with the types of all tools', async () => {
  const client = await connectProcess(join(folder(), 'space.sqlite'), '--answers', 'typed')
  expect((await structured(client, 'documents_list')).items).toEqual([])
  const { contents } = await client.readResource({ uri: 'scriptorium://tools.d.ts' })
  expect(contents).toMatchObject([{ text: expect.stringContaining('documents_list(input?: {') }])
})

test('stdio has the limits of the space, and shares them with other processes', async () => {
  const space = join(folder(), 'space.sqlite')
  // Each client uses one request to connect.
  const flags = ['--limit-requests', '5']
  const clients = [await connectProcess(space, ...flags), await connectProcess(space, ...flags)] as const
  for (const client of [clients[0], clients[1], clients[0]]) await structured(client, 'connection_get')
  for (const client of clients) {
    await expect(structured(client, 'connection_get')).rejects.toThrow(
      /Expected at most 5 requests a minute in this space.*Retry after \d+ seconds?\./,
    )
  }
  const unlimited = await connectProcess(space, '--limit-requests', '0')
  await structured(unlimited, 'connection_get')
})

test.each([
  ['backup', 'back the database up with pg_dump, or write the space out with export --as json --passphrase'],
  ['compact', 'PostgreSQL uses the room of what was deleted again by itself'],
])('%s rejects a database, and names what to use instead', async (command, instead) => {
  const ended = await runHere([command, '--space', 'postgres://me:secret@localhost/notes#one'])
  expect(ended).toEqual({
    code: 2,
    output: '',
    errors: `Expected the file of a space with ${command}, found the database postgres://me@localhost/notes#one; ${instead}.\n`,
  })
})
