/**
 * Copies of a space's file from before a migration rebuilt its tables, kept next to it for a week:
 * `space.sqlite.before-schema-12`.
 *
 * SQLite creates them through a separate connection: opening and closing the file of a space in any other way would
 * drop the locks that SQLite holds on it in this process. The copies themselves are not open anywhere.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { formatBytes } from '../../src/base/byte-sizes.ts'
import { messageOf } from '../../src/base/errors.ts'
import { openReadOnly } from './open-read-only.ts'
import { PRIVATE_FILE } from './private-files.ts'
import { UnusableFile } from './unusable-file.ts'

/** Milliseconds for which a copy is kept. */
export const COPY_LIFETIME_MS = 7 * 24 * 3600 * 1000
export interface SchemaCopy {
  path: string
  /** Removes the copy, because the migration did not happen. */
  remove(): void
}

/**
 * Checks for enough disk space to rebuild the tables of a space, and copies its file as it was before the transaction
 * on `sqlite`, which must hold the write lock.
 *
 * @param version  target schema version
 * @param keepsCopy  false to only check the disk space
 * @throws {UnusableFile} if there is not enough disk space
 */
export function createSchemaCopy(
  sqlite: Database,
  file: string,
  version: number,
  keepsCopy: boolean,
): SchemaCopy | undefined {
  assertFreeSpace(sqlite, file, version, keepsCopy)
  if (!keepsCopy) return undefined
  const path = unusedName(`${file}.before-schema-${version}`)
  const unfinished = `${path}.unfinished`
  const remove = () => rmSync(path, { force: true })
  try {
    rmSync(unfinished, { force: true })
    // SQLite accepts an existing empty file and keeps its permissions.
    closeSync(openSync(unfinished, 'wx', PRIVATE_FILE))
    const reader = new Sqlite(file, { readonly: true })
    try {
      reader.prepare('VACUUM INTO ?').run(unfinished)
    } finally {
      reader.close()
    }
    syncPath(unfinished)
    renameSync(unfinished, path)
    syncPath(dirname(path))
    return { path, remove }
  } catch (error) {
    rmSync(unfinished, { force: true })
    remove()
    const reason = messageOf(error)
    throw new UnusableFile(
      `Expected to keep a copy of ${file} before it is migrated to schema ${version}, found that ${path} cannot be written (${reason}); nothing was changed, make it writable or start with --no-copy.`,
    )
  }
}

/** A copy with the same name belongs to a file that was put back in the meantime. */
function unusedName(name: string): string {
  let path = name
  for (let number = 2; existsSync(path); number++) path = `${name}-${number}`
  return path
}

/** Rebuilt tables are written to the log and then to the file, and each may grow by the size of the file. */
const GROWTH_FACTOR = 2

function assertFreeSpace(sqlite: Database, file: string, version: number, keepsCopy: boolean): void {
  const size =
    Number(sqlite.pragma('page_count', { simple: true })) * Number(sqlite.pragma('page_size', { simple: true }))
  const needed = size * (keepsCopy ? GROWTH_FACTOR + 1 : GROWTH_FACTOR)
  const { bavail, bsize, blocks } = statfsSync(dirname(file))
  const free = bavail * bsize
  // Some network file systems report 0 for everything.
  if (blocks === 0 || free >= needed) return
  const advice = keepsCopy ? `free some, or start with --no-copy (${formatBytes(size)} less)` : 'free some'
  throw new UnusableFile(
    `Expected ${formatBytes(needed)} free next to ${file} to migrate it to schema ${version}, found ${formatBytes(free)}; nothing was changed, ${advice}.`,
  )
}

/** Until a file and its directory entry are flushed, a power failure may lose both. */
function syncPath(path: string): void {
  // Windows cannot open folders, and does not need to.
  if (process.platform === 'win32' && statSync(path).isDirectory()) return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The copies of a space that were made up to a time, and leftovers of interrupted copies.
 *
 * @param before  milliseconds since 1970; without it, all copies
 * @returns their paths
 */
export function listCopies(file: string, before = Infinity): string[] {
  const folder = dirname(file)
  const start = `${basename(file)}.before-schema-`
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(start) && /^\d+(-\d+)?(\.unfinished)?$/.test(name.slice(start.length)))
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).mtimeMs <= before)
  } catch {
    return []
  }
}

/**
 * Removes the copies of {@link listCopies}. Those that cannot be removed stay until the next call.
 *
 * @returns the removed paths
 */
export function removeCopies(file: string, before?: number): string[] {
  return listCopies(file, before).filter((path) => {
    try {
      rmSync(path)
      return true
    } catch {
      return false
    }
  })
}

/** A copy has no folder for the bytes of its files: they stay in the folder of the space. */
const COPY_PATTERN = /^(.+)\.before-schema-\d+(?:-\d+)?$/s

/**
 * The space that has the bytes of a file's files next to it: that file itself, or the one it was copied from before a
 * migration.
 */
export function spaceOfFiles(file: string): string {
  const [, space] = COPY_PATTERN.exec(file) ?? []
  return space === undefined || existsSync(`${file}.files`) ? file : space
}

/**
 * The hashes of the files that the copies of a space refer to. Their bytes must stay even if the space no longer refers
 * to them: without them a copy could not be restored.
 *
 * @returns `unknown` if a copy cannot be read, since it may refer to any file
 */
export function referencedHashesInCopies(file: string): ReadonlySet<string> | 'unknown' {
  const hashes = new Set<string>()
  try {
    const copies = readdirSync(dirname(file))
      .map((name) => join(dirname(file), name))
      .filter((path) => COPY_PATTERN.exec(path)?.[1] === join(file))
    for (const copy of copies) for (const hash of referencedHashesIn(copy)) hashes.add(hash)
  } catch {
    return 'unknown'
  }
  return hashes
}

function referencedHashesIn(copy: string): string[] {
  const { sqlite, close } = openReadOnly(copy, { timeout: 0 })
  try {
    // Older schemas have no file table.
    const hasFiles = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'file'").get()
    if (hasFiles === undefined) return []
    return sqlite.prepare<[], string>('SELECT DISTINCT hash FROM file').pluck().all()
  } finally {
    close()
  }
}
