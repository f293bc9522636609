/** Lossless repairs by SQLite of an otherwise sound file. */
import Sqlite, { type Database } from 'better-sqlite3'

/**
 * Checkpoints the write-ahead log into the file and truncates it.
 *
 * @throws SqliteError while another process reads or writes
 */
export function checkpointLog(file: string): void {
  withDatabase(file, (sqlite) => sqlite.pragma('wal_checkpoint(TRUNCATE)'))
}

/** Rebuilds the indexes of all tables from their rows. */
export function reindex(file: string): void {
  withDatabase(file, (sqlite) => sqlite.exec('REINDEX'))
}

const IN_LOCATION = '(SELECT count(*) FROM document WHERE document.location = location_count.location)'
const IN_FOLDER = '(SELECT count(*) FROM document WHERE document.folder = folder.n)'

/** SQL that counts the folders and locations whose stored document count is wrong. */
export const COUNT_WRONG_COUNTS = `SELECT (SELECT count(*) FROM location_count WHERE documents <> ${IN_LOCATION})
  + (SELECT count(*) FROM folder WHERE document_count <> ${IN_FOLDER})`

/** Recounts the documents of all folders and locations. */
export function recountDocuments(file: string): void {
  withDatabase(file, (sqlite) =>
    sqlite.exec(`BEGIN IMMEDIATE;
      UPDATE location_count SET documents = ${IN_LOCATION};
      UPDATE folder SET document_count = ${IN_FOLDER};
      COMMIT;`),
  )
}

function withDatabase(file: string, run: (sqlite: Database) => void): void {
  const sqlite = new Sqlite(file, { fileMustExist: true, timeout: 5000 })
  try {
    sqlite.pragma('synchronous = FULL')
    sqlite.pragma('trusted_schema = 0')
    run(sqlite)
  } finally {
    sqlite.close()
  }
}
