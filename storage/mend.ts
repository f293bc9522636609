/** What SQLite mends by itself, without loss, of a file that is sound otherwise. */
import Sqlite, { type Database } from 'better-sqlite3'

/**
 * Write what the log holds into the file, and empty it.
 *
 * @throws SqliteError while another process reads or writes
 */
export function foldLog(file: string): void {
  withDatabase(file, (sqlite) => sqlite.pragma('wal_checkpoint(TRUNCATE)'))
}

/** Make the indexes of all tables anew, from their rows. */
export function reindex(file: string): void {
  withDatabase(file, (sqlite) => sqlite.exec('REINDEX'))
}

function withDatabase(file: string, work: (sqlite: Database) => void): void {
  const sqlite = new Sqlite(file, { fileMustExist: true, timeout: 5000 })
  try {
    sqlite.pragma('synchronous = FULL')
    sqlite.pragma('trusted_schema = 0')
    work(sqlite)
  } finally {
    sqlite.close()
  }
}
