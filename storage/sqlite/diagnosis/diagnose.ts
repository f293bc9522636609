/** Collects the facts about a file for `scriptorium doctor`. */

import Sqlite, { type Database } from 'better-sqlite3'
import { messageOf } from '../../../src/base/errors.ts'
import { type ByteCounts, WRONG_BYTE_COUNTS } from '../../byte-counts.ts'
import type { HistorySize } from '../../history-retention.ts'
import { WHOLE_SPACE } from '../../row-sizes.ts'
import type { FileRow, SpaceRow } from '../../schema.ts'
import { migrate, SCHEMA_VERSION, schemaVersion } from '../migrations.ts'
import { openReadOnly, type ReadConnection, type ReadOptions } from '../open-read-only.ts'
import { type BrokenReference, brokenReferences } from './broken-references.ts'
import { COUNT_WRONG_COUNTS } from './repair-database.ts'

export interface Diagnosis {
  application: number
  schema: number
  /** Missing, extra and different schema entries, as sentence endings. Only for the current version. */
  schemaDifferences: string[]
  /** Problems found by SQLite, one per line; empty if there are none. */
  integrity: string[]
  brokenReferences: BrokenReference[]
  /** Folders and locations whose stored document count is wrong. Only for the current version. */
  wrongCounts: number
  /** Blocks that a migration left to index when the space is next opened. Only for the current version. */
  unindexed: number
  space?: Pick<SpaceRow, 'name' | 'timezone'>
  documents: number
  blocks: number
  /** The size of the history of calls that can be undone. Only for the current version. */
  history?: HistorySize
  /** The stored bytes as they are counted, and how many of the counts are wrong. Only for the current version. */
  bytes?: { space: ByteCounts; wrong: number }
  /** Files, one per hash. */
  files: Pick<FileRow, 'hash' | 'name'>[]
}

/** Version of the SQLite library. */
export function sqliteVersion(): string {
  const sqlite = new Sqlite(':memory:')
  try {
    return sqlite.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? ''
  } finally {
    sqlite.close()
  }
}

export type SpaceIdentity = Pick<SpaceRow, 'id' | 'name'>

/** The space in a database; undefined if it is not a space or its row cannot be read. */
export function readSpaceIdentity(sqlite: Database): SpaceIdentity | undefined {
  try {
    return sqlite.prepare<[], SpaceIdentity>('SELECT id, name FROM space').get()
  } catch {
    return undefined
  }
}

/** The space in a file; undefined if it is not a space or cannot be read. */
export function readSpaceIdentityOfFile(file: string): SpaceIdentity | undefined {
  try {
    const { sqlite, close } = openReadOnly(file, { timeout: 1000 })
    try {
      return readSpaceIdentity(sqlite)
    } finally {
      close()
    }
  } catch {
    return undefined
  }
}

/** The ID of the space in a file; undefined if it is not a space or cannot be read. */
export const readSpaceId = (file: string): string | undefined => readSpaceIdentityOfFile(file)?.id

/** The ID of the space in a file, if it has webhooks that are not paused. Also undefined if it cannot be read. */
export function readIdOfSpaceWithWebhooks(file: string): string | undefined {
  try {
    const { sqlite, close } = openReadOnly(file, { timeout: 1000 })
    try {
      const select = 'SELECT id FROM space WHERE EXISTS (SELECT 1 FROM webhook WHERE paused_at IS NULL)'
      return sqlite.prepare<[], string>(select).pluck().get()
    } finally {
      close()
    }
  } catch {
    return undefined
  }
}

type CanWrite = ReadOptions['canWrite']

/** A read-only connection that waits for writers. */
export function openForDiagnosis(file: string, canWrite?: CanWrite): ReadConnection {
  const opened = openReadOnly(file, { timeout: 5000, ...(canWrite && { canWrite }) })
  opened.sqlite.pragma('trusted_schema = 0')
  return opened
}

/**
 * Collects the facts. Only reads, and only through SQLite.
 *
 * @throws SqliteError for a file that is not a database
 */
export function diagnose(file: string, canWrite?: CanWrite): Diagnosis {
  const { sqlite, close } = openForDiagnosis(file, canWrite)
  try {
    const value = <T>(sql: string): T | undefined => sqlite.prepare<[], T>(sql).pluck().get()
    const has = (table: string): boolean =>
      sqlite.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(table) !== undefined
    const schema = schemaVersion(sqlite)
    const hasSpace = has('space')
    const space = hasSpace ? sqlite.prepare<[], SpaceRow>('SELECT name, timezone FROM space').get() : undefined
    const lines = sqlite.pragma('integrity_check') as { integrity_check: string }[]
    const files = has('file')
      ? sqlite.prepare<[], FileRow>('SELECT hash, min(name) AS name FROM file GROUP BY hash ORDER BY hash').all()
      : []
    return {
      application: Number(sqlite.pragma('application_id', { simple: true })),
      schema,
      schemaDifferences: schema === SCHEMA_VERSION ? schemaDifferences(sqlite) : [],
      integrity: lines.map((row) => row.integrity_check).filter((line) => line !== 'ok'),
      brokenReferences: brokenReferences(sqlite, undefined),
      wrongCounts: schema === SCHEMA_VERSION && has('location_count') ? (value<number>(COUNT_WRONG_COUNTS) ?? 0) : 0,
      unindexed:
        schema === SCHEMA_VERSION && has('unindexed_block')
          ? (value<number>('SELECT count(*) FROM unindexed_block') ?? 0)
          : 0,
      ...(space && { space }),
      documents: has('document') ? (value<number>('SELECT count(*) FROM document') ?? 0) : 0,
      blocks: has('block') ? (value<number>('SELECT count(*) FROM block') ?? 0) : 0,
      ...(schema === SCHEMA_VERSION && has('write_log') && { history: historySizeOf(sqlite) }),
      ...(schema === SCHEMA_VERSION && has('byte_count') && { bytes: storedBytesOf(sqlite) }),
      files,
    }
  } finally {
    close()
  }
}

function historySizeOf(sqlite: Database): HistorySize {
  const columns = 'coalesce(sum(change_bytes), 0) AS bytes, count(*) AS calls, min(at) AS oldest'
  return sqlite.prepare<[], HistorySize>(`SELECT ${columns} FROM write_log WHERE has_changes = 1`).get() as HistorySize
}

function storedBytesOf(sqlite: Database): NonNullable<Diagnosis['bytes']> {
  const select = sqlite.prepare<[], ByteCounts>(
    `SELECT documents, history, files FROM byte_count WHERE n = ${WHOLE_SPACE.n}`,
  )
  return { space: select.get() as ByteCounts, wrong: sqlite.prepare(WRONG_BYTE_COUNTS).all().length }
}

/** Side databases of a space, with their `application_id`: "ScrU" and "ScrS" in ASCII. */
export const SIDE_FILES = { '.usage': 0x53637255, '.sign-in': 0x53637253 } as const

/** The problem with a side database of a space, as a sentence ending. */
export function diagnoseSideFile(file: string, application: number, canWrite?: CanWrite): string | undefined {
  try {
    const { sqlite, close } = openForDiagnosis(file, canWrite)
    try {
      const actual = sqlite.pragma('application_id', { simple: true })
      const [first] = sqlite.pragma('integrity_check(1)') as { integrity_check: string }[]
      if (first?.integrity_check !== 'ok') return first?.integrity_check ?? 'it cannot be checked'
      // A process that was killed while creating the file leaves it empty.
      const isEmpty = sqlite.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
      return actual === application || (actual === 0 && isEmpty) ? undefined : 'it is the database of another program'
    } finally {
      close()
    }
  } catch (error) {
    return messageOf(error)
  }
}

/** Differences from a new space of the same version. */
function schemaDifferences(sqlite: Database): string[] {
  const reference = new Sqlite(':memory:')
  try {
    migrate(reference)
    const [expected, actual] = [schemaEntries(reference), schemaEntries(sqlite)]
    const missing = [...expected.keys()].filter((name) => !actual.has(name)).map((name) => `${name} is missing`)
    const extra = [...actual.keys()]
      .filter((name) => !expected.has(name))
      .map((name) => `${name} is not of Scriptorium`)
    const others = [...expected].filter(([name, sql]) => actual.has(name) && actual.get(name) !== sql)
    return [...missing, ...extra, ...others.map(([name]) => `${name} is another one`)].sort()
  } finally {
    reference.close()
  }
}

/** Schema entries by type and name. White space, comments and quotes around names are ignored. */
function schemaEntries(sqlite: Database): Map<string, string> {
  const rows = sqlite
    .prepare<[], { type: string; name: string; sql: string | null }>(
      `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name`,
    )
    .all()
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, normalizeSql(sql ?? '')]))
}

const normalizeSql = (sql: string): string =>
  sql
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
