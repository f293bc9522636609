/** What the server makes of blocks that the editor adds is what the editor shows. */
import { expect, test } from 'vitest'
import type { Fields } from '../../../src/page/assets/model/block-text.ts'
import { changeBetween } from '../../../src/page/assets/model/page-changes.ts'
import { connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'

const item = (number: number): Fields => ({ type: 'text', listStyle: 'numbered', number })
const dates = { scheduleDate: '2026-11-28', deadlineDate: '2026-12-01' }

test.each<[string, Fields, string]>([
  ['the number of an item alone', item(7), '7. a'],
  ['the dates of a task', { type: 'text', listStyle: 'task', taskInfo: { state: 'todo', ...dates } }, '- [ ] a'],
])('%s stays', async (_, fields, markdown) => {
  const connected = await connect()
  const { call } = connected
  const page = await documentOf(connected, 'Text.')
  const { steps } = changeBetween([], [{ id: 'new-1', fields, markdown }], page)
  for (const { tool, arguments: input } of steps) await call(tool, input)
  const { content = [] } = await call('blocks_get', { id: page, maxDepth: 1, format: 'json' })
  expect(content[0]).toMatchObject({ ...fields, markdown })
})

test('a copy has what stands beside the Markdown of its block', async () => {
  const connected = await connect()
  const { call } = connected
  const page = await documentOf(connected, 'Text.')
  const repeat = { type: 'fixed', frequency: 'weekly', interval: 2, weekly: { days: ['monday'] } }
  const look = { color: '#ff0000', textAlignment: 'center', font: 'serif' }
  const task: Fields = {
    ...{ type: 'text', listStyle: 'task', taskInfo: { state: 'todo' } },
    details: { ...look, taskInfo: { ...dates, repeat } },
  }
  const url = 'https://example.org/sea.png'
  const picture: Fields = { type: 'image', details: { url, size: 'fill', width: 'fullWidth' } }
  const added = [
    { id: 'new-1', fields: task, markdown: '- [ ] a' },
    { id: 'new-2', fields: picture, markdown: `![sea](${url})` },
    { id: 'new-3', fields: { type: 'line' as const, details: { lineStyle: 'light' } }, markdown: '---' },
  ]
  for (const { tool, arguments: input } of changeBetween([], added, page).steps) await call(tool, input)
  const { content = [] } = await call('blocks_get', { id: page, maxDepth: 1, format: 'json' })
  expect(content.slice(0, 3)).toMatchObject([
    { ...look, markdown: '- [ ] a', taskInfo: { state: 'todo', ...dates, repeat } },
    { type: 'image', size: 'fill', width: 'fullWidth', altText: 'sea' },
    { type: 'line', lineStyle: 'light' },
  ])
})
