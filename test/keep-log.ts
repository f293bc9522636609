import Sqlite from 'better-sqlite3'

/**
 * Have whoever closes a space leave its log beside it, as a killed process does: while somebody reads an older state the
 * log is not folded, and a connection that is read-only cannot do it.
 *
 * @returns ends that; to be called once the space is closed
 */
export function keepLog(file: string): () => void {
  const reader = new Sqlite(file, { readonly: true })
  reader.exec('BEGIN; SELECT * FROM space')
  return () => void reader.close()
}
