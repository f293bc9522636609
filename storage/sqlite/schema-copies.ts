/**
 * Copies of a space's file as it was before its tables were made anew, kept beside it for a week:
 * `space.sqlite.before-schema-12`.
 *
 * SQLite makes them, through a connection of its own: to open and close the file of a space by other means would drop
 * the locks that SQLite holds on it in this process. The copies themselves are open nowhere.
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
import { openReadOnly } from './open-read-only.ts'
import { PRIVATE_FILE } from './private-files.ts'
import { UnusableFile } from './unusable-file.ts'

/** Milliseconds for which a copy is kept. */
const COPY_LIFETIME_MS = 7 * 24 * 3600 * 1000
export interface SchemaCopy {
  path: string
  /** Remove it: what it was made for was not done. */
  remove(): void
}

/**
 * See that there is room to make the tables of a space anew, and copy its file as it was before the transaction that
 * `sqlite` has begun, which must hold the lock for writing.
 *
 * @param version  the schema that the file is to have
 * @param keepsCopy  whether to copy at all
 * @throws {UnusableFile} where the disk lacks room
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
    // SQLite takes an empty file that is there, with its permissions.
    closeSync(openSync(unfinished, 'wx', PRIVATE_FILE))
    const reader = new Sqlite(file, { readonly: true })
    try {
      reader.prepare('VACUUM INTO ?').run(unfinished)
    } finally {
      reader.close()
    }
    flush(unfinished)
    renameSync(unfinished, path)
    flush(dirname(path))
    return { path, remove }
  } catch (error) {
    rmSync(unfinished, { force: true })
    remove()
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnusableFile(
      `Expected to keep a copy of ${file} before it is brought to schema ${version}, found that ${path} cannot be written (${reason}); nothing was changed, mend that or start with --no-copy.`,
    )
  }
}

/** A copy of the same name is of a file that was put back meanwhile. */
function unusedName(name: string): string {
  let path = name
  for (let number = 2; existsSync(path); number++) path = `${name}-${number}`
  return path
}

/** Tables that are made anew are written to the log and then to the file: each may grow by the size of the file. */
const SIZES_NEEDED = 2

function assertFreeSpace(sqlite: Database, file: string, version: number, keepsCopy: boolean): void {
  const size =
    Number(sqlite.pragma('page_count', { simple: true })) * Number(sqlite.pragma('page_size', { simple: true }))
  const needed = size * (keepsCopy ? SIZES_NEEDED + 1 : SIZES_NEEDED)
  const { bavail, bsize, blocks } = statfsSync(dirname(file))
  const free = bavail * bsize
  // Some file systems of networks say 0 of everything.
  if (blocks === 0 || free >= needed) return
  const advice = keepsCopy ? `free some, or start with --no-copy (${formatMebibytes(size)} less)` : 'free some'
  throw new UnusableFile(
    `Expected ${formatMebibytes(needed)} free beside ${file} to bring it to schema ${version}, found ${formatMebibytes(free)}; nothing was changed, ${advice}.`,
  )
}

const formatMebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

/** Until a file and its name are flushed, a power cut may leave neither. */
function flush(path: string): void {
  // Windows opens no folders, and needs not.
  if (process.platform === 'win32' && statSync(path).isDirectory()) return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Remove the copies of a space that were kept for a week, and what is left of copying that was cut short. What cannot
 * be removed stays for the next time.
 *
 * @returns the paths of what was removed
 */
export function removeOldCopies(file: string, now: number): string[] {
  const folder = dirname(file)
  const start = `${basename(file)}.before-schema-`
  const removed: string[] = []
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(start) || !/^\d+(-\d+)?(\.unfinished)?$/.test(name.slice(start.length))) continue
      const path = join(folder, name)
      if (now - statSync(path).mtimeMs < COPY_LIFETIME_MS) continue
      rmSync(path)
      removed.push(path)
    }
  } catch {
    return removed
  }
  return removed
}

/** A copy has no folder of its own for the bytes of its files: they stay in that of the space. */
const COPY_OF = /^(.+)\.before-schema-\d+(?:-\d+)?$/s

/**
 * The space beside which the bytes of a file's files lie: that file itself, or the one that it was copied from before a
 * migration.
 */
export function filesOwner(file: string): string {
  const [, space] = COPY_OF.exec(file) ?? []
  return space === undefined || existsSync(`${file}.files`) ? file : space
}

/**
 * The hashes of the files that the copies kept beside a space name. Their bytes must stay, although the space itself may
 * name them no longer: without them a copy could not be restored.
 *
 * @returns `unknown` where a copy cannot be read, so that it may name any
 */
export function hashesInCopies(file: string): ReadonlySet<string> | 'unknown' {
  const hashes = new Set<string>()
  try {
    const copies = readdirSync(dirname(file))
      .map((name) => join(dirname(file), name))
      .filter((path) => COPY_OF.exec(path)?.[1] === join(file))
    for (const copy of copies) for (const hash of hashesIn(copy)) hashes.add(hash)
  } catch {
    return 'unknown'
  }
  return hashes
}

function hashesIn(copy: string): string[] {
  const { sqlite, close } = openReadOnly(copy, { timeout: 0 })
  try {
    // Older schemas have no files.
    const hasFiles = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'file'").get()
    if (hasFiles === undefined) return []
    return sqlite.prepare<[], string>('SELECT DISTINCT hash FROM file').pluck().all()
  } finally {
    close()
  }
}
