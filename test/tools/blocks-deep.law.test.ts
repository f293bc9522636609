/** Pages in pages, far deeper than one call makes them. */
import { expect, test } from 'vitest'
import { type Connected, connect } from '../connect.ts'
import { documentOf, outlineOf } from '../document.ts'
import { connectionOf } from '../sqlite.ts'

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

/** Nested pages named by their depth, written straight into the file, since one call nests 64 levels at most. */
async function chain({ space }: Connected, id: string, length: number): Promise<string> {
  const full = await space.createAccessLink('full', [], 'tester')
  return space.write(full, async (view) => {
    const { tx, now } = view
    const ids = await view.newIds(length)
    const root = connectionOf(tx).sql<{ n: number }>('SELECT n FROM block WHERE id = ?').get(id)?.n ?? 0
    const start = 1 + (connectionOf(tx).sql<{ n: number }>('SELECT max(n) AS n FROM block').get()?.n ?? 0)
    const insert = connectionOf(tx).sql(
      `INSERT INTO block (n, id, document, parent, position, type, text, indentation, created_at, created_by)
       VALUES (?, ?, ?, ?, 0, 'page', ?, 0, ?, 'tester')`,
    )
    let first = ''
    for (let depth = 0; depth < length; depth++) {
      const block = ids[depth]
      first ||= String(block)
      insert.run(start + depth, block, root, depth === 0 ? root : start + depth - 1, String(depth + 1), now)
    }
    return first
  })
}
