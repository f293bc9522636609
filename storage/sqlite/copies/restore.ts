/**
 * Replaces a space that no process has open by a backup. The old space is kept next to it under another name, and stays
 * in place until the backup is ready: at every moment there is a complete space at the path.
 */

import { randomBytes, randomInt } from 'node:crypto'
import { existsSync, linkSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile, link, mkdir, rename } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { messageOf } from '../../../src/base/errors.ts'
import { currentOrigin } from '../../../src/base/origin.ts'
import { describeSystemError } from '../../../src/base/system-error.ts'
import { createPrivateFolder, syncFolder } from '../../bytes/file-store.ts'
import { assertWritableTime } from '../../clock-fault.ts'
import { RESTORE_EARLIER_FIRST } from '../../earlier-schemas.ts'
import type { TextExtractor } from '../../word-index.ts'
import { readSpaceIdentity, readSpaceIdentityOfFile } from '../diagnosis/diagnose.ts'
import { schemaVersion } from '../migrations.ts'
import { APPLICATION_ID, assertKnownSchema, isBusy, openWriter } from '../open-database.ts'
import { openReadOnly } from '../open-read-only.ts'
import { openStorage } from '../open-storage.ts'
import { PRIVATE_FOLDER } from '../private-files.ts'
import { realPath } from '../real-path.ts'
import { UnusableFile } from '../unusable-file.ts'
import { checksumsPath, compareChecksum } from './checksums.ts'
import { copySpace, removeSpace, type SpaceCopy } from './space-copy.ts'

export interface RestoreOptions {
  /** True to keep access links and sign-ins as of the backup, including those that were revoked since. */
  keepsAccess: boolean
  /** True if the backup may replace a different space. */
  replacesOther: boolean
  /** Milliseconds since 1970. */
  now: number
  /** Loads the function that extracts a block's text for the index. */
  words(): Promise<TextExtractor>
}

export interface RestoreReport extends SpaceCopy {
  /** New path of the previous space, if there was one. */
  previous?: string
  /**
   * True if the database was equal to its checksum. False for a backup without checksums: SQLite's integrity check does
   * not notice a changed text.
   */
  isContentVerified: boolean
}

/**
 * Restores the space at `path` from the backup `from`.
 *
 * @throws {UnusableFile} for an invalid or damaged backup, for one of a schema that this program does not migrate, for
 * one of another space unless `replacesOther`, while a process has the space open, and for file system errors; the space is unchanged then
 * @throws CLOCK_WRONG if the time cannot be stored
 */
export async function restoreSpace(from: string, path: string, options: RestoreOptions): Promise<RestoreReport> {
  assertWritableTime(options.now)
  // A symbolic link stays; its target is replaced.
  const file = realPath(path)
  checkPaths(from, file)
  const prepared = `${file}.restoring`
  let lock: Database | undefined
  try {
    await createPrivateFolder(dirname(resolve(file)))
    lock = lockSpace(file)
    if (lock !== undefined && !options.replacesOther) assertSameSpace(from, file, lock)
    removeSpace(prepared)
    const isContentVerified = await verifyContent(realPath(from))
    assertKnownSchema(readSchema(from), from, RESTORE_EARLIER_FIRST)
    const copy = await copySpace(from, prepared)
    // Migrates it, and indexes what older versions did not: `doctor` finds nothing wrong before the first start.
    await (await openStorage(prepared, options.words, { keepsCopy: false })).close()
    await resetSpaceState(prepared, lock, from, options)
    const previous = await swapFiles(prepared, file, lock, options)
    return { ...copy, ...(previous !== undefined && { previous }), isContentVerified }
  } catch (error) {
    if (error instanceof UnusableFile) throw error
    const sentence = describeSystemError(error)
    throw new UnusableFile(
      sentence === undefined
        ? `Expected to restore ${file} from ${from}, found this: ${messageOf(error)}; the space is as it was.`
        : `${sentence} The space is as it was.`,
    )
  } finally {
    lock?.close()
    removeSpace(prepared)
  }
}

function checkPaths(from: string, file: string): void {
  if (statSync(from, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new UnusableFile(`Expected the file of a backup, found none at ${from}; name the one that backup made.`)
  }
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats?.isDirectory()) {
    throw new UnusableFile(`Expected the file of a space, found the folder ${file}; name a file in it with --space.`)
  }
  if (stats !== undefined && realpathSync(from) === realpathSync(file)) {
    throw new UnusableFile(`Expected a backup to restore ${file} from, found that file itself; name another.`)
  }
}

/**
 * Locks a space exclusively for this process and checkpoints its log.
 *
 * @returns the connection that holds the lock until it is closed; undefined if there is no file, or it is too damaged
 * to open
 */
function lockSpace(file: string): Database | undefined {
  if (!existsSync(file)) return undefined
  const sqlite = new Sqlite(file, { timeout: 0 })
  try {
    sqlite.pragma('locking_mode = EXCLUSIVE')
    const application = sqlite.pragma('application_id', { simple: true })
    if (application !== APPLICATION_ID && application !== 0) {
      throw new UnusableFile(
        `Expected a space, found the database of another program in ${file}; name another file with --space.`,
      )
    }
    // Every connection of any process holds a lock that prevents leaving WAL mode.
    sqlite.pragma('journal_mode = DELETE')
    sqlite.exec('BEGIN EXCLUSIVE')
    return sqlite
  } catch (error) {
    sqlite.close()
    if (isBusy(error)) {
      throw new UnusableFile(
        `Expected a space that no program has open, found ${file} in use; end the program that serves it, and try again.`,
      )
    }
    if (error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)) return undefined
    throw error
  }
}

/**
 * Guards against a wrong path on either side, which would replace one space by another.
 *
 * @param lock  open on the file to be replaced; a file that is too damaged to open is not checked, since it may be of
 * any space
 */
function assertSameSpace(from: string, file: string, lock: Database): void {
  const [backup, current] = [readSpaceIdentityOfFile(from), readSpaceIdentity(lock)]
  // An invalid backup is rejected later by the copy, with the reason.
  if (backup === undefined || current === undefined || backup.id === current.id) return
  const [nameOfCurrent, nameOfBackup] = [current, backup].map(({ id, name }) => `"${name}" (ID ${id})`)
  throw new UnusableFile(
    `Expected a backup of the space in ${file}, ${nameOfCurrent}, found that ${from} is of another space, ${nameOfBackup}; nothing was changed. Check both paths, or add --replace to put the backup there: the space that is there now is kept beside it.`,
  )
}

/**
 * Compares a backup with its checksum.
 *
 * @returns false if it has none
 * @throws {UnusableFile} if it differs
 */
async function verifyContent(backup: string): Promise<boolean> {
  const found = await compareChecksum(backup)
  if (found !== 'different') return found === 'equal'
  throw new UnusableFile(
    `Expected ${backup} as it was backed up, found that it differs from its SHA-256 in ${checksumsPath(backup)}: it was damaged or written to; nothing was changed. Restore another backup, or remove that file to restore this one without comparing its content.`,
  )
}

/** The schema of a backup; 0 for a file that is no space, which its copy rejects with the reason. */
function readSchema(backup: string): number {
  try {
    const { sqlite, close } = openReadOnly(realPath(backup), { timeout: BUSY_TIMEOUT_MS })
    try {
      // The version of another program's database means nothing; that it is no space is found later.
      const isSpace = sqlite.pragma('application_id', { simple: true }) === APPLICATION_ID
      return isSpace ? schemaVersion(sqlite) : 0
    } finally {
      close()
    }
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return 0
    throw error
  }
}

/** Milliseconds to wait for a lock. */
const BUSY_TIMEOUT_MS = 5000

/** Range of a random offset for revisions: more than any document had, and different for each restore. */
const REVISION_OFFSETS = [1_000_000_000, 4_000_000_000] as const

/**
 * Invalidates what depends on the state of the space: cursors, sessions of the pages and IDs of messages (by a new
 * secret), revisions, and responses stored for retries. Access credentials are revoked too, since they may have been
 * revoked after the backup. IDs and addresses of files stay valid: the copy keeps its address keys, and adopts those of
 * the space that it replaces.
 *
 * @param replaced  open on the file of that space, if there is one that can be read
 * @param from  the backup, for the log
 */
async function resetSpaceState(
  file: string,
  replaced: Database | undefined,
  from: string,
  { keepsAccess, now }: RestoreOptions,
): Promise<void> {
  const { sqlite } = await openWriter(file, { keepsCopy: false })
  try {
    const change = sqlite.transaction(() => {
      if (replaced !== undefined) adoptAddressKeys(sqlite, replaced)
      sqlite.prepare('UPDATE space SET secret = ?').run(randomBytes(32).toString('hex'))
      sqlite.prepare('UPDATE document SET revision = revision + ?').run(randomInt(...REVISION_OFFSETS))
      sqlite.exec('DELETE FROM kept_answer; DELETE FROM upload')
      endLeases(sqlite, replaced, now)
      if (!keepsAccess) {
        sqlite.prepare('UPDATE link SET revoked_at = ? WHERE revoked_at IS NULL').run(now)
        sqlite.exec('DELETE FROM sign_in; DELETE FROM identity; DELETE FROM password')
      }
      sqlite
        .prepare(
          `INSERT INTO write_log (at, author, endpoint, ids, origin, detail, hash)
           VALUES (?, 'scriptorium', 'restore', '[]', ?, ?, '')`,
        )
        .run(now, currentOrigin() ?? null, JSON.stringify({ from: basename(from) }))
    })
    change.immediate()
    // This checkpoints the log and removes it.
    sqlite.pragma('journal_mode = DELETE')
  } finally {
    sqlite.close()
  }
}

/**
 * Ends the leases of the backup, and raises the counter above every fence that was given out: those of the space that is
 * replaced, and those of a space that is gone, since a fence is at least the time of day when it was given.
 */
function endLeases(sqlite: Database, replaced: Database | undefined, now: number): void {
  const fence = Math.max(now, replaced === undefined ? 0 : lastFence(replaced))
  sqlite.exec('UPDATE lease SET ends_at = 0')
  sqlite
    .prepare(
      `INSERT INTO lease_clock (one, at, steady, fence) VALUES (1, @now, 0, @fence)
       ON CONFLICT (one) DO UPDATE SET fence = max(fence, excluded.fence)`,
    )
    .run({ now, fence })
}

/** The last fence that a space gave out. 0 for a space from before there were fences, or one that cannot be read. */
function lastFence(sqlite: Database): number {
  try {
    return Number(sqlite.prepare<[], number>('SELECT fence FROM lease_clock').pluck().get() ?? 0)
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return 0
    throw error
  }
}

/**
 * Clients also keep what they got from the replaced space. Its address keys differ if an earlier version of this program
 * restored it. Its current key stays current, since most of what clients keep is made with that.
 */
function adoptAddressKeys(sqlite: Database, replaced: Database): void {
  if (readSpaceIdentity(sqlite)?.id !== readSpaceIdentity(replaced)?.id) return
  const keys = readAddressKeys(replaced)
  if (keys.some(({ isCurrent }) => isCurrent === 1)) sqlite.exec('UPDATE address_key SET is_current = 0')
  const add = sqlite.prepare<AddressKey>(
    `INSERT INTO address_key (id_prefix, file_key, is_current) VALUES ($idPrefix, $fileKey, $isCurrent)
     ON CONFLICT (id_prefix) DO UPDATE SET is_current = excluded.is_current`,
  )
  for (const key of keys) add.run(key)
}

interface AddressKey {
  idPrefix: string
  fileKey: string
  isCurrent: number
}

function readAddressKeys(sqlite: Database): AddressKey[] {
  try {
    return hasTable(sqlite, 'address_key') ? sqlite.prepare<[], AddressKey>(SELECT_KEYS).all() : []
  } catch (error) {
    // A space may be replaced because it is damaged.
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_CORRUPT')) return []
    throw error
  }
}

const SELECT_KEYS =
  'SELECT id_prefix AS idPrefix, file_key AS fileKey, is_current AS isCurrent FROM address_key ORDER BY id_prefix'

const hasTable = (sqlite: Database, name: string): boolean =>
  sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined

/** Suffixes of SQLite's side files. */
const SIDE_SUFFIXES = ['-wal', '-shm', '-journal']

/**
 * Swaps the prepared files with the space.
 *
 * @returns the new path of the previous space
 */
async function swapFiles(
  prepared: string,
  file: string,
  lock: Database | undefined,
  { keepsAccess, now }: RestoreOptions,
): Promise<string | undefined> {
  const previous = unusedName(`${file}.before-restore-${new Date(now).toISOString().slice(0, 10)}`)
  const existed = existsSync(file)
  /** Completed renames, for rollback. */
  const moved: [from: string, to: string][] = []
  const move = (from: string, to: string) => {
    if (!existsSync(from)) return
    renameSync(from, to)
    moved.push([from, to])
  }
  try {
    await linkFiles(`${file}.files`, `${previous}.files`)
    if (existed) linkOrMove(file, previous, move)
    // For a sound file, taking the lock has removed the log.
    if (lock === undefined) for (const side of SIDE_SUFFIXES) move(`${file}${side}`, `${previous}${side}`)
    if (!keepsAccess) {
      for (const side of ['', ...SIDE_SUFFIXES]) move(`${file}.sign-in${side}`, `${previous}.sign-in${side}`)
    }
    await moveFiles(`${prepared}.files`, `${file}.files`)
    // Windows cannot replace an open file.
    if (process.platform === 'win32') lock?.close()
    await rename(prepared, file)
  } catch (error) {
    for (const [from, to] of moved.reverse()) renameSync(to, from)
    removeSpace(previous)
    throw error
  }
  await syncFolder(dirname(resolve(file)))
  return existed ? previous : undefined
}

function unusedName(name: string): string {
  let path = name
  for (let number = 2; existsSync(path) || existsSync(`${path}.files`); number++) path = `${name}-${number}`
  return path
}

/**
 * Gives a file a second name by a hard link, so that it also stays in place. On disks without hard links it is renamed.
 */
function linkOrMove(file: string, to: string, move: (from: string, to: string) => void): void {
  try {
    linkSync(file, to)
  } catch {
    move(file, to)
  }
}

/** Stored bytes never change, so a hard link is as good as a copy. */
async function linkFiles(from: string, to: string): Promise<void> {
  for (const path of listFiles(from)) {
    const copy = join(to, path)
    await mkdir(dirname(copy), { recursive: true, mode: PRIVATE_FOLDER })
    await link(join(from, path), copy).catch(() => copyFile(join(from, path), copy))
  }
}

async function moveFiles(from: string, to: string): Promise<void> {
  const folders = new Set<string>()
  for (const path of listFiles(from)) {
    const place = join(to, path)
    await mkdir(dirname(place), { recursive: true, mode: PRIVATE_FOLDER })
    await rename(join(from, path), place)
    folders.add(dirname(place)).add(to)
  }
  for (const folder of folders) await syncFolder(folder)
  rmSync(from, { recursive: true, force: true })
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}
