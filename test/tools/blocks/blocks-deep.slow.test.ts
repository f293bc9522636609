/** Nested pages, far deeper than one call can create them. */
import { expect, test } from 'vitest'
import { block as blockTable } from '../../../storage/schema.ts'
import { insertInto } from '../../../storage/statement.ts'
import { type Connected, connect } from '../../connect.ts'
import { documentOf, outlineOf } from '../../document.ts'
import { firstValue } from '../../sqlite.ts'

test('a chain of 100,000 nested blocks is read, moved and deleted', { timeout: 120_000 }, async () => {
  const connected = await connect()
  const id = await documentOf(connected)
  const other = await documentOf(connected)
  const first = await chain(connected, id, 100_000)
  await connected.call('blocks_move', { blockIds: [first], position: { position: 'end', pageId: other } })
  const part = await connected.call('blocks_get', { id: first, maxBlocks: 20_000 })
  expect(part.pagination.remaining).toBe(80_000)
  const next = await connected.call('blocks_get', {
    id: first,
    maxBlocks: 20_000,
    cursor: part.pagination.cursor,
    format: 'markdown',
  })
  expect(next).toContain('<pageTitle>20001</pageTitle>')
  await connected.call('blocks_delete', { blockIds: [first] })
  expect(await outlineOf(connected, other)).toEqual([])
})

/** Inserts nested pages, named by their depth, directly into the tables, since one call nests at most 64 levels. */
async function chain({ space }: Connected, id: string, length: number): Promise<string> {
  const full = await space.createAccessLink('full', [], 'tester')
  return space.write(full, async (view) => {
    const { tx, now } = view
    const ids = await view.newIds(length)
    const root = (await firstValue<number>(tx, 'SELECT n FROM block WHERE id = ?', id)) ?? 0
    const start = 1 + ((await firstValue<number>(tx, 'SELECT max(n) FROM block')) ?? 0)
    const pages = ids.map((block, depth) => ({
      ...{ n: start + depth, id: block, document: root, parent: depth === 0 ? root : start + depth - 1, position: 0 },
      ...{ type: 'page', text: String(depth + 1), indentation: 0, createdAt: now, createdBy: 'tester' },
    }))
    await tx.batch(insertInto(blockTable), pages)
    return String(ids[0])
  })
}
