/** Sign-in like hosts do it: with the OAuth flow of the official client, against a provider on this machine. */
import { type StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { listAccessLinkInfos, revokeAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { callTool } from '../../http/serving.ts'
import { begin, Host, signIn, signInOfV1 } from './host.ts'
import { serveSigningIn } from './signing-in.ts'

describe.each(['2025', '2026'] as const)('a host with a client of %s', (era) => {
  test('needs an address only, signs in, and works', async () => {
    const { mcp, provider, space } = await serveSigningIn()
    const host = new Host()
    const client = await signIn(mcp, host, era)
    expect(await callTool(client, 'documents_add', { documents: [{ title: 'A' }] })).toMatchObject({ isRefused: false })
    const parameters = Object.fromEntries(provider.authorized)
    expect(parameters).toMatchObject({ resource: mcp, scope: 'space:read space:write', code_challenge_method: 'S256' })
    expect(await space.read(OPERATOR_LINK, listAccessLinkInfos)).toMatchObject([
      { name: 'signed in with the-host', participant: 'Anna' },
    ])
  })

  test('refreshes its token when the old one has expired', async () => {
    const { mcp, clock } = await serveSigningIn()
    const host = new Host()
    const client = await signIn(mcp, host, era)
    const before = host.kept?.access_token
    clock.now += 2 * 3_600_000
    expect(await callTool(client, 'documents_list')).toMatchObject({ isRefused: false })
    expect(host.kept?.access_token).not.toBe(before)
    expect(host.sent).toHaveLength(1)
  })

  test('has to sign in again for a call that needs more scopes, and keeps those it had', async () => {
    const { mcp } = await serveSigningIn()
    const host = new Host()
    const client = await signIn(mcp, host, era)
    const { object } = await callTool(client, 'documents_add', { documents: [{ title: 'A' }] })
    const input = { documentIds: [object.items[0].id] }
    await expect(callTool(client, 'documents_delete', input)).rejects.toThrow()
    const scopes = host.sent.at(-1)?.searchParams.get('scope')?.split(' ').sort()
    expect(scopes).toEqual(['space:delete', 'space:read', 'space:write'])
    const { transport } = client as unknown as { transport: StreamableHTTPClientTransport }
    await transport.finishAuth(await host.consent())
    expect(await callTool(client, 'documents_delete', input)).toMatchObject({ isRefused: false })
  })

  test('is rejected when its link was revoked, without redirect loops', async () => {
    const { mcp, space } = await serveSigningIn()
    const host = new Host()
    const client = await signIn(mcp, host, era)
    await callTool(client, 'documents_list')
    const [link] = await space.read(OPERATOR_LINK, listAccessLinkInfos)
    await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, link?.id ?? ''))
    await expect(callTool(client, 'documents_list')).rejects.toThrow('was revoked')
    expect(host.sent).toHaveLength(1)
  })

  test('accepts no response of another issuer', async () => {
    const { mcp } = await serveSigningIn()
    const host = new Host()
    const { client, transport } = begin(mcp, host, era)
    await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError)
    const back = await host.consent()
    back.set('iss', 'https://evil.example')
    await expect(transport.finishAuth(back)).rejects.toThrow()
    expect(host.kept).toBeUndefined()
  })
})

// This client refreshes where it should request more scopes, so that it has to request them at first.
test('a host with a 1.x client signs in and works with the default scopes', async () => {
  const { mcp, provider } = await serveSigningIn({ first: 'full' })
  const host = new Host()
  const client = await signInOfV1(mcp, host)
  expect(Object.fromEntries(provider.authorized)).toMatchObject({
    resource: mcp,
    scope: 'space:read space:write space:delete',
  })
  const documents = [{ title: 'A' }]
  const { structuredContent } = await client.callTool({ name: 'documents_add', arguments: { documents } })
  const [{ id }] = (structuredContent as { items: [{ id: string }] }).items
  const remove = { name: 'documents_delete', arguments: { documentIds: [id] } }
  expect((await client.callTool(remove)).isError).not.toBe(true)
})
