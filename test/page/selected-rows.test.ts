/** Rows of a collection that are changed at once, and cells that are pasted. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Suppliers, serveSuppliers } from './suppliers.ts'
import { textOf, visitByLink } from './visiting.ts'

let { serving, visitor, suppliers, addItem, itemsOf } = {} as Suppliers
let ids: string[] = []
beforeEach(async () => {
  ;({ serving, visitor, suppliers, addItem, itemsOf } = await serveSuppliers())
  ids = [await addItem('One', { price: 1 }), await addItem('Two', { price: 2 }), await addItem('Three', { price: 3 })]
})
const itemNamed = async (title: string) => (await itemsOf()).find((item: { title: string }) => item.title === title)

describe('selected rows', () => {
  const formOf = (key: string) =>
    visitor.get(`/collections/${suppliers}/items/selected?item=${ids[0]}&item=${ids[2]}&key=${key}`)

  test('are selected by boxes, which a form without scripts sends', async () => {
    const { text } = await visitor.get(`/collections/${suppliers}`)
    expect(text).toContain(`form="pick-${suppliers}" name="item" value="${ids[0]}" aria-label="Select One"`)
  })

  test('get one value, by a form for the chosen column, and others keep theirs', async () => {
    const form = await formOf('status')
    expect(textOf(form)).toContain('2 rows')
    await post(`/collections/${suppliers}/items/selected`, [
      ...[
        ['item', ids[0]],
        ['item', ids[2]],
        ['key', 'status'],
        ['has', 'status'],
      ],
      ['v.status', 'asked'],
    ])
    expect((await itemsOf()).map(({ properties }: { properties: object }) => properties)).toMatchObject([
      { status: 'asked', price: 1 },
      { price: 2 },
      { status: 'asked', price: 3 },
    ])
    expect((await itemNamed('Two')).properties.status).toBeUndefined()
  })

  test('are deleted, which can be taken back', async () => {
    const back = `/collections/${suppliers}`
    const deleted = await post(`${back}/items/selected/delete`, [
      ['item', ids[0]],
      ['item', ids[2]],
      ['back', back],
    ])
    const page = await visitor.get(`${back}?${(deleted.headers.get('location') ?? '').split('?')[1]}`)
    expect(textOf(page)).toContain('The rows were deleted. Undo')
    expect(await itemsOf()).toHaveLength(1)
    await visitor.press(page, 'Undo')
    expect(await itemsOf()).toHaveLength(3)
  })
})

async function post(path: string, fields: (readonly (string | undefined)[])[]): Promise<Response> {
  const token = /name="token" value="([^"]+)"/.exec((await visitor.get('/')).text)?.[1] ?? ''
  const body = new URLSearchParams([
    ['token', token],
    ...fields.map(([name = '', value = '']): [string, string] => [name, value]),
  ])
  const { origin } = new URL(visitor.base)
  const headers = { cookie: visitor.cookie, origin }
  return fetch(`${visitor.base}${path}`, { method: 'POST', redirect: 'manual', headers, body })
}

describe('pasted cells', () => {
  const paste = async (cells: object) =>
    (await (await post(`/collections/${suppliers}/cells`, [['cells', JSON.stringify(cells)]])).json()) as Record<
      string,
      unknown
    >

  test('become values of their columns, and new rows below the last one, in one call', async () => {
    const answer = await paste({
      rows: [ids[1], ids[2]],
      keys: ['title', 'status', 'tags', 'price', 'answered', 'certified'],
      texts: [
        ['Deux', 'in', 'near, far', '€1,200.50', '2026-11-24', 'TRUE'],
        ['Trois', 'new', '', '', '24. Dezember 2026', 'no'],
        ['Quatre', 'asked', 'far', '4', '2026-11-01 – 2026-11-03', ''],
      ],
    })
    expect(answer).toMatchObject({ cells: 18, added: 1, callId: expect.stringMatching(/^\d{12}$/) })
    const [, two, three, four] = await itemsOf()
    expect(two).toMatchObject({
      title: 'Deux',
      properties: { status: 'in', tags: ['near', 'far'], price: 1200.5, answered: '2026-11-24', certified: true },
    })
    expect(three).toMatchObject({ title: 'Trois', properties: { status: 'new', answered: '2026-12-24' } })
    expect(three.properties.price).toBeUndefined()
    expect(four.properties).toMatchObject({ price: 4, answered: { start: '2026-11-01', end: '2026-11-03' } })
  })

  test('without titles become new rows that are untitled, and no title is cleared', async () => {
    expect(
      await paste({
        rows: [ids[2]],
        keys: ['price', 'notes'],
        texts: [
          ['7', 'two\nlines'],
          ['8', 'new'],
        ],
      }),
    ).toEqual({
      ...{ cells: 4, added: 1 },
      callId: expect.any(String),
    })
    expect((await itemsOf()).slice(2)).toMatchObject([
      { title: 'Three', properties: { price: 7, notes: 'two\nlines' } },
      { title: 'Untitled', properties: { price: 8, notes: 'new' } },
    ])
    const cleared = await paste({ rows: ids, keys: ['title'], texts: [['']] })
    expect(cleared.error).toBe('Expected a title in each row, found an empty cell; give it one. Nothing was changed.')
  })

  test('change nothing if one of them is no value of its column', async () => {
    const answer = await paste({ rows: ids, keys: ['price'], texts: [['7'], ['many'], ['9']] })
    expect(answer.error).toBe(
      'Expected number for Price, found “many”; correct it, and paste again. Nothing was changed.',
    )
    expect((await itemsOf()).map(({ properties }: { properties: { price: number } }) => properties.price)).toEqual([
      1, 2, 3,
    ])
    expect((await paste({ rows: ids, keys: ['nothing'], texts: [['7']] })).error).toContain('found nothing')
    expect((await paste({ rows: ids, keys: 'price' })).error).toContain('Expected rows, keys and texts of cells')
    const many = Array.from({ length: 1001 }, () => ['1'])
    expect((await paste({ rows: [], keys: ['price'], texts: many })).error).toMatch(
      /^Expected at most \d+ rows at once/,
    )
  })

  test('are refused if a row has more of them than there are columns', async () => {
    const answer = await paste({ rows: ids, keys: ['price'], texts: [['7', 'lost'], ['8']] })
    expect(answer.error).toBe(
      'Expected at most 1 cells in a row, as many as there are columns from here on, found 2; show or add columns, or paste fewer. Nothing was changed.',
    )
    expect((await itemNamed('One')).properties.price).toBe(1)
  })

  test('are proposed by a link that proposes, which says so', async () => {
    const robot = await visitByLink(serving, { access: 'propose' })
    const cells = JSON.stringify({ rows: [ids[0]], keys: ['price'], texts: [['7']] })
    const sent = await robot.post(`/collections/${suppliers}/cells`, { cells })
    expect(JSON.parse(sent.text)).toEqual({ cells: 1, added: 0, isProposed: true })
    expect((await itemNamed('One')).properties.price).toBe(1)
  })

  test('are refused for links that only read', async () => {
    const reader = await visitByLink(serving, { access: 'read' })
    const cells = JSON.stringify({ rows: ids, keys: ['price'], texts: [['7']] })
    expect((await reader.post(`/collections/${suppliers}/cells`, { cells })).status).toBeGreaterThanOrEqual(400)
    expect((await itemNamed('One')).properties.price).toBe(1)
  })
})
