/** Backups are in the log of the space as well. */
import { insertAuditRow } from '../../../storage/audit-log.ts'
import { SCHEMA_VERSION, schemaVersion } from '../../../storage/sqlite/migrations.ts'
import { openReadOnly } from '../../../storage/sqlite/open-read-only.ts'
import { openStorage } from '../../../storage/sqlite/open-storage.ts'
import { tryAndLog } from '../../base/background.ts'
import { currentOrigin } from '../../base/origin.ts'
import { OPERATOR_LINK } from '../../space/model/space.ts'

/** Logs a backup in the file that was backed up, unless its schema is an earlier one: backing up migrates nothing. */
export const logBackup = (file: string, path: string, now: number): Promise<void> =>
  tryAndLog('log a backup', async () => {
    if (versionOf(file) !== SCHEMA_VERSION) return
    const storage = await openStorage(file)
    try {
      const who = { at: now, link: null, author: OPERATOR_LINK.author, client: null, origin: currentOrigin() ?? null }
      const entry = { ...who, endpoint: 'backup', ids: '[]', detail: JSON.stringify({ to: path }) }
      await storage.write((tx) => insertAuditRow(tx, entry))
    } finally {
      await storage.close()
    }
  })

function versionOf(file: string): number {
  const { sqlite, close } = openReadOnly(file, { timeout: 1000 })
  try {
    return schemaVersion(sqlite)
  } finally {
    close()
  }
}
