/** Creates a space in a database from all rows of another space: see `storage/dump.ts`. */
import type { PoolClient, QueryConfig } from 'pg'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { repairByteCounts } from '../byte-counts.ts'
import { type DumpedRow, dumpedColumns, dumpedTables } from '../dump.ts'
import type { SignInRows } from '../sign-in-tables.ts'
import { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { NUMBERED_BY_DEFAULT } from './migrations.ts'
import { settingsOf } from './open-storage.ts'
import { insertText } from './row-statements.ts'
import { writeSignInRows } from './sign-in-rows.ts'
import { addTenant, validateSpaceName } from './spaces.ts'
import type { WordToolsLoader } from './word-index.ts'

export interface DatabaseDump {
  /** The number that the next row gets, by table. */
  numbers: Readonly<Record<string, number>>
  /** The rows of a table. */
  rowsOf(table: string): AsyncIterable<readonly DumpedRow[]>
  signIns: Iterable<SignInRows>
  /** The bytes of each distinct content of files, or the objects that contain them. Read once all rows are written. */
  files(): AsyncIterable<{ hash: string } & ({ bytes: Uint8Array } | { object: string })>
}

/**
 * Tables to load first. Triggers fire on loaded rows, since turning them off would lock the tables for all spaces. The
 * triggers of these tables update counts in other tables. Those are loaded later: so the triggers find no row to
 * update, and the rows that follow have the right counts. `byte_count` comes before all, since triggers add to it what is
 * missing there; it is counted again at the end.
 */
const FIRST = ['byte_count', 'document', 'link_document', 'write_log']
/** The table to load last. Triggers keep no history until it has its row, which says where the current call begins. */
const LAST = 'call_start'

/** Number of blocks to index at a time. */
const BLOCKS_PER_PART = 2_000
/** Milliseconds that the check of all references may take. */
const CHECK_TIMEOUT_MS = 60 * 60_000

/**
 * Loads a space in one transaction, so that it is either complete or not created.
 *
 * @param words  loads the functions that split texts of blocks into words
 * @throws CONFLICT if the database has a space with this name, or this space; VALIDATION_ERROR if the name is invalid,
 * or a text cannot be stored by PostgreSQL
 */
export async function loadDump(
  database: Database,
  name: string,
  dump: DatabaseDump,
  words: WordToolsLoader,
): Promise<void> {
  validateSpaceName(name)
  await database.withClient(async (client) => {
    await client.query('BEGIN')
    const space = await addTenant(client, name)
    if (space === undefined) {
      throw new ScriptoriumError(
        'CONFLICT',
        `Expected a name that no space of the database has, found ${name}; choose another.`,
      )
    }
    await client.query(settingsOf(0), [space])
    const tx = new Connection(client, words)
    await tx.deferReferences()
    await loadRows(tx, dump)
    await assertOnlyOne(tx, space)
    for (const part of dump.signIns) await writeSignInRows(tx, part)
    for await (const file of dump.files()) {
      const [bytes, object] = 'object' in file ? [null, file.object] : [file.bytes, null]
      await tx.query(INSERT_FILE, [file.hash, bytes, object])
    }
    await indexBlocks(tx)
    await checkReferences(client)
    await client.query('COMMIT')
  })
}

const INSERT_FILE = 'INSERT INTO file_bytes (hash, bytes, object) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING'

async function loadRows(tx: Connection, { rowsOf, numbers }: DatabaseDump): Promise<void> {
  const others = dumpedTables().filter((name) => !FIRST.includes(name) && name !== LAST)
  for (const table of [...FIRST, ...others, LAST]) {
    // The triggers of documents have created these rows.
    if (table === 'location_count') await tx.query('DELETE FROM location_count')
    for await (const rows of rowsOf(table)) {
      assertText(table, rows)
      if (table === 'change_counter') await setChangeCounter(tx, rows)
      else await insertRows(tx, table, rows)
      if (table === 'write_log') await restoreSizes(tx, rows)
    }
  }
  const counted = Object.entries(numbers).filter(([table]) => NUMBERED_BY_DEFAULT.has(table))
  await tx.query(SET_NUMBERS, [counted.map(([table]) => table), counted.map(([, next]) => next - 1)])
  await repairByteCounts(tx)
}

const SET_NUMBERS = `INSERT INTO table_number AS known (name, last) SELECT * FROM unnest($1::text[], $2::bigint[])
  ON CONFLICT (space, name) DO UPDATE SET last = greatest(known.last, excluded.last)`

async function insertRows(tx: Connection, table: string, rows: readonly DumpedRow[]): Promise<void> {
  // Rows of `change` get new numbers, since all spaces of the database share one sequence for them.
  const columns = dumpedColumns(table).filter(({ name }) => table !== 'change' || name !== 'n')
  await tx.query(
    insertText(table, columns),
    columns.map(({ name }) => rows.map((row) => row[name] ?? null)),
  )
}

/** Restores the sizes of changes. A trigger set them as if the calls had no changes, since those are loaded later. */
async function restoreSizes(tx: Connection, rows: readonly DumpedRow[]): Promise<void> {
  await tx.query(
    `UPDATE write_log SET change_bytes = given.bytes FROM unnest($1::bigint[], $2::bigint[]) AS given (n, bytes)
     WHERE write_log.n = given.n`,
    [rows.map(({ n }) => n), rows.map(({ change_bytes }) => change_bytes)],
  )
}

async function setChangeCounter(tx: Connection, rows: readonly DumpedRow[]): Promise<void> {
  for (const { value, listing } of rows) {
    await tx.query('UPDATE change_counter SET value = $1, listing = $2', [value, listing])
  }
}

/**
 * Throws if the database has the same space under another name, since its access links could lead to only one of the
 * two.
 */
async function assertOnlyOne(tx: Connection, space: number): Promise<void> {
  const { rows } = await tx.query<{ name: string }>(
    `SELECT other.name FROM tenant JOIN tenant AS other ON other.key = tenant.key AND other.space <> tenant.space
     WHERE tenant.space = $1 ORDER BY other.space LIMIT 1`,
    [space],
  )
  const [other] = rows
  if (other === undefined) return
  throw new ScriptoriumError(
    'CONFLICT',
    `Expected a database without this space, found it there as ${other.name}; its links can lead to one of the two only. Remove that with spaces remove first.`,
  )
}

function assertText(table: string, rows: readonly DumpedRow[]): void {
  for (const row of rows) {
    for (const value of Object.values(row)) {
      if (typeof value !== 'string' || !value.includes('\0')) continue
      throw new ScriptoriumError(
        'VALIDATION_ERROR',
        `Expected text without NUL characters, which PostgreSQL does not keep, found one in ${table} ${row.id ?? row.n ?? ''}; change it first.`,
      )
    }
  }
}

/** Builds the word index and the links between blocks, which a dump does not contain. */
async function indexBlocks(tx: Connection): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await tx.query<{ n: number }>(
      `SELECT n FROM block WHERE n > $1::bigint ORDER BY n LIMIT ${BLOCKS_PER_PART}`,
      [after],
    )
    tx.words.noteChanged(rows.map(({ n }) => n))
    await tx.words.indexPending()
    after = rows.at(-1)?.n ?? 0
    if (rows.length < BLOCKS_PER_PART) return
  }
}

async function checkReferences(client: PoolClient): Promise<void> {
  const check: QueryConfig & { query_timeout: number } = {
    text: 'SET CONSTRAINTS ALL IMMEDIATE',
    query_timeout: CHECK_TIMEOUT_MS,
  }
  await client.query(check)
}
