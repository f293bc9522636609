/** An item has the same title wherever it is named: in answers, on pages and in an export. */
import { expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../collection.ts'
import { type Answer, connect } from '../connect.ts'
import { exportOf, filesIn } from '../export/vault-exports.ts'
import { program } from './sample-space.ts'
import { servePages, visitAsOperator } from './visiting.ts'

const OWNER = [{ type: 'relation', name: 'Owner' }]
const TITLES = ['Edsger Dijkstra', '[x] y', 'a ] b', 'R&D <b>', 'a | b', '**Bold** `c`', 'back\\slash', '&amp; $x$']
/** In a link, brackets without a partner are replaced. */
const inLink = (title: string) => title.replace(/(?<!\[x)\]/, ')')

test.each(TITLES)('pages of a table, of an item and of what leads to it call it %s', async (title) => {
  const serving = await servePages()
  const call = program(serving.space, 'tester')
  const pageId = (await call('documents_add', { documents: [{ title: 'D' }] })).items[0].id
  const schema = { name: 'People', properties: OWNER }
  const { collectionBlockId: collectionId } = await call('collections_add', {
    schema,
    position: { position: 'end', pageId },
  })
  const [{ id }] = (await call('items_add', { collectionId, items: [{ title }] })).items
  const properties = { owner: { relations: [{ blockId: id }] } }
  const [{ id: other }] = (await call('items_add', { collectionId, items: [{ title: 'Other', properties }] })).items
  const visitor = await visitAsOperator(serving)
  const names = async (path: string) => {
    const { text } = await visitor.get(path)
    const all = text.matchAll(new RegExp(`<a href="[^"]*/d/${id}"[^>]*>(.*?)</a>`, 'g'))
    return [...new Set(Array.from(all, ([, found = '']) => plain(found)))]
  }
  const both = [...new Set([title, inLink(title)])].sort()
  expect((await names(`/collections/${collectionId}`)).sort()).toEqual(both)
  expect((await names(`/d/${pageId}`)).sort()).toEqual(both)
  expect(await names(`/d/${other}`)).toEqual([inLink(title)])
  expect(plain((await visitor.get(`/d/${id}`)).text)).toContain(`<title>${title}`)
})

test('answers and exports have the title of the table', async () => {
  const connected = await connect()
  const { call } = connected
  const people = await collectionOf(connected, OWNER, 'People')
  const ids = await itemsOf(
    connected,
    people,
    TITLES.map((title) => ({ title })),
  )
  const properties = { owner: { relations: ids.map((blockId) => ({ blockId })) } }
  await itemsOf(connected, people, [{ title: 'Other', properties }])
  const { items } = await call('items_list', { collectionId: people })
  expect(items.slice(0, TITLES.length).map(({ title }: Answer) => title)).toEqual(TITLES)
  for (const [index, title] of TITLES.entries()) {
    expect(await call('blocks_get', { id: ids[index] })).toMatchObject({ title })
    const table = await call('items_list', { collectionId: people, format: 'markdown' })
    expect(plain(table.replaceAll('\\|', '|').replaceAll('\\\\', '\\'))).toContain(title)
  }
  const { path, read } = await exportOf(connected)
  const bare = (text: string) => plain(text).replace(/\\(?=[^\w\s])/g, '')
  const notes = bare(filesIn(path).map(read).join('\n'))
  for (const title of TITLES) expect(notes).toContain(bare(title))
})

const plain = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
