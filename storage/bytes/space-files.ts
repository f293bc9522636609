/**
 * Which files of this machine belong to a space, this one or another: its database, its ledger, its sign-ins, what
 * SQLite keeps beside each of them, and the folder of its files.
 *
 * A descriptor of a database that this process has open is never closed: that would drop the locks that SQLite holds on
 * the file in this process. So what may be one is looked at before it is opened, and what was opened all the same, since
 * it was exchanged in between, stays open.
 */
import type { BigIntStats } from 'node:fs'
import { constants, type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises'

/** Names that lie beside a space's own, without what SQLite adds to them. */
const DATABASES = ['', '.usage', '.sign-in']
const SIDES = ['', '-wal', '-shm', '-journal']

/** `application_id` of the three: "Scri", "ScrU" and "ScrS" in ASCII. */
const APPLICATION_IDS: ReadonlySet<number> = new Set([0x53637269, 0x53637255, 0x53637253])
const MAGIC = 'SQLite format 3\0'
/** The header of a database ends with its first 100 bytes; the application's ID stands at 68. */
const HEADER = 100

/** Files that were found to be databases of ours, by device and number: they stay open, see above. */
const found = new Map<string, FileHandle>()

const keyOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`

/**
 * Whether a path is of a space, by its name or by what lies there. Nothing of the process's own space is opened.
 *
 * @param path  without links
 * @param space  the file of the process's own space, or `:memory:`
 */
export async function isPathOfSpace(path: string, space: string): Promise<boolean> {
  if (space !== ':memory:') {
    const own = await realpath(space).catch(() => space)
    if (path === own || path.startsWith(`${own}-`) || path.startsWith(`${own}.`)) return true
  }
  const there = await lstat(path, { bigint: true }).catch(() => undefined)
  if (there !== undefined && (found.has(keyOf(there)) || (await ownFiles(space)).has(keyOf(there)))) return true
  for (const database of databasesBeside(path)) if (await isDatabaseAt(database, space)) return true
  return false
}

/**
 * Whether an open file is a database of a space, whatever its name is. If so, or if it belongs to the process's own
 * space, it must not be closed by the caller: it is kept open here.
 */
export async function isFileOfSpace(file: FileHandle, space: string): Promise<boolean> {
  const key = keyOf(await file.stat({ bigint: true }))
  const isOfSpace = found.has(key) || (await ownFiles(space)).has(key) || (await hasOurHeader(file))
  if (isOfSpace) keepOpen(key, file)
  return isOfSpace
}

/** Handles are closed when they are collected as garbage, unless something holds them. */
const keptOpen: FileHandle[] = []

function keepOpen(key: string, file: FileHandle): void {
  keptOpen.push(file)
  found.set(key, file)
}

/** What the process's own space has on the disk at this moment. */
async function ownFiles(space: string): Promise<Set<string>> {
  if (space === ':memory:') return new Set()
  const names = DATABASES.flatMap((database) => SIDES.map((side) => `${space}${database}${side}`))
  const all = await Promise.all(names.map((name) => stat(name, { bigint: true }).catch(() => undefined)))
  return new Set(all.flatMap((one) => (one === undefined ? [] : [keyOf(one)])))
}

async function hasOurHeader(file: FileHandle): Promise<boolean> {
  const header = Buffer.alloc(HEADER)
  const read = await file.read(header, 0, HEADER, 0).catch(() => undefined)
  return (
    read?.bytesRead === HEADER &&
    header.toString('latin1', 0, MAGIC.length) === MAGIC &&
    APPLICATION_IDS.has(header.readUInt32BE(68))
  )
}

/** The spaces that a path may lie beside, or in the folder of, by its name: `a` for `a.usage-wal` and `a.files/b`. */
function databasesBeside(path: string): string[] {
  const withoutSide = path.replace(/-(?:wal|shm|journal)$/, '')
  const withoutName = withoutSide.replace(/\.(?:usage|sign-in)$/, '')
  const folders = [...path.matchAll(/\.files(?=[/\\])/g)].map(({ index }) => path.slice(0, index))
  return [withoutSide, withoutName, ...folders].filter((database) => database !== path)
}

async function isDatabaseAt(path: string, space: string): Promise<boolean> {
  const there = await lstat(path, { bigint: true }).catch(() => undefined)
  if (there?.isFile() !== true) return false
  if (found.has(keyOf(there)) || (await ownFiles(space)).has(keyOf(there))) return true
  const file = await open(path, READ_ONLY).catch(() => undefined)
  if (file === undefined) return false
  if (await isFileOfSpace(file, space)) return true
  await file.close()
  return false
}

/** Without links, without waiting for whoever writes to a pipe, and without taking over a terminal. */
export const READ_ONLY =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)
