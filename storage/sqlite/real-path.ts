/**
 * Where a file really is: a space that is reached through a symbolic link is the same as through its own path, and so is
 * all that lies beside it.
 */
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Links that are followed to where nothing is yet; more are taken for a circle. */
const LINKS = 40

/** The path without links; of a file or folders that are not there yet, what it will be. `:memory:` stays as it is. */
export function realPath(path: string): string {
  if (path === ':memory:') return path
  let found = resolve(path)
  for (let followed = 0; followed < LINKS; followed++) {
    if (existsSync(found)) return realpathSync(found)
    // SQLite would make the file that a link leads to.
    if (lstatSync(found, { throwIfNoEntry: false })?.isSymbolicLink() !== true) break
    found = resolve(dirname(found), readlinkSync(found))
  }
  const folder = dirname(found)
  return folder === found ? found : join(realPath(folder), basename(found))
}
