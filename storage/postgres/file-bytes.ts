/**
 * Stores bytes of files in the database, next to the rows that name them. For small files, if there is no other place.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { FILE_HEAD_BYTES } from '../../src/base/limits.ts'
import { type ByteRange, FileDamaged } from '../bytes/checked-files.ts'
import { type FileBytes, SizeLimitExceeded, type WrittenFile } from '../bytes/file-bytes.ts'
import type { Storage } from '../storage.ts'
import type { Transaction } from '../transaction.ts'
import type { DatabaseTransaction } from './database-transaction.ts'

/** Maximum size of a file, in bytes. */
export const DATABASE_FILE_BYTES = 1024 * 1024

const INSERT = 'INSERT INTO file_bytes (hash, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING'
const BYTES = 'SELECT bytes FROM file_bytes WHERE hash = $1'
const SIZE = 'SELECT octet_length(bytes) AS size FROM file_bytes WHERE hash = $1'
// Their objects are not read any more once this is committed.
const DELETE_OTHERS = `WITH gone AS (DELETE FROM file_bytes WHERE hash <> ALL($1::text[]) RETURNING object),
  noted AS (INSERT INTO unreferenced_object (object, delete_after) SELECT object, now() FROM gone WHERE object IS NOT NULL)
  SELECT count(*) AS count FROM gone`
const HAS_OBJECTS =
  'SELECT 1 AS one FROM file_bytes WHERE object IS NOT NULL UNION ALL SELECT 1 FROM unreferenced_object LIMIT 1'
const HAS_ANY = 'SELECT 1 AS one FROM file_bytes UNION ALL SELECT 1 FROM unreferenced_object LIMIT 1'

export class DatabaseFileBytes implements FileBytes {
  readonly maxSize: number = DATABASE_FILE_BYTES
  protected readonly storage: Pick<Storage, 'read' | 'write'>
  /** The bytes of files that were written but not committed yet. */
  readonly #written = new WeakMap<WrittenFile, Buffer>()

  constructor(storage: Pick<Storage, 'read' | 'write'>) {
    this.storage = storage
  }

  async write(stream: AsyncIterable<Uint8Array>, limit: number): Promise<WrittenFile> {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of stream) {
      size += chunk.byteLength
      if (size > Math.min(limit, DATABASE_FILE_BYTES)) throw new SizeLimitExceeded()
      // The stream may reuse the memory of a chunk.
      chunks.push(Buffer.from(chunk))
    }
    const bytes = Buffer.concat(chunks)
    const written: WrittenFile = {
      hash: createHash('sha256').update(bytes).digest('hex'),
      size,
      head: bytes.subarray(0, FILE_HEAD_BYTES),
      discard: async () => void this.#written.delete(written),
    }
    this.#written.set(written, bytes)
    return written
  }

  async commit(written: WrittenFile, tx: Transaction): Promise<void> {
    const bytes = this.#written.get(written)
    if (bytes === undefined) throw new Error('Expected bytes that were written here and not yet kept.')
    await onDatabase(tx).query(INSERT, [written.hash, bytes])
  }

  async read({ hash, size }: { hash: string; size: number }, range?: ByteRange): Promise<Readable> {
    const bytes = await this.storage.read((tx) => this.readAll(hash, tx, size))
    if (bytes.byteLength !== size) throw new FileDamaged('altered')
    const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
    return Readable.from(part.byteLength === 0 ? [] : [part], { objectMode: false })
  }

  async readAll(hash: string, tx: Transaction, _size: number): Promise<Buffer> {
    const bytes = (await onDatabase(tx).query<{ bytes: Buffer | null }>(BYTES, [hash])).rows[0]?.bytes
    if (bytes === null) throw bucketNotNamed()
    if (bytes === undefined) throw new FileDamaged('missing')
    if (createHash('sha256').update(bytes).digest('hex') !== hash) throw new FileDamaged('altered')
    return bytes
  }

  async verifyPresent({ hash, size }: { hash: string; size: number }): Promise<void> {
    const found = await this.storage.read(
      async (tx) => (await onDatabase(tx).query<{ size: number | null }>(SIZE, [hash])).rows[0]?.size,
    )
    if (found === null) throw bucketNotNamed()
    if (found === undefined) throw new FileDamaged('missing')
    if (found !== size) throw new FileDamaged('altered')
  }

  has(hash: string): Promise<boolean> {
    return this.storage.read(async (tx) => (await onDatabase(tx).query(SIZE, [hash])).rows.length > 0)
  }

  async deleteUnreferenced(referenced: ReadonlySet<string>, tx: Transaction): Promise<number> {
    return (await onDatabase(tx).query<{ count: number }>(DELETE_OTHERS, [[...referenced]])).rows[0]?.count ?? 0
  }

  /** Nothing to do: rows in the database are deleted within their transaction. */
  async sweep(): Promise<number> {
    return 0
  }

  hasFiles(): Promise<boolean> {
    return this.storage.read(async (tx) => (await onDatabase(tx).query(HAS_ANY)).rows.length > 0)
  }

  async close(): Promise<void> {}
}

const bucketNotNamed = (): ScriptoriumError =>
  new ScriptoriumError(
    'STORAGE_UNAVAILABLE',
    'Expected the bucket that has the bytes of the file, found a server without one; ask the person who runs it to name it with --files-bucket.',
  )

/** True if any file of the space is in a bucket. */
export const hasObjects = async (tx: Transaction): Promise<boolean> =>
  (await onDatabase(tx).query(HAS_OBJECTS)).rows.length > 0

export const onDatabase = (tx: Transaction): DatabaseTransaction => tx as DatabaseTransaction
