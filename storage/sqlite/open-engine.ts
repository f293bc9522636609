/** Opens the space of a file, including the files and databases next to it. */
import { resolve } from 'node:path'
import { FileStore } from '../bytes/file-store.ts'
import type { SpaceEngine } from '../space-engine.ts'
import type { TextExtractor } from '../word-index.ts'
import { moveFromBesideSymlink } from './beside-symlink.ts'
import type { OpenFileOptions } from './open-database.ts'
import { openStorage } from './open-storage.ts'
import { realPath } from './real-path.ts'
import { openSignIns } from './sign-ins.ts'
import { openUsage } from './usage.ts'

/** @param path  path of the file, which may contain symbolic links, or `:memory:` */
export async function openEngine(
  path: string,
  words: () => Promise<TextExtractor>,
  options: OpenFileOptions,
): Promise<SpaceEngine> {
  const file = realPath(path)
  const storage = await openStorage(file, words, options)
  const beside = (ending: string): string => (file === ':memory:' ? file : `${file}.${ending}`)
  try {
    if (file !== path) await moveFromBesideSymlink(resolve(path), file, options.report)
    const files = new FileStore(file)
    await files.closeToOthers()
    return {
      storage,
      files,
      openUsage: (report) => openUsage(beside('usage'), report),
      openSignIns: () => openSignIns(beside('sign-in')),
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}
