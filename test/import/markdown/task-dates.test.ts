/** Dates of tasks, as written by the Tasks plugin. */
import { expect, test } from 'vitest'
import { readTaskDates } from '../../../src/import/markdown/task-dates.ts'

const todo = { state: 'todo' } as const

test.each([
  ['a 📅 2024-05-04', 'a', { deadlineDate: '2024-05-04' }],
  ['a 🛫 2024-05-01 📅 2024-05-04', 'a', { scheduleDate: '2024-05-01', deadlineDate: '2024-05-04' }],
  ['a 🛫 2024-05-01 ⏳ 2024-05-02', 'a', { scheduleDate: '2024-05-02' }],
  ['a [due:: 2024-05-04] b', 'a b', { deadlineDate: '2024-05-04' }],
  ['a (scheduled:: 2024-05-04)', 'a', { scheduleDate: '2024-05-04' }],
  [
    'a 🔁 every weekday',
    'a',
    {
      repeat: {
        type: 'fixed',
        frequency: 'weekly',
        weekly: { days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] },
      },
    },
  ],
  [
    'a 🔁 every month when done 📅 2024-05-04',
    'a',
    { deadlineDate: '2024-05-04', repeat: { type: 'flexible', frequency: 'monthly' } },
  ],
  [
    'a 🔁 every week on Monday, Friday #x',
    'a #x',
    { repeat: { type: 'fixed', frequency: 'weekly', weekly: { days: ['monday', 'friday'] } } },
  ],
])('%s', (text, rest, more) =>
  expect(readTaskDates(text, todo)).toEqual({ text: rest, taskInfo: { state: 'todo', ...more } }),
)

test.each([
  'a',
  'a `📅 2024-05-04`',
  '`🔁 every week`',
  'a 📅 soon',
  'a 📅 2024-13-04',
  'a 📅 2024-05-041',
  'a 🔁 every full moon',
  'a ✅',
])('%s has none', (text) => expect(readTaskDates(text, todo)).toBeUndefined())

test('a completion date counts only for completed tasks', () => {
  expect(readTaskDates('a ✅ 2024-05-04', { state: 'done' })).toEqual({
    text: 'a',
    taskInfo: { state: 'done', completedAt: '2024-05-04T00:00:00.000Z' },
  })
  expect(readTaskDates('a ✅ 2024-05-04', todo)).toEqual({ text: 'a', taskInfo: todo })
})
