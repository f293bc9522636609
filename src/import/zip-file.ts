/**
 * Opens a zip archive whose entries can be read at the same time, and broken off at any moment.
 *
 * The reader that yauzl has for files reads one range after another. If an entry is broken off while it waits for its
 * turn, that reader throws outside of any promise, which ends the process.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'

/** Bytes that are read at a time. */
const PART_BYTES = 64 * 1024

/** @throws Error if the file cannot be opened, or is not a zip archive */
export async function openZipFile(path: string): Promise<ZipFile> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const
    return await fromRandomAccessReaderPromise(new FileReader(file), size, options)
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Closing the handle waits for reads that have begun, and later ones are refused. */
class FileReader extends RandomAccessReader {
  readonly #file: FileHandle

  constructor(file: FileHandle) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(readRange(this.#file, start, end), { objectMode: false })
  }

  override close(done: (error: Error | null) => void): void {
    this.#file.close().then(() => done(null), done)
  }
}

/** @param end  the offset after the last byte */
async function* readRange(file: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const part = Buffer.allocUnsafe(Math.min(PART_BYTES, end - at))
    const { bytesRead } = await file.read(part, 0, part.length, at)
    // What is missing at the end is an error of the entry.
    if (bytesRead === 0) return
    yield part.subarray(0, bytesRead)
    at += bytesRead
  }
}
