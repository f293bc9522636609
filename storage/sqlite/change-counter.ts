/**
 * The number of changes of a space, whichever process makes them: each transaction that changes anything has a number,
 * one more than the one before it, and documents keep the number of the last that changed anything in them.
 */
import type { Transaction } from './connection.ts'
import { olderState } from './file-presence.ts'

export interface ChangeCounter {
  /** The number of the last transaction that changed anything; 0 in a space that none has changed. */
  value: number
  /** The number of the last that added, removed or restored documents, files or whiteboards. */
  listing: number
}

/** The number of the transaction that runs, as SQL: it is counted when it ends, see {@link TransactionChange}. */
export const CHANGE_NUMBER = '(SELECT value + 1 FROM change_counter)'

export async function changeCounter(tx: Transaction): Promise<ChangeCounter> {
  const found = tx.sql<ChangeCounter>('SELECT value, listing FROM change_counter').get()
  if (found === undefined) throw new Error('Expected a change counter in the space, found none.')
  return found
}

/** Say that the transaction adds, removes or restores a document, a file or a whiteboard. */
export async function markListingChanged(tx: Transaction): Promise<void> {
  tx.sql('UPDATE change_counter SET listing = value + 1').run()
}

/** The same where any of these blocks is a whiteboard or shows a file. */
export async function markListedBlocks(tx: Transaction, blocks: readonly number[]): Promise<void> {
  const listed = tx.sql(
    `SELECT 1 FROM json_each(?) AS one CROSS JOIN block ON block.n = one.value
     WHERE block.type = 'whiteboard' OR EXISTS (SELECT 1 FROM block_file WHERE block_file.block = one.value) LIMIT 1`,
  )
  if (listed.get(JSON.stringify(blocks)) !== undefined) await markListingChanged(tx)
}

/**
 * Counts the transactions of a writing connection that change anything, and sees to it that the space never goes back:
 * then its file, or the log of it, is another than the one that this process wrote to.
 */
export class TransactionChange {
  /** Rows that the connection had changed when the transaction began. */
  #rowsBefore = 0
  /** The highest number that this process has seen. */
  #seen = 0
  /** That of the transaction that runs. */
  #running = 0

  /** To be called right after BEGIN. @throws SPACE_REPLACED, with the transaction rolled back */
  begin(tx: Transaction): void {
    const { value, rows } = tx.sql<{ value: number; rows: number }>(COUNTS).get() ?? { value: 0, rows: 0 }
    if (value < this.#seen) {
      tx.sql('ROLLBACK').run()
      throw olderState('nothing was written')
    }
    this.#seen = value
    this.#running = value
    this.#rowsBefore = rows
  }

  /** To be called right before COMMIT. A transaction that changed nothing is not counted, since to count is a change. */
  beforeCommit(tx: Transaction): void {
    if (tx.sql<{ rows: number }>(COUNTS).get()?.rows === this.#rowsBefore) return
    tx.sql('UPDATE change_counter SET value = value + 1').run()
    this.#running++
  }

  afterCommit(): void {
    this.#seen = this.#running
  }

  /** Of a snapshot that is taken now. @throws SPACE_REPLACED */
  checkRead(tx: Transaction): void {
    const value = tx.sql<{ value: number }>(COUNTS).get()?.value ?? 0
    if (value < this.#seen) throw olderState('nothing was read')
  }
}

const COUNTS = 'SELECT value, total_changes() AS rows FROM change_counter'
