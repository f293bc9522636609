/**
 * Checks that the files a space was opened from are still at its path. A deleted or replaced file stays readable and
 * writable for processes that have it open, and everything written to it then is lost when it is closed.
 *
 * Files are checked with `stat` and never opened: closing another descriptor would drop the locks that SQLite holds.
 */
import { rmSync, statSync } from 'node:fs'
import { ScriptoriumError } from '../../src/base/errors.ts'
import type { Connection } from './connection.ts'
import { isBusy } from './open-database.ts'

/** Files that exist as long as the space is open. None of the three may be replaced in that time. */
const DATABASE_SUFFIXES = ['', '-wal', '-shm'] as const

/** Bytes of a write-ahead log before its first frame, and of each frame before its page. */
const LOG_HEADER_SIZE = 32
const FRAME_HEADER_SIZE = 24

/** The effect of the call in which the problem was detected. */
export type CallEffect = 'nothing was read' | 'nothing was written' | 'what this call wrote may be lost'

export class FilePresence {
  readonly #file: string
  readonly #writer: Connection
  readonly #openedFiles: readonly (string | undefined)[]
  readonly #pageSize: number
  #isLogCheckpointed = false
  #isCheckedThisTick = false

  /** @param writer  a connection that has already read from the file, so that its log exists */
  constructor(file: string, writer: Connection) {
    this.#file = file
    this.#writer = writer
    this.#openedFiles = this.#currentFiles()
    this.#pageSize = Number(writer.sqlite.pragma('page_size', { simple: true }))
  }

  /** The difference from the time the space was opened; undefined if there is none. */
  get problem(): PresenceProblem | undefined {
    const [file, ...sides] = this.#currentFiles()
    const [openedFile, ...openedSides] = this.#openedFiles
    if (file === undefined) return MOVED
    if (file !== openedFile) return REPLACED
    return sides.every((side, index) => side === openedSides[index]) ? undefined : LOG_REMOVED
  }

  /** @throws SPACE_REPLACED */
  check(effect: CallEffect): void {
    const { problem } = this
    if (problem !== undefined) throw fileReplaced(problem, effect)
  }

  /**
   * Like {@link check}, for calls that only read: once per turn of the event loop, however many calls read in it. Calls
   * that arrive during a turn were sent before it ended, and a read loses nothing.
   *
   * @throws SPACE_REPLACED
   */
  checkOncePerTick(effect: CallEffect): void {
    if (this.#isCheckedThisTick) return
    this.check(effect)
    this.#isCheckedThisTick = true
    setImmediate(() => {
      this.#isCheckedThisTick = false
    })
  }

  /**
   * Checks that the write-ahead log is as long as SQLite's index of it says. Must not be called within a transaction of
   * the writer.
   *
   * @throws SPACE_REPLACED
   */
  checkLog(effect: CallEffect): void {
    const frames = this.#frameCount()
    if (frames === undefined || frames <= 0) return
    const stats = statSync(`${this.#file}-wal`, { throwIfNoEntry: false })
    if (stats === undefined) throw fileReplaced(LOG_REMOVED, effect)
    const expected = LOG_HEADER_SIZE + frames * (FRAME_HEADER_SIZE + this.#pageSize)
    // Read again, since another process may have checkpointed the log in between.
    if (stats.size < expected && this.#frameCount() === frames) throw fileReplaced(LOG_CUT, effect)
  }

  /**
   * If the file was moved, deleted or replaced, writes the contents of its log into it, wherever it is now. SQLite does
   * not do so on close, and would treat the log as that of the next file at this path. Call right before closing the
   * writer, which must be the last connection of this process.
   */
  checkpointAbandonedLog(): void {
    const { problem } = this
    if (!this.#writer.sqlite.open || (problem !== MOVED && problem !== REPLACED)) return
    const [checkpoint] = this.#writer.sqlite.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    this.#isLogCheckpointed = checkpoint?.busy === 0
  }

  /** Removes a leftover log, whose contents are all in its file. Call once the writer is closed. */
  removeAbandonedLog(): void {
    if (!this.#isLogCheckpointed) return
    const current = this.#currentFiles()
    for (const [index, side] of DATABASE_SUFFIXES.entries()) {
      if (side !== '' && current[index] === this.#openedFiles[index]) rmSync(`${this.#file}${side}`, { force: true })
    }
  }

  /** Number of frames in the log; undefined while another process rebuilds the log's index. */
  #frameCount(): number | undefined {
    try {
      // SQLite prepares a pragma again on each run, and better-sqlite3 would compile a function that creates its rows.
      const [, frames] = this.#writer.sql<[busy: number, log: number]>('PRAGMA wal_checkpoint(NOOP)').raw().get() ?? []
      return frames
    } catch (error) {
      if (isBusy(error)) return undefined
      throw error
    }
  }

  #currentFiles(): (string | undefined)[] {
    return DATABASE_SUFFIXES.map((side) =>
      fileIdentity(statSync(`${this.#file}${side}`, { bigint: true, throwIfNoEntry: false })),
    )
  }
}

const fileIdentity = (stats: { dev: bigint; ino: bigint } | undefined): string | undefined =>
  stats && `${stats.dev}:${stats.ino}`

/** The problem and the advice in the error message. */
interface PresenceProblem {
  found: string
  advice: string
}

const MOVED: PresenceProblem = {
  found: 'Expected the file of this space to stay in its place while it is open, found that it was moved or deleted',
  advice: 'Put it back, or restart the server to serve what is there now.',
}
const REPLACED: PresenceProblem = {
  found: 'Expected the file of this space to stay the same while it is open, found another in its place',
  advice: 'Restart the server to serve the one that is there now.',
}
const LOG_REMOVED: PresenceProblem = {
  found:
    'Expected the log of this space (-wal and -shm) to stay in its place while it is open, found that it was removed',
  advice: 'Restart the server: as it ends it writes what it still has of the log into the file.',
}
const LOG_CUT: PresenceProblem = {
  found: 'Expected the log of this space (-wal) to hold all that was written, found it cut short',
  advice:
    'The last writes are lost: restart the server, run `scriptorium doctor`, and restore a backup if it finds damage.',
}
const REVERTED: PresenceProblem = {
  found: 'Expected the space as its last change left it, found an older state of it',
  advice: 'Restart the server to serve what is there now.',
}

const fileReplaced = ({ found, advice }: PresenceProblem, effect: CallEffect): ScriptoriumError =>
  new ScriptoriumError('SPACE_REPLACED', `${found}; ${effect}. ${advice}`)

/** The file went back to an older state: it or its log was replaced in a way that nothing else shows. */
export const spaceReverted = (effect: CallEffect): ScriptoriumError => fileReplaced(REVERTED, effect)

/** The space was closed during a call, because its file was replaced. */
export const spaceClosed = (): ScriptoriumError =>
  new ScriptoriumError(
    'SPACE_REPLACED',
    'Expected the space to stay open for the whole call, found it closed because its file was replaced; nothing was done, try again.',
  )
