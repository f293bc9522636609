/**
 * Reads files whose names are the SHA-256 of their bytes, and never passes altered bytes off as good ones.
 *
 * Small files are read and checked before their first byte is given. Large ones are checked while they are streamed, in
 * bounded memory: the last piece is held back until all of them are known to be right, so that whoever reads an altered
 * file gets less than was announced and an error. A part of a large file is given once the whole file was checked, and
 * fails where the file ends before it.
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

/** The bytes of a file are gone, or are not those that were added. */
export class FileDamaged extends ScriptoriumError {
  constructor(found: 'missing' | 'altered') {
    const what = found === 'missing' ? 'are missing' : 'were changed'
    super(
      'FILE_DAMAGED',
      `Expected the bytes of the file as they were added, found that they ${what} on the disk of this server; add the file again, or restore a backup (\`scriptorium doctor\` lists such files).`,
    )
    this.name = 'FileDamaged'
  }
}

/** Files up to this size are read whole. Bytes. */
const READ_WHOLE = 1024 * 1024

/**
 * The bytes of a file, or a part of them. The stream of a large file fails with {@link FileDamaged} before its end.
 *
 * @param size  of the whole file, as it was added
 * @throws {FileDamaged} for bytes that are missing or altered, as far as that is known before the first byte
 */
export async function readChecked(path: string, hash: string, size: number, range?: ByteRange): Promise<Readable> {
  await checkSize(path, size)
  if (size <= READ_WHOLE) {
    const bytes = await readWholeChecked(path, hash)
    const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
    return Readable.from(part.byteLength === 0 ? [] : [part], { objectMode: false })
  }
  if (range === undefined || (range.start === 0 && range.end >= size - 1)) return streamChecked(path, hash)
  await checkOnce(path, hash)
  return streamPart(path, range)
}

/**
 * All of the bytes, in memory.
 *
 * @throws {FileDamaged}
 */
export async function readWholeChecked(path: string, hash: string): Promise<Buffer> {
  const bytes = await readFile(path).catch(orMissing)
  if (createHash('sha256').update(bytes).digest('hex') !== hash) throw new FileDamaged('altered')
  return bytes
}

/** Whether the bytes are missing or altered; reads all of them, in bounded memory. */
export async function damageOf(path: string, hash: string): Promise<'missing' | 'altered' | undefined> {
  const sum = createHash('sha256')
  try {
    for await (const piece of createReadStream(path)) sum.update(piece)
  } catch (error) {
    if (isMissing(error)) return 'missing'
    throw error
  }
  return sum.digest('hex') === hash ? undefined : 'altered'
}

/** @throws {FileDamaged} for a file that is missing or of another size; its bytes are not read */
export async function checkSize(path: string, size: number): Promise<void> {
  const found = await stat(path).catch(orMissing)
  if (found.size !== size) throw new FileDamaged('altered')
}

/** A part of a file that was checked; it may be cut while it is read. The range ends within the file. */
function streamPart(path: string, range: ByteRange): Readable {
  let left = range.end - range.start + 1
  const counting = new Transform({
    transform(piece: Buffer, _encoding, done) {
      left -= piece.byteLength
      done(null, piece)
    },
    flush(done) {
      if (left === 0) done()
      else done(new FileDamaged('altered'))
    },
  })
  // Whoever reads hears of an error.
  return pipeline(createReadStream(path, range), counting, () => {})
}

function streamChecked(path: string, hash: string): Readable {
  const sum = createHash('sha256')
  let held: Buffer | undefined
  const checking = new Transform({
    transform(piece: Buffer, _encoding, done) {
      sum.update(piece)
      const ready = held
      held = piece
      if (ready === undefined) done()
      else done(null, ready)
    },
    flush(done) {
      if (sum.digest('hex') === hash) done(null, held)
      else done(new FileDamaged('altered'))
    },
  })
  // Whoever reads hears of an error.
  return pipeline(createReadStream(path), checking, () => {})
}

/** Files that were checked whole, each as it was then: players ask for many parts of one. */
const checked = new Map<string, Promise<void>>()
const CHECKED_KEPT = 1000

/** @throws {FileDamaged} */
async function checkOnce(path: string, hash: string): Promise<void> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true }).catch(orMissing)
  const key = [hash, dev, ino, size, mtimeNs, ctimeNs].join(' ')
  let checking = checked.get(key)
  if (checking === undefined) {
    checking = damageOf(path, hash).then((damage) => {
      if (damage !== undefined) throw new FileDamaged(damage)
    })
    checked.set(key, checking)
    checking.catch(() => checked.delete(key))
    const [oldest] = checked.keys()
    if (checked.size > CHECKED_KEPT && oldest !== undefined) checked.delete(oldest)
  }
  await checking
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')

function orMissing(error: unknown): never {
  throw isMissing(error) ? new FileDamaged('missing') : error
}
