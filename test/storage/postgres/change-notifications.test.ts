/** Notifications to the other processes of a database. */
import type { PoolClient } from 'pg'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ChangeNotifications } from '../../../storage/postgres/change-notifications.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

/** Creates notifications over a pool whose connections can all be in use, and records what was sent. */
function start() {
  const notices: string[] = []
  const pool = { isTaken: false }
  const client = { query: async ({ values }: { values: string[] }) => void notices.push(...values) }
  const notifications = new ChangeNotifications({
    isPooled: false,
    connectAlone: () => Promise.reject(new Error('Nothing is watched here.')),
    withClient: async (work) => {
      if (pool.isTaken) throw new Error('All connections are taken.')
      return work(client as unknown as PoolClient)
    },
  })
  onTestFinished(() => notifications.close())
  return { notifications, notices, pool }
}

test('changes are reported at once, and further ones together after 50 ms', async () => {
  const { notifications, notices } = start()
  for (const space of [1, 2, 3, 2]) notifications.notifyChanged(space)
  await vi.advanceTimersByTimeAsync(0)
  expect(notices).toEqual(['1'])
  await vi.advanceTimersByTimeAsync(50)
  expect(notices).toEqual(['1', '2,3'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(notices).toEqual(['1', '2,3'])
})

test('a notification that failed is sent with later changes, within a quarter of a second', async () => {
  const { notifications, notices, pool } = start()
  pool.isTaken = true
  notifications.notifyChanged(1)
  await vi.advanceTimersByTimeAsync(2_000)
  notifications.notifyChanged(2)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(notices).toEqual([])
  pool.isTaken = false
  await vi.advanceTimersByTimeAsync(250)
  expect(notices).toEqual(['1,2'])
})
