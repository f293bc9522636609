/** Signing in at the embedded issuer as hosts do it: by the OAuth flow of the official client. */
import { type StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { describe, expect, test, vi } from 'vitest'
import { listLinks, revokeLink } from '../../../src/server/links.ts'
import { OWN_LINK } from '../../../src/space/space.ts'
import { begin, Host, signIn } from '../oauth/host.ts'
import { callTool } from '../serving.ts'
import { Browser } from './browser.ts'
import { person, serveIssuer } from './serving-issuer.ts'

describe.each(['2025', '2026'] as const)('a host with a client of %s', (era) => {
  test('registers, its user signs in and consents, and it works over a link of its own', async () => {
    const { mcp, space } = await serveIssuer()
    const host = new Host(person())
    const client = await signIn(mcp, host, era)
    expect(await callTool(client, 'documents_add', { documents: [{ title: 'A' }] })).toMatchObject({ isRefused: false })
    expect(host.sent[0]?.searchParams.get('resource')).toBe(mcp)
    expect(await space.read(OWN_LINK, listLinks)).toMatchObject([
      { name: 'Host, signed in', kind: 'full', access: 'no-delete', participant: 'Anna' },
    ])
  })

  test('refreshes its token when it has expired, and the new one is another', async () => {
    const { mcp } = await serveIssuer()
    const host = new Host(person())
    const client = await signIn(mcp, host, era)
    const before = host.kept
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
    try {
      expect(await callTool(client, 'documents_list')).toMatchObject({ isRefused: false })
    } finally {
      vi.useRealTimers()
    }
    expect(host.kept?.access_token).not.toBe(before?.access_token)
    expect(host.kept?.refresh_token).not.toBe(before?.refresh_token)
    expect(host.sent).toHaveLength(1)
  })

  test('asks for more when it needs it, over the same link', async () => {
    const { mcp, space } = await serveIssuer()
    const host = new Host(person({}, new Browser()))
    const client = await signIn(mcp, host, era)
    const { object } = await callTool(client, 'documents_add', { documents: [{ title: 'A' }] })
    const asked = { documentIds: [object.items[0].id] }
    await expect(callTool(client, 'documents_delete', asked)).rejects.toThrow()
    expect(host.sent.at(-1)?.searchParams.get('scope')?.split(' ').sort()).toEqual([
      'space:delete',
      'space:read',
      'space:write',
    ])
    const { transport } = client as unknown as { transport: StreamableHTTPClientTransport }
    await transport.finishAuth(await host.consent())
    expect(await callTool(client, 'documents_delete', asked)).toMatchObject({ isRefused: false })
    const links = await space.read(OWN_LINK, listLinks)
    expect(links).toMatchObject([{ name: 'Host, signed in', access: 'full' }])
  })

  test('is ended by links revoke, and may ask to be let in again', async () => {
    const { mcp, space } = await serveIssuer()
    const host = new Host(person())
    const client = await signIn(mcp, host, era)
    await callTool(client, 'documents_list')
    const [link] = await space.read(OWN_LINK, listLinks)
    await space.write(OWN_LINK, (view) => revokeLink(view, link?.id ?? ''))
    await expect(callTool(client, 'documents_list')).rejects.toThrow(UnauthorizedError)
    expect(host.sent).toHaveLength(2)
    const { transport } = client as unknown as { transport: StreamableHTTPClientTransport }
    await transport.finishAuth(await host.consent())
    const again = begin(mcp, host, era)
    await again.client.connect(again.transport)
    expect(await callTool(again.client, 'documents_list')).toMatchObject({ isRefused: false })
    const links = await space.read(OWN_LINK, listLinks)
    expect(links.map(({ revokedAt }) => revokedAt !== undefined)).toEqual([true, false])
  })

  test('is told that it was refused', async () => {
    const { mcp } = await serveIssuer()
    const host = new Host(person({ do: 'refuse' }))
    const { client, transport } = begin(mcp, host, era)
    await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError)
    const back = await host.consent()
    expect(Object.fromEntries(back)).toMatchObject({ error: 'access_denied', iss: expect.stringMatching(/\/oauth$/) })
    await expect(transport.finishAuth(back)).rejects.toThrow()
  })
})
