/** Reads from a file what a doctor wants to know of it. */
import Sqlite from 'better-sqlite3'
import { schemaVersion } from './migrations.ts'
import type { SpaceRow } from './schema.ts'

export interface Examination {
  application: number
  schema: number
  /** `ok`, or what is wrong, a line each. */
  integrity: string[]
  /** Rows that refer to a row that is not there. */
  foreignKeys: number
  space?: Pick<SpaceRow, 'name' | 'timezone'>
  documents: number
  blocks: number
}

/** Version of the SQLite library. */
export function sqliteVersion(): string {
  const sqlite = new Sqlite(':memory:')
  try {
    return sqlite.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? ''
  } finally {
    sqlite.close()
  }
}

/** The ID of the space in a file; none for a file that is no space, or cannot be read. */
export function spaceIdOf(file: string): string | undefined {
  try {
    const sqlite = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 1000 })
    try {
      return sqlite.prepare<[], string>('SELECT id FROM space').pluck().get()
    } finally {
      sqlite.close()
    }
  } catch {
    return undefined
  }
}

/**
 * Reads alone, and through SQLite alone.
 *
 * @throws SqliteError for a file that is no database
 */
export function examine(file: string): Examination {
  const sqlite = new Sqlite(file, { readonly: true, timeout: 5000 })
  try {
    const value = <T>(sql: string): T | undefined => sqlite.prepare<[], T>(sql).pluck().get()
    const hasSpace = value("SELECT 1 FROM sqlite_schema WHERE name = 'space'") === 1
    const space = hasSpace ? sqlite.prepare<[], SpaceRow>('SELECT name, timezone FROM space').get() : undefined
    const integrity = sqlite.pragma('integrity_check') as { integrity_check: string }[]
    return {
      application: Number(sqlite.pragma('application_id', { simple: true })),
      schema: schemaVersion(sqlite),
      integrity: integrity.map((row) => row.integrity_check),
      foreignKeys: (sqlite.pragma('foreign_key_check') as unknown[]).length,
      ...(space && { space }),
      documents: hasSpace ? (value<number>('SELECT count(*) FROM document') ?? 0) : 0,
      blocks: hasSpace ? (value<number>('SELECT count(*) FROM block') ?? 0) : 0,
    }
  } finally {
    sqlite.close()
  }
}
