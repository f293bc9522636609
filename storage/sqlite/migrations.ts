/**
 * Numbered schema migrations. `user_version` counts the migrations that were applied to a file.
 *
 * A new file gets the resulting schema directly. All missing migrations are applied in one transaction, so a file is
 * either unchanged or at the current schema. A released migration is never edited, since files created by it exist; a
 * test checks its hash.
 */
import type { Database } from 'better-sqlite3'
import type { ReportMigration } from '../migration-progress.ts'
import { brokenReferences, brokenReferencesText } from './diagnosis/broken-references.ts'
import { sql as space } from './migrations/0001-space.ts'
import { sql as collections } from './migrations/0002-collections.ts'
import { sql as tasks } from './migrations/0003-tasks.ts'
import { sql as links } from './migrations/0004-links.ts'
import { sql as whiteboards } from './migrations/0005-whiteboards.ts'
import { sql as search } from './migrations/0006-search.ts'
import { sql as files } from './migrations/0007-files.ts'
import { sql as changes } from './migrations/0008-changes.ts'
import { sql as signIn } from './migrations/0009-sign-in.ts'
import { sql as passwords } from './migrations/0010-passwords.ts'
import { sql as writeLogClient } from './migrations/0011-write-log-client.ts'
import { sql as numbers } from './migrations/0012-numbers.ts'
import { sql as trash } from './migrations/0013-trash.ts'
import { sql as documentIndexes } from './migrations/0014-document-indexes.ts'
import { sql as changeCounter } from './migrations/0015-change-counter.ts'
import { sql as counts } from './migrations/0016-counts.ts'
import { sql as numericIds, renumberReferences } from './migrations/0017-numeric-ids.ts'
import { sql as linksBetweenBlocks } from './migrations/0018-links-between-blocks.ts'
import { sql as history } from './migrations/0019-history.ts'
import { sql as remindersInHistory } from './migrations/0020-reminders-in-history.ts'
import { sql as proposals } from './migrations/0021-proposals.ts'
import { sql as feed } from './migrations/0022-feed.ts'
import { sql as imports } from './migrations/0023-imports.ts'
import { sql as importJobs } from './migrations/0024-import-jobs.ts'
import { sql as endedSessions } from './migrations/0025-ended-sessions.ts'
import { sql as proposalChanges } from './migrations/0026-proposal-changes.ts'
import { sql as storedBytes } from './migrations/0027-stored-bytes.ts'
import { sql as addressKeys, storeAddressKey } from './migrations/0028-address-keys.ts'
import { sql as listNumbers } from './migrations/0029-list-numbers.ts'
import { currentSchema } from './migrations/current-schema.ts'
import { addFirstRevision } from './migrations/first-revision.ts'
import { withoutTriggers } from './migrations/rebuild.ts'
import { createSchemaCopy, type SchemaCopy } from './schema-copies.ts'
import { UnusableFile } from './unusable-file.ts'

export interface Migration {
  sql: string
  /** True if it rebuilds tables that already have rows. The file is copied first. */
  rebuilds?: boolean
  /**
   * True to drop all triggers before it and create them again after it. Needed to rebuild a table that triggers name.
   */
  withoutTriggers?: boolean
  /** Prepares files that were created by an earlier text of a migration; may have nothing to do. */
  before?(sqlite: Database): void
  /** Makes changes that SQL cannot, after the statements have run. */
  after?(sqlite: Database): void
}

/** In order; the number of a migration is its index plus 1. */
export const MIGRATIONS: readonly Migration[] = [
  { sql: space },
  { sql: collections },
  { sql: tasks, rebuilds: true, before: addFirstRevision },
  { sql: links },
  { sql: whiteboards },
  { sql: search },
  { sql: files },
  { sql: changes },
  { sql: signIn },
  { sql: passwords },
  { sql: writeLogClient },
  { sql: numbers, rebuilds: true },
  { sql: trash },
  { sql: documentIndexes },
  { sql: changeCounter },
  { sql: counts },
  { sql: numericIds, rebuilds: true, after: renumberReferences },
  { sql: linksBetweenBlocks },
  { sql: history },
  { sql: remindersInHistory },
  { sql: proposals, rebuilds: true },
  { sql: feed },
  { sql: imports },
  { sql: importJobs },
  { sql: endedSessions },
  { sql: proposalChanges },
  { sql: storedBytes },
  { sql: addressKeys, after: storeAddressKey },
  { sql: listNumbers },
]

/** The schema version that this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** The version a file has: 0 before the first migration. */
export const schemaVersion = (sqlite: Database): number => Number(sqlite.pragma('user_version', { simple: true }))

export interface MigrateOptions {
  /** The file's path; absent for a space in memory, which is not copied. */
  file?: string
  /** True to keep a copy of the file before tables are rebuilt. Default: true. */
  keepsCopy?: boolean
  migrations?: readonly Migration[]
  /** Is called before each step. */
  onMigration?: ReportMigration
}

/**
 * Migrates a file to the current schema. If this throws, nothing is changed.
 *
 * @returns the copy of the old file, if one was made
 * @throws {UnusableFile} if the disk is full or a migration would leave broken references; SqliteError with SQLITE_BUSY
 * while another process writes
 */
export function migrate(
  sqlite: Database,
  { file, keepsCopy = true, migrations = MIGRATIONS, onMigration = () => {} }: MigrateOptions = {},
): SchemaCopy | undefined {
  if (schemaVersion(sqlite) >= migrations.length) return undefined
  // With foreign keys enabled, dropping a table first deletes its rows and, by ON DELETE CASCADE, all rows that refer
  // to them. Inside a transaction the pragma has no effect.
  setForeignKeys(sqlite, false)
  try {
    let copy: SchemaCopy | undefined
    const apply = sqlite.transaction(() => {
      // Read again, since another process may have migrated the file in the meantime.
      const version = schemaVersion(sqlite)
      const missing = migrations.slice(version)
      const rebuilds = version > 0 && missing.some((migration) => migration.rebuilds)
      if (file !== undefined && rebuilds) {
        if (keepsCopy) onMigration({ step: 'copying' })
        copy = createSchemaCopy(sqlite, file, migrations.length, keepsCopy)
      }
      try {
        if (migrations === MIGRATIONS && isEmpty(sqlite)) sqlite.exec(currentSchema)
        else applyAll(sqlite, missing, (done) => onMigration({ step: 'migrating', done, total: migrations.length }))
        onMigration({ step: 'checking' })
        assertNoBrokenReferences(sqlite, file, migrations.length)
        if (missing.length > 0) sqlite.pragma(`user_version = ${migrations.length}`)
      } catch (error) {
        copy?.remove()
        throw error
      }
    })
    apply.immediate()
    return copy
  } finally {
    setForeignKeys(sqlite, true)
  }
}

/** @param report  receives the schema version before each migration */
function applyAll(sqlite: Database, migrations: readonly Migration[], report: (version: number) => void): void {
  const from = schemaVersion(sqlite)
  for (const [index, { sql, before, after, withoutTriggers: isWithout = false }] of migrations.entries()) {
    report(from + index)
    before?.(sqlite)
    if (isWithout) withoutTriggers(sqlite, () => void sqlite.exec(sql))
    else sqlite.exec(sql)
    after?.(sqlite)
  }
}

/** True if nothing was ever created in the file. */
const isEmpty = (sqlite: Database): boolean =>
  schemaVersion(sqlite) === 0 && sqlite.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined

function setForeignKeys(sqlite: Database, enabled: boolean): void {
  const value = enabled ? 1 : 0
  sqlite.pragma(`foreign_keys = ${value}`)
  const actual = sqlite.pragma('foreign_keys', { simple: true })
  if (actual !== value) throw new Error(`Expected SQLite to take foreign_keys = ${value}, found ${actual}.`)
}

/** @throws {UnusableFile} for broken references, unless the file had them before */
function assertNoBrokenReferences(sqlite: Database, file: string | undefined, version: number): void {
  const broken = brokenReferences(sqlite, file)
  if (broken.length === 0) return
  throw new UnusableFile(
    `Expected schema ${version} to keep every reference of ${file ?? 'the space'}, found ${brokenReferencesText(broken)}; ` +
      'nothing was changed, go on with the version of Scriptorium that you had and report this.',
  )
}
