/** The page For me, and its count in the navigation. */
import { expect, test } from 'vitest'
import { program } from './sample-space.ts'
import { offers, servePages, textOf, visitAsOperator, visitByLink } from './visiting.ts'

const countIn = ({ text }: { text: string }): string | undefined =>
  /For me <span class="n">(.*?)<\/span>/.exec(text)?.[1]

test('lists what waits with its place, and its marks are those of the member', async () => {
  const serving = await servePages()
  const agent = program(serving.space, 'editor')
  const visitor = await visitByLink(serving, { name: 'Eva', handle: 'eva' })
  expect(textOf(await visitor.get('/for-me'))).toContain('Nothing waits for you.')
  const { items } = await agent('documents_add', { documents: [{ title: 'Plan <b>', markdown: 'Before' }] })
  const [block] = (await agent('blocks_get', { id: items[0].id })).content
  const { members } = await agent('connection_get')
  const eva = members.find(({ name }: { name: string }) => name === 'Eva').id
  await agent('comments_add', { comments: [{ blockId: block.id, content: `[@Eva](person://${eva}) <i>why?` }] })
  await agent('tasks_add', { tasks: [{ markdown: 'Dig', taskInfo: { assignee: '@eva' } }] })
  const page = await visitor.get('/for-me')
  expect(textOf(page)).toMatch(/Dig Task, \S+ in Inbox, .* @Eva <i>why\? Names you, \S+ in Plan <b>, /)
  expect(page.text).toContain(`/d/${block.id}`)
  expect(countIn(page)).toBe('<b class="waits">2</b>')
  await visitor.press(page, 'Read')
  // Another browser of the same member.
  const marked = await visitor.press(await visitor.get('/for-me'), 'Mark all as read')
  expect(countIn(marked)).toBeUndefined()
  expect(countIn(await visitor.press(marked, 'Unread'))).toBe('<b class="waits">1</b>')
})

test('a person turns the daily line on and off', async () => {
  const visitor = await visitAsOperator(await servePages())
  const on = await visitor.press(await visitor.get('/for-me'), 'Daily line')
  expect(textOf(on)).toContain('Each day, a line in the daily note says what waits for you.')
  expect(offers(await visitor.press(on, 'No daily line'), 'Daily line')).toBe(true)
})

test('without the right to change, nothing can be marked', async () => {
  const serving = await servePages()
  const agent = program(serving.space, 'editor')
  const reader = await visitByLink(serving, { name: 'Eva', handle: 'eva', access: 'read' })
  await agent('tasks_add', { tasks: [{ markdown: 'Dig', taskInfo: { assignee: '@eva' } }] })
  const page = await reader.get('/for-me')
  expect(textOf(page)).toContain('Dig')
  expect([offers(page, 'Read'), offers(page, 'Mark all as read')]).toEqual([false, false])
})
