/** Spaces of the first hours counted no revisions, which the third migration copies. */
import type { Database } from 'better-sqlite3'

/** Give documents the revision that new ones begin with, where they have none. */
export function addFirstRevision(sqlite: Database): void {
  const columns = sqlite.pragma('table_info(document)') as { name: string }[]
  if (columns.some(({ name }) => name === 'revision')) return
  sqlite.exec('ALTER TABLE document ADD COLUMN revision INTEGER NOT NULL DEFAULT 1')
}
