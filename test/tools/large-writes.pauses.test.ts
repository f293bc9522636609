/** Calls that write a lot take a while, but other calls are served in the meantime. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDocument, newBlocks, openWorkbench, type Workbench } from '../bench/workbench.ts'
import { LONGEST_PAUSE, longestPause } from '../support/pauses.ts'

interface Items {
  items: { id: string }[]
}

describe('other calls are not blocked by', () => {
  const many = 10_000
  let bench: Workbench

  beforeAll(async () => {
    bench = await openWorkbench(':memory:')
  })
  afterAll(() => bench.close())

  const write = (tool: string, args: object) => bench.call<Items>(tool, args)
  const list = <Entry>(length: number, entry: (index: number) => Entry) =>
    Array.from({ length }, (_, index) => entry(index))

  /** Creates a page with many blocks in a document of its own. */
  async function page(): Promise<string> {
    const position = { position: 'end', pageId: await addDocument(bench, 'Document') }
    const { items } = await write('blocks_add', { blocks: [{ type: 'page', title: 'Many' }], position, answer: 'ids' })
    const pageId = items[0]?.id ?? ''
    await write('blocks_add', { blocks: newBlocks(many), position: { position: 'end', pageId }, answer: 'ids' })
    return pageId
  }

  async function documents(): Promise<string[]> {
    const { items } = await write('documents_add', { documents: list(1_000, (index) => ({ title: `${index}` })) })
    return items.map(({ id }) => id)
  }

  async function collection(): Promise<{ collectionId: string; schema: { properties: { name: string }[] } }> {
    const properties = [
      { type: 'text', name: 'Note' },
      { type: 'number', name: 'Price' },
    ]
    const { collectionBlockId: collectionId } = await bench.call<{ collectionBlockId: string }>('collections_add', {
      schema: { name: 'Things', properties },
      position: { position: 'end', pageId: await addDocument(bench, 'Document') },
    })
    const items = list(1_000, (index) => ({ title: `${index}`, properties: { note: 'words', price: index } }))
    for (let round = 0; round < 5; round++) await write('items_add', { collectionId, items, answer: 'ids' })
    return { collectionId, schema: await bench.call('schema_get', { collectionId, format: 'schema' }) }
  }

  test('a page that moves to another document', async () => {
    const move = async (blockId: string) => {
      const position = { position: 'end', pageId: await addDocument(bench, 'Another') }
      expect((await write('blocks_move', { blockIds: [blockId], position })).items).toHaveLength(1)
    }
    expect(await longestPause(move, page)).toBeLessThan(LONGEST_PAUSE)
  })

  test('a block without room at its position, so that all siblings are renumbered', async () => {
    const crowded = async () => {
      const pageId = await page()
      const position = { position: 'end', pageId }
      for (let round = 0; round < 2; round++) {
        await write('blocks_add', { blocks: newBlocks(many), position, answer: 'ids' })
      }
      return (await write('blocks_add', { blocks: newBlocks(2), position, answer: 'ids' })).items[0]?.id
    }
    const fill = async (siblingId: string | undefined) => {
      // Each of them halves a gap of 2 ** 16.
      for (let time = 0; time < 18; time++) {
        await write('blocks_add', { blocks: newBlocks(1), position: { position: 'after', siblingId }, answer: 'ids' })
      }
    }
    expect(await longestPause(fill, crowded)).toBeLessThan(LONGEST_PAUSE)
  })

  test('a page that is deleted', async () => {
    const remove = async (blockId: string) => {
      expect((await write('blocks_delete', { blockIds: [blockId] })).items).toHaveLength(1)
    }
    expect(await longestPause(remove, page)).toBeLessThan(LONGEST_PAUSE)
  })

  test('a collection of thousands of items, each with twenty values, that is deleted', async () => {
    const names = list(20, (index) => `Note ${index}`)
    const add = async () => {
      const { collectionBlockId } = await bench.call<{ collectionBlockId: string }>('collections_add', {
        schema: { name: 'Things', properties: names.map((name) => ({ type: 'text', name })) },
        position: { position: 'end', pageId: await addDocument(bench, 'Document') },
      })
      const properties = Object.fromEntries(list(20, (index) => [`note_${index}`, `words ${index}`]))
      const items = list(1_000, (index) => ({ title: `${index}`, properties }))
      for (let round = 0; round < 3; round++) {
        await write('items_add', { collectionId: collectionBlockId, items, answer: 'ids' })
      }
      return collectionBlockId
    }
    const remove = async (collectionId: string) => {
      expect((await write('blocks_delete', { blockIds: [collectionId] })).items).toHaveLength(1)
    }
    expect(await longestPause(remove, add)).toBeLessThan(LONGEST_PAUSE)
  })

  test.each([
    ['that turns it round', (lines: string[]) => lines.toReversed()],
    ['that says something else', (lines: string[]) => lines.map((_, index) => `other words ${index}`)],
    ['that leaves all out', () => ['one line']],
  ])('a text of a page %s', async (_, edit) => {
    const read = async () => {
      const pageId = await page()
      const markdown = await bench.call<string>('blocks_get', { id: pageId, maxBlocks: 20_000, format: 'markdown' })
      const whole = JSON.parse(await bench.call<string>('blocks_get', { id: pageId, maxBlocks: 20_000 }))
      const lines = markdown.split('\n\n').filter((line) => !line.includes('<'))
      return { pageId, revision: whole.revision, markdown: edit(lines).join('\n\n') }
    }
    const change = async (args: object) => {
      expect(await bench.call('blocks_update', { ...args, answer: 'ids' })).toHaveProperty('revision')
    }
    expect(await longestPause(change, read)).toBeLessThan(LONGEST_PAUSE)
  })

  const ofDocuments: [what: string, asked: (ids: string[]) => [tool: string, args: object]][] = [
    ['documents that move', (ids) => ['documents_move', { documentIds: ids, destination: TEMPLATES }]],
    ['documents that are deleted', (ids) => ['documents_delete', { documentIds: ids }]],
    ['comments', (ids) => ['comments_add', { comments: ids.map((id) => ({ blockId: id, content: 'why' })) }]],
    ['reminders', (ids) => ['reminders_add', { reminders: ids.map((id) => ({ blockId: id })) }]],
  ]
  test.each(ofDocuments)('a thousand %s', async (_, input) => {
    const call = async (ids: string[]) => {
      expect((await write(...input(ids))).items).toHaveLength(1_000)
    }
    expect(await longestPause(call, documents)).toBeLessThan(LONGEST_PAUSE)
  })

  test('a thousand folders that are deleted', async () => {
    const add = async () =>
      (await write('folders_add', { folders: list(1_000, (index) => ({ name: `${index}` })) })).items
    const remove = async (folders: Items['items']) => {
      const folderIds = folders.map(({ id }) => id)
      expect((await write('folders_delete', { folderIds })).items).toHaveLength(1_000)
    }
    expect(await longestPause(remove, add)).toBeLessThan(LONGEST_PAUSE)
  })

  test('a folder of thousands of documents that is deleted', async () => {
    const fill = async () => {
      const { items } = await write('folders_add', { folders: [{ name: 'Full' }] })
      const destination = { folderId: items[0]?.id }
      for (let round = 0; round < 5; round++) {
        await write('documents_add', { documents: list(1_000, (index) => ({ title: `${index}` })), destination })
      }
      return destination.folderId
    }
    const remove = async (folderId: string | undefined) => {
      expect((await write('folders_delete', { folderIds: [folderId] })).items).toHaveLength(1)
    }
    const unsorted = async () => (await bench.call<{ items: { documentCount: number }[] }>('folders_list', {})).items[0]
    expect(await longestPause(remove, fill)).toBeLessThan(LONGEST_PAUSE)
    expect((await unsorted())?.documentCount).toBeGreaterThanOrEqual(5_000)
  })

  test('a property of thousands of items', async () => {
    const drop = async ({ collectionId, schema }: Awaited<ReturnType<typeof collection>>) => {
      const properties = schema.properties.filter(({ name }) => name !== 'Note')
      expect(properties).toHaveLength(1)
      await write('schema_update', { collectionId, schema: { ...schema, properties } })
    }
    expect(await longestPause(drop, collection)).toBeLessThan(LONGEST_PAUSE)
  })
})

const TEMPLATES = { destination: 'templates' }
