/** Home, where a day begins, and documents that are pinned to it, in a browser without scripts. */
import { beforeEach, expect, test } from 'vitest'
import { preparedSpace } from '../support/prepared-space.ts'
import { fillSampleSpace, program, type SampleSpace } from './sample-space.ts'
import { servePages, textOf, type Visited, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let visitor: Visitor
let sample: SampleSpace

const filledSpace = preparedSpace(({ space }) => fillSampleSpace(space))

beforeEach(async () => {
  const { made, ...to } = await filledSpace()
  serving = await servePages({ to })
  sample = made
  visitor = await visitAsOperator(serving)
})

/** The cookies that a page sets, as a browser sends them. */
const cookieOf = ({ headers }: Visited): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
const mainOf = (page: Visited): string => textOf({ ...page, text: page.text.replace(/^[\s\S]*<main/, '<main') })

test('has the note of today, what is due, what waits, and the latest documents with their first lines', async () => {
  const home = mainOf(await visitor.get('/'))
  expect(home).toMatch(/Today’s note Open Called the port authority about the permits\./)
  expect(home).toMatch(/Due All .*Renew the insurance/)
  expect(home).toMatch(/Waits for you 2 proposals to decide/)
  expect(home).toMatch(/Recent All documents .*Quay meeting 14 now Notes of meeting 14\. Cranes/)
})

test('daily notes are in no list of documents', async () => {
  for (const path of ['/', '/documents']) {
    expect(mainOf(await visitor.get(path)).replace(/^.*?Recent/, '')).not.toContain('Daily note')
    expect((await visitor.get(path)).text).toContain('Site sketch')
  }
  const { items } = await program(serving.space, 'editor')('documents_list', { location: 'daily_notes' })
  expect(items.length).toBeGreaterThan(0)
  const { text } = await visitor.get('/documents')
  expect(text.replace(/^[\s\S]*<main/, '')).not.toContain(`/d/${items[0].id}"`)
})

test('tells what others did since one was there, and not what oneself did', async () => {
  const first = await visitor.get('/')
  expect(mainOf(first)).not.toContain('Changed since')
  serving.clock.now += 2 * 60 * 60_000
  const add = (client: string, title: string) =>
    program(serving.space, client)('documents_add', { documents: [{ title }] })
  await add('robot', 'Tide table')
  const second = await visitor.get('/', { cookie: `${visitor.cookie}; ${cookieOf(first)}` })
  expect(mainOf(second)).toMatch(/Changed since .* robot added Tide table Undo/)
  // Whoever comes back soon still has the same news.
  serving.clock.now += 60_000
  await add('robot', 'Gossip')
  const third = await visitor.get('/', { cookie: `${visitor.cookie}; ${cookieOf(second)}` })
  expect(mainOf(third)).toMatch(/robot added Gossip and Tide table|robot added Tide table and Gossip/)
  // What the browser keeps is read with care.
  for (const value of ['x.y', '.', '-1.-1', '99999999999999.99999999999999', '1'])
    expect((await visitor.get('/', { cookie: `${visitor.cookie}; scriptorium-visit=${value}` })).status).toBe(200)
})

test('a document is pinned from its menu, for this browser, and released', async () => {
  const document = await visitor.get(`/d/${sample.plan}`)
  expect(document.text).toContain('>Pin to Home</button>')
  const pinned = await visitor.post('/pins', { document: sample.plan, pinned: 'yes' })
  expect(pinned.headers.get('set-cookie')).toMatch(/^scriptorium-pins=\d{12}; Path=\/view\/.*HttpOnly; SameSite=Lax$/)
  const cookie = `${visitor.cookie}; ${cookieOf(pinned)}`
  expect(mainOf(await visitor.get('/', { cookie }))).toContain('Pinned Harbour plan')
  expect((await visitor.get(`/d/${sample.plan}`, { cookie })).text).toContain('>Unpin</button>')
  const released = await visitor.post('/pins', { document: sample.plan, pinned: 'no' }, { cookie })
  expect(cookieOf(released)).toBe('scriptorium-pins=')
})

test('what is no document cannot be pinned, nor more than there is room for', async () => {
  const wrong = await visitor.post('/pins', { document: 'x; Domain=example.org\r\nY: 1', pinned: 'yes' })
  expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([400, null])
  const ids = Array.from({ length: 30 }, (_, at) => String(100_000_000_100 + at))
  const cookie = `${visitor.cookie}; scriptorium-pins=${ids.join('.')}`
  const more = await visitor.post('/pins', { document: sample.plan, pinned: 'yes' }, { cookie })
  expect([more.status, more.headers.get('set-cookie')]).toEqual([400, null])
  expect(more.text).toContain('Expected at most 30 pinned documents, found that many; unpin one first.')
})

test('a document that was deleted for good does not hide the other pins', async () => {
  const cookie = `${visitor.cookie}; scriptorium-pins=100000999999.${sample.plan}`
  expect(mainOf(await visitor.get('/', { cookie }))).toContain('Pinned Harbour plan')
})

test('a pin shows nothing that its link does not reach', async () => {
  const reader = await visitByLink(serving, { kind: 'selected', documents: [sample.crane] })
  const cookie = `${reader.cookie}; scriptorium-pins=${sample.plan}.${sample.crane}.nothing`
  const home = await reader.get('/', { cookie })
  expect(mainOf(home)).toContain('Pinned Crane inspection')
  expect(home.text).not.toContain('Harbour plan')
})
