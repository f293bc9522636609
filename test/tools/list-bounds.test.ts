/** Lists in calls have bounds that the program enforces. test/rest/openapi.test.ts checks that all are described. */
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'

const many = (count: number, entry: unknown) => Array.from({ length: count }, () => entry)
const task = (repeat: object) => ({ tasks: [{ markdown: 'call', repeat: { type: 'fixed', ...repeat } }] })
const block = (fields: object) => ({ blocks: [{ id: '123456789012', ...fields }] })
const day = { selector: 'first', type: 'day' }

test.each([
  [
    'tasks_add',
    task({ frequency: 'weekly', weekly: { days: many(8, 'monday') } }),
    'tasks[0].repeat.weekly.days',
    '7',
    '8',
  ],
  [
    'tasks_add',
    task({ frequency: 'monthly', monthly: { days: many(32, 1) } }),
    'tasks[0].repeat.monthly.days',
    '31',
    '32',
  ],
  [
    'tasks_add',
    task({ frequency: 'monthly', monthly: { dynamicDays: many(3, day) } }),
    'tasks[0].repeat.monthly.dynamicDays',
    '2',
    '3',
  ],
  [
    'tasks_add',
    task({ frequency: 'yearly', yearly: { months: many(13, 1) } }),
    'tasks[0].repeat.yearly.months',
    '12',
    '13',
  ],
  ['blocks_update', block({ decorations: many(3, 'quote') }), 'blocks[0].decorations', '2', '3'],
  ['blocks_update', block({ rows: many(1_001, { row: 1, markdown: 'a' }) }), 'blocks[0].rows', '1,000', '1,001'],
  [
    'blocks_update',
    block({ rows: [{ row: 1, cells: many(1_001, 'a') }] }),
    'blocks[0].rows[0].cells',
    '1,000',
    '1,001',
  ],
  ['blocks_update', block({ content: many(20_001, {}) }), 'blocks[0].content', '20,000', '20,001'],
  [
    'blocks_update',
    block({ title: { value: 'a', attributes: many(6_001, { type: 'bold', start: 0, end: 1 }) } }),
    'blocks[0].title.attributes',
    '6,000',
    '6,001',
  ],
  [
    'folders_add',
    { folders: [{ name: 'a', folders: many(1_001, { name: 'b' }) }] },
    'folders[0].folders',
    '1,000',
    '1,001',
  ],
  ['items_list', { collectionId: '123456789012', properties: many(22, 'pages') }, 'properties', '21', '22'],
])('%s refuses more entries than allowed: %#', async (tool, args, path, most, found) => {
  const { refused } = await connect()
  expect(await refused(tool, args)).toBe(`At ${path}: Expected at most ${most} entries, found ${found}.`)
})
