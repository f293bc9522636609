/** The links that add a row where it will be, and the form to which they lead without scripts. */
import { beforeEach, expect, test } from 'vitest'
import { type Suppliers, serveSuppliers } from './suppliers.ts'
import { textOf, type Visited, visitByLink } from './visiting.ts'

let { serving, anna, visitor, suppliers, itemsOf, addItem } = {} as Suppliers
beforeEach(async () => {
  ;({ serving, anna, visitor, suppliers, itemsOf, addItem } = await serveSuppliers())
})

/** The presets of each link that adds a row in place, without the page to return to. */
const presetsOf = ({ text }: Visited): string[] =>
  [...text.matchAll(/<a class="[^"]*" href="[^"]*\/items\/new\?([^"]*)" data-panel data-in-place="[^"]*"/g)].map(
    ([, query = '']) => {
      const presets = new URLSearchParams(query.replaceAll('&amp;', '&'))
      presets.delete('back')
      return decodeURIComponent(String(presets))
    },
  )

const addView = (view: object) => anna('views_add', { collectionId: suppliers, view })
const page = (view?: string) => visitor.get(`/collections/${suppliers}${view === undefined ? '' : `?view=${view}`}`)

test('a table ends with a line that adds a row, also if it has none', async () => {
  expect(presetsOf(await page())).toEqual([''])
  await addItem('Nordkran')
  const shown = await page()
  expect(shown.text).toMatch(
    /Nordkran[\s\S]*<tr class="new-row"><td colspan="\d+"><a [^>]*>New row<\/a><\/td><\/tr>\s*<\/tbody>/,
  )
})

test('a row has the values that the filters of the view ask for, and others are named', async () => {
  await addView({
    name: 'Open',
    type: 'table',
    filters: [
      { property: 'status', filterType: 'select_isAnyOf', filterValue: ['asked'] },
      { property: 'tags', filterType: 'select_isNoneOf', filterValue: ['near'] },
      { property: 'certified', filterType: 'doesNotEqual', filterValue: false },
      { property: 'answered', filterType: 'equals', filterValue: '2026-11-17' },
      { property: 'notes', filterType: 'isEmpty' },
    ],
  })
  const shown = await page()
  expect(presetsOf(shown)).toEqual(['v.status=asked&v.certified=true&v.answered=2026-11-17'])
  expect(textOf(shown)).not.toContain('A filter may hide new rows')
  // So has the form of the button above.
  expect(shown.text).toMatch(/items\/new\?v\.status=asked&amp;[^"]*" data-panel data-key="c"/)
  const { id } = await addView({
    name: 'Dear',
    type: 'table',
    filters: [
      { property: 'price', filterType: 'number_greater', filterValue: 5 },
      { property: 'status', filterType: 'select_isAnyOf', filterValue: ['asked', 'in'] },
    ],
  })
  const dear = await page(id)
  expect(presetsOf(dear)).toEqual([''])
  expect(textOf(dear)).toContain('A filter may hide new rows: Price is more than 5, Status is asked, in')
})

test('a column of a board and a day of a month add rows of theirs', async () => {
  await addView({ name: 'Board', type: 'kanban', groupBy: [{ property: 'status' }] })
  const board = await page()
  expect(presetsOf(board)).toEqual(expect.arrayContaining(['v.status=asked', 'v.status=in', '']))
  expect(board.text).toContain('aria-label="New row in asked"')
  const month = await visitor.get(`/collections/${suppliers}?by=answered&month=2026-11`)
  expect(presetsOf(month)).toHaveLength(30)
  expect(presetsOf(month)).toContain('v.answered=2026-11-03')
})

test('without scripts, the link leads to the form with these values', async () => {
  await addView({ name: 'Board', type: 'kanban', groupBy: [{ property: 'status' }] })
  const [, href = ''] = /href="[^"]*(\/collections[^"]*\?v\.status=asked[^"]*)"/.exec((await page()).text) ?? []
  const form = await visitor.get(href.replaceAll('&amp;', '&'))
  const shown = await visitor.press(form, 'Add it', { title: 'Hafenbau', 'v.status': 'asked' })
  expect(shown.url).toContain(`/collections/${suppliers}`)
  expect((await itemsOf())[0]).toMatchObject({ title: 'Hafenbau', properties: { status: 'asked' } })
})

test('a script learns which row was added', async () => {
  const added = await visitor.post(`/collections/${suppliers}/items/new`, {
    title: 'Nordkran',
    'in-place': 'yes',
    back: `/collections/${suppliers}`,
  })
  const [{ id }] = await itemsOf()
  expect(added.headers.get('location')).toContain(`?notice=row-added&row=${id}`)
})

test('readers have none of these, and what a link proposes waits', async () => {
  const reader = await visitByLink(serving, { access: 'read' })
  expect(presetsOf(await reader.get(`/collections/${suppliers}`))).toEqual([])
  const proposing = await visitByLink(serving, { access: 'propose' })
  expect(presetsOf(await proposing.get(`/collections/${suppliers}`))).toEqual([''])
  const added = await proposing.post(`/collections/${suppliers}/items/new`, {
    title: 'Nordkran',
    'in-place': 'yes',
    back: `/collections/${suppliers}`,
  })
  expect(added.headers.get('location')).toContain('notice=proposed')
  expect(await itemsOf()).toEqual([])
})
