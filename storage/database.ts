/**
 * A space's file, open: reading and writing transactions on it.
 *
 * Awaited everywhere although SQLite answers at once, so that a second engine can stand behind the same functions.
 * Nothing slow may happen inside a transaction: parsing and hashing come before it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ScriptoriumError } from '../src/base/errors.ts'
import { forgetPending, indexAll, indexPending, keepIndex, needsIndex, type Words } from './search/word-index.ts'
import { TransactionChange } from './sqlite/change-counter.ts'
import { type Connection, openReader, type Transaction } from './sqlite/connection.ts'
import { FilePresence, spaceClosed } from './sqlite/file-presence.ts'
import { GroupCommit } from './sqlite/group-commit.ts'
import { IdleCheckpoint } from './sqlite/idle-checkpoint.ts'
import { isBusy, isShortRead, type OpenFileOptions, openWriter } from './sqlite/open-database.ts'

export type { Transaction }

export interface Storage {
  /** One snapshot, on a connection of its own: a long read holds nobody up, and nobody changes what it sees. */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * From BEGIN IMMEDIATE to a COMMIT that is on the disk, one after another over all processes; undone whole when
   * `work` throws. Writes that wait at the same time share one COMMIT.
   *
   * @throws {ScriptoriumError} CONFLICT when another process holds the space for longer than {@link WRITE_WAIT_MS}.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Whether the file that was opened, and its log, still lie at its path. */
  isPresent(): boolean
  /** Waits for what is running, then closes; the last process to close leaves one file without a log beside it. */
  close(): Promise<void>
}

/** How long a write waits for another process's. Milliseconds. */
const WRITE_WAIT_MS = 30_000
/**
 * Idle reading connections that are kept; more are opened while more calls read at once. Few do, however many clients
 * there are: a read holds its connection across turns of the event loop only when it gives way, and one call does so in
 * ten milliseconds. Beside such a long read opening a connection costs little: keeping 16 or 128 gained nothing that
 * could be measured with 100 clients, and each may hold 16 MB of pages.
 */
const MAX_IDLE_READERS = 4

/** @param words  loads what is indexed of blocks, when there is something to index; without it nothing is */
export async function openStorage(
  file: string,
  words?: () => Promise<Words>,
  options?: OpenFileOptions,
): Promise<Storage> {
  const writer = await openWriter(file, options)
  if (words !== undefined) keepIndex(writer, words)
  const changes = new TransactionChange()
  const presence = file === ':memory:' ? undefined : new FilePresence(file, writer)
  const writes = new GroupCommit(writer, {
    async begin() {
      presence?.check('nothing was written')
      presence?.checkLog('nothing was written')
      await beginImmediate(writer)
      changes.begin(writer)
    },
    finish: indexPending,
    beforeCommit: (tx) => changes.beforeCommit(tx),
    afterCommit() {
      changes.afterCommit()
      presence?.check('what this call wrote may be lost')
    },
    forget: forgetPending,
  })
  const readers: Connection[] = []
  const reading = new Set<Promise<unknown>>()

  let isClosed = false
  const write = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    if (isClosed) throw spaceClosed()
    return writes.run(work)
  }

  async function readOnOwn<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (isClosed) throw spaceClosed()
    presence?.checkInTurn('nothing was read')
    let reader = readers.pop()
    try {
      const isNew = reader === undefined
      reader ??= openReader(file)
      reader.sql('BEGIN').run()
      return await finish(reader, (tx) => {
        changes.checkRead(tx)
        // It may have found another file.
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
    const result = readOnOwn(work)
    const settled: Promise<unknown> = result.then(
      () => reading.delete(settled),
      () => reading.delete(settled),
    )
    reading.add(settled)
    return result
  }

  // Of a file that was made before there was an index.
  if (words !== undefined && needsIndex(writer)) await write(indexAll)

  const idle = file === ':memory:' ? undefined : new IdleCheckpoint(writer, file)

  return {
    // A database in memory belongs to one connection: there reading waits its turn with writing.
    read: file === ':memory:' ? write : read,
    write,
    isPresent: () => presence?.fault === undefined,
    async close() {
      idle?.stop()
      isClosed = true
      await Promise.all([...reading, writes.idle()])
      for (const reader of readers.splice(0)) reader.sqlite.close()
      presence?.leaveLog()
      writer.sqlite.close()
      presence?.removeLeftLog()
    },
  }
}

/** SQLite waits a moment by itself, on this thread; longer waits must leave the event loop free. */
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

/** Ends a reading transaction with its work. */
async function finish<T>(connection: Connection, work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await work(connection)
  } finally {
    // SQLite has rolled back by itself after some errors.
    if (connection.sqlite.inTransaction) connection.sql('COMMIT').run()
  }
}
