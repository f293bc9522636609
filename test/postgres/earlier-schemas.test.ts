/** A database of the last version before there was one schema: it is migrated once, and has all that it had. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabaseSpace } from '../../src/space/open-space.ts'
import { WRONG_BYTE_COUNTS } from '../../storage/byte-counts.ts'
import { sql as tags } from '../../storage/postgres/migrations/0022-tags.ts'
import { BASE_SCHEMA, migrate, SCHEMA_VERSION, schemaVersion } from '../../storage/postgres/migrations.ts'
import { connect } from '../connect.ts'
import { answersOf } from '../schemas/fixtures.ts'
import { ofSpace } from '../schemas/of-space.ts'
import { readings } from '../schemas/readings.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'

/** What pg_dump wrote of a database with the sample space. */
const DUMP = join(import.meta.dirname, '../data/schemas/29/postgres-7.sql.gz')

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' })
})
afterAll(() => server.stop())

async function withClient<T>(address: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function addDatabase(name: string): string {
  server.run(`CREATE DATABASE ${name} OWNER scriptorium`)
  return server.address.replace('/scriptorium?', `/${name}?`)
}

async function addEarlier(name: string): Promise<string> {
  const address = addDatabase(name)
  const dump = gunzipSync(readFileSync(DUMP)).toString('utf8')
  await withClient(address, (client) => client.query(dump))
  return address
}

/** Everything that is defined in a database, as lines. */
const DEFINITIONS = `
  SELECT format('column %s.%s %s %s %s %s', table_name, column_name, ordinal_position, data_type, is_nullable,
    coalesce(column_default, generation_expression)) AS line FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT format('policy %s %s %s', tablename, policyname, qual) FROM pg_policies
  UNION ALL SELECT format('table %s %s %s', relname, relrowsecurity, relforcerowsecurity) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace
  UNION ALL SELECT format('statistics %s %s', attrelid::regclass, attstattarget) FROM pg_attribute
    WHERE attname = 'space' AND attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r')
  ORDER BY 1`
const definitionsOf = (address: string): Promise<string[]> =>
  withClient(address, async (client) =>
    (await client.query<{ line: string }>(DEFINITIONS)).rows.map(({ line }) => line),
  )

test('it is migrated to what a new database has', async () => {
  const [earlier, fresh] = [await addEarlier('earlier'), addDatabase('fresh')]
  for (const address of [earlier, fresh]) await withClient(address, (client) => migrate(client))
  const definitions = await definitionsOf(earlier)
  expect(definitions).toEqual(await definitionsOf(fresh))
  expect(definitions.length).toBeGreaterThan(500)
})

test('its space returns the same responses', async () => {
  const address = await addEarlier('read')
  const { now, readings: expected } = answersOf('29')
  const reports: string[] = []
  const space = await openDatabaseSpace(`${address}#fixture`, {
    clock: () => now,
    report: (sentence) => void reports.push(sentence),
  })
  onTestFinished(() => space.close())
  expect(reports).toContain(
    `The database is being migrated before its spaces are used: from schema ${BASE_SCHEMA} to ${SCHEMA_VERSION}.`,
  )
  // The fixture has no responses of tools that are newer than it.
  const toolOf = (reading: string) => reading.split(' ').slice(0, 2).join(' ')
  const known = new Set(expected.map(({ asked }) => toolOf(asked)))
  const found = (await readings(space)).filter(({ asked }) => known.has(toolOf(asked)))
  expect(found.map(({ asked }) => asked)).toEqual(expected.map(({ asked }) => asked))
  const differing = found.filter(
    ({ answer }, index) => !isDeepStrictEqual(ofSpace(answer), ofSpace(expected[index]?.answer)),
  )
  expect(differing.map(({ asked }) => asked)).toEqual([])
  const wrong = await withClient(address, async (client) => {
    await client.query("SELECT set_config('scriptorium.space', max(space)::text, false) FROM tenant")
    return client.query(WRONG_BYTE_COUNTS)
  })
  expect(wrong.rows).toEqual([])
})

test('blocks that a migration left unindexed are found after the space is opened', async () => {
  const address = `${addDatabase('unindexed')}#notes`
  const options = { timezone: 'UTC', clock: () => Date.UTC(2026, 10, 28) }
  const space = await openDatabaseSpace(address, options)
  const { call } = await connect('full', { to: { space, clock: { now: options.clock() } } })
  await call('documents_add', { documents: [{ title: 'City', markdown: 'Łódź' }] })
  await space.close()
  await withClient(address.replace('#notes', ''), async (client) => {
    await client.query("SELECT set_config('scriptorium.space', max(space)::text, false) FROM tenant")
    await client.query('DELETE FROM posting')
    await client.query('DELETE FROM indexed_block')
    await client.query('INSERT INTO unindexed_block (block) SELECT n FROM block')
  })
  const opened = await openDatabaseSpace(address, options)
  onTestFinished(() => opened.close())
  const again = await connect('full', { to: { space: opened, clock: { now: options.clock() } } })
  const { items } = await again.call('documents_search', { include: 'lodz' })
  expect(items).toMatchObject([{ title: 'City' }])
})

test('documents from before there were tags have theirs after the migration', async () => {
  const address = `${addDatabase('untagged')}#notes`
  const options = { timezone: 'UTC', clock: () => Date.UTC(2026, 10, 28) }
  const space = await openDatabaseSpace(address, options)
  const { call } = await connect('full', { to: { space, clock: { now: options.clock() } } })
  await call('documents_add', {
    documents: [
      { title: 'Text', markdown: 'A #project/alpha' },
      { title: 'Front', markdown: '```yaml\ntags: [project]\n```\n\nb' },
      { title: 'Neither', markdown: '```\n#project\n```' },
    ],
  })
  await space.close()
  await withClient(address.replace('#notes', ''), async (client) => {
    await client.query('DROP TABLE block_tag')
    await client.query(tags)
  })
  const opened = await openDatabaseSpace(address, options)
  onTestFinished(() => opened.close())
  const again = await connect('full', { to: { space: opened, clock: { now: options.clock() } } })
  const { items } = await again.call('documents_list', { tags: ['project'] })
  expect(items.map(({ title }: { title: string }) => title).sort()).toEqual(['Front', 'Text'])
})

test('one from before is rejected, with what to do first', async () => {
  const address = await addEarlier('old')
  await withClient(address, (client) => client.query('UPDATE schema_version SET version = 6'))
  await expect(openDatabaseSpace(`${address}#fixture`, { clock: Date.now })).rejects.toThrow(
    'Expected schema 7 or newer in the database, found 6; open it with commit 29836bdd of Scriptorium once, and then with this one.',
  )
  expect(await withClient(address, schemaVersion)).toBe(6)
})
