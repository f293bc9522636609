/**
 * Checkpoints the write-ahead log of a space once there have been no writes for a moment, so that a plain copy of the
 * file is complete. Each process that has the space open checks the log itself, since another may have written last.
 */
import { statSync } from 'node:fs'
import { BUSY_TIMEOUT_MS, type Connection } from './connection.ts'

/** Milliseconds between two checks. The log is checkpointed if it has not changed since the last check. */
const CHECK_INTERVAL_MS = 2_000

export class IdleCheckpoint {
  readonly #writer: Connection
  readonly #log: string
  readonly #timer: NodeJS.Timeout
  /** State of the log at the last check. */
  #lastState = ''

  /** @param file  the space that `writer` has open */
  constructor(writer: Connection, file: string, checkInterval = CHECK_INTERVAL_MS) {
    this.#writer = writer
    this.#log = `${file}-wal`
    this.#timer = setInterval(() => this.checkpointIfIdle(), checkInterval).unref()
  }

  /**
   * Checkpoints the log if it has not changed since the last check. While a process reads an older state, the log stays
   * until a later check.
   *
   * @returns true if the log is empty
   */
  checkpointIfIdle(): boolean {
    try {
      const stats = statSync(this.#log, { throwIfNoEntry: false })
      if (stats === undefined || stats.size === 0) return true
      const before = this.#lastState
      this.#lastState = `${stats.ino} ${stats.size} ${stats.mtimeMs}`
      if (this.#lastState !== before || this.#writer.sqlite.inTransaction) return false
      return this.#checkpoint()
    } catch {
      // A folder that cannot be read, and a full or failing disk, are reported by the next write.
      return false
    }
  }

  /** Does not wait for locks, since the next check tries again. @returns true if the log is empty */
  #checkpoint(): boolean {
    const { sqlite } = this.#writer
    try {
      sqlite.pragma('busy_timeout = 0')
      const [result] = sqlite.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
      return result?.busy === 0
    } finally {
      sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
