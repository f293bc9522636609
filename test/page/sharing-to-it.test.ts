/** What other apps share to the pages, and what browsers may keep of them. */
import { expect, test } from 'vitest'
import { revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { SHARED_LENGTH } from '../../src/base/limits.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { program } from './sample-space.ts'
import { servePages, textOf, visitAsOperator, visitByLink } from './visiting.ts'

const shared = (fields: Record<string, string>) => `/share?${new URLSearchParams(fields)}`
const textareaOf = ({ text }: { text: string }) => /<textarea[^>]*>([\s\S]*?)<\/textarea>/.exec(text)?.[1]

test('what is shared is shown, and added to the note of today after asking', async () => {
  const serving = await servePages()
  const visitor = await visitByLink(serving)
  const address = shared({ title: 'Cranes', text: '# Not a heading <page>', url: 'https://cranes.example/a_b?c=1' })
  const page = await visitor.get(address)
  expect(textareaOf(page)).toBe('Cranes\n# Not a heading &lt;page&gt;\nhttps://cranes.example/a_b?c=1')
  const read = program(serving.space, 'editor')
  await expect(read('blocks_get', { date: 'today' })).rejects.toThrow()
  const note = await visitor.press(page, 'Add it')
  expect(note.status).toBe(200)
  const { content } = await read('blocks_get', { date: 'today' })
  expect(content.map(({ markdown }: { markdown: string }) => markdown)).toEqual([
    'Cranes',
    '\\# Not a heading \\<page>',
    '[https://cranes.example/a_b?c=1](https://cranes.example/a_b?c=1)',
  ])
})

test('a title or an address that stands in the text is shown once, and the text has a bound', async () => {
  const visitor = await visitByLink(await servePages())
  const page = await visitor.get(shared({ title: 'A', text: 'A https://a.example', url: 'https://a.example' }))
  expect(textareaOf(page)).toBe('A https://a.example')
  const long = await visitor.get(shared({ text: 'x'.repeat(SHARED_LENGTH + 1) }))
  expect(textareaOf(long)).toHaveLength(SHARED_LENGTH)
  expect(textOf(long)).toContain(
    'The end of what was shared is missing here, since it is too much at once. Missing characters: 1',
  )
  const refused = await visitor.post('/share', { text: 'x'.repeat(SHARED_LENGTH + 1) })
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('That is too long: it has 10,001 characters, and 10,000 are possible. Leave some out.'),
  ])
})

test('another site cannot add anything, and links without daily notes or writing have no such page', async () => {
  const serving = await servePages()
  const visitor = await visitByLink(serving)
  const forged = await visitor.post('/share', { text: 'x', token: 'y' })
  expect(forged.status).toBe(403)
  expect((await visitor.post('/share', { text: 'x' }, { origin: 'https://elsewhere.example' })).status).toBe(403)
  expect((await (await visitByLink(serving, { access: 'read' })).get('/share')).status).toBe(404)
  const { items } = await program(serving.space, 'editor')('documents_add', { documents: [{ title: 'Plan' }] })
  const selected = await visitByLink(serving, { kind: 'selected', documents: [items[0].id] })
  expect((await selected.get('/share')).status).toBe(404)
})

test('answers name the session for which a browser may keep them, and none for the person who runs the program', async () => {
  const serving = await servePages()
  const nameOf = async (visitor: { get(path: string): Promise<{ headers: Headers }> }) =>
    (await visitor.get('/')).headers.get('x-page-session')
  const { secret, info } = await serving.link({ name: 'Anna' })
  const { enter } = await import('./visiting.ts')
  const [one, other] = [
    await enter(`${serving.server.origin}/links/${secret}/view`),
    await enter(`${serving.server.origin}/links/${secret}/view`),
  ]
  const name = await nameOf(one)
  expect(name).toMatch(/^[\w-]{22}; until=\d+$/)
  expect(await nameOf(one)).toBe(name)
  expect(await nameOf(other)).not.toBe(name)
  expect(await nameOf(await visitAsOperator(serving))).toBe(null)
  await serving.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, info.id))
  expect(await nameOf(one)).toBe(null)
})

test('the service worker is served to everybody, and asked for again', async () => {
  const { base } = await visitByLink(await servePages())
  const { status, headers } = await fetch(`${base}/offline-worker.js`)
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'no-cache',
  ])
})
