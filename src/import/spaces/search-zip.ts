/** Searches the entries of a zip archive that stays one file. */
import type { ZipFile } from 'yauzl'
import { SEARCHED_BYTES, SEARCHED_ENTRIES } from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { ImportFile } from '../../space/import/imported-content.ts'
import { openZipFile } from '../zip-file.ts'

/** The archive has too much in it. The message is a sentence for the report. */
export class ArchiveNotSearched extends Error {
  constructor() {
    super('It is an archive with too much in it to search it for spaces.')
  }
}

export interface SearchLimit {
  /** How many archives contain the file. */
  depth: number
  /** What may still be searched, in all archives of one file. */
  left: { entries: number; bytes: number }
}

export const searchLimit = (): SearchLimit => ({
  depth: 0,
  left: { entries: SEARCHED_ENTRIES, bytes: SEARCHED_BYTES },
})

/**
 * Reports whether an archive has an entry of a kind. A file that is no zip, and entries that are encrypted or damaged,
 * cannot be read by others either.
 *
 * @param isWanted  reads the beginning of an entry
 * @throws ArchiveNotSearched
 */
export async function zipHas(
  path: string,
  isWanted: (entry: Pick<ImportFile, 'path' | 'open'>, limit: SearchLimit) => Promise<boolean>,
  { depth, left }: SearchLimit,
): Promise<boolean> {
  let zip: ZipFile
  try {
    zip = await openZipFile(path)
  } catch {
    return false
  }
  try {
    for await (const entry of zip.eachEntry()) {
      if (--left.entries < 0) throw new ArchiveNotSearched()
      // The names that are looked for are ASCII.
      const name = (entry.fileName as unknown as Buffer).toString('latin1')
      async function* open() {
        yield* await zip.openReadStreamPromise(entry)
      }
      if (entry.canDecodeFileData() && (await isWanted({ path: name, open }, { depth: depth + 1, left }))) return true
      await yieldToEventLoop()
    }
    return false
  } catch (error) {
    if (error instanceof ArchiveNotSearched) throw error
    // The list of entries is damaged.
    return false
  } finally {
    zip.close()
  }
}
