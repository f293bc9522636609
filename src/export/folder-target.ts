/**
 * Exports to a folder. A manifest records the hash of each file that an export wrote. Files that are not in the
 * manifest, or that were changed since, are never replaced or deleted.
 */
import { chmod, lstat, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../storage/sqlite/private-files.ts'
import { invalid } from '../base/errors.ts'
import {
  type DocumentState,
  type FileState,
  formatManifest,
  MANIFEST,
  type Manifest,
  readFolderManifest,
} from '../import/own/export-manifest.ts'
import { hashOf, hashOfFile, type Modes, makeFolder, writePart } from '../import/own/write-file.ts'
import { ExportJournal } from './export-journal.ts'
import type { ExportedState, ExportFile, ExportProblem, ExportTarget } from './export-target.ts'

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
  const manifest = await readFolderManifest(root)
  if (manifest !== undefined && manifest.space !== space) {
    throw invalid(`Expected a folder for this space, found the export of another space in ${path}; name another.`)
  }
  const modes = isPrivate ? { file: PRIVATE_FILE, folder: PRIVATE_FOLDER } : { file: 0o666, folder: 0o777 }
  return new FolderTarget(root, space, manifest, modes)
}

class FolderTarget implements ExportTarget {
  readonly counts = { written: 0, unchanged: 0, removed: 0, kept: 0 }
  readonly problems: ExportProblem[] = []
  readonly #root: string
  readonly #space: string
  readonly #before: Pick<Manifest, 'files' | 'documents'>
  readonly #modes: Modes
  readonly #journal: ExportJournal
  readonly #after = new Map<string, FileState>()
  readonly #documents = new Map<string, DocumentState>()
  /** Paths of files that were left alone. */
  readonly #kept = new Set<string>()

  constructor(root: string, space: string, before: Manifest | undefined, modes: Modes) {
    this.#root = root
    this.#modes = modes
    this.#space = space
    this.#before = before ?? { files: new Map(), documents: new Map() }
    this.#journal = new ExportJournal(root, space, modes)
  }

  async write(
    { path, hash, modifiedAt, isOptional }: ExportFile,
    content: string | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const whole = join(this.#root, path)
    const known = hash ?? (typeof content === 'string' ? hashOf(content) : undefined)
    const found = await this.#state(path, whole)
    if (found === 'foreign') return isOptional ? undefined : this.#recordForeign(path)
    if (known !== undefined && found !== undefined && found.hash === known) {
      // An earlier version may have let others read it.
      if (this.#modes.file === PRIVATE_FILE) await chmod(whole, PRIVATE_FILE)
      this.#after.set(path, found)
      this.counts.unchanged++
      return
    }
    await makeFolder(this.#root, dirname(path), this.#modes)
    const part = await writePart(this.#root, content, this.#modes, modifiedAt)
    try {
      // Noted before it gets its name, so that it is recognized however the export ends.
      await this.#journal.note(['file', path, part.state])
      await part.moveTo(whole)
    } catch (error) {
      await part.discard()
      throw error
    }
    this.#after.set(path, part.state)
    this.counts.written++
  }

  async retain(path: string): Promise<boolean> {
    const found = await this.#state(path, join(this.#root, path))
    if (found === undefined || found === 'foreign') return false
    this.#after.set(path, found)
    this.counts.unchanged++
    return true
  }

  /** A document of which a file was left alone keeps its earlier state, since the changes in that file are based on it. */
  async noteDocument(id: string, state: ExportedState): Promise<void> {
    const before = this.#before.documents.get(id)
    const isKept = [state.path, ...Object.keys(state.parts)].some((path) => this.#kept.has(path))
    if (!isKept) await this.#journal.note(['document', id, state])
    const noted = isKept ? before : state
    if (noted !== undefined) this.#documents.set(id, noted)
  }

  /**
   * Returns the state of a path: undefined if nothing exists there, that of a file that is unchanged since an export, or
   * `foreign` for anything else.
   */
  async #state(path: string, whole: string): Promise<FileState | 'foreign' | undefined> {
    const stats = await lstat(whole).catch(() => undefined)
    if (stats === undefined) return undefined
    const written = this.#after.get(path)
    const states = written === undefined ? (this.#before.files.get(path) ?? []) : [written]
    if (states.length === 0 || !stats.isFile()) return 'foreign'
    const same = states.find(({ size, time }) => stats.size === size && Math.round(stats.mtimeMs) === time)
    // An interrupted export may have noted files that have the same time and size.
    if (same !== undefined && states.length === 1) return same
    const hash = await hashOfFile(whole)
    return states.find((state) => state.hash === hash) ?? 'foreign'
  }

  #recordForeign(path: string): void {
    this.counts.kept++
    this.#kept.add(path)
    const before = this.#before.files.get(path)?.at(-1)
    if (before !== undefined) this.#after.set(path, before)
    this.problems.push({ path, message: 'A file that no export wrote, or that was changed since, is left as it is' })
  }

  async finish(): Promise<void> {
    for (const path of this.#before.files.keys()) {
      if (this.#after.has(path)) continue
      const state = await this.#state(path, join(this.#root, path))
      if (state === undefined) continue
      if (state === 'foreign') this.#recordForeign(path)
      else {
        await rm(join(this.#root, path))
        await this.#removeEmptyFolders(path)
        this.counts.removed++
      }
    }
    for (const [id, document] of this.#before.documents) {
      if (this.#kept.has(document.path) && !this.#documents.has(id)) this.#documents.set(id, document)
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

  /** Records what was written so far, so that the next export recognizes it. */
  async abort(): Promise<void> {
    for (const [path, states] of this.#before.files) {
      const found = this.#after.has(path) ? undefined : await this.#state(path, join(this.#root, path))
      const state = typeof found === 'object' ? found : states.at(-1)
      if (!this.#after.has(path) && state !== undefined) this.#after.set(path, state)
    }
    for (const [id, document] of this.#before.documents) {
      if (!this.#documents.has(id)) this.#documents.set(id, document)
    }
    await this.#writeManifest()
  }

  async #writeManifest(): Promise<void> {
    await makeFolder(this.#root, dirname(MANIFEST), this.#modes)
    const manifest = { space: this.#space, files: this.#after, documents: this.#documents }
    const part = await writePart(this.#root, formatManifest(manifest), this.#modes)
    await part.moveTo(join(this.#root, MANIFEST))
    await this.#journal.remove()
  }
}
