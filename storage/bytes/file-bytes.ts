/** The bytes of a space's files, wherever they are stored: each under its SHA-256, so that equal bytes are stored once. */
import type { Readable } from 'node:stream'
import type { Transaction } from '../transaction.ts'
import type { ByteRange } from './checked-files.ts'

/** Bytes that were written and not yet kept. */
export interface WrittenFile {
  /** SHA-256 of all of them, in hex. */
  hash: string
  size: number
  /** The first bytes: enough to detect the file type. */
  head: Uint8Array
  /** Deletes the bytes, unless they were kept. */
  discard(): Promise<void>
}

/** Bytes that suffice to detect the type of a file and the dimensions of an image. */
export const HEAD_SIZE = 256 * 1024

export class SizeLimitExceeded extends Error {}

export interface FileBytes {
  /** Bytes of one file at most, whatever a server allows. */
  readonly maxSize: number
  /**
   * Writes the bytes of a stream.
   *
   * @throws {SizeLimitExceeded} beyond `limit` bytes; what the stream throws. Nothing is left then.
   */
  write(stream: AsyncIterable<Uint8Array>, limit: number): Promise<WrittenFile>
  /** Keeps written bytes. @param tx  the transaction that inserts a row for them */
  commit(written: WrittenFile, tx: Transaction): Promise<void>
  /**
   * Streams a range of the bytes, by default all. They are verified. Not to be called within a transaction.
   *
   * @throws {FileDamaged} for missing or altered bytes
   */
  read(file: { hash: string; size: number }, range?: ByteRange): Promise<Readable>
  /** All of the bytes, verified. @throws {FileDamaged} for missing or altered bytes */
  readAll(hash: string, tx: Transaction, size: number): Promise<Buffer>
  /** Not to be called within a transaction. @throws {FileDamaged} for missing bytes or a wrong size; they are not read */
  verifyPresent(file: { hash: string; size: number }): Promise<void>
  /** Not to be called within a transaction. */
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
   * Deletes bytes outside of transactions that nothing needs: of calls that failed long ago, and of files whose removal
   * by {@link deleteUnreferenced} is committed. Some of them at a time. Not to be called within a transaction.
   *
   * @returns how many it deleted; call it again until there are none
   */
  sweep(): Promise<number>
  /** True if there is anything to sweep. */
  hasFiles(): Promise<boolean>
  close(): Promise<void>
}
