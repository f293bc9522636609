/**
 * The bytes of a space's files, in any kind of storage. They are stored under their SHA-256, so equal bytes are stored
 * only once.
 */
import type { Readable } from 'node:stream'
import type { Transaction } from '../transaction.ts'
import type { ByteRange } from './checked-files.ts'

/** Bytes that were written but not committed yet. */
export interface WrittenFile {
  /** SHA-256 of all bytes, in hex. */
  hash: string
  size: number
  /** The first bytes: enough to detect the file type. */
  head: Uint8Array
  /** Deletes the bytes, unless they were committed. */
  discard(): Promise<void>
}

export class SizeLimitExceeded extends Error {}

export interface FileBytes {
  /** Maximum size of a file in bytes. The limit of a server may be lower. */
  readonly maxSize: number
  /**
   * Writes the bytes of a stream.
   *
   * @throws {SizeLimitExceeded} beyond `limit` bytes; errors of the stream. No bytes are left then.
   */
  write(stream: AsyncIterable<Uint8Array>, limit: number): Promise<WrittenFile>
  /** Stores written bytes permanently. @param tx  the transaction that inserts a row for them */
  commit(written: WrittenFile, tx: Transaction): Promise<void>
  /**
   * Streams a range of the bytes, by default all of them, verified. Must not be called within a transaction.
   *
   * @throws {FileDamaged} for missing or altered bytes
   */
  read(file: { hash: string; size: number }, range?: ByteRange): Promise<Readable>
  /** All of the bytes, verified. @throws {FileDamaged} for missing or altered bytes */
  readAll(hash: string, tx: Transaction, size: number): Promise<Buffer>
  /**
   * Must not be called within a transaction.
   *
   * @throws {FileDamaged} for missing bytes or a wrong size; they are not read
   */
  verifyPresent(file: { hash: string; size: number }): Promise<void>
  /** True if bytes with this hash are stored. Must not be called within a transaction. */
  has(hash: string): Promise<boolean>
  /**
   * Removes bytes that no row refers to.
   *
   * @param referenced  hashes in rows of the space
   * @param tx  a transaction that may write
   * @returns the number of removed files
   */
  deleteUnreferenced(referenced: ReadonlySet<string>, tx: Transaction): Promise<number>
  /**
   * Deletes a batch of bytes that nothing needs: those of calls that failed long ago, and of files whose removal by
   * {@link deleteUnreferenced} is committed. Must not be called within a transaction.
   *
   * @returns the number of deletions; call it again until it is 0
   */
  sweep(): Promise<number>
  /** True if any bytes are stored, including those that a sweep would delete. */
  hasFiles(): Promise<boolean>
  close(): Promise<void>
}
