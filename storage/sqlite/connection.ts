/** One SQLite connection with its settings and its cache of prepared statements. */
import Sqlite, { type Database } from 'better-sqlite3'
import { InsertStatement, parametersOf, type Statement } from '../statement.ts'
import type { Transaction, Values } from '../transaction.ts'
import { SQLITE } from './dialect.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { SqliteWordIndex } from './word-index.ts'

/**
 * Rows per statement of a large insert. More or fewer than 50 were slower for large inserts, and a note has about
 * twenty blocks.
 */
const INSERT_SIZES = [50, 16, 4, 1] as const

/** A connection. It also is the transaction that runs on it: everything between BEGIN and COMMIT. */
export class Connection extends PreparedStatements implements Transaction {
  readonly words: SqliteWordIndex

  constructor(sqlite: Database) {
    super(sqlite)
    this.words = new SqliteWordIndex(this)
  }

  async all<Row>(statement: Statement<Row>, values?: Values): Promise<Row[]> {
    const compiled = statement.compile(SQLITE)
    return this.sql<Row>(compiled.text).all(...parametersOf(compiled, values))
  }

  async get<Row>(statement: Statement<Row>, values?: Values): Promise<Row | undefined> {
    const compiled = statement.compile(SQLITE)
    return this.sql<Row>(compiled.text).get(...parametersOf(compiled, values))
  }

  async run(statement: Statement, values?: Values): Promise<number> {
    const compiled = statement.compile(SQLITE)
    return this.sql(compiled.text).run(...parametersOf(compiled, values)).changes
  }

  async batch(statement: Statement, rows: readonly Values[]): Promise<number> {
    if (statement instanceof InsertStatement) return this.#insert(statement, rows)
    const compiled = statement.compile(SQLITE)
    const prepared = this.sql(compiled.text)
    let changes = 0
    for (const values of rows) changes += prepared.run(...parametersOf(compiled, values)).changes
    return changes
  }

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    this.sql('SAVEPOINT attempt').run()
    const restorePending = this.words.savePending()
    try {
      const result = await work()
      this.sql('RELEASE attempt').run()
      return result
    } catch (error) {
      restorePending()
      // After some errors SQLite has already rolled back.
      if (this.sqlite.inTransaction) {
        this.sql('ROLLBACK TO attempt').run()
        this.sql('RELEASE attempt').run()
      }
      throw error
    }
  }

  async deferReferences(): Promise<void> {
    this.sql('PRAGMA defer_foreign_keys = 1').run()
  }

  #insert(statement: InsertStatement, rows: readonly Values[]): number {
    let [start, changes] = [0, 0]
    for (const size of INSERT_SIZES) {
      if (rows.length - start < size) continue
      const prepared = this.sql(statement.forRows(size).compile(SQLITE).text)
      for (; rows.length - start >= size; start += size) {
        const values: unknown[] = []
        for (let index = start; index < start + size; index++) {
          const row = rows[index] as Record<string, unknown>
          for (const { key } of statement.columns) values.push(row[key] ?? null)
        }
        changes += prepared.run(values).changes
      }
    }
    return changes
  }
}

/**
 * Milliseconds that SQLite waits for a lock on this thread, before the wait continues without blocking the event loop.
 */
export const BUSY_TIMEOUT_MS = 20

/**
 * Applies the settings of every connection and reads them back, since a setting that silently failed can lose data:
 * better-sqlite3 switches a WAL database to `synchronous = NORMAL`, which loses acknowledged writes in a power failure.
 */
export function configureConnection(sqlite: Database): Connection {
  const settings: readonly (readonly [pragma: string, value: number])[] = [
    ['synchronous', 2], // FULL
    ['foreign_keys', 1],
    ['trusted_schema', 0],
    ['temp_store', 2], // memory
    ['busy_timeout', BUSY_TIMEOUT_MS],
  ]
  for (const [pragma, value] of settings) {
    sqlite.pragma(`${pragma} = ${value}`)
    const actual = sqlite.pragma(pragma, { simple: true })
    if (actual !== value) throw new Error(`Expected SQLite to take ${pragma} = ${value}, found ${actual}.`)
  }
  return new Connection(sqlite)
}

/** Another connection to a file that is already open, read-only. */
export const openReader = (file: string): Connection => configureConnection(new Sqlite(file, { readonly: true }))
