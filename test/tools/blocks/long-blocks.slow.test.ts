/** A block that is so long that it is parsed in chunks or in a worker. */
import { expect, onTestFinished, test } from 'vitest'
import { openSpace } from '../../../src/space/open-space.ts'
import { callerOf } from '../../bench/workbench.ts'

test('a block with thousands of links is read and changed, even if some lead out of reach', async () => {
  const open = await openSpace(':memory:', { name: 'Long', timezone: 'Europe/Budapest' })
  onTestFinished(() => open.close())
  const full = callerOf(open, await open.createAccessLink('full', [], 'tester'))
  const { items } = await full<Items>('documents_add', { documents: [{ title: 'Within' }, { title: 'Hidden' }] })
  const [within = '', hidden = ''] = items.map(({ id }) => id)
  const pair = `[a](block://${within}) [b](block://${hidden}) `
  const blocks = [{ type: 'text', markdown: pair.repeat(2_500) }]
  const added = await full<Items>('blocks_add', { blocks, position: { position: 'end', pageId: within } })
  const id = added.items[0]?.id ?? ''
  const selected = callerOf(open, await open.createAccessLink('selected', [within], 'tester'))

  const { markdown } = JSON.parse(await selected<string>('blocks_get', { id }))
  expect(markdown).toBe(pair.replace(`block://${hidden}`, 'invalid:out_of_scope').repeat(2_500).trimEnd())
  expect(markdown).not.toContain(hidden)
  await selected('blocks_update', { blocks: [{ id, markdown: `${markdown} end` }], answer: 'ids' })
  const stored = JSON.parse(await full<string>('blocks_get', { id })).markdown
  expect(stored).toBe(`${pair.repeat(2_500)}end`)
})

interface Items {
  items: { id: string }[]
}
