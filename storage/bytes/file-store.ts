/**
 * Stores the bytes of files next to the space, each under its SHA-256, so that equal bytes are stored once.
 *
 * Bytes are written under a temporary name and flushed to disk, all outside a transaction. {@link FileStore.commit} gives
 * them their final name inside the transaction that inserts a row for them. So whatever fails in between, bytes that a
 * row refers to exist. {@link FileStore.deleteUnreferenced} also runs in a transaction, so it removes none that another process is
 * about to refer to.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { PRIVATE_FILE, PRIVATE_FOLDER, restrictFolderToOwner } from '../sqlite/private-files.ts'
import { referencedHashesInCopies } from '../sqlite/schema-copies.ts'
import { type ByteRange, findDamage, readChecked, readWholeChecked, verifySize } from './checked-files.ts'

/** Bytes that were written under a temporary name. */
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
const HEAD_SIZE = 256 * 1024
/** Bytes per write; at least {@link HEAD_SIZE}. */
const CHUNK_SIZE = 256 * 1024
/** Milliseconds after which a temporary file is abandoned, whatever its process does. */
const ABANDONED_AFTER_MS = 24 * 3600 * 1000

export class SizeLimitExceeded extends Error {}

export class FileStore {
  readonly #space: string
  readonly #folder: string
  readonly #isTemporary: boolean
  /** True once the folder's own directory entry is on disk. Another process may have just created it. */
  #isFolderSynced = false

  /** @param space  the space's file; for one in memory, the bytes go to a folder that {@link close} removes */
  constructor(space: string) {
    this.#space = space
    this.#isTemporary = space === ':memory:'
    this.#folder = this.#isTemporary
      ? join(tmpdir(), `scriptorium-files-${randomBytes(8).toString('hex')}`)
      : `${space}.files`
  }

  /**
   * Writes the bytes of a stream in chunks, and flushes them.
   *
   * @throws {SizeLimitExceeded} beyond `limit` bytes; what the stream throws. Nothing is left then.
   */
  async write(stream: AsyncIterable<Uint8Array>, limit: number): Promise<WrittenFile> {
    await mkdir(this.#folder, { recursive: true, mode: PRIVATE_FOLDER })
    const path = join(this.#folder, `passing-${process.pid}-${randomBytes(8).toString('hex')}`)
    const discard = () => rm(path, { force: true })
    const file = await open(path, 'wx', PRIVATE_FILE)
    const hash = createHash('sha256')
    let head: Buffer = Buffer.alloc(0)
    let size = 0
    let writing: Promise<void> = Promise.resolve()
    try {
      for await (const part of inChunks(stream, limit)) {
        if (size === 0) head = Buffer.from(part.subarray(0, HEAD_SIZE))
        size += part.byteLength
        await writing
        writing = writeFully(file, part)
        // A failure is handled when the write is awaited.
        writing.catch(() => {})
        // Hash while the disk is busy.
        hash.update(part)
      }
      await writing
      await file.sync()
    } catch (error) {
      await writing.catch(() => {})
      await file.close()
      await discard()
      throw error
    }
    await file.close()
    const written = { hash: hash.digest('hex'), size, head, discard }
    temporaryPaths.set(written, path)
    return written
  }

  /** Gives written bytes their final name. Call it in the transaction that inserts a row for them. */
  async commit(written: WrittenFile): Promise<void> {
    const path = temporaryPaths.get(written)
    if (path === undefined) throw new Error('Expected bytes that were written here and not yet kept.')
    const finalPath = this.#pathOf(written.hash)
    await mkdir(join(finalPath, '..'), { recursive: true, mode: PRIVATE_FOLDER })
    await rename(path, finalPath)
    temporaryPaths.delete(written)
    await syncFolder(join(finalPath, '..'))
    await syncFolder(this.#folder)
    if (!this.#isFolderSynced) await syncFolder(dirname(this.#folder))
    this.#isFolderSynced = true
  }

  /**
   * Streams a range of the bytes, by default all. They are verified: see {@link readChecked}.
   *
   * @throws {FileDamaged} for missing or altered bytes
   */
  read({ hash, size }: { hash: string; size: number }, range?: ByteRange): Promise<Readable> {
    return readChecked(this.#pathOf(hash), hash, size, range)
  }

  /**
   * All of the bytes, verified.
   *
   * @throws {FileDamaged} for missing or altered bytes
   */
  readAll(hash: string): Promise<Buffer> {
    return readWholeChecked(this.#pathOf(hash), hash)
  }

  /** @throws {FileDamaged} for missing bytes or a wrong size; the bytes are not read */
  verifyPresent({ hash, size }: { hash: string; size: number }): Promise<void> {
    return verifySize(this.#pathOf(hash), size)
  }

  async has(hash: string): Promise<boolean> {
    return stat(this.#pathOf(hash)).then(
      (stats) => stats.isFile(),
      () => false,
    )
  }

  /**
   * Removes files that no row refers to, neither in the space nor in a schema copy of it, and temporary files of
   * processes that have ended. Call it in a transaction.
   *
   * @param referenced  hashes in rows of the space
   * @returns the number of removed files
   */
  async deleteUnreferenced(referenced: ReadonlySet<string>): Promise<number> {
    const unneeded = await this.listUnreferenced(referenced)
    for (const path of unneeded) await rm(path, { force: true })
    return unneeded.length
  }

  /** The paths that {@link deleteUnreferenced} removes. */
  async listUnreferenced(referenced: ReadonlySet<string>): Promise<string[]> {
    const abandoned: string[] = []
    const unreferenced: { hash: string; path: string }[] = []
    for (const name of await listNames(this.#folder)) {
      const path = join(this.#folder, name)
      if (name.startsWith('passing-')) {
        if (await isAbandoned(path, name)) abandoned.push(path)
      } else if (/^[0-9a-f]{2}$/.test(name)) {
        for (const rest of await listNames(path)) {
          if (!referenced.has(name + rest)) unreferenced.push({ hash: name + rest, path: join(path, rest) })
        }
      }
    }
    const inCopies =
      unreferenced.length === 0 || this.#isTemporary ? new Set<string>() : referencedHashesInCopies(this.#space)
    if (inCopies === 'unknown') return abandoned
    return [...unreferenced.filter(({ hash }) => !inCopies.has(hash)).map(({ path }) => path), ...abandoned]
  }

  /** Tells what is wrong with the bytes of this hash. Reads all of them. */
  findDamage(hash: string): Promise<'missing' | 'altered' | undefined> {
    return findDamage(this.#pathOf(hash), hash)
  }

  /** Removes access by other users that an earlier version or a copy has left. */
  closeToOthers(): Promise<void> {
    return restrictFolderToOwner(this.#folder)
  }

  /** True if there is anything to sweep. */
  async hasFiles(): Promise<boolean> {
    return existsSync(this.#folder) && (await listNames(this.#folder)).length > 0
  }

  async close(): Promise<void> {
    if (this.#isTemporary) await rm(this.#folder, { recursive: true, force: true })
  }

  #pathOf(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash.slice(2))
  }
}

/** Temporary paths of written bytes, until they are kept. */
const temporaryPaths = new WeakMap<WrittenFile, string>()

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

async function writeFully(file: Awaited<ReturnType<typeof open>>, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength; ) {
    const { bytesWritten } = await file.write(chunk, done)
    done += bytesWritten
  }
}

/**
 * Creates a folder and its missing parents, accessible to their owner only. Resolves once their directory entries are
 * on disk.
 */
export async function createPrivateFolder(path: string): Promise<void> {
  const whole = resolve(path)
  const first = await mkdir(whole, { recursive: true, mode: PRIVATE_FOLDER })
  if (first === undefined) return
  for (let created = whole; created.length >= first.length; created = dirname(created)) {
    await syncFolder(dirname(created))
  }
}

/** A directory entry is durable once its folder is synced. Windows has no such call and does it by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

const listNames = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** True if the process that writes this temporary file has ended. */
async function isAbandoned(path: string, name: string): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
  if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) return true
  const pid = Number(name.split('-')[1])
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
