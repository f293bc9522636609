/** Read connections that are not used for a while are closed, since each keeps pages of the space in memory. */
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openStorage } from '../../storage/sqlite/open-storage.ts'
import { folder } from '../program.ts'
import { firstValue } from '../sqlite.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/**
 * The number of connections of this process to a space: each opens its log. SQLite keeps descriptors of the file itself
 * while any connection of the process has locks.
 */
const openings = (file: string): number =>
  readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === `${file}-wal`
    } catch {
      return false
    }
  }).length

test('idle read connections are closed after thirty seconds without a read, and opened again', async () => {
  const file = join(folder(), 'space.sqlite')
  const storage = await openStorage(file)
  onTestFinished(() => storage.close())
  const withoutReaders = openings(file)
  const read = () => storage.read((tx) => firstValue<number>(tx, 'SELECT 1'))
  await Promise.all([read(), read()])
  vi.advanceTimersByTime(29_000)
  expect(await read()).toBe(1)
  vi.advanceTimersByTime(29_000)
  expect(openings(file)).toBeGreaterThan(withoutReaders)
  vi.advanceTimersByTime(1_000)
  expect(openings(file)).toBe(withoutReaders)
  expect(await read()).toBe(1)
  expect(openings(file)).toBeGreaterThan(withoutReaders)
  vi.advanceTimersByTime(30_000)
  expect(openings(file)).toBe(withoutReaders)
})
