/** Links and people as those who signed in manage them, and the addresses of links never do. */
import { beforeEach, describe, expect, test } from 'vitest'
import { authenticateAccessLink, listAccessLinkInfos, spaceKey } from '../../src/auth/access-links/access-links.ts'
import { endParticipant } from '../../src/auth/access-links/ended-members.ts'
import { listAuditEntries } from '../../src/space/model/audit-log.ts'
import { type AccessLevel, OPERATOR_LINK } from '../../src/space/model/space.ts'
import { limitParticipant } from '../../src/space/participants/participants.ts'
import { PASSWORDS, serveIssuer } from '../auth/issuer/serving-issuer.ts'
import { program } from './sample-space.ts'
import { offers, textOf, type Visited, type Visitor, visitByLink, visitorWith } from './visiting.ts'

let serving: Awaited<ReturnType<typeof serveIssuer>>
let base: string
let plan: string
let diary: string

beforeEach(async () => {
  serving = await serveIssuer()
  base = `${serving.server.origin}/view/${spaceKey(serving.space.info.id)}`
  const { items } = await program(serving.space, 'editor')('documents_add', {
    documents: [{ title: 'Plan' }, { title: 'Diary' }],
  })
  plan = items[0].id
  diary = items[1].id
})

async function signIn(name: string, password: string): Promise<Visitor> {
  const { origin } = serving.server
  const body = new URLSearchParams({ name, password })
  const entered = await fetch(`${base}/sign-in`, { method: 'POST', redirect: 'manual', headers: { origin }, body })
  const cookie = entered.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
  return visitorWith(base, cookie.find((one) => one.startsWith('scriptorium=')) ?? '')
}
const asAnna = () => signIn('Anna', PASSWORDS.Anna)
const asBob = () => signIn('Bob', PASSWORDS.Bob)
const limit = (name: string, access: AccessLevel) =>
  serving.space.write(OPERATOR_LINK, (view) => limitParticipant(view, name, access))

const make = async (visitor: Visitor, fields: Record<string, string>): Promise<Visited> =>
  visitor.press(await visitor.get('/links/new'), 'Make the link', fields)
const secretIn = ({ text }: Visited): string => /\/links\/([^/"]+)\/mcp"/.exec(text)?.[1] ?? ''
const links = () => serving.space.read(OPERATOR_LINK, (view) => listAccessLinkInfos(view))
const linkOf = (secret: string) =>
  serving.space.read(OPERATOR_LINK, (view) => authenticateAccessLink(view, secret, undefined))
const logged = async () => (await serving.space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 100))).writes

describe('somebody who may do everything', () => {
  test('makes a link for a document from its bar, which is shown once, with what to paste into each host', async () => {
    const anna = await asAnna()
    const document = await anna.get(`/d/${plan}`)
    expect(document.text).toContain(`/links/new?document=${plan}" title="Share">Share</a>`)
    const form = await anna.get(`/links/new?document=${plan}`)
    expect(form.text).toMatch(new RegExp(`value="${plan}" checked`))
    expect(form.text).toContain('value="selected" checked')
    const made = await anna.press(form, 'Make the link', { name: 'Auditor', access: 'read', participant: 'Anna' })
    const secret = secretIn(made)
    expect(await linkOf(secret)).toMatchObject({ kind: 'selected', access: 'read' })
    for (const entry of [
      `claude mcp add --scope user --transport http scriptorium ${serving.server.origin}/links/${secret}/mcp`,
      `[mcp_servers.scriptorium]\nurl = &quot;${serving.server.origin}/links/${secret}/mcp&quot;`,
      '&quot;httpUrl&quot;: ',
      '&quot;serverUrl&quot;: ',
      'ChatGPT',
    ])
      expect(made.text).toContain(entry)
    const listed = await anna.get('/links')
    expect(listed.text).not.toContain(secret)
    expect(textOf(listed)).toContain('For Anna · made by themselves · not used yet')
    expect((await links()).at(-1)).toMatchObject({ name: 'Auditor', madeBy: 'Anna' })
    expect((await logged()).at(-1)).toMatchObject({
      author: 'Anna',
      client: 'page',
      endpoint: 'links_add',
      origin: expect.stringContaining('127.0.0.1'),
      about: { name: 'Auditor', kind: 'selected', access: 'read' },
    })
  })

  test('chooses a folder, whose documents the link gets', async () => {
    const call = program(serving.space, 'editor')
    const { items } = await call('folders_add', { folders: [{ name: 'Harbour' }] })
    await call('documents_move', { documentIds: [plan], destination: { folderId: items[0].id } })
    const anna = await asAnna()
    const found = await anna.press(await anna.get('/links/new'), 'Find', { kind: 'selected', search: 'harb' })
    expect(textOf(found)).toContain('Harbour all documents that are in this folder now: 1')
    await anna.press(found, 'Make the link', { folder: items[0].id, name: 'Port', participant: 'Anna' })
    expect((await links()).at(-1)).toMatchObject({ name: 'Port', documents: [plan] })
  })

  test('narrows a link after being asked, and widens it without', async () => {
    const anna = await asAnna()
    const secret = secretIn(await make(anna, { kind: 'full', access: 'full', participant: 'Bob' }))
    const { id = '' } = await linkOf(secret)
    const form = await anna.get(`/links/${id}`)
    const asked = await anna.press(form, 'Save', { kind: 'selected', access: 'read', document: diary })
    expect(textOf(asked)).toContain(
      'Now The whole space. Reads, writes and deletes. Then Selected documents. Reads, and changes nothing.',
    )
    expect(await linkOf(secret)).toMatchObject({ kind: 'full', access: 'full' })
    await anna.press(asked, 'Take it away')
    expect(await linkOf(secret)).toMatchObject({ kind: 'selected', access: 'read' })
    const wider = await anna.press(await anna.get(`/links/${id}`), 'Save', { kind: 'full', access: 'no-delete' })
    expect(textOf(wider)).toContain('Saved.')
    expect((await logged()).at(-1)).toMatchObject({ author: 'Anna', endpoint: 'links_update', ids: [id] })
  })

  test('invites a person, whose password is shown once, and never takes over another', async () => {
    const anna = await asAnna()
    const invited = await anna.press(await anna.get('/people/new'), 'Invite', { name: 'Clara', access: 'propose' })
    const [, password = ''] = /value="([a-z0-9]{5}(?:-[a-z0-9]{5}){3})"/.exec(invited.text) ?? []
    const clara = await signIn('Clara', password)
    expect(textOf(await clara.get('/'))).toContain('Your links')
    expect(JSON.stringify(await logged())).not.toContain(password)
    const again = await anna.press(await anna.get('/people/new'), 'Invite', { name: 'Bob', access: 'full' })
    expect([again.status, textOf(again).includes('Somebody here is called “Bob” already.')]).toEqual([400, true])
    expect((await (await asBob()).get('/')).status).toBe(200)
  })

  test('leaves sign-ins of others, and the removal of people, to those and the operator', async () => {
    const bob = await asBob()
    expect((await bob.get('/')).status).toBe(200)
    const bobs = (await links()).find(({ participant }) => participant === 'Bob')
    const anna = await asAnna()
    for (const path of ['revoke', 'pause']) {
      expect((await anna.post(`/links/${bobs?.id}/${path}`)).status, path).toBe(403)
    }
    expect((await anna.post('/people/Bob/remove')).status).toBe(404)
    expect((await anna.post('/people/Bob', { access: 'read' })).status).toBe(404)
    expect((await bob.get('/')).status).toBe(200)
  })

  test('a form from elsewhere, or without its token, does nothing', async () => {
    const anna = await asAnna()
    const before = await links()
    const fields = { do: 'make', kind: 'full', access: 'full', participant: 'Anna' }
    for (const [path, more] of [
      ['/links/new', fields],
      ['/people/new', { name: 'Mallory', access: 'full' }],
      ['/settings', { name: 'Theirs' }],
      ['/trash/empty', { word: 'empty', before: String(Date.now()) }],
    ] as const) {
      expect((await anna.post(path, more, { origin: 'https://elsewhere.example' })).status, path).toBe(403)
      expect((await anna.post(path, { ...more, token: 'forged' })).status, path).toBe(403)
    }
    expect(await links()).toEqual(before)
    expect(serving.space.info.name).toBe('Test')
  })
})

describe('somebody who may do less', () => {
  test.each(['no-delete', 'propose', 'comment', 'read'] as const)('makes own links with at most %s', async (access) => {
    await limit('Bob', access)
    const bob = await asBob()
    expect(textOf(await bob.get('/links'))).toContain('Links that you make here are yours')
    const form = await bob.get('/links/new')
    expect(form.text).not.toContain('value="full"><span>Reads, writes and deletes')
    const made = await make(bob, { name: 'Robot', kind: 'full', access, participant: 'Anna' })
    expect(await linkOf(secretIn(made))).toMatchObject({ kind: 'full', access })
    expect((await links()).at(-1)).toMatchObject({ participant: 'Bob', madeBy: 'Bob' })
    const wider = await bob.post('/links/new', { do: 'make', kind: 'full', access: 'full' })
    expect([wider.status, textOf(wider).includes(`allows no more than ${access}`)]).toEqual([400, true])
    const revoked = await bob.press(await bob.get('/links'), 'Revoke Robot')
    expect(textOf(revoked)).toContain('The link was revoked.')
  })

  test('neither sees nor changes links of others, nor people, settings and the trash', async () => {
    const annas = secretIn(
      await make(await asAnna(), { name: 'Of Anna', kind: 'full', access: 'read', participant: 'Anna' }),
    )
    await limit('Bob', 'no-delete')
    const bob = await asBob()
    expect(textOf(await bob.get('/links'))).not.toContain('Of Anna')
    const { id } = await linkOf(annas)
    for (const path of [`/links/${id}/revoke`, `/links/${id}/pause`, `/links/${id}`]) {
      expect((await bob.post(path, { do: 'take', kind: 'full', access: 'read' })).status, path).toBe(404)
    }
    for (const path of ['/settings', '/people/new', '/trash/empty']) {
      expect([(await bob.get(path)).status, (await bob.post(path)).status], path).toEqual([404, 404])
    }
    expect(await linkOf(annas)).toMatchObject({ access: 'read' })
  })
})

describe('a link', () => {
  test('allows no more than the one who made it may do by now', async () => {
    const anna = await asAnna()
    const secret = secretIn(await make(anna, { kind: 'full', access: 'full', participant: 'Bob' }))
    await limit('Anna', 'propose')
    expect(await linkOf(secret)).toMatchObject({ access: 'propose' })
    await limit('Anna', 'full')
    await limit('Bob', 'comment')
    expect(await linkOf(secret)).toMatchObject({ access: 'comment' })
  })

  test('ends when the one who made it leaves', async () => {
    const anna = await asAnna()
    const secret = secretIn(await make(anna, { kind: 'full', access: 'full', participant: 'Bob' }))
    await serving.space.write(OPERATOR_LINK, (view) => endParticipant(view, 'Anna', { keepsWork: true }))
    await expect(linkOf(secret)).rejects.toThrow('invalid, revoked or expired')
  })

  test('offers no sharing on its pages, whoever made it', async () => {
    const visitor = await visitByLink(serving, { access: 'full', participant: 'Anna' })
    const document = await visitor.get(`/d/${plan}`)
    expect(offers(document, 'Share')).toBe(false)
    expect((await visitor.get('/links')).status).toBe(404)
    expect((await visitor.post('/links/new', { do: 'make', kind: 'full', access: 'read' })).status).toBe(404)
    expect((await visitor.get('/find?q=share', { 'hx-current-url': `${base}/d/${plan}` })).text).not.toContain(
      '/links/new',
    )
  })
})

test('commands find sharing, settings, emptying and printing', async () => {
  const anna = await asAnna()
  const find = (words: string) =>
    anna.get(`/find?q=${encodeURIComponent(words)}`, { 'hx-current-url': `${base}/d/${plan}` })
  expect((await find('share')).text).toContain(`/links/new?document=${plan}"`)
  expect((await find('settings')).text).toContain('/settings"')
  expect((await find('empty trash')).text).toContain('/trash/empty"')
  expect((await find('print')).text).toContain(`/d/${plan}/print"`)
})
