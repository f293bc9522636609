/** Threads on the pages of the server: the list of those that are open, and resolving and reopening a whole thread. */
import { expect, test } from 'vitest'
import { type Answer, connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'
import { servePages, visitAsOperator } from './visiting.ts'

async function commented() {
  const serving = await servePages()
  const full = await connect('full', { to: serving })
  const document = await documentOf(full, 'one two three\n\nfour')
  const [block, other] = await contentOf(full, document)
  const add = async (comment: object): Promise<string> =>
    (await full.call('comments_add', { comments: [comment] })).commentId
  const first = await add({ blockId: block.id, words: 'two', content: 'Which <two>?' })
  const second = await add({ commentId: first, content: 'The second.' })
  const whole = await add({ blockId: other.id, content: 'All of it.' })
  const open = async (): Promise<string[]> =>
    (await full.call('comments_list', { documentId: document })).items.map(({ id }: Answer) => id)
  return { serving, full, document, block, first, second, whole, open, visitor: await visitAsOperator(serving) }
}

test('the list has the open threads of a document, newest first, with their words and the way to them', async () => {
  const { visitor, document, block, first, full } = await commented()
  expect((await visitor.get(`/d/${document}`)).text).toContain(`/d/${document}/comments" title="Comments">Comments</a>`)
  const { text } = await visitor.get(`/d/${document}/comments`)
  expect(text.match(/class="thread"/g)).toHaveLength(2)
  expect(text.indexOf('All of it.')).toBeLessThan(text.indexOf('Which &lt;two&gt;?'))
  expect(text.indexOf('Which &lt;two&gt;?')).toBeLessThan(text.indexOf('The second.'))
  expect(text).toContain('aria-label="Comments on &quot;two&quot;"')
  expect(text).toContain('<q dir="auto">four</q>')
  expect(text).toContain(`/d/${block.id}?comment=${first}">Show in the text</a>`)
  expect(text.match(/>Resolve<\/button>/g)).toHaveLength(2)
  const empty = await documentOf(full, 'nothing said')
  expect((await visitor.get(`/d/${empty}/comments`)).text).toContain('No comment is open.')
  expect((await visitor.get('/d/100000009999/comments')).status).toBe(404)
})

test('a comment has the words of its links, which lead to what is here', async () => {
  const { visitor, document, full, block } = await commented()
  const content = `See [the <plan>](block://${document}), [that](file) and *more*.`
  await full.call('comments_add', { comments: [{ blockId: block.id, content }] })
  const { text } = await visitor.get(`/d/${document}`)
  expect(text).toMatch(new RegExp(`<p dir="auto">See <a href="[^"]*/d/${document}">the &lt;plan&gt;</a>, `))
  expect(text).toContain('[that](file) and *more*.</p>')
  expect(text).not.toContain(`block://${document}`)
})

test('one button resolves all of a thread that was shown, and reopens it; what came later stays open', async () => {
  const { visitor, document, full, first, second, whole, open } = await commented()
  const page = `/d/${document}`
  const button = async () => {
    const { text } = await visitor.get(page)
    const [, value = '', name] = new RegExp(`name="comment" value="(${first}[^"]*)">(\\w+)<`).exec(text) ?? []
    return { value, name }
  }
  expect(await button()).toEqual({ value: `${first},${second} resolved`, name: 'Resolve' })
  const { commentId: later } = await full.call('comments_add', { comments: [{ commentId: second, content: 'Later.' }] })
  await visitor.send('/comments', { comment: `${first},${second} resolved`, back: page })
  expect(await open()).toEqual([later, whole])
  await visitor.send('/comments', { comment: `${later} resolved`, back: page })
  expect(await open()).toEqual([whole])
  expect(await button()).toEqual({ value: `${first},${second},${later} open`, name: 'Reopen' })
  expect((await visitor.get(page)).text).toContain('<summary>3 resolved comments</summary>')
  await visitor.send('/comments', { comment: `${first},${second},${later} open`, back: page })
  expect(await open()).toEqual([later, whole, second, first])
  expect((await visitor.get(page)).text).toContain('<summary>3 comments</summary>')
})

test('one comment of the list that is gone changes none of the others', async () => {
  const { visitor, document, full, first, second, whole, open } = await commented()
  await full.call('comments_update', { comments: [{ commentId: second, delete: true }] })
  const refused = await visitor.post('/comments', { comment: `${first},${second} resolved`, back: `/d/${document}` })
  expect(refused.status).toBe(404)
  expect(await open()).toEqual([whole, first])
})
