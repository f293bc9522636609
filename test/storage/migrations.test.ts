/** Migration of a file to another schema: rows survive, and a failed migration changes nothing. */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isLongMigration } from '../../storage/sqlite/long-migration.ts'
import { rebuildTable } from '../../storage/sqlite/migrations/rebuild.ts'
import {
  BASE_SCHEMA,
  MIGRATIONS,
  type MigrateOptions,
  type Migration,
  migrate,
  SCHEMA_VERSION,
  schemaVersion,
} from '../../storage/sqlite/migrations.ts'
import { openWriter } from '../../storage/sqlite/open-database.ts'
import { dropTriggers } from '../../storage/sqlite/triggers/triggers.ts'
import { folder } from '../program.ts'
import { unpack } from '../schemas/fixtures.ts'

/**
 * The SHA-256 hash of the SQL of each migration. Released migrations are never edited, since files were created with
 * them: a later migration corrects their mistakes. Add the hash of the next one here.
 */
const HASHES = [
  '2c42d56d7ce50df2b1e9b9b8f306899f24ab908f66aa52f674ad5344ab71e8c3',
  '977fd8a0b289a5e12de15275fa64fe8600cbb229ba9a1781d1e8a78144fd2cc1',
  '461e4e03216ee6c02fd3a14200ae675119dcfb59398ded72a058ba561601e5dd',
  '29b5d72b047b75155e760af45255b6366045ee9e217788c1b8c50b0862b0f60c',
  '95612b66601ffe6c2400deaa65e6e9aa4f1cbbd2d177d52f9c0f48b53a6b286b',
  'cd5d9de6bd49eb45948a4f17c1fc4068ca2df6b5c61f54b25d2d6509e9da65ab',
  'cf982b23f914c8b08373fb02a9e7b1652fdbe6b7396ba9969c18e36faf2ae16c',
  '85bc6592ebca8f581beed21cbd7ff164844d8d17f6329759f553f87f62f85f5a',
  'd40dbe3f384535a96752d93fff62845b1854e500cfa6d8d736e61dba1ae03ff2',
  '72989bbd4ff57ee3b6a22a7e1cd460f7e1d9a2ebd0cc792fd7d2b1203d8deada',
  '0d8ddb143c73c3f09c795cce3f71ca9f6252529f742c20b853aae3de705ccb33',
  '3e300bd6caad715000d94c509b27f5023a16d11a1e09d96dca1068c58e0bef04',
  'd21a31241ace447f5eaa25f95ed8ddd2f79c4407f5b3a241a2760905cd01d266',
  'f54f3b630b9aaf8b4a71f82433c1c88bc708549c47b6533c509767241b215fe9',
  '21f1c408d7b806ae8c344867999bfcb80b68258b2805861e3f1adafb4c924d51',
  '9dcd9a739eb6c2901e988c4f4a43a1ac17250c7749ec1b830641bdd935fe76dc',
  '8db05dfde53bea2f2ac353ea33c8412902e1702e33f2ab8e91d49af2c7d003de',
  '43fbe79c969c63e564a834fbd534014af886c8868f128b88fd23db97f79592e5',
  '3c923dd7e56ffd80f94bad14918c74d0fd182afe319ddd41c26243f22be2272b',
  '207d5dffe795e50a1a0d9e33f2c8358b32c38f3965908187cfdadae06c3a97a7',
  '324315828f1ad29f4a84357200f3d9a45357dd8edc273bcaabe59d17eee0a188',
  '9554169b70189f30b6372867682b87be5a1474fa9e7cccf6e6c61778926e39b1',
  'd9e65c66b8263b1691284a058991ae5f456993e42d73404857b921a5546902d1',
  '75640e599e41538f3071e864147cceee902d85657fdfdc17ffc15dcc56320ad6',
  'def2d97485cb2664c39dc6ecb8fe5e52dc61b28c96529a40322b32ea408dee85',
]

/** Opens a space of an earlier schema with one of everything. */
function filled(): { file: string; sqlite: Database } {
  const file = join(folder(), 'space.sqlite')
  unpack('29-former', file)
  const sqlite = new Sqlite(file)
  onTestFinished(() => void sqlite.close())
  return { file, sqlite }
}

const rows = (sqlite: Database, table: string): unknown[] => sqlite.prepare(`SELECT * FROM ${table}`).all()
const sequenceOf = (sqlite: Database, table: string): unknown =>
  sqlite.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table)
const foreignKeys = (sqlite: Database): unknown => sqlite.pragma('foreign_keys', { simple: true })

/** The beginning of the types of properties in the table's CHECK. */
const [before, after] = ['type IN (', "type IN ('planted', "]

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
    planted(sqlite, { sql: addPlantedType(sqlite), rebuilds: true })
    expect(tables.map((table) => rows(sqlite, table))).toEqual(expected)
    expect(expected.map((found) => found.length > 0)).toEqual([true, true, true, true])
    expect(insertPlanted(sqlite)).toBe(1)
  })

  test('with foreign keys on deletes them: the bug that this is about', () => {
    const { sqlite } = filled()
    migrate(sqlite)
    const sql = addPlantedType(sqlite)
    expect(foreignKeys(sqlite)).toBe(1)
    dropTriggers(sqlite)
    sqlite.transaction(() => sqlite.exec(sql)).immediate()
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
  })
})

const schemaOf = (sqlite: Database): unknown[] =>
  sqlite.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()

/** Leads from a made-up schema to the next one. */
const stepped = (sqlite: Database, ...steps: readonly Migration[]): unknown =>
  migrate(sqlite, { migrations: [...MIGRATIONS, ...steps] })

describe('migrations', () => {
  const [first, second]: Migration[] = [
    { sql: 'CREATE TABLE star (n INTEGER PRIMARY KEY) STRICT; INSERT INTO star (n) VALUES (7)' },
    {
      sql: 'ALTER TABLE star ADD COLUMN name TEXT',
      after: (sqlite) => void sqlite.exec("UPDATE star SET name = 'Vega'"),
    },
  ]
  const both = [first, second] as Migration[]

  test('run those that are missing, each once, whatever the schema before', () => {
    const [old, middle] = [filled().sqlite, filled().sqlite]
    stepped(middle, ...both.slice(0, 1))
    expect(schemaVersion(middle)).toBe(SCHEMA_VERSION + 1)
    for (const sqlite of [old, middle]) {
      stepped(sqlite, ...both)
      stepped(sqlite, ...both)
      expect(schemaVersion(sqlite)).toBe(SCHEMA_VERSION + 2)
      expect(rows(sqlite, 'star')).toEqual([{ n: 7, name: 'Vega' }])
    }
    expect(schemaOf(old)).toEqual(schemaOf(middle))
  })

  test('run without triggers, which are then those of this program', () => {
    const { sqlite } = filled()
    const triggers = (): unknown => schemaOf(sqlite).filter((entry) => (entry as { type: string }).type === 'trigger')
    migrate(sqlite)
    const expected = triggers()
    sqlite.exec(
      'DROP TRIGGER block_deletion_logged; CREATE TRIGGER of_before AFTER DELETE ON block BEGIN SELECT 1; END',
    )
    let found: unknown
    stepped(sqlite, { sql: 'SELECT 1', after: () => (found = triggers()) })
    expect(found).toEqual([])
    expect(triggers()).toEqual(expected)
  })
})

describe('a migration that would break references', () => {
  const losing: Migration = {
    sql: 'DELETE FROM property WHERE n = (SELECT min(n) FROM property)',
    rebuilds: true,
  }

  test('is rejected with an explanation, rolled back, and its copy is removed', () => {
    const { file, sqlite } = filled()
    const schema = schemaVersion(sqlite)
    const values = rows(sqlite, 'value')
    expect(() => planted(sqlite, losing, { file })).toThrow(
      `Expected schema ${SCHEMA_VERSION + 1} to keep every reference of ${file}, found 1 row of value without their property; ` +
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
    expect(schemaVersion(sqlite)).toBe(SCHEMA_VERSION)
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
  expect(schemaVersion(sqlite)).toBe(SCHEMA_VERSION)
})

test('a file of a schema from before the first migration is rejected, with what to do first', async () => {
  const { file, sqlite } = filled()
  sqlite.pragma(`user_version = ${BASE_SCHEMA - 1}`)
  await expect(openWriter(file)).rejects.toThrow(
    `Expected a space of schema ${BASE_SCHEMA} or newer, found schema ${BASE_SCHEMA - 1} in ${file}; open it with commit 29836bdd of Scriptorium once, and then with this one.`,
  )
  expect(schemaVersion(sqlite)).toBe(BASE_SCHEMA - 1)
  expect(isLongMigration(file, 0)).toBe(false)
})
