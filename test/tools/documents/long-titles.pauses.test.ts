/** Titles with a lot of formatting: each is parsed without a pause, and a list yields between two of them. */
import { expect, onTestFinished, test } from 'vitest'
import { openWorkbench } from '../../bench/workbench.ts'
import { LONGEST_PAUSE, longestPause } from '../../support/pauses.ts'

test.each([
  ['signs', '*a_'.repeat(333), (title: string) => ({ markdown: title })],
  ['marks', '*a_'.repeat(333), (title: string) => ({ title: { value: title, attributes: MARKS } })],
])('three hundred titles of %s are listed', async (_, title, update) => {
  const bench = await openWorkbench(':memory:')
  onTestFinished(() => bench.close())
  const { call } = bench
  const many = <Entry>(entry: () => Entry) => Array.from({ length: 300 }, entry)
  const { items: documents } = await call<Items>('documents_add', { documents: many(() => ({ title: 'a' })) })
  const { collectionBlockId: collectionId } = await call<{ collectionBlockId: string }>('collections_add', {
    schema: { name: 'Things', properties: [] },
    position: { position: 'end', pageId: documents[0]?.id },
  })
  const { items } = await call<Items>('items_add', { collectionId, items: many(() => ({ title: 'a' })) })
  const blocks = [...documents, ...items].map(({ id }) => ({ id, ...update(title) }))
  for (let from = 0; from < blocks.length; from += 200) {
    await call('blocks_update', { blocks: blocks.slice(from, from + 200), answer: 'ids' })
  }
  for (const [tool, args] of [
    ['documents_list', { limit: 1_000 }],
    ['documents_list', { limit: 1_000, format: 'markdown' }],
    ['items_list', { collectionId, limit: 1_000 }],
    ['items_list', { collectionId, limit: 1_000, format: 'markdown' }],
    ['blocks_get', { id: collectionId, maxBlocks: 2_000 }],
    ['blocks_get', { id: collectionId, maxBlocks: 2_000, format: 'markdown' }],
  ] as const) {
    let length = 0
    const list = async () => {
      length = JSON.stringify(await call(tool, args)).length
    }
    expect(await longestPause(list), `${tool} ${JSON.stringify(args)}`).toBeLessThan(LONGEST_PAUSE)
    expect(length).toBeGreaterThan(280_000)
  }
})

const MARKS = Array.from({ length: 100 }, (_, index) => ({ start: 3 * index, end: 3 * index + 2, type: 'bold' }))

interface Items {
  items: { id: string }[]
}
