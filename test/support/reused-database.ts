/**
 * Spaces in memory that share one database, one after another. To open a new database takes longer than most tests: it
 * parses all tables and triggers, and prepares every statement again.
 *
 * All that a test writes is one transaction, which is rolled back when its space closes. The transactions of the program
 * are savepoints in it. Since SQLite checks deferred references at the end of the outermost transaction only, they are
 * checked here when such a savepoint is released.
 */
import Sqlite, { type Database, type Statement } from 'better-sqlite3'

interface Shared {
  native: Database
  /** Settings that are known to be set, such as `foreign_keys = 1`. */
  settings: Set<string>
  /** Statements that stay prepared. Each is given out once per opening, since callers change how it returns rows. */
  prepared: Map<string, Statement>
}

/** Databases that no space uses, by the bytes of which they are copies. */
const unused = new WeakMap<Buffer, Shared[]>()
/** More are closed instead. */
const MOST_UNUSED = 8

/** A database in memory with these bytes, until it is closed. */
export function reusedDatabase(bytes: Buffer): Database {
  const waiting = unused.get(bytes) ?? []
  unused.set(bytes, waiting)
  const shared = waiting.pop() ?? { native: new Sqlite(bytes), settings: new Set(), prepared: new Map() }
  return openOn(shared, () => {
    if (waiting.length < MOST_UNUSED) waiting.push(shared)
    else shared.native.close()
  })
}

function openOn({ native, settings, prepared }: Shared, giveBack: () => void): Database {
  const given = new Set<string>()
  let isOpen = true
  let inTransaction = false
  let defersReferences = false

  const assertOpen = () => {
    if (!isOpen) throw new TypeError('The database connection is not open')
  }
  const begin = () => {
    if (inTransaction) throw new Error('Expected no transaction to be open, found one.')
    if (!native.inTransaction) native.exec('BEGIN')
    native.exec('SAVEPOINT program')
    inTransaction = true
  }
  const commit = () => {
    if (defersReferences) checkReferences(native)
    native.exec('RELEASE program')
    inTransaction = false
  }
  const rollBack = () => {
    native.exec('ROLLBACK TO program; RELEASE program')
    inTransaction = false
  }
  const end = (work: () => void) => () => {
    if (!inTransaction) throw new Error('Expected a transaction to end, found none.')
    work()
    if (defersReferences) native.exec('PRAGMA defer_foreign_keys = 0')
    defersReferences = false
  }
  const own: Readonly<Record<string, () => void>> = {
    BEGIN: begin,
    'BEGIN IMMEDIATE': begin,
    COMMIT: end(commit),
    ROLLBACK: end(rollBack),
    'PRAGMA defer_foreign_keys = 1': () => {
      native.exec('PRAGMA defer_foreign_keys = 1')
      defersReferences = true
    },
  }

  return Object.create(native, {
    open: { get: () => isOpen },
    // After some errors SQLite rolls everything back by itself.
    inTransaction: { get: () => inTransaction && native.inTransaction },
    prepare: {
      value(source: string) {
        assertOpen()
        const run = own[source]
        if (run !== undefined) return { run }
        if (given.has(source)) return native.prepare(source)
        given.add(source)
        const known = prepared.get(source)
        if (known?.reader)
          for (const option of ['pluck', 'raw', 'expand', 'safeIntegers'] as const) known[option](false)
        const statement = known ?? native.prepare(source)
        prepared.set(source, statement)
        return statement
      },
    },
    exec: {
      value(source: string) {
        assertOpen()
        const run = own[source]
        if (run === undefined) native.exec(source)
        else run()
        return this
      },
    },
    pragma: {
      value(source: string, options?: Sqlite.PragmaOptions) {
        assertOpen()
        if (settings.has(source)) return []
        const [, name = '', value] = /^(\w+) = (\d+)$/.exec(source) ?? []
        if (value === undefined) return native.pragma(source, options)
        // To set what is set already would prepare all statements again.
        if (native.pragma(name, { simple: true }) === Number(value)) {
          // What is stored in the database is rolled back.
          if (name !== 'user_version' && name !== 'application_id') settings.add(source)
          return []
        }
        settings.clear()
        return native.pragma(source, options)
      },
    },
    close: {
      value() {
        if (!isOpen) return this
        isOpen = false
        if (native.inTransaction) native.exec('ROLLBACK')
        giveBack()
        return this
      },
    },
  })
}

/** @throws as SQLite does at the end of a transaction */
function checkReferences(native: Database): void {
  if (native.prepare('PRAGMA foreign_key_check').get() === undefined) return
  throw new Sqlite.SqliteError('FOREIGN KEY constraint failed', 'SQLITE_CONSTRAINT_FOREIGNKEY')
}
