/**
 * Detects local files that belong to this space or another: its database, usage and sign-in databases, the side files
 * that SQLite adds to each, the folder of its files, and the checksums of a backup.
 *
 * A descriptor of a database that this process has open must never be closed: that would drop the locks that SQLite
 * holds on the file in this process. So a path is checked before it is opened. If a file was swapped in between and was
 * opened after all, its descriptor stays open.
 */
import { type BigIntStats, fstatSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { constants, type FileHandle, open } from 'node:fs/promises'

/** Suffixes of a space's databases, without those that SQLite adds. */
const DATABASE_SUFFIXES = ['', '.usage', '.sign-in']
const SIDE_SUFFIXES = ['', '-wal', '-shm', '-journal']

/** `application_id` of the three databases: "Scri", "ScrU" and "ScrS" in ASCII. */
const APPLICATION_IDS: ReadonlySet<number> = new Set([0x53637269, 0x53637255, 0x53637253])
const MAGIC = 'SQLite format 3\0'
/** Bytes of a database header. The application ID is at offset 68. */
export const HEADER_SIZE = 100

/** Files known to be databases of a space, by device and inode. They stay open, see above. */
const databaseHandles = new Map<string, FileHandle>()

const fileKey = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`

/**
 * True if a path belongs to a space, by its name or by the file there. No file of the process's own space is opened.
 *
 * @param path  without symbolic links
 * @param space  the file of the process's own space, or `:memory:`
 */
export async function isPathOfSpace(path: string, space: string): Promise<boolean> {
  if (space !== ':memory:') {
    const own = realPathNow(space)
    if (path === own || path.startsWith(`${own}-`) || path.startsWith(`${own}.`)) return true
  }
  const stats = lstatNow(path)
  if (stats !== undefined && (databaseHandles.has(fileKey(stats)) || ownFiles(space).has(fileKey(stats)))) return true
  for (const database of possibleDatabases(path)) if (await isDatabaseAt(database, space)) return true
  return false
}

/**
 * True if an open file is a database of a space, whatever its name. If so, or if it belongs to the process's own space,
 * the caller must not close it: it is kept open here.
 */
export async function isFileOfSpace(file: FileHandle, space: string): Promise<boolean> {
  const key = fileKey(fstatSync(file.fd, { bigint: true }))
  const isOfSpace = databaseHandles.has(key) || ownFiles(space).has(key) || (await hasOurHeader(file))
  if (isOfSpace) keepOpen(key, file)
  return isOfSpace
}

/** References that keep handles from being closed by garbage collection. */
const openHandles: FileHandle[] = []

function keepOpen(key: string, file: FileHandle): void {
  openHandles.push(file)
  databaseHandles.set(key, file)
}

/** The files that the process's own space has on disk at this moment. */
function ownFiles(space: string): Set<string> {
  if (space === ':memory:') return new Set()
  const names = DATABASE_SUFFIXES.flatMap((database) => SIDE_SUFFIXES.map((side) => `${space}${database}${side}`))
  const all = names.map((name) => statNow(name))
  return new Set(all.flatMap((one) => (one === undefined ? [] : [fileKey(one)])))
}

// These calls are synchronous: each takes some microseconds, while handing it to a thread would take as long as reading
// a file.

function statNow(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function lstatNow(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function realPathNow(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

async function hasOurHeader(file: FileHandle): Promise<boolean> {
  const header = Buffer.alloc(HEADER_SIZE)
  const read = await file.read(header, 0, HEADER_SIZE, 0).catch(() => undefined)
  return isHeaderOfSpace(header.subarray(0, read?.bytesRead ?? 0))
}

/** True for the first bytes of a space, or of one of the databases beside it. */
export const isHeaderOfSpace = (header: Buffer): boolean =>
  header.length >= HEADER_SIZE &&
  header.toString('latin1', 0, MAGIC.length) === MAGIC &&
  APPLICATION_IDS.has(header.readUInt32BE(68))

/** Databases that a path may belong to by its name: `a` for `a.usage-wal`, `a.sha256` and `a.files/b`. */
export function possibleDatabases(path: string): string[] {
  const withoutSide = path.replace(/-(?:wal|shm|journal)$/, '')
  const withoutName = withoutSide.replace(/\.(?:usage|sign-in|sha256)$/, '')
  const folders = [...path.matchAll(/\.files(?=[/\\])/g)].map(({ index }) => path.slice(0, index))
  return [withoutSide, withoutName, ...folders].filter((database) => database !== path)
}

async function isDatabaseAt(path: string, space: string): Promise<boolean> {
  const stats = lstatNow(path)
  if (stats?.isFile() !== true) return false
  if (databaseHandles.has(fileKey(stats)) || ownFiles(space).has(fileKey(stats))) return true
  const file = await open(path, READ_ONLY).catch((error: NodeJS.ErrnoException) => {
    // Nothing is known about the file.
    if (error.code === 'EMFILE' || error.code === 'ENFILE') throw error
  })
  if (file === undefined) return false
  if (await isFileOfSpace(file, space)) return true
  await file.close()
  return false
}

/** Does not follow symbolic links, wait for the writer of a pipe, or take over a terminal. */
export const READ_ONLY =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)
