/** One SQLite connection with its settings and its cache of prepared statements. */
import Sqlite, { type Database, type Statement } from 'better-sqlite3'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'

export type Orm = BetterSQLite3Database

export class Connection {
  readonly sqlite: Database
  readonly orm: Orm
  readonly #prepared = new Map<unknown, unknown>()

  constructor(sqlite: Database) {
    this.sqlite = sqlite
    this.orm = drizzle(sqlite)
  }

  /** Returns what `make` prepares, once per connection. `key` identifies it: the function or the SQL text. */
  prepared<T>(key: unknown, make: () => T): T {
    let statement = this.#prepared.get(key) as T | undefined
    if (statement === undefined) {
      statement = make()
      this.#prepared.set(key, statement)
    }
    return statement
  }

  /** A prepared statement in plain SQL, for what drizzle cannot express. */
  sql<Row = unknown>(source: string): Statement<unknown[], Row> {
    return this.prepared(source, () => this.sqlite.prepare<unknown[], Row>(source))
  }
}

/** The context of a query: a connection between BEGIN and COMMIT. */
export type Transaction = Connection

/**
 * A query that drizzle builds once and each connection prepares once. Building it on every call would be 6 to 13 times
 * slower than running it.
 */
export function query<Prepared>(build: (orm: Orm) => Prepared): (tx: Transaction) => Prepared {
  return (tx) => tx.prepared(build, () => build(tx.orm))
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
