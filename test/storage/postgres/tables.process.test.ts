/** Both engines have the same tables with the same columns: each migration has a counterpart. */
import { createHash, randomBytes } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import Sqlite from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import { sql as addressKeys } from '../../../storage/postgres/migrations/0006-address-keys.ts'
import { MIGRATIONS } from '../../../storage/postgres/migrations.ts'
import { derivedAddressKey } from '../../../storage/sqlite/migrations/0028-address-keys.ts'
import { migrate } from '../../../storage/sqlite/migrations.ts'

/** Internal tables of SQLite, its full-text index, and a counter that is in `tenant` on PostgreSQL. */
const OF_SQLITE = /^(sqlite_|search|unindexed_block$|change_counter$)/
/** PostgreSQL tables for which SQLite has a separate file or a mechanism of its own. */
const OF_POSTGRES = new Set([
  ...['tenant', 'space_usage', 'link_use', 'address_usage', 'table_number', 'indexed_block', 'posting', 'file_bytes'],
  ...['unreferenced_object', 'change_counter', 'issued', 'issuer_secret', 'counted', 'known_address'],
])
const TYPES: Readonly<Record<string, string>> = {
  INTEGER: 'bigint',
  REAL: 'double precision',
  TEXT: 'text',
}

/** The SHA-256 hash of each migration: databases that were created with them exist. Add the hash of the next one here. */
const HASHES = [
  '366890dfe7d94f3c61e38d87fde4d47baaa929cc751f4fc6818aba218c29b653',
  'ff92d60aa5e002cbd47e0913e1a2024a71cb3d27537df0f78ee1be9a182dc417',
  'b57fb6b597f033d0be29b638d8536318043fd9c2408f90925253447990e86014',
  'd3056467723b2363e177ac9d84a336e91fdbad3e4a4018e0c1b8eedd27cc82c7',
  'c3c8dd16b61d90273e81b5e3e1290f75c37c771d0616dcbf978f00527ccb7a41',
  '7946dc28edbdbc1486aa1dc27ddb221019fa5f7e6cac9f72057d337af8cd47a3',
  '123e744c03bb1f9622e42d2bc198a66929c172f4dfd2a0226edfa59ad9265d0d',
]

type Columns = Readonly<Record<string, string>>

function sqliteTables(): Map<string, Columns> {
  const sqlite = new Sqlite(':memory:')
  migrate(sqlite)
  const names = sqlite.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck()
  const tables = names.all().filter((name) => !OF_SQLITE.test(name))
  return new Map(
    tables.map((table) => {
      const columns = sqlite.pragma(`table_xinfo(${table})`) as {
        name: string
        type: string
        notnull: 0 | 1
        pk: number
      }[]
      return [
        table,
        Object.fromEntries(
          columns.map(({ name, type, notnull, pk }) => [
            name,
            `${TYPES[type.split(' ')[0] ?? ''] ?? 'text'}${notnull === 1 || pk > 0 ? ' not null' : ''}`,
          ]),
        ),
      ]
    }),
  )
}

let postgres: PGlite

beforeAll(async () => {
  postgres = await PGlite.create()
  for (const sql of MIGRATIONS) await postgres.exec(sql)
  return () => postgres.close()
})

async function postgresTables(): Promise<Map<string, Columns>> {
  const { rows } = await postgres.query<{ table: string; name: string; type: string; optional: string }>(
    `SELECT table_name AS table, column_name AS name, data_type AS type, is_nullable AS optional
     FROM information_schema.columns WHERE table_schema = 'public' AND column_name <> 'space'
     ORDER BY table_name, ordinal_position`,
  )
  const tables = new Map<string, Record<string, string>>()
  for (const { table, name, type, optional } of rows) {
    if (OF_POSTGRES.has(table)) continue
    const columns = tables.get(table) ?? {}
    columns[name] = `${type}${optional === 'NO' ? ' not null' : ''}`
    tables.set(table, columns)
  }
  return tables
}

const inOrder = (tables: ReadonlyMap<string, Columns>) =>
  Object.fromEntries([...tables].sort(([one], [other]) => (one < other ? -1 : 1)))

/** The columns that foreign keys of other tables refer to. */
const REFERENCED = `SELECT DISTINCT confrelid::regclass::text AS table, array_agg(attname ORDER BY attnum)::text[] AS columns
  FROM pg_constraint JOIN pg_attribute ON attrelid = confrelid AND attnum = ANY (confkey)
  WHERE contype = 'f' GROUP BY pg_constraint.oid, confrelid ORDER BY 1, 2`

test('in empty tables, references are looked up by the whole key', async () => {
  const { rows } = await postgres.query<{ table: string; columns: string[] }>(REFERENCED)
  expect(rows.length).toBeGreaterThan(10)
  // As the database checks foreign keys: with a generic plan that does not depend on the values.
  await postgres.exec('SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off')
  for (const { table, columns } of rows) {
    const conditions = columns.map((column, index) => `${column} = $${index + 1}`)
    await postgres.exec(
      `PREPARE look_up AS SELECT 1 FROM ONLY ${table} WHERE ${conditions.join(' AND ')} FOR KEY SHARE`,
    )
    const plan = await postgres.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE look_up (${columns.map(() => 'NULL').join(', ')})`,
    )
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(text, `${table} (${columns})`).toContain(
      `Index Cond: (${conditions.map((one) => `(${one})`).join(' AND ')})`,
    )
    await postgres.exec('DEALLOCATE look_up')
  }
})

test('the tables of both engines have the same columns', async () => {
  expect(inOrder(await postgresTables())).toEqual(inOrder(sqliteTables()))
})

test('spaces from before long IDs were stored keep them', async () => {
  const earlier = await PGlite.create()
  try {
    for (const sql of MIGRATIONS.slice(0, MIGRATIONS.indexOf(addressKeys))) await earlier.exec(sql)
    const secrets = ['5'.repeat(64), ...Array.from({ length: 20 }, () => randomBytes(32).toString('hex'))]
    for (const [index, secret] of secrets.entries()) {
      await earlier.exec(`INSERT INTO tenant (name) VALUES ('${index}')`)
      await earlier.exec(`SELECT set_config('scriptorium.space', max(space)::text, false) FROM tenant`)
      await earlier.exec(
        `INSERT INTO space (n, id, name, timezone, secret, created_at) VALUES (1, '${index}', 'A', 'UTC', '${secret}', 0)`,
      )
    }
    await earlier.exec("SELECT set_config('scriptorium.space', '', false)")
    // A role that the policies hold for, as that of the program: no superuser.
    await earlier.exec('CREATE ROLE program; GRANT ALL ON SCHEMA public TO program')
    const { rows: tables } = await earlier.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    )
    for (const { name } of tables) await earlier.exec(`ALTER TABLE ${name} OWNER TO program`)
    await earlier.exec('SET ROLE program')
    await earlier.exec(addressKeys)
    await earlier.exec('RESET ROLE')
    const { rows } = await earlier.query<{ prefix: string; key: string; current: number }>(
      'SELECT id_prefix AS prefix, file_key AS key, is_current AS current FROM address_key ORDER BY space',
    )
    const derived = secrets.map(derivedAddressKey)
    expect(rows).toEqual(derived.map(({ idPrefix, fileKey }) => ({ prefix: idPrefix, key: fileKey, current: 1 })))
    const { rows: forced } = await earlier.query(
      "SELECT relname FROM pg_class WHERE relname IN ('space', 'address_key') AND NOT (relrowsecurity AND relforcerowsecurity)",
    )
    expect(forced).toEqual([])
  } finally {
    await earlier.close()
  }
})

test('no migration was edited', () => {
  expect(MIGRATIONS.map((sql) => createHash('sha256').update(sql).digest('hex'))).toEqual(HASHES)
})
