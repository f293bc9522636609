/**
 * Folds the log of a space into its file once nobody has written for a moment, so that a plain copy of the file is
 * whole. Each process that has the space open looks at the log itself, since another may have written it last.
 */
import { statSync } from 'node:fs'
import { BUSY_WAIT, type Connection } from './connection.ts'

/** Milliseconds between two looks: the log is folded when it has not changed from one to the next. */
const CHECK_INTERVAL_MS = 2_000

export class IdleCheckpoint {
  readonly #writer: Connection
  readonly #log: string
  readonly #timer: NodeJS.Timeout
  /** The log as it was at the last look. */
  #seen = ''

  /** @param file  of the space, which `writer` has open */
  constructor(writer: Connection, file: string, lookEvery = CHECK_INTERVAL_MS) {
    this.#writer = writer
    this.#log = `${file}-wal`
    this.#timer = setInterval(() => this.look(), lookEvery).unref()
  }

  /**
   * Fold the log if it is as it was at the last look. While somebody reads an older state it stays, until a later look.
   *
   * @returns whether nothing is left in it
   */
  look(): boolean {
    const found = statSync(this.#log, { throwIfNoEntry: false })
    if (found === undefined || found.size === 0) return true
    const before = this.#seen
    this.#seen = `${found.ino} ${found.size} ${found.mtimeMs}`
    if (this.#seen !== before || this.#writer.sqlite.inTransaction) return false
    const { sqlite } = this.#writer
    try {
      // Not waited for: there is another look.
      sqlite.pragma('busy_timeout = 0')
      const [result] = sqlite.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
      return result?.busy === 0
    } catch {
      // A disk that is full or fails is told by the next write.
      return false
    } finally {
      sqlite.pragma(`busy_timeout = ${BUSY_WAIT}`)
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
