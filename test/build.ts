/** A fresh space for a test: in memory, with a time and IDs that the test controls. */
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { SMALLEST_ID } from '../src/space/model/ids.ts'
import { type OpenSpace, type OpenSpaceOptions, openDatabaseSpace, openSpace } from '../src/space/open-space.ts'
import { migrate } from '../storage/sqlite/migrations.ts'
import { APPLICATION_ID } from '../storage/sqlite/open-database.ts'
import { reusedDatabase } from './support/reused-database.ts'

/** Friday, 20 November 2026, ten in the morning in Budapest. */
export const NOW = Date.parse('2026-11-20T09:00:00Z')

export interface BuiltSpace {
  space: OpenSpace
  /** The current time of the space, which a test can change. */
  clock: { now: number }
}

const FIRST_CALL_ID = 900_000_000_000

/** How many IDs were drawn: of things, and of calls. */
export type Counts = readonly [ids: number, calls: number]

export type Counter = Required<Pick<OpenSpaceOptions, 'newUuid' | 'generateIds' | 'generateCallId'>> & {
  counts(): Counts
}

/**
 * Sequential IDs: `100000000001`, `100000000002`; UUIDs end in the same number.
 *
 * @param drawn  what the space has already
 */
export function counter(drawn: Counts = [0, 0]): Counter {
  let [count, calls] = drawn
  return {
    counts: () => [count, calls],
    newUuid: () => `00000000-0000-7000-8000-${String(++count).padStart(12, '0')}`,
    generateIds: (wanted) => Array.from({ length: wanted }, () => SMALLEST_ID + ++count),
    generateCallId: () => FIRST_CALL_ID + ++calls,
  }
}

/** The database for the tests; undefined for SQLite. */
export const TEST_DATABASE = process.env.SCRIPTORIUM_TEST_DATABASE

// Kept open after the first space, so that not every space has to connect.
let database: Promise<unknown> | undefined

/** A database in memory that has the tables of a space, and nothing else. */
export function emptyDatabase(): Database {
  const sqlite = new Sqlite(':memory:')
  sqlite.pragma(`application_id = ${APPLICATION_ID}`)
  migrate(sqlite)
  return sqlite
}

let emptyBytes: Buffer | undefined

function emptySpace(): Buffer {
  emptyBytes ??= emptyDatabase().serialize()
  return emptyBytes
}

/** Opens a space. One in memory is in the database if the tests run on one. */
async function open(file: string, { copyOf, ...options }: BuildOptions): Promise<OpenSpace> {
  if (file !== ':memory:') {
    // Made by the program where its folder is missing as well: that takes ten times as long.
    if (existsSync(dirname(file)) && !existsSync(file)) writeFileSync(file, emptySpace())
    return openSpace(file, options)
  }
  if (TEST_DATABASE === undefined) {
    return openSpace(file, { database: reusedDatabase(copyOf ?? emptySpace()), ...options })
  }
  database ??= import('../storage/postgres/database.ts').then(({ useDatabase }) => useDatabase(TEST_DATABASE))
  await database
  return openDatabaseSpace(`${TEST_DATABASE}#${randomUUID()}`, options)
}

export interface BuildOptions extends OpenSpaceOptions {
  /** In memory only: the bytes of the space of which this one is a copy. */
  copyOf?: Buffer
}

export async function buildSpace(file = ':memory:', options: BuildOptions = {}): Promise<BuiltSpace> {
  const clock = { now: NOW }
  const space = await open(file, {
    name: 'Test',
    timezone: 'Europe/Budapest',
    clock: () => clock.now,
    steadyClock: () => clock.now,
    ...counter(),
    ...options,
  })
  onTestFinished(() => space.close())
  return { space, clock }
}

/** The short form of an ID. */
export const shortId = (id: string): string => id.slice(-12)

/** A text with all IDs in their short form. */
export const withShortIds = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-(?=[1-9]\d{11})/g, '')

/** SQL for a random ID. */
export const RANDOM_ID = '100000000000 + (random() & 9223372036854775807) % 800000000000'
