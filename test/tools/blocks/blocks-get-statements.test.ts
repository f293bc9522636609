import { expect, onTestFinished, test, vi } from 'vitest'
import { Connection } from '../../../storage/sqlite/connection.ts'
import { addDocument, openWorkbench } from '../../bench/workbench.ts'

test('a block without children is read by one statement', async () => {
  const bench = await openWorkbench(':memory:')
  onTestFinished(() => bench.close())
  const { items } = await bench.call<{ items: { id: string }[] }>('blocks_add', {
    blocks: [{ type: 'text', markdown: 'A line.' }],
    position: { position: 'end', pageId: await addDocument(bench, 'One') },
  })
  const statements = vi.spyOn(Connection.prototype, 'sql')
  onTestFinished(() => statements.mockRestore())
  await bench.call('blocks_get', { id: items[0]?.id })
  const ofRows = statements.mock.calls.filter(([source]) =>
    /^\s*SELECT block\.n, block\.id\b.*\bFROM block\b/s.test(source),
  )
  expect(ofRows).toHaveLength(1)
})
