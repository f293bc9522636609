/** Covers of documents: who sees them, and the form that sets them. */
import { beforeEach, expect, test } from 'vitest'
import type { Serving } from '../http/serving.ts'
import { png } from '../picture.ts'
import { type Program, program } from './sample-space.ts'
import { offers, servePages, textOf, type Visited, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Serving
let visitor: Visitor
let anna: Program
let plan: string
let picture: { blockId: string; assetUrl: string }
beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  anna = program(serving.space, 'anna')
  plan = (await anna('documents_add', { documents: [{ title: 'Plan', markdown: 'one' }] })).items[0].id
  picture = await addPicture(plan)
})

const addPicture = (pageId: string, data = png(640, 320, 0xa0)) =>
  anna('files_add', { position: { position: 'end', pageId }, fileName: 'quay.png', data: data.toString('base64') })

const stylingOf = async (id: string) => (await anna('blocks_get', { id, maxDepth: 0 })).styling
const textsOf = async (id: string): Promise<string[]> =>
  (await anna('blocks_get', { id, maxDepth: 1 })).content.map(({ type }: { type: string }) => type)
const coverOf = ({ text }: Visited) => /<img class="page-cover" src="([^"]*)" alt="">/.exec(text)?.[1]
const readCover = async (from: Visitor, page: Visited) => {
  const address = new URL(coverOf(page) ?? '', from.base)
  return (await fetch(address, { headers: { cookie: from.cookie } })).status
}

/** Sends the form with a file, as a browser does. */
async function upload(from: Visitor, id: string, bytes: Uint8Array, token?: string) {
  const { text } = await from.get(`/d/${id}/cover`)
  const form = new FormData()
  form.append('token', token ?? /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '')
  form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'sea.png')
  return fetch(`${from.base}/d/${id}/cover`, {
    ...{ method: 'POST', body: form, redirect: 'manual' },
    headers: { cookie: from.cookie, origin: new URL(from.base).origin },
  })
}

test('a picture of the document becomes its cover, stays when it leaves the text, and the notice takes it back', async () => {
  expect(coverOf(await visitor.get(`/d/${plan}`))).toBe(undefined)
  const form = await visitor.get(`/d/${plan}/cover`)
  const shown = await visitor.press(form, 'Make it the cover', { picture: picture.assetUrl })
  expect(await stylingOf(plan)).toEqual({ coverImage: { url: picture.assetUrl } })
  await anna('blocks_delete', { blockIds: [picture.blockId] })
  await serving.space.deleteUnusedFiles()
  const page = await visitor.get(`/d/${plan}`)
  expect(await readCover(visitor, page)).toBe(200)
  expect(page.text.indexOf('page-cover')).toBeLessThan(page.text.indexOf('<h1'))
  await visitor.press(shown, 'Undo')
  expect(coverOf(await visitor.get(`/d/${plan}`))).toBe(undefined)
})

test('a file is uploaded as the cover, and stands nowhere in the text', async () => {
  const answer = await upload(visitor, plan, png(900, 300, 0x20))
  expect(answer.status).toBe(303)
  expect(await textsOf(plan)).toEqual(['text', 'image'])
  expect(await readCover(visitor, await visitor.get(`/d/${plan}`))).toBe(200)
  const removed = await visitor.press(await visitor.get(`/d/${plan}/cover`), 'Remove the cover')
  expect(textOf(removed)).toContain('Saved')
  expect(coverOf(await visitor.get(`/d/${plan}`))).toBe(undefined)
})

test('the notice after an upload takes all of it back at once', async () => {
  await anna('blocks_update', { blocks: [{ id: plan, styling: { coverImage: { url: picture.assetUrl } } }] })
  const { headers } = await upload(visitor, plan, png(900, 300, 0x20))
  const before = await stylingOf(plan)
  const shown = await visitor.get((headers.get('location') ?? '').replace(/^.*?\/view\/[^/]+/, ''))
  await visitor.press(shown, 'Undo')
  expect(await stylingOf(plan)).toEqual({ coverImage: { url: picture.assetUrl } })
  expect(before).not.toEqual(await stylingOf(plan))
  expect(await textsOf(plan)).toEqual(['text', 'image'])
})

test('a color becomes the cover in place of a picture, also in what is exported, and no other text does', async () => {
  await visitor.send(`/d/${plan}/cover`, { picture: picture.assetUrl })
  const form = await visitor.get(`/d/${plan}/cover`)
  expect(form.text).toMatch(/name="color" value="#4a74b0"><svg .*?<\/svg>Blue<\/button>/)
  await visitor.send(`/d/${plan}/cover`, { color: '#4a74b0' })
  expect(await stylingOf(plan)).toEqual({ coverColor: '#4a74b0' })
  const drawn = /<svg class="page-cover"[^>]*><rect [^>]*fill="#4a74b0"/
  for (const path of [`/d/${plan}`, `/d/${plan}/print`]) expect((await visitor.get(path)).text, path).toMatch(drawn)
  expect((await visitor.get(`/d/${plan}/cover`)).text).toMatch(/value="#4a74b0" aria-pressed="true"/)
  await visitor.press(form, 'Use this color', { color: '#AA0022' })
  expect(await stylingOf(plan)).toEqual({ coverColor: '#AA0022' })
  const refused = await visitor.post(`/d/${plan}/cover`, { color: 'red' })
  expect([refused.status, textOf(refused).includes('Expected a color as # and six hex digits')]).toEqual([400, true])
  await anna('blocks_update', { blocks: [{ id: plan, styling: { coverColor: '"><script>' } }] })
  expect((await visitor.get(`/d/${plan}`)).text).not.toContain('page-cover')
  await anna('blocks_update', { blocks: [{ id: plan, styling: { coverColor: '#112233', fontFamily: 'serif' } }] })
  await visitor.press(await visitor.get(`/d/${plan}/cover`), 'Remove the cover')
  expect(await stylingOf(plan)).toEqual({ fontFamily: 'serif' })
})

test('what is no picture, too large or sent by another site is refused, and nothing of it stays', async () => {
  const words = await upload(visitor, plan, Buffer.from('words'))
  expect([words.status, (await words.text()).includes('Expected a picture, found a file of type')]).toEqual([400, true])
  const large = await upload(visitor, plan, Buffer.alloc(5 * 1024 * 1024 + 1))
  expect([large.status, (await large.text()).includes('Expected a file of at most')]).toEqual([400, true])
  expect((await upload(visitor, plan, png(9, 9), 'forged')).status).toBeGreaterThanOrEqual(400)
  const elsewhere = await visitor.post(`/d/${plan}/cover`, { picture: 'https://example.com/a.png' })
  expect([elsewhere.status, textOf(elsewhere).includes('Expected a picture of this space')]).toEqual([400, true])
  expect([await textsOf(plan), await stylingOf(plan)]).toEqual([['text', 'image'], undefined])
})

test('a cover that is missing, out of reach or on another server is no broken picture, and its form says so', async () => {
  for (const url of ['scriptorium://files/999999999999', 'https://example.com/a.png']) {
    await anna('blocks_update', { blocks: [{ id: plan, styling: { coverImage: { url }, fontFamily: 'serif' } }] })
    expect(coverOf(await visitor.get(`/d/${plan}`)), url).toBe(undefined)
    const form = await visitor.get(`/d/${plan}/cover`)
    expect(textOf(form), url).toContain('The cover cannot be shown')
    expect(offers(form, 'Remove the cover')).toBe(true)
  }
  await visitor.press(await visitor.get(`/d/${plan}/cover`), 'Remove the cover')
  expect(await stylingOf(plan)).toEqual({ fontFamily: 'serif' })
})

test('a link to the document sees its cover, and cannot show a file of another document', async () => {
  const other = (await anna('documents_add', { documents: [{ title: 'Other' }] })).items[0].id
  const hidden = await addPicture(other)
  const guest = await visitByLink(serving, { kind: 'selected', documents: [plan] })
  await guest.post(`/d/${plan}/cover`, { picture: hidden.assetUrl })
  expect(coverOf(await guest.get(`/d/${plan}`))).toBe(undefined)
  await visitor.send(`/d/${plan}/cover`, { picture: picture.assetUrl })
  await anna('blocks_delete', { blockIds: [picture.blockId] })
  expect(await readCover(guest, await guest.get(`/d/${plan}`))).toBe(200)
})

test('links that only read have no form, and those that propose propose', async () => {
  const reader = await visitByLink(serving, { access: 'read' })
  expect((await reader.get(`/d/${plan}/cover`)).status).toBe(404)
  expect((await reader.get(`/d/${plan}`)).text).not.toContain(`/d/${plan}/cover`)
  expect((await reader.post(`/d/${plan}/cover`, { picture: picture.assetUrl })).status).toBeGreaterThanOrEqual(400)
  const proposer = await visitByLink(serving, { access: 'propose' })
  const form = await proposer.get(`/d/${plan}/cover`)
  expect(offers(form, 'Upload it as the cover')).toBe(false)
  expect((await upload(proposer, plan, png(9, 9))).status).toBe(400)
  const proposed = await proposer.press(form, 'Make it the cover', { picture: picture.assetUrl })
  expect(textOf(proposed)).toContain('Proposed. It happens once it is approved.')
  expect(await stylingOf(plan)).toBe(undefined)
})

test('the menus offer it, and the file and the page to print have it as data', async () => {
  for (const path of [`/d/${plan}`, `/d/${plan}/actions`])
    expect(offers(await visitor.get(path), 'Cover…'), path).toBe(true)
  await visitor.send(`/d/${plan}/cover`, { picture: picture.assetUrl })
  await anna('blocks_delete', { blockIds: [picture.blockId] })
  expect(coverOf(await visitor.get(`/d/${plan}/print`))).toMatch(/^data:image\/png;base64,iVBOR/)
})
