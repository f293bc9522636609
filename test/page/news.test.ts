/** Live pages: the stream of a browser, and the parts that it then requests again. */
import { expect, test } from 'vitest'
import { revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type EventReader, openEvents } from '../feed/event-source.ts'
import { type Program, program } from './sample-space.ts'
import { enter, servePages, textOf, type Visited, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

/** Listens like the script of a page: from the moment of its content. */
function listen({ base, cookie }: Visitor, { text }: Visited): Promise<EventReader> {
  const cursor = /<body[^>]* data-cursor="([^"]+)"/.exec(text)?.[1] ?? ''
  return openEvents(`${base}/changes?${new URLSearchParams({ cursor })}`, { cookie })
}

/** Requests a part of a page again, like a script. */
const asScript = { 'hx-request': 'true' }

async function addDocument(agent: Program, title: string): Promise<string> {
  const { items } = await agent('documents_add', { documents: [{ title, markdown: 'Permits take six weeks.' }] })
  return items[0].id
}

test('a browser learns what happened since its page was loaded', async () => {
  const serving = await servePages()
  const visitor = await visitAsOperator(serving)
  const page = await visitor.get('/')
  const agent = program(serving.space, 'claude-desktop')
  const plan = await addDocument(agent, 'Plan')
  const stream = await listen(visitor, page)
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  const response = await stream.next()
  expect(response).toMatchObject({ type: 'call.committed', data: { documents: [{ documentId: plan }] } })
  await program(serving.space, 'research', { access: 'propose' })('documents_add', { documents: [{ title: 'Notes' }] })
  expect(await stream.next()).toMatchObject({ type: 'proposal.waiting' })
})

test('it requests the frame of its page again, and gets what is new in it', async () => {
  const serving = await servePages()
  const visitor = await visitAsOperator(serving)
  const agent = program(serving.space, 'claude-desktop')
  const plan = await addDocument(agent, 'Plan')
  const before = await visitor.get(`/d/${plan}`)
  const news = /hx-get="([^"]*\/news[^"]*)"/.exec(before.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  await addDocument(agent, 'Rates')
  await program(serving.space, 'research', { access: 'propose' })('documents_add', { documents: [{ title: 'Notes' }] })
  const { pathname } = new URL(visitor.base)
  const after = await visitor.get(news.slice(pathname.length), asScript)
  expect(after.text).not.toContain('<html')
  expect(textOf(after)).toContain('claude-desktop added Rates and Plan')
  expect(textOf(after)).toContain('Waiting 1')
  expect(textOf(after)).toContain('Edited by claude-desktop')
})

/** What a script sends of the parts that its page has. */
const partsOf = ({ text }: Visited): Map<string, string> =>
  new Map(
    [...text.matchAll(/<[a-z]+(?=[^>]* data-had=)[^>]*>/g)].map(([tag]) => [
      / id="([^"]+)"/.exec(tag)?.[1] ?? '',
      / data-had="([^"]+)"/.exec(tag)?.[1] ?? '',
    ]),
  )

test('it gets only those parts that have changed, and of a list of calls only the rows that have', async () => {
  const serving = await servePages()
  const visitor = await visitAsOperator(serving)
  const agent = program(serving.space, 'claude-desktop')
  const plan = await addDocument(agent, 'Plan')
  const write = () => agent('blocks_add', { markdown: 'More', position: { position: 'end', pageId: plan } })
  await write()
  const page = await visitor.get('/now')
  const had = partsOf(page)
  expect([...had.keys()]).toEqual(expect.arrayContaining(['nav', 'badge', 'feed', 'programs']))
  const news = /hx-get="([^"]*\/news[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const path = news.slice(new URL(visitor.base).pathname.length)
  const ask = async () => (await visitor.get(`${path}&had=${[...had].map((pair) => pair.join(':'))}`, asScript)).text
  expect((await ask()).trim()).toBe('')
  await write()
  const changed = await ask()
  expect(changed).toMatch(/<li id="(burst-\d+)" hx-swap-oob="outerMorph:#\1"/)
  expect(changed).toContain('worked on')
  expect(changed).toContain('id="programs"')
  expect(changed).not.toMatch(/id="(?:nav|badge|feed)"/)
  expect(changed.length).toBeLessThan(4_000)
  // Another row makes another list.
  await addDocument(agent, 'Rates')
  expect(await ask()).toContain('id="feed"')
})

test('where documents are only read, a screen reader says who has changed them', async () => {
  const serving = await servePages()
  const agent = program(serving.space, 'claude-desktop')
  const plan = await addDocument(agent, 'Plan')
  const live = async (visitor: Visitor) =>
    /aria-live="(\w+)">Edited by ([\w-]+)</.exec((await visitor.get(`/d/${plan}`)).text)?.slice(1)
  expect(await live(await visitByLink(serving, { access: 'read' }))).toEqual(['polite', 'claude-desktop'])
  // The editor says what was changed.
  expect(await live(await visitAsOperator(serving))).toEqual(['off', 'claude-desktop'])
})

test('it learns that its document was moved to the trash, and that it was restored', async () => {
  const serving = await servePages()
  const visitor = await visitAsOperator(serving)
  const agent = program(serving.space, 'claude-desktop')
  const plan = await addDocument(agent, 'Plan')
  const { text } = await visitor.get(`/d/${plan}`)
  const news = /hx-get="([^"]*\/news[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const again = async () => (await visitor.get(news.slice(new URL(visitor.base).pathname.length), asScript)).text
  const nothing = /<div id="trashed" role="status"[^>]*><\/div>/
  expect(text).toMatch(nothing)
  await agent('documents_delete', { documentIds: [plan] })
  const notice = 'This document is in the trash. What is written in it stays there.'
  for (const shown of [await again(), (await visitor.get(`/d/${plan}`)).text]) {
    expect(shown).toMatch(
      new RegExp(`<div id="trashed" role="status"[^>]*><div class="notice"><p>${notice}</p><form[^>]*/trash/restore"`),
    )
  }
  await agent('documents_move', { documentIds: [plan], destination: { location: 'unsorted' } })
  expect(await again()).toMatch(nothing)
})

test('for a page that it has, it gets only the middle', async () => {
  const serving = await servePages()
  const visitor = await visitAsOperator(serving)
  const plan = await addDocument(program(serving.space, 'claude-desktop'), 'Plan')
  for (const path of [`/d/${plan}`, '/now', '/waiting']) {
    const { text } = await visitor.get(path, asScript)
    expect(text.match(/<html|<body|<nav id="nav"|<main|id="waiting"/g)).toBeNull()
  }
})

test('changes out of reach are not sent to its pages', async () => {
  const serving = await servePages()
  const agent = program(serving.space, 'claude-desktop')
  const [shown, hidden] = [await addDocument(agent, 'Shown'), await addDocument(agent, 'Hidden')]
  const visitor = await visitByLink(serving, { kind: 'selected', documents: [shown] })
  const stream = await listen(visitor, await visitor.get(`/d/${shown}`))
  for (const pageId of [hidden, shown]) {
    await agent('blocks_add', { markdown: 'More', position: { position: 'end', pageId } })
  }
  expect((await stream.next())?.data.documents).toMatchObject([{ documentId: shown }])
})

test('a stream ends with the link, and says so', async () => {
  const serving = await servePages()
  const { info, secret } = await serving.link()
  const visitor = await enter(`${serving.server.origin}/links/${secret}/view`)
  const stream = await listen(visitor, await visitor.get('/'))
  await stream.moved('')
  await serving.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, info.id))
  await addDocument(program(serving.space, 'claude-desktop'), 'Plan')
  expect(await stream.next()).toMatchObject({ type: 'refused', data: { code: 'INVALID_AUTH_HEADER' } })
  expect(await stream.next()).toBeUndefined()
})

test('a stream ends with the server, which does not wait for it', async () => {
  const serving = await servePages()
  const visitor = await visitAsOperator(serving)
  const stream = await listen(visitor, await visitor.get('/'))
  await stream.moved('')
  await serving.server.close()
  expect(await stream.next()).toBeUndefined()
})

test('a stream needs a cookie of the space', async () => {
  const serving = await servePages()
  const { base } = await visitAsOperator(serving)
  const stream = await openEvents(`${base}/changes`)
  expect([stream.status, stream.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
})
