/** Opens a space in a database, with read and write transactions. */
import type { PoolClient } from 'pg'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { ActiveReads } from '../active-reads.ts'
import { GroupCommit } from '../group-commit.ts'
import { sealEntries } from '../log-chain.ts'
import type { Storage } from '../storage.ts'
import { CommitUnknown, StorageFault } from '../storage-fault.ts'
import type { Transaction } from '../transaction.ts'
import { Connection } from './connection.ts'
import { CONNECTION_ATTEMPTS, type Database } from './database.ts'
import { isConnectionLost, isTransient, sqlState, translateError } from './database-errors.ts'
import { SPACE_SETTING } from './migrations/define-table.ts'
import { quickQuery } from './quick-query.ts'
import type { WordToolsLoader } from './word-index.ts'

/** Milliseconds that a write waits for the lock of the space while another process writes. */
const WRITE_WAIT_MS = 30_000
/**
 * Milliseconds that a statement waits for a lock. Only the lock of a space is waited for again: others are held by other
 * programs, such as one that has locked a table.
 */
const LOCK_WAIT_MS = 5_000
const LOCK_TIMEOUT = '55P03'
/** Fails at once if a whole table is locked. It needs the lock that writes need on it. */
const TRY_TABLE = 'BEGIN; LOCK TABLE tenant IN ROW SHARE MODE NOWAIT; COMMIT'
/**
 * Milliseconds after which the database ends a transaction whose process sends nothing. For writes, the time is shorter
 * than {@link WRITE_WAIT_MS}: if a process is cut off, its write ends before those that wait for its lock give up.
 */
const READ_SILENCE_MS = 60_000
const WRITE_SILENCE_MS = 20_000

/**
 * Settings of a transaction. Statements are written for nested loops over indexes, the only joins that SQLite has.
 * Without statistics, as in a new space, the planner chooses other joins, and takes seconds instead of milliseconds.
 * JIT compilation takes longer than any of the statements.
 */
const TRANSACTION_SETTINGS = {
  enable_hashjoin: 'off',
  enable_material: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  jit: 'off',
  lock_timeout: String(LOCK_WAIT_MS),
}
/** SQL that applies all settings and sets the space, in one statement. @param silence  milliseconds; 0 for no limit */
export const settingsOf = (silence: number): string =>
  Object.entries({ ...TRANSACTION_SETTINGS, idle_in_transaction_session_timeout: String(silence) }).reduce(
    (sql, [name, value]) => `${sql}, set_config('${name}', '${value}', true)`,
    `SELECT set_config('${SPACE_SETTING}', $1::text, true)`,
  )
const READ_SETTINGS = settingsOf(READ_SILENCE_MS)
/**
 * Applies the settings of a write, then locks its space. The settings come first, since PostgreSQL computes a row
 * before it locks it. Statements after this one see everything that was committed before the lock was acquired.
 */
const LOCK = `WITH settings AS MATERIALIZED (${settingsOf(WRITE_SILENCE_MS)})
  SELECT value FROM settings CROSS JOIN tenant WHERE space = $1::bigint FOR NO KEY UPDATE OF tenant`
/** With the limit of locks, since a statement locks its tables before it applies settings. */
const BEGIN_WRITE = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`
const COUNT_CHANGE = 'UPDATE change_counter SET value = value + 1'

export interface OpenStorageOptions {
  database: Database
  /** The number of the space in the database. */
  space: number
  words: WordToolsLoader | undefined
  /** Called after each transaction that changed anything. */
  notifyChanged(): void
  onChange(check: () => Promise<void>): () => void
  /** Called when the storage is closed and all its transactions have ended. */
  close(): Promise<void>
}

/** The space was deleted, or moved to another database. */
const spaceGone = (): ScriptoriumError =>
  new ScriptoriumError(
    'SPACE_REPLACED',
    'Expected the space in its database, found it removed while it was open; nothing was written. Ask the person who runs the server where it is now.',
  )

/** Does not throw: a missing space is detected when it is used. */
export function openStorage(options: OpenStorageOptions): Storage {
  const { database, space, words } = options
  const activeReads = new ActiveReads()
  const writes = new SpaceWrites(options)
  let isClosed = false

  async function readOnce<T>(client: PoolClient, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const tx = new Connection(client, words)
    begin(database, client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    client.query({ name: 'settings', text: READ_SETTINGS, values: [space] }).catch(() => {})
    try {
      return await work(tx)
    } finally {
      // The response is not awaited.
      endTransaction(client, 'COMMIT')
    }
  }

  async function readInSnapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const client = await database.acquire()
      try {
        return await readOnce(client, work)
      } catch (error) {
        if (attempt === CONNECTION_ATTEMPTS || !(error instanceof StorageFault) || !isTransient(error.cause))
          throw error
      }
    }
  }

  return {
    read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      if (isClosed) return Promise.reject(spaceClosed())
      return activeReads.track(readInSnapshot(work))
    },
    write: (work, how) => (isClosed ? Promise.reject(spaceClosed()) : writes.run(work, how)),
    isPresent: () => !writes.isGone,
    onChange: options.onChange,
    async close() {
      isClosed = true
      await Promise.all([activeReads.idle(), writes.idle()])
      await options.close()
    },
  }
}

const spaceClosed = (): ScriptoriumError =>
  new ScriptoriumError('SPACE_REPLACED', 'Expected an open space, found it closed; nothing was done, try again.')

/** Begins a transaction without waiting for the response. If it fails, the statements that follow fail as well. */
function begin(database: Database, client: PoolClient, text: string): void {
  client.query(quickQuery({ text })).catch((error) => {
    if (isConnectionLost(error)) database.distrustConnections(error)
  })
}

/** Ends a transaction that has no changes to keep, and releases the connection. */
function endTransaction(client: PoolClient, text: 'COMMIT' | 'ROLLBACK'): void {
  client.query(text).then(
    () => client.release(),
    () => client.release(true),
  )
}

/** A write transaction with its connection. */
class Write extends Connection {
  readonly client: PoolClient
  isEnded = false
  isBroken = false

  constructor(client: PoolClient, words: WordToolsLoader | undefined) {
    super(client, words)
    this.client = client
  }
}

/**
 * The writes of one process to one space. They wait in this queue instead of waiting for the pool, so that they use
 * only one connection, however many they are.
 */
class SpaceWrites extends GroupCommit<Write> {
  readonly #options: OpenStorageOptions
  isGone = false

  constructor(options: OpenStorageOptions) {
    super()
    this.#options = options
  }

  protected async begin(): Promise<Write> {
    const until = performance.now() + WRITE_WAIT_MS
    for (let attempt = 1; ; attempt++) {
      const client = await this.#options.database.acquire()
      try {
        return await this.#lockSpace(client)
      } catch (error) {
        if (!(error instanceof StorageFault)) throw error
        if (sqlState(error.cause) === LOCK_TIMEOUT) {
          if (await this.#isTableLocked()) throw translateError(error.cause)
          // Another write holds the space: a long one, or one of a process that is gone.
          if (performance.now() >= until) throw lockTimeout(error.cause as Error)
          attempt = 0
        } else if (attempt >= CONNECTION_ATTEMPTS || !isTransient(error.cause)) throw error
      }
    }
  }

  async #lockSpace(client: PoolClient): Promise<Write> {
    const { database, space, words } = this.#options
    begin(database, client, BEGIN_WRITE)
    try {
      const { rows } = await client.query({ name: 'lock', text: LOCK, values: [space] })
      if (rows.length > 0) return new Write(client, words)
      this.isGone = true
      throw spaceGone()
    } catch (error) {
      endTransaction(client, 'ROLLBACK')
      throw translateError(error)
    }
  }

  /** True if another program has locked the whole table whose rows are the locks of spaces. */
  async #isTableLocked(): Promise<boolean> {
    try {
      await this.#options.database.withClient((client) => client.query(TRY_TABLE))
      return false
    } catch (error) {
      if (error instanceof StorageFault && sqlState(error.cause) === LOCK_TIMEOUT) return true
      throw error
    }
  }

  protected isOpen(tx: Write): boolean {
    return !tx.isLost && !tx.isEnded
  }

  protected async setSavepoint(tx: Write): Promise<void> {
    await tx.query('SAVEPOINT one')
  }

  protected async releaseSavepoint(tx: Write): Promise<void> {
    await tx.query('RELEASE one')
  }

  protected async rollBackToSavepoint(tx: Write): Promise<void> {
    await tx.query('ROLLBACK TO one')
    await tx.query('RELEASE one')
  }

  protected async complete(tx: Write): Promise<void> {
    await tx.words.indexPending()
    await tx.checkReferences()
  }

  protected discard(tx: Write): void {
    tx.words.discardPending()
  }

  protected async commit(tx: Write): Promise<void> {
    const hasChanged = tx.changes > 0
    const { sealing } = hasChanged ? await sealEntries(tx) : {}
    sealing?.catch(() => {})
    // Not awaited: if it fails, COMMIT rolls back, and this error is the reason.
    const counting = hasChanged ? tx.query(COUNT_CHANGE) : undefined
    counting?.catch(() => {})
    try {
      const { command } = await tx.client.query('COMMIT')
      tx.isEnded = true
      await sealing
      await counting
      // The database answers with another command if a statement failed unnoticed.
      if (command !== 'COMMIT') throw new Error('Expected to commit a transaction, found one that had failed.')
    } catch (error) {
      if (!isConnectionLost(error)) throw translateError(error)
      tx.isEnded = true
      tx.isBroken = true
      throw new CommitUnknown(error as Error)
    } finally {
      // Also if the outcome is unknown, since no other process would notify.
      if (hasChanged) this.#options.notifyChanged()
    }
  }

  protected async rollBack(tx: Write): Promise<void> {
    tx.isEnded = true
    await tx.client.query('ROLLBACK').catch(() => {})
  }

  protected end(tx: Write): void {
    // A connection in an unknown state is not reused.
    tx.client.release(tx.isLost || tx.isBroken || !tx.isEnded)
  }
}

const lockTimeout = (cause: Error): StorageFault =>
  new StorageFault(
    'CONFLICT',
    'Expected to write within 30 seconds, found the space held by another process all that time; nothing was written, try again.',
    cause,
  )
