/**
 * The schema's history: numbered steps, each applied in its own transaction. `user_version` counts those a file has.
 */
import type { Database } from 'better-sqlite3'
import { sql as space } from './migrations/0001-space.ts'
import { sql as collections } from './migrations/0002-collections.ts'
import { sql as tasks } from './migrations/0003-tasks.ts'
import { sql as links } from './migrations/0004-links.ts'
import { sql as whiteboards } from './migrations/0005-whiteboards.ts'
import { sql as search } from './migrations/0006-search.ts'
import { sql as files } from './migrations/0007-files.ts'
import { sql as changes } from './migrations/0008-changes.ts'
import { sql as signIn } from './migrations/0009-sign-in.ts'
import { sql as passwords } from './migrations/0010-passwords.ts'
import { sql as writeLogClient } from './migrations/0011-write-log-client.ts'

const STEPS: readonly string[] = [
  space,
  collections,
  tasks,
  links,
  whiteboards,
  search,
  files,
  changes,
  signIn,
  passwords,
  writeLogClient,
]

/** The schema version that this program writes. */
export const SCHEMA_VERSION = STEPS.length

/** The version a file has: 0 before the first step. */
export const schemaVersion = (sqlite: Database): number => Number(sqlite.pragma('user_version', { simple: true }))

/**
 * Bring a file to the present schema. The version is read again inside each transaction, since another process
 * may be doing the same at this moment.
 */
export function migrate(sqlite: Database): void {
  while (schemaVersion(sqlite) < SCHEMA_VERSION) {
    sqlite
      .transaction(() => {
        const version = schemaVersion(sqlite)
        const step = STEPS[version]
        if (step === undefined) return
        sqlite.exec(step)
        sqlite.pragma(`user_version = ${version + 1}`)
      })
      .immediate()
  }
}
