/** Numbered schema migrations of a database, like those of a SQLite file. A released migration is never edited. */
import type { ClientBase } from 'pg'
import { sql as spaces } from './migrations/0001-spaces.ts'
import { sql as importJobs } from './migrations/0002-import-jobs.ts'
import { sql as endedSessions } from './migrations/0003-ended-sessions.ts'
import { sql as proposalChanges } from './migrations/0004-proposal-changes.ts'
import { sql as storedBytes } from './migrations/0005-stored-bytes.ts'
import { sql as addressKeys } from './migrations/0006-address-keys.ts'
import { sql as listNumbers } from './migrations/0007-list-numbers.ts'

export const MIGRATIONS: readonly string[] = [
  spaces,
  importJobs,
  endedSessions,
  proposalChanges,
  storedBytes,
  addressKeys,
  listNumbers,
]

/** The schema version that this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length

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
  if (found >= migrations.length) return found
  if (found > 0) {
    report?.(`The database is being migrated before its spaces are used: from schema ${found} to ${migrations.length}.`)
  }
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    // Read again, since another process may have migrated the database in the meantime.
    const version = await schemaVersion(client)
    if (version === 0) await client.query('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)')
    if (version === 0) await client.query('INSERT INTO schema_version VALUES (0)')
    for (const sql of migrations.slice(version)) await client.query(sql)
    await client.query('UPDATE schema_version SET version = $1', [migrations.length])
    await client.query('COMMIT')
    return version
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
