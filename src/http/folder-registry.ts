/** The spaces of a folder, opened on demand and closed when idle. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { spaceKey } from '../auth/access-links/access-links.ts'
import { type ServedSpace, SharedSpace, type SpaceLease, type SpaceRegistry } from '../call/space-registry.ts'
import type { PendingNotice } from '../endpoint.ts'

/** Milliseconds after which an idle space is closed, and between scans of the folder. */
const IDLE_MS = 5 * 60_000
const RESCAN_INTERVAL_MS = 1_000

export interface FolderRegistryOptions {
  folder: string
  openFile(file: string): Promise<ServedSpace>
  /** The ID of the space in a file, without opening it for good; none for another file. */
  idOf(file: string): string | undefined
  noticeSources: readonly PendingNotice[]
  /** Receives a sentence for each file that is skipped. */
  report?(sentence: string): void
  /** Milliseconds after which an idle space is closed, and between scans of the folder. */
  idleTimeout?: number
  rescanInterval?: number
}

/** A file as it was: the stamp changes with what could change the ID. */
interface KnownFile {
  stamp: string
  /** None for what is no space. */
  id: string | undefined
}

/**
 * The spaces of a folder: its files ending in `.sqlite`, those that come later too. Files that are not spaces are skipped;
 * of two files with the same space, such as a copy that was kept, the first by name is served.
 */
export class FolderSpaceRegistry implements SpaceRegistry {
  readonly #options: FolderRegistryOptions
  /** The file of each key, as it was at the last look. */
  #files = new Map<string, string>()
  /** What was known of each file that did not change since. */
  #known = new Map<string, KnownFile>()
  readonly #spaces = new Map<string, SharedSpace>()
  readonly #closing = new Set<Promise<void>>()
  /** Those of a key that are being closed because their files were replaced. */
  readonly #replaced = new Map<string, Promise<void>>()
  readonly #reported = new Set<string>()
  #scannedAt = Number.NEGATIVE_INFINITY
  readonly #sweepTimer: NodeJS.Timeout

  constructor(options: FolderRegistryOptions) {
    this.#options = options
    const { idleTimeout = IDLE_MS } = options
    this.#sweepTimer = setInterval(() => this.#closeIdle(idleTimeout), Math.max(idleTimeout / 5, 10)).unref()
  }

  get openCount(): number {
    return this.#spaces.size
  }

  /** @throws Error, with what is wrong for the log alone, when the file of the key cannot be opened */
  async acquire(key: string): Promise<SpaceLease | undefined> {
    const found = this.#spaces.get(key)
    if (found?.isPresent() === true) return found.lease()
    if (found !== undefined) this.#closeReplaced(key, found)
    await this.#replaced.get(key)
    // Another waiting request may have opened it.
    const lease = this.#spaces.get(key)?.lease()
    if (lease !== undefined) return lease
    const file = this.#fileOf(key)
    if (file === undefined) return undefined
    const { openFile, noticeSources } = this.#options
    const opening = openFile(file).catch((error: unknown) => {
      this.#spaces.delete(key)
      // Its message names a file of this machine, which is nothing to the caller.
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`Expected to open ${file}, found this: ${reason}`, { cause: error })
    })
    const sharedSpace = new SharedSpace(opening, noticeSources)
    this.#spaces.set(key, sharedSpace)
    return sharedSpace.lease()
  }

  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    const sharedSpaces = [...this.#spaces.values()]
    this.#spaces.clear()
    await Promise.all([...sharedSpaces.map((sharedSpace) => sharedSpace.close()), ...this.#closing])
  }

  /**
   * Closes a space whose file was moved, deleted or replaced, while it is in use. Nothing is opened before that is
   * done: where the log alone was removed, closing writes what was in it into the file.
   */
  #closeReplaced(key: string, sharedSpace: SharedSpace): void {
    const file = this.#files.get(key)
    this.#spaces.delete(key)
    this.#files.delete(key)
    if (file !== undefined) this.#known.delete(file)
    this.#scannedAt = Number.NEGATIVE_INFINITY
    this.#options.report?.(
      `Expected ${file} to stay the same file while it is open, found it replaced; it is opened again.`,
    )
    const closing: Promise<void> = sharedSpace
      .close()
      .catch((error: unknown) => this.#options.report?.(`Expected to close ${file}, found this: ${error}`))
      .finally(() => {
        this.#replaced.delete(key)
        this.#closing.delete(closing)
      })
    this.#replaced.set(key, closing)
    this.#closing.add(closing)
  }

  /** Looked at again before it is opened: opening a file that was moved away would make a new space in its place. */
  #fileOf(key: string): string | undefined {
    const file = this.#files.get(key)
    if (file !== undefined && existsSync(file)) return file
    this.#scan()
    return this.#files.get(key)
  }

  /** Not at every wrong address, since it takes time. */
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

  /** The ID of a space never changes, but a file that is none may become one. */
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

  #closeIdle(idleTimeout: number): void {
    for (const [key, sharedSpace] of this.#spaces) {
      if (!sharedSpace.isIdle(idleTimeout)) continue
      this.#spaces.delete(key)
      const closing: Promise<void> = sharedSpace.close().finally(() => this.#closing.delete(closing))
      this.#closing.add(closing)
    }
  }
}
