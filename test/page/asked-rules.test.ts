/** Filters and sorting in the address of a collection. */
import { beforeEach, describe, expect, test } from 'vitest'
import { addressWithRules, rulesIn } from '../../src/page/collections/asked-rules.ts'
import type { FilterEntry } from '../../src/page/collections/filter-questions.ts'
import { type Suppliers, serveSuppliers } from './suppliers.ts'
import { offers, textOf, type Visited, visitByLink } from './visiting.ts'

describe('the address of rules', () => {
  const none = { filters: [], sortBy: [] }
  const pathWith = (...filters: object[]) =>
    addressWithRules('/c?view=1&cursor=x', { filters: filters as FilterEntry[], sortBy: [] }, none)
  const readBack = (path: string) => rulesIn(new URLSearchParams(path.split('?')[1]))

  test.each<[string, object]>([
    ['price:number_greater:50', { property: 'price', filterType: 'number_greater', filterValue: '50' }],
    [
      'status:select_isAnyOf:in,asked',
      { property: 'status', filterType: 'select_isAnyOf', filterValue: ['in', 'asked'] },
    ],
    ['notes:string_contains:a:b', { property: 'notes', filterType: 'string_contains', filterValue: 'a:b' }],
    ['notes:isEmpty', { property: 'notes', filterType: 'isEmpty' }],
    ['notes:equals:~"~x"', { property: 'notes', filterType: 'equals', filterValue: '~x' }],
    ['status:select_isAnyOf:~["a,b"]', { property: 'status', filterType: 'select_isAnyOf', filterValue: ['a,b'] }],
    ['certified:equals:~true', { property: 'certified', filterType: 'equals', filterValue: true }],
  ])('%s is read as it was written', (text, filter) => {
    const path = pathWith(filter)
    expect(new URLSearchParams(path.split('?')[1]).get('filter')).toBe(text)
    expect(path).not.toContain('cursor')
    expect(readBack(path).filters).toEqual([filter])
  })

  test('names what is sorted, and no rules in place of those of the view, but not the rules that the view has', () => {
    const view = { filters: [], sortBy: [{ property: 'price', ascending: false }] }
    expect(addressWithRules('/c', view, view)).toBe('/c')
    expect(addressWithRules('/c', { ...view, sortBy: [] }, view)).toBe('/c?sort=')
    expect(readBack('/c?sort=').sortBy).toEqual([])
    expect(readBack('/c?sort=-price,title').sortBy).toEqual([
      { property: 'price', ascending: false },
      { property: 'title', ascending: true },
    ])
    expect(addressWithRules('/d/1', view, none, '-7')).toBe('/d/1?sort-7=-price')
  })
})

describe('a collection', () => {
  let { serving, anna, visitor, document, suppliers, addItem } = {} as Suppliers
  beforeEach(async () => {
    ;({ serving, anna, visitor, document, suppliers, addItem } = await serveSuppliers())
    await addItem('Cheap', { price: 1, status: 'in' })
    await addItem('Dear', { price: 100, status: 'asked' })
    await addItem('Middling', { price: 50, status: 'in' })
  })
  const titles = ({ text }: Visited) =>
    [...text.matchAll(/<th scope="row".*?<a [^>]*>(.*?)<\/a>/g)].map(([, one]) => one)
  const hrefOf = ({ text }: Visited, label: RegExp) => {
    const [, href = ''] = new RegExp(`<a[^>]* href="([^"]+)"[^>]*>${label.source}`).exec(text) ?? []
    return href.slice(new URL(visitor.base).pathname.length).replaceAll('&amp;', '&')
  }
  /** The name of a column, beside which there may be an arrow. */
  const NAME = /Price(?:<svg|<\/a><button)/
  const open = (page: Visited, label: RegExp) => visitor.get(hrefOf(page, label))

  test('is sorted by a click on the name of a column: upward, downward, and not', async () => {
    const page = await visitor.get(`/collections/${suppliers}`)
    const upward = await open(page, NAME)
    expect(titles(upward)).toEqual(['Cheap', 'Middling', 'Dear'])
    expect(upward.text).toContain('aria-sort="ascending"')
    const downward = await open(upward, NAME)
    expect(titles(downward)).toEqual(['Dear', 'Middling', 'Cheap'])
    expect(textOf(downward)).toContain('Sorted by Price , downward')
    expect(titles(await open(downward, NAME))).toEqual(['Cheap', 'Dear', 'Middling'])
    // The view is as it was.
    expect((await anna('views_list', { collectionId: suppliers })).views[0]?.sortBy ?? []).toEqual([])
  })

  test('is filtered by a form, which leads to an address, and the chip of a filter changes and removes it', async () => {
    const back = `/collections/${suppliers}`
    const form = await visitor.get(`/collections/${suppliers}/filters/status?back=${back}`)
    const shown = await visitor.press(form, 'Filter', { option: 'in', do: 'filter' })
    expect(titles(shown)).toEqual(['Cheap', 'Middling'])
    expect(textOf(shown)).toContain('Status is in')
    const change = await open(shown, /Status is in/)
    expect(change.text).toMatch(/name="option" value="in" checked/)
    const changed = await visitor.press(change, 'Filter', { question: 'isNot', do: 'filter' })
    expect(titles(changed)).toEqual(['Dear'])
    expect(titles(await open(changed, /(?<=chip-end"[^>]*>)<\/a>/))).toHaveLength(3)
    const price = await visitor.get(`/collections/${suppliers}/filters/price?back=${back}`)
    const refused = await visitor.press(price, 'Filter', { question: 'more', answer: 'x', do: 'filter' })
    expect([refused.status, textOf(refused).includes('number')]).toEqual([400, true])
  })

  test('has the rules of an address in its view once somebody saves them', async () => {
    const view = { name: 'All', type: 'table' }
    const { id } = await anna('views_add', { collectionId: suppliers, view })
    const address = `/collections/${suppliers}?view=${id}&sort=-price&filter=price:number_greater:10`
    const page = await visitor.get(address)
    expect(titles(page)).toEqual(['Dear', 'Middling'])
    const saved = await visitor.press(page, 'Save in the view')
    expect(saved.url).not.toContain('sort=')
    expect(titles(saved)).toEqual(['Dear', 'Middling'])
    expect(offers(saved, 'Save in the view')).toBe(false)
    const { views } = await anna('views_list', { collectionId: suppliers })
    expect(views.find((one: { id: string }) => one.id === id)).toMatchObject({
      filters: [{ property: 'price', filterType: 'number_greater', filterValue: 10 }],
      sortBy: [{ property: 'price', ascending: false }],
    })
  })

  test('is sorted and filtered by those who only read, who can store nothing', async () => {
    const reader = await visitByLink(serving, { access: 'read' })
    const page = await reader.get(`/collections/${suppliers}?sort=-price&filter=status:select_isAnyOf:in`)
    expect(titles(page)).toEqual(['Middling', 'Cheap'])
    expect(['Save in the view', 'Hide', 'Show these'].filter((label) => offers(page, label))).toEqual([])
    const form = await reader.get(`/collections/${suppliers}/filters/title?back=/collections/${suppliers}`)
    expect(titles(await reader.press(form, 'Filter', { question: 'contains', answer: 'dea', do: 'filter' }))).toEqual([
      'Dear',
    ])
  })

  test('hides a column by its menu, and shows it again', async () => {
    const { id } = await anna('views_add', { collectionId: suppliers, view: { name: 'All', type: 'table' } })
    const back = `/collections/${suppliers}?view=${id}`
    const hidden = await visitor.send(`/collections/${suppliers}/columns/price/hide`, { view: id, back })
    expect(hidden.text).not.toContain('data-column="price"')
    expect(textOf(hidden)).toContain('Columns 1 hidden')
    const shown = await visitor.press(hidden, 'Show these', { shown: 'price' })
    expect(shown.text).toContain('data-column="price"')
    expect(shown.text).not.toContain('data-column="status"')
  })

  test('in a document is sorted within the page of the document', async () => {
    const page = await visitor.get(`/d/${document}`)
    const href = hrefOf(page, /Price/)
    expect(href).toBe(`/d/${document}?sort-${suppliers}=price#items-${suppliers}`)
    expect(titles(await visitor.get(href.split('#')[0] ?? ''))).toEqual(['Cheap', 'Middling', 'Dear'])
  })
})
