/** Collections in a vault: a folder with a note for each item, a Base and a table. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../collection.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { bodyOf } from '../import/importing.ts'
import { exportOf, filesIn, importOf, textsOf } from './vault-exports.ts'

const PROPERTIES = [
  { type: 'text', name: 'Note' },
  { type: 'number', name: 'Price', config: { format: 'currency', currency: 'EUR' } },
  { type: 'boolean', name: 'Paid' },
  { type: 'date', name: 'Due' },
  { type: 'url', name: 'Site' },
  { type: 'email', name: 'Mail' },
  { type: 'phone', name: 'Phone' },
  { type: 'singleSelect', name: 'Status', options: [{ name: 'Open', color: 'red' }, { name: 'Done' }] },
  { type: 'multiSelect', name: 'Tags', options: [{ name: 'a' }, { name: 'b, c' }] },
  { type: 'blockLink', name: 'Source' },
  { type: 'rating', name: 'Stars', config: { max: 10 } },
]
const VALUES = {
  note: '=1+1\n"two" lines',
  price: -1.5,
  paid: false,
  due: '2028-02-29/2028-03-01',
  site: 'https://example.org/?a=b',
  mail: 'ada@example.org',
  phone: '+36 1 234 5678',
  status: 'Done',
  tags: ['b, c', 'a'],
  stars: 8,
}

/** Collections by name: schema, and items with their titles, values and content. */
async function collectionsIn({ call }: Connected): Promise<Record<string, Answer>> {
  const titles = new Map<string, string>()
  const found: Record<string, Answer> = {}
  const { items } = await call('collections_list')
  for (const { id: collectionId, name } of items) {
    const { properties, contentPropDetails } = await call('schema_get', { collectionId, format: 'schema' })
    const { items: rows } = await call('items_list', { collectionId })
    for (const row of rows) titles.set(row.id, row.title)
    found[name] = { schema: properties, contentPropDetails, items: rows }
  }
  const ids = new Map(items.map(({ id, name }: Answer) => [id, `collection ${name}`]))
  const named = (_key: string, value: unknown) =>
    typeof value === 'string' ? (ids.get(value) ?? titles.get(value) ?? value.replace(/\d{12}/g, 'ID')) : value
  const plain = JSON.parse(JSON.stringify(found), named) as Record<string, Answer>
  for (const { items: rows } of Object.values(plain)) for (const row of rows) delete row.id
  return plain
}

async function filled() {
  const connected = await connect()
  const { call } = connected
  const people = await collectionOf(connected, [{ type: 'text', name: 'Town' }], 'People')
  const books = await collectionOf(connected, PROPERTIES, 'Books')
  const schema = await call('schema_get', { collectionId: books, format: 'schema' })
  const relation = { type: 'relation', name: 'Author', targetCollectionId: people }
  const [first, ...others] = schema.properties
  await call('schema_update', {
    collectionId: books,
    schema: { ...schema, properties: [first, relation, ...others] },
  })
  const source = await documentOf(connected, 'Cited here.', 'Source')
  const { content } = await call('blocks_get', { id: source })
  const [ada = '', bo = ''] = await itemsOf(connected, people, [
    { title: 'Ada', properties: { town: 'Bath' } },
    { title: 'Bo: "x"', content: [] },
  ])
  const [emma = ''] = await itemsOf(connected, books, [
    {
      title: 'Emma',
      markdown: `# About\n\nBy [Ada](block://${ada}).\n\n- [ ] read`,
      properties: {
        ...VALUES,
        author: { relations: [{ blockId: bo }, { blockId: ada }] },
        source: { blockId: content[0].id },
      },
    },
    { title: 'Emma', properties: { source: { blockId: ada } } },
  ])
  const inItem = (await call('blocks_get', { id: emma })).content[0].id
  await documentOf(connected, `See [Emma](block://${emma}) and [its heading](block://${inItem}).`, 'Home')
  return { connected, emma, inItem }
}

test('a collection is a folder with a note for each item, a Base and a table', async () => {
  const { connected, inItem } = await filled()
  const { path, read, report } = await exportOf(connected)
  expect(report.problems).toEqual([])
  expect(filesIn(path)).toEqual([
    'Books/Books.base',
    'Books/Books.csv',
    'Books/Emma 2.md',
    'Books/Emma.md',
    'Document 2.md',
    'Document.md',
    'Home.md',
    'People/Ada.md',
    'People/Bo x.md',
    'People/People.base',
    'People/People.csv',
    'Source.md',
  ])
  expect(read('Books/Books.csv')).toBe(
    [
      'Name,Note,Author,Price,Paid,Due,Site,Mail,Phone,Status,Tags,Source,Stars',
      `Emma,"'=1+1\n""two"" lines","Bo: ""x"", Ada",-1.5,false,2028-02-29/2028-03-01,https://example.org/?a=b,ada@example.org,'+36 1 234 5678,Done,"b, c, a",Cited here.,8`,
      'Emma,,,,,,,,,,,Ada,',
      '',
    ].join('\r\n'),
  )
  expect(read('Books/Emma.md')).toMatch(
    /^---\nnote: \|-\n {2}=1\+1\n {2}"two" lines\nauthor:\n {2}- "\[\[People\/Bo x\]\]"/,
  )
  expect(read('Books/Emma.md')).toContain(
    `item: 1\n---\n\n# About ^${inItem}\n\nBy [Ada](../People/Ada.md).\n\n- [ ] read\n`,
  )
  expect(read('Home.md')).toContain(`See [Emma](Books/Emma.md) and [its heading](Books/Emma.md#^${inItem}).\n`)
  expect(read('Document 2.md')).toContain('---\n\n![](Books/Books.base)\n')
  expect(read('Books/Books.base')).toContain(
    '\nfilters:\n  and:\n    - file.inFolder("Books")\n    - file.ext == "md"\nproperties:\n  file.name:\n    displayName: Name\n',
  )
})

test('and is imported again with its schema, values, content and links', async () => {
  const { connected } = await filled()
  const { path } = await exportOf(connected)
  const back = await importOf(path)
  expect(back.problems).toEqual([])
  expect(await collectionsIn(back)).toEqual(await collectionsIn(connected))
  const { items } = await back.call('documents_list')
  const home = items.find(({ title }: Answer) => title === 'Home')
  const [, emma, inItem] = /See \[Emma\]\(block:\/\/(\d+)\) and \[its heading\]\(block:\/\/(\d+)\)/.exec(
    bodyOf(await back.call('blocks_get', { id: home.id, format: 'markdown' })),
  ) as string[]
  expect(await back.call('blocks_get', { id: emma })).toMatchObject({ type: 'collectionItem', title: 'Emma' })
  expect(await back.call('blocks_get', { id: inItem })).toMatchObject({ markdown: '# About' })
  // Both notes of collections are called Document.
  const texts = (of: string) => [...textsOf(of)].filter(([file]) => !file.startsWith('Document'))
  expect(texts((await exportOf(back)).path)).toEqual(texts(path))
})

test('a value that does not fit is reported, and the rest is imported', async () => {
  const { connected } = await filled()
  const { path, read } = await exportOf(connected)
  const changed = read('Books/Emma.md')
    .replace('price: -1.5', 'price: much')
    .replace('stars: 8', 'stars: 11')
    .replace('[[People/Ada]]', '[[People/Eve]]')
  writeFileSync(join(path, 'Books/Emma.md'), changed)
  const back = await importOf(path)
  expect(back.problems).toEqual([
    'Books/Emma.md: A value that names People/Eve is left out: it is not there.',
    'Books/Emma.md: The property Price is left out: much is no number.',
    'Books/Emma.md: The property Stars is left out: 11 is no rating.',
  ])
  const { Books } = await collectionsIn(back)
  expect(Books.items[0].properties).toMatchObject({ author: { relations: [{ blockId: 'Bo: "x"' }] }, status: 'Done' })
})

test('a Base whose note is gone is a document, and one written by people is code', async () => {
  const { connected } = await filled()
  const { path, read } = await exportOf(connected)
  writeFileSync(join(path, 'Document 2.md'), 'No collection here.\n')
  writeFileSync(join(path, 'Mine.base'), read('Books/Books.base').split('\n').slice(1).join('\n'))
  const back = await importOf(path)
  expect(back.problems).toEqual(['Mine.base: A Base is kept as code; use a view of a collection in its place.'])
  const { items } = await back.call('documents_list')
  expect(items.map(({ title }: Answer) => title).sort()).toEqual([
    'Books',
    'Document',
    'Document 2',
    'Home',
    'Mine',
    'Source',
  ])
  expect(await collectionsIn(back)).toEqual(await collectionsIn(connected))
})

test('what items depend on is exported and imported again, without cycles', async () => {
  const connected = await connect()
  const properties = [
    { name: 'Finished', type: 'boolean' },
    { name: 'Needs', type: 'relation', config: { dependsOn: true } },
  ]
  const collectionId = await collectionOf(connected, properties, 'Work')
  const [dig = '', build = ''] = await itemsOf(connected, collectionId, [{ title: 'Dig' }, { title: 'Build' }])
  const needs = { needs: { relations: [{ blockId: dig }] } }
  await connected.call('items_update', { collectionId, itemsToUpdate: [{ id: build, properties: needs }] })
  const { path, read } = await exportOf(connected)
  const again = await importOf(path)
  expect(again.problems).toEqual([])
  const found = await collectionsIn(again)
  expect(found).toEqual(await collectionsIn(connected))
  expect(found.Work?.items[1].blockedBy).toEqual([{ id: 'Dig', title: 'Dig' }])
  // A note that was edited by hand.
  writeFileSync(join(path, 'Work/Dig.md'), read('Work/Dig.md').replace('---\n', '---\nneeds:\n  - "[[Work/Build]]"\n'))
  const edited = await importOf(path)
  expect(edited.problems).toEqual([
    expect.stringContaining('"Dig" does not depend on "Build" by Needs anymore: the items would depend on themselves.'),
    expect.stringContaining('"Build" does not depend on "Dig" by Needs anymore: the items would depend on themselves.'),
  ])
  const { Work } = await collectionsIn(edited)
  expect(Work?.items.map(({ properties }: Answer) => properties.needs)).toEqual([undefined, undefined])
})
