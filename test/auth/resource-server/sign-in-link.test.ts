/** A sign-in is a link: it is listed, can be revoked, and causes no notifications after its end. */
import { describe, expect, test } from 'vitest'
import { listAccessLinkInfos, revokeAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { addParticipant, removeParticipant } from '../../../src/space/participants/participants.ts'
import { callTool, clientAt, documentBy } from '../../http/serving.ts'
import { serveSigningIn } from './signing-in.ts'

describe('a sign-in creates a link', () => {
  test('one for each participant and client, created at the first request', async () => {
    const { askAs, token, space, provider } = await serveSigningIn()
    const first = await token()
    await Promise.all(Array.from({ length: 5 }, () => askAs(first, 'GET /connection')))
    await askAs(await token({ claims: { client_id: 'another', scope: 'space:read' } }), 'GET /connection')
    provider.subject = 'bob'
    await askAs(await token(), 'GET /connection')
    const links = await space.read(OPERATOR_LINK, listAccessLinkInfos)
    expect(links).toMatchObject([
      { name: 'signed in with the-host', participant: 'Anna', kind: 'full', isBearer: true },
      { name: 'signed in with another', participant: 'Anna' },
      { name: 'signed in with the-host', participant: 'Bob' },
    ])
    expect(links).toHaveLength(3)
  })

  test('if it is revoked, no token of that client works until the subject is added again', async () => {
    const { askAs, token, space, provider } = await serveSigningIn()
    await askAs(await token(), 'GET /connection')
    const [link] = await space.read(OPERATOR_LINK, listAccessLinkInfos)
    await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, link?.id ?? ''))
    const response = await askAs(await token(), 'GET /connection')
    expect([response.status, response.json]).toEqual([
      403,
      {
        error: `Expected a connection that is still allowed, found ${link?.id}, which was revoked; ask the person who runs this space.`,
        code: 'FORBIDDEN',
      },
    ])
    expect((await askAs(await token({ claims: { client_id: 'another' } }), 'GET /connection')).status).toBe(200)
    const anna = { issuer: provider.issuer, subject: 'anna' }
    await space.write(OPERATOR_LINK, (view) => removeParticipant(view, 'Anna', { identity: anna }))
    await space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Anna', { identity: anna }))
    expect((await askAs(await token(), 'GET /connection')).status).toBe(200)
  })

  test('its calls belong to one connection, whatever token they use', async () => {
    const { askAs, token, provider } = await serveSigningIn()
    const write = async (markdown: string) =>
      askAs(await token(), 'POST /blocks', { markdown, position: { position: 'end', date: 'today' } })
    await write('one')
    await write('two')
    provider.subject = 'bob'
    await write('three')
    const { json } = await askAs(await token(), 'GET /history')
    const [bob, second, first] = json.items.map(({ connection }: { connection?: string }) => connection)
    expect(first).toMatch(/^[0-9a-f]{8}$/)
    expect(second).toBe(first)
    expect(bob).not.toBe(first)
  })

  test('an upload address from files_add accepts its file', async () => {
    const { askAs, token, mcp, ask } = await serveSigningIn()
    const bearer = await token()
    const id = await documentBy({ ask: (line, body) => askAs(bearer, line, body) }, 'words')
    const client = await clientAt(mcp, '2026', { authorization: `Bearer ${bearer}` })
    const input = { position: { position: 'end', pageId: id }, fileName: 'a.txt' }
    const { object } = await callTool(client, 'files_add', input)
    const { pathname } = new URL(object.uploadUrl)
    expect((await ask(`PUT ${pathname}`, 'bytes', { 'content-type': 'text/plain' })).status).toBe(200)
  })

  test('a session belongs to the user who started it', async () => {
    const { token, mcp, provider } = await serveSigningIn()
    const bearer = await token()
    provider.subject = 'bob'
    const other = await token()
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    }
    const post = (authorization: string, body: object, session?: string) =>
      fetch(mcp, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${authorization}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...(session !== undefined && { 'mcp-session-id': session }),
        },
        body: JSON.stringify(body),
      })
    const begun = await post(bearer, initialize)
    await begun.text()
    const session = begun.headers.get('mcp-session-id') ?? ''
    expect(session).not.toBe('')
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
    expect((await post(bearer, list, session)).status).toBe(200)
    expect((await post(other, list, session)).status).toBe(404)
  })
})
