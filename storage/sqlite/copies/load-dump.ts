/** Creates the file of a space from all rows of another space: see `storage/dump.ts`. */
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database, Statement } from 'better-sqlite3'
import { messageOf, ScriptoriumError } from '../../../src/base/errors.ts'
import { repairByteCounts } from '../../byte-counts.ts'
import { createPrivateFolder } from '../../bytes/file-store.ts'
import type { DumpedRow } from '../../dump.ts'
import { EXPORT_AGAIN_FIRST } from '../../earlier-schemas.ts'
import { Connection } from '../connection.ts'
import { brokenReferences, brokenReferencesText } from '../diagnosis/broken-references.ts'
import { BASE_SCHEMA, MIGRATIONS, migrate, SCHEMA_VERSION } from '../migrations.ts'
import { APPLICATION_ID } from '../open-database.ts'
import { openPrivateDatabase } from '../private-files.ts'
import { createTriggers, dropTriggers } from '../triggers/triggers.ts'

export interface Dump {
  /** The schema version of the rows. */
  schema: number
  /** The number that the next row gets, by table. */
  numbers: Readonly<Record<string, number>>
  /** The rows of all tables, in any order. */
  rows: AsyncIterable<{ table: string; rows: readonly DumpedRow[] }>
}

/**
 * Loads a dump into a new file. If this fails, no file is left.
 *
 * @param file  a path where no file exists yet
 * @throws VALIDATION_ERROR for rows that a space cannot have, and for a schema that this program does not migrate
 */
export async function loadDump(file: string, { schema, numbers, rows }: Dump): Promise<void> {
  if (!Number.isInteger(schema) || schema < BASE_SCHEMA || schema > SCHEMA_VERSION) {
    const advice = schema > 0 && schema < BASE_SCHEMA ? EXPORT_AGAIN_FIRST : 'use the newest version of Scriptorium'
    throw refused(`a schema from ${BASE_SCHEMA} to ${SCHEMA_VERSION}`, `${schema}`, advice)
  }
  await createPrivateFolder(dirname(file))
  const passing = `${file}.${randomBytes(6).toString('hex')}.part`
  const sqlite = openPrivateDatabase(passing)
  try {
    // At once, so that what a crash leaves is known to be of a space.
    sqlite.pragma(`application_id = ${APPLICATION_ID}`)
    sqlite.pragma('foreign_keys = OFF')
    migrate(sqlite, { migrations: MIGRATIONS.slice(0, schema - BASE_SCHEMA + 1) })
    sqlite.pragma('foreign_keys = OFF')
    sqlite.pragma('synchronous = OFF')
    sqlite.exec('BEGIN')
    // The rows already include what triggers would write.
    dropTriggers(sqlite)
    const loader = new Loader(sqlite)
    for await (const part of rows) loader.load(part.table, part.rows)
    loader.setNumbers(numbers)
    const broken = brokenReferences(sqlite, undefined)
    if (broken.length > 0)
      throw refused('rows that refer to one another', brokenReferencesText(broken), 'export it again')
    if (schema === SCHEMA_VERSION) createTriggers(sqlite)
    sqlite.exec('COMMIT')
    migrate(sqlite)
    sqlite.exec('BEGIN; INSERT OR IGNORE INTO unindexed_block (block) SELECT n FROM block')
    await repairByteCounts(new Connection(sqlite))
    sqlite.exec('COMMIT')
    sqlite.pragma('synchronous = FULL')
    sqlite.exec('VACUUM')
    sqlite.close()
    if (existsSync(file)) throw refused('a new file', `one that is there already, ${file}`, 'name another')
    renameSync(passing, file)
  } catch (error) {
    sqlite.close()
    rmSync(passing, { force: true })
    throw error
  }
}

class Loader {
  readonly #sqlite: Database
  readonly #columns = new Map<string, ReadonlySet<string>>()
  readonly #statements = new Map<string, Statement>()

  constructor(sqlite: Database) {
    this.#sqlite = sqlite
  }

  load(table: string, rows: readonly DumpedRow[]): void {
    const known = this.#columnsOf(table)
    for (const row of rows) {
      const names = Object.keys(row)
      const unknown = names.find((name) => !known.has(name))
      if (unknown !== undefined) throw refused(`columns of ${table}`, unknown, EXPORT_AGAIN)
      const key = `${table} ${names}`
      let insert = this.#statements.get(key)
      if (insert === undefined) {
        const list = names.map((name) => `"${name}"`).join(', ')
        insert = this.#sqlite.prepare(`INSERT OR REPLACE INTO ${table} (${list}) VALUES (${names.map(() => '?')})`)
        this.#statements.set(key, insert)
      }
      try {
        insert.run(Object.values(row).map(bindable))
      } catch (error) {
        throw refused(`rows of ${table}`, messageOf(error), EXPORT_AGAIN)
      }
    }
  }

  /** The columns that rows can set: all but generated ones. */
  #columnsOf(table: string): ReadonlySet<string> {
    const found = this.#columns.get(table)
    if (found !== undefined) return found
    const isTable = /^[a-z_]+$/.test(table) && !/^(?:sqlite|search)/.test(table)
    const columns = isTable ? (this.#sqlite.pragma(`table_info(${table})`) as { name: string }[]) : []
    if (columns.length === 0) throw refused('tables of a space', table.slice(0, 100), EXPORT_AGAIN)
    const names = new Set(columns.map(({ name }) => name))
    this.#columns.set(table, names)
    return names
  }

  setNumbers(numbers: Readonly<Record<string, number>>): void {
    const set = this.#sqlite.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
    const add = this.#sqlite.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
    for (const [table, next] of Object.entries(numbers)) {
      this.#columnsOf(table)
      if (!Number.isSafeInteger(next) || next < 1) throw refused('numbers of rows', `${next} of ${table}`, EXPORT_AGAIN)
      if (set.run(next - 1, table).changes === 0) add.run(table, next - 1)
    }
  }
}

const EXPORT_AGAIN = 'export the space again'

function bindable(value: unknown): string | number | null {
  if (value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return value
  throw new Error(`Expected text, a number or null, found ${JSON.stringify(value)?.slice(0, 100)}.`)
}

const refused = (expected: string, found: string, next: string) =>
  new ScriptoriumError('VALIDATION_ERROR', `Expected ${expected} in the export, found ${found}; ${next}.`)
