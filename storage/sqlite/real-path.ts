/**
 * Resolves symbolic links, so that a space and its side files are the same through a link as through their own path.
 */
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Symbolic links to follow before assuming a cycle. */
const MAX_LINKS = 40

/**
 * The path without symbolic links. If the file or its folders do not exist yet, the path they will have. `:memory:` is
 * returned unchanged.
 */
export function realPath(path: string): string {
  if (path === ':memory:') return path
  let resolved = resolve(path)
  for (let followed = 0; followed < MAX_LINKS; followed++) {
    if (existsSync(resolved)) return realpathSync(resolved)
    // SQLite would create the target of a dangling link.
    if (lstatSync(resolved, { throwIfNoEntry: false })?.isSymbolicLink() !== true) break
    resolved = resolve(dirname(resolved), readlinkSync(resolved))
  }
  const folder = dirname(resolved)
  return folder === resolved ? resolved : join(realPath(folder), basename(resolved))
}
