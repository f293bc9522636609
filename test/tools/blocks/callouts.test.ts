/** Callouts around several blocks: in Markdown, in JSON, and when their blocks are changed one by one. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Connected, connect } from '../../connect.ts'

let space: Connected
let pageId: string
const TEXT =
  '<callout title="T" icon="tip">\na\n\n- b\n\n<callout folded="true">\n```js\nc\n```\n</callout>\n</callout>\n\nd'
beforeEach(async () => {
  space = await connect()
  const { items } = await space.call('documents_add', { documents: [{ title: 'd', markdown: TEXT }] })
  pageId = items[0].id
})

async function textNow(): Promise<string> {
  const text: string = await space.call('blocks_get', { id: pageId, format: 'markdown' })
  return /<content>\n([\s\S]*)\n<\/content>/.exec(text)?.[1] ?? ''
}
const blocksNow = async () => (await space.call('blocks_get', { id: pageId })).content
const calloutsNow = async () =>
  (await blocksNow()).map((block: { decorations?: { callout: unknown } }) => block.decorations?.callout)
const update = (block: object) => space.call('blocks_update', { blocks: [block] })
const edit = async (markdown: string) => {
  const { revision } = await space.call('blocks_get', { id: pageId })
  return space.call('blocks_update', { pageId, markdown, revision })
}
const FIRST = { starts: true, title: 'T', icon: 'tip' }

test('are read and written as they were sent', async () => {
  expect(await textNow()).toBe(TEXT)
  expect(await calloutsNow()).toEqual([[FIRST], [{}], [{}, { starts: true, folded: true }], undefined])
  expect(await edit(await textNow())).toMatchObject({ added: [], changed: [], moved: [], deleted: [] })
})

describe('a client that knows only true', () => {
  test('keeps the callouts of a block that it writes back', async () => {
    const [a, b] = await blocksNow()
    await update({ id: a.id, markdown: '<callout>x</callout>', decorations: { callout: true } })
    await update({ id: b.id, markdown: b.markdown.replace('b', 'y') })
    expect(await textNow()).toBe(TEXT.replace('\na\n', '\nx\n').replace('- b', '- y'))
  })
  test('makes a callout of one block', async () => {
    const { 3: d } = await blocksNow()
    await update({ id: d.id, decorations: ['callout'] })
    expect((await calloutsNow()).at(-1)).toBe(true)
    expect(await textNow()).toBe(TEXT.replace(/d$/, '<callout>d</callout>'))
  })
})

describe('the title of a callout', () => {
  const inner = '<callout title="Outer">\na\n\n<callout title="Inner">\nb\n\nc\n</callout>\n</callout>'

  test('is changed by the Markdown of the block at which it begins, also in another callout', async () => {
    await edit(inner)
    const [a, b] = await blocksNow()
    await update({ id: a.id, markdown: '<callout title="New">a</callout>' })
    await update({ id: b.id, markdown: '<callout title="Newer" folded="true">b</callout>' })
    const changed = inner.replace('Outer', 'New').replace('"Inner"', '"Newer" folded="true"')
    expect(await textNow()).toBe(changed)
  })

  test('is found by its words, and no longer when it was changed', async () => {
    await edit(inner.replace('Inner', 'Okapi'))
    const [, b] = await blocksNow()
    const found = async (word: string) => {
      const { items } = await space.call('documents_search', { include: [word] })
      return items.map(({ blockIds }: { blockIds: string[] }) => blockIds)
    }
    expect(await found('okapi')).toEqual([[b.id]])
    await update({ id: b.id, decorations: { callout: [{}, { starts: true, title: 'Zebra' }] } })
    expect(await found('okapi')).toEqual([])
    expect(await found('zebra')).toEqual([[b.id]])
  })
})

describe('blocks that are written in place of one in two callouts', () => {
  const nested = '<callout title="Outer">\na\n\n<callout title="Inner">\nb\n\nc\n</callout>\n\nd\n</callout>'
  const written = async (index: number, markdown: string): Promise<string> => {
    await edit(nested)
    await update({ id: (await blocksNow())[index].id, markdown })
    return textNow()
  }

  test('stay in the outer one, and its later blocks do, too', async () => {
    expect(await written(1, '<callout title="New">b</callout>\n\nx')).toBe(
      '<callout title="Outer">\na\n\n<callout title="New">\nb\n</callout>\n\nx\n\n<callout>\nc\n</callout>\n\nd\n</callout>',
    )
    expect(await written(2, '<callout>c</callout>\n\nx')).toBe(
      nested.replace('</callout>\n\nd', '</callout>\n\nx\n\nd'),
    )
    expect(await written(2, '<callout>c</callout>\n\n<callout title="Next">x</callout>')).toBe(
      nested.replace('</callout>\n\nd', '</callout>\n\n<callout title="Next">\nx\n</callout>\n\nd'),
    )
    expect(await written(2, '<callout>c</callout>\n\n<callout>x</callout>')).toBe(
      nested.replace('</callout>\n\nd', '</callout>\n\n<callout>\nx\n</callout>\n\nd'),
    )
  })

  test('are in the inner one if the tag is around them, which keeps its title', async () => {
    expect(await written(1, '<callout title="New" folded="true">\nb\n\nx\n</callout>')).toBe(
      nested.replace('"Inner">\nb', '"New" folded="true">\nb\n\nx'),
    )
    expect(await written(1, '<callout>\nb\n\nx\n</callout>')).toBe(nested.replace('\nb\n', '\nb\n\nx\n'))
    expect(await written(2, '<callout>\nc\n\nx\n</callout>')).toBe(nested.replace('\nc\n', '\nc\n\nx\n'))
    expect(await written(0, '<callout>\na\n\nx\n</callout>')).toBe(nested.replace('\na\n', '\na\n\nx\n'))
  })

  test('are refused in more callouts than a block may be in', async () => {
    await edit(`${'<callout>\n'.repeat(16)}a${'\n</callout>'.repeat(16)}`)
    const [{ id }] = await blocksNow()
    const markdown = '<callout>a</callout>\n\n<callout><callout>b</callout></callout>'
    expect(await space.refused('blocks_update', { blocks: [{ id, markdown }] })).toBe(
      'Expected at most 16 callouts in each other, found 17 with those around the block; end one before. Nothing was written.',
    )
  })
})

describe('the first block', () => {
  const after = TEXT.replace('a\n\n- b', '- b')
  test('passes its callouts on when it is deleted, and an undo takes them back', async () => {
    const [a] = await blocksNow()
    await space.call('blocks_delete', { blockIds: [a.id] })
    expect(await textNow()).toBe(after)
    const { items } = await space.call('history_list', { documentId: pageId })
    await space.call('history_undo', { calls: [items[0].callId] })
    expect(await textNow()).toBe(TEXT)
  })
  test('passes them on with the second, past what is deleted as well', async () => {
    const [a, b] = await blocksNow()
    await space.call('blocks_delete', { blockIds: [a.id, b.id] })
    expect((await calloutsNow())[0]).toEqual([FIRST, { starts: true, folded: true }])
  })
  test('keeps them when it moves', async () => {
    const [a, , , d] = await blocksNow()
    await space.call('blocks_move', { blockIds: [a.id], position: { position: 'after', siblingId: d.id } })
    expect(await textNow()).toBe(`${after}\n\n<callout title="T" icon="tip">\na\n</callout>`)
  })
  test('passes them on when it is taken out', async () => {
    const [a] = await blocksNow()
    await update({ id: a.id, decorations: { callout: false } })
    expect(await textNow()).toBe(`a\n\n${after}`)
  })
  test('leaves nothing in the callout before it', async () => {
    await edit('<callout title="A">\na\n</callout>\n\n<callout title="B">\nb\n\nc\n</callout>')
    const [, b] = await blocksNow()
    await space.call('blocks_delete', { blockIds: [b.id] })
    expect(await textNow()).toBe('<callout title="A">\na\n</callout>\n\n<callout title="B">\nc\n</callout>')
  })
})

test('a text adds blocks inside, changes titles, and divides', async () => {
  await edit(TEXT.replace('- b', '- b\n\nnew'))
  expect((await calloutsNow())[2]).toEqual([{}])
  await edit(TEXT.replace('title="T"', 'title="U"'))
  expect((await calloutsNow())[0]).toEqual([{ ...FIRST, title: 'U' }])
  await edit('<callout>\na\n</callout>\n\nx\n\n<callout>\n- b\n</callout>')
  expect(await calloutsNow()).toEqual([true, undefined, true])
})

test.each([
  [
    '<callout size="2">a</callout>',
    'Expected title, icon, color (six hex digits after #) and folded ("true") on <callout>, found size="2" at line 1, column 1; use one of them or leave it out.',
  ],
  ['<callout color="red">a</callout>', 'found color="red" at line 1'],
])('%s is refused', async (markdown, message) => {
  expect(await space.refused('blocks_add', { markdown, position: { position: 'end', pageId } })).toContain(message)
})

test('numbers begin again in each callout', async () => {
  const text = '<callout>\n1. a\n1. b\n</callout>\n\n<callout>\n1. c\n1. d\n</callout>\n\n1. e'
  await edit(text)
  expect(await textNow()).toBe(text)
  expect((await blocksNow()).map(({ number }: { number?: number }) => number)).toEqual([
    undefined,
    undefined,
    1,
    undefined,
    1,
  ])
})
