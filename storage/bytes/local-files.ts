/**
 * Opens local files that a caller on this machine may add: below allowed folders, and nowhere else.
 *
 * Anyone who can write to such a folder can replace its files at any moment. So a file is opened without following
 * symbolic links, and then the open descriptor is checked for its location and type.
 */
import { fstatSync, type ReadStream, readlinkSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, open as openFile, realpath, stat } from 'node:fs/promises'
import { basename, resolve, sep } from 'node:path'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { isFileOfSpace, isPathOfSpace, READ_ONLY } from './space-files.ts'

export interface LocalFile {
  name: string
  stream: ReadStream
}

/** A file of this space or of another one. Its message does not say so, since callers may be agents. */
export class FileOfSpace extends ScriptoriumError {}

/**
 * Resolves the allowed folders to their real paths. Call it once, when they are allowed: anyone who can later replace
 * one with a symbolic link would otherwise change what is allowed.
 */
export const realFolderPaths = (folders: readonly string[]): Promise<string[]> =>
  Promise.all(folders.map((folder) => realpath(folder).catch(() => resolve(folder))))

/**
 * @param folders  the allowed folders, resolved by {@link realFolderPaths}
 * @param space  the space's own file, or `:memory:`
 * @param open  opens a path; replaceable so that a test can swap files before and after
 * @throws VALIDATION_ERROR, with the same message for a path outside, a path that does not exist, anything but an
 * ordinary file, a hard link to another user's file, and a file of a space
 */
export async function openLocalFile(
  path: string,
  folders: readonly string[],
  space: string,
  open: typeof openFile = openFile,
): Promise<LocalFile> {
  const real = await realpath(path).catch(() => undefined)
  const rejection = outsideFolders(path, folders)
  const ofSpace = new FileOfSpace(rejection.code, rejection.message)
  if (real === undefined || !isBelow(real, folders)) throw rejection
  // Opening a device may have side effects, and no file of a space may be closed.
  if (!(await lstat(real).catch(() => undefined))?.isFile()) throw rejection
  if (await isPathOfSpace(real, space)) throw ofSpace
  const file = await open(real, READ_ONLY | NO_FOLLOW_ANY).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EACCES' || error.code === 'EPERM' ? unreadable(path) : rejection
  })
  const isOrdinary = isAllowedFile(fstatSync(file.fd))
  // A file of a space is not closed.
  if (await isFileOfSpace(file, space)) throw ofSpace
  try {
    if (!isOrdinary) throw rejection
    const place = await openFilePath(file, real)
    if (place === undefined || !isBelow(place, folders)) throw rejection
    if (await isPathOfSpace(place, space)) throw ofSpace
  } catch (error) {
    await file.close()
    throw error
  }
  return { name: basename(real), stream: file.createReadStream() }
}

/** macOS's O_NOFOLLOW_ANY rejects symbolic links anywhere in the path; `O_NOFOLLOW` checks only the last component. */
const NO_FOLLOW_ANY = process.platform === 'darwin' ? 0x2000_0000 : 0

/** A folder that is the root of the file system already ends with a separator. */
const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(folder.endsWith(sep) ? folder : folder + sep))

/** True for an ordinary file that is not a hard link to another user's file elsewhere. */
function isAllowedFile(file: Stats): boolean {
  const isOwn = process.geteuid === undefined || file.uid === process.geteuid()
  return file.isFile() && (file.nlink === 1 || isOwn)
}

/**
 * The real path of an open file. Linux reports it. Elsewhere the path must lead to this very file, and must contain no
 * symbolic links before and after the check.
 */
async function openFilePath(file: FileHandle, path: string): Promise<string | undefined> {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/self/fd/${file.fd}`)
    } catch {
      // There is no /proc, so check as on other systems.
    }
  }
  const isReal = async () => (await realpath(path).catch(() => undefined)) === path
  const isBefore = await isReal()
  const [opened, current] = await Promise.all([
    file.stat({ bigint: true }),
    stat(path, { bigint: true }).catch(() => {}),
  ])
  const isSame = opened.ino === current?.ino && opened.dev === current.dev
  return isBefore && isSame && (await isReal()) ? path : undefined
}

/** Maximum number of characters of a path that an error repeats. */
const MAX_SHOWN_LENGTH = 500

function outsideFolders(path: string, folders: readonly string[]): ScriptoriumError {
  const where = folders.length > 0 ? `below ${folders.join(' or ')}` : 'below a folder that --files allows'
  return invalid(`Expected the path of a file ${where}, found ${path.slice(0, MAX_SHOWN_LENGTH)}; name another.`)
}

const unreadable = (path: string): ScriptoriumError =>
  invalid(
    `Expected a file that can be read, found ${path.slice(0, MAX_SHOWN_LENGTH)}; change its permissions, or name another.`,
  )

const invalid = (message: string) => new ScriptoriumError('VALIDATION_ERROR', message)
