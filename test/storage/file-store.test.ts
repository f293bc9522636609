import { mkdtempSync, rmSync } from 'node:fs'
import fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { FileStore } from '../../storage/bytes/file-store.ts'
import { openWriter } from '../../storage/sqlite/open-database.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'

/** Paths that were flushed, in order. */
const flushed: string[] = []

beforeEach(() => {
  flushed.length = 0
  replaceBuiltin(fs, 'open', (open) => async (...input) => {
    const file = await open(...input)
    const sync = file.sync.bind(file)
    file.sync = async () => {
      await sync()
      flushed.push(String(input[0]))
    }
    return file
  })
})

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

test('bytes are stored once every name on their path is synced, including that of the folder next to the space', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = new FileStore(join(folder, 'a.sqlite'))
  const insert = async (text: string) => {
    flushed.length = 0
    const written = await store.write(once(text), 100)
    await store.commit(written)
    const part = join('a.sqlite.files', written.hash.slice(0, 2))
    const [bytes, ...folders] = flushed.map((path) => relative(folder, path))
    expect(bytes).toMatch(/^a\.sqlite\.files\/passing-/)
    expect(folders.slice(0, 2)).toEqual([part, 'a.sqlite.files'])
    return folders.slice(2)
  }
  expect(await insert('first')).toEqual([''])
  // A store flushes the parent folder only once.
  expect(await insert('second')).toEqual([])
})

test('folders created for a space are synced before it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const open = async () => {
    flushed.length = 0
    const { sqlite } = await openWriter(join(folder, 'one', 'two', 'a.sqlite'))
    sqlite.close()
    return flushed.map((path) => relative(folder, path))
  }
  expect(await open()).toEqual(['one', ''])
  expect(await open()).toEqual([])
})
