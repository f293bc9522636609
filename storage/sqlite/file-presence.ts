/**
 * Whether what a space was opened from still lies at its path. A file that is deleted or replaced stays readable and
 * writable to whoever has it open, and all that is written to it then is lost when it is closed.
 *
 * Files are looked at and never opened: to close another descriptor would drop the locks that SQLite holds.
 */
import { rmSync, statSync } from 'node:fs'
import { ScriptoriumError } from '../../src/base/errors.ts'
import type { Connection } from './connection.ts'
import { isBusy } from './open-database.ts'

/** What SQLite keeps as long as the space is open: all three stay the same files meanwhile. */
const SIDES = ['', '-wal', '-shm'] as const

/** Bytes of a log before its first frame, and of each frame before its page. */
const LOG_HEADER = 32
const FRAME_HEADER = 24

/** What was done when it was found out. */
export type CallEffect = 'nothing was read' | 'nothing was written' | 'what this call wrote may be lost'

export class FilePresence {
  readonly #file: string
  readonly #writer: Connection
  readonly #opened: readonly (string | undefined)[]
  readonly #pageSize: number
  #isLogLeft = false
  #isChecked = false

  /** @param writer  a connection that has read from the file, so that its log is there */
  constructor(file: string, writer: Connection) {
    this.#file = file
    this.#writer = writer
    this.#opened = this.#present()
    this.#pageSize = Number(writer.sqlite.pragma('page_size', { simple: true }))
  }

  /** What is not as it was when the space was opened; none while all is. */
  get fault(): PresenceError | undefined {
    const [file, ...sides] = this.#present()
    const [openedFile, ...openedSides] = this.#opened
    if (file === undefined) return MOVED
    if (file !== openedFile) return REPLACED
    return sides.every((side, index) => side === openedSides[index]) ? undefined : LOG_REMOVED
  }

  /** @throws SPACE_REPLACED */
  check(outcome: CallEffect): void {
    const { fault } = this
    if (fault !== undefined) throw fileReplaced(fault, outcome)
  }

  /**
   * As {@link check}, for what only reads: once in a turn of the event loop, however many calls read in it. What comes
   * in during a turn has been asked before it ended, and nothing is lost by a read.
   *
   * @throws SPACE_REPLACED
   */
  checkInTurn(outcome: CallEffect): void {
    if (this.#isChecked) return
    this.check(outcome)
    this.#isChecked = true
    setImmediate(() => {
      this.#isChecked = false
    })
  }

  /**
   * Whether the log is as long as SQLite's index of it says. Not to be called within a transaction of the writer.
   *
   * @throws SPACE_REPLACED
   */
  checkLog(outcome: CallEffect): void {
    const frames = this.#frames()
    if (frames === undefined || frames <= 0) return
    const found = statSync(`${this.#file}-wal`, { throwIfNoEntry: false })
    if (found === undefined) throw fileReplaced(LOG_REMOVED, outcome)
    const expected = LOG_HEADER + frames * (FRAME_HEADER + this.#pageSize)
    // Asked again, since another process may have folded the log between the two looks.
    if (found.size < expected && this.#frames() === frames) throw fileReplaced(LOG_CUT, outcome)
  }

  /**
   * Where the file was moved, deleted or replaced, what its log holds is written into it, wherever it is now: SQLite does
   * not do so when it closes, and would take the log for that of the next file at this path. To be called right before
   * the writer, the last connection of this process, is closed.
   */
  leaveLog(): void {
    const { fault } = this
    if (!this.#writer.sqlite.open || (fault !== MOVED && fault !== REPLACED)) return
    const [folded] = this.#writer.sqlite.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    this.#isLogLeft = folded?.busy === 0
  }

  /** Removes a log that was left behind, all of which is in its file. To be called once the writer is closed. */
  removeLeftLog(): void {
    if (!this.#isLogLeft) return
    const present = this.#present()
    for (const [index, side] of SIDES.entries()) {
      if (side !== '' && present[index] === this.#opened[index]) rmSync(`${this.#file}${side}`, { force: true })
    }
  }

  /** Frames that the log has; none while another process makes its index anew. */
  #frames(): number | undefined {
    try {
      // SQLite prepares a pragma again for each run, and better-sqlite3 would compile a function that makes its rows.
      const [, frames] = this.#writer.sql<[busy: number, log: number]>('PRAGMA wal_checkpoint(NOOP)').raw().get() ?? []
      return frames
    } catch (error) {
      if (isBusy(error)) return undefined
      throw error
    }
  }

  #present(): (string | undefined)[] {
    return SIDES.map((side) => identity(statSync(`${this.#file}${side}`, { bigint: true, throwIfNoEntry: false })))
  }
}

const identity = (stats: { dev: bigint; ino: bigint } | undefined): string | undefined =>
  stats && `${stats.dev}:${stats.ino}`

/** What is found, and what to do about it. */
interface PresenceError {
  found: string
  advice: string
}

const MOVED: PresenceError = {
  found: 'Expected the file of this space to stay in its place while it is open, found that it was moved or deleted',
  advice: 'Put it back, or restart the server to serve what is there now.',
}
const REPLACED: PresenceError = {
  found: 'Expected the file of this space to stay the same while it is open, found another in its place',
  advice: 'Restart the server to serve the one that is there now.',
}
const LOG_REMOVED: PresenceError = {
  found:
    'Expected the log of this space (-wal and -shm) to stay in its place while it is open, found that it was removed',
  advice: 'Restart the server: as it ends it writes what it still has of the log into the file.',
}
const LOG_CUT: PresenceError = {
  found: 'Expected the log of this space (-wal) to hold all that was written, found it cut short',
  advice:
    'The last writes are lost: restart the server, run `scriptorium doctor`, and restore a backup if it finds damage.',
}
const OLDER: PresenceError = {
  found: 'Expected the space as its last change left it, found an older state of it',
  advice: 'Restart the server to serve what is there now.',
}

const fileReplaced = ({ found, advice }: PresenceError, outcome: CallEffect): ScriptoriumError =>
  new ScriptoriumError('SPACE_REPLACED', `${found}; ${outcome}. ${advice}`)

/** The file has gone back in its changes: it, or its log, was replaced where nothing else shows it. */
export const olderState = (outcome: CallEffect): ScriptoriumError => fileReplaced(OLDER, outcome)

/** The space was closed, since its file was replaced, while a call was under way. */
export const spaceClosed = (): ScriptoriumError =>
  new ScriptoriumError(
    'SPACE_REPLACED',
    'Expected the space to stay open for the whole call, found it closed because its file was replaced; nothing was done, try again.',
  )
