import Sqlite from 'better-sqlite3'

/**
 * Makes the process that closes a space leave its WAL, as a killed process does: while someone reads an older snapshot
 * the WAL is not checkpointed, and a read-only connection cannot do it.
 *
 * @returns a function that ends this, to be called once the space is closed
 */
export function keepLog(file: string): () => void {
  const reader = new Sqlite(file, { readonly: true })
  reader.exec('BEGIN; SELECT * FROM space')
  return () => void reader.close()
}
