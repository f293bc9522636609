import { describe, expect, test } from 'vitest'
import { LINKED_FROM_PER_BLOCK } from '../../../src/base/limits.ts'
import { collectionOf } from '../../collection.ts'
import { type Answer, type Connected, connect } from '../../connect.ts'
import { contentOf, documentOf } from '../../document.ts'

const metadataOf = async ({ call }: Connected, id: string): Promise<Answer> =>
  (await call('blocks_get', { id, fetchMetadata: true, maxDepth: 0 })).metadata

const linkedFrom = async (connected: Connected, id: string): Promise<string[] | undefined> =>
  (await metadataOf(connected, id)).linkedFrom?.map(({ blockId }: Answer) => blockId)

/** Creates a document to link to, and another document whose blocks have these texts. */
async function linking(texts: (target: string) => string[], connected?: Connected) {
  const own = connected ?? (await connect())
  const target = await documentOf(own, 'the target')
  const source = await documentOf(own, texts(target).join('\n\n'))
  const blocks = (await contentOf(own, source)).map(({ id }) => id as string)
  return { ...own, target, source, blocks }
}

describe('linkedFrom in the metadata of a block', () => {
  test('names the blocks that link to it, with their documents, newest first', async () => {
    const own = await linking((target) => [`see [it](block://${target})`, 'not', `again <block://${target}>`])
    const [first, , third] = own.blocks
    expect((await metadataOf(own, own.target)).linkedFrom).toEqual([
      { blockId: third, documentId: own.source, title: 'Document' },
      { blockId: first, documentId: own.source, title: 'Document' },
    ])
    const { content } = await own.client.callTool({
      name: 'blocks_get',
      arguments: { id: own.target, fetchMetadata: true, format: 'markdown' },
    })
    expect(JSON.stringify(content)).toContain(`Link to block://${own.target} from block://${first} in`)
    expect(await metadataOf(own, own.source)).not.toHaveProperty('linkedFrom')
  })

  test('knows every form of an address, in texts, titles, tables and fields', async () => {
    const own = await linking((target) => [
      `[a](scriptorium://documents/${target})`,
      `| a |\n| --- |\n| [b](BLOCK://${target}) |`,
      `<page><pageTitle>[c](block://${target})</pageTitle></page>`,
    ])
    const position = { position: 'end', pageId: own.source }
    const { items } = await own.call('blocks_add', {
      blocks: [{ type: 'richUrl', url: `block://${own.target}`, title: 'card' }],
      position,
    })
    expect(await linkedFrom(own, own.target)).toEqual([items[0].id, ...own.blocks.toReversed()])
  })

  test('counts no code, and no bare ID', async () => {
    const own = await linking((target) => [
      `\`[a](block://${target})\``,
      `${target}`,
      `\`\`\`\nblock://${target}\n\`\`\``,
    ])
    expect(await linkedFrom(own, own.target)).toBeUndefined()
  })

  test('counts values of type blockLink', async () => {
    const own = await linking(() => ['x'])
    const { collectionId, items } = await collectionWithLink(own)
    expect(await linkedFrom(own, own.target)).toEqual(items)
    await own.call('items_update', { collectionId, itemsToUpdate: [{ id: items[0], properties: { leads: null } }] })
    expect(await linkedFrom(own, own.target)).toBeUndefined()
  })

  test('follows changes: an edited text, a deleted block, a document in the trash and restored', async () => {
    const own = await linking((target) => [`[a](block://${target})`, `[b](block://${target})`])
    const [a = '', b = ''] = own.blocks
    await own.call('blocks_update', { blocks: [{ id: b, markdown: 'no link' }] })
    expect(await linkedFrom(own, own.target)).toEqual([a])
    await own.call('blocks_update', { blocks: [{ id: b, markdown: `[b](block://${own.target})` }] })
    expect(await linkedFrom(own, own.target)).toEqual([b, a])
    await own.call('documents_delete', { documentIds: [own.source] })
    expect(await linkedFrom(own, own.target)).toBeUndefined()
    await own.call('documents_move', { documentIds: [own.source], destination: { destination: 'unsorted' } })
    await own.call('blocks_delete', { blockIds: [a] })
    expect(await linkedFrom(own, own.target)).toEqual([b])
  })

  test('is limited in number, and says that there are more', async () => {
    const count = LINKED_FROM_PER_BLOCK + 1
    const own = await linking((target) => Array.from({ length: count }, (_, index) => `[${index}](block://${target})`))
    const { linkedFrom, hasMoreLinks } = await metadataOf(own, own.target)
    expect(linkedFrom.map(({ blockId }: Answer) => blockId)).toEqual(own.blocks.toReversed().slice(0, count - 1))
    expect(hasMoreLinks).toBe(true)
  })

  test('names only blocks within reach, and does not mention others', async () => {
    const full = await connect()
    const own = await linking((target) => [`[a](block://${target})`], full)
    const seen = await documentOf(full, `[b](block://${own.target})`)
    const narrow = await connect('selected', { to: full, documents: [own.target] })
    expect(await metadataOf(narrow, own.target)).not.toHaveProperty('linkedFrom')
    const wider = await connect('selected', { to: full, documents: [own.target, seen] })
    expect((await metadataOf(wider, own.target)).linkedFrom).toMatchObject([{ documentId: seen }])
    expect(await metadataOf(wider, own.target)).not.toHaveProperty('hasMoreLinks')
  })

  test('may be sent back with a block as it was read', async () => {
    const own = await linking((target) => [`[a](block://${target})`])
    const [block] = await contentOf(own, own.target)
    await own.call('blocks_update', { blocks: [{ id: own.source, markdown: `[s](block://${block.id})` }] })
    const read = await own.call('blocks_get', { id: block.id, fetchMetadata: true })
    expect(read.metadata.linkedFrom).toHaveLength(1)
    await own.call('blocks_update', { blocks: [{ id: own.source, markdown: 'no link' }] })
    await own.call('blocks_update', {
      blocks: [{ id: block.id, metadata: read.metadata, markdown: 'the target, again' }],
    })
  })
})

/** Creates a collection with an item that links to the target. */
async function collectionWithLink(own: Awaited<ReturnType<typeof linking>>) {
  const collectionId = await collectionOf(own, [{ name: 'Leads', type: 'blockLink' }])
  const { items } = await own.call('items_add', {
    collectionId,
    items: [{ title: 'item', properties: { leads: { blockId: own.target } } }],
  })
  return { collectionId, items: items.map(({ id }: Answer) => id) as string[] }
}
