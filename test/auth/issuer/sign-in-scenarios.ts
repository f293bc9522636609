/** Sign-in at the embedded issuer like hosts do it, with the OAuth flow of the official client, wherever it runs. */
import { type StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { listAccessLinkInfos, revokeAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { shortId } from '../../build.ts'
import { callTool } from '../../http/serving.ts'
import { begin, Host, signIn, signInOfV1 } from '../resource-server/host.ts'
import { Browser } from './browser.ts'
import { plainHost } from './plain-host.ts'
import { person, type ServingIssuer } from './serving-issuer.ts'

/**
 * @param serve  creates a space with Anna and Bob and their passwords, on a server with an issuer whose default scopes
 *   are those of no-delete
 */
export function signInScenarios(serve: () => Promise<Pick<ServingIssuer, 'mcp' | 'space' | 'link'>>): void {
  describe.each(['2025', '2026'] as const)('a host with a client of %s', (era) => {
    test('registers, its user signs in and consents, and it works over its own link', async () => {
      const { mcp, space } = await serve()
      const host = new Host(person())
      const client = await signIn(mcp, host, era)
      expect(await callTool(client, 'documents_add', { documents: [{ title: 'A' }] })).toMatchObject({
        isRefused: false,
      })
      expect(host.sent[0]?.searchParams.get('resource')).toBe(mcp)
      expect(await space.read(OPERATOR_LINK, listAccessLinkInfos)).toMatchObject([
        { name: 'Host, signed in', kind: 'full', access: 'no-delete', participant: 'Anna' },
      ])
    })

    test('requests more scopes when it needs them, over the same link', async () => {
      const { mcp, space } = await serve()
      const host = new Host(person({}, new Browser()))
      const client = await signIn(mcp, host, era)
      const { object } = await callTool(client, 'documents_add', { documents: [{ title: 'A' }] })
      const input = { documentIds: [object.items[0].id] }
      await expect(callTool(client, 'documents_delete', input)).rejects.toThrow()
      expect(host.sent.at(-1)?.searchParams.get('scope')?.split(' ').sort()).toEqual([
        'space:delete',
        'space:read',
        'space:write',
      ])
      const { transport } = client as unknown as { transport: StreamableHTTPClientTransport }
      await transport.finishAuth(await host.consent())
      expect(await callTool(client, 'documents_delete', input)).toMatchObject({ isRefused: false })
      const links = await space.read(OPERATOR_LINK, listAccessLinkInfos)
      expect(links).toMatchObject([{ name: 'Host, signed in', access: 'full' }])
    })

    test('is ended by links revoke, and can request access again', async () => {
      const { mcp, space } = await serve()
      const host = new Host(person())
      const client = await signIn(mcp, host, era)
      await callTool(client, 'documents_list')
      const [link] = await space.read(OPERATOR_LINK, listAccessLinkInfos)
      await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, link?.id ?? ''))
      await expect(callTool(client, 'documents_list')).rejects.toThrow(UnauthorizedError)
      expect(host.sent).toHaveLength(2)
      const { transport } = client as unknown as { transport: StreamableHTTPClientTransport }
      await transport.finishAuth(await host.consent())
      const again = begin(mcp, host, era)
      await again.client.connect(again.transport)
      expect(await callTool(again.client, 'documents_list')).toMatchObject({ isRefused: false })
      const links = await space.read(OPERATOR_LINK, listAccessLinkInfos)
      expect(links.map(({ revokedAt }) => revokedAt !== undefined)).toEqual([true, false])
    })

    test('is notified that access was denied', async () => {
      const { mcp } = await serve()
      const host = new Host(person({ do: 'refuse' }))
      const { client, transport } = begin(mcp, host, era)
      await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError)
      const back = await host.consent()
      expect(Object.fromEntries(back)).toMatchObject({ error: 'access_denied', iss: expect.stringMatching(/\/oauth$/) })
      await expect(transport.finishAuth(back)).rejects.toThrow()
    })
  })

  test('a host with a 1.x client registers, signs in and works', async () => {
    const { mcp, space } = await serve()
    const client = await signInOfV1(mcp, new Host(person()))
    const { isError } = await client.callTool({ name: 'documents_add', arguments: { documents: [{ title: 'A' }] } })
    expect(isError).not.toBe(true)
    expect(await space.read(OPERATOR_LINK, listAccessLinkInfos)).toMatchObject([
      { access: 'no-delete', name: 'Host, signed in' },
    ])
  })

  test('a host that requests neither scopes nor a resource gets the default scopes each time', async () => {
    const serving = await serve()
    const host = await plainHost(serving.mcp)
    const anna = person({}, new Browser())
    for (let time = 0; time < 2; time++) {
      const back = await anna(host.authorization({ scope: '', resource: '' }))
      const tokens = await host.token(back.get('code') ?? '', { resource: '' })
      const payload = Buffer.from(tokens.access_token?.split('.')[1] ?? '', 'base64url').toString()
      expect(JSON.parse(payload)).toMatchObject({ aud: serving.mcp, scope: 'space:read space:write' })
    }
    expect(await serving.space.read(OPERATOR_LINK, listAccessLinkInfos)).toHaveLength(1)
  })

  test('reminders belong to the person who signed in, even with several participants', async () => {
    const { mcp } = await serve()
    const clientOf = (name: 'Anna' | 'Bob') => signIn(mcp, new Host(person({ name })), '2026')
    const [anna, bob] = [await clientOf('Anna'), await clientOf('Bob')]
    const { object } = await callTool(anna, 'blocks_add', {
      blocks: [{ type: 'text', markdown: 'Water the garden' }],
      position: { position: 'end' },
    })
    await callTool(anna, 'reminders_add', { reminders: [{ blockId: object.items[0].id }] })
    const titles = async (client: typeof anna) =>
      (await callTool(client, 'reminders_list')).object.items.map(({ title }: { title: string }) => title)
    expect([await titles(anna), await titles(bob)]).toEqual([['Water the garden'], []])
  })

  test('a connection to selected documents reaches those, and is listed with them', async () => {
    const { mcp, space, link } = await serve()
    const { ask } = await link({ participant: 'Anna' })
    const { json } = await ask('POST /documents', { documents: [{ title: 'Shown' }, { title: 'Hidden' }] })
    const [shown] = json.items.map(({ id }: { id: string }) => id)
    const client = await signIn(mcp, new Host(person({ kind: 'selected', documents: [shown] })), '2026')
    const { object } = await callTool(client, 'documents_list')
    expect(object.items).toMatchObject([{ id: shortId(shown), title: 'Shown' }])
    const links = await space.read(OPERATOR_LINK, listAccessLinkInfos)
    expect(links.at(-1)).toMatchObject({ kind: 'selected', documents: [shortId(shown)], name: 'Host, signed in' })
  })
}
