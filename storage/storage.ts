/**
 * An open space, with read and write transactions.
 *
 * Everything is awaited, although SQLite is synchronous: another engine is not. Nothing slow may happen inside a
 * transaction: parsing and hashing come before it.
 */
import type { Transaction } from './transaction.ts'

export interface Storage {
  /**
   * Runs a read transaction: one snapshot, on its own database connection. A long read blocks no other call, and
   * concurrent writes do not affect it.
   */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs a write transaction, from BEGIN IMMEDIATE to a durable COMMIT. Writes are serialized over all processes. If
   * `work` throws, all of it is rolled back. Writes that wait at the same time share one COMMIT.
   *
   * @throws {ScriptoriumError} CONFLICT when another process locks the space for longer than 30 seconds.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** True while the file that was opened, and its write-ahead log, are still at its path. */
  isPresent(): boolean
  /**
   * Waits for running transactions, then closes. The last process to close leaves one file without a write-ahead log.
   */
  close(): Promise<void>
}
