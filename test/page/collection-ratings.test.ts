/** Ratings on the pages of collections: shown and chosen as stars. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Suppliers, serveSuppliers } from './suppliers.ts'
import { textOf, type Visited } from './visiting.ts'

let { anna, visitor, document, itemsOf, addItem } = {} as Suppliers
let hotels = ''
beforeEach(async () => {
  ;({ anna, visitor, document, itemsOf, addItem } = await serveSuppliers())
  const schema = { name: 'Hotels', properties: [{ type: 'rating', name: 'Stars', config: { max: 10 } }] }
  const position = { position: 'end', pageId: document }
  hotels = (await anna('collections_add', { schema, position })).collectionBlockId
})

const formOf = (item: string) => visitor.get(`/collections/${hotels}/items/${item}/edit`)
const starsIn = async () =>
  (await itemsOf(hotels)).map((item: { properties: { stars?: number } }) => item.properties.stars)
/** What the radio buttons of the rating offer, the chosen one in brackets. */
const choicesIn = ({ text }: Visited): string[] =>
  [...text.matchAll(/type="radio" name="v\.stars" value="(\d*)"( checked)?/g)].map(([, value = '', chosen]) =>
    chosen === undefined ? value : `[${value}]`,
  )

describe('a rating', () => {
  test('is shown as filled and empty stars, and read out as a number', async () => {
    await addItem('Nordkran', { stars: 4 }, hotels)
    const page = await visitor.get(`/collections/${hotels}`)
    expect(page.text).toContain('★★★★☆☆☆☆☆☆')
    expect(page.text).toContain('4 of 10')
  })

  test('is chosen among as many stars as its column allows, and none', async () => {
    const item = await addItem('Nordkran', { stars: 4 }, hotels)
    const form = await formOf(item)
    expect(choicesIn(form)).toEqual(['', '1', '2', '3', '[4]', '5', '6', '7', '8', '9', '10'])
    await visitor.press(form, 'Save', { 'v.stars': '9' })
    expect(await starsIn()).toEqual([9])
    await visitor.press(await formOf(item), 'Save', { 'v.stars': '' })
    expect(await starsIn()).toEqual([undefined])
    expect(choicesIn(await formOf(item))[0]).toBe('[]')
  })

  test('stays when its row is saved unchanged, also beside a changed title', async () => {
    const item = await addItem('Nordkran', { stars: 4 }, hotels)
    await visitor.press(await formOf(item), 'Save')
    await visitor.press(await formOf(item), 'Save', { title: 'Nordkran AB' })
    expect(await itemsOf(hotels)).toMatchObject([{ title: 'Nordkran AB', properties: { stars: 4 } }])
  })

  test('is that of the group in which a row is added', async () => {
    const form = await visitor.get(`/collections/${hotels}/items/new?v.stars=3`)
    await visitor.press(form, 'Add it', { title: 'Hafenbau' })
    expect(await starsIn()).toEqual([3])
  })

  test('above the maximum is refused, and the form keeps what was typed', async () => {
    const item = await addItem('Nordkran', { stars: 4 }, hotels)
    const refused = await visitor.press(await formOf(item), 'Save', { title: 'Nordkran AB', 'v.stars': '11' })
    expect(refused.status).toBe(400)
    expect(textOf(refused)).toContain('Expected a whole number from 1 to 10, found 11.')
    expect(refused.text).toContain('value="Nordkran AB"')
    expect(await starsIn()).toEqual([4])
  })
})

describe('its column', () => {
  const columnForm = () => visitor.get(`/collections/${hotels}/columns/stars`)

  test('is lowered after a question that counts the values above the new maximum', async () => {
    await addItem('One', { stars: 4 }, hotels)
    await addItem('Two', { stars: 6 }, hotels)
    const question = await visitor.press(await columnForm(), 'Save', { name: 'Stars', type: 'rating', max: '5' })
    expect(textOf(question)).toContain('1 value would be lost.')
    expect(textOf(question)).toContain('They have more stars than the new maximum.')
    expect(await starsIn()).toEqual([4, 6])
    await visitor.press(question, 'Go on, and lose 1 value')
    expect(await starsIn()).toEqual([4, undefined])
  })

  test('becomes one of numbers with its values, and back', async () => {
    await addItem('One', { stars: 4 }, hotels)
    await visitor.press(await columnForm(), 'Save', { name: 'Stars', type: 'number' })
    const [{ properties }] = await itemsOf(hotels)
    expect(Object.values(properties)).toEqual([4])
    const [key] = Object.keys(properties)
    const form = await visitor.get(`/collections/${hotels}/columns/${key}`)
    await visitor.press(form, 'Save', { name: 'Stars', type: 'rating', max: '5' })
    const { properties: columns } = await anna('schema_get', { collectionId: hotels, format: 'schema' })
    expect(columns).toMatchObject([{ type: 'rating', name: 'Stars' }])
    expect(Object.values((await itemsOf(hotels))[0].properties)).toEqual([4])
  })

  test('filters and sorts a view by numbers of stars, and gives their average', async () => {
    for (const [title, stars] of Object.entries({ Low: 2, High: 9, Middle: 6 })) await addItem(title, { stars }, hotels)
    const form = await visitor.get(`/collections/${hotels}/views/new`)
    const shown = await visitor.press(form, 'Make it', {
      ...{ name: 'Good', type: 'table', filter: 'stars', question: 'more', answer: '5' },
      ...{ sort: 'stars', order: 'down', shown: 'stars', calculation: 'stars number_average' },
    })
    const words = textOf(shown)
    expect(words).not.toContain('Low')
    expect(words.indexOf('High')).toBeLessThan(words.indexOf('Middle'))
    expect(words).toContain('7.5')
  })
})
