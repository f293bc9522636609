/**
 * Reads the files of a local folder. Only regular files below it are read. Symbolic links, devices, sockets and pipes
 * are skipped, so that nothing outside the folder is imported.
 */

import { isUtf8 } from 'node:buffer'
import type { Dirent } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, parse } from 'node:path'
import { openLocalFile } from '../../storage/bytes/local-files.ts'
import { invalid, messageOf } from '../base/errors.ts'
import { formatNumber } from '../base/format-number.ts'
import { IMPORT_DEPTH, IMPORT_FILES } from '../base/limits.ts'
import { readInChunks, yieldToEventLoop } from '../base/scheduling.ts'
import type { ImportProblem, ImportSource, SourceFile } from './import-source.ts'

/** Folders that contain no documents of a person. */
const IGNORED_FOLDERS: ReadonlySet<string> = new Set(['.git', '.trash', 'node_modules', '__MACOSX'])
const IGNORED_FILES: ReadonlySet<string> = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

/** How many files are inspected at the same time. */
const FILES_AT_ONCE = 64

/** True for names of files and folders that systems and programs leave behind. */
export const isIgnored = (name: string): boolean =>
  IGNORED_FOLDERS.has(name) || IGNORED_FILES.has(name) || name.startsWith('._')

/**
 * @param space  the file of the space, which is never imported, or `:memory:`
 * @throws VALIDATION_ERROR if the folder contains too many files; errors of the file system if it cannot be read
 */
export async function openFolder(path: string, space: string): Promise<ImportSource> {
  const root = await realpath(path)
  const found: string[] = []
  const problems: ImportProblem[] = []
  const waiting: { folder: string; depth: number }[] = [{ folder: '', depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { folder, depth } = next
    const leave = (path: string, message: string) => problems.push({ path, kind: 'left out', message })
    for (const entry of await entriesOf(join(root, folder), (message) => {
      if (folder === '') throw invalid(`Expected a folder that can be read, found ${path}: ${message}`)
      leave(folder, message)
    })) {
      const name = entry.name.toString()
      if (isIgnored(name)) continue
      const inner = folder === '' ? name : `${folder}/${name}`
      if (!isUtf8(entry.name)) leave(inner, NO_UTF8)
      else if (entry.isDirectory()) {
        if (depth + 1 > IMPORT_DEPTH) leave(inner, TOO_DEEP)
        else waiting.push({ folder: inner, depth: depth + 1 })
      } else if (entry.isFile()) found.push(inner)
      else leave(inner, NO_FILE)
      if (found.length > IMPORT_FILES) throw tooManyFiles(IMPORT_FILES)
      await yieldToEventLoop()
    }
  }
  found.sort((one, other) => (one < other ? -1 : 1))
  const files = await readInChunks(found, FILES_AT_ONCE, (part) =>
    Promise.all(part.map((inner) => describeFile(root, inner, space).catch((error: Error) => vanished(inner, error)))),
  )
  problems.push(...files.filter((file) => 'kind' in file))
  const present = files.filter((file) => 'open' in file)
  return { name: root, folder: root, title: basename(root), files: present, problems, close: async () => {} }
}

/** Names as bytes, since one that is not UTF-8 could not be opened by its decoded form. */
async function entriesOf(folder: string, leave: (message: string) => void): Promise<Dirent<Buffer>[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' })
    return entries.sort((one, other) => (one.name.toString() < other.name.toString() ? -1 : 1))
  } catch (error) {
    leave(`It is a folder that cannot be read: ${messageOf(error)}.`)
    return []
  }
}

const vanished = (path: string, error: Error): ImportProblem => ({
  ...{ path, kind: 'left out' },
  message:
    (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? 'It disappeared while the folder was read.'
      : `It cannot be read: ${messageOf(error)}.`,
})

/** Opens a single file as a source. */
export async function openSingleFile(path: string, space: string): Promise<ImportSource> {
  const whole = await realpath(path)
  if (!(await lstat(whole)).isFile()) {
    throw invalid(`Expected a folder or a file to import, found ${path}, which is neither.`)
  }
  const { base, name } = parse(whole)
  const file = await describeFile(dirname(whole), base, space)
  return { name: whole, title: name, files: [file], problems: [], close: async () => {} }
}

const NO_UTF8 = 'Its name is not valid UTF-8: rename it and import again.'
const TOO_DEEP = `It is more than ${IMPORT_DEPTH} folders deep.`
const NO_FILE = 'It is a symbolic link or a device, and no file of its own.'

export const tooManyFiles = (most: number) =>
  invalid(
    `Expected at most ${formatNumber(most)} files to import at once, found more; import folders of it one by one.`,
  )

async function describeFile(root: string, path: string, space: string): Promise<SourceFile> {
  const whole = join(root, path)
  const { size, mtimeMs, birthtimeMs } = await lstat(whole)
  const modifiedAt = Math.round(mtimeMs)
  // A copy of a file is newer than its content, and not every system records creation times.
  const createdAt = birthtimeMs > 0 ? Math.min(Math.round(birthtimeMs), modifiedAt) : modifiedAt
  const name = path.slice(path.lastIndexOf('/') + 1)
  return {
    path,
    name,
    size,
    createdAt,
    modifiedAt,
    stamp: `${size} ${modifiedAt}`,
    open: () => readBytes(whole, root, space),
  }
}

/**
 * The file may have been replaced since it was found. The replacement is only read if it is a file in the same folder.
 */
async function* readBytes(whole: string, root: string, space: string): AsyncGenerator<Uint8Array> {
  const { stream } = await openLocalFile(whole, [root], space)
  for await (const chunk of stream) yield chunk as Uint8Array
}
