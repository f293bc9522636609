/** Opens a space file, with read and write transactions. */
import { setTimeout as delay } from 'node:timers/promises'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { ActiveReads } from '../active-reads.ts'
import { sealEntries } from '../log-chain.ts'
import { pollEvery } from '../poll-changes.ts'
import type { Storage, WriteOptions } from '../storage.ts'
import type { Transaction } from '../transaction.ts'
import type { TextExtractor } from '../word-index.ts'
import { TransactionCounter } from './change-counter.ts'
import { type Connection, openReader } from './connection.ts'
import { FilePresence, spaceClosed } from './file-presence.ts'
import { FileGroupCommit } from './group-commit.ts'
import { IdleCheckpoint } from './idle-checkpoint.ts'
import { isBusy, isShortRead, type OpenFileOptions, openWriter } from './open-database.ts'

/** Milliseconds that a write waits for the lock while another process writes. */
const WRITE_WAIT_MS = 30_000
/** Milliseconds between two attempts to acquire the lock, at most. Bulk writes of other processes pause longer. */
const MAX_PAUSE_MS = 16
/** Milliseconds between two polls of the number of the last change. A poll costs some microseconds. */
const POLL_INTERVAL_MS = 100
/**
 * Idle read connections that stay open. More are opened while more calls read at once.
 *
 * Few are needed, however many clients there are: a read holds its connection across turns of the event loop only when
 * it yields, and one call does so every ten milliseconds. Opening a connection costs little compared to such a long
 * read. With 100 clients, 16 or 128 idle connections gained nothing measurable, and each may hold 16 MB of pages.
 */
const MAX_IDLE_READERS = 4
/** Milliseconds without a read after which idle read connections are closed, and their pages given back. */
const READERS_IDLE_MS = 30_000

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
  if (words !== undefined) writer.words.enable(words)
  const transactionChange = new TransactionCounter()
  const presence = file === ':memory:' ? undefined : new FilePresence(file, writer)
  const groupCommit = new FileGroupCommit(writer, {
    async begin() {
      presence?.check('nothing was written')
      presence?.checkLog('nothing was written')
      await beginImmediate(writer)
      transactionChange.begin(writer)
    },
    beforeRelease: (connection) => connection.words.indexPending(),
    async beforeCommit(tx) {
      if (!transactionChange.hasChanged(tx)) return
      await (await sealEntries(tx)).sealing
      transactionChange.count(tx)
    },
    afterCommit() {
      transactionChange.afterCommit()
      presence?.check('what this call wrote may be lost')
    },
    discard: (connection) => connection.words.discardPending(),
  })
  const readers: Connection[] = []
  const closeReaders = () => {
    for (const reader of readers.splice(0)) reader.sqlite.close()
  }
  let readersIdle: NodeJS.Timeout | undefined
  const activeReads = new ActiveReads()

  let isClosed = false
  const write = async <T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T> => {
    if (isClosed) throw spaceClosed()
    return groupCommit.run(work, options)
  }

  async function readInSnapshot<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
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
      readersIdle ??= setTimeout(closeReaders, READERS_IDLE_MS).unref()
      readersIdle.refresh()
    }
  }

  const read = <T>(work: (tx: Transaction) => Promise<T>) => activeReads.track(readInSnapshot(work))

  // Files created before the index existed have none.
  const onIndexed = (done: number, total: number) => options?.onMigration?.({ step: 'indexing', done, total })
  if (words !== undefined && writer.words.needsIndex()) await write(() => writer.words.indexAll(onIndexed))
  if (words !== undefined && writer.words.hasUnindexed()) await write(() => writer.words.indexUnindexed(onIndexed))

  const idleCheckpoint = file === ':memory:' ? undefined : new IdleCheckpoint(writer, file)

  return {
    // An in-memory database belongs to one connection, so reads are serialized with writes.
    read: file === ':memory:' ? write : read,
    write,
    isPresent: () => presence?.problem === undefined,
    onChange: pollEvery(POLL_INTERVAL_MS),
    async close() {
      idleCheckpoint?.stop()
      isClosed = true
      await Promise.all([activeReads.idle(), groupCommit.idle()])
      clearTimeout(readersIdle)
      closeReaders()
      presence?.checkpointAbandonedLog()
      writer.sqlite.close()
      presence?.removeAbandonedLog()
    },
  }
}

/** SQLite's own wait blocks this thread, so it is short. Longer waits must leave the event loop free. */
async function beginImmediate(writer: Connection): Promise<void> {
  const deadline = Date.now() + WRITE_WAIT_MS
  for (let pause = 1; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
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
async function endRead<T>(connection: Connection, work: (tx: Connection) => Promise<T>): Promise<T> {
  try {
    return await work(connection)
  } finally {
    // After some errors SQLite has already rolled back.
    if (connection.sqlite.inTransaction) connection.sql('COMMIT').run()
  }
}
