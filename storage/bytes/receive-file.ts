/** Writes a stream to an open file, and hashes it at the same time. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { FILE_HEAD_BYTES } from '../../src/base/limits.ts'
import { SizeLimitExceeded, type WrittenFile } from './file-bytes.ts'

/** Bytes per write; at least {@link FILE_HEAD_BYTES}. */
const CHUNK_SIZE = 256 * 1024

export type ReceivedFile = Pick<WrittenFile, 'hash' | 'size' | 'head'>

/**
 * Writes the bytes of a stream in chunks, without flushing them. When it rejects, no write is running any more.
 *
 * @throws {SizeLimitExceeded} beyond `limit` bytes; errors of the stream
 */
export async function receiveFile(
  file: FileHandle,
  stream: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<ReceivedFile> {
  const hash = createHash('sha256')
  let head: Buffer = Buffer.alloc(0)
  let size = 0
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const part of inChunks(stream, limit)) {
      if (size === 0) head = Buffer.from(part.subarray(0, FILE_HEAD_BYTES))
      size += part.byteLength
      await writing
      writing = writeFully(file, part)
      // A failure is handled when the write is awaited.
      writing.catch(() => {})
      // Hash while the disk is busy.
      hash.update(part)
    }
    await writing
  } catch (error) {
    await writing.catch(() => {})
    throw error
  }
  return { hash: hash.digest('hex'), size, head }
}

/**
 * The bytes of a stream in chunks of {@link CHUNK_SIZE}, the last one shorter. Sockets deliver small pieces, each of
 * which would cost a write. A chunk is valid until the one after the next is requested.
 *
 * @throws {SizeLimitExceeded} beyond `limit` bytes
 */
async function* inChunks(stream: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Buffer> {
  let [filling, other] = [Buffer.allocUnsafeSlow(CHUNK_SIZE), Buffer.allocUnsafeSlow(CHUNK_SIZE)]
  let size = 0
  let filled = 0
  for await (const piece of stream) {
    size += piece.byteLength
    if (size > limit) throw new SizeLimitExceeded()
    for (let done = 0; done < piece.byteLength; ) {
      const length = Math.min(piece.byteLength - done, CHUNK_SIZE - filled)
      filling.set(piece.subarray(done, done + length), filled)
      done += length
      filled += length
      if (filled < CHUNK_SIZE) continue
      yield filling
      ;[filling, other, filled] = [other, filling, 0]
    }
  }
  if (filled > 0) yield filling.subarray(0, filled)
}

async function writeFully(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength; ) {
    const { bytesWritten } = await file.write(chunk, done)
    done += bytesWritten
  }
}
