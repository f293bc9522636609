/**
 * Exports to a folder. A manifest records the hash of each file that an export wrote. Files that are not in the
 * manifest, or that were changed since, are never replaced or deleted.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, lstat, mkdir, open, readFile, rename, rm, rmdir, utimes } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../storage/sqlite/private-files.ts'
import { invalid } from '../base/errors.ts'
import type { ExportFile, ExportProblem, ExportTarget } from './export-target.ts'

export const MANIFEST = '.scriptorium/manifest.json'

interface Manifest {
  version: 1
  /** The ID of the space. */
  space: string
  files: Record<string, ManifestEntry>
}

interface ManifestEntry {
  /** SHA-256 in hex. */
  hash: string
  size: number
  /** Modification time after writing. A file with this time and size is not read again. */
  time: number
}

export interface FolderTargetOptions {
  /** True to close new files and folders to other users of the machine. */
  isPrivate?: boolean
}

/**
 * @param space  the ID of the space
 * @throws VALIDATION_ERROR if the path is not a folder, or contains an export of another space
 */
export async function openFolderTarget(
  path: string,
  space: string,
  { isPrivate = false }: FolderTargetOptions = {},
): Promise<ExportTarget> {
  const root = resolve(path)
  const found = await lstat(root).catch(() => undefined)
  if (found !== undefined && !found.isDirectory()) {
    throw invalid(`Expected a folder to export to, found ${path}, which is none; name another.`)
  }
  const manifest = await readManifest(join(root, MANIFEST))
  if (manifest !== undefined && manifest.space !== space) {
    throw invalid(`Expected a folder for this space, found the export of another space in ${path}; name another.`)
  }
  const modes = isPrivate ? { file: PRIVATE_FILE, folder: PRIVATE_FOLDER } : { file: 0o666, folder: 0o777 }
  return new FolderTarget(root, space, new Map(Object.entries(manifest?.files ?? {})), modes)
}

async function readManifest(path: string): Promise<Manifest | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const manifest = JSON.parse(text) as Manifest
    if (manifest.version === 1 && typeof manifest.files === 'object') return manifest
  } catch {
    // The error is thrown below.
  }
  throw invalid(`Expected the manifest of an export in ${path}, found something else; export to another folder.`)
}

/** The modes of new files and folders, before the umask. */
interface Modes {
  file: number
  folder: number
}

class FolderTarget implements ExportTarget {
  readonly counts = { written: 0, unchanged: 0, removed: 0, kept: 0 }
  readonly problems: ExportProblem[] = []
  readonly #root: string
  readonly #space: string
  readonly #before: ReadonlyMap<string, ManifestEntry>
  readonly #modes: Modes
  readonly #after = new Map<string, ManifestEntry>()

  constructor(root: string, space: string, before: ReadonlyMap<string, ManifestEntry>, modes: Modes) {
    this.#root = root
    this.#modes = modes
    this.#space = space
    this.#before = before
  }

  async write(
    { path, hash, modifiedAt, isOptional }: ExportFile,
    content: string | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const whole = join(this.#root, path)
    const known = hash ?? (typeof content === 'string' ? hashOf(content) : undefined)
    const found = await this.#state(path, whole)
    if (found === 'foreign') return isOptional ? undefined : this.#keep(path)
    if (known !== undefined && found !== undefined && found.hash === known) {
      // An earlier version may have let others read it.
      if (this.#modes.file === PRIVATE_FILE) await chmod(whole, PRIVATE_FILE)
      this.#after.set(path, found)
      this.counts.unchanged++
      return
    }
    await this.#makeFolder(path)
    const written = await writeWhole(whole, content, this.#modes.file, modifiedAt)
    this.#after.set(path, written)
    this.counts.written++
  }

  async keep(path: string): Promise<boolean> {
    const found = await this.#state(path, join(this.#root, path))
    if (found === undefined || found === 'foreign') return false
    this.#after.set(path, found)
    this.counts.unchanged++
    return true
  }

  /**
   * Returns the state of a path: undefined if nothing exists there, the entry of a file that is unchanged since an
   * export, or `foreign` for anything else.
   */
  async #state(path: string, whole: string): Promise<ManifestEntry | 'foreign' | undefined> {
    const stats = await lstat(whole).catch(() => undefined)
    if (stats === undefined) return undefined
    const entry = this.#before.get(path) ?? this.#after.get(path)
    if (entry === undefined || !stats.isFile()) return 'foreign'
    if (stats.size === entry.size && Math.round(stats.mtimeMs) === entry.time) return entry
    return (await hashOfFile(whole)) === entry.hash ? entry : 'foreign'
  }

  #keep(path: string): void {
    this.counts.kept++
    const before = this.#before.get(path)
    if (before !== undefined) this.#after.set(path, before)
    this.problems.push({ path, message: 'A file that no export wrote, or that was changed since, is left as it is' })
  }

  /** Creates the folders of a path. Symbolic links among them are rejected, since they could lead elsewhere. */
  async #makeFolder(path: string): Promise<void> {
    const parts = path.split('/').slice(0, -1)
    await mkdir(this.#root, { recursive: true, mode: this.#modes.folder })
    for (let count = 1; count <= parts.length; count++) {
      const folder = join(this.#root, ...parts.slice(0, count))
      const stats = await lstat(folder).catch(() => undefined)
      if (stats === undefined) await mkdir(folder, this.#modes.folder)
      else if (!stats.isDirectory()) {
        throw invalid(
          `Expected a folder at ${folder}, found something else; move it away, or export to another folder.`,
        )
      }
    }
  }

  async finish(): Promise<void> {
    for (const path of this.#before.keys()) {
      if (this.#after.has(path)) continue
      const state = await this.#state(path, join(this.#root, path))
      if (state === undefined) continue
      if (state === 'foreign') this.#keep(path)
      else {
        await rm(join(this.#root, path))
        await this.#removeEmptyFolders(path)
        this.counts.removed++
      }
    }
    await this.#writeManifest()
  }

  async #removeEmptyFolders(path: string): Promise<void> {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      try {
        await rmdir(join(this.#root, folder))
      } catch {
        return
      }
    }
  }

  async abort(): Promise<void> {
    // Record the files written so far, so that the next export recognizes them.
    for (const [path, entry] of this.#before) if (!this.#after.has(path)) this.#after.set(path, entry)
    await this.#writeManifest()
  }

  async #writeManifest(): Promise<void> {
    await this.#makeFolder(MANIFEST)
    const files = Object.fromEntries([...this.#after].sort(([one], [other]) => (one < other ? -1 : 1)))
    const manifest: Manifest = { version: 1, space: this.#space, files }
    await writeWhole(join(this.#root, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, this.#modes.file)
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

/** Writes to a temporary name first, so that no reader sees a partial file. */
async function writeWhole(
  path: string,
  content: string | AsyncIterable<Uint8Array>,
  mode: number,
  modifiedAt?: number,
): Promise<ManifestEntry> {
  const passing = `${path}.${randomBytes(6).toString('hex')}.part`
  const file = await open(passing, 'wx', mode)
  const hash = createHash('sha256')
  let size = 0
  try {
    const chunks = typeof content === 'string' ? [Buffer.from(content)] : content
    for await (const chunk of chunks) {
      hash.update(chunk)
      size += chunk.byteLength
      await file.writeFile(chunk)
    }
    await file.close()
    if (modifiedAt !== undefined) await utimes(passing, modifiedAt / 1000, modifiedAt / 1000)
    await rename(passing, path)
  } catch (error) {
    await file.close()
    await rm(passing, { force: true })
    throw error
  }
  const { mtimeMs } = await lstat(path)
  return { hash: hash.digest('hex'), size, time: Math.round(mtimeMs) }
}
