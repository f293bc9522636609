/** Writes the file of a space anew, without what was deleted from it. */
import { statSync } from 'node:fs'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { isBusy, openWriter, UnusableFile } from './open-database.ts'
import { realPath } from './real-path.ts'

/** Milliseconds to wait for other processes that write, and at last for those that read. */
const BUSY_WAIT = 30_000

export interface CompactReport {
  /** Bytes of the file with its log. */
  before: number
  after: number
  /** Whether the log beside the file was folded into it: not while another process reads an older state. */
  isFolded: boolean
}

/**
 * Compact a space that other processes may have open. Nothing that was deleted stays in the file: what rows, pages and
 * the index of words still had of it is not copied along.
 *
 * @throws {UnusableFile} for what cannot be opened, and where the disk lacks room; CONFLICT while others write
 */
export async function compactSpace(path: string, keepsCopy = true): Promise<CompactReport> {
  const file = realPath(path)
  const before = sizeOf(file)
  const { sqlite } = await openWriter(file, { keepsCopy })
  try {
    sqlite.pragma(`busy_timeout = ${BUSY_WAIT}`)
    sqlite.pragma('secure_delete = ON')
    // In memory it would take as much of that as the space is large.
    sqlite.pragma('temp_store = FILE')
    // The index keeps words of rows that were deleted until its parts are merged.
    sqlite.exec("INSERT INTO search (search) VALUES ('optimize')")
    sqlite.exec('VACUUM')
    const [folded] = sqlite.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    return { before, after: sizeOf(file), isFolded: folded?.busy === 0 }
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
