import { describe, expect, test } from 'vitest'
import { collectionOf } from '../../collection.ts'
import { connect } from '../../connect.ts'

const PROPERTIES = [
  { type: 'singleSelect', name: 'Status', options: [{ name: 'Open' }, { name: 'Done' }] },
  { type: 'multiSelect', name: 'Tags', options: [] },
  { type: 'number', name: 'Price' },
  { type: 'date', name: 'Due' },
  { type: 'boolean', name: 'Paid' },
  { type: 'text', name: 'Note' },
  { type: 'blockLink', name: 'Link' },
]
const NAMES = 'title, status, tags, price, due, paid, note, link'
const FILTERS = 'isEmpty, isNotEmpty, equals, doesNotEqual'

async function withCollection() {
  const connected = await connect()
  const collectionId = await collectionOf(connected, PROPERTIES)
  return { ...connected, collectionId }
}

const table = (settings: object) => ({ name: 'T', type: 'table', ...settings })
const filter = (property: string, filterType: string, filterValue?: unknown) => ({
  filters: [{ property, filterType, ...(filterValue !== undefined && { filterValue }) }],
})
const many = (count: number, one: object) => Array.from({ length: count }, () => one)

describe('views_add rejects', () => {
  test.each<[string, object, string]>([
    [
      'gallery settings on a table',
      table({ gallery: { cardSize: 'small' } }),
      'At view.gallery: Expected gallery settings on gallery views alone, found them on a table view; leave them out, or set type to gallery.',
    ],
    [
      'kanban settings on a gallery',
      { name: 'G', type: 'gallery', kanban: {} },
      'At view.kanban: Expected kanban settings on kanban views alone, found them on a gallery view; leave them out, or set type to kanban.',
    ],
    [
      'a kanban view without a group',
      { name: 'K', type: 'kanban' },
      'At view.groupBy: Expected exactly one groupBy rule on a kanban view, found none; give [{ property }] with the property whose values are its columns.',
    ],
    [
      'a kanban view with two groups',
      { name: 'K', type: 'kanban', groupBy: [{ property: 'Status' }, { property: 'Tags' }] },
      'At view.groupBy: Expected exactly one groupBy rule on a kanban view, found 2; give [{ property }] with the property whose values are its columns.',
    ],
    [
      'two groups',
      table({ groupBy: [{ property: 'Status' }, { property: 'Tags' }] }),
      'At view.groupBy: Expected at most one groupBy rule, found 2; leave 1 out.',
    ],
    [
      'six filters',
      table({ filters: many(6, { property: 'Note', filterType: 'isEmpty' }) }),
      'At view.filters: Expected at most 5 filters, found 6; leave 1 out.',
    ],
    [
      'four sorts',
      table({ sortBy: many(4, { property: 'Note' }) }),
      'At view.sortBy: Expected at most 3 sorts, found 4; leave 1 out.',
    ],
    [
      'a property that there is not',
      table({ sortBy: [{ property: 'Nope' }] }),
      `At view.sortBy[0].property: Expected the key or name of a property of this collection, found "Nope"; its properties are ${NAMES}.`,
    ],
    [
      'a property of no name',
      table({ sortBy: [{ property: {} }] }),
      'At view.sortBy[0].property: Expected the key or name of a property, found neither.',
    ],
    [
      'several faults, all named',
      table({ fields: { hidden: ['One', '__x'] }, calculations: { Two: 'count_all' } }),
      `At view.calculations.Two: Expected the key or name of a property of this collection, found "Two"; its properties are ${NAMES}. (2 more in details)`,
    ],
    [
      'an unknown kind of view',
      { name: 'V', type: 'list' },
      'At view.type: Expected one of table, gallery, kanban, found "list".',
    ],
    ['a view without a type', { name: 'V' }, 'At view.type: Expected one of table, gallery, kanban, found none.'],
    ['a view without a name', table({ name: '' }), 'At view.name: Expected at least 1 character, found 0.'],
    [
      'an unknown setting',
      table({ filtering: [] }),
      'At view: Expected a known key, found "filtering"; did you mean filters?',
    ],
    [
      'a setting under both of its names',
      table({ fields: { hidden: [] }, hiddenProperties: [] }),
      'At view.hiddenProperties: Expected either fields.hidden or hiddenProperties, found both; they are the same, give one.',
    ],
    [
      'more widths than any collection has columns',
      table({ fields: { widths: Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [index, '1'])) } }),
      'At view.fields.widths: Expected at most 1,000 properties, found more; leave out those that the collection has not.',
    ],
    [
      'an unknown size of cards',
      { name: 'G', type: 'gallery', gallery: { cardSize: 'huge' } },
      'At view.gallery.cardSize: Expected one of small, large, found "huge".',
    ],
  ])('%s', async (_, view, message) => {
    const { refused, call, collectionId } = await withCollection()
    expect(await refused('views_add', { collectionId, view })).toBe(message)
    expect((await call('views_list', { collectionId })).views).toEqual([])
  })

  test.each<[string, object, string]>([
    [
      'a filter of another type of property',
      filter('Note', 'number_greater', 1),
      `Expected a filter for the text property "Note", found number_greater; it takes ${FILTERS}, string_contains, string_doesNotContain.`,
    ],
    [
      'a value where there is none to give',
      filter('Note', 'isEmpty', 'x'),
      'Expected no filterValue with isEmpty, found "x"; leave it out.',
    ],
    [
      'no value where one is needed',
      filter('title', 'string_contains'),
      'Expected text as filterValue of string_contains on the title, found none.',
    ],
    [
      'another text',
      filter('Note', 'string_contains', 5),
      'Expected text as filterValue of string_contains on the text property "Note", found 5.',
    ],
    [
      'a text that is too long',
      filter('Note', 'equals', 'x'.repeat(1001)),
      `Expected at most 1,000 characters as filterValue of equals on the text property "Note", found "${'x'.repeat(59)}….`,
    ],
    [
      'no number',
      filter('Price', 'number_equal', 'much'),
      'Expected a number as filterValue of number_equal on the number property "Price", found "much".',
    ],
    [
      'neither true nor false',
      filter('Paid', 'equals', 2),
      'Expected true or false as filterValue of equals on the boolean property "Paid", found 2.',
    ],
    [
      'a day that there is not',
      filter('Due', 'date_isBefore', '2026-02-30'),
      'Expected a day that exists, found "2026-02-30"; that month has 28 days.',
    ],
    [
      'no date',
      filter('Due', 'date_isAfter', true),
      'Expected a date, or milliseconds since 1970 as filterValue of date_isAfter on the date property "Due", found true.',
    ],
    [
      'an unknown option',
      filter('Status', 'select_isAnyOf', ['Open', 'Nope']),
      'Expected an option of the singleSelect property "Status", found "Nope"; its options are Open, Done.',
    ],
    [
      'an option of none',
      filter('Tags', 'equals', 'x'),
      'Expected an option of the multiSelect property "Tags", found "x"; its options are none yet.',
    ],
    [
      'no options',
      filter('Status', 'select_isNoneOf', []),
      'Expected the name of at least one option as filterValue of select_isNoneOf on the singleSelect property "Status", found [].',
    ],
    [
      'two options of a single select',
      filter('Status', 'equals', ['Open', 'Done']),
      'Expected the name of one option as filterValue of equals on the singleSelect property "Status", found ["Open","Done"].',
    ],
    [
      'no block',
      filter('Link', 'equals', 'there'),
      'Expected { blockId } as filterValue of equals on the blockLink property "Link", found "there".',
    ],
  ])('%s', async (_, rules, message) => {
    const { refused, collectionId } = await withCollection()
    expect(await refused('views_add', { collectionId, view: table(rules) })).toBe(`At view.filters[0]: ${message}`)
    // items_list uses the same validation and reports the same errors.
    expect(await refused('items_list', { collectionId, ...rules })).toBe(`At filters[0]: ${message}`)
  })

  test('an unknown filter, with a list of those that fit the property', async () => {
    const { refused, collectionId } = await withCollection()
    expect(await refused('views_add', { collectionId, view: table(filter('Note', 'sounds')) })).toBe(
      'At view.filters[0]: Expected a filter for the text property "Note", found sounds; it takes isEmpty, isNotEmpty, equals, doesNotEqual, string_contains, string_doesNotContain.',
    )
  })

  test('a calculation of another type of property', async () => {
    const { refused, collectionId } = await withCollection()
    const calculations = { Price: 'date_min' }
    expect(await refused('views_add', { collectionId, view: table({ calculations }) })).toBe(
      'At view.calculations.Price: Expected a calculation for the number property "Price", found date_min; it takes count_all, count_values, count_unique, count_empty, count_notEmpty, percent_empty, percent_notEmpty, number_sum, number_average, number_median, number_min, number_max, number_range.',
    )
    expect(await refused('items_list', { collectionId, calculations: { title: 'count_checkbox_checked' } })).toBe(
      'At calculations.title: Expected a calculation for the title, found count_checkbox_checked; it takes count_all, count_values, count_unique, count_empty, count_notEmpty, percent_empty, percent_notEmpty.',
    )
  })

  test('one view too many', async () => {
    const { call, refused, collectionId } = await withCollection()
    for (let count = 0; count < 100; count++) await call('views_add', { collectionId, view: table({}) })
    expect(await refused('views_add', { collectionId, view: table({}) })).toBe(
      'Expected at most 100 views of a collection, found as many already; delete one with views_delete first.',
    )
  })
})

describe('views_update rejects', () => {
  test('what would break a rule together with the rest', async () => {
    const { call, refused, collectionId } = await withCollection()
    const view = { name: 'K', type: 'kanban', groupBy: [{ property: 'Status' }] }
    const { id: viewId } = await call('views_add', { collectionId, view })
    const update = (view: object) => refused('views_update', { collectionId, viewId, view })
    expect(await update({ groupBy: [] })).toBe(
      'At view.groupBy: Expected exactly one groupBy rule on a kanban view, found none; give [{ property }] with the property whose values are its columns.',
    )
    expect(await update({ gallery: {} })).toBe(
      'At view.gallery: Expected gallery settings on gallery views alone, found them on a kanban view; leave them out, or set type to gallery.',
    )
    expect(await update({ type: 'table', kanban: {} })).toBe(
      'At view.kanban: Expected kanban settings on kanban views alone, found them on a table view; leave them out, or set type to kanban.',
    )
    expect((await call('views_list', { collectionId })).views).toMatchObject([{ type: 'kanban', name: 'K' }])
  })

  test('a kanban view without a group', async () => {
    const { call, refused, collectionId } = await withCollection()
    const { id: viewId } = await call('views_add', { collectionId, view: table({}) })
    expect(await refused('views_update', { collectionId, viewId, view: { type: 'kanban' } })).toBe(
      'At view.groupBy: Expected exactly one groupBy rule on a kanban view, found none; give [{ property }] with the property whose values are its columns.',
    )
  })
})

test('views_delete rejects the last view', async () => {
  const { call, refused, collectionId } = await withCollection()
  const { id: viewId } = await call('views_add', { collectionId, view: table({}) })
  expect(await refused('views_delete', { collectionId, viewId })).toBe(
    `Expected a view that is not the last of its collection, found ${viewId}, which is; add another with views_add first, or change this one with views_update.`,
  )
  expect((await call('views_list', { collectionId })).activeViewId).toBe(viewId)
})

test('an unknown view, and one of another collection', async () => {
  const connected = await withCollection()
  const { call, refused, collectionId } = connected
  await call('views_add', { collectionId, view: table({}) })
  const other = await collectionOf(connected, [])
  const { id } = await call('views_add', { collectionId: other, view: table({}) })
  for (const viewId of ['nowhere', id]) {
    const noView = `Expected the ID of a view of this collection, found ${viewId}; read IDs with views_list and name one of those.`
    expect(await refused('views_update', { collectionId, viewId, view: {} })).toBe(noView)
    expect(await refused('views_delete', { collectionId, viewId })).toBe(noView)
    expect(await refused('views_activate', { collectionId, viewId })).toBe(noView)
    expect(await refused('items_list', { collectionId, viewId })).toBe(noView)
  }
  expect(await refused('views_activate', { collectionId, viewId: '' })).toBe(
    'At viewId: Expected at least 1 character, found 0.',
  )
})

test('a filter names at most 100 items', async () => {
  const connected = await connect()
  const collectionId = await collectionOf(connected, [{ type: 'relation', name: 'Next' }])
  const add = (count: number) => {
    const filterValue = { relations: many(count, { blockId: collectionId }) }
    return connected.refused('views_add', {
      collectionId,
      view: table(filter('Next', 'relation_hasAnyOf', filterValue)),
    })
  }
  expect(await add(101)).toMatch(/^At view\.filters\[0\]: Expected at most 100 relations as filterValue of /)
})
