/** Forms sent by scripts: the result is shown in place, and no unneeded page is rendered. */
import { beforeEach, describe, expect, test } from 'vitest'
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
  const path = address.slice(new URL(visitor.base).pathname.length).replaceAll('&amp;', '&')
  const { text } = await visitor.get(path, asScript)
  expect(text).toContain(`<div id="items-${boats}" data-items="${address}">`)
  expect(text).toContain('<td data-key="note" data-v="red">red</td>')
  expect(text).toContain(`/items/${item}/edit?back=%2Fd%2F${plan}"`)
  expect((await visitor.get(`/d/${plan}`)).text).toContain(text)
})

test('a read-only link has no address for that', async () => {
  const reader = await visitByLink(serving, { access: 'read' })
  expect((await reader.get(`/d/${plan}`)).text).not.toContain('data-items')
  expect((await reader.get(`/collections/${boats}/embedded`)).status).toBe(404)
})

describe('a form that a script sends with a key', () => {
  const keyed = { ...asScript, 'idempotency-key': 'one' }
  const addTask = (text: string, headers: Record<string, string> = keyed) =>
    visitor.post('/tasks/new', { text, place: 'inbox', back: '/tasks?scope=inbox' }, headers)
  const tasks = async () => (await anna('tasks_list', { scope: 'inbox' })).items.length

  test('is carried out once, however often it is sent', async () => {
    const first = await addTask('Pay the diver')
    const second = await addTask('Pay the diver')
    expect([first.status, second.status]).toEqual([204, 204])
    expect(second.headers.get('x-leads-to')).toBe(first.headers.get('x-leads-to'))
    expect(await tasks()).toBe(1)
    await addTask('Pay the diver', { ...asScript, 'idempotency-key': 'two' })
    expect(await tasks()).toBe(2)
  })

  test('is not carried out again after others have changed the same', async () => {
    await change('red', keyed)
    const itemsToUpdate = [{ id: item, properties: { note: 'green' } }]
    await anna('items_update', { collectionId: boats, itemsToUpdate })
    expect((await change('red', keyed)).status).toBe(204)
    expect((await visitor.get(`/d/${plan}`)).text).toContain('<td data-key="note" data-v="green">green</td>')
  })

  test('and waited since yesterday is about the note of yesterday', async () => {
    const fields = { text: 'Pay the diver', place: 'today', back: '/tasks' }
    const day = 24 * 60 * 60_000
    const dates = async () =>
      (await anna('tasks_list', { scope: 'all' })).items.map(
        (task: { location: { date: string } }) => task.location.date,
      )
    await visitor.post('/tasks/new', fields, { ...asScript, 'idempotency-key': 'one' })
    await visitor.post('/tasks/new', { ...fields, waited: `${day}` }, { ...asScript, 'idempotency-key': 'two' })
    const { now } = serving.clock
    const wanted = [now, now - day].map((at) => new Date(at).toISOString().slice(0, 10))
    expect((await dates()).toSorted()).toEqual(wanted.toSorted())
  })

  test('is refused with the reason in a header', async () => {
    const fields = { name: '', type: 'text' }
    const { status, headers } = await visitor.post(`/collections/${boats}/columns/new`, fields, keyed)
    expect(status).toBe(400)
    expect(headers.get('x-refusal-code')).toBe('VALIDATION_ERROR')
    expect(decodeURIComponent(headers.get('x-refusal') ?? '')).toBe('A name is missing. Spaces alone are not one.')
    const gone = await visitor.post('/collections/100000000099/boxes', { box: `${item} note true` }, keyed)
    expect([gone.status, gone.headers.get('x-refusal-code')]).toEqual([404, 'NOT_FOUND_ERROR'])
    // Without a session, nothing says that the form was refused: it may be sent later.
    const out = await visitor.post('/tasks/new', { text: 'Later' }, { ...keyed, cookie: '' })
    expect([out.status, out.headers.get('x-refusal-code')]).toEqual([401, null])
  })
})
