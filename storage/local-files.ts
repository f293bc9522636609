/** Files of this machine that a caller on it may bring in: below folders that were allowed, and nowhere else. */
import { createReadStream, type ReadStream } from 'node:fs'
import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import { ScriptoriumError } from '../src/errors.ts'

export interface LocalFile {
  name: string
  stream: ReadStream
}

/**
 * @param folders  that were allowed; links in them and in the path are followed before the two are compared
 * @param space  the space's own file. It is never opened: closing a descriptor of it would drop the locks that SQLite
 *   holds on it in this process.
 * @throws VALIDATION_ERROR, the same for a path outside and for one that leads nowhere
 */
export async function openLocal(path: string, folders: readonly string[], space: string): Promise<LocalFile> {
  const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))
  const found = await realpath(path).catch(() => undefined)
  const isInside = allowed.some((folder) => folder !== undefined && found?.startsWith(folder + sep))
  const isFile = found !== undefined && isInside && (await lstat(found)).isFile()
  if (!isFile || (await isOfSpace(found, space))) {
    const where = folders.length > 0 ? `below ${folders.join(' or ')}` : 'below a folder that --files allows'
    throw new ScriptoriumError('VALIDATION_ERROR', `Expected the path of a file ${where}, found ${path}; name another.`)
  }
  return { name: basename(found), stream: createReadStream(found) }
}

/** Whether a path is the space itself or what lies beside it, under whatever name. */
async function isOfSpace(path: string, space: string): Promise<boolean> {
  if (space === ':memory:') return false
  const own = await realpath(space).catch(() => space)
  if (path === own || path.startsWith(`${own}-`) || path.startsWith(`${own}.`)) return true
  const [one, other] = await Promise.all([stat(path), stat(own).catch(() => undefined)])
  return one.ino === other?.ino && one.dev === other.dev
}
