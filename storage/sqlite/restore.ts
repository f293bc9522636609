/**
 * Puts a backup in the place of a space that no process has open. What was there is kept beside it under another name,
 * and stays in its place until the backup is ready to take it: at every moment a whole space lies there.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { existsSync, linkSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile, link, mkdir, rename } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { makeFolder, syncFolder } from '../bytes/file-store.ts'
import { readSpaceIdentity, readSpaceIdentityOfFile } from './diagnose.ts'
import { APPLICATION_ID, isBusy, openWriter } from './open-database.ts'
import { PRIVATE_FOLDER } from './private-files.ts'
import { realPath } from './real-path.ts'
import { copySpace, removeSpace, type SpaceCopy } from './space-copy.ts'
import { UnusableFile } from './unusable-file.ts'

export interface RestoreOptions {
  /** Whether links and sign-ins stay as they were at the time of the backup, with those that were ended since. */
  keepsAccess: boolean
  /** Whether the backup may take the place of another space than its own. */
  replacesOther: boolean
  /** Milliseconds since 1970. */
  now: number
}

export interface RestoreReport extends SpaceCopy {
  /** Where the space is that was there; none where there was none. */
  previous?: string
}

/**
 * Restore the space at `path` from the backup `from`.
 *
 * @throws {UnusableFile} for a backup that is none or is damaged, for one of another space unless `replacesOther`, while a
 *   process has the space open, and where the file system refuses; the space is as it was then
 */
export async function restoreSpace(from: string, path: string, options: RestoreOptions): Promise<RestoreReport> {
  // A link is left as it is: what it leads to is replaced.
  const file = realPath(path)
  checkPaths(from, file)
  const prepared = `${file}.restoring`
  let lock: Database | undefined
  try {
    await makeFolder(dirname(resolve(file)))
    lock = lockSpace(file)
    if (lock !== undefined && !options.replacesOther) assertSameSpace(from, file, lock)
    removeSpace(prepared)
    const copy = await copySpace(from, prepared)
    await resetSpaceState(prepared, options)
    const previous = await swapFiles(prepared, file, lock, options)
    return { ...copy, ...(previous !== undefined && { previous }) }
  } catch (error) {
    if (error instanceof UnusableFile) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnusableFile(`Expected to restore ${file} from ${from}, found this: ${reason}; the space is as it was.`)
  } finally {
    lock?.close()
    removeSpace(prepared)
  }
}

function checkPaths(from: string, file: string): void {
  if (statSync(from, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new UnusableFile(`Expected the file of a backup, found none at ${from}; name the one that backup made.`)
  }
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isDirectory()) {
    throw new UnusableFile(`Expected the file of a space, found the folder ${file}; name a file in it with --space.`)
  }
  if (found !== undefined && realpathSync(from) === realpathSync(file)) {
    throw new UnusableFile(`Expected a backup to restore ${file} from, found that file itself; name another.`)
  }
}

/**
 * Take a space for this process alone, its log folded into the file.
 *
 * @returns the connection that holds it until it is closed; none where there is no file, or one that is too damaged
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
    // Each connection, of whichever process, holds a lock that keeps a file from leaving WAL.
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
 * A wrong path on either side would put one space in the place of another.
 *
 * @param lock  open on the file that is to be replaced; one that is too damaged to be opened may be of any space
 */
function assertSameSpace(from: string, file: string, lock: Database): void {
  const [backup, found] = [readSpaceIdentityOfFile(from), readSpaceIdentity(lock)]
  // What is no backup is refused when it is copied, with the reason.
  if (backup === undefined || found === undefined || backup.id === found.id) return
  const [nameOfFound, nameOfBackup] = [found, backup].map(({ id, name }) => `"${name}" (ID ${id})`)
  throw new UnusableFile(
    `Expected a backup of the space in ${file}, ${nameOfFound}, found that ${from} is of another space, ${nameOfBackup}; nothing was changed. Check both paths, or add --replace to put the backup there: the space that is there now is kept beside it.`,
  )
}

/** Revisions go on from here: more than any document had, and never the same number twice. */
const REVISIONS = [1_000_000_000, 4_000_000_000] as const

/**
 * Bring a copy to the present schema, and make it one that nothing from before is taken for: cursors and addresses of
 * files (by a new secret), revisions, and answers kept for retries. What let somebody in ends, since it may have been
 * ended after the backup was made.
 */
async function resetSpaceState(file: string, { keepsAccess, now }: RestoreOptions): Promise<void> {
  const { sqlite } = await openWriter(file, { keepsCopy: false })
  try {
    const change = sqlite.transaction(() => {
      sqlite.prepare('UPDATE space SET secret = ?').run(randomBytes(32).toString('hex'))
      sqlite.prepare('UPDATE document SET revision = revision + ?').run(randomInt(...REVISIONS))
      sqlite.exec('DELETE FROM kept_answer; DELETE FROM upload')
      if (!keepsAccess) {
        sqlite.prepare('UPDATE link SET revoked_at = ? WHERE revoked_at IS NULL').run(now)
        sqlite.exec('DELETE FROM sign_in; DELETE FROM identity; DELETE FROM password')
      }
      sqlite
        .prepare("INSERT INTO write_log (at, author, endpoint, ids) VALUES (?, 'scriptorium', 'restore', '[]')")
        .run(now)
    })
    change.immediate()
    // The log is folded into the file, and gone.
    sqlite.pragma('journal_mode = DELETE')
  } finally {
    sqlite.close()
  }
}

/** What SQLite keeps beside a database. */
const SIDES = ['-wal', '-shm', '-journal']

/**
 * Put what was prepared in the place of the space.
 *
 * @returns where the space that was there is now
 */
async function swapFiles(
  prepared: string,
  file: string,
  lock: Database | undefined,
  { keepsAccess, now }: RestoreOptions,
): Promise<string | undefined> {
  const previous = unusedName(`${file}.before-restore-${new Date(now).toISOString().slice(0, 10)}`)
  const wasThere = existsSync(file)
  /** What was renamed, to be undone. */
  const moved: [from: string, to: string][] = []
  const move = (from: string, to: string) => {
    if (!existsSync(from)) return
    renameSync(from, to)
    moved.push([from, to])
  }
  try {
    await linkFiles(`${file}.files`, `${previous}.files`)
    if (wasThere) linkOrMove(file, previous, move)
    // Of a sound file the lock has taken the log away.
    if (lock === undefined) for (const side of SIDES) move(`${file}${side}`, `${previous}${side}`)
    if (!keepsAccess) {
      for (const side of ['', ...SIDES]) move(`${file}.sign-in${side}`, `${previous}.sign-in${side}`)
    }
    await moveFiles(`${prepared}.files`, `${file}.files`)
    // Windows keeps what is open in its place.
    if (process.platform === 'win32') lock?.close()
    await rename(prepared, file)
  } catch (error) {
    for (const [from, to] of moved.reverse()) renameSync(to, from)
    removeSpace(previous)
    throw error
  }
  await syncFolder(dirname(resolve(file)))
  return wasThere ? previous : undefined
}

function unusedName(name: string): string {
  let path = name
  for (let number = 2; existsSync(path) || existsSync(`${path}.files`); number++) path = `${name}-${number}`
  return path
}

/** Give a file a second name, so that it stays in its place too; where the disk knows no links it is renamed. */
function linkOrMove(file: string, to: string, move: (from: string, to: string) => void): void {
  try {
    linkSync(file, to)
  } catch {
    move(file, to)
  }
}

/** The bytes of files never change, so that a second name is as good as a copy. */
async function linkFiles(from: string, to: string): Promise<void> {
  for (const path of filesIn(from)) {
    const copy = join(to, path)
    await mkdir(dirname(copy), { recursive: true, mode: PRIVATE_FOLDER })
    await link(join(from, path), copy).catch(() => copyFile(join(from, path), copy))
  }
}

async function moveFiles(from: string, to: string): Promise<void> {
  const folders = new Set<string>()
  for (const path of filesIn(from)) {
    const place = join(to, path)
    await mkdir(dirname(place), { recursive: true, mode: PRIVATE_FOLDER })
    await rename(join(from, path), place)
    folders.add(dirname(place)).add(to)
  }
  for (const folder of folders) await syncFolder(folder)
  rmSync(from, { recursive: true, force: true })
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}
