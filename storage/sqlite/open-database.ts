/**
 * Opens the file of a space: creates it or verifies that it is one, and migrates its schema. Rejects any other file.
 */

import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite, { type Database } from 'better-sqlite3'
import { messageOf } from '../../src/base/errors.ts'
import { createPrivateFolder } from '../bytes/file-store.ts'
import { OPEN_EARLIER_FIRST } from '../earlier-schemas.ts'
import type { ReportMigration } from '../migration-progress.ts'
import { type Connection, configureConnection } from './connection.ts'
import { BASE_SCHEMA, migrate, SCHEMA_VERSION, schemaVersion } from './migrations.ts'
import { openPrivateDatabase, restrictToOwner } from './private-files.ts'
import { UnusableFile } from './unusable-file.ts'

/** `application_id` of a space: "Scri" in ASCII, so that `file` and other programs recognize it. */
export const APPLICATION_ID = 0x53637269

/** Milliseconds that opening waits for another process that is creating or upgrading the same file. */
const OPEN_WAIT_MS = 30_000

/** Suffixes of a space's side databases: rate-limit usage and sign-ins. */
const SIDE_DATABASES = ['.usage', '.sign-in']

export { UnusableFile }

export interface OpenFileOptions {
  /** True to keep a copy next to the file before a migration rebuilds its tables. Default: true. */
  keepsCopy?: boolean
  /** Milliseconds since 1970. Default: the clock of the machine. */
  clock?: () => number
  /** Is called with each step of a migration. */
  onMigration?: ReportMigration
  /** Receives a sentence about each copy that was kept or removed. */
  report?(sentence: string): void
  /** For `:memory:` only: the database of an existing space. Closing the space closes it. */
  database?: Database
}

/**
 * Opens the write connection of a space's file (`:memory:` for a temporary space).
 *
 * @throws {UnusableFile} for a folder, an inaccessible file, a file that is not a database, a database of another
 * program, or a schema that is newer than this program's or older than {@link BASE_SCHEMA}.
 */
export async function openWriter(file: string, options: OpenFileOptions = {}): Promise<Connection> {
  if (file !== ':memory:') {
    await checkPath(file)
    // Not every command opens the side databases.
    for (const name of SIDE_DATABASES) restrictToOwner(`${file}${name}`)
  }
  const deadline = Date.now() + OPEN_WAIT_MS
  for (;;) {
    const sqlite = options.database ?? openSqlite(file)
    try {
      assertOwnFile(sqlite, file)
      if (file !== ':memory:') enableWal(sqlite)
      const connection = configureConnection(sqlite)
      migrateToLatest(sqlite, file, options)
      return connection
    } catch (error) {
      sqlite.close()
      // Switching to WAL and migrating lock the file briefly, and SQLite does not wait for the former.
      if (!isBusy(error) || Date.now() > deadline) throw explainOpenError(error, file)
    }
    await delay(5)
  }
}

function migrateToLatest(
  sqlite: Database,
  file: string,
  { keepsCopy = true, report, onMigration }: OpenFileOptions,
): void {
  if (file === ':memory:') {
    migrate(sqlite)
    return
  }
  const copy = migrate(sqlite, { file, keepsCopy, ...(onMigration && { onMigration }) })
  if (copy !== undefined) {
    report?.(
      `Migrated ${file} to schema ${SCHEMA_VERSION}; a copy of the previous state is kept for a week in ${copy.path}.`,
    )
  }
}

/** True if SQLite gave up because another process holds the lock. Only this error can be fixed by retrying. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code)

/** True if a page was missing, for example because the log was truncated. */
export const isShortRead = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code === 'SQLITE_IOERR_SHORT_READ'

// Uses `stat` and never opens the file: closing a descriptor would drop the locks SQLite holds on it in this process.
async function checkPath(file: string): Promise<void> {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) {
    try {
      await createPrivateFolder(dirname(file))
    } catch (error) {
      const reason = messageOf(error)
      throw new UnusableFile(
        `Expected a folder to make the space in, found that ${dirname(file)} cannot be made: ${reason}.`,
      )
    }
    return
  }
  if (stats.isDirectory()) {
    throw new UnusableFile(`Expected the file of a space, found the folder ${file}; name a file in it with --space.`)
  }
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch {
    throw new UnusableFile(
      `Expected a file that can be read and written, found ${file}; change its permissions or name another with --space.`,
    )
  }
}

function openSqlite(file: string): Database {
  try {
    return openPrivateDatabase(file, { timeout: 1000 })
  } catch (error) {
    throw explainOpenError(error, file)
  }
}

/** Identifying values of a file, read in one snapshot, since another process may be creating the space right now. */
const readFileMarks = (sqlite: Database) =>
  sqlite.transaction(() => ({
    application: sqlite.pragma('application_id', { simple: true }),
    version: schemaVersion(sqlite),
    tables: sqlite.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0,
  }))()

function assertOwnFile(sqlite: Database, file: string): void {
  const { application, version, tables } = readFileMarks(sqlite)
  if (application === APPLICATION_ID) {
    assertKnownSchema(version, file, OPEN_EARLIER_FIRST)
    return
  }
  if (application !== 0 || version !== 0 || tables > 0) {
    throw new UnusableFile(
      `Expected a space, found the database of another program in ${file}; name another file with --space.`,
    )
  }
  sqlite.pragma(`application_id = ${APPLICATION_ID}`)
}

/**
 * @param version  the schema of a file; 0 before it has any
 * @param advice  what to do if it is too old, as the end of a sentence
 * @throws {UnusableFile} if this program cannot migrate it
 */
export function assertKnownSchema(version: number, file: string, advice: string): void {
  if (version > SCHEMA_VERSION) {
    throw new UnusableFile(
      `Expected a space of schema ${SCHEMA_VERSION} or older, found schema ${version} in ${file}; update Scriptorium to open it.`,
    )
  }
  if (version === 0 || version >= BASE_SCHEMA) return
  throw new UnusableFile(
    `Expected a space of schema ${BASE_SCHEMA} or newer, found schema ${version} in ${file}; ${advice}.`,
  )
}

function enableWal(sqlite: Database): void {
  const mode = sqlite.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal') throw new Error(`Expected SQLite to take journal_mode = wal, found ${mode}.`)
}

function explainOpenError(error: unknown, file: string): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error
  if (error.code === 'SQLITE_NOTADB') {
    return new UnusableFile(
      `Expected the file of a space, found that ${file} is no database; name another file with --space.`,
    )
  }
  if (error.code.startsWith('SQLITE_CORRUPT')) {
    return new UnusableFile(
      `Expected a sound file, found that ${file} is damaged; run \`scriptorium doctor\` and restore a backup.`,
    )
  }
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|IOERR)/.test(error.code)) {
    return new UnusableFile(
      `Expected a file that can be read and written, found ${file}: ${error.message}; name another with --space.`,
    )
  }
  if (error.code === 'SQLITE_FULL') {
    return new UnusableFile(
      `Expected room on the disk to open ${file}, found that it is full; nothing was changed, free some and try again.`,
    )
  }
  if (isBusy(error)) {
    return new UnusableFile(
      `Expected the space to open, found ${file} locked by another program for 30 seconds; close that program, or try again when it has migrated the space.`,
    )
  }
  return error
}
