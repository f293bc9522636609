/**
 * Reads files named by the SHA-256 of their bytes, and never returns altered bytes as valid.
 *
 * Small files are read and verified before their first byte is returned. Large files are verified while they are
 * streamed, in bounded memory: the last chunk is held back until all chunks are known to be valid, so a reader of an
 * altered file gets fewer bytes than announced, and an error. A range of a large file is returned once the whole file
 * has been verified, and fails if the file ends before the range does.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { pipeline, Readable, Transform } from 'node:stream'
import { ScriptoriumError } from '../../src/base/errors.ts'

/** Both ends inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** The bytes of a file are missing, or differ from those that were added. */
export class FileDamaged extends ScriptoriumError {
  readonly damage: 'missing' | 'altered'

  constructor(damage: 'missing' | 'altered', place: 'on the disk' | 'in the bucket' = 'on the disk') {
    const what = damage === 'missing' ? 'are missing' : 'were changed'
    super(
      'FILE_DAMAGED',
      `Expected the bytes of the file as they were added, found that they ${what} ${place} of this server; add the file again, or restore a backup (\`scriptorium doctor\` lists such files).`,
    )
    this.name = 'FileDamaged'
    this.damage = damage
  }
}

/** Files of up to this many bytes are read into memory at once. */
export const MAX_WHOLE_READ = 1024 * 1024

/**
 * Streams the bytes of a file, or a range of them. The stream of a large file fails with {@link FileDamaged} before its
 * end.
 *
 * @param size  size of the whole file when it was added
 * @throws {FileDamaged} for missing or altered bytes, if that is known before the first byte
 */
export async function readChecked(path: string, hash: string, size: number, range?: ByteRange): Promise<Readable> {
  await verifySize(path, size)
  if (size <= MAX_WHOLE_READ) {
    const bytes = await readWholeChecked(path, hash)
    const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
    return Readable.from(part.byteLength === 0 ? [] : [part], { objectMode: false })
  }
  if (range === undefined || (range.start === 0 && range.end >= size - 1)) return streamChecked(path, hash)
  await verifyOnce(path, hash)
  return streamPart(path, range)
}

/**
 * Reads all bytes into memory.
 *
 * @throws {FileDamaged}
 */
export async function readWholeChecked(path: string, hash: string): Promise<Buffer> {
  const bytes = await readFile(path).catch(throwMissing)
  if (createHash('sha256').update(bytes).digest('hex') !== hash) throw new FileDamaged('altered')
  return bytes
}

/** Reports whether the bytes are missing or altered; undefined if neither. Reads all of them, in bounded memory. */
export async function findDamage(path: string, hash: string): Promise<'missing' | 'altered' | undefined> {
  try {
    return (await hashFile(path)) === hash ? undefined : 'altered'
  } catch (error) {
    if (isMissing(error)) return 'missing'
    throw error
  }
}

/** The SHA-256 of a file, in hex. Reads it in bounded memory. */
export async function hashFile(path: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path)) digest.update(chunk)
  return digest.digest('hex')
}

/** @throws {FileDamaged} for a file that is missing or has another size; its bytes are not read */
export async function verifySize(path: string, size: number): Promise<void> {
  const stats = await stat(path).catch(throwMissing)
  if (stats.size !== size) throw new FileDamaged('altered')
}

/** Streams a range of a verified file, which may still be truncated during the read. The range ends within the file. */
function streamPart(path: string, range: ByteRange): Readable {
  let remaining = range.end - range.start + 1
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      remaining -= chunk.byteLength
      done(null, chunk)
    },
    flush(done) {
      if (remaining === 0) done()
      else done(new FileDamaged('altered'))
    },
  })
  // The reader of the stream receives any error.
  return pipeline(createReadStream(path, range), counting, () => {})
}

const streamChecked = (path: string, hash: string): Readable =>
  checkHash(createReadStream(path), hash, new FileDamaged('altered'))

/**
 * Passes on the bytes of a stream. The last chunk follows only once all bytes are known to have this SHA-256.
 *
 * @param damaged  the error with which the returned stream fails otherwise
 */
export function checkHash(stream: Readable, hash: string, damaged: FileDamaged): Readable {
  const digest = createHash('sha256')
  let lastChunk: Buffer | undefined
  const checking = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk)
      const ready = lastChunk
      lastChunk = chunk
      if (ready === undefined) done()
      else done(null, ready)
    },
    flush(done) {
      if (digest.digest('hex') === hash) done(null, lastChunk)
      else done(damaged)
    },
  })
  // The reader of the stream receives any error.
  return pipeline(stream, checking, () => {})
}

/**
 * Files that were verified as a whole, keyed by their state at the time. Media players request many ranges of one file.
 */
const verifiedFiles = new Map<string, Promise<void>>()
const MAX_CHECKED = 1000

/** @throws {FileDamaged} */
async function verifyOnce(path: string, hash: string): Promise<void> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true }).catch(throwMissing)
  const key = [hash, dev, ino, size, mtimeNs, ctimeNs].join(' ')
  let checking = verifiedFiles.get(key)
  if (checking === undefined) {
    checking = findDamage(path, hash).then((damage) => {
      if (damage !== undefined) throw new FileDamaged(damage)
    })
    verifiedFiles.set(key, checking)
    checking.catch(() => verifiedFiles.delete(key))
    const [oldest] = verifiedFiles.keys()
    if (verifiedFiles.size > MAX_CHECKED && oldest !== undefined) verifiedFiles.delete(oldest)
  }
  await checking
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')

function throwMissing(error: unknown): never {
  throw isMissing(error) ? new FileDamaged('missing') : error
}
