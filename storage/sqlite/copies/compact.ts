/** Rewrites the file of a space without the data that was deleted from it. */
import { statSync } from 'node:fs'
import { ScriptoriumError } from '../../../src/base/errors.ts'
import { isBusy, openWriter, UnusableFile } from '../open-database.ts'
import { realPath } from '../real-path.ts'

/** Milliseconds to wait for writers in other processes, and at the end for readers. */
const BUSY_TIMEOUT_MS = 30_000

export interface CompactReport {
  /** Bytes of the file and its write-ahead log. */
  before: number
  after: number
  /**
   * True if the write-ahead log was checkpointed into the file. Not possible while another process reads an older
   * state.
   */
  isFolded: boolean
}

/**
 * Compacts a space that other processes may have open. No deleted data stays in the file: what rows, pages and the
 * full-text index still contained of it is not copied.
 *
 * @throws {UnusableFile} for a file that cannot be opened, and if the disk is full; CONFLICT while others write
 */
export async function compactSpace(path: string, keepsCopy = true): Promise<CompactReport> {
  const file = realPath(path)
  const before = sizeOf(file)
  const { sqlite } = await openWriter(file, { keepsCopy })
  try {
    sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    sqlite.pragma('secure_delete = ON')
    // In memory, this would need as much as the size of the space.
    sqlite.pragma('temp_store = FILE')
    // The index keeps words of deleted rows until its segments are merged.
    sqlite.exec("INSERT INTO search (search) VALUES ('optimize')")
    sqlite.exec('VACUUM')
    const [checkpoint] = sqlite.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    return { before, after: sizeOf(file), isFolded: checkpoint?.busy === 0 }
  } catch (error) {
    if (isBusy(error)) {
      throw new ScriptoriumError(
        'CONFLICT',
        `Expected to compact ${file} within 30 seconds, found that another program writes to it all that time; nothing was changed, try again.`,
      )
    }
    if ((error as NodeJS.ErrnoException).code === 'SQLITE_FULL') {
      throw new UnusableFile(
        `Expected room for a second copy of ${file}, beside it and in the folder for temporary files, found the disk full; nothing was changed, free some and try again.`,
      )
    }
    throw error
  } finally {
    sqlite.close()
  }
}

const sizeOf = (file: string): number =>
  ['', '-wal'].reduce((sum, side) => sum + (statSync(`${file}${side}`, { throwIfNoEntry: false })?.size ?? 0), 0)
