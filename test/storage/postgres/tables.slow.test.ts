/** Both engines have the same tables with the same columns: each migration has a counterpart. */
import { createHash } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import Sqlite from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import { MIGRATIONS, NEW_SCHEMA } from '../../../storage/postgres/migrations.ts'
import { migrate } from '../../../storage/sqlite/migrations.ts'

/** Internal tables of SQLite, its full-text index, and a counter that is in `tenant` on PostgreSQL. */
const OF_SQLITE = /^(sqlite_|search|change_counter$)/
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
  'abc86921a0a685a102aa7f2a932512f5fe643839059c20aa4e5bc6f8daf2fed1',
  '834c7d740b1a3759052e020692286d31b73737fe9d03a03d6a9ad2002e13ad12',
  '6312e2f57bb2fbdc0a16cc5c7ece806c63eeacfda567c4f8f644c940a9b740b2',
  '1175c2115cfdd601adfba8712799e23cdf9ee6261f30a7709ca0d075c71d196c',
  '2a9e3320c6b04d9c95d55d8c6f51fd0f12b736844135dd279956716241cc7a88',
  'c9d0d75e83d383a4df1390cb9022ad8586ab66cbf8b7954f3fca21addc308409',
  'b305e5cde111c71940c19a53d9b3534a511b9fca40139d0ebc76b0841b7208a3',
  'ecb1f507fa9cff5c5af0e050f6d49a3b179296cba1b82e10f23c8da77d65c75d',
  '1ee8df8f1644dc0c16f8b18e23b4530ade95fe8624f85f40c07f0c89da3ede37',
  '675aa601a2c4d87e38f46ae9e9b7110761995caf721df30ee47ecc972fc0913c',
  '8020fac01430d035a10172110822cdb469f1b0bd9b8c5a4736ea6541b6eb0cf3',
  '314826710ed3387805afd113dd01e7e7fd0bc902fb6833ee061ecc87494dce7b',
  '5d48a6d17de1a4249d5921b560809576324a5688ff528fc604a2bb0a4684fa3d',
  '168811b46fa29dfbb0a2717358b227c85b069583c8c70b6613275eee63d65bb1',
  'd57f360c9c50370af826f92f0db2e3e55251b6986e8f1a02e86e554d3190bf9f',
  '875d60f3659bed76e8cc889ffa9d34b5431537417e8c0c0c96ac17bec45d4cfd',
  '68f52cee3b46683c7245db6a6db43ce427593b9820100ef470e10d15a9ece98a',
  '005910816e0051aacba24dd2dc1d8581613a974f93ec69f654763428707aeebb',
  '13a97e2347a9eddc9116b8ffba010aae99f5eebd0ad82d37c78dd40106cfedb7',
  'e1dfb995718853776166835941592e6fa5891385c45f802607cd9269151ece35',
  'cd7dce8201ed341a78515e54d5639f5348ac9bcb4f15d970a991b92fb82ef7ca',
  'd4250aefd5f4c069ab211cd49dcfddf3e753715ca0b821ce7ee0d4ea7324ca09',
  'e75876cf5991f2e22503ea9c2dbf29eb2038083ce3ca7ac75ec779dbb70094c1',
  'eddb8fece6e76a0d6a203557f8d769bf11382a4a3f87e4a8efec2fe7504e6fc9',
  'e01c13541ff3bea50700d9099e6348253014f9ecc01409e9024c1e1c224b1313',
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
  for (const sql of NEW_SCHEMA) await postgres.exec(sql)
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

test('no migration was edited', () => {
  expect(MIGRATIONS.map((sql) => createHash('sha256').update(sql).digest('hex'))).toEqual(HASHES)
})
