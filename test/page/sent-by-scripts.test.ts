/** Forms sent by scripts: the result is shown in place, and no unneeded page is rendered. */
import { beforeEach, expect, test } from 'vitest'
import { type Program, program } from './sample-space.ts'
import { servePages, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

const asScript = { 'hx-request': 'true' }

let serving: Awaited<ReturnType<typeof servePages>>
let visitor: Visitor
let anna: Program
let plan: string
let boats: string
let item: string

beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  anna = program(serving.space, 'editor')
  plan = (await anna('documents_add', { documents: [{ title: 'Plan' }] })).items[0].id
  const schema = { name: 'Boats', properties: [{ name: 'Note', type: 'text' }] }
  const position = { position: 'end', pageId: plan }
  boats = (await anna('collections_add', { schema, position })).collectionBlockId
  item = (await anna('items_add', { collectionId: boats, items: [{ title: 'Anna' }] })).items[0].id
})

const change = (note: string, headers: Record<string, string> = {}) => {
  const fields = { key: 'note', has: 'note', 'v.note': note, 'old.note': 'null', back: `/d/${plan}` }
  return visitor.post(`/collections/${boats}/items/${item}/edit`, fields, headers)
}

test('a script gets the target address of a form instead of a redirect', async () => {
  const { pathname } = new URL(visitor.base)
  const sent = await change('red', asScript)
  expect([sent.status, sent.text]).toEqual([204, ''])
  expect(sent.headers.get('x-leads-to')).toBe(`${pathname}/d/${plan}`)
  expect(sent.headers.get('location')).toBeNull()
  const followed = await change('blue')
  expect(followed.status).toBe(303)
  expect(followed.headers.get('location')).toBe(`${pathname}/d/${plan}`)
})

test('a rejected form is returned to the script with the reason', async () => {
  const { status, text } = await visitor.post(`/collections/${boats}/columns/new`, { name: '', type: 'text' }, asScript)
  expect(status).toBe(400)
  expect(text).toContain('role="alert"')
})

test('the items in a document are refreshed alone, as they stand there', async () => {
  await change('red', asScript)
  const address = /data-items="([^"]+)"/.exec((await visitor.get(`/d/${plan}`)).text)?.[1] ?? ''
  const { text } = await visitor.get(address.slice(new URL(visitor.base).pathname.length), asScript)
  expect(text).toContain(`<div id="items-${boats}" data-items="${address}">`)
  expect(text).toContain('<td data-key="note">red</td>')
  expect(text).toContain(`/items/${item}/edit?back=%2Fd%2F${plan}"`)
  expect((await visitor.get(`/d/${plan}`)).text).toContain(text)
})

test('a read-only link has no address for that', async () => {
  const reader = await visitByLink(serving, { access: 'read' })
  expect((await reader.get(`/d/${plan}`)).text).not.toContain('data-items')
  expect((await reader.get(`/collections/${boats}/embedded`)).status).toBe(404)
})
