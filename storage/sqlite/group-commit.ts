/**
 * Writes on one connection, one after another. Those that wait at the same time share one COMMIT, since that is what
 * takes the time: the disk has to have it.
 */
import type { Connection, Transaction } from './connection.ts'

/** Milliseconds after which no other write joins those that run: they wait for the one COMMIT. */
const MAX_GROUP_SIZE = 10
/** Milliseconds for which SQLite keeps the pages that were written: few are read again, and it would keep 16 MiB. */
const CACHE_IDLE_MS = 60_000

export interface GroupCommitOptions {
  /** Takes the lock: BEGIN IMMEDIATE. */
  begin(): Promise<void>
  /** Ends the work of a write, inside the transaction. */
  finish(tx: Transaction): Promise<void>
  /** Comes last in the transaction, before its COMMIT. It is given up when this throws. */
  beforeCommit?(tx: Transaction): void
  /** Comes after COMMIT: where it throws, every write of the transaction is refused with that. */
  afterCommit?(): void
  /** Forgets what was noted of a write that is rolled back. */
  forget(tx: Transaction): void
}

interface QueuedWrite {
  /** Keeps what came of the work for {@link settle}. */
  run(tx: Transaction): Promise<void>
  settle(): void
  reject(error: unknown): void
}

export class GroupCommit {
  readonly #connection: Connection
  readonly #options: GroupCommitOptions
  #waiting: QueuedWrite[] = []
  #running: Promise<void> | undefined
  #letGo = performance.now()

  constructor(connection: Connection, options: GroupCommitOptions) {
    this.#connection = connection
    this.#options = options
  }

  /**
   * Runs `work` after those that came before. Its changes are on the disk when this resolves; when it throws, all of
   * them are undone, and none of others that share its COMMIT.
   */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let value: T
      const run = async (tx: Transaction) => {
        value = await work(tx)
      }
      this.#waiting.push({ run, settle: () => resolve(value), reject })
      this.#running ??= this.#runAll()
    })
  }

  /** Resolves when none runs or waits. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async #runAll(): Promise<void> {
    // Whatever else has come in by now comes first, so that it can join.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) await this.#runTogether()
    this.#running = undefined
  }

  async #runTogether(): Promise<void> {
    const ran: QueuedWrite[] = []
    const refused: (() => void)[] = []
    try {
      await this.#options.begin()
    } catch (error) {
      this.#waiting.shift()?.reject(error)
      return
    }
    const until = performance.now() + MAX_GROUP_SIZE
    try {
      do {
        const next = this.#waiting.shift()
        if (next === undefined) break
        const isFirst = ran.length + refused.length === 0
        const fault = await this.#runOne(next, isFirst)
        if (fault === undefined) ran.push(next)
        else refused.push(() => next.reject(fault.error))
      } while (performance.now() < until)
      this.#options.beforeCommit?.(this.#connection)
      this.#connection.sql('COMMIT').run()
      this.#options.afterCommit?.()
    } catch (error) {
      if (this.#connection.sqlite.inTransaction) this.#connection.sql('ROLLBACK').run()
      for (const one of ran) refused.push(() => one.reject(error))
      ran.length = 0
    }
    for (const refuse of refused) refuse()
    for (const { settle } of ran) settle()
    this.#letPagesGo()
  }

  #letPagesGo(): void {
    const now = performance.now()
    if (now - this.#letGo < CACHE_IDLE_MS) return
    this.#letGo = now
    this.#connection.sql('PRAGMA shrink_memory').run()
  }

  /**
   * One write inside the transaction. The first has it for itself: what undoes the write undoes the transaction.
   *
   * @returns the error of a write that was undone by itself
   * @throws when the whole transaction is to be given up: after some errors, such as a full disk, SQLite has done so
   */
  async #runOne({ run, reject }: QueuedWrite, isFirst: boolean): Promise<{ error: unknown } | undefined> {
    const { sqlite } = this.#connection
    if (!isFirst) this.#connection.sql('SAVEPOINT one').run()
    try {
      await run(this.#connection)
      await this.#options.finish(this.#connection)
      if (!isFirst) this.#connection.sql('RELEASE one').run()
      return undefined
    } catch (error) {
      this.#options.forget(this.#connection)
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
