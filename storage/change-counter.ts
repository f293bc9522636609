/**
 * The number of changes of a space, whichever process makes them: each transaction that changes anything has a number,
 * one more than the one before it, and documents keep the number of the last that changed anything in them.
 */
import type { Transaction } from './connection.ts'

export interface ChangeCounter {
  /** The number of the last transaction that changed anything; 0 in a space that none has changed. */
  value: number
  /** The number of the last that added, removed or restored documents, files or whiteboards. */
  listing: number
}

/** The number of the transaction that runs, as SQL: it is counted when it ends, see {@link ChangeCount}. */
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

/** Counts the transactions of a writing connection that change anything. */
export class ChangeCount {
  /** Rows that the connection had changed when the transaction began. */
  #before = 0

  /** To be called right after BEGIN. */
  begin(tx: Transaction): void {
    this.#before = rowsChanged(tx)
  }

  /** To be called right before COMMIT. A transaction that changed nothing is not counted, since to count is a change. */
  async beforeCommit(tx: Transaction): Promise<void> {
    if (rowsChanged(tx) === this.#before) return
    tx.sql('UPDATE change_counter SET value = value + 1').run()
  }
}

const rowsChanged = (tx: Transaction): number => tx.sql<number>('SELECT total_changes()').pluck().get() ?? 0
