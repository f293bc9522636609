/** Reads and writes the configuration file of a host, without ever losing content. */
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { realPath } from '../../../storage/sqlite/real-path.ts'
import { invalid } from '../../base/errors.ts'
import { HOST_CONFIG_BYTES } from '../../base/limits.ts'

export interface ConfigFile {
  /** The path as given, which may be a symbolic link. */
  path: string
  /** The file itself with links resolved. It is replaced, so that links of dotfile managers are kept. */
  real: string
  /** The content; undefined if the file does not exist. */
  bytes: Buffer | undefined
  /** The content as text, without a byte order mark. */
  text: string
  stats: Stats | undefined
}

const BYTE_ORDER_MARK = '\uFEFF'
/** The mode of a new file, since hosts store keys of other servers in it. */
const PRIVATE_MODE = 0o600
const MODE_BITS = 0o7777
const ANY_WRITE = 0o222

/** @throws VALIDATION_ERROR for a path that is not a file, a file that is too large, and text that is not UTF-8 */
export function readConfigFile(path: string): ConfigFile {
  const [real, stats] = explained(path, 'read', () => {
    const real = realPath(path)
    return [real, statSync(real, { throwIfNoEntry: false })] as const
  })
  if (stats === undefined) return { path, real, bytes: undefined, text: '', stats }
  if (!stats.isFile())
    throw invalid(`Expected a file at ${path}, found something else; name another with --host-config.`)
  if (stats.size > HOST_CONFIG_BYTES) {
    throw invalid(
      `Expected ${path} to have at most ${HOST_CONFIG_BYTES} bytes, found ${stats.size}; change it by hand.`,
    )
  }
  const bytes = explained(path, 'read', () => readFileSync(real))
  return { path, real, bytes, text: decode(path, bytes).replace(BYTE_ORDER_MARK, ''), stats }
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalid(`Expected ${path} to be text in UTF-8, found another encoding; save it as UTF-8, then try again.`)
  }
}

/** The path of the copy with the old content. */
export const copyPath = ({ path }: ConfigFile): string => `${path}.before-scriptorium`

/** The content from before the first change, if a copy exists. */
export function readCopy(file: ConfigFile): ConfigFile | undefined {
  const copy = readConfigFile(copyPath(file))
  return copy.bytes === undefined ? undefined : copy
}

/**
 * Replaces the file atomically, with the same mode and owner. First saves the old content next to it.
 *
 * @returns the path of the old content; undefined if there was none
 * @throws VALIDATION_ERROR, with the file unchanged, if it is read-only or another program has changed it
 */
export function writeConfigFile(file: ConfigFile, text: string): string | undefined {
  const { path, real, bytes, stats } = file
  assertWritable(file)
  const mark = bytes !== undefined && decode(path, bytes).startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  return explained(path, 'write', () => {
    mkdirSync(dirname(real), { recursive: true })
    if (bytes !== undefined) replaceFile(copyPath(file), bytes, stats)
    assertUnchanged(file)
    replaceFile(real, Buffer.from(mark + text), stats)
    return bytes === undefined ? undefined : copyPath(file)
  })
}

/**
 * Restores the copy, or removes a file that did not exist before. Nothing is lost: the current content is the copy plus
 * one entry.
 */
export function restoreConfigFile(file: ConfigFile, copy: ConfigFile | undefined): void {
  assertWritable(file)
  explained(file.path, 'write', () => {
    assertUnchanged(file)
    if (copy?.bytes === undefined) return rmSync(file.real)
    replaceFile(file.real, copy.bytes, file.stats)
    rmSync(copy.path)
  })
}

/** Replacing a file needs no permission for the file itself, but a read-only file is meant to stay unchanged. */
function assertWritable({ path, stats }: ConfigFile): void {
  if (stats === undefined || (stats.mode & ANY_WRITE) !== 0) return
  throw invalid(
    `Expected ${path} to be writable, found it read-only; it was left unchanged. Make it writable, or change it where it comes from: --print shows the entry.`,
  )
}

function assertUnchanged({ path, real, bytes }: ConfigFile): void {
  const exists = lstatSync(real, { throwIfNoEntry: false }) !== undefined
  const isSame = bytes === undefined ? !exists : exists && readFileSync(real).equals(bytes)
  if (!isSame) throw invalid(`Expected ${path} as it was read, found that another program changed it; try again.`)
}

/** Writes a temporary file, and moves it over the old one once it is completely on disk. */
function replaceFile(path: string, bytes: Buffer, like: Stats | undefined): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.new`)
  rmSync(temporary, { force: true })
  const descriptor = openSync(temporary, 'wx', PRIVATE_MODE)
  try {
    try {
      writeFileSync(descriptor, bytes)
      if (like !== undefined) keepOwnership(descriptor, like)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function keepOwnership(descriptor: number, { uid, gid, mode }: Stats): void {
  // Only root can change the owner, and only root can read other users' files here.
  if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid)
  fchmodSync(descriptor, mode & MODE_BITS)
}

/** Turns errors of the system into a sentence about the file. */
function explained<T>(path: string, verb: 'read' | 'write', work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === undefined || syscall === undefined) throw error
    throw invalid(
      `Expected to ${verb} ${path}, found that the system refuses it (${code}); it was left unchanged. Look at the permissions of its folder, and at the room on its disk.`,
    )
  }
}
