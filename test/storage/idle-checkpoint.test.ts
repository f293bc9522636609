/** The log of an idle space is checkpointed into its file, so that a plain copy of the file is complete. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { configureConnection } from '../../storage/sqlite/connection.ts'
import { IdleCheckpoint } from '../../storage/sqlite/idle-checkpoint.ts'
import { openStorage } from '../../storage/sqlite/open-storage.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Transaction } from '../../storage/transaction.ts'
import { RANDOM_ID } from '../build.ts'
import { folder } from '../program.ts'
import { connectionOf } from '../sqlite.ts'

const addFolder = (id: string) => async (tx: Transaction) => {
  connectionOf(tx).sql(`INSERT INTO folder (id, name, created_at) VALUES (${RANDOM_ID}, ?, 0)`).run(id)
}

async function opened(file: string): Promise<Storage> {
  const storage = await openStorage(file)
  onTestFinished(() => storage.close())
  return storage
}

/** Another connection, which checks for idleness when the test says so. */
function looking(file: string): IdleCheckpoint {
  const connection = configureConnection(new Sqlite(file))
  const idle = new IdleCheckpoint(connection, file)
  onTestFinished(() => {
    idle.stop()
    connection.sqlite.close()
  })
  return idle
}

/** Returns the folders in a copy of only the main file. */
function inPlainCopy(file: string): unknown[] {
  const copy = `${file}.copy`
  // In another process: closing any descriptor of a database file drops the locks that SQLite holds in this process.
  execFileSync(process.execPath, ['-e', 'fs.copyFileSync(...process.argv.slice(1))', file, copy])
  const sqlite = new Sqlite(copy)
  try {
    return sqlite.prepare('SELECT name FROM folder ORDER BY n').pluck().all()
  } finally {
    sqlite.close()
  }
}

test('a space is not checkpointed while it is written to, but once it is idle', async () => {
  const file = join(folder(), 'space.sqlite')
  const storage = await opened(file)
  await storage.write(addFolder('one'))
  const idle = looking(file)
  expect(idle.checkpointIfIdle()).toBe(false)
  await storage.write(addFolder('two'))
  expect(idle.checkpointIfIdle()).toBe(false)
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
  // It does not matter who wrote: this connection did not.
  expect(idle.checkpointIfIdle()).toBe(true)
  expect(statSync(`${file}-wal`).size).toBe(0)
  await storage.write(addFolder('three'))
  expect(
    await storage.read(async (tx) => connectionOf(tx).sql('SELECT name FROM folder ORDER BY n').pluck().all()),
  ).toEqual(['one', 'two', 'three'])
})

test('while someone reads an older snapshot the WAL stays, and no one is blocked', async () => {
  const file = join(folder(), 'space.sqlite')
  const storage = await opened(file)
  await storage.write(addFolder('one'))
  const idle = looking(file)
  const reading = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const read = storage.read(async (tx) => {
    const found = connectionOf(tx).sql('SELECT count(*) FROM folder').pluck().get()
    reading.resolve()
    await end.promise
    return found
  })
  await reading.promise
  await storage.write(addFolder('two'))
  idle.checkpointIfIdle()
  expect(idle.checkpointIfIdle()).toBe(false)
  end.resolve()
  expect(await read).toBe(1)
  expect(idle.checkpointIfIdle()).toBe(true)
})

test('an open space checks by itself, outside of transactions', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = join(folder(), 'space.sqlite')
  const storage = await opened(file)
  await storage.write(addFolder('one'))
  vi.advanceTimersByTime(5_000)
  expect(statSync(`${file}-wal`).size).toBe(0)
  expect(inPlainCopy(file)).toEqual(['one'])
  await storage.write(async (tx) => {
    await addFolder('two')(tx)
    vi.advanceTimersByTime(10_000)
  })
  vi.advanceTimersByTime(5_000)
  expect(inPlainCopy(file)).toEqual(['one', 'two'])
})

test('a folder that cannot be read is no fault of the timer', async () => {
  const parent = folder()
  const place = join(parent, 'spaces')
  mkdirSync(place)
  const file = join(place, 'space.sqlite')
  await opened(file)
  const idle = looking(file)
  renameSync(place, join(parent, 'moved'))
  symlinkSync(place, place)
  expect(idle.checkpointIfIdle()).toBe(false)
  rmSync(place)
  renameSync(join(parent, 'moved'), place)
})
