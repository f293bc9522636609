/** Spaces of every released schema can be opened, and have the same content as when they were created. */
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { BASE_SCHEMA, MIGRATIONS, migrate } from '../../storage/sqlite/migrations.ts'
import { openWriter } from '../../storage/sqlite/open-database.ts'
import { endpoints } from '../../tools/index.ts'
import { folder } from '../program.ts'
import { KEYED } from '../schemas/fill.ts'
import { answersOf, fixtures, unpack } from '../schemas/fixtures.ts'
import { ofSpace } from '../schemas/of-space.ts'
import { readings } from '../schemas/readings.ts'
import { FILE_LAWS } from '../sound.ts'
import { firstValue } from '../sqlite.ts'

/** The newest schema in a release. `npm run fixture` increments it. */
const RELEASED = 29
const NEWEST = String(RELEASED)
/** Tables that calls over stdio and commands leave empty. */
const LEFT_OUT = new Set([
  // Filled over HTTP: upload addresses, consents at an issuer, sessions that ended, imports and webhooks.
  ...['upload', 'sign_in', 'ended_session', 'import_job', 'webhook', 'webhook_lease'],
  // What several links write, what is not indexed yet, and UUIDs of spaces from before IDs were numbers.
  ...['written_row', 'unindexed_block', 'former_id'],
])

function copyOf(name: string): string {
  const file = join(folder(), 'space.sqlite')
  unpack(name, file)
  return file
}

async function opened(file: string, now: number): Promise<OpenSpace> {
  const space = await openSpace(file, { clock: () => now })
  onTestFinished(() => space.close())
  return space
}

interface SchemaEntry {
  type: string
  name: string
  sql: string | null
}

const schemaOf = (sqlite: Database): SchemaEntry[] =>
  sqlite.prepare<[], SchemaEntry>('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all()

const ofFile = <T>(file: string, read: (sqlite: Database) => T): T => {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    return read(sqlite)
  } finally {
    sqlite.close()
  }
}

test('there is a sample space of every released schema', () => {
  const versions = new Set(fixtures().map((name) => Number.parseInt(name, 10)))
  expect([...versions]).toEqual(Array.from({ length: RELEASED - BASE_SCHEMA + 1 }, (_, index) => BASE_SCHEMA + index))
})

test('the first migration creates the tables that spaces had before there was only one', () => {
  const base = new Sqlite(':memory:')
  migrate(base, { migrations: MIGRATIONS.slice(0, 1) })
  const tablesOf = (sqlite: Database) =>
    schemaOf(sqlite).filter(({ type, name }) => type !== 'trigger' && name !== 'sqlite_sequence')
  expect(tablesOf(base)).toEqual(ofFile(copyOf(String(BASE_SCHEMA)), tablesOf))
  expect(tablesOf(base).length).toBeGreaterThan(100)
})

/** Extracts the tool from a reading: `full folders_list {}` calls folders_list. */
const toolOf = (reading: string): string => reading.split(' ').slice(0, 2).join(' ')

describe.each(fixtures())('the space of schema %s', (name) => {
  test('returns the same responses', async () => {
    const { now, readings: expected } = answersOf(name)
    // The fixture has no responses of tools that are newer than it.
    const known = new Set(expected.map(({ asked }) => toolOf(asked)))
    const space = await opened(copyOf(name), now)
    const found = (await readings(space)).filter(({ asked }) => known.has(toolOf(asked)))
    expect(found.map(({ asked }) => asked)).toEqual(expected.map(({ asked }) => asked))
    for (const [index, { asked, answer }] of found.entries()) {
      expect(ofSpace(answer), asked).toEqual(ofSpace(expected[index]?.answer))
    }
  })

  test('gets the schema of a new space, and every row satisfies the constraints', async () => {
    const file = copyOf(name)
    const { sqlite } = await openWriter(file)
    onTestFinished(() => void sqlite.close())
    const fresh = await openWriter(':memory:')
    onTestFinished(() => void fresh.sqlite.close())
    expect(schemaOf(sqlite)).toEqual(schemaOf(fresh.sqlite))
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
    for (const [law, broken] of FILE_LAWS) expect(sqlite.prepare(broken).pluck().get(), law).toBe(0)
  })
})

describe('the newest of them', () => {
  test('has a row in every table, and is read by every reading tool', async () => {
    const file = copyOf(NEWEST)
    const empty = ofFile(file, (sqlite) => {
      const tables = sqlite.pragma('table_list') as { schema: string; name: string; type: string }[]
      const names = tables.filter(({ schema, type }) => schema === 'main' && type !== 'shadow').map(({ name }) => name)
      return names.filter((name) => sqlite.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() === undefined)
    })
    expect(empty.filter((name) => !LEFT_OUT.has(name) && !name.startsWith('sqlite_'))).toEqual([])
    const calledTools = new Set<string>()
    await readings(await opened(file, answersOf(NEWEST).now), calledTools)
    const reading = endpoints.filter(({ effect }) => effect === 'read').map(({ name }) => name)
    // Events are found in the feed, which is read.
    expect(reading.filter((tool) => !calledTools.has(tool))).toEqual(['events_list'])
  })

  test('does not repeat a call from before the migration', async () => {
    const { now } = answersOf(NEWEST)
    const space = await opened(copyOf(NEWEST), now)
    const tool = toolCatalogFor(endpoints, 'full').get(KEYED.name)
    const first = <T>(sql: string) => space.read(OPERATOR_LINK, ({ tx }) => firstValue<T>(tx, sql))
    const count = () => first<number>('SELECT count(*) FROM document')
    const [before, answer = ''] = [await count(), await first<string>('SELECT answer FROM kept_answer')]
    const again = await runCall(tool, KEYED.arguments, { space, link: OPERATOR_LINK }, { idempotencyKey: KEYED.key })
    expect(again).toEqual({ object: JSON.parse(answer) })
    expect(await count()).toBe(before)
  })
})
