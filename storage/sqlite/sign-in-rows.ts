/** Reads and writes all that the issuer of a space keeps beside its file: see `storage/sign-in-tables.ts`. */
import { existsSync } from 'node:fs'
import type { DumpedRow } from '../dump.ts'
import { SIGN_IN_TABLE_NAMES, SIGN_IN_TABLES, type SignInRows } from '../sign-in-tables.ts'
import { openReadOnly } from './open-read-only.ts'
import { openPrivateDatabase } from './private-files.ts'
import { openSignIns } from './sign-ins.ts'

/** Milliseconds to wait for a lock. */
const BUSY_TIMEOUT_MS = 5_000
/** Rows that are read in one go. */
const ROWS_PER_PART = 1_000

/**
 * Copies the database of sign-ins at `from`, which may be in use, to `to`, where nothing is yet. Without one, nothing is
 * copied.
 *
 * @throws VALIDATION_ERROR for a file of another program
 */
export async function copySignIns(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return
  // Made first, so that no one else can read the copy.
  openPrivateDatabase(to).close()
  const { sqlite, close } = openReadOnly(from, { timeout: BUSY_TIMEOUT_MS })
  try {
    await sqlite.backup(to)
  } finally {
    close()
  }
  // Brings a copy of an older version up to date.
  openSignIns(to).close()
}

/** All rows of a database of sign-ins that no other process has open; none where there is no file. */
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

/** Writes rows to a new database of sign-ins. */
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
