/** Spaces of every released schema can be opened, and have the same content as when they were created. */
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { openWriter } from '../../storage/sqlite/open-database.ts'
import { endpoints } from '../../tools/index.ts'
import { folder } from '../program.ts'
import { KEYED } from '../schemas/fill.ts'
import { answersOf, fixtures, unpack } from '../schemas/fixtures.ts'
import { type Reading, readings } from '../schemas/readings.ts'
import { FILE_LAWS } from '../sound.ts'
import { connectionOf } from '../sqlite.ts'

/** The newest schema in a release. `npm run fixture` increments it. */
const RELEASED = 10
const NEWEST = String(RELEASED)
/** Tables that are filled only over HTTP: upload addresses, which expire after minutes, and consents at an issuer. */
const LEFT_OUT = new Set(['upload', 'sign_in'])

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

/**
 * Removes what depends on the program rather than the space: the patterns in a JSON Schema, which a later version may
 * make stricter; which blocks around a match are shown with it, and why it matched; the links to a block; the
 * shades in which colors are shown; and that dates may be ranges.
 */
const ofSpace = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value) => (OF_PROGRAM.has(key) ? undefined : asBefore(value))) ?? 'null')
const OF_PROGRAM: ReadonlySet<string> = new Set(['pattern', 'beforeBlocks', 'afterBlocks', 'why', 'displayColor'])
const WITHOUT_RANGES = ['string', 'null']
const isRangeSchema = (value: unknown): value is { description: string } =>
  JSON.stringify((value as { type?: unknown } | null)?.type) === '["string","object","null"]'

const asBefore = (value: unknown): unknown => {
  if (isRangeSchema(value)) return { description: value.description, type: WITHOUT_RANGES }
  return typeof value === 'string' ? value.replace(/,"(?:linkedFrom":\[[^\]]*\]|displayColor":"[^"]*")/g, '') : value
}

const schemaOf = (sqlite: Database): unknown[] =>
  sqlite.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all()

const ofFile = <T>(file: string, look: (sqlite: Database) => T): T => {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    return look(sqlite)
  } finally {
    sqlite.close()
  }
}

test('there is a sample space of every released schema', () => {
  const versions = new Set(fixtures().map((name) => Number.parseInt(name, 10)))
  expect([...versions]).toEqual(Array.from({ length: RELEASED }, (_, index) => index + 1))
})

/** Extracts the tool from a reading: `full folders_list {}` calls folders_list. */
const toolOf = (reading: string): string => reading.split(' ').slice(0, 2).join(' ')

/** Replaces the IDs in readings by the UUIDs that things had when the fixture was created. */
function withFormerIds(file: string, found: readonly Reading[]): Reading[] {
  const formers = ofFile(file, (sqlite) =>
    sqlite.prepare<[], { id: number; former: string }>('SELECT id, former FROM former_id').all(),
  )
  const formerOf = new Map(formers.map(({ id, former }) => [String(id), former]))
  const text = JSON.stringify(found).replace(/\b[1-9]\d{11}\b/g, (id) => formerOf.get(id) ?? id)
  return JSON.parse(text) as Reading[]
}

describe.each(fixtures())('the space of schema %s', (name) => {
  test('returns the same responses', async () => {
    const { now, readings: expected } = answersOf(name)
    // The fixture has no responses of tools that are newer than it.
    const known = new Set(expected.map(({ asked }) => toolOf(asked)))
    const file = copyOf(name)
    const space = await opened(file, now)
    const found = withFormerIds(file, await readings(space)).filter(({ asked }) => known.has(toolOf(asked)))
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
    expect(reading.filter((tool) => !calledTools.has(tool))).toEqual([])
  })

  test('does not repeat a call from before the migration', async () => {
    const { now } = answersOf(NEWEST)
    const space = await opened(copyOf(NEWEST), now)
    const tool = toolCatalogFor(endpoints, 'full').get(KEYED.name)
    const look = () =>
      space.read(OPERATOR_LINK, async ({ tx }) => [
        connectionOf(tx).sql('SELECT count(*) FROM document').pluck().get(),
        connectionOf(tx).sql('SELECT link, key, answer FROM kept_answer').all(),
      ])
    const before = await look()
    expect(before).toMatchObject([expect.any(Number), [{ link: '', key: KEYED.key }]])
    // Old versions did not store what the caller reached. Responses from them are not replayed but refused.
    const again = runCall(tool, KEYED.arguments, { space, link: OPERATOR_LINK }, { idempotencyKey: KEYED.key })
    await expect(again).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('carried out then'),
    })
    expect(await look()).toEqual(before)
  })
})
