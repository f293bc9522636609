/**
 * Copies a space that may be in use: a snapshot of its database, and the bytes of its files, all verified.
 *
 * The database is read only through SQLite, since the last commits may be in the log next to it, and since opening and
 * closing the file in any other way would drop the locks that SQLite holds on it in this process. The copy is one file
 * without a log, so it can be stored on a read-only medium.
 */
import { rmSync } from 'node:fs'
import { copyFile, constants as FILE, mkdir, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { findDamage } from '../../bytes/checked-files.ts'
import { syncFolder } from '../../bytes/file-store.ts'
import { schemaVersion } from '../migrations.ts'
import { APPLICATION_ID, UnusableFile } from '../open-database.ts'
import { openReadOnly } from '../open-read-only.ts'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../private-files.ts'
import { realPath } from '../real-path.ts'
import { spaceOfFiles } from '../schema-copies.ts'
import { checksumsPath } from './checksums.ts'

export interface SpaceCopy {
  documents: number
  blocks: number
  /** Number of distinct files; their bytes are copied once. */
  files: number
  /** Bytes of the database and of all files. */
  size: number
  /** Names of files whose bytes are missing in the space, or differ from those that were added. */
  damagedFiles: string[]
}

/** Maximum number of attempts if files are deleted during the copy. */
const MAX_ATTEMPTS = 3
/** Milliseconds to wait for a lock. */
const BUSY_TIMEOUT_MS = 5_000

/**
 * Copies the space at `path`, or a schema copy of one, to `to` and `to.files`, which must not exist.
 *
 * @throws {UnusableFile} for a file that is not a space or is damaged; file system errors. The target may be incomplete
 * then: {@link removeSpace}
 */
export async function copySpace(path: string, to: string): Promise<SpaceCopy> {
  // Its files are next to the space, not next to a symbolic link to it.
  const from = realPath(path)
  for (let attempt = 1; ; attempt++) {
    const rows = await copyDatabase(from, to)
    const copied = verifyCopy(to, rows, from)
    const { damaged, size } = await copyFiles(copied, `${spaceOfFiles(from)}.files`, `${to}.files`)
    // Files deleted after the database was copied are not damaged, but the copy refers to them, so start again.
    if (damaged.length > 0 && attempt < MAX_ATTEMPTS && isAnyDeleted(from, damaged)) {
      removeSpace(to)
      continue
    }
    await syncFile(to)
    return {
      documents: rows.get('document') ?? 0,
      blocks: rows.get('block') ?? 0,
      files: copied.length - damaged.length,
      size: size + (await stat(to)).size,
      damagedFiles: damaged.map(({ name }) => name),
    }
  }
}

/** Removes a space or a backup that no process has open, with all its side files. */
export function removeSpace(file: string): void {
  for (const side of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${side}`, { force: true })
  rmSync(checksumsPath(file), { force: true })
  rmSync(`${file}.files`, { recursive: true, force: true })
}

type RowCounts = ReadonlyMap<string, number>

/** @returns the number of rows of each table in the copied snapshot */
async function copyDatabase(from: string, to: string): Promise<RowCounts> {
  const { sqlite: source, close } = openReadOnly(from, { timeout: BUSY_TIMEOUT_MS })
  try {
    const application = source.pragma('application_id', { simple: true })
    if (application !== APPLICATION_ID || schemaVersion(source) === 0) {
      throw new UnusableFile(`Expected a space, found another file in ${from}; name one that Scriptorium made.`)
    }
    // Before the snapshot: what was acknowledged before this file existed is in the copy.
    await (await open(to, 'wx', PRIVATE_FILE)).close()
    // One snapshot for everything: otherwise the copy would restart with every write of another process.
    source.exec('BEGIN')
    const rows = countRows(source)
    await source.backup(to)
    return rows
  } finally {
    close()
  }
}

function countRows(sqlite: Database): RowCounts {
  const tables = sqlite.prepare<[], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND (sql NOT LIKE 'CREATE VIRTUAL%') ORDER BY name",
  )
  const count = (table: string) =>
    sqlite
      .prepare<[], number>(`SELECT count(*) FROM "${table.replaceAll('"', '""')}"`)
      .pluck()
      .get() ?? 0
  return new Map(
    tables
      .pluck()
      .all()
      .map((table) => [table, count(table)]),
  )
}

interface FileToCopy {
  hash: string
  name: string
}

/**
 * Opens a copy of a database and compares it with its source.
 *
 * @returns the files that it refers to
 * @throws {UnusableFile} if it is damaged or differs from the source
 */
function verifyCopy(copy: string, expected: RowCounts, source: string): FileToCopy[] {
  const sqlite = new Sqlite(copy, { fileMustExist: true })
  try {
    // The copy has inherited WAL mode from its source.
    sqlite.pragma('journal_mode = DELETE')
    const integrity = sqlite.pragma('integrity_check', { simple: true })
    if (integrity !== 'ok') {
      throw new UnusableFile(
        `Expected a sound file, found that ${source} is damaged (${integrity}); run \`scriptorium doctor\`.`,
      )
    }
    for (const [table, rows] of countRows(sqlite)) {
      if (rows === expected.get(table)) continue
      throw new UnusableFile(
        `Expected ${expected.get(table) ?? 0} rows of ${table} in the copy of ${source}, found ${rows}; try again, and check the disk.`,
      )
    }
    return expected.has('file')
      ? sqlite.prepare<[], FileToCopy>('SELECT hash, min(name) AS name FROM file GROUP BY hash ORDER BY hash').all()
      : []
  } finally {
    sqlite.close()
  }
}

/** True if the space has deleted any of these files in the meantime. */
function isAnyDeleted(file: string, files: readonly FileToCopy[]): boolean {
  const { sqlite, close } = openReadOnly(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    const isReferenced = sqlite.prepare<[string], number>('SELECT EXISTS (SELECT 1 FROM file WHERE hash = ?)').pluck()
    return files.some(({ hash }) => isReferenced.get(hash) === 0)
  } finally {
    close()
  }
}

/** Copies the bytes of files from one store to another, and verifies the copies by reading them. */
async function copyFiles(
  files: readonly FileToCopy[],
  from: string,
  to: string,
): Promise<{ damaged: FileToCopy[]; size: number }> {
  const damaged: FileToCopy[] = []
  const folders = new Set<string>()
  let size = 0
  for (const file of files) {
    const path = join(file.hash.slice(0, 2), file.hash.slice(2))
    const copy = join(to, path)
    await mkdir(dirname(copy), { recursive: true, mode: PRIVATE_FOLDER })
    folders.add(dirname(copy)).add(to).add(dirname(to))
    if (await copyBytes(join(from, path), copy, file.hash)) size += (await stat(copy)).size
    else damaged.push(file)
  }
  for (const folder of folders) await syncFolder(folder)
  return { damaged, size }
}

/** @returns true if the bytes exist and have this SHA-256; any other copy is removed */
async function copyBytes(from: string, to: string, hash: string): Promise<boolean> {
  try {
    // If the file system supports it, both share their disk blocks.
    await copyFile(from, to, FILE.COPYFILE_FICLONE | FILE.COPYFILE_EXCL)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  if ((await findDamage(to, hash)) !== undefined) {
    rmSync(to)
    return false
  }
  await syncFile(to)
  return true
}

/** Restricts a file to its owner and flushes it to disk. Never for a database that is open in this process. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.chmod(PRIVATE_FILE)
    await file.sync()
  } finally {
    await file.close()
  }
}
