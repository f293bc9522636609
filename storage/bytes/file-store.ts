/**
 * The bytes of files, beside the space: each under the name of its SHA-256, so that the same bytes are kept once.
 *
 * Bytes are written under a passing name and flushed to the disk, all outside of a transaction; {@link FileStore.keep}
 * gives them their name inside of the one that names them in a row. So whatever happens in between, bytes that a row
 * names are there, and {@link FileStore.sweep}, in a transaction too, takes none that another process is about to name.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { PRIVATE_FILE, PRIVATE_FOLDER, restrictFolderToOwner } from '../sqlite/private-files.ts'
import { hashesInCopies } from '../sqlite/schema-copies.ts'
import { type ByteRange, checkSize, damageOf, readChecked, readWholeChecked } from './checked-files.ts'

/** Bytes that were written under a passing name. */
export interface Written {
  /** SHA-256 of all of them, in hex. */
  hash: string
  size: number
  /** The first of them: enough to tell what they are. */
  head: Uint8Array
  /** Forget them, unless they were kept. */
  discard(): Promise<void>
}

/** Bytes that tell what a file is, and how large its picture. */
const HEAD = 256 * 1024
/** Bytes that are written at once; not fewer than {@link HEAD}. */
const PART = 256 * 1024
/** Milliseconds after which a passing name is a dead one, whatever its process does. */
const DEAD = 24 * 3600 * 1000

export class TooMuch extends Error {}

export class FileStore {
  readonly #space: string
  readonly #folder: string
  readonly #isPassing: boolean
  /** Whether the name of the folder itself is on the disk: another process may have made it a moment ago. */
  #isNamed = false

  /** @param space  the space's file; of one in memory the bytes are kept in a folder that {@link close} removes */
  constructor(space: string) {
    this.#space = space
    this.#isPassing = space === ':memory:'
    this.#folder = this.#isPassing
      ? join(tmpdir(), `scriptorium-files-${randomBytes(8).toString('hex')}`)
      : `${space}.files`
  }

  /**
   * Write the bytes of a stream, piece by piece, and flush them.
   *
   * @throws {TooMuch} beyond `limit` bytes; what the stream throws. Nothing is left then.
   */
  async write(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Written> {
    await mkdir(this.#folder, { recursive: true, mode: PRIVATE_FOLDER })
    const path = join(this.#folder, `passing-${process.pid}-${randomBytes(8).toString('hex')}`)
    const discard = () => rm(path, { force: true })
    const file = await open(path, 'wx', PRIVATE_FILE)
    const hash = createHash('sha256')
    let head: Buffer = Buffer.alloc(0)
    let size = 0
    let writing: Promise<void> = Promise.resolve()
    try {
      for await (const part of inParts(stream, limit)) {
        if (size === 0) head = Buffer.from(part.subarray(0, HEAD))
        size += part.byteLength
        await writing
        writing = writeWhole(file, part)
        // Its failure is heard of when it is waited for.
        writing.catch(() => {})
        // While the disk is busy.
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
    paths.set(written, path)
    return written
  }

  /** Give written bytes their name. To be called in the transaction that names them in a row. */
  async keep(written: Written): Promise<void> {
    const path = paths.get(written)
    if (path === undefined) throw new Error('Expected bytes that were written here and not yet kept.')
    const kept = this.#pathOf(written.hash)
    await mkdir(join(kept, '..'), { recursive: true, mode: PRIVATE_FOLDER })
    await rename(path, kept)
    paths.delete(written)
    await syncFolder(join(kept, '..'))
    await syncFolder(this.#folder)
    if (!this.#isNamed) await syncFolder(dirname(this.#folder))
    this.#isNamed = true
  }

  /**
   * The bytes from one place to another; all of them without. They are checked: see {@link readChecked}.
   *
   * @throws {FileDamaged} for bytes that are missing or altered
   */
  read({ hash, size }: { hash: string; size: number }, range?: ByteRange): Promise<Readable> {
    return readChecked(this.#pathOf(hash), hash, size, range)
  }

  /**
   * All of the bytes, checked.
   *
   * @throws {FileDamaged} for bytes that are missing or altered
   */
  bytes(hash: string): Promise<Buffer> {
    return readWholeChecked(this.#pathOf(hash), hash)
  }

  /** @throws {FileDamaged} for bytes that are missing or of another number; they are not read */
  checkPresent({ hash, size }: { hash: string; size: number }): Promise<void> {
    return checkSize(this.#pathOf(hash), size)
  }

  async has(hash: string): Promise<boolean> {
    return stat(this.#pathOf(hash)).then(
      (found) => found.isFile(),
      () => false,
    )
  }

  /**
   * Remove what no row names, neither of the space nor of a copy that was kept of it, and what processes that are gone
   * have left. To be called in a transaction.
   *
   * @param named  hashes in rows of the space
   * @returns how many files were removed
   */
  async sweep(named: ReadonlySet<string>): Promise<number> {
    const unneeded = await this.unneeded(named)
    for (const path of unneeded) await rm(path, { force: true })
    return unneeded.length
  }

  /** The paths of what {@link sweep} removes. */
  async unneeded(named: ReadonlySet<string>): Promise<string[]> {
    const dead: string[] = []
    const unnamed: { hash: string; path: string }[] = []
    for (const name of await names(this.#folder)) {
      const path = join(this.#folder, name)
      if (name.startsWith('passing-')) {
        if (await isDead(path, name)) dead.push(path)
      } else if (/^[0-9a-f]{2}$/.test(name)) {
        for (const rest of await names(path)) {
          if (!named.has(name + rest)) unnamed.push({ hash: name + rest, path: join(path, rest) })
        }
      }
    }
    const inCopies = unnamed.length === 0 || this.#isPassing ? new Set<string>() : hashesInCopies(this.#space)
    if (inCopies === 'unknown') return dead
    return [...unnamed.filter(({ hash }) => !inCopies.has(hash)).map(({ path }) => path), ...dead]
  }

  /** What is wrong with the bytes of this hash; reads all of them. */
  damage(hash: string): Promise<'missing' | 'altered' | undefined> {
    return damageOf(this.#pathOf(hash), hash)
  }

  /** Closes to others what an earlier version, or a copy, has left open to them. */
  closeToOthers(): Promise<void> {
    return restrictFolderToOwner(this.#folder)
  }

  /** Whether there is anything to sweep. */
  async holdsAny(): Promise<boolean> {
    return existsSync(this.#folder) && (await names(this.#folder)).length > 0
  }

  async close(): Promise<void> {
    if (this.#isPassing) await rm(this.#folder, { recursive: true, force: true })
  }

  #pathOf(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash.slice(2))
  }
}

/** Where written bytes are, until they are kept. */
const paths = new WeakMap<Written, string>()

/**
 * The bytes of a stream in parts of {@link PART}, the last one shorter: sockets bring them in crumbs, each of which would
 * cost a write. A part may be used until the one after the next is asked for.
 *
 * @throws {TooMuch} beyond `limit` bytes
 */
async function* inParts(stream: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Buffer> {
  let [filling, other] = [Buffer.allocUnsafeSlow(PART), Buffer.allocUnsafeSlow(PART)]
  let size = 0
  let filled = 0
  for await (const piece of stream) {
    size += piece.byteLength
    if (size > limit) throw new TooMuch()
    for (let done = 0; done < piece.byteLength; ) {
      const taken = Math.min(piece.byteLength - done, PART - filled)
      filling.set(piece.subarray(done, done + taken), filled)
      done += taken
      filled += taken
      if (filled < PART) continue
      yield filling
      ;[filling, other, filled] = [other, filling, 0]
    }
  }
  if (filled > 0) yield filling.subarray(0, filled)
}

async function writeWhole(file: Awaited<ReturnType<typeof open>>, piece: Uint8Array): Promise<void> {
  for (let done = 0; done < piece.byteLength; ) {
    const { bytesWritten } = await file.write(piece, done)
    done += bytesWritten
  }
}

/** Makes a folder, and those that it is to be in, for their owner alone; their names are on the disk when this resolves. */
export async function makeFolder(path: string): Promise<void> {
  const whole = resolve(path)
  const first = await mkdir(whole, { recursive: true, mode: PRIVATE_FOLDER })
  if (first === undefined) return
  for (let made = whole; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** A name is on the disk when its folder is. Windows knows no such thing, and does it by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

const names = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** Whether the process that writes under this name is gone. */
async function isDead(path: string, name: string): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
  if (Date.now() - mtimeMs > DEAD) return true
  const pid = Number(name.split('-')[1])
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
