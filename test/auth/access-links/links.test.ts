import { describe, expect, test } from 'vitest'
import { exposeDocuments, revokeAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { buildSpace, shortId } from '../../build.ts'
import { callTool, clientAt, documentBy, makeLink, serveBuilt } from '../../http/serving.ts'

const REFUSAL = {
  error:
    'Expected the address of a link, or its ID and its secret as Authorization: Bearer, found an invalid, revoked or expired one; ask the person who made the link for another.',
  code: 'INVALID_AUTH_HEADER',
}

describe('invalid access links all return the same error', () => {
  test('a secret that is wrong, revoked, expired, missing, misplaced, or of another space', async () => {
    const serving = await serveBuilt()
    const { ask, space, clock, server } = serving
    const ordinary = await serving.link()
    const bearer = await serving.link({ isBearer: true })
    const revoked = await serving.link()
    const expired = await serving.link({ expiresAt: clock.now + 1000 })
    await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, revoked.info.id))
    clock.now += 1000
    const foreign = await makeLink(await buildSpace(':memory:', { newUuid: () => 'another' }), server.origin)
    const as = (secret: string) => ({ authorization: `Bearer ${secret}` })
    const tries: [address: string, headers?: Record<string, string>][] = [
      [`${ordinary.secret}x`],
      [ordinary.secret.slice(0, -1)],
      [ordinary.secret.toUpperCase()],
      [revoked.secret],
      [expired.secret],
      [foreign.secret],
      ['x'],
      // A bearer link with its secret in the address, with its ID only, and with the secret of another link.
      [bearer.secret],
      [bearer.info.id],
      [bearer.info.id, as('x')],
      [bearer.info.id, as(ordinary.secret)],
      [bearer.secret, as(bearer.secret)],
      [bearer.info.id, { authorization: `Basic ${bearer.secret}` }],
      // An ordinary link with its ID, whatever the header contains.
      [ordinary.info.id],
      [ordinary.info.id, as(ordinary.secret)],
    ]
    for (const [address, headers] of tries) {
      for (const path of ['api/v1/connection', 'api/v1/openapi.json', 'api/v1/nowhere', 'mcp']) {
        const response = await ask(`POST /links/${address}/${path}`, {}, headers)
        expect({ address, path, ...response.json }).toEqual({ address, path, ...REFUSAL })
        expect(response.status).toBe(401)
        expect(response.headers.get('www-authenticate')).toBe('Bearer')
      }
    }
    for (const path of ['/', '/links', '/links/', `/links/${ordinary.secret}`, '/favicon.ico']) {
      expect((await ask(`GET ${path}`)).json).toEqual(REFUSAL)
    }
    expect((await ordinary.ask('GET /connection')).status).toBe(200)
    expect((await bearer.ask('GET /connection')).status).toBe(200)
    expect(
      (
        await ask(`GET /links/${bearer.info.id}/api/v1/connection`, undefined, {
          authorization: `bEaReR   ${bearer.secret}`,
        })
      ).status,
    ).toBe(200)
  })
})

describe('a link whose address contains its secret', () => {
  test('accepts its own secret in the header, ignores other schemes, and explains what is wrong with another secret', async () => {
    const serving = await serveBuilt()
    const [link, other, bearer] = [await serving.link(), await serving.link(), await serving.link({ isBearer: true })]
    const askWith = (authorization: string, path = 'api/v1/connection') =>
      serving.ask(`GET /links/${link.secret}/${path}`, undefined, { authorization })
    for (const authorization of [`Bearer ${link.secret}`, `bearer   ${link.secret}`, 'Basic dTpw', 'Bearer', 'key']) {
      expect([authorization, (await askWith(authorization)).status]).toEqual([authorization, 200])
    }
    for (const secret of ['pdk_1234', 'undefined', other.secret, bearer.secret, link.info.id]) {
      for (const path of ['api/v1/connection', 'mcp']) {
        const response = await askWith(`Bearer ${secret}`, path)
        expect([response.status, response.headers.get('www-authenticate'), response.json]).toEqual([
          401,
          'Bearer',
          {
            error:
              'Expected no Authorization header at this link, or its own secret in it, found another value; leave the header out, since the address opens the link by itself.',
            code: 'INVALID_AUTH_HEADER',
          },
        ])
      }
    }
  })
})

describe.each(['2025', '2026'] as const)('a client of %s', (era) => {
  test('is rejected from the next request after its link was revoked', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const client = await link.client(era)
    expect((await callTool(client, 'connection_get')).isRefused).toBe(false)
    await serving.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, link.info.id))
    await expect(callTool(client, 'connection_get')).rejects.toThrow()
    await expect(client.listTools()).rejects.toThrow()
    expect((await link.ask('GET /connection')).status).toBe(401)
  })

  test('reaches what its link exposes now, not what it exposed at the start', async () => {
    const serving = await serveBuilt()
    const full = await serving.link()
    const [one, other] = [await documentBy(full, 'one'), await documentBy(full, 'other')]
    const link = await serving.link({ kind: 'selected', documents: [one] })
    const client = await link.client(era)
    const reached = async () =>
      (await callTool(client, 'documents_list')).object.items.map(({ id }: { id: string }) => id)
    expect(await reached()).toEqual([shortId(one)])
    await serving.space.write(OPERATOR_LINK, (view) => exposeDocuments(view, link.info.id, [other]))
    expect(await reached()).toEqual([shortId(other)])
    expect((await callTool(client, 'blocks_get', { id: one })).text).toContain(
      'Expected the ID of a block within reach',
    )
  })

  test('with a bearer link sends the secret in a header', async () => {
    const serving = await serveBuilt()
    const link = await serving.link({ isBearer: true })
    expect((await callTool(await link.client(era), 'connection_get')).isRefused).toBe(false)
    await expect(clientAt(link.mcp, era)).rejects.toThrow()
    expect(link.mcp).not.toContain(link.secret)
  })
})

test('a link that expires ends on time, even on a kept-alive connection', async () => {
  const serving = await serveBuilt()
  const link = await serving.link({ expiresAt: serving.clock.now + 60_000 })
  expect((await link.ask('GET /connection')).status).toBe(200)
  serving.clock.now += 59_999
  expect((await link.ask('GET /connection')).status).toBe(200)
  serving.clock.now += 1
  expect((await link.ask('GET /connection')).json).toEqual(REFUSAL)
})
