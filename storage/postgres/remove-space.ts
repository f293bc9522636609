/** Deletes a space of a database, with everything in it. */
import { ScriptoriumError } from '../../src/base/errors.ts'
import { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { settingsOf } from './open-storage.ts'
import type { DatabaseSpace } from './spaces.ts'

/** Without its row, no trigger keeps history of what is deleted. */
const FIRST = 'call_start'
/** Triggers write them when rows of other tables are deleted. */
const LAST = ['change', 'call_document', 'retired_id', 'location_count', 'table_number']

/** Every table with rows of spaces has a policy. */
const TABLES = `SELECT policies.tablename::text AS name FROM pg_policies AS policies
  WHERE policies.schemaname = current_schema() AND policies.policyname = 'of_space' ORDER BY policies.tablename`
/** Waits for the write that runs, and lets none begin. */
const LOCK = 'SELECT space FROM tenant WHERE space = $1::bigint FOR UPDATE'

const OBJECTS = `SELECT object FROM file_bytes WHERE object IS NOT NULL
  UNION SELECT object FROM unreferenced_object ORDER BY object`

/**
 * In one transaction. Programs that have the space open find it removed.
 *
 * @param hasBucket  whether the caller deletes objects of a bucket afterwards
 * @returns the objects of the bucket that had its files
 * @throws CONFLICT for a space with files in a bucket that is not there
 */
export function removeSpace(database: Database, { space, name }: DatabaseSpace, hasBucket = false): Promise<string[]> {
  return database.withClient(async (client) => {
    await client.query('BEGIN')
    await client.query(settingsOf(0), [space])
    await client.query(LOCK, [space])
    const tx = new Connection(client, undefined)
    const { rows } = await tx.query<{ object: string }>(OBJECTS)
    if (rows.length > 0 && !hasBucket) {
      throw new ScriptoriumError(
        'CONFLICT',
        `Expected the bucket that has files of ${name}, which would stay there, found none named; nothing was removed, name it with --files-bucket.`,
      )
    }
    await tx.deferReferences()
    const tables = (await tx.query<{ name: string }>(TABLES)).rows.map((row) => row.name)
    const others = tables.filter((table) => table !== FIRST && !LAST.includes(table))
    // The condition is the policy's as well; it stands here, so that no one has to know that.
    for (const table of [FIRST, ...others, ...LAST]) await tx.query(`DELETE FROM ${table} WHERE space = $1`, [space])
    for (const table of ['link_use', 'space_usage', 'tenant']) {
      await tx.query(`DELETE FROM ${table} WHERE space = $1`, [space])
    }
    await tx.checkReferences()
    await client.query('COMMIT')
    return rows.map(({ object }) => object)
  })
}
