/** Migration of a file to another schema: rows survive, and a failed migration changes nothing. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { currentSchemaFile, SCHEMA_FILE } from '../../scripts/schema.ts'
import { rebuildTable, withoutTriggers } from '../../storage/sqlite/migrations/rebuild.ts'
import {
  MIGRATIONS,
  type MigrateOptions,
  type Migration,
  migrate,
  schemaVersion,
} from '../../storage/sqlite/migrations.ts'
import { openWriter } from '../../storage/sqlite/open-database.ts'
import { folder } from '../program.ts'
import { unpack } from '../schemas/fixtures.ts'

test('a new file has the schema and rows that the migrations produce', () => {
  expect(readFileSync(SCHEMA_FILE, 'utf8'), 'Expected the schema of the migrations; run `npm run schema`.').toBe(
    currentSchemaFile(),
  )
  const contents = (migrations: readonly Migration[]) => {
    const sqlite = new Sqlite(':memory:')
    migrate(sqlite, { migrations })
    const schema = sqlite.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name <> 'sqlite_sequence'")
    const entries = schema.all() as { type: string; name: string }[]
    const tables = entries.filter(({ type }) => type === 'table').map(({ name }) => name)
    const rows = tables.map((name) => [name, sqlite.prepare(`SELECT * FROM "${name}"`).all()])
    const named = entries.map((entry) => [`${entry.type} ${entry.name}`, entry])
    return { version: schemaVersion(sqlite), schema: Object.fromEntries(named), rows: Object.fromEntries(rows) }
  }
  expect(contents(MIGRATIONS)).toEqual(contents([...MIGRATIONS]))
})

/**
 * The SHA-256 hash of the SQL of each migration. Released migrations are never edited, since files were created with
 * them: a later migration corrects their mistakes. Add the hash of the next one here.
 */
const HASHES = [
  'a5c4dc1bf21e487f4ed1ae060d9f637e530e93ea3ce33a074a6fa9ef6f8d86ae',
  'e6b6afd94f9ef7edf8d5ed0033a0ce681b68c488e4493a0454e4d1b560cfa08a',
  '4f752d08f278789651815c13b7bab5b09ee992e244f908af985fd357425cfb5e',
  'c6e834c646c214f305d227f4cf0fa9a0a47a1c672c150bf0959a562f7cdb976e',
  'c280e36e3ff8f4ae8adb921ad723d5ab6968424cf19700f348dcf62ddc938349',
  '4c06a50fa536691c3e408fdad4a455a727c696ea676856c4d2ee5a7dbd626eb6',
  'a412d7aa83a59d0ea93aef1ee952425d8b6ec8c02b7219e25165a1a5c2686f39',
  '08ac2440d1468bdafe12fbd5ecd96c448e940e93be86922172fc256bcc599155',
  '7d804fb9c318e4c287bb592a974c519f8c766f674330c10c2fca365491e498c3',
  '28c5534ec4951f3efe4881d3fb3006cffbaf5486b37b057adfb7f60ab6e76ff5',
  '3b1766b70a622dc8229c48f97c12cff4457adfbcc4d622c9647c3f3c3d37f8bf',
  '2d02a6c711426f0aeb9256581c01e1d5510c51589892f3bb19194b23591def08',
  '0b685098f59596446c67acdb7979d3a11981fae71ec743fc9220fc533d587cbb',
  'e25f41e312a7ffff1486632b84136fc3065240d7213715ca14edf6c059afcb3e',
  'ee83d137045866e5b94383d4a515d4201d7ab1db70fc0ee129d3076a6768d722',
  'db272bfde74e26becfbdd3d52e0e62ef3b141a565c919c29ea04f04eefc03a18',
  'cee8b6c035ba890589aa1ea25f350429ddd15b890ac89673182a6e7a80599971',
  '2293efe31b87916205e7cc0423984b5088acd1ff5dba26a52febd1afdf91a25e',
  '13f5215d03083b6cf1aecadacb7a3f0d4401906b067420de209258a34b2d16d9',
  'a753542aa772d9d84b9e6be1f474a36fd0a4cb071d7ed0090a3732bce22f61a6',
  '49336877b3eb8e72b22badbece289f29f2f77e93586f55ae71eb5f71620db865',
  '41cb6599ef30ef42324d439e725d66ecc3e2ff38fd2810a1015a91fd7ede7b4c',
  '1276f2982cf1a975515b7cb1e77efb6f59379141abfde5ae24437bdcf07cf015',
  '1dd98818cd375cd46b4e5718cdc0d4a8dc18e59824763cf68f7983167c420205',
  '8a9bfadd49b4c00d6de9488679d06f22cceba9f2d1abdc39b4d5b491e9d3df0d',
  '0a484a25dda8576bbf029e53cf8473d84497bb1ec9dff54c43d159eb0580c6b3',
  '5cd01fca6260ae6b1c05d6342fa4c16a40c303d2a0525949efec73e631d0bc8d',
  'df731d879679e9c0f7fb0e714600e2e13296841171dcbae1294c78e6148735df',
  'a45a57904bf32f12d548f6045e5b584b1fb43be41dcc919723abc72d376b3cff',
]

/** Opens a space of schema 10 with one of everything. */
function filled(): { file: string; sqlite: Database } {
  const file = join(folder(), 'space.sqlite')
  unpack('10', file)
  const sqlite = new Sqlite(file)
  onTestFinished(() => void sqlite.close())
  return { file, sqlite }
}

const rows = (sqlite: Database, table: string): unknown[] => sqlite.prepare(`SELECT * FROM ${table}`).all()
const sequenceOf = (sqlite: Database, table: string): unknown =>
  sqlite.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table)
const foreignKeys = (sqlite: Database): unknown => sqlite.pragma('foreign_keys', { simple: true })

const [before, after] = ["'multiSelect', 'relation')", "'multiSelect', 'relation', 'planted')"]

/** The SQL for a new type of property: it rebuilds the table with another CHECK, and everything that depends on it. */
function addPlantedType(sqlite: Database): string {
  const source = sqlite.prepare("SELECT sql FROM sqlite_schema WHERE name = 'property'").pluck().get() as string
  const definition = source.slice(source.indexOf('(') + 1, source.lastIndexOf(')')).replace(before, after)
  const columns = (sqlite.pragma('table_info(property)') as { name: string }[]).map(({ name }) => name)
  return rebuildTable({ table: 'property', columns, definition, autoincrement: true })
}

const insertPlanted = (sqlite: Database): number =>
  sqlite
    .prepare(
      `INSERT INTO property (collection, key, name, type, position, is_back_reference)
       SELECT n, 'stars', 'Stars', 'planted', 99, 0 FROM collection LIMIT 1`,
    )
    .run().changes

/** Migrates to the present schema, and then runs another migration. */
function planted(sqlite: Database, migration: Migration, options: MigrateOptions = {}): void {
  migrate(sqlite, { ...options, migrations: [...MIGRATIONS, migration] })
}

test('no released migration was edited', () => {
  const hashes = MIGRATIONS.map(({ sql }) => createHash('sha256').update(sql).digest('hex'))
  expect(hashes).toEqual(HASHES)
})

test('every table has row numbers that are never reused', async () => {
  const { sqlite } = await openWriter(':memory:')
  onTestFinished(() => void sqlite.close())
  const tables = sqlite.prepare<[], { name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE '% n INTEGER PRIMARY KEY%'`,
  )
  const without = tables.all().filter(({ sql }) => !/\bn INTEGER PRIMARY KEY AUTOINCREMENT\b/.test(sql))
  // `space` has only one row, and the numbers in the others are those of their blocks.
  expect(without.map(({ name }) => name).sort()).toEqual(['collection', 'document', 'space'])
})

describe('a migration that rebuilds a table', () => {
  test('keeps the rows that reference it', () => {
    const { sqlite } = filled()
    const tables = ['property', 'option', 'value', 'view'] as const
    migrate(sqlite)
    const expected = tables.map((table) => rows(sqlite, table))
    expect(() => insertPlanted(sqlite)).toThrow('CHECK constraint failed')
    planted(sqlite, { sql: addPlantedType(sqlite), rebuilds: true, withoutTriggers: true })
    expect(tables.map((table) => rows(sqlite, table))).toEqual(expected)
    expect(expected.map((found) => found.length > 0)).toEqual([true, true, true, true])
    expect(insertPlanted(sqlite)).toBe(1)
  })

  test('with foreign keys on deletes them: the bug that this is about', () => {
    const { sqlite } = filled()
    migrate(sqlite)
    const sql = addPlantedType(sqlite)
    expect(foreignKeys(sqlite)).toBe(1)
    sqlite.transaction(() => withoutTriggers(sqlite, () => void sqlite.exec(sql))).immediate()
    expect(rows(sqlite, 'value')).toEqual([])
    expect(rows(sqlite, 'option')).toEqual([])
  })

  test('continues after the highest number ever used, also for an empty table', () => {
    const { sqlite } = filled()
    const highest = sequenceOf(sqlite, 'property')
    sqlite.exec('DELETE FROM value; DELETE FROM option; DELETE FROM property; UPDATE sqlite_sequence SET seq = seq + 5')
    migrate(sqlite)
    expect(rows(sqlite, 'property')).toEqual([])
    expect(sequenceOf(sqlite, 'property')).toBe(Number(highest) + 5)
    expect(sequenceOf(sqlite, 'block')).toBe(sqlite.prepare('SELECT max(n) FROM block').pluck().get())
  })
})

describe('a migration that would break references', () => {
  const losing: Migration = {
    sql: 'DELETE FROM property WHERE n = (SELECT min(n) FROM property)',
    rebuilds: true,
    withoutTriggers: true,
  }

  test('is rejected with an explanation, rolled back, and its copy is removed', () => {
    const { file, sqlite } = filled()
    const schema = schemaVersion(sqlite)
    const values = rows(sqlite, 'value')
    expect(() => planted(sqlite, losing, { file })).toThrow(
      `Expected schema ${MIGRATIONS.length + 1} to keep every reference of ${file}, found 1 row of value without their property; ` +
        'nothing was changed, go on with the version of Scriptorium that you had and report this.',
    )
    expect(schemaVersion(sqlite)).toBe(schema)
    expect(rows(sqlite, 'value')).toEqual(values)
    expect(readdirSync(dirname(file)).filter((name) => name.includes('before'))).toEqual([])
    expect(foreignKeys(sqlite)).toBe(1)
  })

  test('does not reject a file that was broken before', () => {
    const { file, sqlite } = filled()
    sqlite.pragma('foreign_keys = 0')
    sqlite.exec(losing.sql)
    sqlite.pragma('foreign_keys = 1')
    migrate(sqlite, { file })
    expect(schemaVersion(sqlite)).toBe(MIGRATIONS.length)
    expect(() => planted(sqlite, losing, { file })).toThrow(/found \d+ rows? of value without their property;/)
  })
})

describe('a migration that fails', () => {
  test('rolls back all of its steps', () => {
    const { sqlite } = filled()
    const schema = rows(sqlite, 'sqlite_schema')
    expect(() => planted(sqlite, { sql: 'CREATE TABLE half (n); SELECT n FROM nowhere' })).toThrow('no such table')
    expect(rows(sqlite, 'sqlite_schema')).toEqual(schema)
    expect(foreignKeys(sqlite)).toBe(1)
  })
})

test('a file that another process has migrated is not migrated again', () => {
  const { file, sqlite } = filled()
  const { pragma } = Sqlite.prototype
  let isDone = false
  const meanwhile = vi.spyOn(Sqlite.prototype, 'pragma').mockImplementation(function (this: Database, ...input) {
    if (input[0] === 'foreign_keys = 0' && !isDone) {
      isDone = true
      const other = new Sqlite(file)
      migrate(other)
      other.close()
    }
    return pragma.apply(this, input)
  })
  onTestFinished(() => meanwhile.mockRestore())
  expect(migrate(sqlite, { file })).toBeUndefined()
  expect(isDone).toBe(true)
  expect(schemaVersion(sqlite)).toBe(MIGRATIONS.length)
})

test('a file without revisions, as the first ones were, gets them', async () => {
  const file = join(folder(), 'space.sqlite')
  unpack('1-early', file)
  const { sqlite } = await openWriter(file, { keepsCopy: false })
  onTestFinished(() => void sqlite.close())
  expect(new Set(sqlite.prepare('SELECT revision FROM document').pluck().all())).toEqual(new Set([1]))
})
