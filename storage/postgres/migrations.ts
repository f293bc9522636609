/** Numbered schema migrations of a database, like those of a SQLite file. A released migration is never edited. */
import type { ClientBase } from 'pg'
import { sql as base } from './migrations/0007-base.ts'
import { sql as ratings } from './migrations/0008-ratings.ts'
import { sql as leases } from './migrations/0009-leases.ts'
import { sql as sourceTexts } from './migrations/0010-source-texts.ts'
import { sql as importContents } from './migrations/0011-import-contents.ts'
import { sql as eventSubscriptions } from './migrations/0012-event-subscriptions.ts'
import { sql as members } from './migrations/0013-members.ts'
import { sql as taskAssignees } from './migrations/0014-task-assignees.ts'
import { sql as persons } from './migrations/0015-persons.ts'
import { sql as pausedLinks } from './migrations/0016-paused-links.ts'
import { sql as groupLinks } from './migrations/0017-group-links.ts'
import { sql as readMarks } from './migrations/0018-read-marks.ts'
import { sql as foldedWords } from './migrations/0019-folded-words.ts'
import { sql as documentLocks } from './migrations/0020-document-locks.ts'
import { sql as commentAccess } from './migrations/0021-comment-access.ts'
import { sql as tags } from './migrations/0022-tags.ts'
import { sql as unconfirmedComments } from './migrations/0023-unconfirmed-comments.ts'
import { sql as proposalParts } from './migrations/0024-proposal-parts.ts'
import { sql as calendarLinks } from './migrations/0025-calendar-links.ts'
import { sql as commentWords } from './migrations/0026-comment-words.ts'
import { sql as weekStart } from './migrations/0027-week-start.ts'
import { sql as logChain } from './migrations/0028-log-chain.ts'
import { sql as subscribedCalendars } from './migrations/0029-subscribed-calendars.ts'
import { sql as sharing } from './migrations/0030-sharing.ts'
import { sql as nestedPages } from './migrations/0031-nested-pages.ts'
import { TRIGGERS } from './triggers/triggers.ts'

/** The number of the first migration, which creates the tables. Databases of an earlier schema are rejected. */
export const BASE_SCHEMA = 7

/** In order, from {@link BASE_SCHEMA} on. */
export const MIGRATIONS: readonly string[] = [
  ...[base, ratings, leases, sourceTexts, importContents, eventSubscriptions, members],
  ...[taskAssignees, persons, pausedLinks, groupLinks, readMarks, foldedWords, documentLocks],
  ...[commentAccess, tags, unconfirmedComments, proposalParts, calendarLinks, commentWords, weekStart],
  logChain,
  subscribedCalendars,
  sharing,
  nestedPages,
]

/** The schema version to which migrations lead. */
const lastVersion = (migrations: readonly string[]): number => BASE_SCHEMA + migrations.length - 1

/** The schema version that this program writes. */
export const SCHEMA_VERSION = lastVersion(MIGRATIONS)

/** The statements of a new database. */
export const NEW_SCHEMA: readonly string[] = [...MIGRATIONS, TRIGGERS]

/** Tables whose rows get a number when they are inserted without one. */
export const NUMBERED_BY_DEFAULT: ReadonlySet<string> = new Set(
  [...MIGRATIONS.join('\n').matchAll(/DEFAULT next_number\('(\w+)'\)/g)].flatMap(([, name]) => name ?? []),
)

/** An arbitrary constant for a lock, so that processes that start at the same time migrate one after another. */
const LOCK = 0x5363_7269

const VERSION = `SELECT version FROM schema_version`

/** The version of a database: 0 before the first migration. */
export async function schemaVersion(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ name: string | null }>(`SELECT to_regclass('schema_version')::text AS name`)
  if (rows[0]?.name === null) return 0
  return (await client.query<{ version: number }>(VERSION)).rows[0]?.version ?? 0
}

export interface MigrateOptions {
  /** Default: all. Fewer lead to an earlier schema, whose tables have no triggers. */
  migrations?: readonly string[]
  /** Receives a sentence if a database with spaces is migrated, which can take long. */
  report?(sentence: string): void
}

/**
 * Migrates a database to the current schema, in one transaction.
 *
 * @param client  must not be pipelined, since a migration consists of many statements in one query
 * @returns the version that the database had before
 */
export async function migrate(
  client: ClientBase,
  { migrations = MIGRATIONS, report }: MigrateOptions = {},
): Promise<number> {
  const found = await schemaVersion(client)
  const target = lastVersion(migrations)
  if (found >= target) return found
  if (found > 0) {
    report?.(`The database is being migrated before its spaces are used: from schema ${found} to ${target}.`)
  }
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    // Read again, since another process may have migrated the database in the meantime.
    const version = await schemaVersion(client)
    if (version === 0) await client.query('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)')
    if (version === 0) await client.query('INSERT INTO schema_version VALUES (0)')
    for (const sql of migrations.slice(version === 0 ? 0 : version - BASE_SCHEMA + 1)) await client.query(sql)
    if (target >= SCHEMA_VERSION && version < target) await client.query(TRIGGERS)
    await client.query('UPDATE schema_version SET version = $1 WHERE version < $1', [target])
    await client.query('COMMIT')
    return version
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
