/** A block that is so long that it is parsed in chunks or in a worker. */
import { expect, onTestFinished, test } from 'vitest'
import { addBlockOfLinks } from './block-of-links.ts'

test('a block with thousands of links is read and changed, even if some lead out of reach', async () => {
  const { open, full, selected, id, hidden, pair } = await addBlockOfLinks(2_500)
  onTestFinished(() => open.close())
  const { markdown } = JSON.parse(await selected<string>('blocks_get', { id }))
  expect(markdown).toBe(pair.replace(`block://${hidden}`, 'invalid:out_of_scope').repeat(2_500).trimEnd())
  expect(markdown).not.toContain(hidden)
  await selected('blocks_update', { blocks: [{ id, markdown: `${markdown} end` }], answer: 'ids' })
  const stored = JSON.parse(await full<string>('blocks_get', { id })).markdown
  expect(stored).toBe(`${pair.repeat(2_500)}end`)
})
