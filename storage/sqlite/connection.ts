/** One SQLite connection: opened, set up, and holding the statements that were prepared on it. */
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

  /** What `make` prepares, made once for each connection; `key` is the function or the SQL that it stands for. */
  prepared<T>(key: unknown, make: () => T): T {
    let statement = this.#prepared.get(key) as T | undefined
    if (statement === undefined) {
      statement = make()
      this.#prepared.set(key, statement)
    }
    return statement
  }

  /** A statement in plain SQL, for what drizzle cannot say. */
  sql<Row = unknown>(source: string): Statement<unknown[], Row> {
    return this.prepared(source, () => this.sqlite.prepare<unknown[], Row>(source))
  }
}

/** What a query runs in: a connection, between BEGIN and COMMIT. */
export type Transaction = Connection

/**
 * A query that drizzle builds once and each connection prepares once: building it for every row would be 6 to 13
 * times slower than running it.
 */
export function query<Prepared>(build: (orm: Orm) => Prepared): (tx: Transaction) => Prepared {
  return (tx) => tx.prepared(build, () => build(tx.orm))
}

/** How long SQLite itself waits for a lock before the wait goes on outside of the event loop's way. Milliseconds. */
export const BUSY_WAIT = 20

/**
 * Settings of every connection, read back, because a setting that silently did not take is how data is lost:
 * better-sqlite3 switches a WAL database to `synchronous = NORMAL`, which forgets acknowledged writes at a power cut.
 */
export function configure(sqlite: Database): Connection {
  const wanted: readonly (readonly [pragma: string, value: number])[] = [
    ['synchronous', 2], // FULL
    ['foreign_keys', 1],
    ['trusted_schema', 0],
    ['temp_store', 2], // memory
    ['busy_timeout', BUSY_WAIT],
  ]
  for (const [pragma, value] of wanted) {
    sqlite.pragma(`${pragma} = ${value}`)
    const found = sqlite.pragma(pragma, { simple: true })
    if (found !== value) throw new Error(`Expected SQLite to take ${pragma} = ${value}, found ${found}.`)
  }
  return new Connection(sqlite)
}

/** A further connection to a file that is open already, which can only read. */
export const openReader = (file: string): Connection => configure(new Sqlite(file, { readonly: true }))
