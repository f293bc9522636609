/** Guests: people who open the pages with a link that only comments, and give a name. */
import { expect, test } from 'vitest'
import { addGroupLink } from '../../src/auth/access-links/group-links.ts'
import { openSession, sealSession } from '../../src/auth/browser-sessions/browser-session.ts'
import { addGroup } from '../../src/space/members/groups.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { type Answer, connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'
import { enter, servePages, type Visited, type Visitor, visitByLink } from './visiting.ts'

async function served() {
  const serving = await servePages()
  const full = await connect('full', { to: serving })
  const document = await documentOf(full, 'one\n\ntwo', 'Plan')
  const [block] = await contentOf(full, document)
  const options = { kind: 'selected', documents: [document], access: 'comment', name: 'Review' } as const
  const comments = async (): Promise<Answer[]> =>
    (await full.call('blocks_get', { id: block.id, fetchMetadata: true })).metadata.comments ?? []
  return { serving, full, document, block, options, comments, path: `/d/${document}` }
}

/** Gives a guest's name, and goes on with the session that has it. */
async function named({ base, cookie, ...guest }: Visitor, name: string, back = '/') {
  const sent = await guest.post('/name', { name, back })
  expect(sent.status).toBe(303)
  const given = sent.headers.get('set-cookie')?.split(';')[0] ?? ''
  const get = async (path: string): Promise<Visited> => {
    const response = await fetch(`${base}${path}`, { headers: { cookie: given } })
    return { status: response.status, headers: response.headers, text: await response.text(), url: response.url }
  }
  const post = async (path: string, fields: Record<string, string>) => {
    const token = /name="token" value="([^"]+)"/.exec((await get('/')).text)?.[1] ?? ''
    const { origin } = new URL(base)
    return fetch(`${base}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: given, origin },
      body: new URLSearchParams({ token, ...fields }),
    })
  }
  return { get, post, cookie: given, leadsTo: sent.headers.get('location') }
}

test('a guest reads, gives a name, and comments as Anna (guest), who is no member', async () => {
  const { serving, full, block, options, comments, path } = await served()
  const guest = await visitByLink(serving, options)
  const before = await guest.get(path)
  expect(before.text).toContain('Give your name to comment')
  expect(before.text).not.toContain('/comments/new')
  expect((await guest.post('/comments/new', { block: block.id, text: 'no name yet' })).status).toBe(400)
  expect(await comments()).toEqual([])
  const anna = await named(guest, ' Anna ', path)
  expect(anna.leadsTo).toMatch(new RegExp(`${path}$`))
  const page = await anna.get(path)
  expect(page.text).toContain('You comment as <b dir="auto">Anna (guest)</b>')
  expect(page.text).toContain(`/comments/new?block=${block.id}`)
  expect((await anna.post('/comments/new', { block: block.id, text: 'Which one?' })).status).toBe(303)
  expect(await comments()).toMatchObject([{ author: 'Anna (guest)', content: 'Which one?' }])
  const { members } = await full.call('connection_get')
  expect(members.map(({ name }: Answer) => name)).not.toContain('Anna (guest)')
  // Nothing waits for a guest, who is nobody's member.
  expect((await anna.get('/for-me')).text).toContain('This list belongs to a member')
})

test('a guest changes and deletes no comment, and nothing else', async () => {
  const { serving, block, document, options, comments, path, full } = await served()
  const anna = await named(await visitByLink(serving, options), 'Anna')
  await anna.post('/comments/new', { block: block.id, text: 'first' })
  const [comment] = await comments()
  // Another guest of the same name.
  const other = await named(await visitByLink(serving, options), 'Anna')
  for (const one of [anna, other]) {
    expect((await one.get(path)).text).not.toContain(`/comments/${comment.id}/edit`)
    const change = await one.post(`/comments/${comment.id}/edit`, { text: 'changed' })
    expect(await change.text()).toContain('found one to change as a guest; add another comment.')
    expect((await one.post(`/comments/${comment.id}/delete`, {})).status).toBe(403)
  }
  const before = await full.call('blocks_get', { id: document, fetchMetadata: true })
  const calls: [string, object][] = [
    ['blocks_update', { blocks: [{ id: block.id, markdown: 'changed' }] }],
    ['blocks_add', { markdown: 'more', position: { position: 'end', pageId: document } }],
    ['blocks_delete', { blockIds: [block.id] }],
    ['history_undo', {}],
    ['for_me_update', {}],
  ]
  const token = /data-token="([^"]+)"/.exec((await anna.get(path)).text)?.[1] ?? ''
  const { origin } = new URL(serving.server.origin)
  const base = new URL((await anna.get('/')).url).href.replace(/\/$/, '')
  for (const [tool, input] of calls) {
    const response = await fetch(`${base}/calls`, {
      method: 'POST',
      headers: { cookie: anna.cookie, origin, 'x-form-token': token, 'content-type': 'application/json' },
      body: JSON.stringify({ tool, arguments: input }),
    })
    expect([403, 404], tool).toContain(response.status)
  }
  expect(await full.call('blocks_get', { id: document, fetchMetadata: true })).toEqual(before)
  expect((await other.post('/comments', { comment: `${comment.id} resolved` })).status).toBe(303)
  expect(await comments()).toMatchObject([{ resolvedBy: 'Anna (guest)' }])
})

test('only a link that comments, of nobody, makes a guest; a name cannot be taken from elsewhere', async () => {
  const { serving, options, path } = await served()
  const writer = await visitByLink(serving, { ...options, access: 'no-delete' })
  expect((await writer.get(path)).text).not.toContain('Give your name')
  expect((await writer.get('/name')).status).toBe(404)
  expect((await writer.post('/name', { name: 'Anna' })).status).toBe(404)
  const guest = await visitByLink(serving, options)
  for (const name of ['', ' ', 'x'.repeat(121), 'a\u0000b']) {
    const refused = await guest.post('/name', { name })
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([400, null])
  }
  // A name is part of what the seal covers.
  const anna = await named(guest, 'Anna')
  const forged = anna.cookie.replace(
    Buffer.from('Anna').toString('base64url'),
    Buffer.from('Owner').toString('base64url'),
  )
  expect(forged).not.toBe(anna.cookie)
  const response = await fetch(`${guest.base}${path}`, { headers: { cookie: forged } })
  expect(response.status).toBe(401)
})

test('a person in a group, with a link that comments, is no guest', async () => {
  const { serving, block, document, comments, path } = await served()
  const people = await serving.space.write(OPERATOR_LINK, async (view) => {
    await addParticipant(view, 'Anna')
    await addGroup(view, 'Clients', { add: ['Anna'] })
    const link = { kind: 'selected', access: 'comment', documents: [document], isBearer: false } as const
    return (await addGroupLink(view, { ...link, group: 'Clients' })).people
  })
  const anna = await enter(`${serving.server.origin}/links/${people[0]?.secret}/view`)
  expect((await anna.get(path)).text).not.toContain('Give your name')
  expect((await anna.post('/comments/new', { block: block.id, text: 'mine' })).status).toBe(303)
  expect(await comments()).toMatchObject([{ author: 'Anna' }])
})

test('sessions with and without the name of a guest are read as they were sealed', async () => {
  const { serving } = await served()
  const { info } = serving.space
  const session = { link: 'a1', access: 'comment', from: 1, until: 9, nonce: 'n'.repeat(16) } as const
  for (const one of [session, { ...session, guest: 'Ánna 🦊' }, { ...session, guest: 'x'.repeat(120) }]) {
    expect(openSession(info, sealSession(info, one), 2)).toEqual(one)
  }
})

test('no member has the name of a guest', async () => {
  const { serving } = await served()
  for (const name of ['Anna (guest)', 'Anna ( Guest )', '(GUEST)']) {
    await expect(serving.link({ name })).rejects.toThrow(
      `Expected a name of a link that does not end in (guest), which marks guests on the pages, found ${name}; choose another.`,
    )
    const adding = serving.space.write(OPERATOR_LINK, (view) => addParticipant(view, name))
    await expect(adding).rejects.toThrow('Expected a name of a participant that does not end in (guest)')
  }
})
