/** Folders of notes with properties that become collections. */
import { expect, test } from 'vitest'
import type { Answer } from '../../connect.ts'
import { imported, problemLines } from '../importing.ts'

const FILES = {
  'Books/Emma.md': '---\nauthor: Jane Austen\nyear: 1815\nread: true\ntags: [novel, English]\n---\n\nA comedy.\n',
  'Books/Odyssey.md': '---\nauthor: Homer\nyear: -750\nread: false\ntags: [epic]\nmeta: {a: 1}\n---\n',
  'Books/About.md': 'No properties; see [[Emma]].\n',
  'Home.md': '[[Emma]], [[Books/Odyssey|the other]]\n',
}

test('notes are imported as items, with property types that fit every value', async () => {
  const { call, report, read } = await imported(FILES, undefined, { collections: true })
  const { items: collections } = await call('collections_list')
  expect(collections).toMatchObject([{ name: 'Books', itemCount: 2 }])
  const collectionId = collections[0].id
  const { properties } = await call('schema_get', { collectionId, format: 'schema' })
  expect(properties.map(({ name, type }: Answer) => `${name}: ${type}`)).toEqual([
    'author: text',
    'year: number',
    'read: boolean',
    'tags: multiSelect',
    'meta: text',
  ])
  const { items } = await call('items_list', { collectionId })
  expect(items).toMatchObject([
    {
      title: 'Emma',
      properties: { author: 'Jane Austen', year: 1815, read: true, tags: ['novel', 'English'] },
      content: [{ type: 'code', language: 'yaml' }, { markdown: 'A comedy.' }],
    },
    { title: 'Odyssey', properties: { author: 'Homer', year: -750, read: false, tags: ['epic'], meta: '{"a":1}' } },
  ])
  const [emma, odyssey] = items.map(({ id }: Answer) => id)
  expect(await read('Home')).toBe(`[Emma](block://${emma}), [the other](block://${odyssey})`)
  expect(await read('About')).toBe(`No properties; see [Emma](block://${emma}).`)
  expect(problemLines(report)).toEqual([])
})

test('without the option they are documents', async () => {
  const { call } = await imported(FILES)
  expect((await call('collections_list')).items).toEqual([])
  expect((await call('documents_list')).items).toHaveLength(4)
})

test('properties may have the names of what every object has', async () => {
  const files = {
    'Books/Emma.md': '---\nconstructor: Jane Austen\n__proto__: a novel\n---\n',
    'Books/Odyssey.md': '---\ntoString: Homer\n---\n',
  }
  const { call, report } = await imported(files, undefined, { collections: true })
  const [{ id: collectionId }] = (await call('collections_list')).items
  const { properties } = await call('schema_get', { collectionId, format: 'schema' })
  const names = new Map(properties.map(({ name, key }: Answer) => [key, name]))
  const { items } = await call('items_list', { collectionId })
  const valuesOf = ({ title, properties: values }: Answer) =>
    [title, ...Object.entries(values).map(([key, value]) => `${names.get(key)}: ${value}`)].join(', ')
  expect(items.map(valuesOf)).toEqual([
    'Emma, constructor: Jane Austen, __proto__: a novel',
    'Odyssey, toString: Homer',
  ])
  expect(problemLines(report)).toEqual([])
})
