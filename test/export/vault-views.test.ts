/** Views of collections in a vault: as far as Bases of Obsidian can express them, and completely for an import. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { obsidianFormat } from '../../src/import/markdown/markdown-format.ts'
import { MANIFEST } from '../../src/import/own/export-manifest.ts'
import { runImport } from '../../src/import/run-import.ts'
import { collectionOf, itemsOf } from '../collection.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { exportOf, importOf, openExport } from './vault-exports.ts'

const PROPERTIES = [
  { type: 'text', name: 'Note' },
  { type: 'number', name: 'Price' },
  { type: 'boolean', name: 'Paid' },
  { type: 'date', name: 'Due' },
  { type: 'singleSelect', name: 'Status', options: [{ name: 'Open' }, { name: 'Done' }] },
  { type: 'multiSelect', name: 'Tags', options: [{ name: 'a' }, { name: 'b "c"' }] },
  { type: 'blockLink', name: 'Source' },
]

/** Books by people, and the names of both in filters. */
async function shelf() {
  const connected = await connect()
  const { call } = connected
  const people = await collectionOf(connected, [{ type: 'text', name: 'Town' }], 'People')
  const [ada = '', bo = ''] = await itemsOf(connected, people, [{ title: 'Ada' }, { title: 'Bo' }])
  const author = { type: 'relation', name: 'Author', targetCollectionId: people }
  const books = await collectionOf(connected, [...PROPERTIES, author], 'Books')
  const source = await documentOf(connected, 'Cited here.', 'Source')
  const addView = (view: object) => call('views_add', { collectionId: books, view })
  return { connected, call, people, books, ada, bo, source, addView }
}

/** The views of a collection, with IDs of blocks replaced by their titles. */
async function viewsOf({ call }: Connected, name: string): Promise<Answer[]> {
  const { items } = await call('collections_list')
  const collectionId = items.find((one: Answer) => one.name === name).id
  const { views } = await call('views_list', { collectionId })
  const titles = new Map<string, string>()
  for (const { id } of items) {
    const { items: rows } = await call('items_list', { collectionId: id })
    for (const row of rows) titles.set(row.id, row.title)
  }
  for (const { id, title } of (await call('documents_list')).items) titles.set(id, title)
  const named = (_key: string, value: unknown) => (typeof value === 'string' ? (titles.get(value) ?? value) : value)
  return (JSON.parse(JSON.stringify(views), named) as Answer[]).map(({ id: _, ...view }) => view)
}

const baseIn = (path: string): Answer => parse(readFileSync(join(path, 'Books/Books.base'), 'utf8'))

test('a table with its rules, columns and calculations', async () => {
  const { connected, addView } = await shelf()
  await addView({
    ...{ name: 'Dear', type: 'table', sortBy: [{ property: 'price', ascending: false }, { property: 'title' }] },
    ...{
      groupBy: [{ property: 'status' }],
      filters: [{ property: 'price', filterType: 'number_greater', filterValue: 5 }],
    },
    fields: { order: ['price', 'title'], hidden: ['note', 'source'], widths: { title: '250px', price: 'auto' } },
    calculations: { price: 'number_sum', paid: 'percent_empty' },
    isCalculationsRowVisible: true,
  })
  const { path, report } = await exportOf(connected)
  expect(report.problems).toEqual([])
  expect(baseIn(path).views).toEqual([
    {
      ...{ type: 'table', name: 'Dear', filters: { and: ['note["price"] > 5'] } },
      groupBy: { property: 'note.status', direction: 'ASC' },
      order: ['note.price', 'file.name', 'note.paid', 'note.due', 'note.status', 'note.tags', 'note.author'],
      sort: [
        { property: 'note.price', direction: 'DESC' },
        { property: 'file.name', direction: 'ASC' },
      ],
      ...{ columnSize: { 'file.name': 250 }, summaries: { 'note.price': 'Sum' } },
    },
  ])
  const back = await importOf(path)
  expect(back.problems).toEqual([])
  expect(await viewsOf(back, 'Books')).toEqual(await viewsOf(connected, 'Books'))
})

test('cards, and a board, which is exported as a grouped table; the active view comes first', async () => {
  const { connected, call, books, addView } = await shelf()
  await addView({ name: 'Cards', type: 'gallery', gallery: { cardSize: 'large', visibleFields: ['due', 'note'] } })
  const kanban = { columnOrder: ['Done', 'Open'], hiddenGroupValues: ['Open'], kanbanColumnWidth: 'wide' }
  const board = await addView({ name: 'Board', type: 'kanban', groupBy: [{ property: 'status' }], kanban })
  await call('views_activate', { collectionId: books, viewId: board.id })
  const { path } = await exportOf(connected)
  const all = ['note', 'price', 'paid', 'due', 'status', 'tags', 'source', 'author'].map((key) => `note.${key}`)
  expect(baseIn(path).views).toEqual([
    {
      ...{ type: 'table', name: 'Board', groupBy: { property: 'note.status', direction: 'ASC' } },
      order: ['file.name', ...all],
    },
    { type: 'cards', name: 'Cards', order: ['file.name', 'note.due', 'note.note'] },
  ])
  const back = await importOf(path)
  expect(back.problems).toEqual([])
  expect(await viewsOf(back, 'Books')).toEqual(await viewsOf(connected, 'Books'))
})

type Filter = [property: string, filterType: string, filterValue?: unknown]
test.each<[Filter, string | undefined]>([
  [['title', 'string_contains', 'Emma'], 'file.name.lower().contains("emma")'],
  [['note', 'string_doesNotContain', 'a "b"'], '!(note["note"].lower().contains("a \\"b\\""))'],
  [['note', 'isEmpty'], 'note["note"].isEmpty()'],
  [['due', 'isNotEmpty'], '!note["due"].isEmpty()'],
  [['note', 'equals', 'x'], 'note["note"] == "x"'],
  [['price', 'number_notEqual', -1.5], '!(note["price"] == -1.5)'],
  [['price', 'number_smallerOrEqual', 2], 'note["price"] <= 2'],
  [['paid', 'equals', true], 'note["paid"] == true'],
  [['paid', 'equals', false], '!(note["paid"] == true)'],
  [['paid', 'doesNotEqual', false], '!(!(note["paid"] == true))'],
  [['due', 'date_isBefore', '2028-02-29'], 'note["due"] < date("2028-02-29")'],
  [['due', 'date_isAfter', 'yesterday'], 'note["due"] > today() - "1d"'],
  [['due', 'equals', 1_700_000_000_000], undefined],
  [['status', 'doesNotEqual', 'Open'], '!(note["status"] == "Open")'],
  [['status', 'select_isAnyOf', ['Open', 'Done']], '["Open", "Done"].contains(note["status"])'],
  [['tags', 'select_isNoneOf', ['a', 'b "c"']], '!(note["tags"].containsAny("a", "b \\"c\\""))'],
  [['tags', 'equals', ['a']], 'note["tags"].containsAll("a") && note["tags"].length == 1'],
  [['tags', 'string_contains', 'B'], '!note["tags"].filter(value.lower().contains("b")).isEmpty()'],
])('the filter %j', async ([property, filterType, filterValue], statement) => {
  const { connected, addView } = await shelf()
  const filter = { property, filterType, ...(filterValue !== undefined && { filterValue }) }
  await addView({ name: 'Some', type: 'table', filters: [filter] })
  const { path } = await exportOf(connected)
  expect(baseIn(path).views[0].filters).toEqual(statement === undefined ? undefined : { and: [statement] })
  const back = await importOf(path)
  expect(back.problems).toEqual([])
  expect(await viewsOf(back, 'Books')).toEqual(await viewsOf(connected, 'Books'))
})

test('filters on items and blocks name the notes, and find their new IDs', async () => {
  const { connected, ada, bo, source, addView } = await shelf()
  const links = (...ids: string[]) => ({ relations: ids.map((blockId) => ({ blockId })) })
  await addView({
    ...{ name: 'By them', type: 'table' },
    filters: [
      { property: 'author', filterType: 'relation_hasAnyOf', filterValue: links(ada, bo) },
      { property: 'author', filterType: 'relation_hasNoneOf', filterValue: links(bo) },
      { property: 'author', filterType: 'equals', filterValue: links(ada) },
      { property: 'source', filterType: 'equals', filterValue: { blockId: source } },
    ],
  })
  const { path } = await exportOf(connected)
  expect(baseIn(path).views[0].filters.and).toEqual([
    'note["author"].containsAny(link("People/Ada"), link("People/Bo"))',
    '!(note["author"].containsAny(link("People/Bo")))',
    'note["author"].containsAll(link("People/Ada")) && note["author"].length == 1',
    'note["source"] == link("Source")',
  ])
  const back = await importOf(path)
  expect(back.problems).toEqual([])
  expect(await viewsOf(back, 'Books')).toEqual(await viewsOf(connected, 'Books'))
})

test('imported again, views that changed in the source change, and others keep their IDs', async () => {
  const { connected, call, books, addView } = await shelf()
  const kept = await addView({ name: 'Kept', type: 'table' })
  const cards = await addView({
    name: 'Cards',
    type: 'gallery',
    gallery: { cardSize: 'large', visibleFields: ['due'] },
  })
  const gone = await addView({ name: 'Gone', type: 'table' })
  const { path } = await exportOf(connected)
  const back = await importOf(path)
  const { id: collectionId } = (await back.call('collections_list')).items.find((one: Answer) => one.name === 'Books')
  const idsIn = async () =>
    Object.fromEntries(
      (await back.call('views_list', { collectionId })).views.map(({ id, name }: Answer) => [name, id]),
    )
  const before = await idsIn()

  const changed = { name: 'Cards', type: 'gallery', sortBy: [{ property: 'price' }], gallery: { cardSize: 'small' } }
  await call('views_delete', { collectionId: books, viewId: cards.id })
  await addView(changed)
  await call('views_delete', { collectionId: books, viewId: gone.id })
  await call('views_activate', { collectionId: books, viewId: kept.id })
  await exportOf(connected, [], path)
  const again = async () => {
    const source = await openExport(path)
    const { counts, problems } = await runImport(back.space, source, {
      ...{ format: obsidianFormat, into: null, isDryRun: false },
    })
    await source.close()
    return { counts, problems }
  }
  expect((await again()).problems.filter(({ path }) => path !== MANIFEST)).toEqual([])
  expect(await viewsOf(back, 'Books')).toEqual(await viewsOf(connected, 'Books'))
  expect(await idsIn()).toEqual({ Kept: before.Kept, Cards: before.Cards })
  expect((await again()).counts).toMatchObject({ updated: 0, conflicts: 0 })
})

test('an import that stops before the views writes them when it is repeated', async () => {
  const { connected, addView } = await shelf()
  await addView({ name: 'Cards', type: 'gallery', gallery: { visibleFields: ['due'] } })
  const { path } = await exportOf(connected)
  const ending = new AbortController()
  const onProgress = ({ done, total }: { done: number; total: number }) => {
    if (done === total) ending.abort()
  }
  const back = await importOf(path, { signal: ending.signal, onProgress })
  expect(await viewsOf(back, 'Books')).toEqual([])
  const source = await openExport(path)
  const { counts } = await runImport(back.space, source, { format: obsidianFormat, into: null, isDryRun: false })
  await source.close()
  expect(counts).toMatchObject({ added: 0, updated: 0, conflicts: 0 })
  expect(await viewsOf(back, 'Books')).toEqual(await viewsOf(connected, 'Books'))
})

test('a Base whose views have another form is code', async () => {
  const { connected, addView } = await shelf()
  await addView({ name: 'All', type: 'table' })
  const { path, read } = await exportOf(connected)
  for (const [given, other] of [
    ['"type":"table"', '"type":"map"'],
    ['"hidden":[]', '"hidden":5'],
    ['"filters":[]', '"filters":[{"property":"note"}]'],
    ['"sortBy":[]', '"sortBy":[{}]'],
    ['"widths":{}', '"widths":{"note":1}'],
    ['"groupBy":[]', '"groupBy":[],"more":true'],
    ['"name":"All",', ''],
  ] as const) {
    const base = read('Books/Books.base')
    expect(base).toContain(given)
    writeFileSync(join(path, 'Books/Books.base'), base.replace(given, other))
    const { problems } = await importOf(path)
    expect([given, problems.at(-1)]).toEqual([
      given,
      'Books/Books.base: A Base is kept as code; use a view of a collection in its place.',
    ])
    writeFileSync(join(path, 'Books/Books.base'), base)
  }
})
