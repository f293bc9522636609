/** People who sign in to the pages: with a password here, or at an identity provider. */
import { describe, expect, test } from 'vitest'
import { listAccessLinkInfos, revokeAccessLink, spaceKey } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant, removeParticipant } from '../../src/space/participants/participants.ts'
import { hashPassword } from '../../src/space/participants/passwords.ts'
import { PASSWORDS, serveIssuer } from '../auth/issuer/serving-issuer.ts'
import { serveSigningIn } from '../auth/resource-server/signing-in.ts'
import { program } from './sample-space.ts'

const get = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } })
const cookieOf = (response: Response, name: string): string =>
  response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0] ?? '')
    .find((one) => one.startsWith(`${name}=`)) ?? ''

describe('with a password', () => {
  const serve = async () => {
    const serving = await serveIssuer()
    const { origin } = serving.server
    const base = `${origin}/view/${spaceKey(serving.space.info.id)}`
    const send = (fields: Record<string, string>, headers: Record<string, string> = { origin }, query = '') =>
      fetch(`${base}/sign-in${query}`, {
        method: 'POST',
        redirect: 'manual',
        headers,
        body: new URLSearchParams({ name: 'Anna', password: PASSWORDS.Anna, ...fields }),
      })
    return { ...serving, base, send }
  }

  test('a browser without a session can sign in, and then sees the requested page', async () => {
    const { base, send, space } = await serve()
    const closed = await get(`${base}/d/100000000001`)
    expect(closed.status).toBe(401)
    expect(await closed.text()).toContain('/sign-in?page=%2Fd%2F100000000001">Sign in</a>')
    const form = await get(`${base}/sign-in`)
    expect([form.status, (await form.text()).includes('type="password"')]).toEqual([200, true])
    const entered = await send({}, undefined, '?page=%2Ftasks')
    expect(entered.headers.get('location')).toBe(`${new URL(base).pathname}/tasks`)
    const cookie = cookieOf(entered, 'scriptorium')
    expect((await get(`${base}/`, cookie)).status).toBe(200)
    expect(await space.read(OPERATOR_LINK, listAccessLinkInfos)).toMatchObject([
      { name: 'the pages, signed in', participant: 'Anna', access: 'full', isSignIn: true },
    ])
  })

  test('the actions of a person have their name, over one link however often they sign in', async () => {
    const { base, send, space } = await serve()
    await send({})
    const cookie = cookieOf(await send({}), 'scriptorium')
    const { items } = await program(space, 'editor')('tasks_add', {
      tasks: [{ markdown: 'Call the port', location: { type: 'inbox' } }],
    })
    const page = await (await get(`${base}/tasks?scope=inbox`, cookie)).text()
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(page) ?? []
    const ticked = await fetch(`${base}/tasks`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: new URL(base).origin },
      body: new URLSearchParams({ token, task: `${items[0].id} done` }),
    })
    expect(ticked.status).toBe(303)
    const history = await program(space, 'editor')('history_list')
    expect(history.items[0]).toMatchObject({ author: 'Anna', client: 'page' })
    expect(await space.read(OPERATOR_LINK, listAccessLinkInfos)).toHaveLength(1)
  })

  test.each([
    ['a wrong password', { password: 'wrong horse' }, 401],
    ['an unknown name', { name: 'Nobody' }, 401],
    ['no name', { name: '' }, 401],
  ])('%s is rejected, and the name stays in the form', async (_, fields, status) => {
    const { send } = await serve()
    const refused = await send(fields)
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([status, null])
    const text = await refused.text()
    expect(text).toContain('That name and that password do not go together.')
    expect(text).not.toContain('wrong horse')
  })

  test('after too many wrong passwords sign-in is blocked for a while', async () => {
    const { send } = await serve()
    for (let time = 0; time < 10; time++) await send({ password: 'wrong horse' })
    const refused = await send({})
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true])
  })

  test.each([[{}], [{ origin: 'https://elsewhere.example' }], [{ origin: 'null' }]])(
    'a form from elsewhere is not read: %j',
    async (headers) => {
      const { send } = await serve()
      expect((await send({}, headers as Record<string, string>)).status).toBe(403)
    },
  )

  test.each(['//elsewhere.example', 'https://elsewhere.example', '/\\elsewhere', '/d?x'])(
    'the next page is one of the space, not %s',
    async (page) => {
      const { base, send } = await serve()
      const entered = await send({}, undefined, `?${new URLSearchParams({ page })}`)
      expect(entered.headers.get('location')).toBe(`${new URL(base).pathname}/`)
    },
  )

  test('a changed or removed password ends every session', async () => {
    const { base, send, space } = await serve()
    const cookie = cookieOf(await send({}), 'scriptorium')
    await new Promise((resolve) => setTimeout(resolve, 2))
    const password = await hashPassword('another horse')
    await space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Anna', { password }))
    expect((await get(`${base}/`, cookie)).status).toBe(401)
    const other = cookieOf(await send({ password: 'another horse' }), 'scriptorium')
    expect((await get(`${base}/`, other)).status).toBe(200)
    await space.write(OPERATOR_LINK, (view) => removeParticipant(view, 'Anna', { password: true }))
    expect((await get(`${base}/`, other)).status).toBe(401)
  })

  test('revoking the link ends the session, and signing in creates another', async () => {
    const { base, send, space } = await serve()
    const cookie = cookieOf(await send({}), 'scriptorium')
    const [link] = await space.read(OPERATOR_LINK, listAccessLinkInfos)
    await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, link?.id ?? ''))
    expect((await get(`${base}/`, cookie)).status).toBe(401)
    expect((await get(`${base}/`, cookieOf(await send({}), 'scriptorium'))).status).toBe(200)
  })

  test('for an unknown space there is no sign-in', async () => {
    const { server } = await serve()
    const answer = await get(`${server.origin}/view/0123456789/sign-in`)
    expect(answer.status).toBe(401)
    expect(await answer.text()).not.toContain('type="password"')
  })
})

describe('at an identity provider', () => {
  const serve = async (options: Parameters<typeof serveSigningIn>[0] = {}) => {
    const serving = await serveSigningIn({ clientId: 'the-pages', ...options })
    const base = `${serving.server.origin}/view/${serving.key}`
    const begin = async () => {
      const sent = await get(`${base}/sign-in?page=%2Ftasks`)
      const cookie = cookieOf(sent, 'scriptorium-sign-in')
      const at = new URL(sent.headers.get('location') ?? '')
      const back = new URL((await get(at.href)).headers.get('location') ?? '')
      return { sent, cookie, at, back }
    }
    return { ...serving, base, begin }
  }

  test('a person is redirected there and back, and signed in', async () => {
    const { base, begin, provider, key, server, space } = await serve()
    const { sent, cookie, at, back } = await begin()
    expect(sent.status).toBe(303)
    expect(Object.fromEntries(at.searchParams)).toMatchObject({
      client_id: 'the-pages',
      response_type: 'code',
      redirect_uri: `${server.origin}/signed-in`,
      resource: `${server.origin}/spaces/${key}/api/v1`,
      scope: 'space:read space:write space:delete',
      code_challenge_method: 'S256',
    })
    expect(at.href.startsWith(`${provider.issuer}/authorize?`)).toBe(true)
    const signedIn = await get(back.href, cookie)
    expect(signedIn.headers.get('location')).toBe(`${new URL(base).pathname}/enter?page=%2Ftasks`)
    expect(signedIn.headers.getSetCookie().find((one) => one.startsWith('scriptorium-sign-in=;'))).toContain(
      'Max-Age=0',
    )
    const entered = await get(`${base}/enter?page=%2Ftasks`, cookieOf(signedIn, 'scriptorium-offered'))
    expect(entered.headers.get('location')).toBe(`${new URL(base).pathname}/tasks`)
    expect((await get(`${base}/`, cookieOf(entered, 'scriptorium'))).status).toBe(200)
    expect(await space.read(OPERATOR_LINK, listAccessLinkInfos)).toMatchObject([
      { name: 'signed in with the-pages', participant: 'Anna' },
    ])
  })

  test('the session lasts as long as the token, with its reach', async () => {
    const { base, begin, clock, provider, token } = await serve()
    const { cookie, back } = await begin()
    provider.answers.set('/token', async (_, response) => {
      const read = await token({ claims: { scope: 'space:read' } })
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ access_token: read }))
    })
    const offered = cookieOf(await get(back.href, cookie), 'scriptorium-offered')
    const session = cookieOf(await get(`${base}/enter`, offered), 'scriptorium')
    const page = await (await get(`${base}/documents`, session)).text()
    expect(page).toContain('<h1>Documents</h1>')
    expect(page).not.toContain('/undo')
    clock.now += 3_700_000
    expect((await get(`${base}/`, session)).status).toBe(401)
  })

  test.each<[string, (back: URL) => void]>([
    ['another state', (back) => back.searchParams.set('state', 'x'.repeat(43))],
    ['another issuer', (back) => back.searchParams.set('iss', 'https://elsewhere.example')],
    ['no issuer, where it names itself', (back) => back.searchParams.delete('iss')],
    ['no code', (back) => back.searchParams.delete('code')],
    ['a wrong code', (back) => back.searchParams.set('code', 'wrong')],
  ])('a response with %s signs no one in', async (_, change) => {
    const { begin } = await serve()
    const { cookie, back } = await begin()
    change(back)
    const refused = await get(back.href, cookie)
    expect(refused.status).toBe(403)
    expect(cookieOf(refused, 'scriptorium')).toBe('')
    expect(await refused.text()).toContain('Begin it again.')
  })

  test('a response that this browser did not request signs no one in', async () => {
    const { begin } = await serve()
    const { back } = await begin()
    expect((await get(back.href)).status).toBe(401)
    const other = await begin()
    expect((await get(back.href, other.cookie)).status).toBe(403)
  })

  test('a subject that is not a participant is rejected', async () => {
    const { begin, provider } = await serve()
    provider.subject = 'mallory'
    const { cookie, back } = await begin()
    const refused = await get(back.href, cookie)
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('Expected someone who takes part in this space')
  })

  test('an audience is requested if there is one', async () => {
    const { begin } = await serve({ audience: 'notes' })
    expect((await begin()).at.searchParams.get('audience')).toBe('notes')
  })

  test('without a client ID there is no redirect', async () => {
    const { server, key } = await serveSigningIn()
    const closed = await get(`${server.origin}/view/${key}/`)
    expect(await closed.text()).not.toContain('Sign in')
    expect((await get(`${server.origin}/view/${key}/sign-in`)).status).toBe(401)
  })
})
