/**
 * Counts the transactions of this process that change anything, and detects that a space went back to an older state.
 * See changes.ts.
 */
import type { Connection } from './connection.ts'
import { spaceReverted } from './file-presence.ts'

/**
 * Counts the transactions of a write connection that change anything. Also detects if the space ever goes back to an
 * older state: then its file or its log is not the one that this process wrote to.
 */
export class TransactionCounter {
  /** Rows that the connection had changed before the transaction began. */
  #rowsBefore = 0
  /** The highest number that this process has seen. */
  #highestSeen = 0
  /** The number of the running transaction. */
  #current = 0

  /**
   * Call right after BEGIN.
   *
   * @throws SPACE_REPLACED, with the transaction rolled back
   */
  begin(tx: Connection): void {
    const { value, rows } = tx.sql<{ value: number; rows: number }>(SELECT_COUNTS).get() ?? { value: 0, rows: 0 }
    if (value < this.#highestSeen) {
      tx.sql('ROLLBACK').run()
      throw spaceReverted('nothing was written')
    }
    this.#highestSeen = value
    this.#current = value
    this.#rowsBefore = rows
  }

  /** False for a transaction that has changed nothing. */
  hasChanged(tx: Connection): boolean {
    return tx.sql<{ rows: number }>(SELECT_COUNTS).get()?.rows !== this.#rowsBefore
  }

  /** Call right before COMMIT, if the transaction has changed anything: counting is itself a change. */
  count(tx: Connection): void {
    tx.sql('UPDATE change_counter SET value = value + 1').run()
    this.#current++
  }

  afterCommit(): void {
    this.#highestSeen = this.#current
  }

  /**
   * Checks a snapshot that was just started.
   *
   * @throws SPACE_REPLACED
   */
  checkRead(tx: Connection): void {
    const value = tx.sql<{ value: number }>(SELECT_COUNTS).get()?.value ?? 0
    if (value < this.#highestSeen) throw spaceReverted('nothing was read')
  }
}

const SELECT_COUNTS = 'SELECT value, total_changes() AS rows FROM change_counter'
