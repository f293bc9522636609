/** Deletes a space of a database, with everything in it. */
import { ScriptoriumError } from '../../src/base/errors.ts'
import { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { settingsOf } from './open-storage.ts'
import type { DatabaseSpace } from './spaces.ts'

/** The table to delete from first. Without its row, triggers keep no history of the deleted rows. */
const FIRST = 'call_start'
/** The tables to delete from last. Triggers write to them when rows of other tables are deleted. */
const LAST = ['change', 'call_document', 'retired_id', 'location_count', 'table_number']

/** Lists all tables with rows of spaces: each has the policy `of_space`. */
const TABLES = `SELECT policies.tablename::text AS name FROM pg_policies AS policies
  WHERE policies.schemaname = current_schema() AND policies.policyname = 'of_space' ORDER BY policies.tablename`
/** Waits for the running write, and blocks further ones. */
const LOCK = 'SELECT space FROM tenant WHERE space = $1::bigint FOR UPDATE'

const OBJECTS = `SELECT object FROM file_bytes WHERE object IS NOT NULL
  UNION SELECT object FROM unreferenced_object ORDER BY object`

/**
 * Deletes a space in one transaction. Programs that have the space open find that it was removed.
 *
 * @param hasBucket  true if the caller deletes objects of a bucket afterwards
 * @returns the objects of the bucket that contained its files
 * @throws CONFLICT if the space has files in a bucket, and the caller has none
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
    // Row-level security applies the same condition. It is repeated here to make it visible.
    for (const table of [FIRST, ...others, ...LAST]) await tx.query(`DELETE FROM ${table} WHERE space = $1`, [space])
    for (const table of ['link_use', 'space_usage', 'tenant']) {
      await tx.query(`DELETE FROM ${table} WHERE space = $1`, [space])
    }
    await tx.checkReferences()
    await client.query('COMMIT')
    return rows.map(({ object }) => object)
  })
}
