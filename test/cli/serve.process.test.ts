/** The server in a process of its own. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { shortId } from '../build.ts'
import { makeCertificate } from '../certificate.ts'
import { askAt, callTool, clientAt, documentBy, openWire } from '../http/serving.ts'
import { folder, runHere, startServe } from '../program.ts'
import { eventually } from '../support/eventually.ts'

/** A new link, and a function that sends requests over it. */
async function linkOf(space: string, origin: string, ...flags: string[]) {
  const { output } = await runHere(['links', 'add', '--json', '--space', space, '--public-url', origin, ...flags])
  const link = JSON.parse(output) as { id: string; secret: string; restUrl: string; mcpUrl: string }
  return { ...link, ask: askAt(link.restUrl) }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

describe('serve', () => {
  test('serves REST and MCP, applies commands at once, and leaves one file and its usage file', async () => {
    const path = folder()
    const space = join(path, 'space.sqlite')
    const server = await startServe('--space', space, '--limit-requests', '0', '--limit-ip', '0')
    const link = await linkOf(space, server.origin)
    const id = await documentBy(link, 'unmistakable words')
    for (const era of ['2025', '2026'] as const) {
      const client = await clientAt(link.mcpUrl, era)
      expect((await callTool(client, 'blocks_get', { id, format: 'markdown' })).text).toContain('unmistakable words')
      await client.close()
    }
    expect((await runHere(['log', '--space', space])).output).toContain(
      `\t${link.id}\tfull link\tdocuments_add\t${shortId(id)}\n`,
    )
    const paused = await runHere(['links', 'pause', link.id, '--space', space])
    expect(paused.output).toMatch(/\tfull link\tfull\tfull\tpaused 2\d{3}-[\dT:.-]+Z\t/)
    expect((await link.ask('GET /connection')).json.code).toBe('LINK_PAUSED')
    expect((await runHere(['links', 'resume', link.id, '--space', space])).output).not.toContain('paused')
    expect((await link.ask('GET /connection')).status).toBe(200)
    expect((await runHere(['links', 'revoke', link.id, '--space', space])).code).toBe(0)
    expect((await link.ask('GET /connection')).status).toBe(401)
    expect(await server.end()).toBe(0)
    expect(readdirSync(path).filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([])
    // Its log is JSON, one line for each request.
    const lines = server
      .errors()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.length).toBeGreaterThan(5)
    expect(lines[0]).toMatchObject({ level: 30, msg: expect.stringMatching(/^Serving at /) })
    expect(lines.slice(-3)).toMatchObject([
      { route: '/links/…/api/v1/connection', status: 401, code: 'INVALID_AUTH_HEADER', client: '127.0.0.1' },
      { level: 30, msg: 'Ending because of SIGTERM; running calls may finish.' },
      { level: 30, msg: 'Ended.' },
    ])
    expect(server.errors()).not.toContain(link.secret)
    expect(server.errors()).not.toContain('unmistakable')
    expect(server.output()).toBe('')
  })

  test('finishes running requests when it is stopped, and accepts no new ones', async () => {
    const path = folder()
    const space = join(path, 'space.sqlite')
    const server = await startServe('--space', space)
    const link = await linkOf(space, server.origin)
    // Another program locks the space, so that a write waits.
    const holder = new Sqlite(space)
    holder.exec('BEGIN IMMEDIATE')
    const { pathname, host, port } = new URL(link.restUrl)
    const body = '{"documents":[{"title":"Kept"}]}'
    const head = `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue`
    const wire = openWire(Number(port), `POST ${pathname}/documents HTTP/1.1\r\n${head}\r\n\r\n${body}`)
    await wire.until(/100 Continue/)
    const ended = server.end()
    await eventually(() => expect(link.ask('GET /connection')).rejects.toThrow('fetch failed'))
    holder.exec('ROLLBACK')
    holder.close()
    expect(await wire.closed).toMatch(/HTTP\/1\.1 200 OK.*"title":"Kept"/s)
    expect(await ended).toBe(0)
    expect(readdirSync(path).filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([])
    expect((await runHere(['log', '--space', space])).output).toContain('documents_add')
  })

  test('--spaces serves those of a folder, including new ones', async () => {
    const path = folder()
    const server = await startServe('--spaces', path)
    writeFileSync(join(path, 'broken.sqlite'), 'no space')
    for (const name of ['one', 'two']) {
      const space = join(path, `${name}.sqlite`)
      const link = await linkOf(space, server.origin, '--timezone', 'Asia/Tokyo')
      await eventually(async () => expect((await link.ask('GET /connection')).status).toBe(200))
    }
    expect((await askAt(server.origin)('GET /health')).json).toMatchObject({ status: 'ok', openSpaces: 2 })
    server.child.kill('SIGHUP')
    await server.until(/SIGHUP reads the certificate again, and there is none\./)
    expect(await server.end()).toBe(0)
    expect(readdirSync(path).filter((name) => /-(wal|shm)$/.test(name))).toEqual([])
  })

  test('--tls-cert and --tls-key serve over HTTPS, also after SIGHUP', async () => {
    const path = folder()
    const { cert, key } = makeCertificate()
    writeFileSync(join(path, 'cert.pem'), cert)
    writeFileSync(join(path, 'key.pem'), key)
    const tls = ['--tls-cert', join(path, 'cert.pem'), '--tls-key', join(path, 'key.pem')]
    const server = await startServe('--space', join(path, 'space.sqlite'), ...tls)
    expect(server.origin).toMatch(/^https:/)
    server.child.kill('SIGHUP')
    await server.until(/The certificate was read again; it is valid until 2/)
    const result = await new Promise<string>((resolve, reject) => {
      const httpRequest = request(`${server.origin}/health`, { ca: cert }, (response) => {
        response.setEncoding('utf8').on('data', resolve)
      })
      httpRequest.once('error', reject).end()
    })
    expect(JSON.parse(result)).toMatchObject({ status: 'ok' })
    expect(await server.end()).toBe(0)
  })

  test('--trust-proxy, --public-url, --limit-ip and --metrics-port', async () => {
    const path = folder()
    const space = join(path, 'space.sqlite')
    const metrics = await freePort()
    const flags = ['--trust-proxy', '--public-url', 'https://docs.example', '--limit-ip', '2']
    const server = await startServe('--space', space, ...flags, '--metrics-port', String(metrics))
    const link = await linkOf(space, server.origin)
    const from = async (hop: string) => await link.ask('GET /openapi.json', undefined, { 'x-forwarded-for': hop })
    const response = await from('198.51.100.7')
    expect(response.json.servers[0].url).toBe(`https://docs.example/links/${link.secret}/api/v1`)
    expect((await from('198.51.100.7')).status).toBe(200)
    expect((await from('198.51.100.7')).status).toBe(429)
    expect((await from('198.51.100.8')).status).toBe(200)
    await link.ask('GET /connection', undefined, { 'x-forwarded-for': '198.51.100.9' })
    const counted = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
    expect(counted).toContain('scriptorium_calls_total{tool="connection_get",transport="rest"} 1')
    expect(counted).toContain('scriptorium_ready 1\n')
    expect(counted).toMatch(/^scriptorium_disk_free_bytes [1-9]/m)
    expect(server.errors()).toContain('"client":"198.51.100.9"')
    expect(await server.end()).toBe(0)
  })
})

describe('what cannot be served is reported in one sentence, and no process is left', () => {
  test('an address that is in use or belongs to no one', async () => {
    const path = folder()
    const space = join(path, 'space.sqlite')
    const server = await startServe('--space', space)
    const { port } = new URL(server.origin)
    const serve = (...flags: string[]) => runHere(['serve', '--space', space, ...flags])
    expect(await serve('--port', port)).toEqual({
      code: 2,
      output: '',
      errors: `Expected a free port, found ${port} in use; name another with --port.\n`,
    })
    expect(await serve('--port', '0', '--metrics-port', port)).toEqual({
      code: 2,
      output: '',
      errors: `Expected a free port, found ${port} in use; name another with --metrics-port.\n`,
    })
    expect((await serve('--port', '0', '--host', '192.0.2.1')).errors).toBe(
      'Expected an address to listen at, found port 0 of 192.0.2.1, which is no address of this machine; name another.\n',
    )
  })

  test('contradicting flags, and invalid folders and certificates', async () => {
    const path = folder()
    const file = join(path, 'file')
    writeFileSync(file, 'no certificate')
    const serve = async (...flags: string[]) => {
      const { code, output, errors } = await runHere(['serve', '--port', '0', ...flags], {
        SCRIPTORIUM_SPACE: join(path, 'space.sqlite'),
      })
      expect([code, output]).toEqual([2, ''])
      return errors
    }
    expect(await serve('--spaces', path)).toBe(
      'Expected --space or --spaces, found both; serve one file or a folder of them.\n',
    )
    expect(await serve('--tls-cert', file)).toBe(
      'Expected --tls-key with --tls-cert, found none; give the key of the certificate.\n',
    )
    expect(await serve('--tls-cert', file, '--tls-key', join(path, 'none'))).toMatch(
      /^Expected to use .*none, found none; check the path\.\n$/,
    )
    expect(await serve('--tls-cert', file, '--tls-key', file)).toMatch(
      /^Expected a certificate and its key as --tls-cert and --tls-key, found that .*file and .*file are none: .*\.\n$/,
    )
    expect(await serve('--limit-ip', 'many')).toBe(
      'Expected a whole number as --limit-ip, 0 for no limit, found many.\n',
    )
    expect(await serve('--trusted-proxies', '10.0.0.0/8, proxy')).toBe(
      'Expected IP addresses or networks such as 10.0.0.0/8 as --trusted-proxies, found proxy.\n',
    )
    expect(await serve('--public-url', 'docs')).toBe(
      'Expected an address with http or https as --public-url, found docs.\n',
    )
    expect(existsSync(join(path, 'space.sqlite'))).toBe(false)
    const missing = join(path, 'missing')
    expect((await runHere(['serve', '--spaces', missing])).errors).toBe(
      `Expected a folder of spaces as --spaces, found ${missing}; make it, or name another.\n`,
    )
  })
})

test('a link with a calendar has one address, and is for reading', async () => {
  const space = join(folder(), 'space.sqlite')
  const add = (...flags: string[]) => runHere(['links', 'add', '--space', space, '--calendar', ...flags])
  const calendar = JSON.parse((await add('--json', '--access', 'full')).output)
  const calendarUrl = expect.stringMatching(/\/links\/[\w-]{50,}\/calendar\.ics$/)
  expect(calendar).toEqual({
    id: expect.any(String),
    secret: expect.any(String),
    kind: 'full',
    access: 'read',
    calendarUrl,
  })
  expect((await add('--bearer')).errors).toContain('Expected a calendar or a link whose secret is sent in a header')
  expect((await add('--webhook', 'https://example.org')).errors).toContain('Expected a calendar or a webhook')
  expect((await runHere(['links', 'list', '--space', space])).output).toContain('read\tcalendar')
})
