/**
 * Group commit: runs writes in transactions, one after another. Writes that wait at the same time share one COMMIT,
 * since flushing to disk is the slow part. Each engine implements how its transactions begin and end.
 */

import { tryAndLog } from '../src/base/background.ts'
import { yieldToEventLoop } from '../src/base/scheduling.ts'
import type { WriteOptions } from './storage.ts'

/**
 * Batch window in milliseconds. After that, no further write joins, since all writes of the batch wait for the same
 * COMMIT.
 */
const BATCH_WINDOW_MS = 10
/** Batch window in milliseconds while all writes are bulk: no caller waits for any single one of them. */
const BULK_WINDOW_MS = 50

interface QueuedWrite<Tx> {
  isBulk: boolean
  /** Milliseconds during which other writes may join its transaction. */
  window: number
  /** Runs the work and stores its result for {@link resolve}. */
  run(tx: Tx): Promise<void>
  resolve(): void
  reject(error: unknown): void
}

/** @template Tx  a transaction, from {@link begin} to {@link end} */
export abstract class GroupCommit<Tx> {
  #queue: QueuedWrite<Tx>[] = []
  #running: Promise<void> | undefined
  /** Until when, by performance.now(), bulk writes leave the lock to other processes. */
  #lockFreeUntil = 0
  /** Ends the wait of bulk writes. */
  #wake: (() => void) | undefined

  /**
   * Milliseconds for which other processes may acquire the lock after a transaction of bulk writes alone. Without it,
   * they would hardly ever find it free while many writes wait here.
   */
  protected pauseAfterBulk(): number {
    return 0
  }

  /** Begins a transaction and acquires the lock of the space. */
  protected abstract begin(): Promise<Tx>
  /** False once the engine itself has rolled back the transaction, which it does after some errors. */
  protected abstract isOpen(tx: Tx): boolean
  /** Marks where a write begins, so that it can be undone alone. */
  protected abstract setSavepoint(tx: Tx): void | Promise<void>
  protected abstract releaseSavepoint(tx: Tx): void | Promise<void>
  protected abstract rollBackToSavepoint(tx: Tx): void | Promise<void>
  /** Completes a write inside its transaction. */
  protected abstract complete(tx: Tx): void | Promise<void>
  /** Drops the pending state of a write that is rolled back. */
  protected abstract discard(tx: Tx): void
  /** Resolves when everything is on disk. If it throws, every write of the transaction fails with that error. */
  protected abstract commit(tx: Tx): void | Promise<void>
  protected abstract rollBack(tx: Tx): void | Promise<void>
  /** Called last, whether the transaction was committed or rolled back. */
  protected abstract end(tx: Tx): void

  /**
   * Runs `work` after the writes before it. Its changes are on disk when this resolves. If it throws, all its changes
   * are rolled back, but not those of other writes that share its COMMIT.
   */
  run<T>(work: (tx: Tx) => Promise<T>, { isBulk = false }: WriteOptions = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      let value: T
      const run = async (tx: Tx) => {
        value = await work(tx)
      }
      const window = isBulk ? BULK_WINDOW_MS : BATCH_WINDOW_MS
      this.#queue.push({ window, isBulk, run, resolve: () => resolve(value), reject })
      if (!isBulk) this.#wake?.()
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
    // Whatever fails, the writes after it have their turn.
    while (this.#queue.length > 0) {
      await this.#leaveLock()
      await tryAndLog('end a transaction', () => this.#runBatch())
    }
    this.#running = undefined
  }

  /** Bulk writes wait while other processes may have the lock. A write that a caller waits for ends the wait. */
  async #leaveLock(): Promise<void> {
    const pause = this.#lockFreeUntil - performance.now()
    if (pause <= 0 || this.#queue.some(({ isBulk }) => !isBulk)) return
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      setTimeout(resolve, pause)
    })
    this.#wake = undefined
  }

  async #runBatch(): Promise<void> {
    let tx: Tx
    try {
      tx = await this.begin()
    } catch (error) {
      this.#queue.shift()?.reject(error)
      return
    }
    const succeeded: QueuedWrite<Tx>[] = []
    const rejections: (() => void)[] = []
    const begun = performance.now()
    let window = BULK_WINDOW_MS
    let isBulk = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const write = next
        window = Math.min(window, write.window)
        isBulk &&= write.isBulk
        const isFirst = succeeded.length + rejections.length === 0
        const failure = await this.#runOne(tx, write, isFirst)
        if (failure === undefined) succeeded.push(write)
        else rejections.push(() => write.reject(failure.error))
        if (performance.now() >= begun + window) break
        await yieldToEventLoop()
      }
      await this.commit(tx)
    } catch (error) {
      for (const write of succeeded) rejections.push(() => write.reject(error))
      succeeded.length = 0
      if (this.isOpen(tx)) await tryAndLog('roll a transaction back', () => this.rollBack(tx))
    }
    if (isBulk) this.#lockFreeUntil = performance.now() + this.pauseAfterBulk()
    for (const rejectWrite of rejections) rejectWrite()
    for (const { resolve } of succeeded) resolve()
    this.end(tx)
  }

  /**
   * Runs one write inside the transaction. The first write has no savepoint: rolling it back rolls back the
   * transaction.
   *
   * @returns the error of a write that was rolled back on its own
   * @throws if the whole transaction must be rolled back
   */
  async #runOne(tx: Tx, { run, reject }: QueuedWrite<Tx>, isFirst: boolean): Promise<{ error: unknown } | undefined> {
    try {
      if (!isFirst) await this.setSavepoint(tx)
      await run(tx)
      await this.complete(tx)
      if (!isFirst) await this.releaseSavepoint(tx)
      return undefined
    } catch (error) {
      this.discard(tx)
      if (isFirst || !this.isOpen(tx)) {
        reject(error)
        throw error
      }
      try {
        await this.rollBackToSavepoint(tx)
      } catch (failure) {
        reject(error)
        throw failure
      }
      return { error }
    }
  }
}
