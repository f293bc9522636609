import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as schema from '../../storage/schema.ts'
import { openReader } from '../../storage/sqlite/connection.ts'
import { diagnose } from '../../storage/sqlite/diagnosis/diagnose.ts'
import { SCHEMA_VERSION } from '../../storage/sqlite/migrations.ts'
import { APPLICATION_ID, openWriter } from '../../storage/sqlite/open-database.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

const madeBy = (path: string, make: (sqlite: Sqlite.Database) => void): string => {
  const sqlite = new Sqlite(path)
  make(sqlite)
  sqlite.close()
  return path
}

/** Tries to create a table like a slightly faster process, unless the file is locked. */
function makeAtOnce(file: string): void {
  const other = new Sqlite(file, { timeout: 0 })
  try {
    other.exec('CREATE TABLE space_of_another (n)')
  } catch (error) {
    expect(error).toMatchObject({ code: 'SQLITE_BUSY' })
  } finally {
    other.close()
  }
}

describe('a file that is opened', () => {
  test('is created with its folders, and recognized again', async () => {
    const file = join(folder(), 'deep', 'down', 'space.sqlite')
    const first = await openWriter(file)
    first.sqlite.close()
    expect(diagnose(file)).toMatchObject({ application: APPLICATION_ID, schema: SCHEMA_VERSION, integrity: [] })
    const second = await openWriter(file)
    second.sqlite.close()
  })

  test('is not taken for another program’s while another process creates the space', async () => {
    const file = join(folder(), 'space.sqlite')
    const { pragma } = Sqlite.prototype
    let isMade = false
    const meanwhile = vi.spyOn(Sqlite.prototype, 'pragma').mockImplementation(function (this: Database, ...input) {
      const found = pragma.apply(this, input)
      if (input[0] === 'application_id' && !isMade) {
        isMade = true
        makeAtOnce(file)
      }
      return found
    })
    onTestFinished(() => meanwhile.mockRestore())
    const { sqlite } = await openWriter(file)
    sqlite.close()
    expect(isMade).toBe(true)
    expect(diagnose(file)).toMatchObject({ application: APPLICATION_ID, schema: SCHEMA_VERSION })
  })

  test('keeps acknowledged writes at a power cut: WAL with synchronous FULL on every connection', async () => {
    const file = join(folder(), 'space.sqlite')
    const writer = await openWriter(file)
    const reader = openReader(file)
    for (const { sqlite } of [writer, reader]) {
      expect(sqlite.pragma('journal_mode', { simple: true })).toBe('wal')
      expect(sqlite.pragma('synchronous', { simple: true })).toBe(2)
      expect(sqlite.pragma('foreign_keys', { simple: true })).toBe(1)
    }
    expect(() => reader.sqlite.exec('DELETE FROM space')).toThrow('readonly')
    reader.sqlite.close()
    writer.sqlite.close()
  })

  test('has no undeclared table', async () => {
    const { sqlite } = await openWriter(':memory:')
    onTestFinished(() => void sqlite.close())
    const declared = Object.values(schema).flatMap((each) => (is(each, SQLiteTable) ? [getTableConfig(each).name] : []))
    const tables = sqlite
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
      .pluck()
      .all() as string[]
    // The full-text index is a module of SQLite, with tables of its own.
    const others = tables.filter((name) => !declared.includes(name) && !/^search(_|$)/.test(name))
    expect(others).toEqual([])
  })

  test('has strict tables, with the columns that drizzle knows', async () => {
    const { sqlite } = await openWriter(':memory:')
    onTestFinished(() => void sqlite.close())
    for (const table of Object.values(schema).filter((each) => is(each, SQLiteTable))) {
      const { name, columns } = getTableConfig(table)
      const found = sqlite.pragma(`table_info(${name})`) as {
        name: string
        type: string
        notnull: number
        pk: number
      }[]
      const required = ({ notnull, pk }: { notnull: number; pk: number }) => notnull === 1 || pk === 1
      expect(found.map((column) => [column.name, column.type.toLowerCase(), required(column)])).toEqual(
        columns.map((column) => [column.name, column.getSQLType(), column.notNull]),
      )
      const [{ strict } = { strict: 0 }] = sqlite.pragma(`table_list(${name})`) as { strict: number }[]
      expect(strict, `${name} is STRICT`).toBe(1)
    }
  })
})

describe('an unusable file is rejected in one sentence, and unchanged', () => {
  const refused: [string, (path: string) => void, (path: string) => string][] = [
    [
      'a text',
      (path) => writeFileSync(path, 'Dear diary, '.repeat(100)),
      (path) => `Expected the file of a space, found that ${path} is no database; name another file with --space.`,
    ],
    [
      'the database of another program',
      (path) => void madeBy(path, (sqlite) => sqlite.exec('CREATE TABLE bookmarks (url TEXT)')),
      (path) => `Expected a space, found the database of another program in ${path}; name another file with --space.`,
    ],
    [
      'a space of a newer schema',
      (path) =>
        void madeBy(path, (sqlite) => {
          sqlite.pragma(`application_id = ${APPLICATION_ID}`)
          sqlite.pragma('user_version = 99')
        }),
      (path) =>
        `Expected a space of schema ${SCHEMA_VERSION} or older, found schema 99 in ${path}; update Scriptorium to open it.`,
    ],
  ]
  test.each(refused)('%s', async (_, make, message) => {
    const path = join(folder(), 'file')
    make(path)
    const before = readFileSync(path)
    await expect(openWriter(path)).rejects.toThrow(message(path))
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('a folder', async () => {
    const path = join(folder(), 'space.sqlite')
    mkdirSync(path)
    await expect(openWriter(path)).rejects.toThrow(
      `Expected the file of a space, found the folder ${path}; name a file in it with --space.`,
    )
  })

  test('a path where no folder can be created', async () => {
    const path = join(folder(), 'file')
    writeFileSync(path, '')
    await expect(openWriter(join(path, 'space.sqlite'))).rejects.toThrow(
      /^Expected a folder to make the space in, found that .* cannot be made/,
    )
  })
})
