/** Rows and cells of collections, changed by forms without scripts. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Suppliers, serveSuppliers } from './suppliers.ts'
import { offers, textOf, visitByLink } from './visiting.ts'

let { serving, anna, visitor, document, cranes, suppliers, itemsOf, addItem, schemaOf, formOf } = {} as Suppliers
beforeEach(async () => {
  ;({ serving, anna, visitor, document, cranes, suppliers, itemsOf, addItem, schemaOf, formOf } =
    await serveSuppliers())
})

describe('a collection', () => {
  test('is renamed, with its title column, and keeps everything else', async () => {
    await addItem('Nordkran', { price: 5 })
    const before = await schemaOf()
    const form = await visitor.get(`/collections/${suppliers}/edit`)
    const shown = await visitor.press(form, 'Save', { name: 'Partners', titles: 'Company' })
    expect(shown.text).toContain('<h1>Partners</h1>')
    const contentPropDetails = { ...before.contentPropDetails, name: 'Company' }
    expect(await schemaOf()).toEqual({ ...before, key: 'partners', name: 'Partners', contentPropDetails })
    expect((await itemsOf())[0].properties).toEqual({ price: 5 })
  })

  test('is deleted, and the page is shown without it', async () => {
    const form = await visitor.get(`/collections/${suppliers}/edit`)
    const after = await visitor.press(form, 'Delete the collection')
    expect(textOf(after)).toContain('The collection was deleted.')
    expect(after.url).toContain(`/d/${document}`)
    expect((await visitor.get(`/collections/${suppliers}`)).status).toBe(404)
    await visitor.press(after, 'Undo')
    expect((await visitor.get(`/collections/${suppliers}`)).status).toBe(200)
  })
})

describe('a row', () => {
  test('is added with values of each type', async () => {
    const crane = await addItem('Crane 1', {}, cranes)
    const form = await visitor.get(`/collections/${suppliers}/items/new`)
    await visitor.press(form, 'Add it', {
      title: 'Nordkran',
      'v.status': 'asked',
      'v.tags': 'near',
      'v.tags.new': 'cheap',
      'v.price': '48200.5',
      'v.answered': '2026-11-17',
      'v.answered.end': '2026-11-19',
      'v.site': 'https://nordkran.example',
      'v.certified': 'on',
      'v.notes': 'Called twice.\r\nNobody there.',
      'v.cranes': crane,
      'v.contract': document,
    })
    expect(await itemsOf()).toMatchObject([
      {
        title: 'Nordkran',
        properties: {
          status: 'asked',
          tags: ['near', 'cheap'],
          price: 48200.5,
          answered: { start: '2026-11-17', end: '2026-11-19' },
          site: 'https://nordkran.example',
          certified: true,
          notes: 'Called twice.\nNobody there.',
          cranes: { relations: [{ blockId: crane }] },
          contract: { blockId: document },
        },
      },
    ])
  })

  test('starts with the value of the group in which it is added', async () => {
    const form = await visitor.get(`/collections/${suppliers}/items/new?v.status=asked`)
    expect(form.text).toContain('<option selected>asked</option>')
    await visitor.press(form, 'Add it', { title: 'Hafenbau', 'v.status': 'asked' })
    expect((await itemsOf())[0].properties).toEqual({ status: 'asked' })
  })

  test('is opened as a page, which shows its values', async () => {
    const item = await addItem('Nordkran', { price: 5 })
    expect((await visitor.get(`/collections/${suppliers}`)).text).toContain(`/d/${item}"`)
    expect(offers(await visitor.get(`/d/${item}`), 'Edit values…')).toBe(true)
  })

  test('is deleted', async () => {
    const item = await addItem('Nordkran')
    const after = await visitor.press(await formOf(item), 'Delete the row')
    expect(textOf(after)).toContain('The row was deleted.')
    expect(await itemsOf()).toEqual([])
    await visitor.press(after, 'Undo')
    expect(await itemsOf()).toHaveLength(1)
  })

  test('is deleted from its own page, which leads to its collection, and the notice takes it back', async () => {
    const item = await addItem('Nordkran', { price: 5 })
    const shown = await visitor.get(`/d/${item}`)
    expect(offers(shown, 'Move…')).toBe(false)
    const after = await visitor.press(shown, 'Delete the row')
    expect(new URL(after.url).pathname.endsWith(`/collections/${suppliers}`)).toBe(true)
    expect(await itemsOf()).toEqual([])
    await visitor.press(after, 'Undo')
    expect((await itemsOf())[0]).toMatchObject({ title: 'Nordkran', properties: { price: 5 } })
    // What is deleted in a form returns to the page that the form is on, unless that is gone.
    const onIt = await visitor.get(`/collections/${suppliers}/items/${item}/edit?back=/d/${item}`)
    expect(new URL((await visitor.press(onIt, 'Delete the row')).url).pathname).toMatch(/\/collections\/\d+$/)
    const other = await addItem('Hafenbau')
    const beside = await visitor.get(`/collections/${suppliers}/items/${other}/edit?back=/d/${document}`)
    expect(new URL((await visitor.press(beside, 'Delete the row')).url).pathname).toMatch(`/d/${document}`)
    const reader = await visitByLink(serving, { access: 'no-delete' })
    expect(offers(await reader.get(`/d/${await addItem('Kran')}`), 'Delete the row')).toBe(false)
  })
})

describe('a cell', () => {
  test('is changed alone, and cleared', async () => {
    const item = await addItem('Nordkran', { status: 'in', price: 5 })
    await visitor.press(await formOf(item, 'price'), 'Save', { 'v.price': '7' })
    await visitor.press(await formOf(item, 'status'), 'Save', { 'v.status': '', 'v.status.new': 'late' })
    expect((await itemsOf())[0].properties).toMatchObject({ status: 'late', price: 7 })
    await visitor.press(await formOf(item, 'price'), 'Save', { 'v.price': '' })
    expect((await itemsOf())[0].properties.price).toBeUndefined()
    await visitor.press(await formOf(item, 'title'), 'Save', { title: 'Nordkran AB' })
    expect((await itemsOf())[0].title).toBe('Nordkran AB')
  })

  test('that was not changed keeps what an agent wrote meanwhile', async () => {
    const item = await addItem('Nordkran', { status: 'in', price: 5, notes: 'old' })
    const form = await formOf(item)
    await anna('items_update', { collectionId: suppliers, itemsToUpdate: [{ id: item, properties: { price: 9 } }] })
    await visitor.press(form, 'Save', { 'v.status': 'in', 'v.notes': 'new' })
    expect((await itemsOf())[0].properties).toMatchObject({ status: 'in', price: 9, notes: 'new' })
  })

  test('that is rejected is shown again with the input', async () => {
    const item = await addItem('Nordkran', { price: 5 })
    const refused = await visitor.press(await formOf(item, 'price'), 'Save', { 'v.price': 'five' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('value="five"')
  })

  test('with a checkbox is ticked by its button', async () => {
    const item = await addItem('Nordkran')
    const page = await visitor.get(`/collections/${suppliers}`)
    expect(page.text).toContain(`name="box" value="${item} certified true"`)
    await visitor.send(`/collections/${suppliers}/boxes`, { box: `${item} certified true` })
    expect((await itemsOf())[0].properties.certified).toBe(true)
  })

  test('of a relation finds rows by their titles', async () => {
    const [first, second] = [await addItem('Crane 1', {}, cranes), await addItem('Gantry', {}, cranes)]
    const item = await addItem('Nordkran', { cranes: { relations: [{ blockId: first }] } })
    const form = await formOf(item, 'cranes')
    expect(form.text).toMatch(new RegExp(`value="${first}" checked>`))
    const found = await visitor.press(form, 'Find', { 'q.cranes': 'gant' })
    expect(found.text).toContain(`value="${second}"`)
    expect(found.text).toMatch(new RegExp(`value="${first}" checked>`))
    await visitor.press(found, 'Save', { 'v.cranes': second })
    expect((await itemsOf())[0].properties.cranes.relations).toMatchObject([{ blockId: second }])
  })
})

test('the page of a row calls related rows by their titles, now and in the past', async () => {
  const crane = await addItem('Edsger & Dijkstra | 1', {}, cranes)
  const item = await addItem('Nordkran', { cranes: { relations: [{ blockId: crane }] } })
  const link = `/d/${crane}">Edsger &amp; Dijkstra | 1</a>`
  expect((await visitor.get(`/d/${item}`)).text).toContain(link)
  const { items: calls } = await anna('history_list', { limit: 1 })
  await anna('items_update', { collectionId: suppliers, itemsToUpdate: [{ id: item, properties: { cranes: null } }] })
  expect((await visitor.get(`/d/${item}`)).text).not.toContain(link)
  expect((await visitor.get(`/d/${item}/at/${calls[0].callId}`)).text).toContain(link)
})

describe('a link that may only read', () => {
  test('is offered none of this, and rejected', async () => {
    const item = await addItem('Nordkran', { price: 5 })
    const reader = await visitByLink(serving, { access: 'read' })
    const page = await reader.get(`/collections/${suppliers}`)
    for (const words of ['Edit collection…', 'New row…', 'New column…', 'New view…', 'Edit view…'])
      expect(offers(page, words)).toBe(false)
    expect(page.text).not.toMatch(/data-cells|data-item|name="box"|\/edit/)
    expect(offers(await reader.get(`/d/${item}`), 'Edit values…')).toBe(false)
    const path = `/collections/${suppliers}`
    for (const form of [
      `${path}/items/new`,
      `${path}/items/${item}/edit`,
      `${path}/edit`,
      `${path}/columns/new`,
      `${path}/columns/price`,
      `${path}/views/new`,
    ])
      expect((await reader.get(form)).status, form).toBe(404)
    expect((await reader.post(`${path}/boxes`, { box: `${item} certified true` })).status).toBe(403)
    expect((await reader.post(`${path}/items/${item}/delete`)).status).toBe(403)
    expect((await itemsOf())[0].properties).toEqual({ price: 5 })
  })

  test('delete says so if a column would lose values', async () => {
    await addItem('Nordkran', { price: 5 })
    const writer = await visitByLink(serving, { access: 'no-delete' })
    const refused = await writer.post(`/collections/${suppliers}/columns/price/delete`, { confirmed: 'yes' })
    expect(refused.status).toBe(400)
    expect((await schemaOf()).properties).toHaveLength(9)
  })
})
