/** If a space's file is deleted, replaced or truncated while it is open, nothing is acknowledged that is not stored. */
import { copyFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../storage/sqlite/open-storage.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Transaction } from '../../storage/transaction.ts'
import { RANDOM_ID } from '../build.ts'
import { folder } from '../program.ts'
import { connectionOf } from '../sqlite.ts'

async function opened(file = join(folder(), 'space.sqlite')) {
  const storage = await openStorage(file)
  onTestFinished(() => storage.close())
  await storage.write(add('first'))
  return { file, storage }
}

const add = (id: string) => async (tx: Transaction) => {
  connectionOf(tx).sql(`INSERT INTO folder (id, name, created_at) VALUES (${RANDOM_ID}, ?, 0)`).run(id)
}
const ids = async (tx: Transaction) => connectionOf(tx).sql<string>('SELECT name FROM folder ORDER BY n').pluck().all()

/** Creates another space and closes it, so that its log is merged into its file. */
async function elsewhere(): Promise<string> {
  const file = join(folder(), 'other.sqlite')
  const storage = await openStorage(file)
  await storage.close()
  return file
}

function replaceByCopy(file: string): void {
  copyFileSync(file, `${file}.copy`)
  renameSync(`${file}.copy`, file)
}

const MOVED =
  'Expected the file of this space to stay in its place while it is open, found that it was moved or deleted; nothing was written. Put it back, or restart the server to serve what is there now.'
const REPLACED =
  'Expected the file of this space to stay the same while it is open, found another in its place; nothing was written. Restart the server to serve the one that is there now.'
const LOG_REMOVED =
  'Expected the log of this space (-wal and -shm) to stay in its place while it is open, found that it was removed; nothing was written. Restart the server: as it ends it writes what it still has of the log into the file.'

async function refused(storage: Storage, message: string): Promise<void> {
  expect(storage.isPresent()).toBe(false)
  await expect(storage.write(add('lost'))).rejects.toMatchObject({ code: 'SPACE_REPLACED', message })
  const read = message.replace('nothing was written', 'nothing was read')
  await expect(storage.read(ids)).rejects.toMatchObject({ code: 'SPACE_REPLACED', message: read })
}

describe('a file', () => {
  test('that is deleted accepts no more writes, and is not read any more', async () => {
    const { file, storage } = await opened()
    rmSync(file)
    await refused(storage, MOVED)
  })

  test('that is replaced accepts no more writes', async () => {
    const { file, storage } = await opened()
    renameSync(await elsewhere(), file)
    await refused(storage, REPLACED)
  })

  test('that is deleted after a read is noticed by reads of the next tick, and by writes at once', async () => {
    const { file, storage } = await opened()
    await storage.read(ids)
    rmSync(file)
    await expect(storage.write(add('lost'))).rejects.toMatchObject({ code: 'SPACE_REPLACED' })
    await setImmediate()
    await expect(storage.read(ids)).rejects.toMatchObject({ code: 'SPACE_REPLACED' })
  })

  test('that is moved with its WAL and put back works as before', async () => {
    const { file, storage } = await opened()
    const sides = ['', '-wal', '-shm']
    for (const side of sides) renameSync(file + side, `${file}.away${side}`)
    await refused(storage, MOVED)
    for (const side of sides) renameSync(`${file}.away${side}`, file + side)
    await storage.write(add('second'))
    expect(await storage.read(ids)).toEqual(['first', 'second'])
  })

  test('that is moved has all acknowledged writes, and leaves nothing to the next file at its path', async () => {
    const { file, storage } = await opened()
    renameSync(file, `${file}.away`)
    renameSync(await elsewhere(), file)
    await refused(storage, REPLACED)
    await storage.close()
    for (const [path, expected] of [
      [`${file}.away`, ['first']],
      [file, []],
    ] as const) {
      const found = await openStorage(path)
      onTestFinished(() => found.close())
      expect(await found.read(ids)).toEqual(expected)
    }
  })

  test.each([
    ['deleted', MOVED, rmSync],
    ['replaced', REPLACED, replaceByCopy],
  ])('that is %s during a write leaves it unacknowledged', async (_, message, harm) => {
    const { file, storage } = await opened()
    const writing = storage.write(async (tx) => {
      await add('lost')(tx)
      harm(file)
    })
    const sentence = message.replace('nothing was written', 'what this call wrote may be lost')
    await expect(writing).rejects.toMatchObject({ code: 'SPACE_REPLACED', message: sentence })
  })
})

describe('a WAL', () => {
  test.each(['-wal', '-shm'])('whose %s is removed accepts no more writes, and loses none', async (side) => {
    const { file, storage } = await opened()
    rmSync(file + side)
    await refused(storage, LOG_REMOVED)
    await storage.close()
    const again = await openStorage(file)
    onTestFinished(() => again.close())
    expect(await again.read(ids)).toEqual(['first'])
  })

  test.each([0, 4096])('that is truncated to %i bytes accepts no more writes', async (size) => {
    const { file, storage } = await opened()
    truncateSync(`${file}-wal`, size)
    await expect(storage.write(add('lost'))).rejects.toMatchObject({
      code: 'SPACE_REPLACED',
      message:
        'Expected the log of this space (-wal) to hold all that was written, found it cut short; nothing was written. The last writes are lost: restart the server, run `scriptorium doctor`, and restore a backup if it finds damage.',
    })
    expect(statSync(`${file}-wal`).size).toBe(size)
    await expect(storage.read(ids)).rejects.toMatchObject({ code: 'SPACE_REPLACED' })
  })

  test('that is longer than its content, or was checkpointed by another process, is valid', async () => {
    const { file, storage } = await opened()
    const other = await openStorage(file)
    onTestFinished(() => other.close())
    await other.write(async (tx) => {
      for (let made = 0; made < 200; made++) await add(`${made}`)(tx)
    })
    await storage.write(add('second'))
    const { default: Sqlite } = await import('better-sqlite3')
    const third = new Sqlite(file)
    expect(third.pragma('wal_checkpoint(RESTART)')).toEqual([expect.objectContaining({ busy: 0 })])
    await storage.write(add('third'))
    expect(third.pragma('wal_checkpoint(TRUNCATE)')).toEqual([expect.objectContaining({ busy: 0 })])
    third.close()
    await storage.write(add('fourth'))
    expect(await other.read(ids)).toHaveLength(204)
  })
})

test('a space whose changes go back is rejected, whatever its files are', async () => {
  const { storage } = await opened()
  await storage.write(add('second'))
  // Simulates an older copy. The write itself increments the counter, so this leaves it lower by one.
  await storage.write(async (tx) => connectionOf(tx).sql('UPDATE change_counter SET value = value - 2').run())
  const message = (outcome: string) =>
    `Expected the space as its last change left it, found an older state of it; ${outcome}. Restart the server to serve what is there now.`
  await expect(storage.read(ids)).rejects.toMatchObject({
    code: 'SPACE_REPLACED',
    message: message('nothing was read'),
  })
  const write = storage.write(add('lost'))
  await expect(write).rejects.toMatchObject({ code: 'SPACE_REPLACED', message: message('nothing was written') })
  await expect(storage.write(add('lost'))).rejects.toMatchObject({ code: 'SPACE_REPLACED' })
})

test('a closed space says so to running calls', async () => {
  const { storage } = await opened()
  await storage.close()
  await expect(storage.read(ids)).rejects.toMatchObject({ code: 'SPACE_REPLACED' })
  await expect(storage.write(add('lost'))).rejects.toMatchObject({ code: 'SPACE_REPLACED' })
})
