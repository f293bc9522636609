/**
 * Up to which call of the history each connection has read or written what: blocks, folders, views and whatever else has
 * an ID. Kept in memory, as a connection is, and bounded: what is not known counts as never read.
 */
import type { AccessLink } from './access-link.ts'

/** A connection: a session or a process, or for calls without either all that use one link. */
export type RowReader = Pick<AccessLink, 'connection' | 'id'>

/** IDs that are kept per space, with what each connection has seen of them: about 10 MB. */
const MAX_IDS = 200_000

/** IDs that are noted of one call. What a longer answer shows besides counts as not read. */
const MAX_IDS_PER_CALL = 5_000

/** The number of a call for each ID, by connection. The connections that were active last are kept. */
class CallsById {
  readonly #maxIds: number
  readonly #readers = new Map<string, Map<number, number>>()
  #size = 0

  constructor(maxIds: number) {
    this.#maxIds = maxIds
  }

  get(reader: RowReader, id: number): number | undefined {
    return this.#readers.get(keyOf(reader))?.get(id)
  }

  set(reader: RowReader, ids: Iterable<number>, call: number): void {
    const key = keyOf(reader)
    const calls = this.#readers.get(key) ?? new Map<number, number>()
    this.#readers.delete(key)
    this.#readers.set(key, calls)
    for (const id of ids) {
      if (!calls.delete(id)) this.#size++
      calls.set(id, call)
    }
    while (this.#size > this.#maxIds) this.#dropOldest()
  }

  #dropOldest(): void {
    for (const [key, calls] of this.#readers) {
      for (const id of calls.keys()) {
        calls.delete(id)
        this.#size--
        break
      }
      if (calls.size === 0) this.#readers.delete(key)
      return
    }
  }
}

const keyOf = ({ connection = '', id = '' }: RowReader): string => JSON.stringify([connection, id])

/** What the connections of a space have read and written. */
export class SeenRows {
  readonly #reads: CallsById
  readonly #writes: CallsById

  constructor(maxIds = MAX_IDS) {
    this.#reads = new CallsById(maxIds / 2)
    this.#writes = new CallsById(maxIds / 2)
  }

  /** The last call that a connection knew when it read something. Undefined if it never did. */
  lastRead(reader: RowReader, id: number): number | undefined {
    return this.#reads.get(reader, id)
  }

  /** The same for what it has read or written. */
  lastSeen(reader: RowReader, id: number): number | undefined {
    const [read, written] = [this.#reads.get(reader, id), this.#writes.get(reader, id)]
    return read === undefined || written === undefined ? (read ?? written) : Math.max(read, written)
  }

  noteReads(reader: RowReader, ids: Iterable<number>, call: number): void {
    this.#reads.set(reader, ids, call)
  }

  noteWrites(reader: RowReader, ids: Iterable<number>, call: number): void {
    this.#writes.set(reader, ids, call)
  }
}

/** What one call has shown and written. It counts for later calls once the call is committed. */
export class RowsOfCall {
  readonly #before: SeenRows
  readonly #shown = new Set<number>()
  #written: { ids: readonly number[]; call: number; isShown: boolean } | undefined

  constructor(before = new SeenRows()) {
    this.#before = before
  }

  get hasShown(): boolean {
    return this.#shown.size > 0
  }

  lastRead(reader: RowReader, id: number): number | undefined {
    return this.#before.lastRead(reader, id)
  }

  lastSeen(reader: RowReader, id: number): number | undefined {
    return this.#before.lastSeen(reader, id)
  }

  /** Notes that the answer shows everything of these, as it is now. */
  show(ids: Iterable<number>): void {
    for (const id of ids) {
      if (this.#shown.size >= MAX_IDS_PER_CALL) return
      this.#shown.add(id)
    }
  }

  /** @param isShown  true if the answer shows everything of them to the one client that has this connection */
  write(ids: readonly number[], call: number, isShown: boolean): void {
    this.#written = { ids: ids.slice(0, MAX_IDS_PER_CALL), call, isShown }
  }

  /** Call it once a call that reads has ended. @param call  the last one that it could see */
  keepReads(reader: RowReader, call: number): void {
    this.#before.noteReads(reader, this.#shown, call)
  }

  /** Call it once a call that writes is committed. */
  keepWrites(reader: RowReader): void {
    if (this.#written === undefined) return
    const { ids, call, isShown } = this.#written
    this.#before.noteWrites(reader, ids, call)
    if (isShown) this.#before.noteReads(reader, ids, call)
  }
}
