/**
 * Stores bytes of files in a bucket. Each content is a separate object, which is never overwritten and which a row
 * names.
 *
 * Before an object is uploaded, it is recorded as unreferenced, and the transaction that names it for a file deletes
 * that record. So every object has a row in one of the two tables, whatever fails in between. Objects that no file has
 * are deleted after a delay, without listing the bucket. No write transaction waits for the bucket.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ScriptoriumError } from '../../src/base/errors.ts'
import type { Bucket } from '../bucket/bucket.ts'
import { BucketError } from '../bucket/bucket-errors.ts'
import { type ByteRange, checkHash, FileDamaged, MAX_WHOLE_READ } from '../bytes/checked-files.ts'
import type { WrittenFile } from '../bytes/file-bytes.ts'
import { type ReceivedFile, receiveFile } from '../bytes/receive-file.ts'
import type { Storage } from '../storage.ts'
import type { Transaction } from '../transaction.ts'
import { DatabaseFileBytes, onDatabase } from './file-bytes.ts'

/** Bytes that one request can store at most. Source: Amazon S3 User Guide, Uploading objects. */
export const BUCKET_FILE_BYTES = 5 * 1024 ** 3
/** Maximum number of objects that one sweep deletes, and how many of them it deletes at the same time. */
const SWEPT_AT_ONCE = 500
const DELETIONS_AT_ONCE = 8

/** A record lasts a day: enough for a call to end, and for readers of a replaced object to finish. */
const NOTE = `INSERT INTO unreferenced_object (object, delete_after)
  SELECT id || '/' || $1, now() + interval '1 day' FROM space RETURNING object`
/** Only works up to an hour before a sweep may delete the object: no transaction takes that long. */
const TAKE = `DELETE FROM unreferenced_object WHERE object = $1 AND delete_after > now() + interval '1 hour'`
const REPLACE = `WITH replaced AS (SELECT object FROM file_bytes WHERE hash = $1 AND object IS NOT NULL)
  INSERT INTO unreferenced_object (object, delete_after) SELECT object, now() + interval '1 day' FROM replaced`
const NAME = `INSERT INTO file_bytes (hash, object) VALUES ($1, $2)
  ON CONFLICT (space, hash) DO UPDATE SET object = excluded.object, bytes = NULL`
const OBJECT = 'SELECT object FROM file_bytes WHERE hash = $1 AND object IS NOT NULL'
const DUE = `SELECT object FROM unreferenced_object WHERE delete_after <= now() ORDER BY delete_after, object LIMIT ${SWEPT_AT_ONCE}`
const FORGET = 'DELETE FROM unreferenced_object WHERE object = ANY($1::text[])'

export class BucketFileBytes extends DatabaseFileBytes {
  override readonly maxSize = BUCKET_FILE_BYTES
  readonly #bucket: Bucket
  /** The objects of files that were written but not committed yet. */
  readonly #uploaded = new WeakMap<WrittenFile, string>()

  constructor(storage: Pick<Storage, 'read' | 'write'>, bucket: Bucket) {
    super(storage)
    this.#bucket = bucket
  }

  override async write(stream: AsyncIterable<Uint8Array>, limit: number): Promise<WrittenFile> {
    const path = join(tmpdir(), `scriptorium-upload-${randomBytes(16).toString('hex')}`)
    try {
      const file = await open(path, 'wx', 0o600)
      const limited = receiveFile(file, stream, Math.min(limit, BUCKET_FILE_BYTES))
      const received = await limited.finally(() => file.close())
      const object = await this.#note(received)
      // Each attempt opens the file: a stream that ends early closes the handle that it reads.
      await this.#bucket.put(object, { ...received, open: () => createReadStream(path) })
      const written: WrittenFile = {
        ...received,
        discard: async () => {
          // If this fails, a sweep deletes the object later.
          if (this.#uploaded.delete(written)) await this.#delete([object]).catch(() => {})
        },
      }
      this.#uploaded.set(written, object)
      return written
    } finally {
      await rm(path, { force: true })
    }
  }

  override async commit(written: WrittenFile, tx: Transaction): Promise<void> {
    const object = this.#uploaded.get(written)
    if (object === undefined) throw new Error('Expected bytes that were written here and not yet kept.')
    const database = onDatabase(tx)
    if ((await database.query(TAKE, [object])).rowCount !== 1) throw uploadTooOld()
    await database.query(REPLACE, [written.hash])
    await database.query(NAME, [written.hash, object])
    // If the transaction is rolled back, the record of the object is restored.
    this.#uploaded.delete(written)
  }

  override async read(file: { hash: string; size: number }, range?: ByteRange): Promise<Readable> {
    const { hash, size } = file
    const object = await this.#find(hash)
    if (object === undefined) return super.read(file, range)
    if (size <= MAX_WHOLE_READ) {
      const bytes = await this.#readWhole(object, file)
      const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
      return Readable.from(part.byteLength === 0 ? [] : [part], { objectMode: false })
    }
    if (range === undefined || (range.start === 0 && range.end >= size - 1)) {
      return (await this.#streamChecked(object, file)).stream
    }
    const etag = await verifyOnce(object, async () => {
      const whole = await this.#streamChecked(object, file)
      for await (const _ of whole.stream);
      return whole.etag
    })
    const part = await this.#bucket.get(object, range)
    if (part === undefined) throw missing()
    if (part.etag === etag && part.size === size) return part.body
    part.body.destroy()
    throw altered()
  }

  override async readAll(hash: string, tx: Transaction, size: number): Promise<Buffer> {
    const object = await objectOf(hash, tx)
    return object === undefined ? super.readAll(hash, tx, size) : this.#readWhole(object, { hash, size })
  }

  override async verifyPresent(file: { hash: string; size: number }): Promise<void> {
    const object = await this.#find(file.hash)
    if (object === undefined) return super.verifyPresent(file)
    const size = await this.#bucket.size(object)
    if (size === undefined) throw missing()
    if (size !== file.size) throw altered()
  }

  override async sweep(): Promise<number> {
    const due = await this.storage.read(async (tx) => (await onDatabase(tx).query<{ object: string }>(DUE)).rows)
    if (due.length > 0) await this.#delete(due.map(({ object }) => object))
    return due.length
  }

  /** Records an object that is about to be uploaded. @returns its name */
  #note({ hash }: ReceivedFile): Promise<string> {
    const name = nameObject(hash)
    return this.storage.write(async (tx) => {
      const { rows } = await onDatabase(tx).query<{ object: string }>(NOTE, [name])
      if (rows[0] === undefined) throw new Error('Expected the row of the space, found none.')
      return rows[0].object
    })
  }

  /** Deletes as many objects as possible. @throws the first error, once the deleted objects are forgotten */
  async #delete(objects: readonly string[]): Promise<void> {
    const deleted: string[] = []
    const errors: Error[] = []
    const remove = (object: string) =>
      this.#bucket.delete(object).then(
        () => deleted.push(object),
        (error: Error) => errors.push(error),
      )
    for (let start = 0; start < objects.length && errors.every(isOfOneObject); start += DELETIONS_AT_ONCE) {
      await Promise.all(objects.slice(start, start + DELETIONS_AT_ONCE).map(remove))
    }
    if (deleted.length > 0) await this.storage.write((tx) => onDatabase(tx).query(FORGET, [deleted]))
    if (errors[0] !== undefined) throw errors[0]
  }

  #find(hash: string): Promise<string | undefined> {
    return this.storage.read((tx) => objectOf(hash, tx))
  }

  async #readWhole(object: string, { hash, size }: { hash: string; size: number }): Promise<Buffer> {
    const bytes = await this.#bucket.readAll(object, size)
    if (bytes === undefined) throw (await this.#bucket.size(object)) === undefined ? missing() : altered()
    const checked = checkHash(Readable.from([bytes], { objectMode: false }), hash, altered())
    return Buffer.concat(await checked.toArray())
  }

  async #streamChecked(object: string, { hash, size }: { hash: string; size: number }) {
    const found = await this.#bucket.get(object)
    if (found === undefined) throw missing()
    if (found.size !== size) {
      found.body.destroy()
      throw altered()
    }
    return { stream: checkHash(found.body, hash, altered()), etag: found.etag }
  }
}

/** A unique name for an object, to follow the ID of the space. @param hash  hash of the object's bytes */
export const nameObject = (hash: string): string => `${hash}-${randomBytes(8).toString('hex')}`

/** True for an error that other objects may not meet: a bucket may refuse to delete one that is locked. */
const isOfOneObject = ({ cause }: Error): boolean => cause instanceof BucketError && cause.failure === 'refused'

const missing = (): FileDamaged => new FileDamaged('missing', 'in the bucket')
const altered = (): FileDamaged => new FileDamaged('altered', 'in the bucket')

const uploadTooOld = (): ScriptoriumError =>
  new ScriptoriumError(
    'CONFLICT',
    'Expected a call that adds a file to end within 23 hours of its upload, found a longer one; nothing was written, send the file again.',
  )

const objectOf = async (hash: string, tx: Transaction): Promise<string | undefined> =>
  (await onDatabase(tx).query<{ object: string }>(OBJECT, [hash])).rows[0]?.object

/** ETags of objects whose whole content was verified. Media players request many ranges of one file. */
const verifiedTags = new Map<string, Promise<string>>()
const MAX_VERIFIED = 1000

function verifyOnce(object: string, verify: () => Promise<string>): Promise<string> {
  let verifying = verifiedTags.get(object)
  if (verifying === undefined) {
    verifying = verify()
    verifiedTags.set(object, verifying)
    verifying.catch(() => verifiedTags.delete(object))
    const [oldest] = verifiedTags.keys()
    if (verifiedTags.size > MAX_VERIFIED && oldest !== undefined) verifiedTags.delete(oldest)
  }
  return verifying
}
