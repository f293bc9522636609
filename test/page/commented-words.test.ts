/** Comments on words on the pages: the form, the threads, and the words in the text. */
import { expect, test } from 'vitest'
import { type Answer, connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'
import { servePages, visitAsOperator } from './visiting.ts'

test('a comment on words has a form with the words, a thread of its own, and an answer in it', async () => {
  const serving = await servePages()
  const full = await connect('full', { to: serving })
  const document = await documentOf(full, 'one two one')
  const [block] = await contentOf(full, document)
  const visitor = await visitAsOperator(serving)
  const comments = async (): Promise<Answer[]> =>
    (await full.call('blocks_get', { id: block.id, fetchMetadata: true })).metadata.comments ?? []
  const query = new URLSearchParams({ block: block.id, words: 'one', start: '8', back: `/d/${document}` })
  const form = await visitor.get(`/comments/new?${query}`)
  expect(form.text).toContain('<blockquote class="about" dir="auto">one</blockquote>')
  await visitor.press(form, 'Comment', { text: 'Which one?' })
  await full.call('comments_add', { comments: [{ blockId: block.id, content: 'all of it' }] })
  const [first] = await comments()
  expect(first).toMatchObject({ content: 'Which one?', words: 'one' })
  const page = await visitor.get(`/d/${document}`)
  expect(page.text).toContain(`one two <span class="commented" data-comment="${first.id}">one</span>`)
  expect(page.text).toContain('<q dir="auto">one</q>')
  const answer = await visitor.get(`/comments/new?block=${block.id}&comment=${first.id}&back=/d/${document}`)
  expect(answer.text).toContain('<b>tester</b><p dir="auto">Which one?'.replace('tester', first.author))
  expect(answer.text).not.toContain('all of it')
  await visitor.press(answer, 'Comment', { text: 'The last.' })
  expect((await comments()).at(-1)).toMatchObject({ content: 'The last.', threadId: first.id })
  await full.call('blocks_update', { blocks: [{ id: block.id, markdown: 'nothing' }] })
  expect((await visitor.get(`/d/${document}`)).text).toContain('is no longer in the text')
  const gone = await visitor.post('/comments/new', { block: block.id, words: 'one', text: 'x' })
  expect([gone.status, gone.text.includes('Expected words that stand in this block')]).toEqual([400, true])
})
