/** A read that is to be complete, and does not fit into what is left of the quota of blocks, reads one block too many. */
import { expect, test } from 'vitest'
import { listItems } from '../../src/space/items/item-list.ts'
import { GivenId } from '../../src/space/model/ids.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { getBlock } from '../../src/space/reading/get-block.ts'
import { listTasks } from '../../src/space/tasks/task-list.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'

const LEFT = 5

test('of documents, tasks, items and their content', async () => {
  const connected = await connect()
  const { call, space } = connected
  const lines = Array.from({ length: 30 }, (_, index) => `- [ ] task ${index}`)
  const id = await documentOf(connected, lines.join('\n'))
  const schema = { name: 'Deals', properties: [] }
  const position = { position: 'end', pageId: id }
  const { collectionBlockId } = await call('collections_add', { schema, position })
  const items = lines.map((title) => ({ title, markdown: 'words\n\nmore words' }))
  await call('items_add', { collectionId: collectionBlockId, items })

  await space.read({ ...OPERATOR_LINK, blocksLeft: LEFT }, async (view) => {
    for (const maxDepth of [-1, 1]) {
      const read = { id: new GivenId(id), maxDepth, fetchMetadata: false, maxBlocks: 1_000 } as const
      expect((await getBlock(view, { ...read, format: 'json' })).blocks).toBe(LEFT + 1)
      expect((await getBlock(view, { ...read, format: 'markdown' })).blocks).toBe(LEFT + 1)
    }
    expect((await listTasks(view, { scope: 'all', limit: 1_000 })).items).toHaveLength(LEFT + 1)
    const listing = { collectionId: new GivenId(collectionBlockId), format: 'json' } as const
    expect((await listItems(view, { ...listing, maxDepth: 0 })).blocks).toBe(LEFT + 1)
    // Two items of three blocks each.
    expect((await listItems(view, { ...listing, maxDepth: -1 })).blocks).toBe(LEFT + 1)
  })
})
