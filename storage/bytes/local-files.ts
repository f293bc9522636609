/**
 * Files of this machine that a caller on it may bring in: below folders that were allowed, and nowhere else.
 *
 * Whoever can write to such a folder can exchange what is there at any moment. So a file is opened without following
 * links, and then what was opened is asked where it is and what it is.
 */
import type { ReadStream, Stats } from 'node:fs'
import { type FileHandle, lstat, open as openFile, readlink, realpath, stat } from 'node:fs/promises'
import { basename, resolve, sep } from 'node:path'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { isFileOfSpace, isPathOfSpace, READ_ONLY } from './space-files.ts'

export interface LocalFile {
  name: string
  stream: ReadStream
}

/**
 * Where allowed folders are at this moment. To be asked once, when they are allowed: whoever can exchange one for a link
 * would say otherwise what is allowed.
 */
export const realFolders = (folders: readonly string[]): Promise<string[]> =>
  Promise.all(folders.map((folder) => realpath(folder).catch(() => resolve(folder))))

/**
 * @param folders  that were allowed, as {@link realFolders} found them
 * @param space  the space's own file, or `:memory:`
 * @param open  opens a path; a test exchanges files before and after
 * @throws VALIDATION_ERROR, the same for a path outside and for one that leads nowhere, to no ordinary file, to another
 *   user's by a hard link, or to a file of a space
 */
export async function openLocal(
  path: string,
  folders: readonly string[],
  space: string,
  open: typeof openFile = openFile,
): Promise<LocalFile> {
  const found = await realpath(path).catch(() => undefined)
  const refused = refusal(path, folders)
  if (found === undefined || !isBelow(found, folders)) throw refused
  // Devices may do something as they are opened, and of a space nothing may be closed.
  if (!(await lstat(found).catch(() => undefined))?.isFile() || (await isPathOfSpace(found, space))) throw refused
  const file = await open(found, READ_ONLY | LINKS_NOWHERE).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EACCES' || error.code === 'EPERM' ? unreadable(path) : refused
  })
  const isOrdinary = isBringable(await file.stat())
  // It stays open then.
  if (await isFileOfSpace(file, space)) throw refused
  try {
    if (!isOrdinary) throw refused
    const place = await placeOf(file, found)
    if (place === undefined || !isBelow(place, folders) || (await isPathOfSpace(place, space))) throw refused
  } catch (error) {
    await file.close()
    throw error
  }
  return { name: basename(found), stream: file.createReadStream() }
}

/** Of macOS, which then follows links nowhere on the way: `O_NOFOLLOW` is about the last name alone. */
const LINKS_NOWHERE = process.platform === 'darwin' ? 0x2000_0000 : 0

/** A path below the root of the file system needs no second separator. */
const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(folder.endsWith(sep) ? folder : folder + sep))

/** An ordinary file, and no hard link that stands in an allowed folder for another user's file elsewhere. */
function isBringable(file: Stats): boolean {
  const isOwn = process.geteuid === undefined || file.uid === process.geteuid()
  return file.isFile() && (file.nlink === 1 || isOwn)
}

/**
 * Where an open file is, without links. Linux says so; elsewhere its path has to lead to this very file, without links
 * both before and after the look.
 */
async function placeOf(file: FileHandle, path: string): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const place = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined)
    if (place !== undefined) return place
  }
  const isReal = async () => (await realpath(path).catch(() => undefined)) === path
  const isBefore = await isReal()
  const [opened, there] = await Promise.all([file.stat({ bigint: true }), stat(path, { bigint: true }).catch(() => {})])
  const isSame = opened.ino === there?.ino && opened.dev === there.dev
  return isBefore && isSame && (await isReal()) ? path : undefined
}

/** Characters of a path that are said again. */
const SHOWN = 500

function refusal(path: string, folders: readonly string[]): ScriptoriumError {
  const where = folders.length > 0 ? `below ${folders.join(' or ')}` : 'below a folder that --files allows'
  return invalid(`Expected the path of a file ${where}, found ${path.slice(0, SHOWN)}; name another.`)
}

const unreadable = (path: string): ScriptoriumError =>
  invalid(`Expected a file that can be read, found ${path.slice(0, SHOWN)}; change its permissions, or name another.`)

const invalid = (message: string) => new ScriptoriumError('VALIDATION_ERROR', message)
