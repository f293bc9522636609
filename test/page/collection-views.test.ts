/** Views of collections, created and changed by forms without scripts, and their display. */
import { beforeEach, describe, expect, test } from 'vitest'
import { png } from '../picture.ts'
import { type Suppliers, serveSuppliers } from './suppliers.ts'
import { offers, textOf, type Visited } from './visiting.ts'

let { anna, visitor, document, cranes, suppliers, addItem } = {} as Suppliers
beforeEach(async () => {
  ;({ anna, visitor, document, cranes, suppliers, addItem } = await serveSuppliers())
})

describe('a view', () => {
  const views = async () => (await anna('views_list', { collectionId: suppliers })).views

  test('is created with filters, sorting and groups, and shown', async () => {
    await addItem('Cheap', { price: 1, status: 'in' })
    await addItem('Dear', { price: 100, status: 'in' })
    const form = await visitor.get(`/collections/${suppliers}/views/new`)
    const shown = await visitor.press(form, 'Make it', {
      ...{ name: 'Dear ones', type: 'kanban', columns: 'status', filter: 'price', question: 'more', answer: '50' },
      ...{ sort: 'price', order: 'down', shown: 'price', calculation: 'price number_sum' },
    })
    expect(textOf(shown)).toContain('Dear')
    expect(textOf(shown)).not.toContain('Cheap')
    expect((await views()).at(-1)).toMatchObject({
      ...{ name: 'Dear ones', type: 'kanban', groupBy: [{ property: 'status' }] },
      filters: [{ property: 'price', filterType: 'number_greater', filterValue: 50 }],
      sortBy: [{ property: 'price', ascending: false }],
      calculations: { price: { type: 'number_sum' } },
    })
  })

  test('is a board by the first column of options, if nothing else is chosen', async () => {
    const form = await visitor.get(`/collections/${suppliers}/views/new`)
    await visitor.press(form, 'Make it', { name: 'Board', type: 'kanban' })
    expect((await views()).at(-1)).toMatchObject({ type: 'kanban', groupBy: [{ property: 'status' }] })
  })

  test('needs no name, and a board or a calendar gets the column that it needs, which one undo takes back', async () => {
    const { collectionBlockId: trips } = await anna('collections_add', {
      schema: { name: 'Trips', properties: [{ name: 'Date', type: 'text' }] },
      position: { position: 'end', pageId: document },
    })
    const make = async (type: string) =>
      visitor.press(await visitor.get(`/collections/${trips}/views/new`), 'Make it', { type })
    const columns = async () =>
      (await anna('schema_get', { collectionId: trips, format: 'schema' })).properties.map(
        ({ name, type }: { name: string; type: string }) => `${name}: ${type}`,
      )
    const form = await visitor.get(`/collections/${trips}/views/new`)
    expect(textOf(form)).toContain('This collection has no column of dates yet. It gets one with this view.')
    expect(textOf(await make('kanban'))).toContain('Board')
    expect((await make('calendar')).text).toContain('class="month"')
    expect(await columns()).toEqual(['Date: text', 'Status: singleSelect', 'Date 2: date'])
    const { views: made } = await anna('views_list', { collectionId: trips })
    expect(made.map(({ name }: { name: string }) => name).slice(-2)).toEqual(['Board', 'Calendar'])
    const [last] = (await anna('history_list', { limit: 1 })).items
    await anna('history_undo', { callIds: [last.callId] })
    expect(await columns()).toEqual(['Date: text', 'Status: singleSelect'])
  })

  test('that is a board leaves a way to the table of all rows', async () => {
    await addItem('Crane works', { price: 7 })
    for (const { id } of await views()) await anna('views_delete', { collectionId: suppliers, viewId: id })
    const view = { name: 'Board', type: 'kanban', groupBy: [{ property: 'status' }] }
    await anna('views_add', { collectionId: suppliers, view })
    const board = await visitor.get(`/collections/${suppliers}`)
    expect(board.text).not.toContain('<table')
    expect(board.text).toMatch(new RegExp(`<a href="[^"]*/collections/${suppliers}\\?view=all">All rows</a>`))
    const all = await visitor.get(`/collections/${suppliers}?view=all`)
    expect(all.text).toContain('<table')
    expect(textOf(all)).toContain('Crane works')
    // What is changed there makes it a view.
    await anna('views_add', { collectionId: suppliers, view: { name: 'Table', type: 'table' } })
    expect((await visitor.get(`/collections/${suppliers}?view=all`)).text).toContain('aria-current="page">Table</a>')
    expect((await visitor.get(`/collections/${suppliers}?view=none`)).status).toBe(404)
  })

  test('that is refused keeps what was filled in', async () => {
    const refused = await visitor.press(await visitor.get(`/collections/${suppliers}/views/new`), 'Make it', {
      ...{ name: 'Dear', type: 'gallery', group: 'status', filter: 'certified', question: 'more', answer: '1' },
      ...{ sort: 'price', order: 'down' },
    })
    expect(refused.status).toBe(400)
    for (const kept of ['value="Dear"', '<option value="gallery" selected>', '<option value="status" selected>']) {
      expect(refused.text).toContain(kept)
    }
    expect(refused.text).toMatch(/<option value="price" selected>[\s\S]*<option value="down" selected>/)
  })

  test('is changed, and a condition that does not fit its column is rejected', async () => {
    const { id } = await anna('views_add', { collectionId: suppliers, view: { name: 'All', type: 'table' } })
    const form = () => visitor.get(`/collections/${suppliers}/views/${id}`)
    const refused = await visitor.press(await form(), 'Save', {
      name: 'All',
      type: 'table',
      filter: 'certified',
      question: 'more',
      answer: '1',
    })
    expect(textOf(refused)).toContain('The column Certified has no “is more than, or after”; choose another question.')
    for (const question of ['constructor', '__proto__']) {
      const inherited = { name: 'All', type: 'table', filter: 'certified', question, answer: '1' }
      const unknown = await visitor.press(await form(), 'Save', inherited)
      expect([question, unknown.status]).toEqual([question, refused.status])
    }
    await visitor.press(await form(), 'Save', {
      name: 'Ticked',
      type: 'gallery',
      filter: 'certified',
      question: 'is',
      answer: 'yes',
    })
    expect((await views()).find((view: { id: string }) => view.id === id)).toMatchObject({
      ...{ name: 'Ticked', type: 'gallery' },
      filters: [{ property: 'certified', filterType: 'equals', filterValue: true }],
    })
  })

  test('keeps a filter that the form cannot express', async () => {
    const crane = await addItem('Crane 1', {}, cranes)
    const filters = [
      { property: 'cranes', filterType: 'relation_hasAnyOf', filterValue: { relations: [{ blockId: crane }] } },
    ]
    const { id } = await anna('views_add', { collectionId: suppliers, view: { name: 'All', type: 'table', filters } })
    await visitor.press(await visitor.get(`/collections/${suppliers}/views/${id}`), 'Save', {
      name: 'All',
      type: 'table',
    })
    expect((await views()).find((view: { id: string }) => view.id === id).filters).toMatchObject(filters)
  })

  test('shows the columns that it does not hide', async () => {
    await addItem('Crane works', { price: 7 })
    const view = { name: 'Short', type: 'table', hiddenProperties: ['price'] }
    const { id } = await anna('views_add', { collectionId: suppliers, view })
    const { text } = await visitor.get(`/collections/${suppliers}?view=${id}`)
    expect(text).toContain('columns/status')
    expect(text).not.toContain('columns/price')
  })

  test('that is grouped downward stays so when it is saved', async () => {
    const groupBy = [{ property: 'status', ascending: false }]
    const { id } = await anna('views_add', { collectionId: suppliers, view: { name: 'All', type: 'table', groupBy } })
    const form = await visitor.get(`/collections/${suppliers}/views/${id}`)
    await visitor.press(form, 'Save', { name: 'All', type: 'table', group: 'status' })
    expect((await views()).find((view: { id: string }) => view.id === id).groupBy).toMatchObject(groupBy)
  })

  test('is sorted by a column, and deleted', async () => {
    const { id } = await anna('views_add', { collectionId: suppliers, view: { name: 'All', type: 'table' } })
    await anna('views_add', { collectionId: suppliers, view: { name: 'Other', type: 'table' } })
    const back = `/collections/${suppliers}?view=${id}`
    await visitor.send(`/collections/${suppliers}/columns/price/sort`, { order: 'down', back })
    expect((await views()).find((view: { id: string }) => view.id === id).sortBy).toMatchObject([
      { property: 'price', ascending: false },
    ])
    const count = (await views()).length
    await visitor.press(await visitor.get(`/collections/${suppliers}/views/${id}`), 'Delete the view')
    expect(await views()).toHaveLength(count - 1)
  })

  test('that calculates by group has a bar for each', async () => {
    await addItem('One', { price: 10, status: 'in' })
    await addItem('Two', { price: 30, status: 'asked' })
    const view = {
      name: 'Sums',
      type: 'table',
      groupBy: [{ property: 'status' }],
      calculations: { price: 'number_sum' },
    }
    const { id } = await anna('views_add', { collectionId: suppliers, view })
    const page = await visitor.get(`/collections/${suppliers}?view=${id}`)
    expect(textOf(page)).toContain('Price: sum in 10 asked 30')
    expect([...page.text.matchAll(/<rect x="0.00" y="0" width="([\d.]+)"/g)].map(([, width]) => width)).toEqual([
      '33.33',
      '100.00',
    ])
  })

  test.each(['table', 'gallery'])('that is a %s has its items by group, also on further pages', async (type) => {
    await addItem('One', { status: 'asked' })
    await addItem('Two', { status: 'in' })
    await addItem('Three')
    const view = { name: 'By status', type, groupBy: [{ property: 'status' }] }
    const { id } = await anna('views_add', { collectionId: suppliers, view })
    expect(textOf(await visitor.get(`/collections/${suppliers}?view=${id}`))).toMatch(
      /in 1 Two .*asked 1 One .*None 1 Three /,
    )
    const { pagination } = await anna('items_list', { collectionId: suppliers, viewId: id, maxDepth: 0, limit: 1 })
    const rest = await visitor.get(`/collections/${suppliers}?view=${id}&cursor=${pagination.cursor}`)
    expect(textOf(rest)).toMatch(/asked 1 One .*None 1 Three /)
    expect(textOf(rest)).not.toContain('Two')
  })

  test('by date shows the days of a month, with ranges over all their days', async () => {
    await addItem('One', { answered: '2026-11-17' })
    await addItem('Range', { answered: { start: '2026-10-30', end: '2026-11-02' } })
    await addItem('December', { answered: '2026-12-01' })
    const page = await visitor.get(`/collections/${suppliers}?by=answered&month=2026-11`)
    const month = page.text.slice(page.text.indexOf('class="month"'))
    expect(month.match(/>Range</g)).toHaveLength(2)
    expect(month.match(/>One</g)).toHaveLength(1)
    expect(month).not.toContain('>December<')
    expect((await visitor.get(`/collections/${suppliers}?by=price`)).status).toBe(404)
  })

  test('by date shows a range on every day that it covers, whichever months it begins and ends in', async () => {
    await addItem('Into December', { answered: { start: '2026-11-28', end: '2026-12-02' } })
    await addItem('All year', { answered: { start: '2026-01-01', end: '2026-12-31' } })
    await addItem('Long before', { answered: { start: '2026-08-01', end: '2026-11-03' } })
    await addItem('Within', { answered: { start: '2026-11-10', end: '2026-11-12' } })
    await addItem('Until October', { answered: { start: '2026-10-01', end: '2026-10-31' } })
    const shown = async (month: string) => {
      const { text } = await visitor.get(`/collections/${suppliers}?by=answered&month=${month}`)
      const days = (title: string) => text.split(`>${title}</a></li>`).length - 1
      return ['Into December', 'All year', 'Long before', 'Within', 'Until October'].map(days)
    }
    expect(await shown('2026-11')).toEqual([3, 30, 3, 3, 0])
    expect(await shown('2026-12')).toEqual([2, 31, 0, 0, 0])
    expect(await shown('2026-10')).toEqual([0, 31, 31, 0, 31])
  })

  test('becomes a calendar by the chosen date, or by the first one', async () => {
    const make = async (name: string, days: string) =>
      visitor.press(await visitor.get(`/collections/${suppliers}/views/new`), 'Make it', {
        ...{ name, type: 'calendar', days },
      })
    const shown = await make('Answers', '')
    expect(shown.text).toContain('class="month"')
    expect(offers(shown, 'Calendar: Answered')).toBe(false)
    const made = (await views()).at(-1)
    expect(made).toMatchObject({ type: 'kanban', groupBy: [{ property: 'answered' }] })
    const form = await visitor.get(`/collections/${suppliers}/views/${made.id}`)
    expect(form.text).toContain('<option value="calendar" selected>')
    const refused = await make('Prices', 'price')
    expect(refused.status).toBe(400)
    expect(textOf(refused)).toContain(
      'A calendar is by a column of dates, and Price is none; choose a date, or nothing for the first one.',
    )
  })

  test('that is a calendar lists undated items below it', async () => {
    await addItem('Open')
    await addItem('One', { answered: '2026-11-17' })
    const page = await visitor.get(`/collections/${suppliers}?by=answered&month=2026-11`)
    expect(textOf(page)).toContain('No date 1 Open')
    expect(page.text).toContain('<ul data-date="">')
  })

  test('with the maximum of filters can be a calendar as well', async () => {
    await addItem('One', { answered: '2026-11-17' })
    await addItem('Two', { answered: '2026-12-17' })
    const filters = [1, 2, 3, 4, 5].map((n) => ({ property: 'notes', filterType: 'doesNotEqual', filterValue: `${n}` }))
    const { id } = await anna('views_add', { collectionId: suppliers, view: { name: 'All', type: 'table', filters } })
    const words = textOf(await visitor.get(`/collections/${suppliers}?view=${id}&by=answered&month=2026-11`))
    expect(words).toContain('17 One')
    expect(words).not.toContain('Two')
  })
})

describe('a card', () => {
  const cardOf = (page: Visited) =>
    textOf({ ...page, text: /<li class="item"[\s\S]*?<\/li>/.exec(page.text)?.[0] ?? '' }).trim()

  test('has its title and three values, a ticked box by its name, and no box that is not ticked', async () => {
    const values = { status: 'in', price: 7, answered: '2026-11-17', notes: 'More', certified: true }
    await addItem('Nordkran', values)
    const view = { name: 'Cards', type: 'gallery' }
    const { id } = await anna('views_add', { collectionId: suppliers, view })
    const card = async () => cardOf(await visitor.get(`/collections/${suppliers}?view=${id}`))
    expect(await card()).toMatch(/^Nordkran Status in Price 7 Answered [^,]+, Nov 17 Edit Nordkran$/)
    const order = ['certified', 'notes', 'status']
    await anna('views_update', { collectionId: suppliers, viewId: id, view: { fields: { order } } })
    expect(await card()).toBe('Nordkran Certified Certified Notes More Status in Edit Nordkran')
    const [{ id: item }] = (await anna('items_list', { collectionId: suppliers })).items
    const itemsToUpdate = [{ id: item, properties: { certified: false } }]
    await anna('items_update', { collectionId: suppliers, itemsToUpdate })
    expect(await card()).toBe('Nordkran Notes More Status in Price 7 Edit Nordkran')
  })

  test('in a gallery has the first picture of its item, unless the view has none', async () => {
    const item = await addItem('Nordkran')
    await anna('files_add', {
      data: png(4, 4, 0xa0).toString('base64'),
      ...{ mimeType: 'image/png', fileName: 'crane.png', position: { position: 'end', pageId: item } },
    })
    const cards = { name: 'Cards', type: 'gallery' }
    const { id } = await anna('views_add', { collectionId: suppliers, view: cards })
    const covers = async () =>
      (await visitor.get(`/collections/${suppliers}?view=${id}`)).text.match(
        /<img class="cover" src="[^"]+\/files\/\d{12}"/g,
      )
    expect(await covers()).toHaveLength(1)
    const view = { gallery: { previewType: 'none' } }
    await anna('views_update', { collectionId: suppliers, viewId: id, view })
    expect(await covers()).toBeNull()
  })

  test('has the values that its view chooses, all of them', async () => {
    await addItem('Nordkran', { status: 'in', price: 7, answered: '2026-11-17', notes: 'More' })
    const chosen = { visibleFields: ['notes', 'price', 'status', 'answered'] }
    const view = { name: 'Cards', type: 'gallery', gallery: chosen }
    const { id } = await anna('views_add', { collectionId: suppliers, view })
    const card = cardOf(await visitor.get(`/collections/${suppliers}?view=${id}`))
    expect(card).toMatch(/^Nordkran Notes More Price 7 Status in Answered [^,]+, Nov 17 Edit Nordkran$/)
  })
})

describe('a board', () => {
  test('allows manual ordering if its view does not sort', async () => {
    await addItem('Nordkran', { status: 'in' })
    const view = { name: 'Board', type: 'kanban', groupBy: [{ property: 'status' }] }
    const { id: viewId } = await anna('views_add', { collectionId: suppliers, view })
    const board = async () => (await visitor.get(`/collections/${suppliers}?view=${viewId}`)).text
    expect(await board()).toMatch(/data-group-key="status" data-group-type="singleSelect" data-ordered>/)
    const sortBy = [{ property: 'price', ascending: true }]
    await anna('views_update', { collectionId: suppliers, viewId, view: { sortBy } })
    expect(await board()).toMatch(/data-group-key="status" data-group-type="singleSelect">/)
  })
})
