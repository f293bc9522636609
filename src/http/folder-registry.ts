/** The spaces of a folder, opened on demand and closed when idle. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { spaceKey } from '../auth/access-links/access-links.ts'
import type { Opening } from '../call/opening-space.ts'
import type { ServedSpace } from '../call/space-registry.ts'
import { type OnDemandOptions, OnDemandRegistry, type SpacePlace } from './on-demand-registry.ts'

/** Milliseconds between scans of the folder. */
const RESCAN_INTERVAL_MS = 1_000

export interface FolderRegistryOptions extends OnDemandOptions {
  folder: string
  openFile(file: string, progress: Opening): Promise<ServedSpace>
  /** Reads the ID of a space from a file without opening the space; undefined for other files. */
  idOf(file: string): string | undefined
  /** Milliseconds between scans of the folder. */
  rescanInterval?: number
}

/** The last known state of a file. The stamp changes whenever the ID could have changed. */
interface KnownFile {
  stamp: string
  /** Undefined for a file that is not a space. */
  id: string | undefined
}

/**
 * The spaces of a folder: its files ending in `.sqlite`, including later ones. Other files are skipped. If two files
 * contain the same space, such as a copy, the first by name is served.
 */
export class FolderSpaceRegistry extends OnDemandRegistry {
  readonly #options: FolderRegistryOptions
  /** The file of each key as of the last scan. */
  #files = new Map<string, string>()
  /** Files that have not changed since the last scan. */
  #known = new Map<string, KnownFile>()
  readonly #reported = new Set<string>()
  #scannedAt = Number.NEGATIVE_INFINITY

  constructor(options: FolderRegistryOptions) {
    super(options)
    this.#options = options
  }

  /** Includes files that are not known as spaces any more: one whose first page is damaged has no ID. */
  override async countBroken(): Promise<number> {
    this.#scan()
    const unknown = [...this.#known.values()].filter(({ id }) => id === undefined)
    return unknown.length + (await super.countBroken())
  }

  protected find(key: string): SpacePlace | undefined {
    const file = this.#fileOf(key)
    return file === undefined ? undefined : { shown: file, open: (progress) => this.#options.openFile(file, progress) }
  }

  protected forget(key: string): string {
    const file = this.#files.get(key)
    this.#files.delete(key)
    if (file !== undefined) this.#known.delete(file)
    this.#scannedAt = Number.NEGATIVE_INFINITY
    return `Expected ${file} to stay the same file while it is open, found it replaced; it is opened again.`
  }

  /** Checks the file again before opening: opening a file that was moved away would create a new space in its place. */
  #fileOf(key: string): string | undefined {
    const file = this.#files.get(key)
    if (file !== undefined && existsSync(file)) return file
    this.#scan()
    return this.#files.get(key)
  }

  /** Scanning takes time, so not every wrong address triggers it. */
  #scan(): void {
    const { folder, rescanInterval = RESCAN_INTERVAL_MS } = this.#options
    if (performance.now() - this.#scannedAt < rescanInterval) return
    this.#scannedAt = performance.now()
    this.#files = new Map()
    const known: Map<string, KnownFile> = new Map()
    for (const name of readdirSync(folder).sort()) {
      if (!name.endsWith('.sqlite')) continue
      const file = join(folder, name)
      const found = this.#inspect(file)
      known.set(file, found)
      if (found.id === undefined)
        this.#report(`Expected a space in ${file}, found none that can be read; it is not served.`)
      else if (this.#files.has(spaceKey(found.id))) {
        this.#report(
          `Expected each space once, found that of ${this.#files.get(spaceKey(found.id))} in ${file} too; the first is served.`,
        )
      } else this.#files.set(spaceKey(found.id), file)
    }
    this.#known = known
  }

  /** The ID of a space never changes, but another file may be replaced by a space. */
  #inspect(file: string): KnownFile {
    const { ino, mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {}
    const before = this.#known.get(file)
    const stamp = before?.id === undefined ? `${ino} ${mtimeMs} ${size}` : `${ino}`
    if (before?.stamp === stamp) return before
    const id = this.#options.idOf(file)
    return { stamp: id === undefined ? stamp : `${ino}`, id }
  }

  #report(sentence: string): void {
    if (!this.#reported.has(sentence)) this.#options.report?.(sentence)
    this.#reported.add(sentence)
  }
}
