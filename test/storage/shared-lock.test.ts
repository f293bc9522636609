/** Bulk writes of one process leave the lock of a file to the writes of others. */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { configureConnection } from '../../storage/sqlite/connection.ts'
import { FileGroupCommit } from '../../storage/sqlite/group-commit.ts'
import { openStorage } from '../../storage/sqlite/open-storage.ts'
import { folder } from '../program.ts'

/** Opens a file twice, as two processes do. */
async function two() {
  const file = join(folder(), 'space.sqlite')
  const [one, other] = [await openStorage(file), await openStorage(file)]
  onTestFinished(async () => {
    await one.close()
    await other.close()
  })
  return { one, other }
}

const BULK_WRITES = 100
/** Milliseconds that each of them takes, by the clock of the test: a fifth of the time in which others join it. */
const BULK_WRITE_MS = 10

test('a write of another process waits for few transactions, however many bulk writes are waiting', async () => {
  const { one, other } = await two()
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => void vi.restoreAllMocks())
  const work = async () => {
    now += BULK_WRITE_MS
  }
  let done = 0
  const bulk = Array.from({ length: BULK_WRITES }, () => one.write(work, { isBulk: true }).then(() => void done++))
  const waited: number[] = []
  for (let probe = 0; probe < 3 && done < BULK_WRITES; probe++) {
    const before = done
    await other.write(async () => {})
    waited.push(done - before)
  }
  const all = done
  await Promise.all(bulk)
  // Most bulk writes are still waiting when all three of the others are done.
  expect(waited).toHaveLength(3)
  expect(all).toBeLessThan(BULK_WRITES)
})

test('a write that a caller waits for ends the pause of bulk writes', async () => {
  const connection = configureConnection(new Sqlite(':memory:'))
  onTestFinished(() => void connection.sqlite.close())
  class Pausing extends FileGroupCommit {
    /** Longer than any test. */
    protected override pauseAfterBulk(): number {
      return 3_600_000
    }
  }
  const turns = new Pausing(connection, {
    begin: async () => void connection.sql('BEGIN IMMEDIATE').run(),
    beforeRelease: async () => {},
    discard() {},
  })
  const order: string[] = []
  const write = (name: string, isBulk: boolean) => turns.run(async () => void order.push(name), { isBulk })
  await write('first', true)
  const paused = write('second', true)
  await new Promise((resolve) => setImmediate(resolve))
  expect(order).toEqual(['first'])
  await write('third', false)
  await paused
  expect(order).toEqual(['first', 'second', 'third'])
})
