/** Addresses for downloads and uploads become invalid together with the access link that they were given over. */
import { expect, test } from 'vitest'
import { exposeDocuments, revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { contentAt, send, serveFiles } from './files-asker.ts'
import { callTool, documentBy, type TestLink } from './serving.ts'

const NOTHING = {
  error: 'Expected the address of a file, found one that leads to no file; read it again with blocks_get.',
  code: 'NOT_FOUND_ERROR',
}
const SPENT =
  'Expected an address that waits for a file, found one that has taken it or has expired; files_add gives another.'

async function request(url: string) {
  const response = await fetch(url)
  const text = await response.text()
  return response.status === 200 ? text : [response.status, JSON.parse(text)]
}

/** Creates a document with a file, and a link that exposes it and another document. */
async function world() {
  const serving = await serveFiles()
  const full = await serving.link()
  const [shown, other] = [await documentBy(full), await documentBy(full)]
  const expiresAt = serving.clock.now + 60_000
  const selected = await serving.link({ kind: 'selected', documents: [shown, other], expiresAt })
  const query = `position=end&pageId=${shown}`
  const added = (await send('POST', `${full.rest}/upload?${query}`, Buffer.from('words'), 'text/plain')).json
  const [{ url }] = await contentAt(selected, `id=${shown}`)
  return { serving, full, shown, other, selected, blockId: added.blockId, own: added.assetUrl, url }
}

test('each link has its own address for a file, which reveals no other', async () => {
  const { own, url, full, selected } = await world()
  expect(url).not.toBe(own)
  for (const address of [own, url]) expect(await request(address)).toBe('words')
  const [mine, theirs] = [own, url].map((one) => new URL(one).pathname.split('/')[2] ?? '') as [string, string]
  // The file and link IDs of one with the secret of the other.
  expect(await request(url.replace(theirs, theirs.slice(0, -22) + mine.slice(-22)))).toEqual([404, NOTHING])
  expect(await request(url.replace(theirs, theirs.slice(0, 22) + mine.slice(22)))).toBe('words')
  for (const { secret } of [full, selected]) for (const one of [own, url]) expect(one).not.toContain(secret)
})

test('it is not found while its link does not expose the document', async () => {
  const { serving, selected, shown, other, own, url } = await world()
  const expose = (documents: string[]) =>
    serving.space.write(OPERATOR_LINK, (view) => exposeDocuments(view, selected.info.id, documents))
  await expose([other])
  expect(await request(url)).toEqual([404, NOTHING])
  expect(await request(own)).toBe('words')
  await expose([shown])
  expect(await request(url)).toBe('words')
})

test('it is not found after its link was revoked or has expired', async () => {
  const { serving, full, own, url } = await world()
  serving.clock.now += 60_000
  expect(await request(url)).toEqual([404, NOTHING])
  expect(await request(own)).toBe('words')
  await serving.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, full.info.id))
  expect(await request(own)).toEqual([404, NOTHING])
})

test('it is not found while its document is in the trash, or its block is elsewhere out of reach', async () => {
  const { full, shown, blockId, own, url } = await world()
  await full.ask('DELETE /documents', { documentIds: [shown] })
  expect(await request(url)).toEqual([404, NOTHING])
  expect(await request(own)).toBe('words')
  await full.ask('PUT /documents/move', { documentIds: [shown], destination: { destination: 'unsorted' } })
  expect(await request(url)).toBe('words')
  const hidden = await documentBy(full)
  await full.ask('PUT /blocks/move', { blockIds: [blockId], position: { position: 'end', pageId: hidden } })
  expect(await request(url)).toEqual([404, NOTHING])
  expect(await request(own)).toBe('words')
})

test('a cached file is validated again', async () => {
  const { url } = await world()
  expect((await fetch(url)).headers.get('cache-control')).toBe('private, no-cache, no-transform')
})

/** Returns an upload address for a file at the end of a document. */
async function uploadTo(link: TestLink, pageId: string): Promise<string> {
  const response = await callTool(await link.client(), 'files_add', { position: { position: 'end', pageId } })
  return response.object.uploadUrl
}

test('an upload address ends with its link, and puts nothing out of reach', async () => {
  const { serving, full, selected, shown, other } = await world()
  const [one, two, three] = [
    await uploadTo(selected, shown),
    await uploadTo(selected, other),
    await uploadTo(full, shown),
  ] as const
  const put = async (url: string) => (await send('PUT', url, Buffer.from('more'), 'text/plain')).json.error
  await serving.space.write(OPERATOR_LINK, (view) => exposeDocuments(view, selected.info.id, [other]))
  expect(await put(one)).toMatch(/^Expected the ID of a block within reach, found /)
  serving.clock.now += 60_000
  expect(await put(two)).toBe(SPENT)
  await serving.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, full.info.id))
  expect(await put(three)).toBe(SPENT)
  const reader = await serving.link()
  expect(await contentAt(reader, `id=${shown}`)).toHaveLength(1)
  expect(await contentAt(reader, `id=${other}`)).toEqual([])
})

test('a copy shows no file that its original did not', async () => {
  const { serving, full, own } = await world()
  const template = await documentBy(full)
  const selected = await serving.link({ kind: 'selected', documents: [template] })
  const [, id = ''] = /files\/.{10}([0-9a-f]{32})/.exec(own) ?? []
  const stored = `scriptorium://files/${id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`
  const position = { position: 'end', pageId: template }
  await selected.ask('POST /blocks', { blocks: [{ type: 'file', url: stored, fileName: 'a.txt' }], position })
  await full.ask('PUT /documents/move', { documentIds: [template], destination: { destination: 'templates' } })
  const made = (await full.ask('POST /documents', { documents: [{ title: 'Copy', templateId: template }] })).json
  const [{ url }] = await contentAt(full, `id=${made.items[0].id}`)
  expect(url).toBe('invalid:out_of_scope')
})
