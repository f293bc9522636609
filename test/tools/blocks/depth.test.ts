/** Levels of lists beyond the fifth, where `indentationLevel` ends. */
import { beforeEach, describe, expect, test } from 'vitest'
import { LIST_LEVELS } from '../../../src/markdown/block.ts'
import { type Connected, connect } from '../../connect.ts'

let space: Connected
beforeEach(async () => {
  space = await connect()
})

const list = (levels: number) =>
  Array.from({ length: levels }, (_, level) => `${'  '.repeat(level)}- ${level}`).join('\n')

async function addDocument(markdown: string): Promise<string> {
  const { items } = await space.call('documents_add', { documents: [{ title: 'd', markdown }] })
  return items[0].id
}
async function textOf(id: string): Promise<string> {
  const text: string = await space.call('blocks_get', { id, format: 'markdown' })
  return /<content>\n([\s\S]*)\n<\/content>/.exec(text)?.[1] ?? ''
}
const blocksOf = async (id: string) => (await space.call('blocks_get', { id })).content
const update = (block: object) => space.call('blocks_update', { blocks: [block] })

test('are kept in Markdown, and JSON tells them beside indentationLevel', async () => {
  const id = await addDocument(list(9))
  expect(await textOf(id)).toBe(list(9))
  const blocks = await blocksOf(id)
  expect(blocks.slice(4).map(({ indentationLevel, depth }: never) => [indentationLevel, depth])).toEqual([
    [4, undefined],
    [5, undefined],
    [5, 6],
    [5, 7],
    [5, 8],
  ])
  expect(blocks[8].markdown).toBe(`${' '.repeat(16)}- 8`)
})

test('end at a limit, with the place of what is deeper', async () => {
  expect(await textOf(await addDocument(list(LIST_LEVELS + 1)))).toBe(list(LIST_LEVELS + 1))
  const refused = await space.refused('documents_add', {
    documents: [{ title: 'd', markdown: list(LIST_LEVELS + 2) }],
  })
  expect(refused).toContain(
    'Expected lists of at most 32 levels below the first, found more at line 34, column 67; move the deeper items to a page of their own.',
  )
  expect(
    await space.refused('blocks_add', {
      blocks: [{ type: 'text', markdown: 'a', depth: LIST_LEVELS + 1 }],
      position: { position: 'end', pageId: await addDocument('x') },
    }),
  ).toContain('depth')
})

describe('blocks_update', () => {
  let pageId: string
  let deep: { id: string }
  beforeEach(async () => {
    pageId = await addDocument(list(8))
    deep = (await blocksOf(pageId)).at(-1)
  })
  const shown = async () => {
    const { indentationLevel, depth } = (await blocksOf(pageId)).at(-1)
    return [indentationLevel, depth]
  }
  test('keeps the depth of a block that is written back', async () => {
    await update({ ...deep, markdown: '- x' })
    expect(await shown()).toEqual([5, 7])
    await update({ id: deep.id, indentationLevel: 5, markdown: '- y' })
    expect(await shown()).toEqual([5, 7])
  })
  test('drops it with another indentationLevel, even if it is sent', async () => {
    await update({ ...deep, indentationLevel: 4 })
    expect(await shown()).toEqual([4, undefined])
  })
  test('drops it on request', async () => {
    await update({ id: deep.id, depth: null })
    expect(await shown()).toEqual([5, undefined])
  })
  test('sets it', async () => {
    await update({ id: deep.id, depth: 6 })
    expect(await shown()).toEqual([5, 6])
    await update({ id: deep.id, depth: 2 })
    expect(await shown()).toEqual([2, undefined])
    expect(
      await space.refused('blocks_update', { blocks: [{ id: deep.id, indentationLevel: 5, depth: 3 }] }),
    ).toContain('Expected the same level in depth and indentationLevel, found 3 and 5; leave depth out.')
  })
  test('keeps it when the page is edited as text, and takes back', async () => {
    const { revision } = await space.call('blocks_get', { id: pageId })
    const markdown = (await textOf(pageId)).replace(/^ +- 7/m, `${' '.repeat(12)}- seven`)
    await space.call('blocks_update', { pageId, markdown, revision })
    expect(await shown()).toEqual([5, 6])
    const { items } = await space.call('history_list', { documentId: pageId })
    await space.call('history_undo', { calls: [items[0].callId] })
    expect(await shown()).toEqual([5, 7])
  })
})

test('are counted in numbered lists', async () => {
  const id = await addDocument(`${list(7)}\n<!-- -->\n\n${' '.repeat(14)}1. a\n${' '.repeat(14)}1. b`)
  await space.call('blocks_add', {
    blocks: [{ type: 'text', markdown: '3. c', depth: 7 }],
    position: { position: 'end', pageId: id },
  })
  expect((await blocksOf(id)).at(-1)).toMatchObject({ listStyle: 'numbered', depth: 7 })
  expect((await blocksOf(id)).at(-1).number).toBeUndefined()
})

test('stay when blocks move and are copied, and go with a task to the logbook', async () => {
  const id = await addDocument(`${list(7)}\n${' '.repeat(14)}- [ ] a`)
  const other = await addDocument('x')
  const task = (await blocksOf(id)).at(-1)
  await space.call('blocks_move', { blockIds: [task.id], position: { position: 'end', pageId: other } })
  expect((await blocksOf(other)).at(-1)).toMatchObject({ indentationLevel: 5, depth: 7 })
  await space.call('tasks_update', { tasks: [{ id: task.id, location: { type: 'inbox' } }] })
  const [inInbox] = (await space.call('tasks_list', { scope: 'inbox' })).items
  expect(inInbox.markdown).toBe('- [ ] a')
  const { indentationLevel, depth } = await space.call('blocks_get', { id: task.id })
  expect([indentationLevel, depth]).toEqual([undefined, undefined])
})
