/** The copy that is kept of a file before its tables are rebuilt. */
import fs, {
  chmodSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { formatBytes } from '../../src/base/byte-sizes.ts'
import { diagnoseSpace } from '../../src/cli/doctor/findings.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { indexedText } from '../../src/space/search/indexed-text.ts'
import { restoreSpace } from '../../storage/sqlite/copies/restore.ts'
import { BASE_SCHEMA, SCHEMA_VERSION } from '../../storage/sqlite/migrations.ts'
import { type OpenFileOptions, openWriter } from '../../storage/sqlite/open-database.ts'
import { folder } from '../program.ts'
import { unpack } from '../schemas/fixtures.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'
import { writeOnDays } from '../support/written-days.ts'

const DAY = 24 * 3600 * 1000

function filled(): { file: string; copy: string } {
  const file = join(folder(), 'space.sqlite')
  unpack('29-former', file)
  return { file, copy: `${file}.before-schema-${SCHEMA_VERSION}` }
}

/** Opens and closes a file, and returns the messages about it. */
async function opening(file: string, options: OpenFileOptions = {}): Promise<string[]> {
  const messages: string[] = []
  const { sqlite } = await openWriter(file, { report: (sentence) => messages.push(sentence), ...options })
  sqlite.close()
  return messages
}

/**
 * Lists the folder of a file, without the folder of bytes and the files that SQLite leaves for read-only connections.
 */
const beside = (file: string): string[] =>
  readdirSync(dirname(file)).filter((name) => !/\.files$|-wal$|-shm$/.test(name))
const version = (file: string): number => {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
    return Number(sqlite.pragma('user_version', { simple: true }))
  } finally {
    sqlite.close()
  }
}

/** Opens and closes a space, and returns the messages about it. */
async function openingSpace(file: string): Promise<string[]> {
  const messages: string[] = []
  await (await openSpace(file, { report: (sentence) => messages.push(sentence) })).close()
  return messages
}

async function writeOnLastDays(file: string, days: number): Promise<void> {
  const clock = { now: Date.now() - days * DAY }
  const space = await openSpace(file, { clock: () => clock.now })
  await writeOnDays({ space, clock }, days)
  await space.close()
}
const aged = (path: string, days: number): void => {
  const then = new Date(Date.now() - days * DAY)
  utimesSync(path, then, then)
}

describe('a copy', () => {
  test('is the previous file, for its owner only, and reported in a sentence', async () => {
    const { file, copy } = filled()
    expect(await opening(file)).toEqual([
      `Migrated ${file} to schema ${SCHEMA_VERSION}; a copy of the previous state is kept for a week in ${copy}.`,
    ])
    expect(version(file)).toBe(SCHEMA_VERSION)
    expect(version(copy)).toBe(BASE_SCHEMA)
    if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(beside(file)).toEqual(['space.sqlite', basename(copy)])
  })

  test('has what is only in the WAL', async () => {
    const { file, copy } = filled()
    const other = new Sqlite(file)
    onTestFinished(() => void other.close())
    other.pragma('journal_mode = WAL')
    other.exec("UPDATE space SET name = 'In the log'")
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
    await opening(file)
    const sqlite = new Sqlite(copy, { readonly: true })
    onTestFinished(() => void sqlite.close())
    expect(sqlite.prepare('SELECT name FROM space').pluck().get()).toBe('In the log')
  })

  test('is removed a week later, when the space is opened, together with partial ones', async () => {
    const { file, copy } = filled()
    await opening(file)
    const others = [`${copy}.unfinished`, `${copy}-kept`, `${file}-2.before-schema-3`]
    for (const other of others) writeFileSync(other, '')
    for (const path of [copy, ...others]) aged(path, 6)
    expect(await openingSpace(file)).toEqual([])
    for (const path of [copy, ...others]) aged(path, 8)
    // A clock that is ahead looks the same.
    expect(await openingSpace(file)).toEqual([])
    await writeOnLastDays(file, 7)
    expect(await openingSpace(file)).toHaveLength(2)
    expect([copy, ...others].map((path) => existsSync(path))).toEqual([false, false, true, true])
  })

  test('never replaces another', async () => {
    const { file, copy } = filled()
    writeFileSync(copy, 'of a file that was put back')
    await opening(file)
    expect(readFileSync(copy, 'utf8')).toBe('of a file that was put back')
    expect(version(`${copy}-2`)).toBe(BASE_SCHEMA)
  })

  test('is not made of a new file, of a current one, and if none is wanted', async () => {
    const { file } = filled()
    expect(await opening(file, { keepsCopy: false })).toEqual([])
    expect(await opening(file)).toEqual([])
    expect(await opening(join(dirname(file), 'new.sqlite'))).toEqual([])
    expect(beside(file)).toEqual(['new.sqlite', 'space.sqlite'])
  })
})

describe('the bytes of files that only a copy references', () => {
  const bytesOf = (file: string) => globSync(`${file}.files/??/*`).sort()

  /** Creates a space that has deleted all of its files since its copy was made. */
  async function forgotten() {
    const { file, copy } = filled()
    const bytes = bytesOf(file)
    expect(bytes).toHaveLength(2)
    await (await openSpace(file)).close()
    const sqlite = new Sqlite(file)
    sqlite.exec('DELETE FROM block_file; DELETE FROM change')
    sqlite.close()
    return { file, copy, bytes }
  }

  test('stay when the space is opened, and are restored with the copy', async () => {
    const { file, copy, bytes } = await forgotten()
    await (await openSpace(file)).close()
    expect(bytesOf(file)).toEqual(bytes)
    const restored = await restoreSpace(copy, file, {
      keepsAccess: false,
      replacesOther: false,
      now: Date.now(),
      words: async () => indexedText,
    })
    expect(restored).toMatchObject({ files: 2, damagedFiles: [] })
    await (await openSpace(file)).close()
    expect(bytesOf(file)).toEqual(bytes)
  })

  test('are not reported by doctor, neither for the space nor for the copy', async () => {
    const { file, copy } = await forgotten()
    chmodSync(`${file}.files`, 0o700)
    for (const path of [file, copy]) {
      const findings = await diagnoseSpace(path)
      expect(findings.filter(({ what }) => what === 'File')).toEqual([])
    }
  })

  test('are removed when the copy is gone', async () => {
    const { file, copy } = await forgotten()
    rmSync(copy)
    await (await openSpace(file)).close()
    expect(bytesOf(file)).toEqual([])
  })

  test('stay while the copy cannot be read', async () => {
    const { file, copy, bytes } = await forgotten()
    writeFileSync(copy, 'no database')
    await (await openSpace(file)).close()
    expect(bytesOf(file)).toEqual(bytes)
  })
})

describe('without free space', () => {
  const withRoom = (bytes: number) => {
    const found = statfsSync('.')
    replaceBuiltin(fs, 'statfsSync', () => () => ({ ...found, bsize: 1, bavail: bytes }) as never)
  }

  test('for a copy nothing is changed, and the error says what to do', async () => {
    const { file } = filled()
    const bytes = readFileSync(file)
    const size = bytes.length
    withRoom(3 * size - 1)
    await expect(opening(file)).rejects.toThrow(
      `Expected ${formatBytes(3 * size)} free next to ${file} to migrate it to schema ${SCHEMA_VERSION}, found ${formatBytes(3 * size - 1)}; nothing was changed, free some, or start with --no-copy (${formatBytes(size)} less).`,
    )
    expect(version(file)).toBe(BASE_SCHEMA)
    expect(beside(file)).toEqual(['space.sqlite'])
    expect(await opening(file, { keepsCopy: false })).toEqual([])
    expect(version(file)).toBe(SCHEMA_VERSION)
  })

  test('for the tables nothing is changed either', async () => {
    const { file } = filled()
    withRoom(10)
    await expect(opening(file, { keepsCopy: false })).rejects.toThrow(/nothing was changed, free some\.$/)
    expect(version(file)).toBe(BASE_SCHEMA)
  })
})
