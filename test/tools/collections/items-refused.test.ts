import { describe, expect, test } from 'vitest'
import { itemsOf } from '../../collection.ts'
import { VALUES, withCollection } from './items-all-types.ts'

describe('an item is rejected', () => {
  const refusals: [string, object, string][] = [
    ['without a title', {}, 'title: Expected a title (Name), found none; give it.'],
    ['with an empty title', { title: '' }, 'title: Expected a title of at least one character, found "".'],
    [
      'with a title of 1,001 characters',
      { title: '🎉'.repeat(1001) },
      'title: Expected at most 1,000 characters, found 1,001; put long texts into content.',
    ],
    [
      'with a word as a number',
      { properties: { price: 'five' } },
      'properties.price: Expected a number, found "five".',
    ],
    ['with a text as number', { properties: { note: 5 } }, 'properties.note: Expected text, found 5.'],
    [
      'with a word as a checkbox',
      { properties: { paid: 'maybe' } },
      'properties.paid: Expected true or false, found "maybe".',
    ],
    [
      'with a day that there is not',
      { properties: { due: '2026-02-29' } },
      'properties.due: Expected a day that exists, found "2026-02-29"; that month has 28 days.',
    ],
    [
      'with another word for a date',
      { properties: { due: 'soon' } },
      'properties.due: Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "soon".',
    ],
    [
      'with a date in another form',
      { properties: { due: '1/2/2026' } },
      'properties.due: Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "1/2/2026".',
    ],
    [
      'with a url that is none',
      { properties: { site: 'example.org' } },
      'properties.site: Expected a URL with its scheme such as https://example.org, found "example.org".',
    ],
    [
      'with an email that is none',
      { properties: { mail: 'ada@example' } },
      'properties.mail: Expected an email address such as name@example.org, found "ada@example".',
    ],
    [
      'with an unknown option',
      { properties: { status: 'opened' } },
      'properties.status: Expected one of Open, Done, found "opened"; allowNewSelectOptions: true adds it.',
    ],
    [
      'with an object for several options',
      { properties: { tags: { name: 'a' } } },
      'properties.tags: Expected an array of names of options, found {"name":"a"}.',
    ],
    [
      'with several options for one',
      { properties: { status: ['Open', 'Done'] } },
      'properties.status: Expected the name of an option, found ["Open","Done"].',
    ],
    [
      'with an option without a name',
      { properties: { tags: [''] } },
      'properties.tags: Expected the name of an option of tags, found an empty text; null clears.',
    ],
    [
      'with an option of spaces',
      { properties: { tags: ['  '] } },
      'properties.tags: Expected the name of an option of tags, found an empty text; null clears.',
    ],
    [
      'with an option that is no name',
      { properties: { tags: ['t'.repeat(1_001)] } },
      'properties.tags: Expected the name of an option of tags of at most 1,000 characters, found 1,001; shorten it.',
    ],
    [
      'with more options than there can be',
      { properties: { tags: Array.from({ length: 501 }, (_, index) => `${index}`) } },
      'properties.tags: Expected at most 500 options of tags, found more; leave some out.',
    ],
    [
      'with a relation of another shape',
      { properties: { next: { blockId: 'x' } } },
      'properties.next: Expected a relation as { "relations": [{ "blockId" }] }, found {"blockId":"x"}.',
    ],
    [
      'with a relation to no item',
      { properties: { next: { relations: [{ blockId: 'x' }] } } },
      'properties.next: Expected the ID of an item of the related collection, found x, which does not exist there; read IDs with items_list.',
    ],
    [
      'with a link of another shape',
      { properties: { source: 'x' } },
      'properties.source: Expected a link as { "blockId" }, found "x".',
    ],
    [
      'with a link to no block',
      { properties: { source: { blockId: 'x' } } },
      'properties.source: Expected the ID of a block within reach, found x, which does not exist; read IDs with blocks_get.',
    ],
    [
      'with an unknown key',
      { properties: { what: 1 } },
      'properties.what: Expected one of note, price, paid, due, site, mail, phone, status, tags, next, source, stars, who, collection, found the unknown key "what"; schema_get tells the keys.',
    ],
    [
      'with a property under two keys',
      { properties: { note: 'x', Note: 'y' } },
      'properties.Note: Expected one value of note, found another at items[0].properties.note; give one of them.',
    ],
    [
      'with a property beside the title',
      { note: 'x' },
      'note: Expected title, properties, content or markdown, found "note"; it is a property, put it into properties.',
    ],
    [
      'with an unknown field',
      { parent: 'x' },
      'parent: Expected title, properties, content or markdown, found the unknown key "parent"; leave it out.',
    ],
  ]
  test.each(refusals)('%s', async (_, item, message) => {
    const { refused, list } = await withCollection()
    const title = 'title' in item || message.startsWith('title') ? {} : { title: 'A' }
    expect(await refused({ ...title, ...item })).toBe(`At items[0].${message}`)
    expect((await list()).items).toEqual([])
  })

  test('with all others of its call, and every error is reported', async () => {
    const { connected, collectionId, list } = await withCollection()
    const items = Array.from({ length: 100 }, (_, index): object => ({ title: `T${index}`, properties: VALUES }))
    items[3] = { title: 'x', properties: { due: 'soon', price: 'much', note: 'x' } }
    items[98] = { properties: { status: 'Lost' } }
    const { error, details } = await connected.faults('items_add', { collectionId, items })
    expect(error).toBe(
      'At items[3].properties.due: Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "soon". (3 more in details)',
    )
    expect(details?.map(({ path }) => path)).toEqual([
      'items[3].properties.due',
      'items[3].properties.price',
      'items[98].properties.status',
      'items[98].title',
    ])
    expect((await list()).items).toEqual([])
  })

  test('with content and markdown, and with content that cannot be read', async () => {
    const { refused, list } = await withCollection()
    expect(await refused({ title: 'A', content: [], markdown: '' })).toBe(
      'At items[0]: Expected either content or markdown, found both; give one of them.',
    )
    expect(await refused({ title: 'A' }, { title: 'B', content: [{ type: 'image' }] })).toBe(
      'At items[1].content[0]: Expected url or markdown on a new image block, found none; give it.',
    )
    expect((await list()).items).toEqual([])
  })

  test('in updates: unknown, given twice, or with content', async () => {
    const { connected, collectionId } = await withCollection()
    const [id = ''] = await itemsOf(connected, collectionId, [{ title: 'A' }])
    const itemsToUpdate = [{ id, title: 'B' }, { id, markdown: 'x' }, { id: 'other' }]
    expect((await connected.faults('items_update', { collectionId, itemsToUpdate })).details).toEqual([
      { path: 'itemsToUpdate[1].id', message: `Expected each item once, found ${id} twice; put its changes together.` },
      {
        path: 'itemsToUpdate[1].markdown',
        message:
          'Expected title and properties, found markdown; change what an item holds with blocks_add, blocks_update and blocks_delete.',
      },
      {
        path: 'itemsToUpdate[2].id',
        message:
          'Expected the ID of an item of "Collection", found other; read IDs with items_list and name one of those.',
      },
    ])
  })
})
