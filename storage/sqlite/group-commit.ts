/**
 * Group commit: runs writes on one connection, one after another. Writes that wait at the same time share one COMMIT,
 * since flushing to disk is what takes the time.
 */
import type { Connection } from './connection.ts'

/** Batch window in milliseconds. After that no other write joins, since all of them wait for the one COMMIT. */
const BATCH_WINDOW_MS = 10
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
  /** Drops pending notes of a write that is rolled back. */
  discard(tx: Connection): void
}

interface QueuedWrite {
  /** Runs the work and stores its result for {@link resolve}. */
  run(tx: Connection): Promise<void>
  resolve(): void
  reject(error: unknown): void
}

export class GroupCommit {
  readonly #connection: Connection
  readonly #options: GroupCommitOptions
  #queue: QueuedWrite[] = []
  #running: Promise<void> | undefined
  #cacheReleasedAt = performance.now()

  constructor(connection: Connection, options: GroupCommitOptions) {
    this.#connection = connection
    this.#options = options
  }

  /**
   * Runs `work` after the writes before it. Its changes are on disk when this resolves. If it throws, all its changes
   * are rolled back, but not those of other writes that share its COMMIT.
   */
  run<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let value: T
      const run = async (tx: Connection) => {
        value = await work(tx)
      }
      this.#queue.push({ run, resolve: () => resolve(value), reject })
      this.#running ??= this.#runAll()
    })
  }

  /** Resolves when no write is running or waiting. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async #runAll(): Promise<void> {
    // Let other input of this turn be processed first, so that its writes can join.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) await this.#runBatch()
    this.#running = undefined
  }

  async #runBatch(): Promise<void> {
    const succeeded: QueuedWrite[] = []
    const rejections: (() => void)[] = []
    try {
      await this.#options.begin()
    } catch (error) {
      this.#queue.shift()?.reject(error)
      return
    }
    const until = performance.now() + BATCH_WINDOW_MS
    try {
      do {
        const next = this.#queue.shift()
        if (next === undefined) break
        const isFirst = succeeded.length + rejections.length === 0
        const failure = await this.#runOne(next, isFirst)
        if (failure === undefined) succeeded.push(next)
        else rejections.push(() => next.reject(failure.error))
      } while (performance.now() < until)
      this.#options.beforeCommit?.(this.#connection)
      this.#connection.sql('COMMIT').run()
      this.#options.afterCommit?.()
    } catch (error) {
      if (this.#connection.sqlite.inTransaction) this.#connection.sql('ROLLBACK').run()
      for (const write of succeeded) rejections.push(() => write.reject(error))
      succeeded.length = 0
    }
    for (const rejectWrite of rejections) rejectWrite()
    for (const { resolve: settle } of succeeded) settle()
    this.#releasePageCache()
  }

  #releasePageCache(): void {
    const now = performance.now()
    if (now - this.#cacheReleasedAt < CACHE_RELEASE_MS) return
    this.#cacheReleasedAt = now
    this.#connection.sql('PRAGMA shrink_memory').run()
  }

  /**
   * Runs one write inside the transaction. The first write has no savepoint: rolling it back rolls back the
   * transaction.
   *
   * @returns the error of a write that was rolled back on its own
   * @throws if the whole transaction must be rolled back; after some errors, such as a full disk, SQLite has already
   * done so
   */
  async #runOne({ run, reject }: QueuedWrite, isFirst: boolean): Promise<{ error: unknown } | undefined> {
    const { sqlite } = this.#connection
    if (!isFirst) this.#connection.sql('SAVEPOINT one').run()
    try {
      await run(this.#connection)
      await this.#options.beforeRelease(this.#connection)
      if (!isFirst) this.#connection.sql('RELEASE one').run()
      return undefined
    } catch (error) {
      this.#options.discard(this.#connection)
      if (isFirst || !sqlite.inTransaction) {
        reject(error)
        throw error
      }
      this.#connection.sql('ROLLBACK TO one').run()
      this.#connection.sql('RELEASE one').run()
      return { error }
    }
  }
}
