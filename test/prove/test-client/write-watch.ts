/** Detects writes to the file of a space. */
import { statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

export interface WriteWatch {
  /** Increases with each commit. */
  count(): number
  close(): void
}

/**
 * `data_version` also changes when SQLite checkpoints the log of an idle space into its file, which writes nothing new.
 * The log is empty then, while after a commit it is not.
 */
export function watchWrites(file: string): WriteWatch {
  const sqlite = new Sqlite(file, { readonly: true })
  const versionNow = () => sqlite.pragma('data_version', { simple: true })
  let version = versionNow()
  let count = 0
  return {
    count() {
      const found = versionNow()
      if (found !== version && (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) count++
      version = found
      return count
    },
    close: () => void sqlite.close(),
  }
}
