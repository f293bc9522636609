/** `repeat.reminder` of a repeating task creates the promised reminders, in the space's time zone: CET. */
import { describe, expect, test } from 'vitest'
import { type Connected, connect } from '../../connect.ts'
import { add, update } from '../../tasks.ts'

const daily = { type: 'fixed', frequency: 'daily', reminder: { enabled: true, dateOffset: 600 } }
const TOMORROW = { scheduleDate: '2026-11-21' }

const remindersOf = async ({ call }: Pick<Connected, 'call'>) => (await call('reminders_list', { status: 'all' })).items

const withTask = async (task: object) => {
  const connected = await connect()
  const [added] = await add(connected, { markdown: 'water', ...task })
  return { connected, id: added.id as string }
}

describe('a repeating task with a reminder', () => {
  test('has one at that minute of the day on which it is due', async () => {
    const { connected, id } = await withTask({ taskInfo: TOMORROW, repeat: daily })
    expect(await remindersOf(connected)).toMatchObject([
      { blockId: id, title: 'water', remindAt: '2026-11-21T09:00:00.000Z', isCompleted: false },
    ])
  })

  test('has it at nine if no minute is given, and the day before with a negative minute', async () => {
    const at = async (reminder: object, scheduleDate = '2026-12-01') => {
      const { connected } = await withTask({ taskInfo: { scheduleDate }, repeat: { ...daily, reminder } })
      return (await remindersOf(connected))[0].remindAt
    }
    expect(await at({ enabled: true })).toBe('2026-12-01T08:00:00.000Z')
    expect(await at({ enabled: true }, '2027-07-01')).toBe('2027-07-01T07:00:00.000Z')
    expect(await at({ enabled: true, dateOffset: -60 })).toBe('2026-11-30T22:00:00.000Z')
  })

  test('also exists as a block', async () => {
    const connected = await connect()
    const taskInfo = { ...TOMORROW, repeat: daily }
    const blocks = [{ type: 'text', markdown: 'water', listStyle: 'task', taskInfo }]
    await connected.call('blocks_add', { blocks, position: { position: 'end', date: 'today' } })
    expect(await remindersOf(connected)).toMatchObject([{ remindAt: '2026-11-21T09:00:00.000Z' }])
  })

  test('keeps it when it repeats, also when it was completed', async () => {
    const { connected, id } = await withTask({ taskInfo: TOMORROW, repeat: daily })
    const [{ id: reminder }] = await remindersOf(connected)
    await connected.call('reminders_update', { remindersToUpdate: [{ id: reminder, isCompleted: true }] })
    await update(connected, { id, taskInfo: { state: 'done' } })
    expect(await remindersOf(connected)).toEqual([
      { id: reminder, blockId: id, title: 'water', remindAt: '2026-11-22T09:00:00.000Z', isCompleted: false },
    ])
  })

  test.each([
    ['another date', { taskInfo: { scheduleDate: '2026-11-30' } }, ['2026-11-30T09:00:00.000Z']],
    [
      'another minute',
      { repeat: { ...daily, reminder: { enabled: true, dateOffset: 0 } } },
      ['2026-11-20T23:00:00.000Z'],
    ],
    ['none', { repeat: { ...daily, reminder: { enabled: false } } }, []],
    ['no repetition', { repeat: null }, []],
    ['the end of it', { taskInfo: { state: 'canceled' } }, []],
    ['other words', { markdown: 'feed' }, ['2026-11-21T09:00:00.000Z']],
  ])('follows a change: %s', async (_, change, times) => {
    const { connected, id } = await withTask({ taskInfo: TOMORROW, repeat: daily })
    await update(connected, { id, ...change })
    expect((await remindersOf(connected)).map(({ remindAt }: { remindAt: string }) => remindAt)).toEqual(times)
  })

  test('gets one with a change', async () => {
    const { connected, id } = await withTask({ taskInfo: TOMORROW })
    expect(await remindersOf(connected)).toEqual([])
    await update(connected, { id, repeat: daily })
    expect(await remindersOf(connected)).toMatchObject([{ blockId: id, remindAt: '2026-11-21T09:00:00.000Z' }])
  })

  test('does not change one that someone set', async () => {
    const { connected, id } = await withTask({ taskInfo: TOMORROW })
    const reminders = [{ blockId: id, remindAt: '2026-11-25T08:00:00Z' }]
    await connected.call('reminders_add', { reminders })
    await update(connected, { id, repeat: daily })
    await update(connected, { id, taskInfo: { state: 'done' } })
    expect(await remindersOf(connected)).toMatchObject([{ remindAt: '2026-11-25T08:00:00.000Z' }])
  })

  test('has none for a past moment, until it repeats', async () => {
    const { connected, id } = await withTask({
      taskInfo: { scheduleDate: 'today' },
      repeat: { ...daily, reminder: { enabled: true, dateOffset: 60 } },
    })
    expect(await remindersOf(connected)).toEqual([])
    await update(connected, { id, taskInfo: { state: 'done' } })
    expect(await remindersOf(connected)).toMatchObject([{ remindAt: '2026-11-21T00:00:00.000Z' }])
  })
})
