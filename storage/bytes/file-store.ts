/**
 * Stores the bytes of files next to the space, under their SHA-256, so that equal bytes are stored only once.
 *
 * Bytes are written under a temporary name and flushed to disk, all outside a transaction. {@link FileStore.commit}
 * gives them their final name inside the transaction that inserts a row for them. So the bytes that a row refers to
 * always exist, whatever fails in between. {@link FileStore.deleteUnreferenced} also runs in a transaction, so it
 * removes no bytes that another process is about to refer to.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { PRIVATE_FILE, PRIVATE_FOLDER, restrictFolderToOwner } from '../sqlite/private-files.ts'
import { referencedHashesInCopies } from '../sqlite/schema-copies.ts'
import { type ByteRange, findDamage, readChecked, readWholeChecked, verifySize } from './checked-files.ts'
import type { FileBytes, WrittenFile } from './file-bytes.ts'
import { type ReceivedFile, receiveFile } from './receive-file.ts'

/** Milliseconds after which a temporary file counts as abandoned, even if its process still runs. */
const ABANDONED_AFTER_MS = 24 * 3600 * 1000

export class FileStore implements FileBytes {
  readonly maxSize = Infinity
  readonly #space: string
  readonly #folder: string
  readonly #isTemporary: boolean
  /** True once this object made the folder, or found it. A space in memory that stored no bytes has none to remove. */
  #hasFolder = false
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
   * @throws {SizeLimitExceeded} beyond `limit` bytes; errors of the stream. No bytes are left then.
   */
  async write(stream: AsyncIterable<Uint8Array>, limit: number): Promise<WrittenFile> {
    await mkdir(this.#folder, { recursive: true, mode: PRIVATE_FOLDER })
    this.#hasFolder = true
    const path = join(this.#folder, `passing-${process.pid}-${randomBytes(8).toString('hex')}`)
    const discard = () => rm(path, { force: true })
    const file = await open(path, 'wx', PRIVATE_FILE)
    let received: ReceivedFile
    try {
      received = await receiveFile(file, stream, limit)
      await file.sync()
    } catch (error) {
      await file.close()
      await discard()
      throw error
    }
    await file.close()
    const written = { ...received, discard }
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
   * Streams a range of the bytes, by default all of them, verified: see {@link readChecked}.
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

  /** Reports whether the bytes of this hash are missing or altered; undefined if neither. Reads all of them. */
  findDamage(hash: string): Promise<'missing' | 'altered' | undefined> {
    return findDamage(this.#pathOf(hash), hash)
  }

  /** Removes access of other users, which an earlier version or a copy may have left. */
  closeToOthers(): Promise<void> {
    return restrictFolderToOwner(this.#folder)
  }

  /** Nothing to do: files on the disk are removed in the transaction. */
  async sweep(): Promise<number> {
    return 0
  }

  /** True if the folder contains any files. */
  async hasFiles(): Promise<boolean> {
    return existsSync(this.#folder) && (await listNames(this.#folder)).length > 0
  }

  async close(): Promise<void> {
    if (this.#isTemporary && this.#hasFolder) await rm(this.#folder, { recursive: true, force: true })
  }

  #pathOf(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash.slice(2))
  }
}

/** Temporary paths of written bytes, until they are committed. */
const temporaryPaths = new WeakMap<WrittenFile, string>()

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

/** Flushes a folder, which makes its directory entries durable. Windows has no such call, and does it on its own. */
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
