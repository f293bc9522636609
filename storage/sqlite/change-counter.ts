/**
 * Counts the changes of a space made by any process. Each transaction that changes anything gets the next number, and a
 * document stores the number of the last transaction that changed it.
 */
import type { Transaction } from './connection.ts'
import { spaceReverted } from './file-presence.ts'

export interface ChangeCounter {
  /** The number of the last transaction that changed anything; 0 in a space without changes. */
  value: number
  /** The number of the last transaction that added, removed or restored documents, files or whiteboards. */
  listing: number
}

/**
 * SQL for the number of the current transaction. It is counted when the transaction ends, see {@link
 * TransactionCounter}.
 */
export const CHANGE_NUMBER = '(SELECT value + 1 FROM change_counter)'

export async function getChangeCounter(tx: Transaction): Promise<ChangeCounter> {
  const row = tx.sql<ChangeCounter>('SELECT value, listing FROM change_counter').get()
  if (row === undefined) throw new Error('Expected a change counter in the space, found none.')
  return row
}

/** Records that the transaction adds, removes or restores a document, a file or a whiteboard. */
export async function markListingChanged(tx: Transaction): Promise<void> {
  tx.sql('UPDATE change_counter SET listing = value + 1').run()
}

/** Does the same if any of these blocks is a whiteboard or shows a file. */
export async function markListingChangedByBlocks(tx: Transaction, blocks: readonly number[]): Promise<void> {
  const listed = tx.sql(
    `SELECT 1 FROM json_each(?) AS one CROSS JOIN block ON block.n = one.value
     WHERE block.type = 'whiteboard' OR EXISTS (SELECT 1 FROM block_file WHERE block_file.block = one.value) LIMIT 1`,
  )
  if (listed.get(JSON.stringify(blocks)) !== undefined) await markListingChanged(tx)
}

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
  begin(tx: Transaction): void {
    const { value, rows } = tx.sql<{ value: number; rows: number }>(SELECT_COUNTS).get() ?? { value: 0, rows: 0 }
    if (value < this.#highestSeen) {
      tx.sql('ROLLBACK').run()
      throw spaceReverted('nothing was written')
    }
    this.#highestSeen = value
    this.#current = value
    this.#rowsBefore = rows
  }

  /** Call right before COMMIT. A transaction without changes is not counted, since counting is itself a change. */
  beforeCommit(tx: Transaction): void {
    if (tx.sql<{ rows: number }>(SELECT_COUNTS).get()?.rows === this.#rowsBefore) return
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
  checkRead(tx: Transaction): void {
    const value = tx.sql<{ value: number }>(SELECT_COUNTS).get()?.value ?? 0
    if (value < this.#highestSeen) throw spaceReverted('nothing was read')
  }
}

const SELECT_COUNTS = 'SELECT value, total_changes() AS rows FROM change_counter'
