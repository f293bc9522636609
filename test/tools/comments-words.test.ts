/** Comments on words: the mark covers them, moves with them through edits by anybody, and they stay readable when gone. */
import { expect, test } from 'vitest'
import { type Answer, connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'

async function opened(markdown = 'The quick brown fox jumps.') {
  const connected = await connect()
  const { call } = connected
  const document = await documentOf(connected, markdown)
  const [block] = await contentOf(connected, document)
  const add = async (words: string, more: object = {}): Promise<string> =>
    (await call('comments_add', { comments: [{ blockId: block.id, content: `on ${words}`, words, ...more }] }))
      .commentId
  const read = async (): Promise<{ markdown: string; comments: Answer[] }> => {
    const { markdown, metadata } = await call('blocks_get', { id: block.id, fetchMetadata: true })
    return { markdown, comments: metadata.comments ?? [] }
  }
  const write = (text: string, more: object = {}) =>
    call('blocks_update', { blocks: [{ id: block.id, markdown: text, ...more }] })
  const undo = async () => {
    const { items } = await call('history_list', { limit: 1 })
    await call('history_undo', { calls: [items[0].callId] })
  }
  return { ...connected, document, block, add, read, write, undo }
}

const mark = (id: string, words: string) => `<comment id="${id}">${words}</comment>`

test('threads about words, and one about the whole block, stand beside and in each other', async () => {
  const { add, read, call, block } = await opened('The **quick brown** fox jumps.')
  const quick = await add('quick')
  const fox = await add('brown fox')
  const { commentId: whole } = await call('comments_add', { comments: [{ blockId: block.id, content: 'all of it' }] })
  const { commentId: answer } = await call('comments_add', { comments: [{ commentId: quick, content: 'an answer' }] })
  const { markdown, comments } = await read()
  expect(markdown).toBe(mark(whole, `The **${mark(quick, 'quick')}** ${mark(fox, '**brown** fox')} jumps.`))
  expect(comments.map(({ id, threadId, words }) => [id, threadId, words])).toEqual([
    [quick, quick, 'quick'],
    [fox, fox, 'brown fox'],
    [whole, undefined, undefined],
    [answer, quick, 'quick'],
  ])
  const text = await call('blocks_get', { id: block.id, fetchMetadata: true, format: 'markdown' })
  expect(text).not.toContain('undefined')
})

test.each([
  ['a text around it that keeps the mark', (id: string) => `A ${mark(id, 'quick')} fox.`, 'quick'],
  ['other words in the mark', (id: string) => `A ${mark(id, 'very quick')} fox.`, 'very quick'],
  ['a text without the mark, with the words elsewhere', () => 'Foxes are quick today.', 'quick'],
  ['other marks', () => 'The *quick* fox.', 'quick'],
])('the mark stays on the words: %s', async (_, text, words) => {
  const { add, read, write } = await opened()
  const id = await add('quick')
  await write(text(id))
  const { markdown, comments } = await read()
  expect(markdown).toContain(mark(id, words).slice(0, 20))
  expect(comments).toMatchObject([{ id, words }])
  expect(comments[0]).not.toHaveProperty('areWordsGone')
})

test('words that are gone stay readable, and get their mark back with an undo, or when they are written again', async () => {
  const { add, read, write, undo } = await opened()
  const id = await add('brown fox')
  const before = await read()
  await write('The quick cat jumps.')
  expect(await read()).toMatchObject({
    markdown: 'The quick cat jumps.',
    comments: [{ id, words: 'brown fox', areWordsGone: true }],
  })
  await undo()
  expect((await read()).markdown).toBe(before.markdown)
  await write('The quick cat jumps.')
  await write('The quick brown fox sits.')
  expect((await read()).markdown).toBe(`The quick ${mark(id, 'brown fox')} sits.`)
})

test('a merge, an edited page, replaced words and a move keep it', async () => {
  const { add, read, write, call, document, block } = await opened()
  const id = await add('fox')
  await write('The quick brown fox jumps high.', { base: 'The quick brown fox jumps.' })
  expect((await read()).markdown).toBe(`The quick brown ${mark(id, 'fox')} jumps high.`)
  await call('blocks_update', { pageId: document, replace: [{ old: 'quick', new: 'slow' }] })
  expect((await read()).markdown).toBe(`The slow brown ${mark(id, 'fox')} jumps high.`)
  const page = await call('blocks_get', { id: document })
  await call('blocks_update', { pageId: document, markdown: 'New.\n\nA fox, and more.', revision: page.revision })
  const { commentId } = await call('comments_add', {
    comments: [{ blockId: document, content: 'title', words: 'Plan' }],
  }).catch(() => ({ commentId: undefined }))
  expect(commentId).toBeUndefined()
  const other = await documentOf({ call } as never, 'elsewhere')
  await call('blocks_move', { blockIds: [block.id], position: { position: 'end', pageId: other } })
  expect((await read()).comments).toMatchObject([{ id }])
})

test('the mark goes with the last comment of its thread, and is given to the next one before', async () => {
  const { add, read, call } = await opened()
  const [first, other] = [await add('quick'), await add('fox')]
  const { commentId: second } = await call('comments_add', { comments: [{ commentId: first, content: 'yes' }] })
  await call('comments_update', { comments: [{ commentId: first, delete: true }] })
  expect((await read()).markdown).toBe(`The ${mark(second, 'quick')} brown ${mark(other, 'fox')} jumps.`)
  expect((await read()).comments).toMatchObject([
    { id: other, words: 'fox' },
    { id: second, threadId: first, words: 'quick' },
  ])
  await call('comments_update', { comments: [{ commentId: second, delete: true }] })
  expect((await read()).markdown).toBe(`The quick brown ${mark(other, 'fox')} jumps.`)
})

test('a call that answers a comment resolves its thread alone', async () => {
  const { add, read, call, block } = await opened()
  const [quick] = [await add('quick'), await add('fox')]
  const { markdown } = await read()
  await call('blocks_update', {
    blocks: [{ id: block.id, markdown: markdown.replace('brown', 'red') }],
    answers: quick,
  })
  expect((await read()).comments.map(({ resolvedBy }) => resolvedBy)).toEqual(['tester', undefined])
})

test('words that are not there, or there twice, are refused; a place says which', async () => {
  const { add, refused, read, block, call } = await opened('one two one')
  const given = (words: string) => ({ comments: [{ blockId: block.id, content: 'x', words }] })
  expect(await refused('comments_add', given('three'))).toBe(
    `Expected words that stand in block ${block.id}, found "three"; read it again, and give them as they are shown.`,
  )
  expect(await refused('comments_add', given('one'))).toBe(
    `Expected words that stand once in block ${block.id}, found "one" 2 times; give more of the words around them.`,
  )
  const id = await add('one', { start: 8 })
  expect((await read()).markdown).toBe(`one two ${mark(id, 'one')}`)
  expect(await refused('comments_add', { comments: [{ content: 'x' }] })).toContain(
    'Expected blockId, or the commentId of the comment to answer, found neither; give one of them.',
  )
  const { items } = await call('blocks_add', {
    blocks: [{ type: 'code', rawCode: 'one' }],
    position: { position: 'after', siblingId: block.id },
  })
  expect(await refused('comments_add', { comments: [{ blockId: items[0].id, content: 'x', words: 'one' }] })).toContain(
    'Expected a block of text to comment on words of',
  )
})

test('a link that only comments marks words, and changes nothing else', async () => {
  const { document, block, read, ...full } = await opened()
  const link = await connect('selected', { to: full, documents: [document], access: 'comment' })
  const { commentId } = await link.call('comments_add', {
    comments: [{ blockId: block.id, content: 'Which?', words: 'fox' }],
  })
  expect((await read()).markdown).toBe(`The quick brown ${mark(commentId, 'fox')} jumps.`)
})

test('open comments are listed with their words, within reach, and in parts', async () => {
  const { add, call, document, block, ...full } = await opened()
  const fox = await add('fox')
  const other = await documentOf({ call, ...full } as never, 'hidden words')
  const { commentId: hidden } = await call('comments_add', { comments: [{ blockId: other, content: 'secret' }] })
  const { commentId: whole } = await call('comments_add', { comments: [{ blockId: block.id, content: 'all' }] })
  const resolved = await add('quick')
  await call('comments_update', { comments: [{ commentId: resolved, resolved: true }] })
  const ids = ({ items }: Answer) => items.map(({ id }: Answer) => id)
  expect(ids(await call('comments_list'))).toEqual([whole, hidden, fox])
  const own = await call('comments_list', { documentId: document })
  expect(own.items).toMatchObject([
    { id: whole, blockId: block.id, documentId: document, words: 'The quick brown fox jumps.' },
    { id: fox, threadId: fox, words: 'fox', content: 'on fox' },
  ])
  const link = await connect('selected', { to: { call, ...full } as never, documents: [document] })
  expect(ids(await link.call('comments_list'))).toEqual([whole, fox])
  expect(await link.refused('comments_list', { documentId: other })).toContain('Expected')
  expect(await link.call('comments_list', { format: 'markdown', limit: 1 })).toMatch(
    new RegExp(
      `^${document} \\S.*\\n- ${whole} on block://${block.id}, .*, tester, about "The quick brown fox jumps.": "all"`,
    ),
  )
  const first = await link.call('comments_list', { limit: 1 })
  const next = await link.call('comments_list', { limit: 1, cursor: first.pagination.cursor })
  expect([ids(first), ids(next), next.pagination]).toEqual([[whole], [fox], undefined])
  expect(await link.refused('comments_list', { documentId: document, cursor: first.pagination.cursor })).toContain(
    'cursor',
  )
  await call('blocks_update', { blocks: [{ id: block.id, markdown: 'A cat.' }] })
  expect((await call('comments_list')).items.at(-1)).toMatchObject({ words: 'fox', areWordsGone: true })
})
