/**
 * Collections: pages of filtered items, counts by group, and adding items, each compared with bare SQL on the same
 * tables.
 */
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { type Figure, interleaved, type Measure, timed } from './figure.ts'
import { addDocument, inFolder, openWorkbench, type Workbench } from './workbench.ts'

const COLLECTIONS = 10
const ITEMS = 5_000
const ITEMS_A_CALL = 1_000
const PAGE = 100
const ROUNDS = 40
const ADDING_ROUNDS = 7

const OPTIONS = ['Backlog', 'Open', 'Doing', 'Review', 'Done']
const TAGS = ['red', 'green', 'blue', 'yellow', 'gray', 'pink', 'lime']
const named = (type: string, count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ type, name: `${type} ${index}`, ...fields }))

/** Twenty properties. */
const PROPERTIES = [
  ...named('text', 6),
  ...named('number', 5),
  ...named('date', 3),
  ...named('boolean', 2),
  ...named('singleSelect', 2, { options: OPTIONS.map((name) => ({ name })) }),
  ...named('multiSelect', 1, { options: TAGS.map((name) => ({ name })) }),
  ...named('url', 1),
]

/** Returns values that are evenly distributed and the same in every run. */
const spread = (index: number, salt: number, range: number): number => ((index * 7919 + salt * 104729) % 99991) % range

function valueFor(type: string, index: number, salt: number): unknown {
  const at = spread(index, salt, 5000)
  switch (type) {
    case 'number':
      return at / 4
    case 'date':
      return new Date(Date.UTC(2024, 0, 1 + spread(index, salt, 1500))).toISOString().slice(0, 10)
    case 'boolean':
      return at % 3 === 0
    case 'singleSelect':
      return OPTIONS[at % OPTIONS.length]
    case 'multiSelect':
      return [TAGS[at % TAGS.length]]
    case 'url':
      return `https://example.org/${at}`
    default:
      return `Words ${at} of item ${index}`
  }
}

const newItems = (from: number, count: number): object[] =>
  Array.from({ length: count }, (_, place) => {
    const index = from + place
    const values = PROPERTIES.map(({ type, name }, salt) => [
      name.toLowerCase().replace(' ', '_'),
      valueFor(type, index, salt),
    ])
    return { title: `Item ${index}`, properties: Object.fromEntries(values) }
  })

async function addCollection(bench: Workbench, name: string): Promise<string> {
  const position = { position: 'end', pageId: await addDocument(bench, name) }
  const schema = { name, properties: PROPERTIES }
  const added = await bench.call<{ collectionBlockId: string }>('collections_add', { schema, position })
  return added.collectionBlockId
}

const addItems = (bench: Workbench, collectionId: string, items: object[]) =>
  bench.call('items_add', { collectionId, items, answer: 'ids' })

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const file = join(folder, 'space.sqlite')
    const bench = await openWorkbench(file)
    const ids: string[] = []
    for (let count = 0; count < COLLECTIONS; count++) {
      const id = await addCollection(bench, `Collection ${count}`)
      for (let from = 0; from < ITEMS; from += ITEMS_A_CALL) await addItems(bench, id, newItems(from, ITEMS_A_CALL))
      ids.push(id)
    }
    const bare = new Sqlite(file)
    for (const pragma of ['synchronous = FULL', 'foreign_keys = ON']) bare.pragma(pragma)
    const figures = [
      await pageFigure(bench, bare, ids),
      await groupFigure(bench, bare, ids),
      await addingFigure(bench, bare),
    ]
    bare.close()
    await bench.close()
    return { figures }
  })

/** Looks up the row numbers of properties and options of a collection by name. */
function numbersOf(bare: Database, collectionId: string) {
  const find = (source: string, ...values: unknown[]) =>
    bare
      .prepare(source)
      .pluck()
      .get(...values) as number
  const collection = find('SELECT n FROM block WHERE id = ?', collectionId)
  const document = find('SELECT document FROM block WHERE id = ?', collectionId)
  const property = (name: string) => find('SELECT n FROM property WHERE collection = ? AND name = ?', collection, name)
  const option = (of: number, name: string) => find('SELECT n FROM option WHERE property = ? AND name = ?', of, name)
  return { document, collection, property, option }
}

/** Runs the work on each collection in turn. */
const inTurn = <T>(all: readonly T[], work: (one: T) => unknown) => {
  let round = 0
  return () => {
    const one = all[round++ % all.length]
    if (one === undefined) throw new Error('Expected something to measure.')
    return timed(() => work(one))
  }
}

async function pageFigure(bench: Workbench, bare: Database, ids: readonly string[]): Promise<Figure> {
  const rules = {
    filters: [
      { property: 'singleSelect 0', filterType: 'select_isAnyOf', filterValue: ['Open'] },
      { property: 'number 0', filterType: 'number_greater', filterValue: 400 },
    ],
    sortBy: [{ property: 'date 0', ascending: false }],
  }
  // This is the fastest of the simple queries: with joins, SQLite takes twice as long.
  const page = bare.prepare(
    `SELECT block.n, block.id, block.text FROM block WHERE block.document = ? AND block.parent = ?
       AND EXISTS (SELECT 1 FROM value WHERE item = block.n AND property = ? AND option = ?)
       AND EXISTS (SELECT 1 FROM value WHERE item = block.n AND property = ? AND number > 400)
     ORDER BY (SELECT text FROM value WHERE item = block.n AND property = ?) DESC LIMIT ${PAGE}`,
  )
  const values = bare.prepare(
    `SELECT item, property, ordinal, text, number, option, target FROM value
     WHERE item IN (SELECT value FROM json_each(?)) ORDER BY item, property, ordinal`,
  )
  const parameters = ids.map((id) => {
    const { document, collection, property, option } = numbersOf(bare, id)
    const select = property('singleSelect 0')
    return [document, collection, select, option(select, 'Open'), property('number 0'), property('date 0')]
  })
  const result = await interleaved(
    ROUNDS,
    inTurn(ids, (collectionId) => bench.call('items_list', { collectionId, ...rules, maxDepth: 0, limit: PAGE })),
    inTurn(parameters, (numbers) => {
      const rows = page.all(...numbers) as { n: number }[]
      values.all(JSON.stringify(rows.map(({ n }) => n)))
    }),
  )
  const what = `items_list, ${PAGE} of ${ITEMS.toLocaleString('en-US')} by two filters and a sort`
  return { what, floor: 'bare SQL', ...result, unit: 'ms', goal: { of: 'ratio', most: 3 } }
}

async function groupFigure(bench: Workbench, bare: Database, ids: readonly string[]): Promise<Figure> {
  const groupBy = [{ property: 'singleSelect 0' }]
  const counts = bare.prepare('SELECT option, count(*) FROM value WHERE property = ? GROUP BY option')
  const properties = ids.map((id) => numbersOf(bare, id).property('singleSelect 0'))
  const result = await interleaved(
    ROUNDS,
    inTurn(ids, (collectionId) => bench.call('items_list', { collectionId, groupBy, limit: 0 })),
    inTurn(properties, (property) => counts.all(property)),
  )
  const what = `items_list, ${ITEMS.toLocaleString('en-US')} items counted by group`
  return { what, floor: 'bare SQL', ...result, unit: 'ms', goal: { of: 'ours', most: 20 } }
}

/** Adds a thousand items in one call, compared with a bare loop that writes the same rows. */
async function addingFigure(bench: Workbench, bare: Database): Promise<Figure> {
  const id = await addCollection(bench, 'Added')
  const items = newItems(0, ITEMS_A_CALL)
  await addItems(bench, id, items)
  const { collection } = numbersOf(bare, id)
  const rowsOf = (source: string) => bare.prepare(source).raw().all(collection) as unknown[][]
  // Omits generated columns, which SQLite computes from the others.
  const columns = (bare.pragma('table_info(block)') as { name: string }[]).map(({ name }) => name)
  const blocks = rowsOf(`SELECT ${columns} FROM block WHERE parent = ? AND type = 'collectionItem' ORDER BY n`)
  const values = rowsOf(
    'SELECT value.item, property, ordinal, value.text, number, option, target FROM value JOIN block ON block.n = value.item WHERE block.parent = ?',
  )
  const insertBlock = bare.prepare(`INSERT INTO block (${columns}) VALUES (${columns.map(() => '?')})`)
  const insertValue = bare.prepare(
    'INSERT INTO value (item, property, ordinal, text, number, option, target) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const remove = bare.prepare('DELETE FROM block WHERE parent = ?')
  const rate = (milliseconds: number): number => (ITEMS_A_CALL / milliseconds) * 1000
  const result = await interleaved(
    ADDING_ROUNDS,
    async () => {
      remove.run(collection)
      return rate(await timed(() => addItems(bench, id, items)))
    },
    async () => {
      remove.run(collection)
      const insert = bare.transaction(() => {
        for (const row of blocks) insertBlock.run(row)
        for (const row of values) insertValue.run(row)
      })
      return rate(await timed(() => insert.immediate()))
    },
  )
  const what = `items_add of ${ITEMS_A_CALL.toLocaleString('en-US')} items of ${PROPERTIES.length} properties`
  return { what, floor: 'bare insert loop', ...result, unit: 'items/s', goal: { of: 'ours', least: 5_000 } }
}
