import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../storage/sqlite/open-storage.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Transaction } from '../../storage/transaction.ts'
import { RANDOM_ID } from '../build.ts'
import { connectionOf } from '../sqlite.ts'

async function storageOf(file: string): Promise<Storage> {
  const storage = await openStorage(file)
  onTestFinished(() => storage.close())
  return storage
}

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'space.sqlite')
}

const addFolder = (name: string) => async (tx: Transaction) => {
  connectionOf(tx).sql(`INSERT INTO folder (id, name, created_at) VALUES (${RANDOM_ID}, ?, 0)`).run(name)
}
const folders = async (tx: Transaction) =>
  connectionOf(tx)
    .sql<{ name: string }>('SELECT name FROM folder ORDER BY n')
    .all()
    .map(({ name }) => name)

describe.each([
  ['in memory', () => ':memory:'],
  ['in a file', file],
])('%s', (_, path) => {
  test('a write is read by the next transaction', async () => {
    const storage = await storageOf(path())
    await storage.write(addFolder('one'))
    expect(await storage.read(folders)).toEqual(['one'])
  })

  test('a transaction that throws leaves nothing', async () => {
    const storage = await storageOf(path())
    const failing = storage.write(async (tx) => {
      await addFolder('one')(tx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await storage.read(folders)).toEqual([])
    await storage.write(addFolder('two'))
    expect(await storage.read(folders)).toEqual(['two'])
  })

  test('a savepoint that throws leaves nothing, and the transaction continues', async () => {
    const storage = await storageOf(path())
    await storage.write(async (tx) => {
      await addFolder('one')(tx)
      const failing = tx.attempt(async () => {
        await addFolder('two')(tx)
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      await tx.attempt(() => addFolder('three')(tx))
    })
    expect(await storage.read(folders)).toEqual(['one', 'three'])
  })

  test('concurrent writes run one after another', async () => {
    const storage = await storageOf(path())
    const names = Array.from({ length: 20 }, (_, index) => `folder ${index}`)
    await Promise.all(names.map((name) => storage.write(addFolder(name))))
    expect(await storage.read(folders)).toEqual(names)
  })
})

test('a read sees one snapshot, whatever is written meanwhile', async () => {
  const storage = await storageOf(file())
  const seen = await storage.read(async (tx) => {
    const before = await folders(tx)
    await storage.write(addFolder('one'))
    return [before, await folders(tx)]
  })
  expect(seen).toEqual([[], []])
  expect(await storage.read(folders)).toEqual(['one'])
})

test('two writers on one file wait for each other', async () => {
  const path = file()
  const [one, two] = [await storageOf(path), await storageOf(path)]
  const writes = Array.from({ length: 20 }, (_, index) => [
    one.write(addFolder(`a${index}`)),
    two.write(addFolder(`b${index}`)),
  ])
  await Promise.all(writes.flat())
  expect(await one.read(folders)).toHaveLength(40)
})

test('the last connection to close leaves one file', async () => {
  const path = file()
  const storage = await openStorage(path)
  await storage.write(addFolder('one'))
  expect(existsSync(`${path}-wal`)).toBe(true)
  await storage.close()
  expect([existsSync(path), existsSync(`${path}-wal`)]).toEqual([true, false])
})

test('the tokenizer is loaded once, when there is something to index', async () => {
  let loads = 0
  const storage = await openStorage(':memory:', async () => {
    loads++
    return () => ({ title: '', text: 'word' })
  })
  onTestFinished(() => storage.close())
  await storage.write(addFolder('one'))
  expect(loads).toBe(0)
  for (const n of [1, 2]) await storage.write(async (tx) => tx.words.noteChanged([n]))
  expect(loads).toBe(1)
})
