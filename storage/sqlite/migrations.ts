/**
 * Numbered schema migrations. `user_version` has the number of the last one that was applied to a file.
 *
 * All missing migrations are applied in one transaction, so a file is either unchanged or at the current schema. A
 * released migration is never edited, since files created by it exist; a test checks its hash. The first one creates
 * the tables of a space: files of an earlier schema are rejected.
 */
import type { Database } from 'better-sqlite3'
import type { ReportMigration } from '../migration-progress.ts'
import { brokenReferences, brokenReferencesText } from './diagnosis/broken-references.ts'
import { sql as base } from './migrations/0029-base.ts'
import { sql as ratings } from './migrations/0030-ratings.ts'
import { sql as leases } from './migrations/0031-leases.ts'
import { sql as sourceTexts } from './migrations/0032-source-texts.ts'
import { sql as importContents } from './migrations/0033-import-contents.ts'
import { sql as eventSubscriptions } from './migrations/0034-event-subscriptions.ts'
import { sql as members } from './migrations/0035-members.ts'
import { sql as taskAssignees } from './migrations/0036-task-assignees.ts'
import { sql as persons } from './migrations/0037-persons.ts'
import { sql as pausedLinks } from './migrations/0038-paused-links.ts'
import { sql as groupLinks } from './migrations/0039-group-links.ts'
import { sql as readMarks } from './migrations/0040-read-marks.ts'
import { sql as foldedWords } from './migrations/0041-folded-words.ts'
import { sql as documentLocks } from './migrations/0042-document-locks.ts'
import { sql as commentAccess } from './migrations/0043-comment-access.ts'
import { sql as tags } from './migrations/0044-tags.ts'
import { sql as unconfirmedComments } from './migrations/0045-unconfirmed-comments.ts'
import { sql as proposalParts } from './migrations/0046-proposal-parts.ts'
import { sql as calendarLinks } from './migrations/0047-calendar-links.ts'
import { sql as commentWords } from './migrations/0048-comment-words.ts'
import { sql as weekStart } from './migrations/0049-week-start.ts'
import { sql as logChain } from './migrations/0050-log-chain.ts'
import { sql as subscribedCalendars } from './migrations/0051-subscribed-calendars.ts'
import { sql as sharing } from './migrations/0052-sharing.ts'
import { sql as nestedPages } from './migrations/0053-nested-pages.ts'
import { createSchemaCopy, type SchemaCopy } from './schema-copies.ts'
import { createTriggers, dropTriggers } from './triggers/triggers.ts'
import { UnusableFile } from './unusable-file.ts'

export interface Migration {
  sql: string
  /** True if it rebuilds tables that already have rows. The file is copied first. */
  rebuilds?: boolean
  /** Makes changes that SQL cannot, after the statements have run. */
  after?(sqlite: Database): void
}

/** The number of the first migration. */
export const BASE_SCHEMA = 29

/** In order, from {@link BASE_SCHEMA} on. */
export const MIGRATIONS: readonly Migration[] = [
  { sql: base },
  { sql: ratings, rebuilds: true },
  { sql: leases },
  { sql: sourceTexts },
  { sql: importContents },
  { sql: eventSubscriptions },
  { sql: members },
  { sql: taskAssignees },
  { sql: persons, rebuilds: true },
  { sql: pausedLinks },
  { sql: groupLinks },
  { sql: readMarks },
  { sql: foldedWords },
  { sql: documentLocks },
  { sql: commentAccess, rebuilds: true },
  { sql: tags },
  { sql: unconfirmedComments },
  { sql: proposalParts },
  { sql: calendarLinks },
  { sql: commentWords },
  { sql: weekStart },
  { sql: logChain },
  { sql: subscribedCalendars },
  { sql: sharing },
  { sql: nestedPages },
]

/** The schema version to which migrations lead. */
const lastVersion = (migrations: readonly Migration[]): number => BASE_SCHEMA + migrations.length - 1

/** The schema version that this program writes. */
export const SCHEMA_VERSION = lastVersion(MIGRATIONS)

/** The version a file has: 0 before the first migration. */
export const schemaVersion = (sqlite: Database): number => Number(sqlite.pragma('user_version', { simple: true }))

export interface MigrateOptions {
  /** The file's path; absent for a space in memory, which is not copied. */
  file?: string
  /** True to keep a copy of the file before tables are rebuilt. Default: true. */
  keepsCopy?: boolean
  /** Default: all. Fewer lead to an earlier schema, whose tables have no triggers. */
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
  const target = lastVersion(migrations)
  if (schemaVersion(sqlite) >= target) return undefined
  // With foreign keys enabled, dropping a table first deletes its rows and, by ON DELETE CASCADE, all rows that refer
  // to them. Inside a transaction the pragma has no effect.
  setForeignKeys(sqlite, false)
  try {
    let copy: SchemaCopy | undefined
    const apply = sqlite.transaction(() => {
      // Read again, since another process may have migrated the file in the meantime.
      const version = schemaVersion(sqlite)
      if (version >= target) return
      const missing = migrations.slice(version === 0 ? 0 : version - BASE_SCHEMA + 1)
      const rebuilds = version > 0 && missing.some((migration) => migration.rebuilds)
      if (file !== undefined && rebuilds) {
        if (keepsCopy) onMigration({ step: 'copying' })
        copy = createSchemaCopy(sqlite, file, target, keepsCopy)
      }
      try {
        dropTriggers(sqlite)
        for (const [index, migration] of missing.entries()) {
          onMigration({ step: 'migrating', done: target - missing.length + index, total: target })
          sqlite.exec(migration.sql)
          migration.after?.(sqlite)
        }
        if (target >= SCHEMA_VERSION) createTriggers(sqlite)
        onMigration({ step: 'checking' })
        assertNoBrokenReferences(sqlite, file, target)
        sqlite.pragma(`user_version = ${target}`)
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
