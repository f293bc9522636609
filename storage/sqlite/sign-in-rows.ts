/** Reads and writes all sign-in data in the database next to a space's file: see `storage/sign-in-tables.ts`. */
import { existsSync } from 'node:fs'
import type { DumpedRow } from '../dump.ts'
import { SIGN_IN_TABLE_NAMES, SIGN_IN_TABLES, type SignInRows } from '../sign-in-tables.ts'
import { openReadOnly } from './open-read-only.ts'
import { openPrivateDatabase } from './private-files.ts'
import { openSignIns } from './sign-ins.ts'

/** Milliseconds to wait for a lock. */
const BUSY_TIMEOUT_MS = 5_000
/** Number of rows to yield at a time. */
const ROWS_PER_PART = 1_000

/**
 * Copies the sign-in database at `from`, which may be in use, to `to`, which must not exist. Does nothing if there is
 * no database at `from`.
 *
 * @throws VALIDATION_ERROR for a file of another program
 */
export async function copySignIns(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return
  // Created first with private permissions, so that no one else can read the copy.
  openPrivateDatabase(to).close()
  const { sqlite, close } = openReadOnly(from, { timeout: BUSY_TIMEOUT_MS })
  try {
    await sqlite.backup(to)
  } finally {
    close()
  }
  // Migrates the copy if it was written by an older version.
  openSignIns(to).close()
}

/** Yields all rows of a sign-in database that no other process has open. Yields nothing if the file does not exist. */
export function* readSignInRows(file: string): Generator<SignInRows> {
  if (!existsSync(file)) return
  const { sqlite, close } = openReadOnly(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    for (const table of SIGN_IN_TABLE_NAMES) {
      const columns = Object.keys(SIGN_IN_TABLES[table]).join(', ')
      let rows: DumpedRow[] = []
      for (const row of sqlite.prepare<[], DumpedRow>(`SELECT ${columns} FROM ${table}`).iterate()) {
        rows.push(row)
        if (rows.length < ROWS_PER_PART) continue
        yield { table, rows }
        rows = []
      }
      if (rows.length > 0) yield { table, rows }
    }
  } finally {
    close()
  }
}

/** Writes rows to a new sign-in database. */
export async function writeSignInRows(file: string, parts: AsyncIterable<SignInRows>): Promise<void> {
  openSignIns(file).close()
  const sqlite = openPrivateDatabase(file)
  try {
    for await (const { table, rows } of parts) {
      const columns = Object.keys(SIGN_IN_TABLES[table])
      const insert = sqlite.prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      const insertAll = sqlite.transaction(() => {
        for (const row of rows) insert.run(columns.map((column) => row[column] ?? null))
      })
      insertAll()
    }
  } finally {
    sqlite.close()
  }
}
