/** Numbers of lists in calls: stored with the block, and continued from the list that is stored. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Connected, connect } from '../../connect.ts'

let space: Connected
beforeEach(async () => {
  space = await connect()
})

async function addDocument(markdown: string): Promise<string> {
  const { items } = await space.call('documents_add', { documents: [{ title: 'd', markdown }] })
  return items[0].id
}
/** The text of a page without its frame. */
async function textOf(id: string): Promise<string> {
  const text: string = await space.call('blocks_get', { id, format: 'markdown' })
  return /<content>\n([\s\S]*)\n<\/content>/.exec(text)?.[1] ?? ''
}
const blocksOf = async (id: string) => (await space.call('blocks_get', { id })).content
const edit = async (pageId: string, markdown: string) => {
  const { revision } = await space.call('blocks_get', { id: pageId })
  return space.call('blocks_update', { pageId, markdown, revision })
}

test.each([
  ['5. a\n6. b\n7. c', '5. a\n6. b\n7. c'],
  ['24. Dezember ist Feiertag', '24\\. Dezember ist Feiertag'],
  ['- 18. september: event', '- 18\\. september: event'],
  ['1. a\n7. b', '1. a\n7. b'],
])('%s', async (markdown, expected) => {
  expect(await textOf(await addDocument(markdown))).toBe(expected)
})

test('a block has a number only where counting gives another one', async () => {
  const id = await addDocument('5. a\n6. b')
  expect((await blocksOf(id)).map(({ markdown, number }: never) => [markdown, number])).toEqual([
    ['5. a', 5],
    ['1. b', undefined],
  ])
})

test('a text that is written back changes nothing', async () => {
  const id = await addDocument('5. a\n6. b\n\n24. Dezember')
  expect(await edit(id, await textOf(id))).toMatchObject({ added: [], changed: [], moved: [], deleted: [] })
})

test('a text that is written back after a block was deleted changes nothing', async () => {
  const id = await addDocument('1. a\n2. b\n5. c\n3. d')
  const [, , c] = await blocksOf(id)
  await space.call('blocks_delete', { blockIds: [c.id] })
  expect(await textOf(id)).toBe('1. a\n1. b\n1. d')
  expect(await edit(id, await textOf(id))).toMatchObject({ added: [], changed: [], moved: [], deleted: [] })
})

describe('a stored list', () => {
  const add = (id: string, markdown: string) =>
    space.call('blocks_add', { markdown, position: { position: 'end', pageId: id } })

  test('is continued', async () => {
    const id = await addDocument('1. a\n2. b')
    await add(id, '3. c')
    await add(id, '9. d')
    expect(await textOf(id)).toBe('1. a\n1. b\n1. c\n9. d')
  })
  test('is not continued past another text', async () => {
    const id = await addDocument('1. a\n\nb')
    await add(id, '2. c')
    expect(await textOf(id)).toBe('1. a\n\nb\n\n2\\. c')
  })
  test('is continued on its level', async () => {
    const id = await addDocument('1. a\n  - b')
    await add(id, '2. c')
    expect(await textOf(id)).toBe('1. a\n  - b\n1. c')
  })
})

describe('blocks_add', () => {
  test('makes an item of any number if listStyle says so, and takes what was read', async () => {
    const id = await addDocument('x')
    const position = { position: 'end', pageId: id }
    const { items } = await space.call('blocks_add', {
      blocks: [{ type: 'text', markdown: '24. Dezember', listStyle: 'numbered' }],
      position,
    })
    expect(items[0]).toMatchObject({ markdown: '24. Dezember', number: 24 })
    expect(await textOf(id)).toBe('x\n\n<!-- -->\n\n24. Dezember')
    const [, block] = await blocksOf(id)
    const { id: _, ...read } = block
    await space.call('blocks_add', { blocks: [{ type: 'text', markdown: 'y' }, read], position })
    expect((await blocksOf(id)).at(-1)).toMatchObject(read)
  })
})

describe('blocks_update', () => {
  const update = (block: object) => space.call('blocks_update', { blocks: [block] })

  test('keeps and changes the number of an item', async () => {
    const id = await addDocument('5. a\n6. b')
    const [a, b] = await blocksOf(id)
    await update({ id: a.id, markdown: '5. x' })
    await update({ id: b.id, markdown: '9. y' })
    expect(await textOf(id)).toBe('<!-- -->\n\n5. x\n9. y')
    await update({ id: b.id, markdown: '6. y' })
    expect(await textOf(id)).toBe('5. x\n6. y')
    await update({ id: a.id, markdown: '1. x' })
    expect(await textOf(id)).toBe('1. x\n1. y')
  })
  test('drops the number with the list', async () => {
    const id = await addDocument('5. a\n6. b')
    const [a] = await blocksOf(id)
    await update({ id: a.id, listStyle: 'bullet' })
    await update({ id: a.id, listStyle: 'numbered' })
    expect(await textOf(id)).toBe('1. a\n1. b')
  })
  test('keeps a date as text', async () => {
    const id = await addDocument('a')
    const [a] = await blocksOf(id)
    await update({ id: a.id, markdown: '24. Dezember' })
    expect(await textOf(id)).toBe('24\\. Dezember')
  })
  test('compares the expected number', async () => {
    const id = await addDocument('5. a\n6. b')
    const [a] = await blocksOf(id)
    expect(
      await space.refused('blocks_update', { blocks: [{ id: a.id, expectedMarkdown: '4. a', markdown: 'x' }] }),
    ).toContain('it was changed')
    await update({ id: a.id, expectedMarkdown: '5. a', markdown: '5. z' })
    expect(await textOf(id)).toBe('5. z\n6. b')
  })
  test.each([
    ['am 1. Mai', 'am 1. Mai', '1. Mai', '1\\. Mai'],
    ['am 1. Mai', 'am 1. Mai', '26. Mai', '26\\. Mai'],
    ['- am 1. Mai', 'am 1.', '1.', '- 1\\. Mai'],
    ['1. a\n2. b', '1. b', '7. b', '1. a\n7. b'],
  ])('replaces in %s: %s by %s', async (markdown, old, replacement, expected) => {
    const id = await addDocument(markdown)
    await space.call('blocks_update', { pageId: id, replace: [{ old, new: replacement }] })
    expect(await textOf(id)).toBe(expected)
  })
})

test('tasks keep their days', async () => {
  const tasks = ['24. Dezember planen', '1. Mai planen', '1. [ ] a'].map((markdown) => ({ markdown }))
  const { items } = await space.call('tasks_add', { tasks })
  expect(items.map(({ markdown }: { markdown: string }) => markdown)).toEqual([
    '- [ ] 24\\. Dezember planen',
    '- [ ] 1\\. Mai planen',
    '- [ ] a',
  ])
  await space.call('tasks_update', { tasks: [{ id: items[2].id, markdown: '31. Mai' }] })
  expect(
    (await space.call('tasks_list', { scope: 'inbox' })).items.map((task: { markdown: string }) => task.markdown),
  ).toContain('- [ ] 31\\. Mai')
})

test('an undo brings numbers back', async () => {
  const id = await addDocument('5. a\n6. b')
  const [a] = await blocksOf(id)
  await space.call('blocks_update', { blocks: [{ id: a.id, markdown: '9. a' }] })
  await space.call('blocks_delete', { blockIds: [a.id] })
  const { items } = await space.call('history_list', { documentId: id })
  await space.call('history_undo', { calls: [items[0].callId] })
  expect(await textOf(id)).toBe('9. a\n10. b')
  await space.call('history_undo', { calls: [items[1].callId] })
  expect(await textOf(id)).toBe('5. a\n6. b')
})
