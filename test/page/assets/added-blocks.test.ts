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
