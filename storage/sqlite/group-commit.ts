/** Group commit on the write connection of a file. */
import { GroupCommit } from '../group-commit.ts'
import type { Connection } from './connection.ts'

/**
 * Milliseconds between releases of SQLite's page cache. Few written pages are read again, and SQLite would hold 16 MiB
 * of them.
 */
const CACHE_RELEASE_MS = 60_000

/**
 * Milliseconds for which bulk writes leave the lock to other processes: longer than these wait between two attempts to
 * acquire it.
 */
const PAUSE_MS = 20
/** While no other process was seen to write, only one of so many transactions is followed by a pause. */
const PAUSE_EVERY = 8
/** Milliseconds after which a process that wrote no longer counts. */
const OTHERS_MS = 5_000

export interface GroupCommitOptions {
  /** Acquires the write lock: BEGIN IMMEDIATE. */
  begin(): Promise<void>
  /** Completes a write inside its transaction. */
  beforeRelease(tx: Connection): Promise<void>
  /** Runs last in the transaction, before its COMMIT. If it throws, the transaction is rolled back. */
  beforeCommit?(tx: Connection): Promise<void>
  /** Runs after COMMIT. If it throws, every write of the transaction fails with that error. */
  afterCommit?(): void
  /** Drops the pending state of a write that is rolled back. */
  discard(tx: Connection): void
}

export class FileGroupCommit extends GroupCommit<Connection> {
  readonly #connection: Connection
  readonly #options: GroupCommitOptions
  #cacheReleasedAt = performance.now()
  /** Changes when another process writes. */
  #version: unknown
  #othersWroteAt = -OTHERS_MS
  #bulkTransactions = 0

  constructor(connection: Connection, options: GroupCommitOptions) {
    super()
    this.#connection = connection
    this.#options = options
  }

  protected async begin(): Promise<Connection> {
    await this.#options.begin()
    const version = this.#connection.sqlite.pragma('data_version', { simple: true })
    if (this.#version !== undefined && version !== this.#version) this.#othersWroteAt = performance.now()
    this.#version = version
    return this.#connection
  }

  /** A space in memory has no other processes. */
  protected override pauseAfterBulk(): number {
    if (this.#connection.sqlite.memory) return 0
    const hasOthers = performance.now() - this.#othersWroteAt < OTHERS_MS
    return hasOthers || ++this.#bulkTransactions % PAUSE_EVERY === 0 ? PAUSE_MS : 0
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

  protected async commit(tx: Connection): Promise<void> {
    await this.#options.beforeCommit?.(tx)
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
