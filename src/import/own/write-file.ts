/** Writes files of an export. Each is written under another name first, so that no reader sees a part of it. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { invalid } from '../../base/errors.ts'
import { EXPORT_DATA, type FileState } from './export-manifest.ts'

/** The modes of new files and folders, before the umask. */
export interface Modes {
  file: number
  folder: number
}

/** A file that is written, but has no name of its own yet. */
export interface FilePart {
  state: FileState
  moveTo(path: string): Promise<void>
  discard(): Promise<void>
}

/** Names of parts of files. Other files never have such names. */
const PART = /\.[0-9a-f]{12}\.part$/
export const partName = (name: string): string => `${name}.${randomBytes(6).toString('hex')}.part`

/** Writes content below a folder, under a name that does not matter. */
export async function writePart(
  root: string,
  content: string | AsyncIterable<Uint8Array>,
  modes: Modes,
  modifiedAt?: number,
): Promise<FilePart> {
  await makeFolder(root, EXPORT_DATA, modes)
  const passing = join(root, EXPORT_DATA, partName('file'))
  const discard = () => rm(passing, { force: true })
  const file = await open(passing, 'wx', modes.file)
  const hash = createHash('sha256')
  let size = 0
  try {
    const chunks = typeof content === 'string' ? [Buffer.from(content)] : content
    for await (const chunk of chunks) {
      hash.update(chunk)
      size += chunk.byteLength
      await file.writeFile(chunk)
    }
    await file.close()
    if (modifiedAt !== undefined) await utimes(passing, modifiedAt / 1000, modifiedAt / 1000)
  } catch (error) {
    await file.close()
    await discard()
    throw error
  }
  const { mtimeMs } = await lstat(passing)
  const state = { hash: hash.digest('hex'), size, time: Math.round(mtimeMs) }
  return { state, moveTo: (path) => rename(passing, path), discard }
}

/** Milliseconds after which a part of a file is no longer being written. */
const ABANDONED_MS = 10 * 60_000

/**
 * Deletes parts of files that an interrupted export left in a folder.
 *
 * @param name  the name of the file that they are parts of; undefined for any
 */
export async function removeAbandonedParts(folder: string, name?: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const one of names.filter((found) => PART.test(found) && (name === undefined || found.startsWith(`${name}.`)))) {
    const stats = await lstat(join(folder, one)).catch(() => undefined)
    // Only the system sets this time.
    if (stats?.isFile() === true && Date.now() - stats.ctimeMs > ABANDONED_MS)
      await rm(join(folder, one), { force: true })
  }
}

/** Creates a folder below another. Symbolic links on the way are rejected, since they could lead elsewhere. */
export async function makeFolder(root: string, path: string, { folder: mode }: Modes): Promise<void> {
  await mkdir(root, { recursive: true, mode })
  const parts = path === '.' ? [] : path.split('/')
  for (let count = 1; count <= parts.length; count++) {
    const folder = join(root, ...parts.slice(0, count))
    const stats = await lstat(folder).catch(() => undefined)
    if (stats === undefined) await mkdir(folder, mode)
    else if (!stats.isDirectory()) {
      throw invalid(`Expected a folder at ${folder}, found something else; move it away, or export to another folder.`)
    }
  }
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
