/**
 * An open space file, with read and write transactions.
 *
 * Everything is awaited although SQLite is synchronous, so that another engine can provide the same functions. Nothing
 * slow may happen inside a transaction: parsing and hashing come before it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ScriptoriumError } from '../src/base/errors.ts'
import {
  discardPending,
  enableIndexing,
  indexAll,
  indexPending,
  needsIndex,
  type TextExtractor,
} from './search/word-index.ts'
import { TransactionCounter } from './sqlite/change-counter.ts'
import { type Connection, openReader, type Transaction } from './sqlite/connection.ts'
import { FilePresence, spaceClosed } from './sqlite/file-presence.ts'
import { GroupCommit } from './sqlite/group-commit.ts'
import { IdleCheckpoint } from './sqlite/idle-checkpoint.ts'
import { isBusy, isShortRead, type OpenFileOptions, openWriter } from './sqlite/open-database.ts'

export type { Transaction }

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
   * @throws {ScriptoriumError} CONFLICT when another process locks the space for longer than {@link WRITE_WAIT_MS}.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** True while the file that was opened, and its write-ahead log, are still at its path. */
  isPresent(): boolean
  /**
   * Waits for running transactions, then closes. The last process to close leaves one file without a write-ahead log.
   */
  close(): Promise<void>
}

/** Milliseconds that a write waits for a write of another process. */
const WRITE_WAIT_MS = 30_000
/**
 * Idle read connections that stay open. More are opened while more calls read at once.
 *
 * Few are needed, however many clients there are: a read holds its connection across turns of the event loop only when
 * it yields, and one call does so every ten milliseconds. Opening a connection costs little compared to such a long
 * read. With 100 clients, 16 or 128 idle connections gained nothing measurable, and each may hold 16 MB of pages.
 */
const MAX_IDLE_READERS = 4

/**
 * @param words  loads the function that extracts a block's text for the index, when there is something to index; if
 * absent, nothing is indexed
 */
export async function openStorage(
  file: string,
  words?: () => Promise<TextExtractor>,
  options?: OpenFileOptions,
): Promise<Storage> {
  const writer = await openWriter(file, options)
  if (words !== undefined) enableIndexing(writer, words)
  const transactionChange = new TransactionCounter()
  const presence = file === ':memory:' ? undefined : new FilePresence(file, writer)
  const groupCommit = new GroupCommit(writer, {
    async begin() {
      presence?.check('nothing was written')
      presence?.checkLog('nothing was written')
      await beginImmediate(writer)
      transactionChange.begin(writer)
    },
    beforeRelease: indexPending,
    beforeCommit: (tx) => transactionChange.beforeCommit(tx),
    afterCommit() {
      transactionChange.afterCommit()
      presence?.check('what this call wrote may be lost')
    },
    discard: discardPending,
  })
  const readers: Connection[] = []
  const activeReads = new Set<Promise<unknown>>()

  let isClosed = false
  const write = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    if (isClosed) throw spaceClosed()
    return groupCommit.run(work)
  }

  async function readInSnapshot<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (isClosed) throw spaceClosed()
    presence?.checkOncePerTick('nothing was read')
    let reader = readers.pop()
    try {
      const isNew = reader === undefined
      reader ??= openReader(file)
      reader.sql('BEGIN').run()
      return await endRead(reader, (tx) => {
        transactionChange.checkRead(tx)
        // A new connection may have opened another file.
        if (isNew) presence?.check('nothing was read')
        return work(tx)
      })
    } catch (error) {
      if (isShortRead(error)) presence?.checkLog('nothing was read')
      throw error
    } finally {
      if (readers.length < MAX_IDLE_READERS && reader !== undefined) readers.push(reader)
      else reader?.sqlite.close()
    }
  }

  const read = <T>(work: (tx: Transaction) => Promise<T>) => {
    const result = readInSnapshot(work)
    const done: Promise<unknown> = result.then(
      () => activeReads.delete(done),
      () => activeReads.delete(done),
    )
    activeReads.add(done)
    return result
  }

  // Files created before the index existed have none.
  if (words !== undefined && needsIndex(writer)) await write(indexAll)

  const idleCheckpoint = file === ':memory:' ? undefined : new IdleCheckpoint(writer, file)

  return {
    // An in-memory database belongs to one connection, so reads are serialized with writes.
    read: file === ':memory:' ? write : read,
    write,
    isPresent: () => presence?.problem === undefined,
    async close() {
      idleCheckpoint?.stop()
      isClosed = true
      await Promise.all([...activeReads, groupCommit.idle()])
      for (const reader of readers.splice(0)) reader.sqlite.close()
      presence?.checkpointAbandonedLog()
      writer.sqlite.close()
      presence?.removeAbandonedLog()
    },
  }
}

/** SQLite's own wait blocks this thread, so it is short. Longer waits must leave the event loop free. */
async function beginImmediate(writer: Connection): Promise<void> {
  const deadline = Date.now() + WRITE_WAIT_MS
  for (let pause = 1; ; pause = Math.min(pause * 2, 32)) {
    try {
      writer.sql('BEGIN IMMEDIATE').run()
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (Date.now() > deadline) {
        throw new ScriptoriumError(
          'CONFLICT',
          'Expected to write within 30 seconds, found the space held by another process all that time; nothing was written, try again.',
        )
      }
    }
    await delay(pause * (0.5 + Math.random() / 2))
  }
}

/** Runs the work of a read transaction and ends the transaction. */
async function endRead<T>(connection: Connection, work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await work(connection)
  } finally {
    // After some errors SQLite has already rolled back.
    if (connection.sqlite.inTransaction) connection.sql('COMMIT').run()
  }
}
