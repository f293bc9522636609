import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { spaceKey } from '../../../src/auth/access-links/access-links.ts'
import { RateLimiter } from '../../../src/call/rate-limiter.ts'
import { FolderSpaceRegistry } from '../../../src/http/folder-registry.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { openSpace } from '../../../src/space/open-space.ts'
import { addParticipant, removeParticipant } from '../../../src/space/participants/participants.ts'
import { readSpaceId } from '../../../storage/sqlite/diagnosis/diagnose.ts'
import { openUsage } from '../../../storage/sqlite/usage.ts'
import { noticeSources } from '../../../tools/index.ts'
import { buildSpace } from '../../build.ts'
import { callTool, clientAt, documentBy, rawRequest, serveBuilt } from '../../http/serving.ts'
import { serveSigningIn } from './signing-in.ts'

describe('a request without a token learns where to get one', () => {
  test('by a challenge with the default scopes and the metadata, whether the space exists or not', async () => {
    const { ask, key, server, port } = await serveSigningIn()
    const origin = `${server.origin.replace(/:\d+$/, '')}:${port}`
    for (const space of [key, '0123456789']) {
      for (const path of ['/mcp', '/api/v1/connection', '/api/v1/nowhere']) {
        const response = await ask(`POST /spaces/${space}${path}`, {})
        const door = path.startsWith('/mcp') ? '/mcp' : '/api/v1'
        expect(response.status).toBe(401)
        expect(response.headers.get('www-authenticate')).toBe(
          `Bearer scope="space:read space:write", resource_metadata="${origin}/.well-known/oauth-protected-resource/spaces/${space}${door}"`,
        )
        expect(response.json).toEqual({
          error: expect.stringMatching(
            /^Expected a token of http:\S+ as Authorization: Bearer, found none; sign in there.$/,
          ),
          code: 'INVALID_AUTH_HEADER',
        })
      }
    }
  })

  test('by metadata at each well-known address', async () => {
    const { ask, key, mcp, rest, provider } = await serveSigningIn()
    const well = '/.well-known/oauth-protected-resource'
    for (const resource of [mcp, rest]) {
      const response = await ask(`GET ${well}${new URL(resource).pathname}`)
      expect([response.status, response.json]).toEqual([
        200,
        {
          resource,
          authorization_servers: [provider.issuer],
          scopes_supported: ['space:read', 'space:comment', 'space:propose', 'space:write', 'space:delete'],
          bearer_methods_supported: ['header'],
          resource_name: 'Scriptorium',
        },
      ])
    }
    for (const path of ['', '/', `/spaces/${key}`, `/spaces/${key}/mcp/x`, `/spaces//mcp`, '/links/x/mcp']) {
      expect([path, (await ask(`GET ${well}${path}`)).status]).toEqual([path, 404])
    }
  })

  test('at the address of this server, whatever Host a request names', async () => {
    const { key, port, token, provider } = await serveSigningIn()
    const path = `/spaces/${key}/mcp`
    const resourceAt = async (host: string) => {
      const url = `http://127.0.0.1:${port}/.well-known/oauth-protected-resource${path}`
      const { text } = await rawRequest(url, { headers: { host } })
      return JSON.parse(text).resource
    }
    expect(await resourceAt(`127.0.0.1:${port}`)).toBe(`http://127.0.0.1:${port}${path}`)
    expect(await resourceAt(`localhost:${port}`)).toBe(`http://localhost:${port}${path}`)
    expect(await resourceAt('localhost:1')).toBe(`http://localhost:${port}${path}`)
    expect(await resourceAt('192.0.2.1')).toBe(`http://127.0.0.1:${port}${path}`)
    // A server elsewhere, with tokens that were issued for it.
    for (const host of ['192.0.2.1', 'localhost:1']) {
      const authorization = `Bearer ${await token({ claims: { aud: `http://${host}${path}` } })}`
      const url = `http://127.0.0.1:${port}/spaces/${key}/api/v1/connection`
      expect((await rawRequest(url, { headers: { host, authorization } })).status).toBe(401)
    }
    expect(provider.requests.length).toBeGreaterThan(0)
  })

  test('at the public address only', async () => {
    const publicUrl = 'https://notes.example/docs/'
    const { key, ask, askAs, token, mcp } = await serveSigningIn({ publicUrl })
    const resource = `https://notes.example/docs/spaces/${key}/mcp`
    const metadata = `/.well-known/oauth-protected-resource/docs/spaces/${key}/mcp`
    expect((await ask(`POST /spaces/${key}/mcp`, {})).headers.get('www-authenticate')).toContain(
      `resource_metadata="https://notes.example${metadata}"`,
    )
    expect((await ask(`GET ${metadata}`)).json.resource).toBe(resource)
    expect((await askAs(await token({ claims: { aud: resource } }), 'GET /connection')).status).toBe(200)
    expect((await askAs(await token({ claims: { aud: mcp } }), 'GET /connection')).status).toBe(401)
  })

  test('no one can sign in without a trusted provider', async () => {
    const { ask, space } = await serveBuilt()
    const path = `/spaces/${spaceKey(space.info.id)}/mcp`
    const refused = await ask(`POST ${path}`)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await ask(`GET /.well-known/oauth-protected-resource${path}`)).status).toBe(404)
  })
})

describe('scopes, each including those before it', () => {
  const calls = [
    ['read', 'GET /documents', undefined],
    ['write', 'POST /documents', { documents: [{ title: 'A' }] }],
    ['delete', 'DELETE /documents', { documentIds: [] }],
  ] as const
  const needed = { read: 'space:read', write: 'space:read space:write', delete: 'space:read space:write space:delete' }

  test.each([
    ['', []],
    ['openid email', []],
    ['space:read', ['read']],
    ['space:write', ['read', 'write']],
    ['space:read space:write', ['read', 'write']],
    ['space:delete', ['read', 'write', 'delete']],
    ['SPACE:READ space:reader', []],
  ])('%j', async (scope, may) => {
    const { askAs, token, ask, key } = await serveSigningIn()
    const bearer = await token({ claims: { scope } })
    for (const [what, line, body] of calls) {
      const { status, headers, json } = await askAs(bearer, line, body)
      if (may.includes(what)) expect([line, status === 401 || status === 403]).toEqual([line, false])
      else {
        // Without any scope nothing is examined, so the scope for reading is requested.
        const scopes = may.length === 0 ? needed.read : needed[what]
        expect([line, status, json.code]).toEqual([line, 403, 'FORBIDDEN'])
        expect(headers.get('www-authenticate')).toContain(
          `Bearer error="insufficient_scope", scope="${scopes}", resource_`,
        )
        expect(json.error).toBe(
          `Expected a token with the scopes ${scopes.replaceAll(' ', ', ')}, found one with fewer; sign in again and ask for these.`,
        )
      }
    }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'documents_delete', arguments: {} } }
    const response = await ask(`POST /spaces/${key}/mcp`, message, {
      authorization: `Bearer ${bearer}`,
      accept: 'application/json, text/event-stream',
    })
    expect(response.status === 403).toBe(!may.includes('delete'))
  })

  test('space:propose allows proposals, but no decisions', async () => {
    const { askAs, token, provider } = await serveSigningIn()
    const agent = await token({ claims: { scope: 'space:read space:propose' } })
    const proposed = await askAs(agent, 'POST /documents?ids=short', { documents: [{ title: 'A' }] })
    expect([proposed.status, proposed.json.proposal.summary]).toEqual([202, '"A": added'])
    const { proposalId } = proposed.json.proposal
    const approval = `POST /proposals/${proposalId}/approve`
    expect((await askAs(agent, approval)).json.error).toBe(
      'Expected a token with the scopes space:read, space:write, found one with fewer; sign in again and ask for these.',
    )
    // The same client of the same person is the same link, whatever scopes its token has.
    expect((await askAs(await token(), approval)).json.error).toBe(
      'Expected a proposal of another connection, found one of this one; a person decides over a connection that did not propose it.',
    )
    provider.subject = 'bob'
    const bob = await token()
    const { items } = (await askAs(bob, `GET /proposals?proposalId=${proposalId}`)).json
    const agreed = { fingerprint: items[0].fingerprint }
    expect((await askAs(bob, approval, agreed)).json).toMatchObject({ summary: '"A": added' })
  })

  test('a client sees all tools, since calling one is how it gets the scopes for it', async () => {
    const { token, mcp } = await serveSigningIn()
    const reader = await clientAt(mcp, '2026', {
      authorization: `Bearer ${await token({ claims: { scope: 'space:read' } })}`,
    })
    const names = (await reader.listTools()).tools.map(({ name }) => name)
    expect(names).toContain('documents_delete')
    expect(await callTool(reader, 'documents_list')).toMatchObject({ isRefused: false })
  })

  test.each(['2025', '2026'] as const)('a client of %s can do what its token allows', async (era) => {
    const { token, mcp } = await serveSigningIn()
    const client = await clientAt(mcp, era, { authorization: `Bearer ${await token()}` })
    const { object } = await callTool(client, 'documents_add', { documents: [{ title: 'A', markdown: 'words' }] })
    expect(await callTool(client, 'documents_delete', { documentIds: [object.items[0].id] })).toMatchObject({
      isRefused: false,
    })
  })
})

describe('a change that turns out to delete something needs the scope for deletions', () => {
  const scopes = 'scope="space:read space:write space:delete"'

  test('over REST', async () => {
    const { askAs, token } = await serveSigningIn()
    const writer = await token({ claims: { scope: 'space:read space:write' } })
    const pageId = await documentBy({ ask: (line, body) => askAs(writer, line, body) }, 'one\n\ntwo')
    const { revision } = (await askAs(writer, `GET /blocks?id=${pageId}`)).json
    const edit = { pageId, markdown: 'one', revision }
    const response = await askAs(writer, 'PUT /blocks', edit)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([403, expect.stringContaining(scopes)])
    expect(response.json.error).toContain('since this link has access no-delete')
    expect((await askAs(await token(), 'PUT /blocks', edit)).status).toBe(200)
  })

  test('over MCP: a 2026 client has to sign in again; a 2025 client, whose response has begun, gets an error', async () => {
    const { askAs, token, mcp } = await serveSigningIn()
    const writer = await token({ claims: { scope: 'space:read space:write' } })
    const pageId = await documentBy({ ask: (line, body) => askAs(writer, line, body) }, 'one\n\ntwo')
    const { revision } = (await askAs(writer, `GET /blocks?id=${pageId}`)).json
    const edit = { pageId, markdown: 'one', revision }
    const [older, newer] = await Promise.all(
      (['2025', '2026'] as const).map((era) => clientAt(mcp, era, { authorization: `Bearer ${writer}` })),
    )
    if (older === undefined || newer === undefined) throw new Error('Expected two clients.')
    await expect(callTool(newer, 'blocks_update', edit)).rejects.toThrow(
      'Insufficient scope: required "space:read space:write space:delete"',
    )
    const response = await callTool(older, 'blocks_update', edit)
    expect(response).toMatchObject({
      isRefused: true,
      text: expect.stringContaining('since this link has access no-delete'),
    })
    for (const client of [older, newer]) {
      expect(await callTool(client, 'documents_list')).toMatchObject({ isRefused: false })
    }
  })
})

describe('the subject is a participant of the space', () => {
  test('a subject that is none is rejected with the same words as a space that does not exist', async () => {
    const { askAs, ask, token, provider, mcp, key } = await serveSigningIn()
    provider.subject = 'carl "c"'
    const error = `Expected someone who takes part in this space, found "carl \\"c\\"" of ${provider.issuer}; the person who runs it can let them in with participants add NAME --subject.`
    const response = await askAs(await token(), 'GET /connection')
    expect([response.status, response.json, response.headers.get('www-authenticate')]).toEqual([
      403,
      { error, code: 'FORBIDDEN' },
      null,
    ])
    const elsewhere = await token({ claims: { aud: mcp.replace(key, '0123456789') } })
    const none = await ask('GET /spaces/0123456789/api/v1/connection', undefined, {
      authorization: `Bearer ${elsewhere}`,
    })
    expect([none.status, none.json]).toEqual([403, { error, code: 'FORBIDDEN' }])
    // A longer address is not an address of the space.
    const long = await token({ claims: { aud: mcp.replace(key, `${key}0`) } })
    const wrong = await ask(`GET /spaces/${key}0/api/v1/connection`, undefined, { authorization: `Bearer ${long}` })
    expect([wrong.status, wrong.json]).toEqual([403, { error, code: 'FORBIDDEN' }])
  })

  test('it is one of this issuer: another issuer may mean someone else by it', async () => {
    const { askAs, token, space, provider } = await serveSigningIn()
    provider.subject = 'dora'
    await space.write(OPERATOR_LINK, (view) =>
      addParticipant(view, 'Dora', { identity: { issuer: 'https://other.example', subject: 'dora' } }),
    )
    expect((await askAs(await token(), 'GET /connection')).status).toBe(403)
  })

  test('a participant who has left is rejected from the next request on', async () => {
    const { askAs, token, space } = await serveSigningIn()
    const bearer = await token()
    expect((await askAs(bearer, 'GET /connection')).status).toBe(200)
    await space.write(OPERATOR_LINK, (view) => removeParticipant(view, 'Anna'))
    expect((await askAs(bearer, 'GET /connection')).status).toBe(403)
  })

  test('reminders are their own, where an ordinary link has none', async () => {
    const serving = await serveSigningIn()
    const { askAs, token, provider } = serving
    const anna = await token()
    provider.subject = 'bob'
    const bob = await token()
    const asAnna = { ask: (line: string, body?: unknown) => askAs(anna, line, body) }
    const id = await documentBy(asAnna, 'Call home')
    const blocks = await askAs(anna, `GET /blocks?id=${id}`)
    const blockId = blocks.json.content[0].id
    for (const [bearer, remindAt] of [
      [anna, '2026-11-21T09:00:00Z'],
      [bob, '2026-11-22T09:00:00Z'],
    ] as const) {
      expect((await askAs(bearer, 'POST /reminders', { reminders: [{ blockId, remindAt }] })).status).toBe(200)
    }
    const times = async (bearer: string) =>
      (await askAs(bearer, 'GET /reminders')).json.items.map((item: { remindAt: string }) => item.remindAt)
    expect(await times(anna)).toEqual([expect.stringContaining('2026-11-21')])
    expect(await times(bob)).toEqual([expect.stringContaining('2026-11-22')])
    const link = await serving.link({ participant: 'Anna' })
    expect((await link.ask('GET /reminders')).json.code).toBe('REMINDERS_UNAVAILABLE')
  })

  test('what they write has their name, whatever the name of their client', async () => {
    const { askAs, token, mcp } = await serveSigningIn()
    const bearer = await token()
    const id = await documentBy({ ask: (line, body) => askAs(bearer, line, body) }, 'words')
    const client = await clientAt(mcp, '2026', { authorization: `Bearer ${bearer}` })
    await callTool(client, 'blocks_add', { markdown: 'more', position: { position: 'end', pageId: id } })
    const { json } = await askAs(bearer, `GET /blocks?id=${id}&fetchMetadata=true`)
    expect(json.content.map((block: { metadata: { createdBy: string } }) => block.metadata.createdBy)).toEqual([
      'Anna',
      'Anna',
    ])
  })
})

test('each space of a folder requires its own tokens, unless the audience is shared by all', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { provider, token } = await serveSigningIn()
  const spaces: string[] = []
  for (const name of ['a', 'b']) {
    const { space } = await buildSpace(join(folder, `${name}.sqlite`), {
      name,
      newUuid: () => `${name}-${Math.random()}`,
    })
    await space.write(OPERATOR_LINK, (view) =>
      addParticipant(view, 'Anna', { identity: { issuer: provider.issuer, subject: 'anna' } }),
    )
    spaces.push(spaceKey(space.info.id))
    await space.close()
  }
  const opened = new FolderSpaceRegistry({
    folder,
    noticeSources,
    idOf: readSpaceId,
    async openFile(file) {
      const space = await openSpace(file)
      const budget = new RateLimiter(openUsage(':memory:'), { requests: 0, blocks: 0 }, Date.now)
      return { space, rateLimiter: budget, close: () => space.close() }
    },
  })
  onTestFinished(() => opened.close())
  const clock = { now: Date.parse('2026-11-20T09:00:00Z') }
  const to = { ...(await buildSpace()), clock }
  const serving = await serveSigningIn({ to, provider, spaces: opened, audience: 'all-spaces' })
  const status = async (key: string | undefined, aud: string) => {
    const authorization = `Bearer ${await token({ claims: { aud } })}`
    const { json } = await serving.ask(`GET /spaces/${key}/api/v1/connection`, undefined, { authorization })
    return json.space?.name ?? json.code
  }
  const [a, b] = spaces
  const audienceOf = (key: string | undefined) => serving.mcp.replace(serving.key, key ?? '')
  expect(await status(a, audienceOf(a))).toBe('a')
  expect(await status(b, audienceOf(b))).toBe('b')
  expect(await status(a, audienceOf(b))).toBe('INVALID_AUTH_HEADER')
  expect(await status(a, 'all-spaces')).toBe('a')
  expect(await status(b, 'all-spaces')).toBe('b')
  expect(await status(b, 'all')).toBe('INVALID_AUTH_HEADER')
})
