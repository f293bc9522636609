/**
 * An open space, with read and write transactions.
 *
 * All functions are asynchronous: SQLite is synchronous, but other engines are not. Nothing slow may happen inside a
 * transaction: parsing and hashing come before it.
 */
import type { Transaction } from './transaction.ts'

export interface WriteOptions {
  /** True for one of many writes that no caller waits for individually, so that more of them may share a COMMIT. */
  isBulk?: boolean
}

export interface Storage {
  /**
   * Runs a read transaction: one snapshot, on its own database connection. A long read blocks no other call, and
   * concurrent writes do not affect it.
   */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs a write transaction, from the lock of the space to a durable COMMIT. Writes are serialized across all
   * processes. If `work` throws, all its changes are rolled back. Writes that wait at the same time share one COMMIT.
   *
   * @throws {ScriptoriumError} CONFLICT when another process locks the space for longer than 30 seconds.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>
  /** False once the opened space was replaced: its file, or the write-ahead log next to it. */
  isPresent(): boolean
  /**
   * Calls `check` whenever any process may have changed something. There may be no change at all.
   *
   * @returns a function that stops these calls
   */
  onChange(check: () => Promise<void>): () => void
  /**
   * Waits for running transactions, then closes. The last process to close leaves one file without a write-ahead log.
   */
  close(): Promise<void>
}
