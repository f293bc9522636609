/** People who signed in with a password change it on the pages. */
import { expect, test } from 'vitest'
import { spaceKey } from '../../src/auth/access-links/access-links.ts'
import { listAuditEntries } from '../../src/space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { limitParticipant } from '../../src/space/participants/participants.ts'
import { PASSWORDS, serveIssuer } from '../auth/issuer/serving-issuer.ts'
import { buildSpace } from '../build.ts'
import { servePages, visitAsOperator, visitByLink } from './visiting.ts'

const NEXT = 'another horse'

async function serve() {
  let now = Date.parse('2026-11-29T08:00:00Z')
  // Each look at the clock is a millisecond later, so that what happens one after the other has different times.
  const serving = await serveIssuer({ to: await buildSpace(':memory:', { clock: () => now++ }) })
  const { origin } = serving.server
  const base = `${origin}/view/${spaceKey(serving.space.info.id)}`
  const cookieIn = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0] ?? '')
      .find((one) => one.startsWith('scriptorium=')) ?? ''
  const post = (path: string, fields: Record<string, string>, cookie = '') =>
    fetch(`${base}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin, cookie },
      body: new URLSearchParams(fields),
    })
  const signIn = (password: string, name = 'Anna') => post('/sign-in', { name, password })
  const get = (path: string, cookie: string) => fetch(`${base}${path}`, { redirect: 'manual', headers: { cookie } })
  /** A browser of somebody who signed in. */
  const enter = async (name: keyof typeof PASSWORDS = 'Anna') => {
    const cookie = cookieIn(await signIn(PASSWORDS[name], name))
    const page = await (await get('/password', cookie)).text()
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(page) ?? []
    const change = (fields: Record<string, string>) =>
      post('/password', { token, back: '/', old: PASSWORDS[name], new: NEXT, again: NEXT, ...fields }, cookie)
    return { cookie, page, token, change }
  }
  const logged = async () => (await serving.space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 100))).writes
  return { ...serving, base, cookieIn, signIn, get, post, enter, logged }
}

test('a new password ends all other sessions, and this one goes on', async () => {
  const { signIn, get, enter, cookieIn, logged } = await serve()
  const [other, browser] = [await enter(), await enter()]
  const changed = await browser.change({})
  expect([changed.status, changed.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/notice=password-changed$/),
  ])
  const renewed = cookieIn(changed)
  expect((await get('/', renewed)).status).toBe(200)
  // The cookie from before was perhaps copied.
  for (const ended of [other, browser]) expect((await get('/', ended.cookie)).status).toBe(401)
  expect((await signIn(PASSWORDS.Anna)).status).toBe(401)
  expect((await signIn(NEXT)).status).toBe(303)
  expect((await logged()).find(({ endpoint }) => endpoint === 'password_changed')).toMatchObject({
    author: 'Anna',
    origin: '127.0.0.1',
  })
  expect(JSON.stringify(await logged())).not.toMatch(/horse/)
})

test('forms of pages that were open stay valid in the session that goes on', async () => {
  const { enter, cookieIn, post } = await serve()
  const browser = await enter()
  const renewed = cookieIn(await browser.change({}))
  const again = { token: browser.token, old: NEXT, new: 'a third horse', again: 'a third horse' }
  expect((await post('/password', again, renewed)).status).toBe(303)
})

test.each([
  ['a wrong old password', { old: 'wrong horse' }, 400, 'That is not your current password.'],
  ['no old password', { old: '' }, 400, 'That is not your current password.'],
  ['two new passwords that differ', { again: 'another house' }, 400, 'The two new passwords differ.'],
  [
    'a short password',
    { new: 'horse', again: 'horse' },
    400,
    'Expected a password of 10 to 256 characters, found one of 5',
  ],
])('%s is refused, and nothing changes', async (_, fields, status, sentence) => {
  const { enter, signIn, get, logged } = await serve()
  const { change, cookie } = await enter()
  const refused = await change(fields)
  const text = await refused.text()
  expect([refused.status, text.includes(sentence)]).toEqual([status, true])
  expect(text).not.toMatch(/(?:wrong|another) ho[ru]se/)
  expect((await get('/', cookie)).status).toBe(200)
  expect((await signIn(PASSWORDS.Anna)).status).toBe(303)
  expect((await logged()).filter(({ endpoint }) => endpoint === 'password_changed')).toEqual([])
})

test('wrong old passwords count as wrong sign-ins, and are limited and logged as they are', async () => {
  const { enter, signIn, space, logged } = await serve()
  const { change } = await enter()
  for (let time = 0; time < 10; time++) expect((await change({ old: 'wrong horse' })).status).toBe(400)
  const refused = await change({})
  expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('Try again in 15 minutes.')])
  expect((await signIn(PASSWORDS.Anna)).status).toBe(429)
  await space.failedSignIns.flush()
  expect((await logged()).find(({ endpoint }) => endpoint === 'sign_in_failed')).toMatchObject({
    about: { failed: { password: 12 } },
  })
})

test('of two changes at once, one is made, and the other is refused', async () => {
  const { enter, signIn, logged } = await serve()
  const { change } = await enter()
  const made = await Promise.all(
    ['the first horse', 'the other horse'].map((next) => change({ new: next, again: next })),
  )
  expect(made.map(({ status }) => status).sort()).toEqual([303, 400])
  const [is, isNot] =
    made[0]?.status === 303 ? ['the first horse', 'the other horse'] : ['the other horse', 'the first horse']
  expect([(await signIn(is)).status, (await signIn(isNot)).status]).toEqual([303, 401])
  expect((await logged()).filter(({ endpoint }) => endpoint === 'password_changed')).toHaveLength(1)
})

test('a form from elsewhere changes nothing', async () => {
  const { enter, post } = await serve()
  const { cookie } = await enter()
  const forged = { token: 'x', old: PASSWORDS.Anna, new: NEXT, again: NEXT }
  expect((await post('/password', forged, cookie)).status).toBe(403)
})

test('whoever may only read changes their own password as well, from the navigation', async () => {
  const { space, enter, get, signIn } = await serve()
  await space.write(OPERATOR_LINK, (view) => limitParticipant(view, 'Bob', 'read'))
  const { cookie, change, page } = await enter('Bob')
  expect(page).toContain('/password" aria-current="page"')
  expect((await get('/settings', cookie)).status).toBe(404)
  expect((await change({})).status).toBe(303)
  expect((await signIn(NEXT, 'Bob')).status).toBe(303)
  expect((await signIn(PASSWORDS.Anna)).status).toBe(303)
})

test('settings lead to it', async () => {
  const { enter, get } = await serve()
  const { cookie } = await enter()
  expect(await (await get('/settings', cookie)).text()).toMatch(
    /<h2>Your password<\/h2>\s*.*\/password\?back=%2Fsettings/,
  )
})

test('links, and the person who runs the program, have no password here', async () => {
  const serving = await servePages()
  for (const visitor of [await visitByLink(serving), await visitAsOperator(serving)]) {
    const home = await visitor.get('/')
    expect(home.text).not.toContain('/password')
    expect((await visitor.get('/password')).status).toBe(404)
    expect((await visitor.post('/password', { old: 'x', new: NEXT, again: NEXT })).status).toBe(404)
  }
})
