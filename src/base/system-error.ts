/** Sentences for errors of the system: which path is meant, what is wrong with it, and what to do. */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** By code: what was found, and what to do. */
const REASONS: ReadonlyMap<string, readonly [found: string, next: string]> = new Map(
  Object.entries({
    EACCES: ['that this user has no permission for it', 'change its permissions, or name another'],
    EPERM: ['that the system does not allow it', 'change its permissions, or name another'],
    EROFS: ['its disk read-only', 'make it writable, or name another'],
    ENOSPC: ['its disk full', 'free some room, and try again'],
    EDQUOT: ["this user's share of its disk used up", 'free some room, and try again'],
    ENOENT: ['none', 'check the path'],
    ENOTDIR: ['that a part of the path is a file', 'name a path of folders'],
    EISDIR: ['a folder', 'name a file'],
    ELOOP: ['that its symbolic links lead in a circle', 'correct them, or name another'],
    ENAMETOOLONG: ['that a name in it is too long for its disk', 'give it a shorter one'],
    EMFILE: ['too many open files', 'raise the limit of open files, and try again'],
    ENFILE: ['too many open files', 'raise the limit of open files, and try again'],
    EIO: ['that its disk fails', 'check the disk'],
  } as const),
)

/** Codes about the folder in which something was to be made. */
const OF_FOLDERS = new Set(['EACCES', 'EPERM', 'EROFS'])

/**
 * A sentence about an error of the system, or about one that caused another; undefined for other errors.
 *
 * @param access  throws for a path that this user may not use in a mode
 */
export function describeSystemError(
  error: unknown,
  access: (path: string, mode: number) => void = accessSync,
): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { syscall, path } = error as NodeJS.ErrnoException
  const code = codeOf(error, access)
  const reason = syscall === undefined ? undefined : REASONS.get(code)
  if (reason === undefined) return describeSystemError(error.cause, access)
  const [found, next] = reason
  if (path === undefined) return `Expected to ${syscall} a file, found ${found}; ${next}.`
  const meant = OF_FOLDERS.has(code) && MAKING.has(syscall ?? '') ? firstExisting(dirname(path)) : path
  return `Expected to use ${meant}, found ${found}; ${next}.`
}

/** System calls that may make something. */
const MAKING = new Set(['open', 'mkdir', 'rename', 'copyfile', 'mkdtemp'])

/** The code of an error. Node says of a folder on a read-only disk, made with those above it, that there is none. */
function codeOf(
  { code = '', syscall, path }: NodeJS.ErrnoException,
  access: (path: string, mode: number) => void,
): string {
  if (code !== 'ENOENT' || syscall !== 'mkdir' || path === undefined) return code
  try {
    access(firstExisting(dirname(path)), constants.W_OK)
    return code
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? code
  }
}

function firstExisting(folder: string): string {
  const parent = dirname(folder)
  return parent === folder || existsSync(folder) ? folder : firstExisting(parent)
}
