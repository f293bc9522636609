/** Backups of spaces in use: they are complete and verified, and never half written under their final name. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createBackup, listBackups, removeOldBackups } from '../../storage/sqlite/copies/backup.ts'
import { compareChecksum } from '../../storage/sqlite/copies/checksums.ts'
import { openStorage } from '../../storage/sqlite/open-storage.ts'
import { RANDOM_ID } from '../build.ts'
import { folder } from '../program.ts'
import { unpack } from '../schemas/fixtures.ts'
import { connectionOf } from '../sqlite.ts'

const NOW = Date.parse('2026-11-23T07:16:14.500Z')

/** Creates a space with content and files, and an empty folder for backups. */
function filled(): { file: string; to: string } {
  const path = folder()
  const file = join(path, 'notes.sqlite')
  unpack('29-former', file)
  const to = join(path, 'backups')
  mkdirSync(to)
  return { file, to }
}

const bytesIn = (file: string): string[] =>
  readdirSync(`${file}.files`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

const tableOf = (file: string, table: string): unknown[] => {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    return sqlite.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()
  } finally {
    sqlite.close()
  }
}

describe('a backup', () => {
  test('of a space in use has what is only in the WAL, and all files', async () => {
    const { file, to } = filled()
    const storage = await openStorage(file)
    onTestFinished(() => storage.close())
    await storage.write(
      async (tx) => void connectionOf(tx).sql("UPDATE block SET text = 'in the log' WHERE n = 1").run(),
    )
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
    const made = await createBackup(file, to, NOW)
    expect(made.path).toBe(join(to, 'notes-2026-11-23T071614Z.sqlite'))
    expect(made).toMatchObject({ documents: expect.any(Number), blocks: expect.any(Number), damagedFiles: [] })
    for (const table of ['block', 'document', 'value', 'file', 'link', 'write_log']) {
      expect(tableOf(made.path, table)).toEqual(tableOf(file, table))
    }
    const names = (path: string) =>
      bytesIn(path)
        .map((one) => one.slice(path.length))
        .sort()
    expect(names(made.path)).toEqual(names(file))
    expect(names(file).length).toBe(made.files)
    expect(readdirSync(to).sort()).toEqual(['', '.files', '.sha256'].map((side) => `${basename(made.path)}${side}`))
  })

  test('can be opened on a read-only medium, and is readable for its owner only', async () => {
    const { file, to } = filled()
    const { path } = await createBackup(file, join(to, 'one.sqlite'), NOW)
    expect(path).toBe(join(to, 'one.sqlite'))
    expect(tableOf(path, 'space')).toEqual(tableOf(file, 'space'))
    // Reading the backup created no files next to it, as a file with a write-ahead log would.
    expect(readdirSync(to).sort()).toEqual(['one.sqlite', 'one.sqlite.files', 'one.sqlite.sha256'])
    if (process.platform === 'win32') return
    for (const one of [path, ...bytesIn(path)]) expect(statSync(one).mode & 0o777).toBe(0o600)
    expect(statSync(`${path}.files`).mode & 0o777).toBe(0o700)
  })

  test('continues while others write, and is one snapshot', async () => {
    const { file, to } = filled()
    const storage = await openStorage(file)
    onTestFinished(() => storage.close())
    const before = tableOf(file, 'comment').length
    const adding = Array.from({ length: 20 }, (_, index) =>
      storage.write(async (tx) => {
        connectionOf(tx)
          .sql(`INSERT INTO comment (id, block, author, content, created_at) VALUES (${RANDOM_ID}, 1, 'a', ?, 0)`)
          .run(`c${index}`)
      }),
    )
    const [{ path }] = await Promise.all([createBackup(file, to, NOW), ...adding])
    expect(tableOf(file, 'comment')).toHaveLength(before + 20)
    expect(tableOf(path, 'comment').length).toBeGreaterThanOrEqual(before)
  })

  test('reports missing or changed files, and has the rest', async () => {
    const { file, to } = filled()
    const [missing = '', altered = ''] = bytesIn(file)
    rmSync(missing)
    writeFileSync(altered, 'others')
    const { path, damagedFiles } = await createBackup(file, to, NOW)
    expect(damagedFiles).toHaveLength(2)
    expect(bytesIn(path)).toHaveLength(bytesIn(file).length - 1)
    expect(bytesIn(path).map((one) => readFileSync(one, 'utf8'))).not.toContain('others')
  })

  test.each([
    ['a file that is not there', (file: string) => rmSync(file), /^Expected the file of a space, found none at /],
    [
      'no space',
      (file: string) => writeFileSync(file, 'x'.repeat(4096)),
      /found this: file is not a database; nothing/,
    ],
    ['an empty file', (file: string) => writeFileSync(file, ''), /^Expected a space, found another file in /],
    [
      'a damaged one',
      (file: string) => {
        const bytes = readFileSync(file)
        writeFileSync(file, Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192, 7)]))
      },
      /the space is damaged, run `scriptorium doctor`|found that .* is damaged/,
    ],
  ])('of %s leaves nothing', async (_, damage, message) => {
    const { file, to } = filled()
    damage(file)
    await expect(createBackup(file, to, NOW)).rejects.toThrow(message)
    expect(readdirSync(to)).toEqual([])
  })

  test('has checksums of its database and its files that sha256sum reads', async () => {
    const { file, to } = filled()
    // A name that has to be escaped.
    const name = process.platform === 'win32' ? 'one.sqlite' : 'o\\n\ne.sqlite'
    const { path, files } = await createBackup(file, join(to, name), NOW)
    const lines = readFileSync(`${path}.sha256`, 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(1 + files)
    if (process.platform !== 'win32') {
      const checked = spawnSync('sha256sum', ['--check', '--strict', `${name}.sha256`], { cwd: to, encoding: 'utf8' })
      expect(checked).toMatchObject({ status: 0, stderr: '' })
      expect(statSync(`${path}.sha256`).mode & 0o777).toBe(0o600)
    }
    expect(await compareChecksum(path)).toBe('equal')
  })

  test('never replaces an existing file', async () => {
    const { file, to } = filled()
    const path = join(to, 'one.sqlite')
    writeFileSync(path, 'mine')
    await expect(createBackup(file, path, NOW)).rejects.toThrow(
      `Expected a name for the backup that is free, found ${path}; name another, or a folder.`,
    )
    expect(readFileSync(path, 'utf8')).toBe('mine')
    await expect(createBackup(file, file, NOW)).rejects.toThrow('Expected a name for the backup that is free')
  })

  test('creates its folder', async () => {
    const { file, to } = filled()
    const { path } = await createBackup(file, `${join(to, 'deep', 'er')}/`, NOW)
    expect(path).toBe(join(to, 'deep', 'er', 'notes-2026-11-23T071614Z.sqlite'))
    expect(existsSync(path)).toBe(true)
  })
})

test('the oldest backups of a space are removed, and nothing else', async () => {
  const { file, to } = filled()
  const day = 24 * 3600_000
  for (const days of [2, 0, 1]) await createBackup(file, to, NOW + days * day)
  const others = ['notes-more-2020-01-01T000000Z.sqlite', 'notes-2020-01-01.sqlite', 'other-2020-01-01T000000Z.sqlite']
  for (const name of others) writeFileSync(join(to, name), '')
  expect(listBackups(file, to).map(({ at }) => at)).toEqual([0, 1, 2].map((days) => NOW - 500 + days * day))
  expect(removeOldBackups(file, to, 2, NOW + 3 * day)).toEqual([join(to, 'notes-2026-11-23T071614Z.sqlite')])
  expect(readdirSync(to).sort()).toEqual(
    [
      ...others,
      ...['24', '25'].flatMap((date) => {
        const name = `notes-2026-11-${date}T071614Z.sqlite`
        return [name, `${name}.files`, `${name}.sha256`]
      }),
    ].sort(),
  )
})
