/** Group commit on the write connection of a file. */
import { GroupCommit } from '../group-commit.ts'
import type { Connection } from './connection.ts'

/**
 * Milliseconds between releases of SQLite's page cache. Few written pages are read again, and SQLite would hold 16 MiB
 * of them.
 */
const CACHE_RELEASE_MS = 60_000

export interface GroupCommitOptions {
  /** Acquires the write lock: BEGIN IMMEDIATE. */
  begin(): Promise<void>
  /** Completes a write inside its transaction. */
  beforeRelease(tx: Connection): Promise<void>
  /** Runs last in the transaction, before its COMMIT. If it throws, the transaction is rolled back. */
  beforeCommit?(tx: Connection): void
  /** Runs after COMMIT. If it throws, every write of the transaction fails with that error. */
  afterCommit?(): void
  /** Drops the pending state of a write that is rolled back. */
  discard(tx: Connection): void
}

export class FileGroupCommit extends GroupCommit<Connection> {
  readonly #connection: Connection
  readonly #options: GroupCommitOptions
  #cacheReleasedAt = performance.now()

  constructor(connection: Connection, options: GroupCommitOptions) {
    super()
    this.#connection = connection
    this.#options = options
  }

  protected async begin(): Promise<Connection> {
    await this.#options.begin()
    return this.#connection
  }

  protected isOpen({ sqlite }: Connection): boolean {
    return sqlite.inTransaction
  }

  protected setSavepoint(tx: Connection): void {
    tx.sql('SAVEPOINT one').run()
  }

  protected releaseSavepoint(tx: Connection): void {
    tx.sql('RELEASE one').run()
  }

  protected rollBackToSavepoint(tx: Connection): void {
    tx.sql('ROLLBACK TO one').run()
    tx.sql('RELEASE one').run()
  }

  protected complete(tx: Connection): Promise<void> {
    return this.#options.beforeRelease(tx)
  }

  protected discard(tx: Connection): void {
    this.#options.discard(tx)
  }

  protected commit(tx: Connection): void {
    this.#options.beforeCommit?.(tx)
    tx.sql('COMMIT').run()
    this.#options.afterCommit?.()
  }

  protected rollBack(tx: Connection): void {
    tx.sql('ROLLBACK').run()
  }

  protected end(tx: Connection): void {
    const now = performance.now()
    if (now - this.#cacheReleasedAt < CACHE_RELEASE_MS) return
    this.#cacheReleasedAt = now
    tx.sql('PRAGMA shrink_memory').run()
  }
}
