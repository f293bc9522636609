/** Opens the space of a file, including the files and databases next to it. */
import { resolve } from 'node:path'
import { FileStore } from '../bytes/file-store.ts'
import { isWritableTime } from '../clock-fault.ts'
import { expiryTime } from '../expiry.ts'
import type { SpaceEngine } from '../space-engine.ts'
import type { Storage } from '../storage.ts'
import type { TextExtractor } from '../word-index.ts'
import type { OpenFileOptions } from './open-database.ts'
import { openStorage } from './open-storage.ts'
import { realPath } from './real-path.ts'
import { COPY_LIFETIME_MS, listCopies, removeCopies } from './schema-copies.ts'
import { openSignIns } from './sign-ins.ts'
import { moveCompanionFiles } from './symlink-companions.ts'
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
    if (file !== path) await moveCompanionFiles(resolve(path), file, options.report)
    await removeExpiredCopies(file, storage, options)
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

/** Removes copies from before a migration that are older than a week, if the clock can be trusted. */
async function removeExpiredCopies(
  file: string,
  storage: Storage,
  { clock = Date.now, report }: OpenFileOptions,
): Promise<void> {
  const now = clock()
  if (file === ':memory:' || !isWritableTime(now) || listCopies(file, now - COPY_LIFETIME_MS).length === 0) return
  const before = await storage.read((tx) => expiryTime(tx, now, COPY_LIFETIME_MS))
  for (const path of removeCopies(file, before))
    report?.(`Removed ${path}, which was kept for a week since the schema of the space changed.`)
}
