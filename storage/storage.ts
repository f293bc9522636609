/**
 * An open space, with read and write transactions.
 *
 * Everything is awaited, although SQLite is synchronous: another engine is not. Nothing slow may happen inside a
 * transaction: parsing and hashing come before it.
 */
import type { Transaction } from './transaction.ts'

export interface WriteOptions {
  /** One of many writes that no caller waits for one by one, so that more of them may share a COMMIT. */
  isBulk?: boolean
}

export interface Storage {
  /**
   * Runs a read transaction: one snapshot, on its own database connection. A long read blocks no other call, and
   * concurrent writes do not affect it.
   */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs a write transaction, from the lock of the space to a durable COMMIT. Writes are serialized over all processes. If
   * `work` throws, all of it is rolled back. Writes that wait at the same time share one COMMIT.
   *
   * @throws {ScriptoriumError} CONFLICT when another process locks the space for longer than 30 seconds.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>
  /** False once the space is no longer the one that was opened: its file, or the log beside it, was replaced. */
  isPresent(): boolean
  /**
   * Calls `check` whenever something may have changed, by whichever process, until what it returns is called. There may
   * be nothing.
   */
  onChange(check: () => Promise<void>): () => void
  /**
   * Waits for running transactions, then closes. The last process to close leaves one file without a write-ahead log.
   */
  close(): Promise<void>
}
