/** The index of words matches the blocks after every write, and a refused call leaves it unchanged. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../../storage/sqlite/open-storage.ts'
import { buildSpace, TEST_DATABASE } from '../../build.ts'
import { type Connected, connect } from '../../connect.ts'
import { documentOf, idsOf } from '../../document.ts'
import { indexFaults } from '../../search.ts'
import { connectionOf } from '../../sqlite.ts'

async function faults({ space }: Pick<Connected, 'space'>): Promise<string[]> {
  return space.read(await space.createAccessLink('full', [], 'test'), async ({ tx }) => indexFaults(tx))
}

/** Counts the blocks that contain a word. */
async function count({ space }: Pick<Connected, 'space'>, query: string): Promise<number> {
  return space.read(
    await space.createAccessLink('full', [], 'test'),
    async ({ tx }) => (await tx.words.findHits([{ words: [query] }], undefined, 10_000)).length,
  )
}

test('items: values, names of options, and their changes', async () => {
  const connected = await connect()
  const { call } = connected
  const pageId = await documentOf(connected)
  const properties = [
    { type: 'text', name: 'Note' },
    { type: 'number', name: 'Price' },
    { type: 'boolean', name: 'Sold' },
    { type: 'singleSelect', name: 'Stage', options: [{ name: 'Prospect' }, { name: 'Customer' }] },
    { type: 'relation', name: 'Parent' },
  ]
  const position = { position: 'end', pageId }
  const { collectionBlockId: collectionId } = await call('collections_add', {
    schema: { name: 'Deals', properties },
    position,
  })
  const { items } = await call('items_add', {
    collectionId,
    items: [
      {
        title: 'Acme',
        properties: { note: 'windmills', price: 1250, sold: true, stage: 'Prospect' },
        markdown: 'within',
      },
      { title: 'Bolt', properties: { note: 'hammers', stage: 'Customer' } },
    ],
  })
  expect(await faults(connected)).toEqual([])
  for (const word of ['windmills', '1250', 'prospect', 'acme', 'within', 'deals'])
    expect(await count(connected, word)).toBe(1)

  const parent = { relations: [{ blockId: items[0].id }] }
  await call('items_update', { collectionId, itemsToUpdate: [{ id: items[1].id, properties: { note: null, parent } }] })
  expect(await faults(connected)).toEqual([])
  expect([await count(connected, 'hammers'), await count(connected, 'acme')]).toEqual([0, 1])

  const { properties: before, ...schema } = await call('schema_get', { collectionId, format: 'schema' })
  const named = before.map((one: { name: string; options: object[] }) =>
    one.name === 'Stage' ? { ...one, options: [{ name: 'Lead', renamedFrom: 'Prospect' }] } : one,
  )
  await call('schema_update', { collectionId, schema: { ...schema, properties: named } })
  expect(await faults(connected)).toEqual([])
  expect([await count(connected, 'lead'), await count(connected, 'customer')]).toEqual([1, 0])

  const { properties: renamed } = await call('schema_get', { collectionId, format: 'schema' })
  const fewer = renamed.filter(({ name }: { name: string }) => name !== 'Note')
  await call('schema_update', { collectionId, schema: { ...schema, properties: fewer } })
  expect(await faults(connected)).toEqual([])
  expect(await count(connected, 'windmills')).toBe(0)

  await call('items_delete', { collectionId, idsToDelete: [items[0].id] })
  expect(await faults(connected)).toEqual([])
  expect(await count(connected, 'within')).toBe(0)
})

test('blocks that move to another document, comments, and a rejected call', async () => {
  const connected = await connect()
  const { call, refused } = connected
  const [from, to] = [
    await documentOf(connected, '<page><pageTitle>Moved</pageTitle><content>\ninner\n</content></page>'),
    await documentOf(connected),
  ]
  const ids = await idsOf(connected, from)
  await call('comments_add', { comments: [{ blockId: ids.inner, content: 'remarkable' }] })
  expect([await count(connected, 'remarkable'), await faults(connected)]).toEqual([1, []])
  await call('blocks_move', { blockIds: [ids.Moved], position: { position: 'end', pageId: to } })
  expect([await count(connected, 'remarkable'), await faults(connected)]).toEqual([1, []])
  await refused('blocks_update', {
    blocks: [
      { id: ids.Moved, title: 'never' },
      { id: 'nowhere', markdown: 'x' },
    ],
  })
  expect([await count(connected, 'never'), await faults(connected)]).toEqual([0, []])
  await call('blocks_delete', { blockIds: [ids.Moved] })
  expect([await count(connected, 'remarkable'), await faults(connected)]).toEqual([0, []])
})

test('many blocks in one call', async () => {
  const connected = await connect()
  await documentOf(connected, Array.from({ length: 2345 }, (_, index) => `paragraph ${index}`).join('\n\n'))
  expect([await count(connected, 'paragraph'), await faults(connected)]).toEqual([2345, []])
})

test('many blocks that are moved, changed and deleted in one call', async () => {
  const connected = await connect()
  const { call } = connected
  const [one, other] = [await documentOf(connected), await documentOf(connected, 'paragraph of the other')]
  const page = `<page>\n<pageTitle>Much</pageTitle>\n<content>\n${paragraphs('first')}\n</content>\n</page>`
  const { items } = await call('blocks_add', { markdown: page, position: { position: 'end', pageId: one } })
  const pageId = items[0].id
  await call('blocks_move', { blockIds: [pageId], position: { position: 'end', pageId: other } })
  expect([await count(connected, 'paragraph'), await faults(connected)]).toEqual([2346, []])
  const { revision } = await call('blocks_get', { id: pageId, maxBlocks: 20_000 })
  await call('blocks_update', { pageId, revision, markdown: paragraphs('second') })
  expect(await faults(connected)).toEqual([])
  expect([await count(connected, 'first'), await count(connected, 'second')]).toEqual([0, 2345])
  await call('blocks_delete', { blockIds: [pageId] })
  expect([await count(connected, 'paragraph'), await faults(connected)]).toEqual([1, []])
  // FTS5 merges automatically again.
  if (TEST_DATABASE === undefined) expect(await setting(connected, 'automerge')).toBe(8)
})

const paragraphs = (word: string) =>
  Array.from({ length: 2345 }, (_, index) => `${word} paragraph ${index}`).join('\n\n')

async function setting({ space }: Pick<Connected, 'space'>, key: string): Promise<unknown> {
  const sql = 'SELECT v FROM search_config WHERE k = ?'
  return space.read(await space.createAccessLink('full', [], 'test'), async ({ tx }) =>
    connectionOf(tx).sql(sql).pluck().get(key),
  )
}

test('a file from before there was an index is indexed when it is opened', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'space.sqlite')
  const first = await buildSpace(file)
  await documentOf(await connect('full', { to: first }), 'words of old')
  await first.space.close()
  const storage = await openStorage(file)
  await storage.write(async (tx) => void connectionOf(tx).sql('DELETE FROM search').run())
  await storage.close()
  const again = await buildSpace(file)
  expect([await count(again, 'old'), await faults(again)]).toEqual([1, []])
})
