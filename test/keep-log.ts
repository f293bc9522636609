import Sqlite from 'better-sqlite3'

/**
 * Makes the process that closes a space leave its WAL, as a killed process does: while someone reads an older state the
 * log is not folded, and a connection that is read-only cannot do it.
 *
 * @returns ends that; to be called once the space is closed
 */
export function keepLog(file: string): () => void {
  const reader = new Sqlite(file, { readonly: true })
  reader.exec('BEGIN; SELECT * FROM space')
  return () => void reader.close()
}
