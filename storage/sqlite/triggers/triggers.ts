/**
 * All triggers of a space. Migrations run without them, and then they are created as this program has them: so a
 * migration may rebuild any table, and a change of a trigger is one of these files and a migration that may be empty.
 */
import type { Database } from 'better-sqlite3'
import { byteCountTriggers } from './byte-count-triggers.ts'
import { documentTriggers } from './document-triggers.ts'
import { historyTriggers } from './history-triggers.ts'

const TRIGGERS = `${documentTriggers}${historyTriggers}${byteCountTriggers}`

export const createTriggers = (sqlite: Database): void => void sqlite.exec(TRIGGERS)

export function dropTriggers(sqlite: Database): void {
  const names = sqlite.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all()
  for (const name of names) sqlite.exec(`DROP TRIGGER ${name}`)
}
