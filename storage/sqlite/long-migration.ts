/** Whether opening a space takes long. */
import { statSync } from 'node:fs'
import { BASE_SCHEMA, SCHEMA_VERSION, schemaVersion } from './migrations.ts'
import { openReadOnly } from './open-read-only.ts'

/** Milliseconds to wait for a lock. */
const BUSY_TIMEOUT_MS = 1000

/**
 * True if opening a file would migrate or index it, and the file is large, so that this takes long.
 *
 * @param minSize  bytes from which a file counts as large
 */
export function isLongMigration(file: string, minSize: number): boolean {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < minSize) return false
  try {
    const { sqlite, close } = openReadOnly(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      const version = schemaVersion(sqlite)
      if (version !== SCHEMA_VERSION) return version >= BASE_SCHEMA && version < SCHEMA_VERSION
      return sqlite.prepare<[], number>(HAS_UNINDEXED).pluck().get() === 1
    } finally {
      close()
    }
  } catch {
    // Opening it reports the problem.
    return false
  }
}

const HAS_UNINDEXED = `SELECT EXISTS (SELECT 1 FROM unindexed_block)
  OR (EXISTS (SELECT 1 FROM block) AND NOT EXISTS (SELECT 1 FROM search_docsize))`
