/** What SQLite mends by itself, without loss, of a file that is sound otherwise. */
import Sqlite, { type Database } from 'better-sqlite3'

/**
 * Write what the log holds into the file, and empty it.
 *
 * @throws SqliteError while another process reads or writes
 */
export function checkpointLog(file: string): void {
  withDatabase(file, (sqlite) => sqlite.pragma('wal_checkpoint(TRUNCATE)'))
}

/** Make the indexes of all tables anew, from their rows. */
export function reindex(file: string): void {
  withDatabase(file, (sqlite) => sqlite.exec('REINDEX'))
}

const IN_LOCATION = '(SELECT count(*) FROM document WHERE document.location = location_count.location)'
const IN_FOLDER = '(SELECT count(*) FROM document WHERE document.folder = folder.n)'

/** Counts the folders and locations that have another number of documents than is kept of them. */
export const WRONG_COUNTS = `SELECT (SELECT count(*) FROM location_count WHERE documents <> ${IN_LOCATION})
  + (SELECT count(*) FROM folder WHERE document_count <> ${IN_FOLDER})`

/** Count the documents of all folders and locations anew. */
export function recountDocuments(file: string): void {
  withDatabase(file, (sqlite) =>
    sqlite.exec(`BEGIN IMMEDIATE;
      UPDATE location_count SET documents = ${IN_LOCATION};
      UPDATE folder SET document_count = ${IN_FOLDER};
      COMMIT;`),
  )
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
