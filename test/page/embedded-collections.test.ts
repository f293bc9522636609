/** Collections inside documents. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Suppliers, serveSuppliers } from './suppliers.ts'
import { textOf, type Visited, visitByLink } from './visiting.ts'

let { serving, anna, visitor, document, cranes, suppliers, addItem } = {} as Suppliers
beforeEach(async () => {
  ;({ serving, anna, visitor, document, cranes, suppliers, addItem } = await serveSuppliers())
})

describe('a collection in a document', () => {
  const pageOf = async (reader = visitor, path = `/d/${document}`) => (await reader.get(path)).text
  /** What only people with write access see. */
  const CONTROLS = /data-cells|data-key|data-board|id="boxes|items\//
  const collectionsIn = (text: string) => text.slice(text.indexOf('class="collection"'), text.indexOf('</article>'))

  test('has the cells, forms and columns of its own page, which return to the document', async () => {
    const item = await addItem('Nordkran', { price: 5 })
    const crane = await addItem('Crane 1', {}, cranes)
    const text = await pageOf()
    for (const [collection, row] of [
      [suppliers, item],
      [cranes, crane],
    ]) {
      const again = `/collections/${collection}/embedded[?]back=%2Fd%2F${document}&amp;document=${document}`
      expect(text).toMatch(new RegExp(`<div id="items-${collection}" data-items="[^"]*${again}"><form id="boxes-`))
      expect(text).toMatch(new RegExp(`<table data-cells="[^"]*/collections/${collection}"`))
      expect(text).toContain(`/collections/${collection}/items/${row}/edit?back=%2Fd%2F${document}"`)
      expect(text).toContain(`/collections/${collection}/items/new?`)
    }
    expect(text).toContain(`form="boxes-${suppliers}" name="box" value="${item} certified true"`)
  })

  test('is refreshed with the forms of the page that contains it', async () => {
    await addItem('Nordkran')
    const { blocks } = JSON.parse((await visitor.get(`/d/${document}/blocks?back=/days/2026-11-20`)).text)
    const { html } = blocks.find(({ id }: { id: string }) => id === suppliers)
    expect(html).toContain('/edit?back=%2Fdays%2F2026-11-20"')
    expect(html).not.toContain('blocks')
  })

  test('shows the cards of its view, which can be moved', async () => {
    await addItem('Nordkran', { status: 'in' })
    const view = { name: 'Board', type: 'kanban', groupBy: [{ property: 'status' }] }
    const { id: viewId } = await anna('views_add', { collectionId: suppliers, view })
    await anna('views_activate', { collectionId: suppliers, viewId })
    expect(await pageOf()).toContain(`data-board="${suppliers}" data-group-key="status"`)
  })

  describe('whose view is a calendar', () => {
    const activateCalendar = async () => {
      const view = { name: 'Answers', type: 'kanban', groupBy: [{ property: 'answered' }] }
      const { id: viewId } = await anna('views_add', { collectionId: suppliers, view })
      await anna('views_activate', { collectionId: suppliers, viewId })
    }
    const monthIn = (text: string) =>
      textOf({ text: text.slice(text.indexOf('class="month"'), text.indexOf('</article>')) } as Visited)

    test('shows the month in the address of the page, and links to others', async () => {
      await activateCalendar()
      await addItem('One', { answered: '2026-11-17' })
      await addItem('Two', { answered: '2026-12-01' })
      const address = `/d/${document}?month-${suppliers}=2026-11`
      const text = await pageOf(visitor, address)
      expect(monthIn(text)).toContain('November 2026')
      expect(monthIn(text)).toContain('17 One')
      expect(monthIn(text)).not.toContain('Two')
      expect(text).toContain(`data-calendar="${suppliers}" data-key-of="answered"`)
      expect(text).toContain(`/d/${document}?month-${suppliers}=2026-12#items-${suppliers}">Later</a>`)
      expect(text).toContain(`/items/new?v.answered=2026-11-03&amp;back=${encodeURIComponent(address)}"`)
    })

    test('is refreshed with the month that is shown', async () => {
      await activateCalendar()
      await addItem('Two', { answered: '2026-12-01' })
      const back = encodeURIComponent(`/d/${document}?notice=saved&month-${suppliers}=2026-12`)
      const { blocks } = JSON.parse((await visitor.get(`/d/${document}/blocks?back=${back}`)).text)
      const { html } = blocks.find(({ id }: { id: string }) => id === suppliers)
      expect(html).toContain('>Two</a>')
      expect(html).toContain(`/d/${document}?month-${suppliers}=2026-11#`)
      expect(html).not.toContain('notice')
    })

    test('can be read with a read-only link', async () => {
      await activateCalendar()
      await addItem('One', { answered: '2026-11-17' })
      const reader = await visitByLink(serving, { access: 'read' })
      const text = await pageOf(reader, `/d/${document}?month-${suppliers}=2026-11`)
      expect(monthIn(text)).toContain('17 One')
      expect(collectionsIn(text)).not.toMatch(/data-calendar|data-date|items\//)
      expect(text).toContain(`hx-get="${new URL(reader.base).pathname}/d/${document}?month-${suppliers}=2026-11"`)
    })
  })

  test('has the bars of what its view calculates by group', async () => {
    await addItem('One', { price: 10, status: 'in' })
    const view = { name: 'Sums', groupBy: [{ property: 'status' }], calculations: { price: 'number_sum' } }
    const { id: viewId } = await anna('views_add', { collectionId: suppliers, view: { ...view, type: 'table' } })
    await anna('views_activate', { collectionId: suppliers, viewId })
    expect(await pageOf()).toContain('<figcaption>Price: sum</figcaption>')
  })

  test.each(['read', 'propose'] as const)('has no controls for a link to %s', async (access) => {
    const item = await addItem('Nordkran', { certified: true })
    const shown = collectionsIn(await pageOf(await visitByLink(serving, { access })))
    expect(shown).toContain(`/d/${item}">Nordkran</a>`)
    expect(shown).not.toMatch(CONTROLS)
    expect(collectionsIn(await pageOf())).toMatch(CONTROLS)
  })

  test('has none in the past', async () => {
    const item = await addItem('Nordkran')
    const { items } = await anna('history_list', { limit: 1 })
    const shown = collectionsIn(await pageOf(visitor, `/d/${document}/at/${items[0].callId}`))
    expect(shown).toContain(`/d/${item}">Nordkran</a>`)
    expect(shown).not.toMatch(CONTROLS)
  })
})
